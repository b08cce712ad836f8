//! The operations, one by one, on a board of three areas with two sides of four look-alike pieces each.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod three_areas;

use std::sync::Arc;

use adjutant_kernel::flow::{self, Halt, Imagine, ProcRef, Threshold};
use adjutant_kernel::knowledge::{About, QuestionKind};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::{Dest, Edit, EditError, Telling};
use adjutant_kernel::provenance::Provenance;
use adjutant_kernel::rulebook::*;
use adjutant_kernel::state::Position;
use adjutant_kernel::tables::{Axis, Dice, Ends, Span, TableBuilder};
use adjutant_kernel::view::{self, Ciphers, Names, View};
use adjutant_kernel::*;
use three_areas::Table;

type Doing = Box<dyn Fn(&Ids, &mut Cx<'_>) -> Result<Flow, Halt> + Send + Sync>;

/// Everything by number, and what the puppet does when told "do n".
struct Ids {
    go: WordId,
    prompt: WordId,
    cause: WordId,
    seats: [SeatId; 2],
    real: PieceSetId,
    is_real: QuestionId,
    later: MomentId,
    step: MomentId,
    rule: RuleId,
    other_rule: RuleId,
    die: TableId,
    tired: Column<PieceId>,
    moved: Column<BodyId>,
    points: Column<SideId>,
    flags: Column<(SpaceId, SideId)>,
    open: Column<SpaceId>,
    notes: RecordId,
    puppet: ProcRef<Puppet>,
    restless: ProcRef<Restless>,
    branch: ProcRef<Branch>,
    doings: Vec<Doing>,
}

#[derive(Locals)]
struct Puppet {
    #[local(class = "hidden")]
    next: Option<i32>,
}

impl Procedure for Puppet {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, ids: &Ids, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        match self.next.take() {
            Some(n) => ids.doings[n as usize](ids, cx),
            None => Ok(Flow::ask(ids.seats[0], ids.prompt)),
        }
    }

    fn offers(&self, ids: &Ids, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        (0..ids.doings.len() as i16).for_each(|n| out.add(Action::new(ids.go).on(n)));
    }

    fn act(&mut self, ids: &Ids, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        ids.doings[action.number(0).unwrap() as usize](ids, cx)
    }
}

/// It calls a puppet that is over at once, and again, without end.
#[derive(Locals)]
struct Restless {}

impl Procedure for Restless {
    type Module = Ids;

    fn run(&mut self, ids: &Ids, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(ids.puppet.call(Puppet { next: Some(1) }))
    }
}

/// A branch of a fork: `do 0` marks a piece of the seat's side tired, `do 1` writes what it may not, `do 2`
/// commits.
#[derive(Locals)]
struct Branch {
    #[local(class = "owner")]
    secret: Option<SpaceId>,
    side: SideId,
}

impl Procedure for Branch {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::Blank;

    fn run(&mut self, ids: &Ids, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(ids.seats[self.side.index()], ids.prompt))
    }

    fn offers(&self, ids: &Ids, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        (0..3i16).for_each(|n| out.add(Action::new(ids.go).on(n)));
    }

    fn act(&mut self, ids: &Ids, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let own = PieceId(u16::from(self.side.0) * 4);
        match action.number(0) {
            Some(0) => {
                cx.set(ids.tired, own, 1)?;
                self.secret = Some(SpaceId(2));
            }
            Some(1) => cx.set(ids.points, self.side, 3)?,
            _ => return Ok(Flow::Done),
        }
        Ok(Flow::ask(ids.seats[self.side.index()], ids.prompt))
    }

    fn owner(&self) -> Option<SideId> {
        Some(self.side)
    }
}

const RED: SideId = SideId(0);
const GREY: SideId = SideId(1);

fn body(n: u16) -> BodyId {
    BodyId(n)
}

fn place(n: u16) -> PlaceId {
    PlaceId(n)
}

