//! What the tests of picket line share: a game at a position, decisions in the words of its page, and what a seat is
//! shown as lines of text.
#![allow(dead_code, clippy::unwrap_used)] // each test uses its part of this

pub(crate) mod pairs;
pub(crate) mod story;
pub(crate) mod trace;
pub(crate) mod worlds;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant::kernel::events::{Shown, ShownEvent};
use adjutant::kernel::view::{BodyView, Ciphers, Names, ShownAction, ShownTarget, StackView};
use adjutant::kernel::{Read, Refused, Rulebook, SeatId, Viewer};
use adjutant::{Game, Setup};
use small_games::picket::position::Position;
use small_games::picket::{Variant, rulebook};

/// The seats whose versions the page gives, in its order.
pub(crate) const SEATS: [&str; 4] = ["amber", "blue", "scouts", "spectator"];

/// The secret of every game here; handles and what is not forced follow from it.
const SEED: u64 = 7;

/// The variant that begins with a position.
pub(crate) fn at(position: Position) -> Variant {
    Variant { position: Some(position), ..Variant::default() }
}

/// A game of a variant with options and the next dice of some tables.
pub(crate) fn begin(variant: &Variant, options: &[&str], forced: &[(&str, i32)]) -> Game {
    let options = options.iter().map(|&o| o.to_owned()).collect();
    let rules: Arc<Rulebook> = Arc::new(rulebook(variant).unwrap());
    let mut game = Game::start(&rules, Setup { options, seed: SEED, ..Setup::default() }).unwrap();
    for (table, value) in forced {
        game.force(table, *value).unwrap();
    }
    game
}

/// A seat by name.
pub(crate) fn seat(game: &Game, name: &str) -> SeatId {
    game.rulebook().seat_named(name).unwrap_or_else(|| panic!("there is no seat {name}"))
}

/// An action in the words of the page; `name` finds what is neither an area, a link, a number nor a choice.
/// `4/1 4-5` is a march of the top one of the stack in 4.
fn action(text: &str, name: &mut dyn FnMut(&str, usize, &str) -> ShownTarget) -> ShownAction {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let Some((area, n)) = words[0].split_once('/').filter(|(area, _)| !area.is_empty()) {
        words.splice(0..1, ["march", area, n]);
    }
    let verb = words.remove(0);
    let to_area = ["place", "hide", "return", "retreat", "attack"].contains(&verb);
    let target = |(n, word): (usize, &&str)| match (*word, word.parse::<i16>()) {
        ("road" | "field" | "reserve" | "attack" | "hold", _) => ShownTarget::Choice((*word).to_owned()),
        (_, Ok(_)) if to_area => ShownTarget::Place((*word).to_owned()),
        (_, Ok(number)) if verb == "march" && n == 1 => ShownTarget::Number(number),
        (link, Err(_)) if link.contains('-') => ShownTarget::Link(link.to_owned()),
        _ => name(verb, n, word),
    };
    ShownAction { verb: verb.to_owned(), targets: words.iter().enumerate().map(target).collect() }
}

