//! What modders get wrong most, and what they are told: each message says what is wrong, where, and what would be
//! right.

mod common;

use std::fs;

use common::{call_in, changed, copy, packs};

/// A slip of the pen: what it is, and the change of `ford` that makes it.
struct Slip {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    /// The command that finds it.
    command: &'static [&'static str],
    /// What the message must say for a reader to find and mend it: the place, the name, and what would be right.
    says: &'static [&'static str],
}

const CHECK: &[&str] = &["check", "ford"];

const SLIPS: &[Slip] = &[
    Slip {
        name: "a misspelt attribute",
        file: "pieces.ron",
        from: "attributes: { \"strength\": 3 }",
        to: "attributes: { \"strenght\": 3 }",
        command: CHECK,
        says: &["ford/pieces.ron:7:82", "`strenght`", "did you mean `strength`?"],
    },
    Slip {
        name: "a missing comma",
        file: "tables.ron",
        from: "roll: \"1d6\",",
        to: "roll: \"1d6\"",
        command: CHECK,
        says: &["ford/tables.ron:5:9", "expected `,`", "a comma after this?"],
    },
    Slip {
        name: "a dangling reference",
        file: "boards/map.ron",
        from: "(\"Hill\", \"East\")",
        to: "(\"Hill\", \"Easst\")",
        command: CHECK,
        says: &["ford/boards/map.ron:7:68", "\"Easst\"", "did you mean \"East\"?"],
    },
    Slip {
        name: "a table with a missing cell",
        file: "tables.ron",
        from: "[\"back\", \"won\", \"won\"]",
        to: "[\"back\", \"won\"]",
        command: CHECK,
        says: &["ford/tables.ron:10:", "5..6", "3 columns"],
    },
    Slip {
        name: "a piece in a scenario that does not exist",
        file: "scenarios/crossing.ron",
        from: "\"Volunteers\"",
        to: "\"Volunters\"",
        command: CHECK,
        says: &["ford/scenarios/crossing.ron:5:", "`Volunters`", "did you mean `Volunteers`?"],
    },
    Slip {
        name: "a misspelt attribute in a script",
        file: "scripts/march.luau",
        from: "column = unit.strength - enemy.strength",
        to: "column = unit.strength - enemy.strenght",
        command: &["test", "ford", "--only", "won or beaten"],
        says: &["scripts/march.luau:35", "`strenght`", "did you mean `strength`?"],
    },
    Slip {
        name: "arithmetic on nil: what the seat does not know",
        file: "scripts/march.luau",
        from: "    local steady = enemy:is(\"steady\")\n",
        to: "    local steady = enemy.strength - unit.strength > 1\n",
        command: &["test", "ford", "--only", "raw troops"],
        says: &["scripts/march.luau:19", "nil", "is not known to the one who looks"],
    },
    Slip {
        name: "a misspelt function of the API",
        file: "scripts/march.luau",
        from: "g:reveal(unit, \"ford:4\")",
        to: "g:reveel(unit, \"ford:4\")",
        command: &["test", "ford", "--only", "won or beaten"],
        says: &["scripts/march.luau:28", "`reveel`", "did you mean `reveal`?"],
    },
    Slip {
        name: "a misspelt function of `rules`",
        file: "scripts/march.luau",
        from: "rules.permit(",
        to: "rules.permitt(",
        command: CHECK,
        says: &["ford/scripts/march.luau:14", "`permitt`", "did you mean `permit`?"],
    },
    Slip {
        name: "a name that is neither local nor known",
        file: "scripts/march.luau",
        from: "show(g, enemy)",
        to: "shwo(g, enemy)",
        command: CHECK,
        says: &["ford/scripts/march.luau:34", "`shwo` is neither a local nor a name that scripts know"],
    },
    Slip {
        name: "a function that Luau has and scripts have not",
        file: "scripts/dusk.luau",
        from: "local ford, winner",
        to: "local _ = math.random(6)\n        local ford, winner",
        command: CHECK,
        says: &["ford/scripts/dusk.luau:5", "`math` has no `random`"],
    },
    Slip {
        name: "a misspelt function of tests",
        file: "tests/fights.luau",
        from: "t.log(blue",
        to: "t.logs(blue",
        command: &["test", "ford", "--only", "won or beaten"],
        says: &["ford/tests/fights.luau:13", "`t` has no `logs`", "did you mean `log`?"],
    },
    Slip {
        name: "a misspelt step",
        file: "scripts/march.luau",
        from: "return \"order\"",
        to: "return \"ordre\"",
        command: &["test", "ford", "--only", "once a turn"],
        says: &["scripts/march.luau:", "step `march` names `ordre`", "did you mean `order`?"],
    },
    Slip {
        name: "a rule id that is not in the ledger",
        file: "restrictions.ron",
        from: "\"ford:3.1\"",
        to: "\"ford:3.11\"",
        command: CHECK,
        says: &["ford/restrictions.ron:2:5", "`ford:3.11`", "did you mean `ford:3.1`?"],
    },
    Slip {
        name: "a rule id in a script that is not in the ledger",
        file: "scripts/march.luau",
        from: "rules.permit(\"may_enter\", \"ford:3.2\"",
        to: "rules.permit(\"may_enter\", \"ford:3.22\"",
        command: CHECK,
        says: &["ford/scripts/march.luau:14", "`ford:3.22`", "did you mean `ford:3.2`?"],
    },
    Slip {
        name: "a rule id in a script of a book that is not declared",
        file: "scripts/march.luau",
        from: "g:reveal(unit, \"ford:4\")",
        to: "g:reveal(unit, \"frod:4\")",
        command: CHECK,
        says: &["ford/scripts/march.luau:28", "`frod:4`", "did you mean `ford`?"],
    },
    Slip {
        name: "a colour that is none",
        file: "sides.ron",
        from: "colour: \"",
        to: "colour: \"javascript:",
        command: CHECK,
        says: &["ford/sides.ron:2:", "is no colour", "#3060a0"],
    },
    Slip {
        name: "a script changed by a path",
        file: "../ford-heights/changes.ron",
        from: "tables/fight/rows/5..6",
        to: "scripts/march.luau",
        command: &["check", "ford", "--overlay", "ford-heights"],
        says: &["ford-heights/changes.ron:3:", "no section `scripts`", "in place of the script below"],
    },
    Slip {
        name: "a pack that extends one that is not there",
        file: "../ford-heights/pack.ron",
        from: "extends: \"ford\"",
        to: "extends: \"fjord\"",
        command: &["check", "ford-heights"],
        says: &["ford-heights/pack.ron:10:", "extends `fjord`", "looked for"],
    },
    Slip {
        name: "a place in a script that the board has not",
        file: "scripts/march.luau",
        from: "g:place(\"Lost\")",
        to: "g:place(\"Lots\")",
        command: CHECK,
        says: &["ford/scripts/march.luau:5", "no place `Lots`", "did you mean `Lost`?"],
    },
    Slip {
        name: "a set of pieces in a script that is not declared",
        file: "scripts/march.luau",
        from: "enemy:is(\"steady\")",
        to: "enemy:is(\"stedy\")",
        command: CHECK,
        says: &["ford/scripts/march.luau:19", "no set of pieces `stedy`", "did you mean `steady`?"],
    },
    Slip {
        name: "a path of an overlay that does not exist",
        file: "../ford-heights/changes.ron",
        from: "tables/fight/rows/5..6",
        to: "tables/fight/row/5..6",
        command: &["check", "ford", "--overlay", "ford-heights"],
        says: &["ford-heights/changes.ron:3:", "`row`", "did you mean `rows`?"],
    },
    Slip {
        name: "options that exclude each other",
        file: "options.ron",
        from: "\"rain\": (rules: [\"ford:5\"])",
        to: "\"rain\": (rules: [\"ford:5\"]), \"dry\": (rules: [\"ford:5\"], excludes: [\"rain\"])",
        command: &["run", "ford", "--option", "rain", "--option", "dry"],
        says: &["`dry`", "`rain`"],
    },
    Slip {
        name: "a test that fails",
        file: "tests/fights.luau",
        from: "bodies[1].piece, \"Militia\"",
        to: "bodies[1].piece, \"Guards\"",
        command: &["test", "ford", "--only", "won or beaten"],
        says: &["ford/tests/fights.luau:14", "expected \"Guards\"", "found \"Militia\""],
    },
];

