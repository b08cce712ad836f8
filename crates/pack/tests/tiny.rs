//! The tiny pack is right, compiles, and can be played to its end.

use crate::common::{Asks, problems, tiny};
use adjutant_kernel::chance::Key;
use adjutant_kernel::flow::{self, Sink};
use adjutant_kernel::*;
use adjutant_pack::{LoadedPack, compile};

fn rulebook() -> Rulebook {
    let mut found = Vec::new();
    let pack = LoadedPack::read(&[tiny()], &mut found);
    assert!(found.is_empty(), "{}", pack.report(found).render());
    match compile(&pack, &[], &mut Asks::default()) {
        Ok((rulebook, _)) => rulebook,
        Err(report) => panic!("{}", report.render()),
    }
}

#[test]
fn nothing_is_wrong_with_it() {
    assert_eq!(problems(&[tiny()]).render(), "");
}

#[test]
fn it_compiles_to_a_rulebook() {
    let rb = rulebook();
    assert_eq!((rb.title(), rb.version()), ("Tiny", "1.0.0"));
    assert_eq!(
        rb.pieces().iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["1st Foot", "2nd Foot", "Raider", "Scout", "Works 1", "Works 2", "Works 3"]
    );
    let first = rb.piece(PieceId(0));
    assert_eq!(first.attributes, [Some(4), Some(1), None]);
    let fire = rb.table(rb.table_named("fire").unwrap());
    let entry = tables::Entry {
        column: tables::Input::Number(5),
        dice: tables::Faces::new(&[6]).unwrap(),
        ..tables::Entry::default()
    };
    assert_eq!(fire.look_up(&entry).unwrap().result.parts()[0], tables::Part::Number(2));
    let (mill, town) = (rb.board().space_named("Mill").unwrap(), rb.board().space_named("Town").unwrap());
    let river = rb.board().links(mill).iter().find(|e| e.to == town).unwrap();
    assert!(rb.board().closed_for(river.link, rb.side_named("red").unwrap()));
    assert_eq!(rb.scenarios()[0].options, 0b10);
}

#[test]
fn the_scenario_is_laid_out_and_played() {
    let rb = rulebook();
    let mut worker = Worker::new();
    let mut sink = Sink::off();
    let mut state = flow::start(&rb, &mut worker, &mut sink, Key::from_seed(1), 0).unwrap();
    let read = Read::new(&rb, &state);
    let hill = rb.board().place_named("Hill").unwrap();
    let names: Vec<_> = read.bodies(hill).map(|b| read.piece_def(b).name.as_str()).collect();
    assert_eq!(names, ["1st Foot", "Works 1", "2nd Foot"]);
    assert_eq!(read.facing(BodyId(1)), 2);
    assert!(read.face_up(BodyId(3)) && !read.face_up(BodyId(2)));
    let mut asked = Vec::new();
    while let Some((seat, _)) = flow::pick_asked(&state, &mut |_| 0) {
        asked.push(format!("{} {}", rb.seat(seat).name, rb.word(state.phase().unwrap())));
        let action = Action::new(rb.word_named("done").unwrap());
        if let Err(fault) = flow::act(&rb, &mut worker, &mut sink, &mut state, seat, &action) {
            // Nobody wins this game: its sequence comes to an end.
            assert!(fault.to_string().contains("the sequence of play is over"), "{fault}");
            break;
        }
    }
    // Red moves in turn 1, and from turn 2 on there is an end.
    let later = ["blue movement", "red movement", "blue end"];
    let all: Vec<&str> = ["red movement"].into_iter().chain(later).chain(later).chain(later).collect();
    assert_eq!(asked, all);
}
