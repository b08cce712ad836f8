//! The battery: a name, and what is changed.

use super::Change::{self, Bytes, File, Patch, Without};

pub(crate) type Case = (&'static str, Vec<Change>);

pub(crate) fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    all.extend(syntax());
    all.extend(shapes());
    all.extend(manifest_and_sides());
    all.extend(board());
    all.extend(pieces_and_columns());
    all.extend(tables());
    all.extend(play());
    all.extend(scenarios_and_texts());
    all
}

fn one(name: &'static str, change: Change) -> Case {
    (name, vec![change])
}

fn syntax() -> Vec<Case> {
    vec![
        one("empty file", File("tables.ron", "")),
        one("only a comment", File("options.ron", "// nothing yet\n")),
        one("comment never closed", Patch("pieces.ron", "source", "/* source")),
        one("text never closed", Patch("pieces.ron", "\"counters\"", "\"counters")),
        one("bracket never closed", Patch("sequence.ron", "    ),\n]", "")),
        one("wrong bracket", Patch("pieces.ron", "\"horse\", \"marker\"]", "\"horse\", \"marker\")")),
        one("one bracket too many", Patch("points.ron", "start: 3),", "start: 3)),")),
        one("comma forgotten", Patch("pieces.ron", "kind: \"foot\", side", "kind: \"foot\" side")),
        one("colon forgotten", Patch("pieces.ron", "kind: \"foot\"", "kind \"foot\"")),
        one("equals for colon", Patch("pieces.ron", "kind: \"foot\"", "kind = \"foot\"")),
        one("field name in quotes", Patch("sides.ron", "(side: \"blue\")", "(\"side\": \"blue\")")),
        one("value forgotten", Patch("tables.ron", "roll: \"1d6\"", "roll: ")),
        one("bad escape", Patch("pack.ron", "The authors", "The \\q authors")),
        one("extension", Patch("pack.ron", "Pack(", "#![enable(implicit_some)]\nPack(")),
        one("byte string", Patch("pack.ron", "\"Tiny\"", "b\"Tiny\"")),
        one("not a number", Patch("columns.ron", "Int(0, 4)", "Int(0, 4x)")),
        one("two values", File("options.ron", "(options: {})\n(options: {})")),
        one("lines that end in carriage returns alone", File("options.ron", "// none\r(option: {})\r")),
        one("a name of two lines", Patch("pieces.ron", "\"1st Foot\"", "\"1st\\nFoot\"")),
        one("a kind of two lines", Patch("pieces.ron", "\"marker\"]", "\"marker\", \"mar\\nker\"]")),
        one("a title of two lines", Patch("pack.ron", "title: \"Tiny\"", "title: \"Tiny\\nfake line\"")),
        one("a colour that is none", Patch("sides.ron", "#3060a0", "javascript:alert(1)")),
        one(
            "turns within turns in one column",
            Patch(
                "sequence.ron",
                "Moment(\"turn ends\")",
                "Turns(column: \"turn\", last: 2, items: [Moment(\"turn ends\")])",
            ),
        ),
        one(
            "a condition that cannot change",
            Patch(
                "sequence.ron",
                "Moment(\"turn ends\")",
                "While(condition: All([]), items: [Moment(\"turn ends\")])",
            ),
        ),
        one("not UTF-8", Bytes("points.ron", b"{ \"may\xff\" }")),
        (
            "several slips in one file",
            vec![
                Patch("pieces.ron", "side: \"blue\", attributes", "side: , attributes"),
                Patch("pieces.ron", "deck: \"red cards\", attributes", "deck \"red cards\", attributes"),
                Patch("pieces.ron", "count: 3", "count: three"),
            ],
        ),
    ]
}

