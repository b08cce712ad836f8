//! What a table of people relies on beside the rules: numbers of faults, answers given in advance, files.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::sync::Arc;

use adjutant::game::{MOST_NOTES, MOST_STANDING};
use adjutant::kernel::board::{BoardBuilder, Provenance};
use adjutant::kernel::knowledge::Seen;
use adjutant::kernel::locals::Locals;
use adjutant::kernel::rulebook::SeatRole;
use adjutant::kernel::view::ShownAction;
use adjutant::kernel::{
    Action, Cx, Flow, Halt, Offers, Procedure, Refused, Rulebook, RulebookBuilder, SeatId, WordId,
};
use adjutant::{Game, Incompatible, LoadError, Save, Setup, Standing};

const BLUE: SeatId = SeatId(0);
const RED: SeatId = SeatId(1);
const UMPIRE: SeatId = SeatId(2);

struct Words {
    go: WordId,
    reply: WordId,
    pass: WordId,
    stay: WordId,
    spoil: WordId,
}

/// Blue and red are asked by turns: to pass, to stay (a draft), or to do what the rules cannot carry out.
#[derive(Default, Locals)]
struct Turns {
    turn: i32,
    stayed: i32,
}

impl Procedure for Turns {
    type Module = Words;

    fn run(&mut self, words: &Words, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(if self.turn % 2 == 0 { Flow::ask(BLUE, words.go) } else { Flow::ask(RED, words.reply) })
    }

    fn offers(&self, words: &Words, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        [words.pass, words.stay, words.spoil].into_iter().for_each(|verb| out.add(Action::new(verb)));
    }

    fn act(&mut self, words: &Words, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        match action.verb {
            verb if verb == words.pass => self.turn += 1,
            verb if verb == words.stay => self.stayed += 1,
            _ => return Err(cx.fault(format!("spoilt after {} stays", self.stayed))),
        }
        Ok(Flow::Again)
    }
}

fn rulebook() -> Arc<Rulebook> {
    let mut board = BoardBuilder::new("table", Provenance::printed("map"));
    board.space("here");
    let mut rb = RulebookBuilder::new("turns", "1", board.build().unwrap());
    for name in ["blue", "red"] {
        let side = rb.side(name);
        rb.seat(name, Some(side), SeatRole::Player);
    }
    rb.seat("umpire", None, SeatRole::Umpire);
    let mut word = |text: &str| rb.word(text);
    let words = Words {
        go: word("go"),
        reply: word("reply"),
        pass: word("pass"),
        stay: word("stay"),
        spoil: word("spoil"),
    };
    let turns = rb.proc::<Turns>("turns");
    rb.define(turns, &Arc::new(words));
    rb.opening(turns.with(Turns::default()));
    Arc::new(rb.build().unwrap())
}

fn begin() -> Game {
    Game::start(&rulebook(), Setup::default()).unwrap()
}

fn act(game: &mut Game, seat: SeatId, verb: &str) -> Result<(), Refused> {
    game.act(seat, None, &ShownAction { verb: verb.to_owned(), targets: Vec::new() }).map(drop)
}

fn answer(prompt: &str, verb: &str) -> Standing {
    Standing { prompt: prompt.to_owned(), verb: verb.to_owned(), until: None }
}

fn asked(game: &mut Game) -> Vec<String> {
    game.view(UMPIRE).position.asked
}

#[test]
fn a_seat_counts_its_own_faults() {
    let mut game = begin();
    for number in 1..=3 {
        assert_eq!(act(&mut game, BLUE, "spoil"), Err(Refused::Fault(number)));
    }
    act(&mut game, BLUE, "pass").unwrap();
    // Red's first fault is its first, whatever blue met.
    assert_eq!(act(&mut game, RED, "spoil"), Err(Refused::Fault(1)));
    let notes: Vec<_> = game.faults().map(|n| (n.seat, n.first, n.last)).collect();
    assert_eq!(notes, [(Some(BLUE), 1, 3), (Some(RED), 1, 1)]);
    assert!(game.fault(Some(BLUE), 2).unwrap().to_string().contains("spoilt after 0 stays"));
    assert_eq!((game.fault(Some(BLUE), 4), game.fault(None, 1)), (None, None));
}

