//! Packs in the facade: found, checked with all problems at once, played, saved, verified, told in words.
#![allow(clippy::expect_used)] // helpers of tests

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant::kernel::flow::{Flow, Halt, ProcRef, Procedure};
use adjutant::kernel::knowledge::Seen;
use adjutant::kernel::locals::Locals;
use adjutant::kernel::view::{ShownAction, ShownTarget};
use adjutant::kernel::{Action, Cx, Offers, Refused, RulebookBuilder, SeatId, SideId, WordId};
use adjutant::packs::{Contract, Declared, Diagnostic, MakeFrame, Procedures};
use adjutant::verify::{Plan, verify};
use adjutant::{
    FindRules as _, Game, Incompatible, Library, Modules, NativeModule, Pack, Random, Save, Setup, Sim,
    StartError,
};

fn packs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packs")
}

fn library() -> Library {
    Library::open(packs()).unwrap_or_else(|report| panic!("{}", report.render()))
}

fn ford() -> Pack {
    library().pack("ford").unwrap_or_else(|report| panic!("{}", report.render()))
}

fn overlays() -> Vec<PathBuf> {
    vec![packs().join("ford-heights")]
}

fn setup(scenario: &str, seed: u64) -> Setup {
    Setup { scenario: Some(scenario.to_owned()), seed, ..Setup::default() }
}

/// Plays at random until the game ends.
fn play(game: &mut Game, seed: u64, most: usize) {
    let mut random = Random::new(seed);
    for _ in 0..most {
        let seats: Vec<SeatId> = game.rulebook().seat_ids().collect();
        let Some((seat, offers)) =
            seats.into_iter().map(|s| (s, game.offers(s))).find(|(_, offers)| !offers.is_empty())
        else {
            return;
        };
        let action = random.pick(&offers).expect("there is one");
        game.act(seat, None, action).expect("what is offered is accepted");
    }
}

fn march(game: &mut Game, seat: SeatId, piece: &str, to: &str) -> ShownAction {
    let view = game.view(seat);
    let mut bodies = view.position.places.values().flat_map(|place| &place.bodies);
    let body = bodies.find(|b| b.piece.as_deref() == Some(piece)).expect("it stands somewhere");
    let targets = vec![ShownTarget::Body(body.handle.clone()), ShownTarget::Place(to.to_owned())];
    ShownAction { verb: "march".to_owned(), targets }
}

#[test]
fn a_library_finds_packs_by_their_ids() {
    let library = library();
    let ids: Vec<&str> = library.packs().map(|(id, _)| id).collect();
    assert!(ids.contains(&"ford") && ids.contains(&"ford-heights"), "{ids:?}");
    let missing = library.pack("fort").expect_err("there is no such pack").render_short();
    assert!(missing.contains("did you mean `ford`"), "{missing}");
    assert!(Library::open(packs().join("nowhere")).is_err());
    let twice = tempfile::tempdir().expect("a folder");
    for name in ["a", "b/c"] {
        copy(&packs().join("ford"), &twice.path().join(name));
    }
    let report = Library::open(twice.path()).expect_err("two have the same id").render_short();
    assert!(report.contains("has the id `ford`"), "{report}");
}

#[test]
fn an_overlay_finds_its_title_beside_it_and_a_pack_says_what_it_is_made_of() {
    let pack = Pack::open(packs().join("ford-heights")).unwrap_or_else(|r| panic!("{}", r.render()));
    assert_eq!((pack.id(), pack.rules().stamp().expect("it is of a pack").layers.len()), ("ford-heights", 2));
    let pack = ford();
    assert_eq!(pack.warnings().render(), "");
    assert!(pack.ledger().get("ford:3.2").is_some());
    assert!(pack.provenance().iter().any(|s| s.path == "boards/map" && s.text == "map"));
    assert_ne!(pack.rules_hash(), pack.full_hash());
    let origin = &pack.resolve(Some("tables/fight/roll")).expect("it is there")[0];
    assert!(origin.to_string().contains("tables.ron"), "{origin}");
}