fn shapes() -> Vec<Case> {
    vec![
        one("unknown field", Patch("tables.ron", "roll:", "rlol:")),
        one(
            "unknown field without a near one",
            Patch("sides.ron", "(side: \"blue\")", "(side: \"blue\", hat: 3)"),
        ),
        one("missing field", Patch("pack.ron", "    version: \"1.0.0\",\n", "")),
        one("field twice", Patch("pack.ron", "    api: 1,", "    api: 1,\n    api: 1,")),
        one("wrong type: text for number", Patch("pack.ron", "format: 1", "format: \"1\"")),
        one("wrong type: number for text", Patch("pack.ron", "title: \"Tiny\"", "title: 7")),
        one("wrong type: word for text", Patch("pack.ron", "title: \"Tiny\"", "title: Tiny")),
        one("wrong type: text for flag", Patch("columns.ron", "by_side: true", "by_side: \"yes\"")),
        one("wrong type: one value for a list", Patch("pack.ron", "[\"The authors\"]", "\"The authors\"")),
        one(
            "wrong type: list for a map",
            Patch("pack.ron", "{ \"tiny\": \"Tiny, the rules of play\" }", "[\"tiny\"]"),
        ),
        one("wrong type: map for a struct", Patch("sides.ron", "(side: \"blue\")", "{ \"side\": \"blue\" }")),
        one("wrong type: tuple too long", Patch("columns.ron", "Int(0, 4)", "Int(0, 2, 4)")),
        one("overflow", Patch("pieces.ron", "count: 3", "count: 70000")),
        one("far overflow", Patch("pieces.ron", "count: 3", "count: 99999999999999999999")),
        one("negative count", Patch("pieces.ron", "count: 3", "count: -3")),
        one("decimal number", Patch("columns.ron", "Int(0, 4)", "Int(0, 4.5)")),
        one("unknown variant", Patch("knowledge.ron", "level: Order", "level: Ordre")),
        one("unknown variant deep down", Patch("pieces.ron", "Int(0, 9)", "Intt(0, 9)")),
        one("variant in quotes", Patch("rules.ron", "kind: Rule", "kind: \"Rule\"")),
        one("variant holds nothing", Patch("pieces.ron", "values: Flag", "values: Flag(1)")),
        one("wrong struct name", Patch("tables.ron", "Table(", "Tabel(")),
        one("name declared twice", Patch("options.ron", "\"fog\": (rules", "\"night\": (rules")),
        one("empty name", Patch("options.ron", "\"night\": (", "\"\": (")),
        (
            "problems in several files",
            vec![
                Patch("sides.ron", "role: Umpire", "role: Umpier"),
                Patch("columns.ron", "most: 4", "most: true"),
                Patch("options.ron", "excludes: [\"night\"]", "excludes: [\"nihgt\"]"),
                Patch("tables.ron", "flag: \"woods\"", "falg: \"woods\""),
            ],
        ),
    ]
}

fn manifest_and_sides() -> Vec<Case> {
    vec![
        one("no manifest", Without("pack.ron")),
        one("bad id", Patch("pack.ron", "id: \"tiny\"", "id: \"Tiny Game\"")),
        one("bad version", Patch("pack.ron", "\"1.0.0\"", "\"1.0\"")),
        one("newer format", Patch("pack.ron", "format: 1", "format: 9")),
        one("unknown api", Patch("pack.ron", "api: 1", "api: 0")),
        one(
            "unknown module",
            Patch("pack.ron", "rulebooks", "modules: { \"naval\": \"1\" },\n    rulebooks"),
        ),
        one("bad range", Patch("pack.ron", "rulebooks", "requires: { \"other\": \"new\" },\n    rulebooks")),
        one(
            "extends what is not there",
            Patch("pack.ron", "rulebooks", "extends: \"series\",\n    rulebooks"),
        ),
        one("changes without a layer below", File("changes.ron", "[SwitchOff(rule: \"tiny:2.1\")]")),
        one("no sides", Without("sides.ron")),
        one("seat of an unknown side", Patch("sides.ron", "(side: \"red\")", "(side: \"rde\")")),
        one("player without a side", Patch("sides.ron", "(side: \"red\")", "()")),
        one("umpire with a side", Patch("sides.ron", "(role: Umpire)", "(role: Umpire, side: \"red\")")),
        one("unknown file", File("talbes.ron", "{}")),
        one("script outside its folder", File("rules.luau", "return 1")),
    ]
}

