//! The traced turn: what each seat is shown at each step, compared with the lines of the page up to the names of
//! handles.

use std::collections::BTreeSet;

use adjutant::Game;
use small_games::picket::position::Position;

use super::story::DICE;
use super::{Handles, SEATS};

/// The game as it is traced: printed handles by viewer, what each seat was shown so far.
pub(crate) struct Story {
    pub(crate) game: Game,
    pub(crate) handles: [Handles; 3],
    pub(crate) batches: [usize; 4],
    pub(crate) shown: [BTreeSet<String>; 3],
    pub(crate) retired: [BTreeSet<String>; 3],
    /// The same before the last step, for when it is taken back.
    pub(crate) retired_before: [BTreeSet<String>; 3],
}

/// The viewer of each of [`SEATS`].
const VIEWERS: [usize; 4] = [0, 1, 1, 2];

impl Story {
    /// Position P with the handles of its table.
    pub(crate) fn begin() -> Self {
        let game = super::begin(&super::at(Position::p()), &[], &DICE);
        let mut story = Self {
            game,
            handles: Default::default(),
            batches: [0; 4],
            shown: Default::default(),
            retired: Default::default(),
            retired_before: Default::default(),
        };
        story.catch_up();
        story.stands("amber", "amber", &["4 /xm qt tl", "7 /xq kc bc zm", "9 /ss vj pn nt"]);
        story.stands("amber", "blue", &["1 /qh vb xl", "2 /fn hc", "4 /hq sm tn", "6 /dg qw kl xd"]);
        story.stands("blue", "blue", &["1 /o1 xn wh", "2 /o2 qv", "4 /o4 jh kx", "6 /o6 rg lp vv"]);
        story.stands("blue", "amber", &["4 /p4 cx dp", "7 /p7 wc qk lt", "9 /p9 lm ff lj"]);
        for (seat, markers) in [("amber", ["wl", "nc", "gg"]), ("blue", ["qs", "df", "mj"])] {
            for (area, printed) in ["4", "7", "9"].into_iter().zip(markers) {
                let view = story.game.view(super::seat(&story.game, seat)).position;
                let viewer = usize::from(seat != "amber");
                story.handles[viewer].unify(printed, &view.places[area].bodies[0].handle).unwrap();
            }
        }
        assert_eq!(story.versions(), [1; 4]);
        story
    }

    pub(crate) fn versions(&self) -> [u32; 4] {
        SEATS.map(|name| self.game.version(super::seat(&self.game, name)))
    }

    /// A seat's stacks of a side in some areas: area, handle of the stack, handles from the top; several stacks
    /// of an area stand on one line.
    pub(crate) fn stands(&mut self, seat: &str, side: &str, areas: &[&str]) {
        let who = super::seat(&self.game, seat);
        let viewer = usize::from(seat != "amber");
        for line in areas {
            let (area, printed) = line.split_once(' ').unwrap();
            let mut actual = Vec::new();
            for stack in super::stacks(&mut self.game, who, area, side) {
                actual.push(stack.handle);
                actual.extend(stack.bodies.into_iter().map(|b| b.handle));
                assert_eq!(stack.more, 0, "{seat}, {line}");
            }
            let printed: Vec<&str> = printed.split(' ').collect();
            assert_eq!(printed.len(), actual.len(), "{seat}, {line}");
            for (printed, actual) in printed.iter().zip(&actual) {
                self.handles[viewer].unify(printed, actual).unwrap_or_else(|e| panic!("{seat}, {line}: {e}"));
            }
        }
    }

    /// Forgets what has been shown, and checks that no handle that had gone is back.
    pub(crate) fn catch_up(&mut self) {
        self.look();
        self.batches = SEATS.map(|name| self.game.log(super::seat(&self.game, name)).len());
    }

    pub(crate) fn look(&mut self) {
        self.retired_before = self.retired.clone();
        for (viewer, name) in [(0, "amber"), (1, "blue"), (2, "spectator")] {
            let who = super::seat(&self.game, name);
            let now = super::all_handles(&mut self.game, who);
            let before = std::mem::replace(&mut self.shown[viewer], now);
            let gone: Vec<String> = before.difference(&self.shown[viewer]).cloned().collect();
            let back: Vec<&String> = self.shown[viewer].intersection(&self.retired[viewer]).collect();
            assert!(back.is_empty(), "{name} sees handles again that had gone: {back:?}");
            self.retired[viewer].extend(gone);
        }
    }

    /// A decision, the versions after it (amber, blue, scouts, spectator), and who may take something back. The
    /// lines are what the seats are shown.
    pub(crate) fn step(&mut self, decision: &str, versions: [u32; 4], undo: &str, lines: &str) {
        let (seat, what) = decision.split_once(' ').unwrap();
        let who = super::seat(&self.game, seat);
        let viewer = usize::from(seat != "amber");
        let is_handle = |word: &str| self.handles[viewer].knows(word);
        let refused = if what == "undo" {
            self.game.undo(who).err()
        } else {
            let shown = if what.split(' ').any(is_handle) {
                super::printed(&self.handles[viewer], what)
            } else {
                super::words(&self.game, who, what)
            };
            let version = self.game.version(who);
            assert!(self.game.offers(who).contains(&shown), "{decision} is not offered");
            self.game.act(who, Some(version), &shown).err()
        };
        assert_eq!(refused, None, "{decision}");
        for (n, name) in SEATS.iter().enumerate() {
            let shown = super::lines(&self.game, super::seat(&self.game, name), self.batches[n]);
            self.compare(decision, n, lines, &shown);
        }
        assert_eq!(self.versions(), versions, "versions after {decision}");
        let may_undo = SEATS.into_iter().filter(|&name| self.game.may_undo(super::seat(&self.game, name)));
        assert_eq!(may_undo.collect::<Vec<_>>().join(" "), undo, "undo after {decision}");
        for name in SEATS {
            let view = self.game.view(super::seat(&self.game, name));
            assert_eq!(view.undo, undo.split(' ').any(|u| u == name), "{name}, {decision}");
            let arrears = view.position.values.contains_key("arrears");
            assert_eq!(arrears, name == "amber", "`arrears` in the view of {name}, {decision}");
        }
        if what == "undo" {
            // What was drawn since is given back, what went is back.
            self.retired = self.retired_before.clone();
            self.shown = Default::default();
        }
        self.look();
        self.batches = SEATS.map(|name| self.game.log(super::seat(&self.game, name)).len());
    }