#[test]
fn scripts_and_data_are_played_to_the_end_and_verified() {
    let pack = ford();
    for (scenario, seed) in [("crossing", 1), ("last-light", 2)] {
        let mut game = Game::start(&pack, setup(scenario, seed)).expect("it begins");
        play(&mut game, seed, 500);
        assert!(game.ended(), "{scenario}: {:?}", game.faults().collect::<Vec<_>>());
        let mut sim = Sim::set_up(&pack, &setup(scenario, seed)).expect("it begins");
        let mut random = Random::new(seed);
        while sim.random_step(&mut random).expect("no fault") {}
        assert!(sim.state().outcome().is_some());
    }
    let done = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&done);
    let progress: adjutant::verify::Progress = Arc::new(move |n| {
        seen.fetch_max(n, Ordering::Relaxed);
    });
    let report = verify(&pack, &Plan { games: 8, threads: 2, progress: Some(progress), ..Plan::default() });
    assert!(report.passed(), "{report}");
    assert_eq!(done.load(Ordering::Relaxed), 8);
    let one = Plan { games: 2, scenario: Some("last-light".to_owned()), ..Plan::default() };
    // Red alone decides in this scenario; in the other blue begins.
    assert!(verify(&pack, &one).counts.decisions < report.counts.decisions / 4);
    assert!(report.counts.releases.contains_key("ford:3.2"), "{report}");
}

#[test]
fn options_of_a_scenario_may_be_switched_off_and_unknown_ones_are_refused() {
    let pack = ford();
    let rain = |setup: Setup| {
        let game = Game::start(&pack, setup).expect("it begins");
        game.state().named(game.rulebook()).options
    };
    assert_eq!(rain(setup("last-light", 1)), ["rain"]);
    assert!(rain(Setup { without: vec!["rain".into()], ..setup("last-light", 1) }).is_empty());
    assert_eq!(rain(Setup { options: vec!["rain".into()], ..Setup::default() }), ["rain"]);
    let wrong = Game::start(&pack, setup("crossin", 1)).expect_err("there is none");
    assert_eq!(wrong.to_string(), "there is no scenario `crossin`; did you mean `crossing`?");
}

#[test]
fn options_that_exclude_one_another_are_refused_and_never_verified_together() {
    let folder = changed("ford", |folder| {
        let options = "( options: { \"rain\": (rules: [\"ford:5\"]), \
             \"flood\": (rules: [\"ford:5\"], needs: [\"rain\"]), \
             \"drought\": (rules: [\"ford:5\"], excludes: [\"rain\"]) } )";
        fs::write(folder.join("options.ron"), options).expect("it is written");
        append(folder, "text/en.ftl", "\noption-flood = Flood\noption-drought = Drought\n");
    });
    let pack = Pack::open(folder.path()).unwrap_or_else(|r| panic!("{}", r.render()));
    let start = |on: &[&str]| {
        let options = on.iter().map(|o| (*o).to_owned()).collect();
        Game::start(&pack, Setup { options, ..Setup::default() })
    };
    assert!(start(&["rain", "flood"]).is_ok() && start(&["drought"]).is_ok());
    for (on, text) in
        [(["flood", "drought"], "`flood` needs `rain`"), (["drought", "rain"], "excludes `rain`")]
    {
        match start(&on) {
            Err(StartError::Options { text: found }) => assert!(found.contains(text), "{found}"),
            other => panic!("{on:?}: {other:?}"),
        }
    }
    let report = verify(&pack, &Plan { games: 16, points: 0, pairs: 0, ..Plan::default() });
    assert!(report.passed(), "{report}");
}

#[test]
fn all_problems_come_at_once_with_their_lines() {
    let folder = changed("ford", |folder| {
        replace(folder, "scripts/dusk.luau", "local ford, winner", "local n += 1 ford, winner");
        replace(folder, "scenarios/crossing.ron", "\"Rifles\"", "\"Riffles\"");
    });
    let report = Pack::open(folder.path()).expect_err("it is wrong").render();
    assert!(report.contains("unknown piece `Riffles`") || report.contains("Riffles"), "{report}");
    assert!(report.contains("scripts/dusk.luau:5") && report.contains("local n += 1 ford"), "{report}");

    // What scripts name is looked up when they are declared.
    let folder = changed("ford", |folder| {
        replace(folder, "scripts/march.luau", "rules.permit(\"may_enter\"", "rules.permit(\"may_entre\"");
    });
    let report = Pack::open(folder.path()).expect_err("it is wrong").render();
    assert!(report.contains("there is no point `may_entre`; did you mean `may_enter`?"), "{report}");
    assert!(report.contains("scripts/march.luau:14"), "{report}");

    let folder = changed("ford", |folder| {
        replace(folder, "sequence.ron", "Phase(name: \"dusk\")", "Phase(name: \"dusk\", run: \"march\")");
    });
    let report = Pack::open(folder.path()).expect_err("it is wrong").render();
    assert!(report.contains("where it is nobody's turn: its local `side`"), "{report}");
}