fn board() -> Vec<Case> {
    vec![
        one("no board", Without("boards/map.ron")),
        one("board without a source", Patch("boards/map.ron", "    source: Printed(\"map\"),\n", "")),
        one(
            "link to an unknown space",
            Patch("boards/map.ron", "(\"Mill\", \"Ford\")", "(\"Mill\", \"Frod\")"),
        ),
        one(
            "link from a space to itself",
            Patch("boards/map.ron", "(\"Mill\", \"Ford\")", "(\"Ford\", \"Ford\")"),
        ),
        one("link of an unknown network", Patch("boards/map.ron", "\"river\": [", "\"rail\": [")),
        one("space declared twice", Patch("boards/map.ron", "\"Ford\": (at", "\"Mill\": (at")),
        one("box called like a space", Patch("boards/map.ron", "boxes: [\"Pool\"]", "boxes: [\"Town\"]")),
        one(
            "unreachable space",
            Patch("boards/map.ron", "\"Town\": (),", "\"Town\": (),\n        \"Isle\": (),"),
        ),
        one("apart and yet joined", Patch("boards/map.ron", "\"Mill\": ()", "\"Mill\": (apart: true)")),
        one("unknown feature", Patch("boards/map.ron", "features: [\"woods\"]", "features: [\"wods\"]")),
        one(
            "feature on the wrong thing",
            Patch("boards/map.ron", "features: [\"road\"]", "features: [\"woods\"]"),
        ),
        one(
            "link closed for nobody",
            Patch("boards/map.ron", "closed_for: [\"red\"]", "closed_for: [\"green\"]"),
        ),
        one(
            "feature nowhere",
            Patch("boards/map.ron", "\"woods\": (on", "\"swamp\": (on: Space),\n        \"woods\": (on"),
        ),
        one("empty source", Patch("boards/map.ron", "Printed(\"map\")", "Printed(\" \")")),
        one(
            "hole that is no hex",
            File(
                "boards/hexes.ron",
                "(title: \"Hexes\", source: Printed(\"map\"), grid: (orientation: FlatTop, shifted: Second, \
                 columns: 3, rows: 3, holes: [\"0909\"], networks: [\"land\"]))",
            ),
        ),
        one(
            "grid without rows",
            File(
                "boards/hexes.ron",
                "(title: \"Hexes\", source: Printed(\"map\"), grid: (orientation: FlatTop, shifted: Second, \
                 columns: 3, rows: 0, networks: [\"land\"]))",
            ),
        ),
    ]
}

fn pieces_and_columns() -> Vec<Case> {
    vec![
        one("pieces without a source", Patch("pieces.ron", "    source: Printed(\"counters\"),\n", "")),
        one("unknown kind", Patch("pieces.ron", "kind: \"marker\"", "kind: \"markers\"")),
        one(
            "piece of an unknown side",
            Patch("pieces.ron", "side: \"blue\", attributes", "side: \"bleu\", attributes"),
        ),
        one("unknown deck", Patch("pieces.ron", "deck: \"red cards\"", "deck: \"blue cards\"")),
        one("deck of the other side", Patch("pieces.ron", "(side: \"red\")", "(side: \"blue\")")),
        one("unknown attribute", Patch("pieces.ron", "\"strength\": 4", "\"strenght\": 4")),
        one("attribute out of bounds", Patch("pieces.ron", "\"strength\": 4", "\"strength\": 40")),
        one("attribute of the wrong type", Patch("pieces.ron", "\"veteran\": true", "\"veteran\": 1")),
        one("attribute that is no choice", Patch("pieces.ron", "\"size\": \"large\"", "\"size\": \"larg\"")),
        one("none of a piece", Patch("pieces.ron", "count: 3", "count: 0")),
        one("bounds the wrong way round", Patch("pieces.ron", "Int(0, 9)", "Int(9, 0)")),
        one(
            "two pieces of one name",
            Patch("pieces.ron", "\"Works\": (", "\"Works 2\": (kind: \"marker\"),\n        \"Works\": ("),
        ),
        one(
            "public attribute tells apart",
            Patch("pieces.ron", "Int(0, 9), class: OnReveal", "Int(0, 9), class: Public"),
        ),
        one("unused kind", Patch("pieces.ron", "[\"foot\", ", "[\"foot\", \"guns\", ")),
        one("start out of bounds", Patch("columns.ron", "start: 1", "start: 7")),
        one("choices of no column of choices", Patch("columns.ron", "of: Choice", "of: Game")),
        one("reset at an unknown moment", Patch("columns.ron", "at: \"turn ends\"", "at: \"turn end\"")),
        one("class of an unknown side", Patch("columns.ron", "Side(\"blue\")", "Side(\"navy\")")),
        one(
            "own reset of a column not by side",
            Patch("columns.ron", "(at: \"turn ends\")", "(at: \"turn ends\", own: true)"),
        ),
        one(
            "too many fields",
            Patch("columns.ron", "\"who\": Side", "\"who\": Side, \"a\": Int, \"b\": Int, \"c\": Int"),
        ),
    ]
}