/// An action of a seat as the seat itself names it, from the names of the pieces. `8` is the seat's (in a probe
/// the enemy's) stack in 8, `4.2` the second body of the seat's stack in 4, `@9` the marker in 9.
pub(crate) fn words(game: &Game, seat: SeatId, text: &str) -> ShownAction {
    let (rb, st) = (game.rulebook(), game.state());
    let read = Read::new(rb, st);
    let side = rb.seat(seat).side.unwrap();
    let place = |name: &str| rb.board().place_named(name).unwrap();
    let stack = |side, area: &str| {
        let (area, nth) = area.split_once('#').unwrap_or((area, "1"));
        let nth: usize = nth.parse().unwrap();
        read.stacks_of(side, place(area)).nth(nth - 1).unwrap_or_else(|| panic!("no stack in {area}: {text}"))
    };
    let piece = |body| rb.piece(read.piece(body)).name.clone();
    let shown = action(text, &mut |verb, n, word| {
        let enemy = rb.side_ids().find(|&s| s != side).unwrap();
        match word {
            _ if (verb, n) == ("march", 0) || (verb, n) == ("press", 0) => {
                ShownTarget::Stack(piece(read.loose(stack(side, word)).next().unwrap()))
            }
            _ if (verb, n) == ("probe", 1) => {
                ShownTarget::Stack(piece(read.loose(stack(enemy, word)).next().unwrap()))
            }
            _ if word.starts_with('@') => {
                ShownTarget::Body(piece(read.loose(place(&word[1..])).next().unwrap()))
            }
            _ => match word.split_once('.') {
                Some((area, nth)) => {
                    let nth: usize = nth.parse().unwrap();
                    ShownTarget::Body(piece(read.loose(stack(side, area)).nth(nth - 1).unwrap()))
                }
                None => ShownTarget::Body(word.to_owned()),
            },
        }
    });
    let mut ciphers = Ciphers::default();
    let names = Names::new(st.ciphers(rb, &mut ciphers), read);
    let by_id = names.read_action(None, &shown).unwrap_or_else(|what| panic!("{text}: no {what}"));
    names.action(rb.seat(seat).viewer(), &by_id)
}

/// A seat decides: `amber 4/1 4-5`, `amber undo`.
pub(crate) fn act(game: &mut Game, decision: &str) -> Result<(), Refused> {
    let (who, what) = decision.split_once(' ').unwrap();
    let who = seat(game, who);
    if what == "undo" {
        return game.undo(who);
    }
    let shown = words(game, who, what);
    let version = game.version(who);
    game.act(who, Some(version), &shown).map(drop)
}

/// Decisions that nothing speaks against.
pub(crate) fn play(game: &mut Game, decisions: &[&str]) {
    for decision in decisions {
        act(game, decision).unwrap_or_else(|refused| panic!("{decision}: {refused}"));
    }
}

/// Why a seat may not do something: the rule (or the refusal), `None` when it may.
pub(crate) fn why_not(game: &mut Game, who: &str, what: &ShownAction) -> Option<String> {
    let who = seat(game, who);
    game.explain(who, what).map(|refused| match refused {
        Refused::Rule { rule } => rule,
        other => other.to_string(),
    })
}

/// Marks a handle in a line of text.
const MARK: char = '\u{1}';

pub(crate) fn text(shown: &Shown) -> String {
    match shown {
        Shown::Body(body) => format!("{MARK}{}", body.handle),
        Shown::Bodies(bodies) => {
            bodies.iter().map(|b| format!("{MARK}{}", b.handle)).collect::<Vec<_>>().join(" ")
        }
        Shown::Stack(handle) => format!("{MARK}{handle}"),
        Shown::Name(name) => name.clone(),
        Shown::Number(number) => number.to_string(),
        Shown::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Shown::List(list) => format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", ")),
    }
}