#[test]
fn packs_that_are_required_must_be_there() {
    let needs = |what: &str| {
        let folder = changed("ford-heights", |folder| {
            replace(folder, "pack.ron", "extends:", &format!("requires: {{ {what} }},\n    extends:"));
        });
        library().open_pack(folder.path(), &[])
    };
    assert!(needs("\"ford\": \"1\"").is_ok());
    let missing = needs("\"fort\": \"1\"").expect_err("there is none").render();
    assert!(missing.contains("needs the pack `fort`, and there is none"), "{missing}");
    let newer = needs("\"ford\": \"1.1\"").expect_err("it is older").render();
    assert!(newer.contains("needs version 1.1 of the pack `ford`; there is 1.0.0"), "{newer}");
}

#[test]
fn a_save_states_its_rules_and_others_are_refused_by_name() {
    let pack = library().pack_with("ford", &overlays()).unwrap_or_else(|r| panic!("{}", r.render()));
    let mut game = Game::start(&pack, setup("crossing", 3)).expect("it begins");
    play(&mut game, 3, 8);
    let save = Save::from_json(&game.save().to_json()).expect("it can be read");
    let stamp = save.pack.clone().expect("it names its pack");
    assert_eq!(stamp.pack, "ford");
    assert_eq!(stamp.layers.iter().map(|l| l.id.as_str()).collect::<Vec<_>>(), ["ford", "ford-heights"]);
    // The library finds the pack and the overlay by what the save says.
    let loaded = Game::load(&library(), &save).expect("it loads");
    assert_eq!(loaded.digest(), game.digest());
    let refused = |result: Result<Game, Incompatible>| match result {
        Err(Incompatible::Rules(differs)) => differs.join("; "),
        other => panic!("{other:?}"),
    };
    let plain = refused(Game::load(&ford(), &save));
    assert_eq!(plain, "`ford-heights` 0.1.0 is not there");
    let folder = changed("ford", |folder| replace(folder, "tables.ron", "\"1..2\"", "\"..2\""));
    let edited = Pack::open_with(folder.path(), &overlays()).unwrap_or_else(|r| panic!("{}", r.render()));
    let text = refused(Game::load(&edited, &save));
    assert!(text.contains("`ford` is version 1.0.0 with fingerprint"), "{text}");
    // The change does not touch what was played, so that the game can go on by it.
    assert!(Game::check_save(&edited, &save).is_ok());
    let upgraded = Game::upgrade(&edited, &save).expect("it can be played");
    assert_eq!(upgraded.digest(), game.digest());
    assert_ne!(upgraded.save().pack, Some(stamp.clone()));
    let mut other = save.clone();
    other.engine = "0.0.1".to_owned();
    assert!(refused(Game::load(&library(), &other)).contains("the save has 0.0.1"));
    let mut native = save.clone();
    native.pack = None;
    assert!(refused(Game::load(&pack, &native)).contains("the save is of no pack"));
    assert!(matches!(library().find_rules(&native), Err(Incompatible::Pack(_))));
    let mut lost = save;
    if let Some(stamp) = &mut lost.pack {
        stamp.layers[1].id = "ford-depths".to_owned();
    }
    assert!(
        matches!(Game::load(&library(), &lost), Err(Incompatible::Pack(text)) if text.contains("ford-depths"))
    );
}

