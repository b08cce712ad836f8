//! What viewers know, by names.

use smallvec::SmallVec;

use std::collections::HashMap;

use super::kind::{At, Kind};
use super::read::Reader;
use super::write::Writer;
use super::*;
use crate::ids::*;
use crate::knowledge::{About, Audience, Knowledge, Told};

/// More than any game draws, and few enough that no count runs over.
const MOST: u32 = 1 << 30;

impl Writer<'_> {
    pub(super) fn knowledge(&self, index: usize) -> NamedKnowledge {
        let (rb, st) = (self.rb, self.st);
        let viewer = self.viewer(index);
        let bodies = || (0..st.bodies.len() as u16).map(BodyId);
        NamedKnowledge {
            drawn: st.knowledge.drawn[index],
            bodies: bodies().map(|b| (self.body(b), st.knowledge.handle(rb, viewer, b))).collect(),
            stacks: (0..st.stacks.len() as u16)
                .map(|n| (n, st.knowledge.stack_handle(rb, viewer, StackId(n))))
                .collect(),
            candidates: bodies().filter_map(|b| Some((self.body(b), self.candidates(viewer, b)?))).collect(),
        }
    }

    fn viewer(&self, index: usize) -> Viewer {
        if index < self.rb.sides.len() { Viewer::Side(SideId(index as u8)) } else { Viewer::Public }
    }

    /// The pieces that a body may be; `None` for all of its deck.
    fn candidates(&self, viewer: Viewer, body: BodyId) -> Option<Vec<String>> {
        let set = self.st.knowledge.set(self.rb, viewer, body)?;
        let deck = self.rb.deck(self.rb.slot(body)?.deck);
        let members = deck.pieces.iter().enumerate().filter(|(n, _)| set[n / 64] >> (n % 64) & 1 == 1);
        let names: Vec<String> = members.map(|(_, &piece)| self.rb.piece(piece).name.clone()).collect();
        (names.len() < deck.pieces.len()).then_some(names)
    }

    pub(super) fn told(&self, told: &Told) -> NamedTold {
        let rb = self.rb;
        let name = |kind: Kind, n: usize| kind.name(rb, n).unwrap_or("?").to_owned();
        NamedTold {
            question: name(Kind::Question, told.question.index()),
            bodies: told.bodies.iter().map(|&b| self.body(b)).collect(),
            about: match &told.about {
                About::Bodies => NamedAbout::Bodies,
                About::Place(place) => NamedAbout::Place(name(Kind::Place, place.index())),
                About::Nothing => NamedAbout::Nothing,
            },
            answer: told.answer,
            audience: self.audience(told.audience),
            lapse: name(Kind::Moment, told.lapse.index()),
        }
    }

    /// An audience is made by and, or and but of sides, so that it has either all sides that there are not or
    /// none of them.
    fn audience(&self, audience: Audience) -> NamedAudience {
        if audience.is_all() {
            return NamedAudience::All;
        }
        let open = audience.has(Viewer::Side(SideId(self.rb.sides.len() as u8)));
        let listed = |viewer: &Viewer| audience.has(*viewer) != open;
        let sides = self.rb.side_ids().filter(|s| listed(&Viewer::Side(*s))).map(|s| self.side(s)).collect();
        let public = listed(&Viewer::Public);
        match open {
            true => NamedAudience::But { sides, public },
            false => NamedAudience::Only { sides, public },
        }
    }
}