/// An event as a line: what happened, to what, by which rule. Handles are marked.
pub(crate) fn line(event: &ShownEvent) -> String {
    let arg = |name: &str| event.arg(name).map(text);
    let rule = event.rule.as_deref().unwrap_or_default().replace("pl:", "");
    let parts = match event.event.as_str() {
        "tell" => {
            let answer = match arg("answer").unwrap().as_str() {
                "0" | "no" => "no",
                _ => "yes",
            };
            match arg("about") {
                Some(about) => vec!["tell".to_owned(), format!("R{{{about}}}"), answer.to_owned()],
                None => vec!["tell".to_owned(), arg("question").unwrap(), answer.to_owned()],
            }
        }
        "reveal" => {
            let weary = if event.arg("weary") == Some(&Shown::Number(1)) { " weary" } else { "" };
            vec![format!("see {} = {}{weary}", arg("body").unwrap(), arg("piece").unwrap())]
        }
        "narrow" => vec![format!("see {} = {}", arg("body").unwrap(), arg("is").unwrap())],
        "draw" => {
            let stream = arg("stream").unwrap_or_else(|| "public".to_owned());
            let head = format!(
                "draw {stream}#{} {} {}",
                arg("number").unwrap(),
                arg("table").unwrap(),
                arg("die").unwrap()
            );
            let rest = event
                .args
                .iter()
                .filter(|(n, _)| !["table", "stream", "number", "die"].contains(&n.as_str()));
            std::iter::once(head).chain(rest.map(|(name, value)| format!("{name} {}", text(value)))).collect()
        }
        name => {
            std::iter::once(name.to_owned()).chain(event.args.iter().map(|(_, value)| text(value))).collect()
        }
    };
    parts.into_iter().chain([rule]).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The printed handles of one viewer and the true ones. A true handle never gets a second printed name, nor a
/// printed one a second meaning.
#[derive(Default)]
pub(crate) struct Handles {
    of: BTreeMap<String, String>,
    used: BTreeSet<String>,
}

impl Handles {
    /// The true handle of a printed one.
    pub(crate) fn get(&self, printed: &str) -> &str {
        self.of.get(printed).unwrap_or_else(|| panic!("the handle {printed} was not shown yet"))
    }

    /// Whether a word is a printed handle.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.of.contains_key(word)
    }

    /// A printed line without its handles.
    pub(crate) fn erase(&self, line: &str) -> String {
        tokens(line).iter().map(|t| if self.knows(t) { "_" } else { t.as_str() }).collect()
    }

    /// The words of an offer with printed names for handles.
    pub(crate) fn print_words(&self, words: &str) -> String {
        let name = |word: &str| {
            let bare = word.trim_start_matches('/');
            let printed = self.of.iter().find(|(_, actual)| *actual == bare).map(|(p, _)| p.clone());
            printed.unwrap_or_else(|| word.to_owned())
        };
        words.split(' ').map(name).collect::<Vec<_>>().join(" ")
    }

    /// A printed handle stands for a true one from now on, or does so already.
    pub(crate) fn unify(&mut self, printed: &str, actual: &str) -> Result<(), String> {
        match self.of.get(printed) {
            Some(known) if known == actual => Ok(()),
            Some(known) => Err(format!("{printed} is {known}, not {actual}")),
            None if self.used.insert(actual.to_owned()) => {
                self.of.insert(printed.to_owned(), actual.to_owned());
                Ok(())
            }
            None => {
                let other = self.of.iter().find(|(_, a)| *a == actual).map(|(p, _)| p.as_str());
                Err(format!("{printed} is new, yet {actual} is known as {}", other.unwrap_or("nothing")))
            }
        }
    }

    /// A line with the printed names of its handles, `?` for what has none.
    pub(crate) fn print(&self, line: &str) -> String {
        let name = |token: &str| match token.strip_prefix(MARK) {
            Some(actual) => {
                let printed = self.of.iter().find(|(_, a)| *a == actual).map(|(p, _)| p.clone());
                printed.unwrap_or_else(|| format!("?{actual}"))
            }
            None => token.to_owned(),
        };
        tokens(line).iter().map(|token| name(token)).collect()
    }

    /// Matches a line that was shown against a printed one.
    pub(crate) fn matches(&mut self, printed: &str, shown: &str) -> Result<(), String> {
        let (want, got) = (tokens(printed), tokens(shown));
        if want.len() != got.len() {
            return Err("other words".to_owned());
        }
        for (want, got) in want.iter().zip(&got) {
            match got.strip_prefix(MARK) {
                Some(actual) => self.unify(want, actual)?,
                None if want == got => {}
                None => return Err(format!("{want}, not {got}")),
            }
        }
        Ok(())
    }
}