#[test]
fn messages_say_what_where_and_what_would_be_right() {
    let (mut all, mut poor) = (String::new(), Vec::new());
    for slip in SLIPS {
        let folder = slipped(slip);
        let answer = call_in(folder.path(), slip.command, "");
        // Where packs were looked for is another folder in every run.
        let real = folder.path().canonicalize().expect("a folder");
        let above = real.parent().expect("a folder above").display().to_string();
        let text = answer.whole().replace(&real.display().to_string(), "HERE");
        let text = text.replace(&format!("then in {above} "), "then in ABOVE ");
        assert_ne!(answer.code, 0, "{} is noticed", slip.name);
        let missing: Vec<&str> = slip.says.iter().copied().filter(|part| !text.contains(part)).collect();
        if !missing.is_empty() {
            poor.push(format!("{}: does not say {missing:?}\n{text}", slip.name));
        }
        all.push_str(&format!("==== {}\n$ adjutant {}\n{text}\n", slip.name, slip.command.join(" ")));
    }
    insta::assert_snapshot!("slips", all);
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}

fn slipped(slip: &Slip) -> tempfile::TempDir {
    if let Some(file) = slip.file.strip_prefix("../ford-heights/") {
        let folder = changed("ford-heights", file, slip.from, slip.to);
        copy(&packs().join("ford"), &folder.path().join("ford"));
        return folder;
    }
    changed("ford", slip.file, slip.from, slip.to)
}

/// What is right is not complained of: the packs as they stand pass every command of the slips.
#[test]
fn without_a_slip_there_is_no_message() {
    let folder = tempfile::tempdir().expect("a folder");
    for pack in ["ford", "ford-heights"] {
        copy(&packs().join(pack), &folder.path().join(pack));
    }
    assert!(fs::exists(folder.path().join("ford/pack.ron")).expect("it can be asked"));
    for command in [CHECK, &["check", "ford", "--overlay", "ford-heights"], &["test", "ford"]] {
        let answer = call_in(folder.path(), command, "");
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.whole());
    }
}