    /// What a seat was shown against the lines.
    pub(crate) fn compare(&mut self, decision: &str, seat: usize, lines: &str, shown: &[String]) {
        let viewer = VIEWERS[seat];
        let wanted: Vec<String> = lines.lines().filter_map(|line| for_side(line.trim(), viewer)).collect();
        let complain = |handles: &Handles, why: &str| -> ! {
            let got: Vec<String> = shown.iter().map(|line| handles.print(line)).collect();
            panic!(
                "{decision}, {}: {why}\nshown\n{}\nwanted\n{}",
                SEATS[seat],
                got.join("\n"),
                wanted.join("\n")
            )
        };
        if shown.len() != wanted.len() {
            complain(&self.handles[viewer], "not so many events");
        }
        for (wanted, shown) in wanted.iter().zip(shown) {
            if viewer == 2 {
                // Handles of its own, which the page does not print.
                let wanted = self.handles[1].erase(wanted);
                if wanted != super::shape(shown) {
                    complain(&self.handles[2], &format!("{wanted}, not {}", super::shape(shown)));
                }
            } else if let Err(why) = self.handles[viewer].matches(wanted, shown) {
                complain(&self.handles[viewer], &format!("{wanted}: {why}"));
            }
        }
    }

    /// Who is asked, and what, as every seat sees it.
    pub(crate) fn asked(&mut self, seats: &[&str], prompt: &str) {
        for name in SEATS {
            let view = self.game.view(super::seat(&self.game, name)).position;
            assert_eq!(view.asked, seats, "who is asked, says {name}");
            assert_eq!(view.prompt.as_deref(), Some(prompt), "what, says {name}");
        }
    }

    /// The offers of a seat, in printed handles.
    pub(crate) fn offers(&mut self, seat: &str) -> Vec<String> {
        let who = super::seat(&self.game, seat);
        let viewer = usize::from(seat != "amber");
        let offers = self.game.offers(who);
        offers.iter().map(|offer| self.handles[viewer].print_words(&offer.to_string())).collect()
    }

    /// Why not: the rule, in printed handles.
    pub(crate) fn why_not(&mut self, seat: &str, what: &str) -> Option<String> {
        let action = super::printed(&self.handles[usize::from(seat != "amber")], what);
        super::why_not(&mut self.game, seat, &action)
    }

    /// What a side knows of bodies: handles, then what each of them may be.
    pub(crate) fn can(&mut self, seat: &str, handles: &str, pieces: &str) {
        let who = super::seat(&self.game, seat);
        for printed in handles.split(' ') {
            let actual = self.handles[usize::from(seat != "amber")].get(printed).to_owned();
            let body =
                super::body(&mut self.game, who, &actual).unwrap_or_else(|| panic!("{printed} is unseen"));
            assert_eq!(super::candidates(&body), in_order(pieces), "{seat}: {printed}");
        }
    }

    /// The answers in force that a side knows: about what, in printed handles.
    pub(crate) fn told(&mut self, seat: &str) -> Vec<String> {
        let handles = &self.handles[usize::from(seat != "amber")];
        let view = self.game.view(super::seat(&self.game, seat)).position;
        let text = |told: &adjutant::kernel::view::ToldView| {
            let mut about: Vec<String> = told.about.iter().map(|word| handles.print_words(word)).collect();
            about.sort();
            format!(
                "{} {{{}}} {}",
                told.question,
                about.join(" "),
                if told.answer == 0 { "no" } else { "yes" }
            )
        };
        view.told.iter().map(text).collect()
    }

    /// The same game, to go on otherwise.
    pub(crate) fn branch(&self) -> Game {
        self.game.branch_off()
    }
}

/// A line as it is for a viewer; `None` when it is not.
fn for_side(line: &str, viewer: usize) -> Option<String> {
    let line = match (line.split_once(": "), viewer) {
        (Some(("A", rest)), 0) | (Some(("B", rest)), 1 | 2) => rest,
        (Some(("A" | "B", _)), _) => return None,
        _ if line.is_empty() => return None,
        _ => line,
    };
    // Groups of handles: `R{sm tn|jh kx}`, `vj pn|lm ff`; the bar parts what Amber says from what Blue says.
    let mut text = String::new();
    let mut rest = line;
    while let Some(open) = rest.find('<') {
        let close = rest.find('>').unwrap();
        let (of_amber, of_blue) = rest[open + 1..close].split_once('|').unwrap();
        text += &rest[..open];
        text += if viewer == 0 { of_amber } else { of_blue };
        rest = &rest[close + 1..];
    }
    Some(text + rest)
}

/// Pieces in the order in which they are declared.
pub(crate) fn in_order(pieces: &str) -> String {
    let order = ["F3", "F2", "G", "H2", "H1", "L", "D1", "D2"];
    let mut list: Vec<&str> = pieces.split(' ').collect();
    list.sort_by_key(|p| order.iter().position(|o| p.ends_with(o)));
    list.join(" ")
}
