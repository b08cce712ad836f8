//! Parts of the model that the tiny pack has no use for, each put into it by an overlay.

use adjutant_kernel::board::Provenance;
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::knowledge::{About, Sampling};
use adjutant_kernel::*;
use adjutant_pack::{Files, LoadedPack, compile};

use crate::common::{Asks, problems, tiny};

fn layer(changes: &str) -> Files {
    let manifest = "(id: \"more\", title: \"more\", version: \"1.0.0\", format: 1, api: 1, authors: [], \
                    licence: \"MIT\", extends: \"tiny\")";
    let files = [("pack.ron", manifest), ("changes.ron", changes)];
    Files::new("more", files.map(|(path, text)| (path.to_owned(), text.to_owned())))
}

/// The errors and warnings of the tiny pack so changed, without what only says that something is not used.
fn told(changes: &str) -> Vec<String> {
    let report = problems(&[tiny(), layer(changes)]);
    let all = report.diagnostics.iter().filter(|p| p.code != "unused");
    all.map(|p| format!("{}: {}", p.code, p.message)).collect()
}

fn rulebook(changes: &str) -> Rulebook {
    let mut found = Vec::new();
    let pack = LoadedPack::read(&[tiny(), layer(changes)], &mut found);
    let report = pack.report(found);
    assert!(!report.has_errors(), "{}", report.render());
    match compile(&pack, &[], &mut Asks::default()) {
        Ok((rulebook, _)) => rulebook,
        Err(report) => panic!("{}", report.render()),
    }
}

fn start(rb: &Rulebook) -> State {
    flow::start(rb, &mut Worker::new(), &mut Sink::off(), Key::from_seed(1), 0).unwrap()
}

const WATCH: &str =
    "[Insert(path: \"columns/watches\", value: [(column: \"turn\", least: 1, run: \"act\")])]";

#[test]
fn a_watch_takes_over_when_a_column_passes_its_bound() {
    let rb = rulebook(WATCH);
    // The scenario sets the turn to 1, and so the watch drops all that goes on.
    let state = start(&rb);
    assert_eq!(state.phase(), None);
    assert_eq!(start(&rulebook("[]")).phase(), rb.word_named("movement"));
    let none = "[Insert(path: \"columns/watches\", value: [(column: \"turn\", run: \"acts\")])]";
    assert_eq!(
        told(none),
        ["bad-column: a watch has either `least` or `most`", "unknown-name: there is no procedure `acts`"]
    );
}

#[test]
fn samples_say_how_a_column_is_imagined() {
    let rb = rulebook(
        "[Insert(path: \"columns/columns/tired\", value: (of: Body, values: Int(0, 9), start: 3, class: Hidden, sample: [
            (set: \"strong\", not_in: [\"Pool\"], least: Is(7), most: Is(7)),
            (occupied: \"Ford\", set: \"horse\", least: Is(0), most: Column((name: \"turn\", times: 2, plus: -1))),
        ]))]",
    );
    let state = start(&rb);
    let column = rb.columns().iter().find(|c| c.name == "tired").unwrap();
    let sampler = column.sampler.clone().unwrap();
    let imagined = |name: &str, word: u64| {
        let holder = rb.piece_named(name).unwrap().0;
        sampler(&Sampling { read: Read::new(&rb, &state), holder, side: SideId(0), word })
    };
    assert_eq!(imagined("1st Foot", u64::MAX), 7);
    // In turn 1 it is 0 or 1.
    assert_eq!((imagined("Scout", 0), imagined("Scout", u64::MAX)), (0, 1));
    assert_eq!(imagined("2nd Foot", 5), 3);
    let wrong = "[Insert(path: \"columns/columns/tired\", value: (of: Side, values: Flag, class: Hidden, sample: [
        (set: \"horse\", choice: \"left\", side: \"green\", least: Is(0), most: Column((name: \"trun\", times: 1)))]))]";
    assert_eq!(
        told(wrong),
        [
            "bad-column: only columns of pieces and bodies are imagined by a set of pieces",
            "unknown-name: the column has no choice `left`",
            "unknown-name: there is no side `green`",
            "unknown-name: there is no column `trun`",
        ]
    );
}

