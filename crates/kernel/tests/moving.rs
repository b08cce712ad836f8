//! What moving, joining and mixing bodies shows and demands, on three areas of which each has room for one body.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod three_areas;

use std::sync::Arc;

use adjutant_kernel::flow::{self, Imagine, Item, Sink, phase};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::ops::{Dest, Edit, EditError, edit};
use adjutant_kernel::rulebook::{
    Column, ColumnClass, Level, LevelCondition, LevelRule, Module, Onlooker, Placement, SeatRole, ValueKind,
};
use adjutant_kernel::*;
use three_areas::Table as Play;

type Doing = fn(&Ids, &mut Cx<'_>) -> Result<(), Halt>;

/// What is done at a number; each number is a phase of its own, but for those of `Ids::longer`.
struct Ids {
    go: WordId,
    prompt: WordId,
    causes: Causes,
    moved: Column<BodyId>,
    doings: Vec<Doing>,
    /// Numbers after which the phase goes on.
    longer: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Causes {
    march: WordId,
    retreat: WordId,
    shove: WordId,
    umpire: WordId,
}

#[derive(Locals)]
struct Step {
    #[local(class = "hidden")]
    over: bool,
}

impl Procedure for Step {
    type Module = Ids;

    const IMAGINE: Imagine<Self> = Imagine::Drawn;

    fn run(&mut self, ids: &Ids, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(if self.over { Flow::Done } else { Flow::ask(SeatId(0), ids.prompt) })
    }

    fn offers(&self, ids: &Ids, _: &Seen<'_>, _: SeatId, out: &mut Offers<'_>) {
        (0..ids.doings.len() as i16).for_each(|n| out.add(Action::new(ids.go).on(n)));
        out.otherwise(RuleId(1), |a| a.verb == ids.go && a.number(0).is_some());
    }

    fn act(&mut self, ids: &Ids, cx: &mut Cx<'_>, _: SeatId, action: &Action) -> Result<Flow, Halt> {
        let n = action.number(0).unwrap() as usize;
        ids.doings[n](ids, cx)?;
        self.over = !ids.longer.contains(&n);
        Ok(Flow::Again)
    }
}

/// One body an area: a march is forbidden, a retreat must go on, a shove displaces.
struct Crowd {
    causes: Causes,
    rule: RuleId,
}

impl Module for Crowd {
    fn name(&self) -> &str {
        "crowd"
    }

    fn placement(&self, seen: &Seen<'_>, cause: WordId, _: &[BodyId], to: PlaceId) -> Placement {
        let there: smallvec::SmallVec<[BodyId; 4]> = seen.bodies(to).into_iter().collect();
        match () {
            () if to.index() > 2 || there.is_empty() => Placement::Allowed,
            () if cause == self.causes.retreat => Placement::MustGoOn(self.rule),
            () if cause == self.causes.umpire => Placement::MustGoOn(self.rule),
            () if cause == self.causes.shove => Placement::Displaces(there, self.rule),
            () if cause == self.causes.march => Placement::Forbidden(self.rule),
            () => Placement::Allowed,
        }
    }
}

const A: PlaceId = PlaceId(0);
const B: PlaceId = PlaceId(1);
const C: PlaceId = PlaceId(2);

fn play(doings: &[Doing], longer: &[usize]) -> Play {
    let mut rb = RulebookBuilder::new("crowd", "1", three_areas::board());
    let (red, grey) = (rb.side("red"), rb.side("grey"));
    rb.seat("red", Some(red), SeatRole::Player);
    rb.seat("grey", Some(grey), SeatRole::Player);
    let (rule, _) = (rb.rule("cr:1"), rb.rule("cr:2"));
    let deck = rb.deck("red", red);
    for name in ["r1", "r2", "r3", "r4"] {
        rb.piece(name, Some(red), "foot", Some(deck), &[]);
    }
    let places = vec![A, B, C];
    let (decks, when) = (Vec::new(), LevelCondition::default());
    rb.level(LevelRule { decks, places, onlooker: Onlooker::Others, when, level: Level::Order, rule });
    let causes = Causes {
        march: rb.word("march"),
        retreat: rb.word("retreat"),
        shove: rb.word("shove"),
        umpire: rb.word("umpire"),
    };
    rb.module(Arc::new(Crowd { causes, rule }));
    let step = rb.proc::<Step>("step");
    let moved = rb.column("moved", ValueKind::Flag, 0, ColumnClass::Public);
    let (go, prompt) = (rb.word("go"), rb.word("what"));
    let ids = Ids { go, prompt, causes, moved, doings: doings.to_vec(), longer: longer.to_vec() };
    rb.define(step, &Arc::new(ids));
    let always = Arc::new(|_: Read<'_>| true);
    rb.sequence(&[Item::While(always, vec![phase("step", move |_| step.with(Step { over: false }))])]);
    Play::start(rb.build().unwrap(), 1)
}

impl Play {
    fn go(&mut self, n: i16) -> Result<(), Fault> {
        self.act(SeatId(0), self.rb.word_named("go").unwrap(), n)
    }

    /// The kernel's events that a side was shown since last time, by their names.
    fn names_shown(&mut self, side: u8) -> Vec<String> {
        let shown = self.shown(Viewer::Side(SideId(side)));
        shown.into_iter().map(|e| e.event).filter(|e| e != "phase").collect()
    }

    fn at(&self, place: PlaceId) -> usize {
        self.read().bodies(place).count()
    }
}

fn put(cx: &mut Cx<'_>, cause: WordId, body: u16, to: PlaceId) -> Result<(), Halt> {
    cx.move_group(cause, &[BodyId(body)], Dest::NewStack(to)).map(drop)
}

fn unfinished(result: Result<(), Fault>, who: &str) {
    let place = "b".to_owned();
    let expected = Fault::Unfinished { pieces: who.to_owned(), place, rule: "cr:1".to_owned() };
    assert_eq!(result, Err(expected));
}

/// r1 stands in b, r2 retreats into it.
fn crowded(ids: &Ids, cx: &mut Cx<'_>) -> Result<(), Halt> {
    put(cx, ids.causes.march, 0, B)?;
    put(cx, ids.causes.retreat, 1, B)
}

#[test]
fn who_must_go_on_goes_on_before_the_phase_is_over() {
    let mut stays = play(&[crowded], &[]);
    unfinished(stays.go(0), "r2");

    // The next step takes them on: a phase may ask in between, and a snapshot keeps what is owed.
    let mut goes = play(&[crowded, |ids, cx| put(cx, ids.causes.retreat, 1, C)], &[0]);
    goes.go(0).unwrap();
    goes.st.round_trip(&goes.rb).unwrap();
    goes.st = goes.st.named(&goes.rb).state(&goes.rb).unwrap();
    goes.go(1).unwrap();
    assert_eq!((goes.at(B), goes.at(C)), (1, 1));

    // What has left is out of debt, though it comes back by a way on which it may stay.
    let mut back = play(
        &[|ids, cx| {
            crowded(ids, cx)?;
            put(cx, ids.causes.retreat, 1, C)?;
            put(cx, ids.causes.march, 0, A)?;
            put(cx, ids.causes.march, 1, B)
        }],
        &[],
    );
    back.go(0).unwrap();

    // Later, another step forgets it.
    let mut later = play(&[crowded, |_, _| Ok(())], &[0]);
    later.go(0).unwrap();
    unfinished(later.go(1), "r2");
}

#[test]
fn who_is_displaced_leaves_before_the_phase_is_over() {
    fn shove(ids: &Ids, cx: &mut Cx<'_>) -> Result<(), Halt> {
        put(cx, ids.causes.march, 0, B)?;
        put(cx, ids.causes.shove, 1, B)
    }
    unfinished(play(&[shove], &[]).go(0), "r1");
    let leaves: Doing = |ids, cx| {
        shove(ids, cx)?;
        let stack = cx.read().stacks(B).next().unwrap();
        cx.move_stack(ids.causes.march, stack, C).map(drop)
    };
    play(&[leaves], &[]).go(0).unwrap();
    // A whole stack that is moved owes as much.
    let stack: Doing = |ids, cx| {
        put(cx, ids.causes.march, 0, B)?;
        put(cx, ids.causes.march, 1, A)?;
        let stack = cx.read().stacks(A).next().unwrap();
        cx.move_stack(ids.causes.shove, stack, B).map(drop)
    };
    unfinished(play(&[stack], &[]).go(0), "r1");
}

#[test]
fn an_umpire_puts_nothing_where_it_cannot_stay() {
    let mut play = play(&[|ids, cx| put(cx, ids.causes.march, 0, B)], &[]);
    play.go(0).unwrap();
    let place = |place| [Edit::Place { bodies: vec![BodyId(2)], place, stacked: true }];
    let mut attempt =
        |to| edit(&play.rb, &mut play.worker, &mut Sink::off(), &mut play.st.clone(), &place(to));
    assert_eq!(attempt(C), Ok(()));
    assert_eq!(attempt(B), Err(EditError::Placement(play.rb.rule_named("cr:1").unwrap())));
}

#[test]
fn joined_and_renewed_stacks_are_seen() {
    let heap: Doing = |_, cx| {
        let umpire = cx.rulebook().word_named("what").unwrap();
        put(cx, umpire, 0, A)?;
        put(cx, umpire, 1, A)
    };
    let join: Doing = |_, cx| cx.join_stacks(SideId(0), A).map(drop);
    let renew: Doing = |_, cx| {
        let stack = cx.read().stacks(A).next().unwrap();
        cx.renew_stack(stack)
    };
    for (side, renewed) in [(0, vec![]), (1, vec!["renewed"])] {
        let mut play = play(&[heap, join, renew], &[]);
        play.go(0).unwrap();
        play.names_shown(side);
        play.go(1).unwrap();
        assert_eq!(play.names_shown(side), ["joined"]);
        play.go(1).unwrap();
        assert_eq!(play.names_shown(side), Vec::<String>::new(), "there is one stack only");
        play.go(2).unwrap();
        assert_eq!(play.names_shown(side), renewed, "the owner's handle stays");
    }
    // In a box of which nothing is shown nobody but the owner has anything to notice.
    let unseen: Doing = |_, cx| {
        let umpire = cx.rulebook().word_named("what").unwrap();
        put(cx, umpire, 2, PlaceId(3))?;
        put(cx, umpire, 3, PlaceId(3))?;
        let stack = cx.join_stacks(SideId(0), PlaceId(3))?.unwrap();
        cx.renew_stack(stack)
    };
    for (side, seen) in [(0, true), (1, false)] {
        let mut play = play(&[unseen], &[]);
        play.go(0).unwrap();
        assert_eq!(play.names_shown(side).contains(&"joined".to_owned()), seen);
    }
}

/// r1 to r3 in a, r2 face up, r3 marked as moved.
fn mixed_up(ids: &Ids, cx: &mut Cx<'_>) -> Result<(), Halt> {
    let umpire = cx.rulebook().word_named("what").unwrap();
    (0..4).try_for_each(|n| put(cx, umpire, n, A))?;
    cx.reveal(BodyId(1), RuleId(1))?;
    cx.set(ids.moved, BodyId(2), 1)
}

fn all() -> [BodyId; 4] {
    [0, 1, 2, 3].map(BodyId)
}

#[test]
fn unlike_bodies_are_not_mixed() {
    let mut play = play(&[mixed_up, |_, cx| cx.mix(&all())], &[]);
    play.go(0).unwrap();
    assert!(matches!(play.go(1), Err(Fault::Knowledge { .. })));
}

#[test]
fn look_alikes_are_mixed_among_each_other() {
    let mut play = play(&[mixed_up, |_, cx| cx.mix_alike(&all())], &[]);
    play.go(0).unwrap();
    let handles = |play: &Play| {
        let mut ciphers = view::Ciphers::default();
        let names = view::Names::new(play.st.ciphers(&play.rb, &mut ciphers), Read::new(&play.rb, &play.st));
        all().map(|b| names.any_handle(Some(Viewer::Side(SideId(1))), b))
    };
    let before = handles(&play);
    play.go(1).unwrap();
    let after = handles(&play);
    assert_ne!((&before[0], &before[3]), (&after[0], &after[3]), "they look alike");
    assert_ne!(before[0], after[0]);
    let read = Read::new(&play.rb, &play.st);
    let seen = Seen::new(read, Viewer::Side(SideId(1)));
    assert_eq!(seen.piece(BodyId(1)), Some(PieceId(1)), "who is face up is who he was");
    assert_eq!(seen.piece(BodyId(0)), None);
}

#[test]
fn what_is_not_listed_is_refused_by_its_rule() {
    let play = play(&[mixed_up], &[]);
    let judge = |action: &Action| flow::judge(&play.rb, &play.worker, &play.st, SeatId(0), action).unwrap();
    let go = Action::new(play.rb.word_named("go").unwrap());
    assert_eq!(judge(&go.on(0)), Some(Ok(())));
    assert_eq!(judge(&go.on(7)), Some(Err(Refusal { rule: RuleId(1) })));
    assert_eq!(judge(&go), None, "that makes no sense");
    let mut list = Vec::new();
    flow::offers(&play.rb, &play.worker, &play.st, SeatId(0), &mut list).unwrap();
    assert_eq!(list.len(), 1, "and is not offered");
}