fn tables() -> Vec<Case> {
    vec![
        one("table without a source", Patch("tables.ron", "        source: Printed(\"tiny:charts\"),\n", "")),
        one("cell missing", Patch("tables.ron", "[0, 1, 1]", "[0, 1]")),
        one("cell too many", Patch("tables.ron", "[0, 1, 1]", "[0, 1, 1, 1]")),
        one("row missing", Patch("tables.ron", "            \"2..4\": [0, 1, 1],\n", "")),
        one("rows overlap", Patch("tables.ron", "\"2..4\"", "\"1..4\"")),
        one("bad heading", Patch("tables.ron", "\"4..6\"", "\"4-6\"")),
        one("backward heading", Patch("tables.ron", "\"4..6\"", "\"6..4\"")),
        one("columns have a gap", Patch("tables.ron", "\"4..6\"", "\"5..6\"")),
        one("no such dice", Patch("tables.ron", "roll: \"1d6\"", "roll: \"6\"")),
        one("roll without a row", Patch("tables.ron", "\"7..12\"", "\"7..10\"")),
        one("odds that do not rise", Patch("tables.ron", "\"1:1\", \"2:1\"", "\"2:1\", \"1:1\"")),
        one("bad odds", Patch("tables.ron", "\"1:2\"", "\"1to2\"")),
        one("unknown table", Patch("tables.ron", "Table(\"fire\")", "Table(\"fier\")")),
        one("word in a cell without quotes", Patch("tables.ron", "\"rout\"", "rout")),
        one("too many results", Patch("tables.ron", "(2, None)", "(1, 2, 3, 4, 5)")),
        one("cell of the wrong kind", Patch("tables.ron", "\"dry\": 0", "\"dry\": \"none\"")),
        one("modifier without effect", Patch("tables.ron", "die: 1", "die: 1, shift: 1")),
        one("modifier beyond the rows", Patch("tables.ron", "\"5..\"", "\"5..6\"")),
    ]
}

fn play() -> Vec<Case> {
    vec![
        one("no sequence", Without("sequence.ron")),
        one("unknown procedure", Patch("sequence.ron", "run: \"act\"", "run: \"atc\"")),
        one("unknown moment", Patch("sequence.ron", "Moment(\"turn ends\")", "Moment(\"turn starts\")")),
        one(
            "player turns of an unknown side",
            Patch("sequence.ron", "[\"blue\", \"red\"]", "[\"blue\", \"rad\"]"),
        ),
        one("side has two turns", Patch("sequence.ron", "[\"blue\", \"red\"]", "[\"blue\", \"blue\"]")),
        one("turns counted nowhere", Patch("sequence.ron", "column: \"turn\"", "column: \"turns\"")),
        one(
            "turns counted in a column of spaces",
            Patch("sequence.ron", "column: \"turn\"", "column: \"control\""),
        ),
        one("no turn at all", Patch("sequence.ron", "last: 4", "last: 0")),
        one("more turns than the column takes", Patch("sequence.ron", "last: 4", "last: 5")),
        one(
            "condition on an unknown option",
            Patch("sequence.ron", "Option(\"night\")", "Option(\"nigth\")"),
        ),
        one("option without rules", Patch("options.ron", "rules: [\"tiny:5\"]", "rules: []")),
        one("preset of an unknown option", Patch("options.ron", "on: [\"fog\"", "on: [\"frog\"")),
        one(
            "preset lacks what it needs",
            Patch("options.ron", "on: [\"fog\", \"deep fog\"]", "on: [\"deep fog\"]"),
        ),
        one("rule of an unknown book", Patch("options.ron", "tiny:5", "tinny:5")),
        one("rule that is not in the ledger", Patch("options.ron", "tiny:5", "tiny:55")),
        one("no rule id", Patch("options.ron", "tiny:5", "5")),
        one("restriction of an unknown point", Patch("restrictions.ron", "\"may_enter\"", "\"may_entre\"")),
        one("unknown stage", Patch("restrictions.ron", "stage: 1", "stage: 2")),
        one("filter by an unknown set", Patch("restrictions.ron", "pieces: \"horse\"", "pieces: \"hoarse\"")),
        one("filter by an unknown link", Patch("restrictions.ron", "\"Hill-Mill\"", "\"Hill-Ford\"")),
        one("filter by an unknown phase", Patch("restrictions.ron", "\"movement\"", "\"movment\"")),
        one(
            "question about an unknown set",
            Patch("knowledge.ron", "(any: \"strong\")", "(any: \"strongest\")"),
        ),
        one(
            "test of what is no number",
            Patch("knowledge.ron", "\"size\": Is(\"large\")", "\"size\": AtLeast(1)"),
        ),
        one(
            "level by a hidden column",
            Patch("columns.ron", "start: None, class: Public", "start: None, class: Hidden"),
        ),
        one("level by a column everywhere", Patch("knowledge.ron", " places: [\"Hill\"],", "")),
        one(
            "option and without",
            Patch("knowledge.ron", "without_option: \"fog\"", "option: \"night\", without_option: \"fog\""),
        ),
    ]
}