#[test]
fn the_umpire_skips_a_script_that_fails() {
    let folder = changed("ford", |folder| {
        append(
            folder,
            "scripts/march.luau",
            "rules.permit('may_enter', 'ford:5', {}, function(g, unit, space)
                return if g.turn == 1 then nil else nil + 1
            end)\n",
        );
    });
    let pack = Pack::open(folder.path()).unwrap_or_else(|r| panic!("{}", r.render()));
    let mut game = Game::start(&pack, setup("crossing", 1)).expect("it begins");
    let rest = ShownAction { verb: "rest".to_owned(), targets: Vec::new() };
    game.act(SeatId(0), None, &rest).expect("it may");
    let before = game.digest();
    let refused = game.act(SeatId(1), None, &rest).expect_err("the script fails in turn 2");
    assert_eq!((refused, game.digest()), (Refused::Fault(1), before));
    let fault = game.fault(Some(SeatId(1)), 1).expect("it is noted").to_string();
    assert!(fault.contains("scripts/march.luau:") && fault.contains("(ford:5)"), "{fault}");
    game.skip("ford:5").expect("there is such a rule");
    game.act(SeatId(1), None, &rest).expect("it is left out now");
    play(&mut game, 1, 500);
    assert!(game.ended(), "{:?}", game.faults().collect::<Vec<_>>());
    let again = Game::load(&pack, &game.save()).expect("the journal has it");
    assert_eq!(again.digest(), game.digest());
}

#[test]
fn events_prompts_and_refusals_are_said_in_words() {
    let pack = ford();
    let (text, plain) = (pack.text("en"), adjutant::text::Text::default());
    let mut game = Game::start(&pack, setup("crossing", 1)).expect("it begins");
    let blue = SeatId(0);
    let prompt = game.view(blue).position.prompt.expect("it is asked");
    assert_eq!(text.prompt(&prompt), "March with a piece, or rest");
    assert_eq!(plain.prompt("march_on"), "march on");
    let hussars = march(&mut game, blue, "Hussars", "Hill");
    let refused = game.explain(blue, &hussars).expect("horse stays off heights");
    assert_eq!(refused, Refused::Rule { rule: "ford:3.1".into() });
    assert_eq!(text.refused(&refused), "forbidden by ford:3.1: Horse stays off heights.");
    let to_ford = march(&mut game, blue, "Rifles", "Ford");
    assert!(text.action(&to_ford).ends_with(" marches to Ford"), "{}", text.action(&to_ford));
    assert_eq!(text.action_in(&to_ford, &game.view(blue).position), "Rifles marches to Ford");
    assert_eq!(plain.action_in(&to_ford, &game.view(blue).position), "march Rifles Ford");
    game.act(blue, None, &to_ford).expect("it may");
    let rest = ShownAction { verb: "rest".to_owned(), targets: Vec::new() };
    assert_eq!(text.action(&rest), "rest");
    game.act(blue, None, &rest).expect("it may");
    let red = SeatId(1);
    let militia = march(&mut game, red, "Militia", "Ford");
    let shown = game.act(red, None, &militia).expect("not known to be forbidden");
    let lines: Vec<String> = shown.iter().map(|event| text.event(event)).collect();
    assert!(lines.iter().any(|l| l.ends_with("holds back (ford:3.2)")), "{lines:?}");
    // What was told is known from now on.
    let other = march(&mut game, red, "Guards", "Ford");
    assert_eq!(game.explain(red, &other), None);
    assert_eq!(game.explain(red, &militia), Some(Refused::Rule { rule: "ford:2".into() }));
    let phase = game.log(red).iter().flatten().find(|e| e.event == "phase").expect("a phase began");
    assert_eq!(text.event(phase), "Blue: March");
}

/// A native module with one procedure, `act`, that asks who is done.
struct Native {
    version: &'static str,
}

#[derive(Locals)]
struct Asking {
    side: Option<SideId>,
}

impl Procedure for Asking {
    type Module = WordId;

    fn run(&mut self, prompt: &WordId, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(SeatId(self.side.map_or(0, |s| s.0)), *prompt))
    }

    fn offers(&self, prompt: &WordId, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        out.add(Action::new(*prompt));
    }

    fn act(&mut self, _: &WordId, _: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
        Ok(Flow::Done)
    }
}

#[derive(Default)]
struct Asks(Option<ProcRef<Asking>>);

impl Procedures for Asks {
    fn names(&self) -> Vec<String> {
        vec!["pause".to_owned()]
    }

    fn declare(&mut self, builder: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
        let prompt = builder.word("pause");
        let proc = builder.proc::<Asking>("pause");
        builder.define(proc, &Arc::new(prompt));
        self.0 = Some(proc);
        Ok(())
    }