/// Words and what stands between them.
fn tokens(line: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in line.chars() {
        let is_word = c.is_alphanumeric() || c == '_' || c == '/' || c == MARK;
        match tokens.last_mut() {
            Some(last) if is_word && in_word => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        in_word = is_word;
    }
    tokens
}

/// A line without its handles.
pub(crate) fn shape(line: &str) -> String {
    tokens(line).iter().map(|t| if t.starts_with(MARK) { "_" } else { t.as_str() }).collect()
}

/// The lines that a seat was shown from a batch on, detail left out.
pub(crate) fn lines(game: &Game, who: SeatId, from_batch: usize) -> Vec<String> {
    game.log(who)[from_batch..].iter().flatten().filter(|e| !e.detail).map(line).collect()
}

/// An action in printed handles as the seat names it: `march /xm 1 4-5`.
pub(crate) fn printed(handles: &Handles, text: &str) -> ShownAction {
    action(text, &mut |_, _, word| {
        let actual = handles.get(word).to_owned();
        if word.starts_with('/') { ShownTarget::Stack(actual) } else { ShownTarget::Body(actual) }
    })
}

/// The stacks of a side in an area, as a seat sees them.
pub(crate) fn stacks(game: &mut Game, who: SeatId, area: &str, side: &str) -> Vec<StackView> {
    let view = game.view(who).position;
    let there = view.places.get(area).map(|place| place.stacks.clone()).unwrap_or_default();
    there.into_iter().filter(|stack| stack.side == side).collect()
}

/// The body with a handle, as a seat sees it.
pub(crate) fn body(game: &mut Game, who: SeatId, handle: &str) -> Option<BodyView> {
    let view = game.view(who).position;
    let bodies =
        view.places.into_values().flat_map(|p| p.stacks.into_iter().flat_map(|s| s.bodies).chain(p.bodies));
    bodies.into_iter().find(|b| b.handle == handle)
}

/// What a body may be, as a seat sees it, in the order of the pieces.
pub(crate) fn candidates(body: &BodyView) -> String {
    match &body.piece {
        Some(piece) => piece.clone(),
        None => body.candidates.join(" "),
    }
}

/// The handles of all bodies and stacks that a seat sees.
pub(crate) fn all_handles(game: &mut Game, who: SeatId) -> BTreeSet<String> {
    let places = game.view(who).position.places;
    places
        .into_values()
        .flat_map(|p| {
            let stacks = p
                .stacks
                .into_iter()
                .flat_map(|s| s.bodies.into_iter().map(|b| b.handle).chain([s.handle]).collect::<Vec<_>>());
            stacks.chain(p.bodies.into_iter().map(|b| b.handle)).collect::<Vec<_>>()
        })
        .collect()
}

/// Every march of every stack of its own over every link that a seat could name, sensible or not.
pub(crate) fn marches(game: &mut Game, who: SeatId) -> Vec<ShownAction> {
    let rb = game.rulebook().clone();
    let Some(side) = rb.seat(who).side else { return Vec::new() };
    let links: Vec<String> = (0..rb.board().link_count() as u16)
        .map(|n| rb.board().link_name(adjutant::kernel::LinkId(n)).to_owned())
        .collect();
    let side = rb.sides()[side.index()].clone();
    let places = game.view(who).position.places;
    let own = places.into_values().flat_map(|p| p.stacks).filter(|s| s.side == side);
    own.flat_map(|stack| {
        let links = &links;
        (1..=4)
            .flat_map(move |n| {
                let handle = stack.handle.clone();
                links.iter().map(move |link| ShownAction {
                    verb: "march".to_owned(),
                    targets: vec![
                        ShownTarget::Stack(handle.clone()),
                        ShownTarget::Number(n),
                        ShownTarget::Link(link.clone()),
                    ],
                })
            })
            .collect::<Vec<_>>()
    })
    .collect()
}

/// The viewer that the page calls A, B or P.
pub(crate) fn viewer(game: &Game, letter: char) -> Viewer {
    match letter {
        'A' => game.rulebook().side_named("amber").map(Viewer::Side).unwrap(),
        'B' => game.rulebook().side_named("blue").map(Viewer::Side).unwrap(),
        _ => Viewer::Public,
    }
}
