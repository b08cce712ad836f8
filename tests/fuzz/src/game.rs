//! Games in which everybody does the wrong thing at the wrong moment: what was offered earlier or to another seat,
//! an umpire who edits, fixes dice and switches rules off in the middle, undo at any time.

use std::path::Path;

use adjutant::kernel::view::ShownAction;
use adjutant::kernel::{PlaceId, Refused, SeatId, TableId};
use adjutant::{Game, NamedEdit, Random, Rules, Setup};

use crate::Target;
use crate::corpus::{Case, titles};
use crate::play::{goes_on, replays};

/// What is done in a game, at most.
const STEPS: usize = 150;

pub(crate) struct Games {
    random: Random,
    titles: Vec<(&'static str, Rules)>,
}

impl Games {
    pub(crate) fn new(seed: u64) -> Result<Self, String> {
        let open = |name| Ok((name, pack_games::open(name)?.rules().clone()));
        let titles = titles().map(open).collect::<Result<_, String>>()?;
        Ok(Self { random: Random::new(seed), titles })
    }
}

impl Target for Games {
    /// A case is the name of a title and a seed from which all else follows.
    fn next(&mut self) -> Case {
        let (name, _) = self.titles[self.random.below(self.titles.len())];
        let seed = self.random.word().to_string();
        Case { files: [(name.to_owned(), seed.into_bytes())].into() }
    }

    fn try_case(&self, _: &Path, case: &Case) -> &'static str {
        let Some((name, seed)) = case.files.iter().next() else { return "empty" };
        let seed = String::from_utf8_lossy(seed).parse().unwrap_or_default();
        let Some((_, rules)) = self.titles.iter().find(|(title, _)| title == name) else {
            return "of no pack";
        };
        let mut random = Random::new(seed);
        let options = rules.rulebook().options().iter().map(|o| o.name.clone());
        let options = options.filter(|_| random.percent(50)).collect();
        let Ok(game) = Game::start(rules.clone(), Setup { options, seed, ..Setup::default() }) else {
            return "refused";
        };
        let mut table = Table { game, random, offered: Vec::new() };
        for _ in 0..STEPS {
            if table.game.ended() {
                break;
            }
            table.step();
        }
        goes_on(&mut table.game);
        replays(&table.game);
        if table.game.ended() { "ended" } else { "played" }
    }
}

struct Table {
    game: Game,
    random: Random,
    /// What was offered at some time, and to whom.
    offered: Vec<(SeatId, ShownAction)>,
}

impl Table {
    fn step(&mut self) {
        let before = (self.game.digest(), self.game.journal().len());
        let done = match self.random.below(100) {
            0..8 => self.edit(),
            8..10 => self.skip(),
            10..14 => self.force(),
            14 if self.random.percent(10) => {
                let seat = self.seat();
                self.game.resign(seat)
            }
            15..25 => {
                let seat = self.seat();
                self.game.undo(seat)
            }
            25..40 => self.act_wrongly(),
            _ => self.act(),
        };
        if let Err(refused) = done {
            let after = (self.game.digest(), self.game.journal().len());
            assert!(before == after, "refused, and yet something has changed: {refused}");
        }
    }

    fn seat(&mut self) -> SeatId {
        let seats: Vec<SeatId> = self.game.rulebook().seat_ids().collect();
        seats[self.random.below(seats.len())]
    }

    fn act(&mut self) -> Result<(), Refused> {
        let seats: Vec<SeatId> = self.game.rulebook().seat_ids().collect();
        let from = self.offered.len();
        for seat in seats {
            let offers = self.game.packet(seat).offers;
            self.offered.extend(offers.into_iter().map(|action| (seat, action)));
        }
        let Some((seat, action)) = self.random.pick(&self.offered[from..]).cloned() else { return Ok(()) };
        let done = self.game.act(seat, None, &action).map(drop);
        // Rules that an umpire has confused may be at fault; they refuse nothing that they have offered.
        assert!(
            matches!(done, Ok(()) | Err(Refused::Fault(_))),
            "what is offered is refused: {action}: {done:?}"
        );
        // What is remembered is from all of the game.
        while self.offered.len() > 400 {
            self.offered.swap_remove(self.random.below(400));
        }
        done
    }

    /// Something that was offered to somebody at some time.
    fn act_wrongly(&mut self) -> Result<(), Refused> {
        let Some((seat, action)) = self.random.pick(&self.offered).cloned() else { return Ok(()) };
        let seat = if self.random.percent(70) { seat } else { self.seat() };
        let _ = self.game.explain(seat, &action);
        let version = self.random.percent(30).then(|| self.random.below(40) as u32);
        self.game.act(seat, version, &action).map(drop)
    }

    fn edit(&mut self) -> Result<(), Refused> {
        let rb = self.game.rulebook().clone();
        let random = &mut self.random;
        let piece = |random: &mut Random| match random.pick(rb.pieces()) {
            Some(piece) if random.percent(95) => piece.name.clone(),
            _ => "nobody".to_owned(),
        };
        let board = rb.board();
        let place = |random: &mut Random| {
            board.place_name(PlaceId(random.below(board.place_count()) as u16)).to_owned()
        };
        let edit = match random.below(4) {
            0 => NamedEdit::Reveal(piece(random)),
            1 => NamedEdit::Conceal(piece(random)),
            2 => {
                let pieces = (0..=random.below(3)).map(|_| piece(random)).collect();
                NamedEdit::Place { pieces, place: place(random), stacked: random.percent(50) }
            }
            _ => {
                let Some(column) = random.pick(rb.columns()).map(|c| c.name.clone()) else { return Ok(()) };
                let of = match random.below(4) {
                    0 => None,
                    1 => Some(piece(random)),
                    2 => rb.sides().first().cloned(),
                    _ => Some(place(random)),
                };
                let side = if random.percent(40) { rb.sides().last().cloned() } else { None };
                let value = [0, 1, 2, -1, 7, i32::MAX, i32::MIN][random.below(7)];
                NamedEdit::Set { column, of, side, value }
            }
        };
        self.game.edit(&[edit])
    }

    fn skip(&mut self) -> Result<(), Refused> {
        let rb = self.game.rulebook().clone();
        let rules: Vec<_> = rb.attached_rules().collect();
        match self.random.pick(&rules) {
            Some(rule) => self.game.skip(rb.rule(*rule)),
            None => self.game.skip("no:1"),
        }
    }

    fn force(&mut self) -> Result<(), Refused> {
        let rb = self.game.rulebook().clone();
        let count = rb.table_names().count();
        if count == 0 {
            return self.game.force("no table", 1);
        }
        let table = TableId(self.random.below(count) as u16);
        let value = [1, 2, 6, 0, -1, 7, i32::MAX][self.random.below(7)];
        self.game.force(rb.table_name(table), value)
    }
}
