//! What editors are told that tests may call is what they may call.

use std::collections::BTreeSet;
use std::path::Path;

use adjutant::Pack;
use adjutant_testing::{DEFINITIONS, Suite};

/// The names of the functions and values of a type in the definitions.
fn declared(name: &str) -> BTreeSet<String> {
    let body = DEFINITIONS.split(&format!("export type {name} = {{\n")).nth(1).expect("the type is there");
    let body = body.split("\n}").next().expect("it has an end");
    let names = body.lines().filter(|line| !line.trim_start().starts_with("--"));
    names.filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn the_definitions_name_what_there_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packs/ford");
    let pack = Pack::open(folder).unwrap_or_else(|report| panic!("{}", report.render()));
    let source = "local function names(of)
    local list = {}
    for name in of do
        table.insert(list, name)
    end
    return table.concat(list, ' ')
end
test('names', {}, function(t)
    local g = t.game()
    error(names(t) .. ';' .. names(g) .. ';' .. names(g.seat('blue')))
end)";
    let suite = Suite::load(&pack, &[("names.luau".to_owned(), source.to_owned())]).expect("it loads");
    let outcomes = suite.run(|test| test.name == "names", |_| {});
    let failure = outcomes[0].failure.as_ref().expect("it says the names");
    let found: Vec<BTreeSet<String>> = failure
        .message
        .split(';')
        .map(|list| list.split(' ').filter(|n| !n.starts_with('(')).map(str::to_owned).collect())
        .collect();
    let types = ["T", "Game", "Seat"].map(declared);
    assert_eq!(found, types);
}
