//! The drill ground with two armies of a side, which a title may give its pieces by the attribute `army` (cwcs:6.6#3).

use std::path::Path;

use adjutant::Library;
use adjutant_testing::Suite;

const TESTS: &str = include_str!("armies.luau");

#[test]
fn each_army_retreats_by_itself() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..");
    let library = Library::open(root.join("games")).expect("the games are there");
    let library = library.with_modules(adjutant_rules::modules());
    let overlay = here.join("tests/armies");
    let pack = library.open_pack(&root.join("tests/packs/cwcs-drill"), &[overlay]);
    let pack = pack.unwrap_or_else(|report| panic!("{}", report.render()));
    let own = "armies.luau";
    let suite = Suite::load(&pack, &[(own.to_owned(), TESTS.to_owned())]).expect("the tests can be read");
    let outcomes = suite.run(|test| test.file == own, |_| ());
    assert_eq!(outcomes.len(), 1);
    for outcome in outcomes {
        assert!(outcome.failure.is_none(), "{}", outcome.failure.map_or(String::new(), |f| f.to_string()));
    }
}
