//! What a viewer's seats got of two twins, compared.

use super::{End, Pair};
use crate::verify::diff::differences;
use crate::verify::mutate::mutated;
use crate::{Game, Packet, Release};
use adjutant_kernel::events::{ShownEvent, ShownRelease};
use adjutant_kernel::{Rulebook, SeatId, Viewer};

/// "Why not" answers compared a step, of earlier offers and of made-up actions.
const EXPLAINED: usize = 3;
/// Earlier offers remembered.
const POOL: usize = 40;

/// How two twins came apart for a viewer.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::kernel::Viewer;
/// use adjutant::verify::{Apart, Lockstep};
/// use adjutant::{Game, Setup};
/// # let game = Game::start(&rules, Setup::default())?;
/// let mut games = [game.branch_off(), game.branch_off()];
/// let blue = games[0].rulebook().seat_named("blue").unwrap();
/// let march = games[0].offers(blue)[0].clone();
/// let mut lockstep = Lockstep::new(games[0].rulebook(), Viewer::Side(adjutant::kernel::SideId(0)));
/// assert_eq!(lockstep.compare(&mut games), Ok(()));
/// games[0].act(blue, None, &march)?; // in one of them only
/// lockstep.touch(0);
/// assert!(matches!(lockstep.compare(&mut games), Err(Apart::Leak(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Apart {
    /// At the first release that answers differently: up to it, and no farther, twins are alike.
    Released(Box<[ShownRelease; 2]>),
    /// At something else: the viewer can tell them apart, and should not.
    Leak(String),
}

/// Two games in lockstep, as the seats of one viewer see them: packets, logs and releases, compared as far as
/// both have come.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::kernel::Viewer;
/// use adjutant::verify::Lockstep;
/// use adjutant::{Game, Setup};
/// # let game = Game::start(&rules, Setup::default())?;
/// let mut games = [game.branch_off(), game.branch_off()];
/// let red = games[0].rulebook().side_named("red").unwrap();
/// let mut lockstep = Lockstep::new(games[0].rulebook(), Viewer::Side(red));
/// assert_eq!(lockstep.seats().len(), 1);
/// let blue = games[0].rulebook().seat_named("blue").unwrap();
/// let marches = [0, 1].map(|n| games[n].offers(blue)[n].clone()); // the horse in one, the dummy in the other
/// for (n, march) in marches.iter().enumerate() {
///     games[n].act(blue, None, march)?;
///     lockstep.touch(n);
/// }
/// assert_eq!(lockstep.compare(&mut games), Ok(())); // they are drafts, of which red is shown nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lockstep {
    seats: Vec<SeatId>,
    /// Releases and batches compared, by seat.
    releases: Vec<usize>,
    batches: Vec<usize>,
    /// Games that something was done in since.
    touched: [bool; 2],
    /// What the seats got last, in each game.
    packets: [Vec<Packet>; 2],
}

impl Lockstep {
    /// Nothing is compared yet.
    pub fn new(rulebook: &Rulebook, viewer: Viewer) -> Self {
        let seats = rulebook.seats().len();
        Self {
            seats: rulebook.seat_ids().filter(|&s| rulebook.seat(s).viewer() == Some(viewer)).collect(),
            releases: vec![0; seats],
            batches: vec![0; seats],
            touched: [true; 2],
            packets: [Vec::new(), Vec::new()],
        }
    }

    /// The seats of the viewer.
    pub fn seats(&self) -> &[SeatId] {
        &self.seats
    }

    /// Something was done in one of the games: its seats get other packets perhaps.
    pub fn touch(&mut self, game: usize) {
        self.touched[game] = true;
    }

    /// What the seats got last of one of the games, seat by seat.
    pub(super) fn packets(&self, game: usize) -> &[Packet] {
        &self.packets[game]
    }

    /// Compares all that the viewer's seats got since the last time.
    ///
    /// # Errors
    /// How the games came apart.
    pub fn compare(&mut self, games: &mut [Game; 2]) -> Result<(), Apart> {
        let mut parted = None;
        for n in 0..self.seats.len() {
            let released = self.compare_log(games, self.seats[n])?;
            parted = parted.or(released);
        }
        if let Some(released) = parted {
            return Err(Apart::Released(Box::new(released)));
        }
        for (n, game) in games.iter_mut().enumerate() {
            if std::mem::take(&mut self.touched[n]) {
                self.packets[n] = self.seats.iter().map(|&s| game.packet(s)).collect();
            }
        }
        let [one, two] = &self.packets;
        if one == two { Ok(()) } else { Err(Apart::Leak(differences(one, two))) }
    }

    /// Events and releases of a seat: the first release that answers differently, if one does.
    fn compare_log(&mut self, games: &[Game; 2], seat: SeatId) -> Result<Option<[ShownRelease; 2]>, Apart> {
        let leak = |what: &str, text: String| Err(Apart::Leak(format!("{what}\n{text}")));
        let [a, b] = [0, 1].map(|n| &games[n].releases(seat)[self.releases[seat.index()]..]);
        for at in 0..a.len().max(b.len()) {
            let (Some(x), Some(y)) = (a.get(at), b.get(at)) else {
                let shown = |r: &[Release]| r.get(at).map(|r| r.shown.clone());
                return leak("a release in one twin only", differences(&shown(a), &shown(b)));
            };
            let shape = |r: &Release| (r.shown.rule.clone(), r.shown.about.clone(), r.shown.to_all);
            if shape(x) != shape(y) {
                let what = match &y.shown.rule {
                    same if *same == x.shown.rule => format!("a release by {same}, about or to others"),
                    other => format!("a release by {}, and one by {other}", x.shown.rule),
                };
                return leak(&what, differences(&shape(x), &shape(y)));
            }
            if x.shown.answer != y.shown.answer {
                let [p, q] = [(0, x.at), (1, y.at)].map(|(n, end)| self.events(&games[n], seat, end));
                if p != q {
                    return leak("events before a differing release", differences(&p, &q));
                }
                return Ok(Some([x.shown.clone(), y.shown.clone()]));
            }
        }
        let [p, q] = [0, 1].map(|n| &games[n].log(seat)[self.batches[seat.index()]..]);
        if p != q {
            return leak("batches of events", differences(&p, &q));
        }
        self.releases[seat.index()] += a.len();
        self.batches[seat.index()] += p.len();
        Ok(None)
    }

    /// The events that a seat was shown since the last comparison, up to the one with number `end`.
    fn events<'a>(&self, game: &'a Game, seat: SeatId, end: usize) -> Vec<&'a ShownEvent> {
        let log = game.log(seat);
        let done = self.batches[seat.index()];
        let before: usize = log[..done].iter().map(Vec::len).sum();
        log[done..].iter().flatten().take(end.saturating_sub(before)).collect()
    }
}

impl Pair<'_> {
    /// Compares all that the viewer's seats got since the last time.
    pub(super) fn compare(&mut self) -> Result<(), End> {
        self.lockstep.compare(&mut self.games).map_err(|apart| match apart {
            Apart::Released(releases) => End::Parted(releases[0].rule.clone()),
            Apart::Leak(text) => End::Leak(text),
        })?;
        self.compare_explanations()
    }

    fn compare_explanations(&mut self) -> Result<(), End> {
        for n in 0..self.seats.len() {
            let seat = self.seats[n];
            let offers = &self.lockstep.packets(0)[n].offers;
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