#[test]
fn questions_ask_whether_a_place_is_taken_or_joined() {
    let rb = rulebook(
        "[Insert(path: \"knowledge/questions/red there\", value: (occupied: \"red\")),
        Insert(path: \"knowledge/questions/supplied\", value: (joined: (from: \"strong\", to: [\"Town\"], barred: \"horse\"))),
        Insert(path: \"knowledge/questions/by river\", value: (joined: (from: \"strong\", to: [\"Town\"], networks: [\"river\"]))),
        Insert(path: \"knowledge/questions/free\", value: (joined: (from: \"strong\", to: [\"Mill\"], barred: \"horse\"))),
        Insert(path: \"knowledge/questions/alone\", value: (caught: (pieces: \"horse\", by: \"horse\", without: \"strong\"))),
        Insert(path: \"knowledge/questions/nowhere\", value: (caught: (pieces: \"horse\", by: \"horse\", without: \"horse\")))]",
    );
    let state = start(&rb);
    let read = Read::new(&rb, &state);
    let ask = |name: &str, about: &About| read.answer(rb.question_named(name).unwrap(), about, &[]);
    let at = |name: &str| About::Place(rb.board().place_named(name).unwrap());
    assert_eq!((ask("red there", &at("Town")), ask("red there", &at("Hill"))), (1, 0));
    assert_eq!((ask("alone", &About::Nothing), ask("nowhere", &About::Nothing)), (2, 0));
    // Horse stands in the Ford and in the Town, and the river does not flow from the Hill.
    assert_eq!(ask("supplied", &About::Nothing), 0);
    assert_eq!(ask("by river", &About::Nothing), 0);
    assert_eq!(ask("free", &About::Nothing), 1);
    let wrong = "[Insert(path: \"knowledge/questions/both\", value: (any: \"horse\", occupied: \"green\")),
        Insert(path: \"knowledge/questions/none\", value: ()),
        Insert(path: \"knowledge/questions/met\", value: (caught: (pieces: \"horse\", by: \"foot\", without: \"strong\"))),
        Insert(path: \"knowledge/questions/way\", value: (joined: (from: \"hrose\", to: [\"Tow\"], networks: [\"rail\"])))]";
    assert_eq!(
        told(wrong),
        [
            "bad-question: the question `both` must ask one thing",
            "unknown-name: there is no side `green`",
            "bad-question: the question `none` must ask one thing",
            "unknown-name: there is no set of pieces `foot`",
            "unknown-name: there is no set of pieces `hrose`",
            "unknown-name: there is no space `Tow`",
            "unknown-name: there is no network `rail`",
        ]
    );
}

#[test]
fn a_scenario_begins_with_entries_of_relations() {
    let entries = "[Insert(path: \"scenarios/meeting/relations\", value: { \"ambush\": [
        { \"where\": \"Hill\", \"who\": \"red\" }, { \"where\": \"Ford\", \"who\": \"blue\" }] })]";
    let rb = rulebook(entries);
    let state = start(&rb);
    let ambush = rb.relation_named("ambush").unwrap();
    let fields: Vec<_> = Read::new(&rb, &state).records(ambush).map(|r| [r.fields[0], r.fields[1]]).collect();
    let space = |name| i32::from(rb.board().space_named(name).unwrap().0);
    assert_eq!(fields, [[space("Hill"), 1], [space("Ford"), 0]]);
    let wrong = "[Insert(path: \"scenarios/meeting/relations\", value: { \"ambsh\": [], \"ambush\": [
        { \"where\": \"Hil\", \"whom\": \"red\" }, { \"where\": 3, \"who\": \"red\" }] })]";
    assert_eq!(
        told(wrong),
        [
            "unknown-name: there is no relation `ambsh`",
            "bad-scenario: an entry of `ambush` lacks its field `who`",
            "bad-value: the field `where` takes a space",
            "unknown-field: the relation `ambush` has no field `whom`",
            "bad-value: the field `where` takes a space",
        ]
    );
}

#[test]
fn rows_may_be_odds() {
    let rb = rulebook(
        "[Insert(path: \"tables/ratios\", value: Table(
            rows_are: Ratios((first: Attacker, rounding: Nearest, zero: (attacker: Lowest, defender: Highest, both: Refuse))),
            rows: { \"1:2\": 1, \"1:1\": 2, \"2:1\": 3 },
            row_ends: (low: Clamp, high: Clamp),
            source: Printed(\"tiny:9\")))]",
    );
    let table = rb.table(rb.table_named("ratios").unwrap());
    let at = |attacker, defender| {
        let row = tables::Input::Pair { attacker, defender };
        table.look_up(&tables::Entry { row, ..tables::Entry::default() }).unwrap().result.number()
    };
    assert_eq!((at(1, 9), at(7, 4), at(8, 1), at(5, 0)), (Some(1), Some(3), Some(3), Some(3)));
}

#[test]
fn hexes_may_be_called_anything() {
    let rb = rulebook(
        "[Insert(path: \"boards/map/grid\", value: (orientation: FlatTop, shifted: Second, columns: 2, rows: 2,
            networks: [\"river\"], labels: [[\"Peak\", \"Vale\"], [\"Moor\", \"\"]])),
        Insert(path: \"boards/map/links/land\", value: (\"Hill\", \"Peak\")),
        Insert(path: \"boards/map/links/land\", value: (\"Peak\", \"Vale\")),
        Insert(path: \"boards/map/links/land\", value: (\"Peak\", \"Moor\"))]",
    );
    let board = rb.board();
    let hex = |name| board.space_named(name).unwrap();
    assert_eq!(board.distance(hex("Peak"), hex("Moor")), Some(1));
    assert_eq!((board.space_named(""), board.space_count()), (None, 7));
    assert_ne!(*board.provenance(), Provenance::printed("?"));
}

#[test]
fn a_change_says_what_it_expects() {
    let blind = "[Set(path: \"pieces/pieces/Scout/attributes/strength\", to: 5),
        Remove(path: \"scenarios/meeting/place/4\")]";
    assert_eq!(
        told(blind),
        [
            "no-expect: it is not said what `pieces/pieces/Scout/attributes/strength` was",
            "no-expect: it is not said what `scenarios/meeting/place/4` was",
        ]
    );
}

#[test]
fn switching_off_reaches_moments_and_levels() {
    let attached = |changes: &str| {
        let rb = rulebook(changes);
        let moment = rb.moment_named("turn ends").unwrap();
        let hill = rb.board().place_named("Hill").unwrap();
        let state = start(&rb);
        let seen = Read::new(&rb, &state).level(Viewer::Public, hill, None, Some(SideId(0))).0;
        (rb.attached(moment).count(), seen)
    };
    assert_eq!(attached("[]"), (1, rulebook::Level::Number));
    assert_eq!(attached("[SwitchOff(rule: \"tiny:5\")]").0, 0);
    assert_eq!(attached("[SwitchOff(rule: \"tiny:6\")]").1, rulebook::Level::Nothing);
}

#[test]
fn required_packs_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let pack = |id: &str, version: &str, requires: &str| {
        let at = folder.path().join(id);
        std::fs::create_dir_all(&at).unwrap();
        let manifest = format!(
            "(id: \"{id}\", title: \"{id}\", version: \"{version}\", format: 1, api: 1, authors: [], \
             licence: \"MIT\", requires: {{ {requires} }})"
        );
        std::fs::write(at.join("pack.ron"), manifest).unwrap();
        at
    };
    pack("maps", "1.4.0", "");
    let find = |id: &str| Some(folder.path().join(id)).filter(|p| p.is_dir());
    let said = |requires: &str| {
        let top = pack("game", "1.0.0", requires);
        let mut problems = Vec::new();
        LoadedPack::open(&top, &[], &find, &mut problems).unwrap();
        let bad = problems.iter().filter(|p| p.code == "bad-requires");
        bad.map(|p| p.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said("\"maps\": \"1.2\""), Vec::<String>::new());
    assert_eq!(said("\"maps\": \"2\""), ["requires `maps` 2, and there is 1.4.0"]);
    assert_eq!(said("\"charts\": \"1\""), ["requires `charts`, and there is no such pack"]);
}

#[test]
fn a_phase_may_be_for_one_side() {
    let rb = rulebook(
        "[Insert(path: \"sequence/0/items/0/items\", value: When(condition: Turn(\"red\"), items: [Phase(name: \"rest\", run: \"act\")]))]",
    );
    let (mut worker, mut sink) = (Worker::new(), Sink::off());
    let mut state = start(&rb);
    let mut turns = Vec::new();
    let done = Action::new(rb.word_named("done").unwrap());
    while let Some((seat, _)) = flow::pick_asked(&state, &mut |_| 0) {
        if rb.word(state.phase().unwrap()) == "rest" {
            turns.push(rb.seat(seat).name.clone());
        }
        if flow::act(&rb, &mut worker, &mut sink, &mut state, seat, &done).is_err() {
            break;
        }
    }
    assert!(turns.len() >= 3 && turns.iter().all(|t| t == "red"), "{turns:?}");
}

#[test]
fn hideouts_keep_what_cannot_be_out() {
    let rb = rulebook(
        "[Insert(path: \"knowledge/hideouts\", value: [(set: \"horse\", places: [\"Hill\", \"Mill\", \"Ford\"], alone: true,
            never_all: [[\"Hill\", \"Mill\"]])])]",
    );
    let state = start(&rb);
    let fits = &rb.hideouts()[0].fits;
    let body = |name: &str| BodyId(rb.piece_named(name).unwrap().0);
    // The scout stands alone in the Ford; the foot on the Hill does not.
    assert!(fits(Read::new(&rb, &state), body("Scout")));
    assert!(!fits(Read::new(&rb, &state), body("1st Foot")));
    let wrong = "[Insert(path: \"knowledge/hideouts\", value: [(set: \"hrose\", places: [\"Hil\"])])]";
    assert_eq!(
        told(wrong),
        ["unknown-name: there is no set of pieces `hrose`", "unknown-name: there is no place `Hil`"]
    );
}

/// The warnings about texts of the tiny pack with more texts and another script.
fn texts(more: &str, script: &str) -> Vec<String> {
    let mut files = tiny();
    let english = files.files.get_mut("text/en.ftl").unwrap();
    english.extend_from_slice(more.as_bytes());
    files.files.insert("scripts/more.luau".to_owned(), script.as_bytes().to_vec());
    let report = problems(&[files]);
    let all = report.diagnostics.iter().filter(|p| p.code.ends_with("-text"));
    all.map(|p| format!("{}: {}", p.code, p.message)).collect()
}

#[test]
fn texts_of_pieces_prompts_and_events_are_all_there_or_none() {
    let script =
        "x = ask { prompt = \"choose_one\" } g:story(\"over\") g:publish(\"orders\", \"tiny:1\", {})";
    assert_eq!(texts("", script), Vec::<String>::new());
    let pieces = "piece-1st-foot = The First\npiece-2nd-foot = The Second\npiece-raider = Raider\n\
                  piece-scout = Scout\npiece-wroks = Works\n";
    assert_eq!(
        texts(pieces, script),
        [
            "missing-text: there is no text `piece-works` in `text/en.ftl`",
            "unused-text: nothing uses the text `piece-wroks`",
        ]
    );
    let told = "event-over = It is over\nprompt-choose-one = Choose\nprompt-choose-two = Choose two\n";
    assert_eq!(
        texts(told, script),
        [
            "missing-text: there is no text `event-orders` in `text/en.ftl`",
            "unused-text: nothing uses the text `prompt-choose-two`",
        ]
    );
    // What the kernel tells in every title, and what a script may tell whose event has a computed name.
    let draw = "event-over = It is over\nevent-orders = Orders\nevent-draw = A die\n";
    assert_eq!(texts(draw, script), Vec::<String>::new());
    let verbs = format!("{draw}event-sail = It sails\nevent-row = It rows\n");
    let unused =
        ["unused-text: nothing uses the text `event-sail`", "unused-text: nothing uses the text `event-row`"];
    assert_eq!(texts(&verbs, script), unused);
    let computed = format!("{script} tell(g, \"sail\") local function tell(g, what) g:story(what) end");
    assert_eq!(texts(&verbs, &computed), unused[1..]);
}

#[test]
fn open_behind_a_row_that_matches_everywhere_is_a_warning() {
    let open = "Insert(path: \"knowledge/open\", value: \"tiny:6\")";
    assert_eq!(told(&format!("[{open}]")), [""; 0], "it may be meant for what no row is about");
    let row =
        "Insert(path: \"knowledge/levels\", value: (onlooker: Others, level: Number, rule: \"tiny:6\"))";
    let found = told(&format!("[{row}, {open}]"));
    assert!(found.len() == 1 && found[0].starts_with("idle: `open` changes nothing"), "{found:?}");
}

/// The tiny board, its borders and links found by what they join.
const PARTS: &str = "[
    Set(path: \"boards/map/borders/Hill|Mill\", expect: (a: \"Hill\", b: \"Mill\", features: [\"stream\"]),
        to: (a: \"Hill\", b: \"Mill\", features: [\"stream\"], source: Printed(\"sheet 2\"))),
    Set(path: \"boards/map/links/land/Hill-Mill\", expect: (\"Hill\", \"Mill\"),
        to: (from: \"Hill\", to: \"Mill\", source: Derived(\"a lane is spoken of\"))),
    Insert(path: \"boards/map/features/port/sources\", value: { \"Town\": Printed(\"sheet 3\") }),
    Insert(path: \"boards/map/drawing\", value: (
        size: (40, 30),
        outlines: { \"Hill\": [(0, 0), (9, 0), (4, 8)] },
        lines: [(kind: \"river\", name: \"Till\", points: [(0, 9), (40, 9)])],
        marks: { \"Hill|Mill\": (9, 9), \"Ford\": (3, 4), \"Mill-Town (river)\": (20, 9) },
    ))]";

#[test]
fn parts_of_a_board_say_where_they_come_from() {
    let rb = rulebook(PARTS);
    let from = |wanted: &str| {
        let found = rb.board().sources().find(|(what, _)| what.contains(wanted));
        found.map(|(_, source)| source.to_string())
    };
    assert_eq!(from("border \"Hill|Mill\"").as_deref(), Some("printed: sheet 2"));
    assert_eq!(from("link \"Hill-Mill\"").as_deref(), Some("derived: a lane is spoken of"));
    assert_eq!(from("feature \"port\" on \"Town\"").as_deref(), Some("printed: sheet 3"));
    let elsewhere =
        "[Insert(path: \"boards/map/features/port/sources\", value: { \"Hill\": Printed(\"sheet 3\") })]";
    assert_eq!(told(elsewhere), ["unknown-name: a source of the feature `port` on `Hill`, where it is not"]);
}

#[test]
fn what_is_drawn_is_there() {
    assert_eq!(told(PARTS), Vec::<String>::new());
    let slips =
        PARTS.replace("outlines: { \"Hill\"", "outlines: { \"Hull\"").replace("\"Ford\": (3", "\"Fort\": (3");
    assert_eq!(
        told(&slips),
        ["unknown-name: there is no space `Hull`", "unknown-name: there is no place, link or border `Fort`"]
    );
}
