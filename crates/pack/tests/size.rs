//! A pack of the size of a real title is read, checked and compiled. (`--ignored --nocapture` shows how fast.)

use std::fmt::Write as _;
use std::time::Instant;

use adjutant_pack::{Files, LoadedPack, compile};

use crate::common::{Asks, tiny};

/// A pack of 150 areas, 300 links, 400 pieces and 40 tables.
fn large() -> Files {
    let mut files = tiny();
    let (mut spaces, mut links) = (String::new(), String::new());
    let (mut pieces, mut place) = (String::new(), String::new());
    for n in 0..150 {
        writeln!(spaces, "\"Area {n}\": (features: [\"woods\"], at: ({n}, 2)),").unwrap();
        writeln!(
            links,
            "(\"Area {n}\", \"Area {}\"), (\"Area {n}\", \"Area {}\"),",
            (n + 1) % 150,
            (n + 7) % 150
        )
        .unwrap();
    }
    for n in 0..400 {
        let (side, area) = (["blue", "red"][n % 2], n % 150);
        writeln!(
            pieces,
            "\"Unit {n}\": (kind: \"foot\", side: \"{side}\", attributes: {{ \"strength\": {}, \"veteran\": true }}),",
            n % 10
        )
        .unwrap();
        writeln!(place, "(at: \"Area {area}\", stack: [\"Unit {n}\"]),").unwrap();
    }
    let mut patch = |file: &str, from: &str, to: &str| {
        let bytes = files.files.get_mut(file).unwrap();
        *bytes = String::from_utf8(bytes.clone()).unwrap().replacen(from, to, 1).into_bytes();
    };
    patch("boards/map.ron", "\"Town\": (),", &format!("\"Town\": (),\n{spaces}"));
    patch("boards/map.ron", "\"land\": [", &format!("\"land\": [(\"Town\", \"Area 0\"), {links}"));
    patch("pieces.ron", "    pieces: {", &format!("    pieces: {{\n{pieces}"));
    patch("scenarios/meeting.ron", "    place: [", &format!("    place: [\n{place}"));
    let mut tables = String::new();
    for n in 0..40 {
        writeln!(
            tables,
            "\"table {n}\": (roll: \"2d6\", columns: Numbers([\"1\", \"2\", \"3\", \"4\", \"5\"]), rows: {{"
        )
        .unwrap();
        for roll in 2..=12 {
            writeln!(tables, "\"{roll}\": [0, 1, (1, 2), \"rout\", None],").unwrap();
        }
        tables += "}, source: Printed(\"charts\")),\n";
    }
    patch("tables.ron", "{\n", &format!("{{\n{tables}"));
    files
}

#[test]
fn a_large_pack_is_read() {
    let files = large();
    let mut found = Vec::new();
    let pack = LoadedPack::read(&[files], &mut found);
    assert!(found.is_empty(), "{}", pack.report(found).render());
    let (rb, _) = compile(&pack, &[], &mut Asks::default()).map_err(|r| r.render()).unwrap();
    assert_eq!((rb.board().space_count(), rb.pieces().len()), (154, 407));
}

#[test]
#[ignore = "a measurement"]
fn how_fast_a_large_pack_is_read() {
    let files = [large()];
    let bytes: usize = files[0].files.values().map(Vec::len).sum();
    let mut best = [f64::MAX; 2];
    for _ in 0..20 {
        let start = Instant::now();
        let pack = LoadedPack::read(&files, &mut Vec::new());
        let read = start.elapsed().as_secs_f64() * 1e3;
        assert!(compile(&pack, &[], &mut Asks::default()).is_ok());
        let all = start.elapsed().as_secs_f64() * 1e3;
        best = [best[0].min(read), best[1].min(all)];
    }
    println!("{bytes} bytes: read {:.1} ms, with checks and rulebook {:.1} ms", best[0], best[1]);
}