/// Red has two foot (0, 1), a leader (2) and a dummy (3); grey the same (4 to 7). Area 2 is open while its
/// column says so, the others close.
fn rulebook(doings: Vec<Doing>) -> (Rulebook, Arc<Ids>) {
    let mut b = RulebookBuilder::new("puppet", "1", three_areas::board());
    let (red, grey) = (b.side("red"), b.side("grey"));
    let seats = [b.seat("red", Some(red), SeatRole::Player), b.seat("grey", Some(grey), SeatRole::Player)];
    b.seat("gallery", None, SeatRole::Spectator);
    for (side, letter) in [(red, "r"), (grey, "g")] {
        let deck = b.deck(letter, side);
        for (name, kind) in [("1", "foot"), ("2", "foot"), ("L", "leader"), ("D", "dummy")] {
            b.piece(&format!("{letter}{name}"), Some(side), kind, Some(deck), &[]);
        }
    }
    let foot = b.word("foot");
    let real = b.piece_set("real", |_, piece| piece.kind == foot);
    let rule = b.rule("pu:1");
    let flag = ValueKind::Flag;
    let open = b.column("open", flag.clone(), 0, ColumnClass::Public);
    let (is_real, later, step) =
        (b.question("real", QuestionKind::Any(real)), b.moment("later"), b.moment("step"));
    let level = |level, places: &[u16], column: Option<(ColumnId, i32)>| LevelRule {
        decks: Vec::new(),
        places: places.iter().copied().map(PlaceId).collect(),
        onlooker: Onlooker::Others,
        when: LevelCondition { column, option: None },
        level,
        rule,
    };
    b.level(level(Level::Top, &[0, 1, 2], Some((open.id, 1))));
    b.level(level(Level::Order, &[0, 1, 2], None));
    b.level(level(Level::Number, &[3], None));
    let table = TableBuilder::new("die", Provenance::printed("test"))
        .dice(Dice::one(6))
        .rows(Axis::Numbers {
            spans: vec!["1..3".parse::<Span>().unwrap(), "4..6".parse::<Span>().unwrap()],
            ends: Ends::REFUSE,
        })
        .row([0])
        .row([1])
        .build()
        .unwrap();
    let (puppet, branch) = (b.proc::<Puppet>("puppet"), b.proc::<Branch>("branch"));
    let points = b.column("points", ValueKind::Int { min: 0, max: 9 }, 0, ColumnClass::Public);
    let ids = Arc::new(Ids {
        go: b.word("do"),
        prompt: b.word("what"),
        cause: b.word("march"),
        seats,
        real,
        is_real,
        later,
        step,
        rule,
        other_rule: b.rule("pu:2"),
        die: b.table("die", table),
        tired: b.column("tired", flag.clone(), 0, ColumnClass::Owner),
        moved: b.column("moved", flag.clone(), 0, ColumnClass::Public),
        points,
        flags: b.column("flags", flag, 0, ColumnClass::Public),
        open,
        notes: b.relation("notes", &[("n", FieldKind::Int)], 2, ColumnClass::Public),
        puppet,
        restless: b.proc("restless"),
        branch,
        doings,
    });
    b.reset_at(ids.flags, ids.later, false);
    b.define(puppet, &ids);
    b.define(ids.restless, &ids);
    b.define(branch, &ids);
    b.watch(points, Threshold::AtLeast(9), puppet.with(Puppet { next: Some(0) }));
    b.instead(step, ids.other_rule, None, puppet.with(Puppet { next: Some(2) }));
    b.opening(puppet.with(Puppet { next: None }));
    (b.build().unwrap(), ids)
}

struct Play {
    ids: Arc<Ids>,
    table: Table,
}

impl std::ops::Deref for Play {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl std::ops::DerefMut for Play {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

impl Play {
    fn new(doings: Vec<Doing>) -> Self {
        let (rb, ids) = rulebook(doings);
        Self { ids, table: Table::start(rb, 5) }
    }

    fn act(&mut self, seat: usize, n: i16) -> Result<(), Fault> {
        let (seat, go) = (self.ids.seats[seat], self.ids.go);
        self.table.act(seat, go, n)
    }

    fn view(&self, viewer: Viewer) -> View {
        let mut ciphers = Ciphers::default();
        let names = Names::new(self.st.ciphers(&self.rb, &mut ciphers), self.read());
        view::view(&names, Some(viewer), None)
    }

