//! Overlays: additions, changes by path, conflicts, origins.

use adjutant_pack::{Contract, Files, LoadedPack, Surroundings, check, compile};

use crate::common::{Asks, problems, tiny};

fn layer(id: &str, files: &[(&str, &str)]) -> Files {
    let manifest = format!(
        "(id: \"{id}\", title: \"{id}\", version: \"1.0.0\", format: 1, api: 1, authors: [], \
         licence: \"MIT\", extends: \"tiny\")"
    );
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Files::new(id, files.chain([("pack.ron".to_owned(), manifest)]))
}

/// An overlay that does one of each.
pub(crate) fn overlay() -> Files {
    layer(
        "house",
        &[
            (
                "changes.ron",
                "[
    Set(path: \"tables/fire/rows/2..4\", expect: [0, 1, 1], to: [1, 1, 1]),
    Set(path: \"pieces/pieces/Scout/attributes/strength\", expect: 1, to: 5),
    Insert(path: \"sequence/0/items/0/items\", value: Phase(name: \"scouting\", run: \"act\"), before: \"movement\"),
    Insert(path: \"knowledge/sets/scouts\", value: (pieces: [\"Scout\"])),
    Remove(path: \"scenarios/meeting/place/4\", expect: (at: \"Pool\", pieces: [\"Works 2\", \"Works 3\"], source: Reconstructed(\"the rest\"))),
    SwitchOff(rule: \"tiny:2.1\", because: \"horse may go where it likes\"),
]",
            ),
            ("restrictions.ron", "{ \"tiny:8\": (point: \"may_enter\", when: (pieces: \"scouts\")) }"),
            ("text/en.ftl", "phase-scouting = Scouting\n"),
        ],
    )
}

fn told(layers: &[Files]) -> String {
    problems(layers).render()
}

#[test]
fn an_overlay_changes_adds_and_removes() {
    assert_eq!(told(&[tiny(), overlay()]), "");
    let mut found = Vec::new();
    let pack = LoadedPack::read(&[tiny(), overlay()], &mut found);
    let (rb, declared) = compile(&pack, &[], &mut Asks::default()).map_err(|r| r.render()).unwrap();
    assert_eq!(rb.piece(rb.piece_named("Scout").unwrap()).attributes[0], Some(5));
    assert!(declared.sets.contains_key("scouts"));
    assert_eq!(rb.title(), "house");
    let all = pack.layers.resolve(Some("tables/fire/rows/2..4")).unwrap();
    assert_eq!(
        all[0].to_string(),
        "tables/fire/rows/2..4/0 = 1  // house house/changes.ron:2:64\n    was 0  // tiny tables.ron:9:22"
    );
    let error = pack.layers.resolve(Some("tables/fier/rows")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the path `tables/fier/rows` leads nowhere: there is no `fier`; did you mean `fire`?"
    );
    let everything = pack.layers.resolve(None).unwrap();
    assert!(everything.len() > 150 && everything.iter().any(|o| o.layer == "house"));
}

#[test]
fn an_overlay_that_does_not_fit_is_told_why() {
    let changes = |text: &str| told(&[tiny(), layer("house", &[("changes.ron", text)])]);
    let mut all = String::new();
    for text in [
        "[Set(path: \"tables/fier/roll\", to: \"1d8\")]",
        "[Set(path: \"tabels/fire/roll\", to: \"1d8\")]",
        "[Set(path: \"tables/fire/rows/2..4/7\", to: 1)]",
        "[Set(path: \"tables/fire/roll\", expect: \"1d8\", to: \"1d10\")]",
        "[Set(path: \"pack/title\", to: \"Other\")]",
        "[Insert(path: \"tables/fire/roll\", value: \"1d6\")]",
        "[Insert(path: \"pieces/kinds\", value: \"guns\", before: \"mules\")]",
        "[Remove(path: \"pieces/pieces/Scuot\")]",
        "[SwitchOff(rule: \"tiny:2.9\")]",
        "[Sett(path: \"tables/fire/roll\", to: \"1d6\")]",
        "[Set(path: \"tables/fire/roll\", expect: \"1d6\", to: \"1d8\"),\n Set(path: \"tables/fire/roll\", expect: \"1d8\", to: \"1d10\")]",
        "[Insert(path: \"pieces/kinds/9\", value: \"guns\")]",
        "[Set(path: \"pieces/pieces/Scout/attributes/strength\", to: \"five\")]",
    ] {
        all += &format!("==== {text}\n{}", changes(text));
    }
    let again =
        layer("house", &[("tables.ron", "{ \"fire\": (rows: { \"a\": 1 }, source: Derived(\"x\")) }")]);
    all += &format!("==== the same table again\n{}", told(&[tiny(), again]));
    let first = "[Set(path: \"tables/fire/roll\", to: \"1d6\")]";
    let second = "[Set(path: \"tables/fire/roll\", to: \"1d8\")]";
    let (a, b) = (layer("a", &[("changes.ron", first)]), layer("b", &[("changes.ron", second)]));
    all += &format!("==== two layers change the same\n{}", told(&[tiny(), a.clone(), b]));
    let removed = layer("c", &[("changes.ron", "[Remove(path: \"tables/fire\")]")]);
    all += &format!("==== one layer removes what another changed\n{}", told(&[tiny(), a, removed]));
    let under = layer("d", &[("changes.ron", "[Set(path: \"scenarios/meeting/options\", to: [])]")]);
    let removed = layer("e", &[("changes.ron", "[Remove(path: \"scenarios/meeting/options\")]")]);
    all += &format!("==== one layer changes what another removed\n{}", told(&[tiny(), removed, under]));
    let mut loose = layer("loose", &[]);
    let text = String::from_utf8(loose.files["pack.ron"].clone()).unwrap();
    loose.files.insert("pack.ron".to_owned(), text.replace(", extends: \"tiny\"", "").into_bytes());
    all += &format!("==== a layer that extends nothing\n{}", told(&[tiny(), loose]));
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("layers", all);
    });
}

#[test]
fn a_later_layer_may_change_again_what_it_knows() {
    let first = "[Set(path: \"tables/fire/rows/..1\", expect: [0, 0, 1], to: [0, 0, 2])]";
    let second = "[Set(path: \"tables/fire/rows/..1\", expect: [0, 0, 2], to: [0, 0, 3])]";
    let (a, b) = (layer("a", &[("changes.ron", first)]), layer("b", &[("changes.ron", second)]));
    assert_eq!(told(&[tiny(), a.clone(), b.clone()]), "");
    // In the other order the second does not find what it expects.
    assert!(told(&[tiny(), b, a]).contains("is not what this change expects"));
}

#[test]
fn the_hash_covers_all_layers() {
    let hash = |layers: &[Files]| LoadedPack::read(layers, &mut Vec::new()).rules_hash;
    assert_ne!(hash(&[tiny()]), hash(&[tiny(), overlay()]));
    assert_eq!(hash(&[tiny(), overlay()]), hash(&[tiny(), overlay()]));
}

fn contract() -> Contract {
    let list = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    Contract {
        module: "march".to_owned(),
        version: "1.3.0".to_owned(),
        attributes: list(&["strength", "vetran"]),
        tables: list(&["fire", "morale"]),
        phases: list(&["movement", "combat"]),
        points: list(&["march.cost"]),
        ..Contract::default()
    }
}

#[test]
fn a_module_says_what_it_needs() {
    let modules = |range: &str| {
        let mut files = tiny();
        let text = String::from_utf8(files.files["pack.ron"].clone()).unwrap();
        let text = text
            .replace("    rulebooks", &format!("    modules: {{ \"march\": \"{range}\" }},\n    rulebooks"));
        files.files.insert("pack.ron".to_owned(), text.into_bytes());
        let mut found = Vec::new();
        let pack = LoadedPack::read(&[files], &mut found);
        let contracts = [contract()];
        let around = Surroundings { contracts: &contracts, ..Surroundings::default() };
        found.extend(check(&pack, &around));
        pack.report(found).render()
    };
    let all = format!("==== what is missing\n{}==== another version\n{}", modules("1.2"), modules("2"));
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("contracts", all);
    });
}

#[test]
fn a_pack_is_opened_with_what_it_stands_on() {
    let folder = tempfile::tempdir().unwrap();
    for files in [tiny(), overlay()] {
        let own = folder.path().join(if files.shown.is_empty() { "tiny" } else { "house" });
        for (path, bytes) in &files.files {
            let file = own.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
    }
    let find = |id: &str| Some(folder.path().join(id));
    let top = folder.path().join("house");
    let mut found = Vec::new();
    let pack = LoadedPack::open(&top, &[], &find, &mut found).unwrap();
    assert_eq!((pack.layers.layers.len(), found.len()), (2, 0));
    let error = LoadedPack::open(&top, &[], &|_| None, &mut found).unwrap_err();
    let text = error.render_short();
    assert!(text.contains("house/pack.ron:"), "{text}");
    assert!(text.contains("extends `tiny`, and there is no such pack"), "{text}");
    let round = |_: &str| Some(top.clone());
    let error = LoadedPack::open(&top, &[], &round, &mut found).unwrap_err();
    assert_eq!(error.diagnostics[0].code, adjutant_pack::BAD_EXTENDS);
    // Of a ring the whole way is told, from where it was begun.
    let manifest = std::fs::read_to_string(folder.path().join("tiny/pack.ron")).unwrap();
    let ring = manifest.replacen("id: \"tiny\"", "extends: \"house\", id: \"tiny\"", 1);
    std::fs::write(folder.path().join("tiny/pack.ron"), ring).unwrap();
    let text = LoadedPack::open(&top, &[], &find, &mut found).unwrap_err().render_short();
    assert!(text.contains("tiny/pack.ron:3:") && text.contains("extends `tiny` extends `"), "{text}");
    let statements = pack.layers.provenance();
    assert!(statements.iter().any(|s| s.path == "tables/odds" && s.kind == "Derived"));
    assert!(statements.iter().any(|s| s.path == "pieces/pieces/Works" && s.text == "as many as fit"));
}