fn scenarios_and_texts() -> Vec<Case> {
    const MEETING: &str = "scenarios/meeting.ron";
    vec![
        one("no scenario", Without(MEETING)),
        one("scenario without a source", Patch(MEETING, "    source: Printed(\"tiny:7\"),\n", "")),
        one("unknown piece", Patch(MEETING, "\"2nd Foot\"", "\"3rd Foot\"")),
        one("piece placed twice", Patch(MEETING, "[\"Raider\"]", "[\"Raider\", \"Raider\"]")),
        one("unknown place", Patch(MEETING, "at: \"Town\"", "at: \"Twon\"")),
        one("nothing placed", Patch(MEETING, ", stack: [\"Raider\"]", "")),
        one(
            "stack of both sides",
            Patch(MEETING, "[\"1st Foot\", \"2nd Foot\"]", "[\"1st Foot\", \"2nd Foot\", \"Raider\"]"),
        ),
        one(
            "marker in a stack",
            Patch(MEETING, "[\"1st Foot\", \"2nd Foot\"]", "[\"1st Foot\", \"2nd Foot\", \"Works 1\"]"),
        ),
        one("under what stands elsewhere", Patch(MEETING, "under: \"1st Foot\"", "under: \"Raider\"")),
        one("under what stands nowhere", Patch(MEETING, "under: \"1st Foot\"", "under: \"Works 3\"")),
        one("face up without a rule", Patch(MEETING, ", rule: \"tiny:7\"", "")),
        one("start at an unknown phase", Patch(MEETING, "phase: \"movement\"", "phase: \"combat\"")),
        one("start in nobody's turn", Patch(MEETING, ", side: \"red\")", ")")),
        one("start in somebody's turn", Patch(MEETING, "phase: \"movement\"", "phase: \"end\"")),
        one("unknown column", Patch(MEETING, "\"turn\": 1", "\"trun\": 1")),
        one("column out of bounds", Patch(MEETING, "\"turn\": 1", "\"turn\": 9")),
        one("column of an unknown space", Patch(MEETING, "\"Hill\": \"blue\"", "\"Hell\": \"blue\"")),
        one(
            "one value for many",
            Patch(MEETING, "\"control\": { \"Hill\": \"blue\", \"Town\": \"red\" }", "\"control\": \"blue\""),
        ),
        one("no value a side", Patch(MEETING, "{ \"red\": 3 }", "3")),
        one("column of an unknown choice", Patch(MEETING, "\"left\": \"hold\"", "\"lefty\": \"hold\"")),
        one("unknown option", Patch(MEETING, "options: [\"fog\"]", "options: [\"smog\"]")),
        one("options that exclude", Patch(MEETING, "options: [\"fog\"]", "options: [\"fog\", \"night\"]")),
        one(
            "preset and options",
            Patch(MEETING, "options: [\"fog\"]", "options: [\"fog\"], preset: \"hard\""),
        ),
        one(
            "not applicable without a reason",
            Patch("rules.ron", "NotApplicable(\"it shows rule 3\")", "NotApplicable(\"\")"),
        ),
        one("empty summary", Patch("rules.ron", "\"Woods cover.\"", "\"\"")),
        one("mixed and face up", Patch("scenarios/meeting.ron", "face: Up", "face: Up, mixed: true")),
        one("mixed with unlike backs", Patch("scenarios/meeting.ron", "facing: 2", "mixed: true")),
        one("text missing", Patch("text/en.ftl", "phase-rest = Rest\n", "")),
        one("text of another key", Patch("text/en.ftl", "phase-rest", "phase-reast")),
        one("text twice", Patch("text/en.ftl", "phase-end", "phase-rest")),
        one("text that cannot be read", Patch("text/en.ftl", "{ option-fog }", "{ option-fog")),
        one(
            "variable in the text of a name",
            Patch("text/en.ftl", "side-red = Red", "side-red = { $colour }"),
        ),
        one(
            "another variable than a target",
            Patch("text/en.ftl", "side-red", "action-go = Go { $place }\nside-red"),
        ),
        one("text only in a translation", File("text/de.ftl", "side-blau = Blau\n")),
        one(
            "text that refers to itself",
            Patch(
                "text/en.ftl",
                "phase-rest = Rest",
                "phase-rest = { phase-end }\nphase-end = { phase-rest }\nphase-was = Rest",
            ),
        ),
    ]
}