impl Reader<'_> {
    /// A thing for each viewer, in the order of their numbers.
    pub(super) fn each_viewer<'v, T>(&mut self, top: &'v str, all: &'v ByViewer<T>) -> Vec<(&'v str, &'v T)> {
        let at = At::top(top);
        let sides = at.of("sides");
        for name in all.sides.keys() {
            self.id(&sides, Kind::Side, name);
        }
        let mut list = Vec::new();
        for side in &self.rb.sides {
            match all.sides.get_key_value(side) {
                Some((name, one)) => list.push((name.as_str(), one)),
                None => {
                    self.bad(&sides, format!("side `{side}` is missing"), "every side has its own".into())
                }
            }
        }
        list.push(("public", &all.public));
        list
    }

    pub(super) fn read_knowledge(&mut self, to: &mut Knowledge) {
        let top = At::top("knowledge");
        let all = self.each_viewer("knowledge", &self.from.knowledge);
        if all.len() != self.rb.viewer_count() {
            return;
        }
        to.stacks = vec![0; self.stacks * all.len()];
        for (index, (name, known)) in all.into_iter().enumerate() {
            let at = top.of(name);
            self.read_handles(&at, index, known, to);
            let at = at.of("candidates");
            for (body, names) in &known.candidates {
                let at = at.of(body);
                if let Some(body) = self.body(&at, body) {
                    self.read_candidates(&at, index, body, names, to);
                }
            }
        }
        for (n, told) in self.from.told.iter().enumerate() {
            if let Some(told) = self.read_told(&At::top("told").nth(n), told) {
                to.told.push(told);
            }
        }
    }

    fn read_handles(&mut self, at: &At<'_>, index: usize, known: &NamedKnowledge, to: &mut Knowledge) {
        let viewers = self.rb.viewer_count();
        let count = self.rb.pieces.len();
        to.drawn[index] = known.drawn;
        if known.drawn > MOST {
            self.bad(&at.of("drawn"), format!("{}", known.drawn), format!("it should be {MOST} at most"));
        }
        let mut used: HashMap<u32, String> = HashMap::new();
        let mut check = |reader: &mut Self, at: &At<'_>, name: String, handle: u32| {
            if handle >= known.drawn {
                let right = format!("handles drawn so far are below {}", known.drawn);
                reader.bad(at, format!("handle {handle} was never drawn"), right);
            }
            if let Some(other) = used.insert(handle, name) {
                reader.bad(at, format!("handle {handle} is also that of {other}"), "each has its own".into());
            }
        };
        let bodies = at.of("bodies");
        for (name, &handle) in &known.bodies {
            let at = bodies.of(name);
            if let Some(body) = self.body(&at, name) {
                to.bodies[index * count + body.index()] = handle;
                check(self, &at, name.clone(), handle);
            }
        }
        if known.bodies.len() != count {
            let what = format!("{} bodies have handles", known.bodies.len());
            self.bad(&bodies, what, format!("all {count} pieces of the rules have"));
        }
        let stacks = at.of("stacks");
        for (&stack, &handle) in &known.stacks {
            let at = stacks.nth(usize::from(stack));
            match to.stacks.get_mut(usize::from(stack) * viewers + index) {
                Some(slot) => {
                    *slot = handle;
                    check(self, &at, format!("stack {stack}"), handle);
                }
                None => self.bad(&at, "there is no such stack".into(), format!("{} are", self.stacks)),
            }
        }
        if known.stacks.len() != self.stacks {
            let what = format!("{} stacks have handles", known.stacks.len());
            self.bad(&stacks, what, format!("{} are in the snapshot", self.stacks));
        }
    }

    fn read_candidates(
        &mut self,
        at: &At<'_>,
        index: usize,
        body: BodyId,
        names: &[String],
        to: &mut Knowledge,
    ) {
        let Some(slot) = self.rb.slot(body) else {
            self.bad(at, "its identity is public".into(), "it has no candidates".into());
            return;
        };
        let from = index * self.rb.candidate_words + slot.offset;
        to.candidates[from..from + slot.words].fill(0);
        for (n, name) in names.iter().enumerate() {
            let at = at.nth(n);
            let Some(piece) = self.id(&at, Kind::Piece, name).map(PieceId) else { continue };
            if self.rb.piece(piece).deck != Some(slot.deck) {
                let right = format!("it may be a piece of deck `{}`", self.rb.deck(slot.deck).name);
                self.bad(&at, format!("`{name}` does not look like it"), right);
                continue;
            }
            let position = self.rb.deck_position(piece);
            to.candidates[from + position / 64] |= 1 << (position % 64);
        }
    }

    fn read_told(&mut self, at: &At<'_>, told: &NamedTold) -> Option<Told> {
        let question = self.id(&at.of("question"), Kind::Question, &told.question).map(QuestionId);
        let lapse = self.id(&at.of("lapse"), Kind::Moment, &told.lapse).map(MomentId);
        let in_bodies = at.of("bodies");
        let mut bodies = SmallVec::new();
        for (n, name) in told.bodies.iter().enumerate() {
            bodies.extend(self.body(&in_bodies.nth(n), name));
        }
        let about = match &told.about {
            NamedAbout::Bodies => About::Bodies,
            NamedAbout::Place(name) => About::Place(PlaceId(self.id(&at.of("about"), Kind::Place, name)?)),
            NamedAbout::Nothing => About::Nothing,
        };
        let audience = self.read_audience(&at.of("audience"), &told.audience);
        Some(Told { question: question?, bodies, about, answer: told.answer, audience, lapse: lapse? })
    }

    fn read_audience(&mut self, at: &At<'_>, audience: &NamedAudience) -> Audience {
        let mut listed = |sides: &[String], public: bool| {
            let public = if public { Audience::viewer(Viewer::Public) } else { Audience::NOBODY };
            sides
                .iter()
                .filter_map(|name| self.id(at, Kind::Side, name))
                .fold(public, |all, side| all.or(Audience::side(SideId(side as u8))))
        };
        match audience {
            NamedAudience::All => Audience::ALL,
            NamedAudience::Only { sides, public } => listed(sides, *public),
            NamedAudience::But { sides, public } => listed(sides, *public).complement(),
        }
    }

    pub(super) fn read_draws(&mut self, to: &mut [u32]) {
        let streams = self.each_viewer("draws", &self.from.draws);
        let count = streams.len();
        for (n, (name, &draws)) in streams.into_iter().enumerate() {
            if draws > MOST {
                let at = At::top("draws");
                self.bad(&at.of(name), format!("{draws} draws"), format!("it should be {MOST} at most"));
            }
            // The public stream is the first.
            if let Some(slot) = to.get_mut((n + 1) % count) {
                *slot = draws;
            }
        }
    }
}