    fn find(&self, name: &str, _: bool) -> Result<MakeFrame, String> {
        let proc = self.0.filter(|_| name == "pause").ok_or("it is not declared")?;
        Ok(Arc::new(move |side| proc.with(Asking { side })))
    }
}

impl NativeModule for Native {
    fn contract(&self) -> Contract {
        let (module, version) = ("pauses".to_owned(), self.version.to_owned());
        Contract { module, version, tables: vec!["fight".to_owned()], ..Contract::default() }
    }

    fn procedures(&self) -> Box<dyn Procedures> {
        Box::<Asks>::default()
    }
}

#[test]
fn a_base_is_checked_as_far_as_it_goes_and_is_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = r#"Pack(id: "base", title: "Base", version: "1.0.0", format: 1, api: 1, authors: ["A"],
        licence: "MIT", base: true, rulebooks: { "b": "B" })"#;
    fs::write(folder.path().join("pack.ron"), manifest).expect("it is written");
    let codes = || -> Vec<String> {
        let report = Pack::open(folder.path()).expect_err("it is no game");
        report.diagnostics.iter().map(|d| d.code.to_string()).collect()
    };
    assert_eq!(codes(), [adjutant::BASE_PACK]); // neither board, sides nor scenario are asked for
    fs::write(folder.path().join("options.ron"), r#"(options: { "rain": (rules: ["c:1"]) })"#)
        .expect("it is written");
    assert_eq!(codes(), ["bad-rule"]); // what is there is looked at
}

#[test]
fn packs_play_by_native_modules_and_scripts_side_by_side() {
    let folder = changed("ford", |folder| {
        replace(folder, "pack.ron", "about:", "modules: { \"pauses\": \"1.1\" },\n    about:");
        let both = "Phase(name: \"march\"), Phase(name: \"pause\")";
        replace(folder, "sequence.ron", "Phase(name: \"march\")", both);
        append(folder, "text/en.ftl", "\nphase-pause = Pause\n");
    });
    let open = |modules: Modules| Library::default().with_modules(modules).open_pack(folder.path(), &[]);
    let none = open(Modules::default()).expect_err("there is no such module").render_short();
    assert!(none.contains("there is no module `pauses`"), "{none}");
    let old = open(Modules::default().with(Native { version: "1.0.3" })).expect_err("it is too old");
    assert!(old.render_short().contains("this is 1.0.3"), "{}", old.render_short());
    let pack = open(Modules::default().with(Native { version: "1.2.0" }))
        .unwrap_or_else(|r| panic!("{}", r.render()));
    let mut game = Game::start(&pack, setup("crossing", 5)).expect("it begins");
    play(&mut game, 5, 500);
    assert!(game.ended());
    assert!(game.journal().iter().any(|e| format!("{e:?}").contains("\"pause\"")));
    let mut save = game.save();
    assert!(Game::load(&pack, &save).is_ok());
    if let Some(stamp) = &mut save.pack {
        stamp.modules.insert("pauses".to_owned(), "1.1.0".to_owned());
    }
    let refused = Game::load(&pack, &save).expect_err("another version").to_string();
    assert!(refused.contains("the module `pauses` is version 1.2.0; the save has 1.1.0"), "{refused}");
}

/// A copy of a pack with changes.
fn changed(pack: &str, change: impl FnOnce(&Path)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&packs().join(pack), folder.path());
    change(folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

fn replace(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "{file} has `{from}`");
    fs::write(path, text.replacen(from, to, 1)).expect("it is written");
}

fn append(folder: &Path, file: &str, more: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(path, text + more).expect("it is written");
}

#[test]
fn a_replay_says_which_options_were_on() {
    let pack = library().pack("ford").unwrap();
    let on = |setup: Setup| {
        let game = Game::start(&pack, Setup { scenario: Some("last-light".into()), ..setup })?;
        let seat = game.rulebook().seat_ids().next().unwrap();
        Ok::<_, adjutant::StartError>(game.replay(seat).options)
    };
    let rain = || vec!["rain".to_owned()];
    assert_eq!(on(Setup::default()).unwrap(), ["rain"], "the scenario has it");
    assert!(on(Setup { without: rain(), ..Setup::default() }).unwrap().is_empty());
    let both = on(Setup { options: rain(), without: rain(), ..Setup::default() }).unwrap_err().to_string();
    assert!(both.contains("option `rain` is asked for, and switched off too"), "{both}");
}
