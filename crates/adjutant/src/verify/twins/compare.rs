//! What a viewer's seats got of two twins, compared.

use super::{End, Pair};
use crate::verify::diff::differences;
use crate::verify::mutate::mutated;
use crate::{Game, Packet};
use adjutant_kernel::SeatId;
use adjutant_kernel::events::ShownEvent;

/// "Why not" answers compared a step, of earlier offers and of made-up actions.
const EXPLAINED: usize = 3;
/// Earlier offers remembered.
const POOL: usize = 40;

/// How far a pair has been compared.
pub(super) struct Seen {
    /// Releases and batches, by seat.
    releases: Vec<usize>,
    batches: Vec<usize>,
    /// Games that something was done in since.
    pub(super) touched: [bool; 2],
    /// What the seats of the viewer got last, in each game.
    packets: [Vec<Packet>; 2],
}

impl Seen {
    pub(super) fn new(seats: usize) -> Self {
        Self {
            releases: vec![0; seats],
            batches: vec![0; seats],
            touched: [true; 2],
            packets: [Vec::new(), Vec::new()],
        }
    }
}

impl Pair<'_> {
    /// Compares all that the viewer's seats got since the last time.
    pub(super) fn compare(&mut self) -> Result<(), End> {
        let mut parted = None;
        for n in 0..self.seats.len() {
            let rule = self.compare_log(self.seats[n])?;
            parted = parted.or(rule);
        }
        if let Some(rule) = parted {
            return Err(End::Parted(rule));
        }
        for n in [0, 1] {
            if std::mem::take(&mut self.seen.touched[n]) {
                let game = &mut self.games[n];
                self.seen.packets[n] = self.seats.iter().map(|&s| game.packet(s)).collect();
            }
        }
        let [one, two] = &self.seen.packets;
        if one != two {
            return Err(End::Leak(differences(one, two)));
        }
        self.compare_explanations()
    }

    /// Events and releases of a seat: the rule of the first release that answers differently, if one does.
    fn compare_log(&mut self, seat: SeatId) -> Result<Option<String>, End> {
        let leak = |what: &str, text: String| Err(End::Leak(format!("{what}\n{text}")));
        let [a, b] = [0, 1].map(|n| &self.games[n].releases(seat)[self.seen.releases[seat.index()]..]);
        for at in 0..a.len().max(b.len()) {
            let (Some(x), Some(y)) = (a.get(at), b.get(at)) else {
                let shown = |r: &[crate::Release]| r.get(at).map(|r| r.shown.clone());
                return leak("a release in one twin only", differences(&shown(a), &shown(b)));
            };
            let shape = |r: &crate::Release| (r.shown.rule.clone(), r.shown.about.clone(), r.shown.to_all);
            if shape(x) != shape(y) {
                return leak(
                    "a release by other rules, about or to others",
                    differences(&shape(x), &shape(y)),
                );
            }
            if x.shown.answer != y.shown.answer {
                let [p, q] = [(0, x.at), (1, y.at)].map(|(n, end)| self.events(n, seat, end));
                if p != q {
                    return leak("events before a differing release", differences(&p, &q));
                }
                return Ok(Some(x.shown.rule.clone()));
            }
        }
        let [p, q] = [0, 1].map(|n| &self.games[n].log(seat)[self.seen.batches[seat.index()]..]);
        if p != q {
            return leak("batches of events", differences(&p, &q));
        }
        self.seen.releases[seat.index()] += a.len();
        self.seen.batches[seat.index()] += p.len();
        Ok(None)
    }

    /// The events that a seat was shown since the last comparison, up to the one with number `end`.
    fn events(&self, game: usize, seat: SeatId, end: usize) -> Vec<&ShownEvent> {
        let log = self.games[game].log(seat);
        let done = self.seen.batches[seat.index()];
        let before: usize = log[..done].iter().map(Vec::len).sum();
        log[done..].iter().flatten().take(end.saturating_sub(before)).collect()
    }

    fn compare_explanations(&mut self) -> Result<(), End> {
        for n in 0..self.seats.len() {
            let seat = self.seats[n];
            let offers = &self.seen.packets[0][n].offers;
            // Who is not asked is told just that, whatever he tries.
            let times = if offers.is_empty() { usize::from(!self.pool.is_empty()) } else { 2 * EXPLAINED };
            for n in 0..times {
                let base = if n % 2 == 0 { self.random.pick(&self.pool) } else { None };
                let Some(base) = base.or_else(|| self.random.pick(offers)) else { break };
                let rb = self.games[0].rulebook().clone();
                let action =
                    if n % 2 == 0 { base.clone() } else { mutated(&rb, &self.handles, base, self.random) };
                let [x, y] = &mut self.games;
                let why = |game: &mut Game| game.explain(seat, &action).map(|r| format!("{r:?}"));
                let (x, y) = (why(x), why(y));
                self.explained += 1;
                if x != y {
                    return Err(End::Leak(format!("why not `{action}`: {x:?} / {y:?}")));
                }
            }
            if let Some(offer) = self.random.pick(offers).cloned() {
                if self.pool.len() < POOL {
                    self.pool.push(offer);
                } else {
                    let at = self.random.below(POOL);
                    self.pool[at] = offer;
                }
            }
        }
        Ok(())
    }
}