#[test]
fn faults_are_kept_within_limits() {
    let mut game = begin();
    for _ in 0..10_000 {
        act(&mut game, BLUE, "spoil").unwrap_err();
    }
    assert_eq!(game.faults().count(), 1, "the same fault is one note");
    for stays in 1..=3 * MOST_NOTES {
        act(&mut game, BLUE, "stay").unwrap();
        assert_eq!(act(&mut game, BLUE, "spoil"), Err(Refused::Fault(10_000 + stays as u32)));
    }
    assert_eq!(game.faults().count(), MOST_NOTES);
    let last = 10_000 + 3 * MOST_NOTES as u32;
    assert!(game.fault(Some(BLUE), last).is_some() && game.fault(Some(BLUE), 10_000).is_none());
}

#[test]
fn an_answer_in_advance_applies_at_once() {
    let mut game = begin();
    game.stand(BLUE, answer("go", "pass")).unwrap();
    assert_eq!(asked(&mut game), ["red"], "blue was asked already");
    act(&mut game, RED, "pass").unwrap();
    assert_eq!(asked(&mut game), ["red"], "and is answered for every time");
    let standing = |e: &adjutant::Entry| matches!(e, adjutant::Entry::Act { standing: true, .. });
    assert_eq!(game.journal().iter().filter(|e| standing(e)).count(), 2);
    game.withdraw_standing(BLUE);
    act(&mut game, RED, "pass").unwrap();
    assert_eq!(asked(&mut game), ["blue"]);
}

#[test]
fn an_answer_in_advance_waits_for_an_open_draft() {
    let mut game = begin();
    act(&mut game, BLUE, "stay").unwrap();
    game.stand(BLUE, answer("go", "pass")).unwrap();
    assert_eq!(asked(&mut game), ["blue"], "what blue is about to do is not published for it");
    game.undo(BLUE).unwrap();
    assert_eq!(asked(&mut game), ["blue"], "to take something back commits nothing");
    act(&mut game, BLUE, "pass").unwrap();
    act(&mut game, RED, "pass").unwrap();
    assert_eq!(asked(&mut game), ["red"], "the next time it is given");
}

#[test]
fn an_answer_in_advance_applies_after_an_umpires_edit() {
    let mut game = begin();
    game.stand(BLUE, answer("go", "pass")).unwrap();
    act(&mut game, RED, "stay").unwrap();
    game.undo(RED).unwrap();
    assert!(game.edit(&[]).is_ok());
    assert_eq!(asked(&mut game), ["red"]);
}

#[test]
fn taking_back_what_an_answer_did_withdraws_it() {
    let mut game = begin();
    game.stand(BLUE, answer("go", "stay")).unwrap();
    assert!(game.may_undo(BLUE));
    game.undo(BLUE).unwrap();
    assert_eq!(game.standing(BLUE), []);
    assert!(!game.may_undo(BLUE), "it is not given again at once");
}

#[test]
fn answers_in_advance_are_saved() {
    let mut game = begin();
    game.stand(RED, answer("reply", "pass")).unwrap();
    for save in [game.save(), game.save_from_snapshot(), game.save_with_snapshot()] {
        let read = Save::from_json(&save.to_json()).unwrap();
        let mut loaded = Game::load(game.rulebook(), &read).unwrap();
        assert_eq!(loaded.standing(RED), game.standing(RED));
        act(&mut loaded, BLUE, "pass").unwrap();
        assert_eq!(asked(&mut loaded), ["blue"], "red's answer was given");
    }
    let mut wrong = game.save();
    wrong.standing.insert("green".to_owned(), vec![answer("go", "pass")]);
    let refused = Game::load(game.rulebook(), &wrong).unwrap_err();
    assert!(matches!(refused, Incompatible::Standing { ref seat, .. } if seat == "green"), "{refused}");
}