    fn candidates(&self, viewer: Viewer, n: u16) -> Vec<String> {
        let seen = Seen::new(self.read(), viewer);
        seen.candidates(body(n)).iter().map(|&p| self.rb.piece(p).name.clone()).collect()
    }
}

fn doing(f: impl Fn(&Ids, &mut Cx<'_>) -> Result<(), Halt> + Send + Sync + 'static) -> Doing {
    Box::new(move |ids, cx| {
        f(ids, cx)?;
        Ok(Flow::ask(ids.seats[0], ids.prompt))
    })
}

/// Both sides stand in area a, each as one stack.
fn deploy() -> Doing {
    doing(|ids, cx| {
        for n in [0u16, 4] {
            let bodies: Vec<BodyId> = (n..n + 4).map(BodyId).collect();
            cx.move_group(ids.cause, &bodies, Dest::NewStack(place(0)))?;
        }
        Ok(())
    })
}

fn telling<'a>(ids: &Ids, bodies: &'a [BodyId]) -> Telling<'a> {
    Telling {
        question: ids.is_real,
        bodies,
        about: About::Bodies,
        audience: Audience::ALL,
        rule: ids.rule,
        lapse: ids.later,
    }
}

#[test]
fn a_reveal_takes_the_piece_out_of_all_other_sets() {
    let mut play = Play::new(vec![deploy(), doing(|ids, cx| cx.reveal(body(4), ids.rule))]);
    play.act(0, 0).unwrap();
    assert_eq!(play.candidates(Viewer::Side(RED), 5), ["g1", "g2", "gL", "gD"]);
    play.act(0, 1).unwrap();
    assert_eq!(play.candidates(Viewer::Side(RED), 4), ["g1"]);
    assert_eq!(play.candidates(Viewer::Public, 5), ["g2", "gL", "gD"]);
    assert_eq!(play.candidates(Viewer::Side(GREY), 5), ["g2"], "owners know their own");
}

#[test]
fn a_mix_gives_the_union_and_new_handles_to_everybody_else() {
    let mut play = Play::new(vec![
        deploy(),
        doing(|ids, cx| {
            cx.reveal(body(4), ids.rule)?;
            cx.conceal(body(4))
        }),
        doing(|_, cx| cx.mix(&[body(4), body(5)])),
    ]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    let handles = |play: &Play, viewer| -> Vec<String> {
        play.view(viewer).places["a"].stacks[1].bodies.iter().map(|b| b.handle.clone()).collect()
    };
    let (red, grey) = (handles(&play, Viewer::Side(RED)), handles(&play, Viewer::Side(GREY)));
    play.act(0, 2).unwrap();
    let after = handles(&play, Viewer::Side(RED));
    assert!(!red.contains(&after[0]) && !red.contains(&after[1]), "new handles: {red:?} {after:?}");
    assert_eq!(after[2..], red[2..], "the others keep theirs");
    assert_eq!(handles(&play, Viewer::Side(GREY)), grey, "so does the owner");
    for n in [4, 5] {
        assert_eq!(play.candidates(Viewer::Side(RED), n), ["g1", "g2", "gL", "gD"]);
    }
    assert_eq!(play.candidates(Viewer::Side(RED), 6), ["g2", "gL", "gD"]);
}

#[test]
fn bodies_that_look_different_are_not_mixed() {
    let mut play = Play::new(vec![
        deploy(),
        doing(|ids, cx| {
            cx.set(ids.moved, body(4), 1)?;
            cx.mix(&[body(4), body(5)])
        }),
    ]);
    play.act(0, 0).unwrap();
    assert!(matches!(play.act(0, 1), Err(Fault::Knowledge { .. })));
}

#[test]
fn told_answers_stand_for_larger_sets_until_they_lapse() {
    let mut play = Play::new(vec![
        deploy(),
        doing(|ids, cx| cx.tell(telling(ids, &[body(4), body(6)])).map(drop)),
        Box::new(|ids, _| Ok(Flow::moment(ids.later))),
    ]);
    play.act(0, 0).unwrap();
    let any = |play: &Play, list: &[u16]| {
        let bodies: Vec<BodyId> = list.iter().copied().map(BodyId).collect();
        Seen::new(play.read(), Viewer::Side(RED)).any(play.ids.real, &bodies)
    };
    assert_eq!(any(&play, &[4, 6]), Tri::Unknown);
    play.act(0, 1).unwrap();
    assert_eq!(any(&play, &[4, 6]), Tri::Yes);
    assert_eq!(any(&play, &[4, 5, 6]), Tri::Yes);
    assert_eq!(any(&play, &[4]), Tri::Unknown);
    assert_eq!(play.view(Viewer::Public).told.len(), 1);
    play.act(0, 2).unwrap();
    assert_eq!(any(&play, &[4, 6]), Tri::Unknown);
}

#[test]
fn a_yes_about_one_and_a_no_narrow_for_good() {
    let mut play = Play::new(vec![
        deploy(),
        doing(|ids, cx| {
            cx.tell(telling(ids, &[body(4)]))?;
            cx.tell(telling(ids, &[body(6), body(7)])).map(drop)
        }),
    ]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    assert_eq!(play.candidates(Viewer::Side(RED), 4), ["g1", "g2"]);
    assert_eq!(play.candidates(Viewer::Side(RED), 6), ["gL", "gD"]);
    assert!(play.view(Viewer::Public).told.is_empty());
}

#[test]
fn a_mix_that_takes_in_part_of_a_told_set_widens_it() {
    let mut play = Play::new(vec![
        deploy(),
        doing(|ids, cx| {
            cx.tell(telling(ids, &[body(4), body(6)]))?;
            cx.mix(&[body(6), body(7)])
        }),
    ]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    let seen = Seen::new(play.read(), Viewer::Side(RED));
    assert_eq!(seen.any(play.ids.real, &[body(4), body(6)]), Tri::Unknown);
    assert_eq!(seen.any(play.ids.real, &[body(4), body(6), body(7)]), Tri::Yes);
}

#[test]
fn narrowing_to_what_is_not_so_is_a_fault() {
    let mut play = Play::new(vec![deploy(), doing(|ids, cx| cx.narrow(body(6), ids.real, ids.rule))]);
    play.act(0, 0).unwrap();
    assert!(matches!(play.act(0, 1), Err(Fault::Knowledge { .. })));
}

#[test]
fn whoever_comes_to_be_on_top_in_the_open_is_revealed() {
    let go = |settle: bool| {
        doing(move |ids, cx| {
            cx.set(ids.open, SpaceId(2), 1)?;
            cx.move_group(ids.cause, &[body(6), body(5)], Dest::NewStack(place(2)))?;
            if settle { cx.settle(place(2)) } else { Ok(()) }
        })
    };
    let mut play = Play::new(vec![deploy(), go(true), go(false)]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    assert_eq!(play.candidates(Viewer::Side(RED), 6), ["gL"]);
    let view = play.view(Viewer::Side(RED));
    assert_eq!((view.places["c"].stacks[0].bodies.len(), view.places["c"].stacks[0].more), (1, 1));
    assert_eq!(play.view(Viewer::Side(GREY)).places["c"].stacks[0].bodies.len(), 2);
    let mut play = Play::new(vec![deploy(), go(true), go(false)]);
    play.act(0, 0).unwrap();
    assert!(matches!(play.act(0, 2), Err(Fault::Knowledge { .. })), "and whoever forgets it is told so");
}

#[test]
fn the_pool_shows_numbers_only() {
    let pool = doing(|ids, cx| {
        cx.move_group(ids.cause, &[body(7)], Dest::Place(place(3), Position::Bottom)).map(drop)
    });
    let mut play = Play::new(vec![deploy(), pool]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    let view = play.view(Viewer::Side(RED));
    assert!(view.places["pool"].bodies.is_empty());
    assert_eq!(view.places["pool"].more["grey"], 1);
    assert_eq!(play.view(Viewer::Side(GREY)).places["pool"].bodies.len(), 1);
}

#[test]
fn draws_are_numbered_by_stream_and_a_secret_one_shifts_no_public_one() {
    let public = || {
        doing(|ids, cx| {
            let drawn = cx.draw(None, ids.die, 6)?;
            cx.report(drawn, ids.rule, |_| {});
            Ok(())
        })
    };
    let secret = doing(|ids, cx| {
        let drawn = cx.draw(Some(GREY), ids.die, 6)?;
        cx.report(drawn, ids.rule, |_| {});
        Ok(())
    });
    let mut play = Play::new(vec![public(), secret]);
    let mut twin = Play::new(vec![public(), doing(|_, _| Ok(()))]);
    let dice = |play: &mut Play, viewer| {
        let (events, barrier) = play.sink.take();
        let shown = events.iter().filter_map(|e| e.shown(&play.rb, Some(viewer)).cloned());
        (shown.collect::<Vec<_>>(), barrier)
    };
    for n in [0, 1, 0] {
        play.act(0, n).unwrap();
        twin.act(0, n).unwrap();
        let (a, b) = (dice(&mut play, Viewer::Side(RED)), dice(&mut twin, Viewer::Side(RED)));
        assert_eq!(a.0, b.0, "red sees the same with and without grey's draw");
        assert_eq!(a.1.public, n == 0);
        assert_eq!(a.1.private.is_some(), n == 1);
    }
}

#[test]
fn forced_dice_are_used_up_in_order_and_an_unreported_draw_is_a_fault() {
    let mut play = Play::new(vec![
        doing(|ids, cx| {
            let drawn = cx.throw(None, ids.die)?;
            let value = cx.report(drawn, ids.rule, |_| {});
            cx.set(ids.points, RED, value)
        }),
        doing(|ids, cx| cx.draw(None, ids.die, 6).map(drop)),
    ]);
    let (die, points) = (play.ids.die, play.ids.points);
    play.st.force(die, 4);
    play.st.force(die, 2);
    play.act(0, 0).unwrap();
    assert_eq!(play.read().get(points, RED), 4);
    play.act(0, 0).unwrap();
    assert_eq!(play.read().get(points, RED), 2);
    assert!(matches!(play.act(0, 1), Err(Fault::Rules { .. })));
}

#[test]
fn branches_write_what_their_side_owns_and_nothing_else() {
    let fork: Doing = Box::new(|ids, _| {
        let branch = |side: SideId| (ids.seats[side.index()], ids.branch.with(Branch { secret: None, side }));
        Ok(Flow::Fork { branches: [branch(RED), branch(GREY)].into_iter().collect(), together: true })
    });
    let mut play = Play::new(vec![fork]);
    play.act(0, 0).unwrap();
    let before = play.view(Viewer::Public);
    assert_eq!(before.asked, ["red", "grey"]);
    let mut spoilt = play.st.clone();
    std::mem::swap(&mut spoilt, &mut play.st);
    assert!(matches!(play.act(0, 1), Err(Fault::Branch { .. })));
    play.st = spoilt;
    play.act(0, 0).unwrap();
    play.act(1, 0).unwrap();
    play.act(1, 2).unwrap();
    assert_eq!(play.view(Viewer::Public), before, "nothing shows, not even who has committed");
    assert!(play.st.committed(play.ids.seats[1]));
    play.act(0, 2).unwrap();
    assert_eq!(play.view(Viewer::Public).asked, ["red"], "joined, and the puppet asks again");
}

#[test]
fn a_watch_drops_what_goes_on() {
    let mut play = Play::new(vec![
        Box::new(|ids, cx| {
            cx.end_game(Some(GREY), ids.rule)?;
            Ok(Flow::Done)
        }),
        doing(|ids, cx| {
            cx.set(ids.points, RED, 9)?;
            unreachable!("the watch fires in the operation")
        }),
    ]);
    play.act(0, 1).unwrap();
    assert_eq!(play.st.outcome().and_then(|o| o.winner), Some(GREY));
    assert!(flow::asked(&play.st).is_none());
    assert!(play.act(0, 1).is_err(), "nobody is asked after the end");
}

#[test]
fn everything_after_the_end_is_refused_and_everything_ends() {
    let after = doing(|ids, cx| {
        cx.end_game(None, ids.rule)?;
        cx.set(ids.points, RED, 1)
    });
    let endless: Doing = Box::new(|_, _| Ok(Flow::Again));
    let mut play = Play::new(vec![after, endless]);
    let st = play.st.clone();
    assert_eq!(play.act(0, 0), Err(Fault::Ended));
    play.st = st;
    assert!(play.act(0, 1).is_ok(), "again runs the puppet, which asks");
    let forever: Doing = Box::new(|ids, _| Ok(ids.puppet.call(Puppet { next: Some(0) })));
    let mut play = Play::new(vec![forever]);
    let deep = play.act(0, 0).unwrap_err().to_string();
    assert!(deep.contains("more than 1000 procedures wait on one another; the last is `puppet`"), "{deep}");
    let ends: Doing = Box::new(|_, _| Ok(Flow::Done));
    let again: Doing = Box::new(|ids, _| Ok(ids.restless.call(Restless {})));
    let mut play = Play::new(vec![again, ends]);
    assert!(matches!(play.act(0, 0), Err(Fault::StepBound { .. })));
}

#[test]
fn bounds_relations_and_commands_are_checked() {
    let mut play = Play::new(vec![
        doing(|ids, cx| cx.set(ids.points, RED, 10)),
        doing(|ids, cx| (0..3).try_for_each(|n| cx.record(ids.notes, &[n]))),
        doing(|ids, cx| {
            cx.move_group(ids.cause, &[body(0)], Dest::Place(place(0), Position::Top))?;
            cx.move_group(ids.cause, &[body(1)], Dest::Command(body(0)))?;
            assert_eq!(cx.read().place(body(1)), Some(place(0)));
            cx.move_group(ids.cause, &[body(0)], Dest::Command(body(1))).map(drop)
        }),
    ]);
    let st = play.st.clone();
    assert!(matches!(play.act(0, 0), Err(Fault::OutOfBounds { min: 0, max: 9, value: 10, .. })));
    play.st = st.clone();
    assert!(matches!(play.act(0, 1), Err(Fault::Full { max: 2, .. })));
    play.st = st;
    assert!(matches!(play.act(0, 2), Err(Fault::Rules { .. })));
}

#[test]
fn moments_reset_and_stand_in_and_may_be_skipped() {
    let by_moment: Doing = Box::new(|ids, cx| {
        cx.set(ids.flags, (SpaceId(1), GREY), 1)?;
        Ok(Flow::moment(ids.later))
    });
    let stand_in: Doing = Box::new(|ids, _| Ok(Flow::moment(ids.step)));
    let instead: Doing = Box::new(|ids, cx| {
        cx.add(ids.points, GREY, 1)?;
        Ok(Flow::Done)
    });
    let mut play = Play::new(vec![by_moment, stand_in, instead]);
    play.act(0, 0).unwrap();
    assert!(!play.read().flag(play.ids.flags, (SpaceId(1), GREY)));
    play.act(0, 1).unwrap();
    assert_eq!(play.read().get(play.ids.points, GREY), 1);
    let rule = play.ids.other_rule;
    play.st.skip(rule);
    play.act(0, 1).unwrap();
    assert_eq!(play.read().get(play.ids.points, GREY), 1, "skipped by the umpire");
}

#[test]
fn an_umpires_edit_obeys_knowledge() {
    let mut play =
        Play::new(vec![deploy(), doing(|ids, cx| cx.tell(telling(ids, &[body(4), body(6)])).map(drop))]);
    play.act(0, 0).unwrap();
    let edits = [Edit::Place { bodies: vec![body(4)], place: place(1), stacked: true }];
    play.edit(&edits).unwrap();
    assert_eq!(play.read().space(body(4)), Some(SpaceId(1)));
    assert_eq!(play.candidates(Viewer::Side(RED), 4).len(), 4, "moved face down");
    play.edit(&[Edit::Reveal(body(4))]).unwrap();
    assert_eq!(play.candidates(Viewer::Side(RED), 4), ["g1"]);
    let bad = Edit::Set { column: play.ids.points.id, holder: 0, side: 0, value: 99 };
    let result = play.edit(&[bad]);
    assert!(matches!(result, Err(EditError::Fault(Fault::OutOfBounds { .. }))));
}

#[test]
fn states_are_plain_data() {
    let mut play =
        Play::new(vec![deploy(), doing(|ids, cx| cx.tell(telling(ids, &[body(4), body(6)])).map(drop))]);
    play.act(0, 0).unwrap();
    play.act(0, 1).unwrap();
    let json = serde_json::to_string(&play.st).unwrap();
    let back: State = serde_json::from_str(&json).unwrap();
    assert_eq!(back, play.st);
    assert_eq!(back.digest(), play.st.digest());
}