#[test]
fn a_seat_that_is_not_there_is_refused() {
    let mut game = begin();
    for seat in [SeatId(9), SeatId(32), SeatId(64), SeatId(255)] {
        assert_eq!(game.resign(seat), Err(Refused::NotAsked));
        assert_eq!(game.offers(seat), []);
        let pass = ShownAction { verb: "pass".to_owned(), targets: Vec::new() };
        assert_eq!(game.explain(seat, &pass), Some(Refused::NotAsked));
        assert_eq!(game.act(seat, None, &pass), Err(Refused::NotAsked));
    }
}

#[test]
fn an_answer_in_advance_must_mean_something() {
    let mut game = begin();
    let unknown = |text: &str| Err(Refused::Unknown(text.to_owned()));
    assert_eq!(game.stand(BLUE, answer("goo", "pass")), unknown("prompt `goo`"));
    assert_eq!(game.stand(BLUE, answer("go", "fly")), unknown("verb `fly`"));
    let until = Standing { until: Some("noon".to_owned()), ..answer("go", "pass") };
    assert_eq!(game.stand(BLUE, until), unknown("phase `noon`"));
    // An umpire may be asked too.
    assert_eq!(game.stand(UMPIRE, answer("go", "pass")), Ok(()));
    game.withdraw_standing(UMPIRE);
    assert_eq!(game.stand(SeatId(9), answer("go", "pass")), Err(Refused::NotAsked));
    for _ in 0..MOST_STANDING {
        game.stand(RED, answer("reply", "pass")).unwrap();
    }
    assert!(game.stand(RED, answer("reply", "pass")).is_err());
}

/// A folder of its own that is gone afterwards.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("adjutant-table-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn files(&self) -> Vec<String> {
        let names = std::fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name());
        names.map(|n| n.into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn games_go_to_files_and_back() {
    let folder = Folder::new("files");
    let file = folder.0.join("game.json");
    let mut game = begin();
    game.save_to(&file).unwrap();
    act(&mut game, BLUE, "pass").unwrap();
    game.save_to(&file).unwrap();
    let loaded = Game::load_from(game.rulebook(), &file).unwrap();
    assert_eq!((loaded.state(), loaded.journal()), (game.state(), game.journal()));
    assert_eq!(folder.files(), ["game.json"], "nothing else is left behind");
}

#[test]
fn errors_of_files_name_the_file_and_the_cause() {
    let folder = Folder::new("errors");
    let (game, missing) = (begin(), folder.0.join("missing.json"));
    let error = Game::load_from(game.rulebook(), &missing).unwrap_err();
    assert!(matches!(error, LoadError::Io(_)), "{error}");
    assert!(error.to_string().contains("missing.json: it cannot be read: "), "{error}");

    let error = game.save_to(folder.0.join("no/such/folder.json")).unwrap_err();
    assert!(error.to_string().contains("folder.json: it cannot be written: "), "{error}");
    // A folder stands where the file should: it still does, and nothing is left beside it.
    let taken = folder.0.join("taken");
    std::fs::create_dir(&taken).unwrap();
    game.save_to(&taken).unwrap_err();
    assert_eq!(folder.files(), ["taken"]);
    assert!(game.save_to("").is_err() && game.save_to("/").is_err());

    let bad = folder.0.join("bad.json");
    std::fs::write(&bad, b"\xff\xfe").unwrap();
    let error = Game::load_from(game.rulebook(), &bad).unwrap_err();
    assert!(matches!(error, LoadError::Incompatible { .. }), "{error}");
    assert!(error.to_string().contains("bad.json: this is no saved game: "), "{error}");
}
