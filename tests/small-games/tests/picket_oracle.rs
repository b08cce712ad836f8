//! Picket line against its slow model: the same decisions and dice give the same asks, offers and events for every
//! viewer. The traces come from `oracle/trace.py`; see the page beside it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

use std::collections::HashMap;

use adjutant::kernel::chance::Key;
use adjutant::kernel::events::{Emitted, Shown, ShownEvent};
use adjutant::kernel::flow::{self, Sink};
use adjutant::kernel::state::Read;
use adjutant::kernel::view::{Ciphers, Names, ShownAction, ShownTarget};
use adjutant::kernel::{Rulebook, SideId, State, Viewer, Worker};
use small_games::picket::{Variant, rulebook};

const TRACES: &str = include_str!("data/picket_traces.txt");
const VIEWERS: [Viewer; 3] = [Viewer::Side(SideId(0)), Viewer::Side(SideId(1)), Viewer::Public];

fn fnv(text: &str) -> String {
    let step = |h: u64, byte: u8| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:08x}", hash as u32)
}

/// An action as the trace writes it: `march /aF2 1 4-5`.
fn parse(text: &str) -> ShownAction {
    let mut words = text.split(' ').map(str::to_owned);
    let verb = words.next().unwrap();
    let areas = ["place", "hide", "return", "retreat", "attack"].contains(&verb.as_str());
    let choices = ["deploy", "order", "falter"].contains(&verb.as_str());
    let target = |word: String| match word.strip_prefix('/') {
        Some(top) => ShownTarget::Stack(top.to_owned()),
        None if word.contains('-') => ShownTarget::Link(word),
        None => match word.parse::<i16>() {
            Ok(_) if areas => ShownTarget::Place(word),
            Ok(number) => ShownTarget::Number(number),
            Err(_) if choices && word.chars().all(|c| c.is_ascii_lowercase()) => ShownTarget::Choice(word),
            Err(_) => ShownTarget::Body(word),
        },
    };
    ShownAction { targets: words.map(target).collect(), verb }
}

/// An argument in the words of the trace; handles are renamed.
fn text(shown: &Shown, rename: &mut dyn FnMut(&str) -> String) -> String {
    match shown {
        Shown::Body(body) => rename(&body.handle),
        Shown::Bodies(bodies) => bodies.iter().map(|b| rename(&b.handle)).collect::<Vec<_>>().join(" "),
        Shown::Stack(handle) => rename(handle),
        Shown::Name(name) => name.clone(),
        Shown::Number(number) => number.to_string(),
        Shown::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Shown::List(list) => {
            let items: Vec<String> = list.iter().map(|s| text(s, rename)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// An event in the words of the trace; `None` for what the model has not.
fn canonical(event: &ShownEvent, rename: &mut dyn FnMut(&str) -> String) -> Option<String> {
    if event.detail || event.event == "end" {
        return None;
    }
    let rule = event.rule.as_deref().unwrap_or("");
    let mut args = |names: &[&str]| -> String {
        let mut words = vec![event.event.clone()];
        for name in names {
            if let Some(shown) = event.arg(name) {
                words.push(text(shown, rename));
            }
        }
        words.retain(|w| !w.is_empty());
        words.join(" ")
    };
    Some(match event.event.as_str() {
        "phase" => {
            event.arg("side")?;
            args(&["name", "side"])
        }
        "draw" => {
            let stream = if event.arg("stream").is_some() { "amber" } else { "public" };
            let table = args(&["table"]);
            let number = args(&["number"])["draw ".len()..].to_owned();
            let rest = match table.as_str() {
                "draw levy" => args(&["piece", "result"]),
                "draw straggle" => args(&["die", "bodies", "mods", "private_mods", "column", "result"]),
                "draw probe" => args(&["die", "difference", "column", "result"]),
                "draw fight" => {
                    args(&["die", "position", "by", "odds", "start", "shifts", "column", "result"])
                }
                _ => args(&["die", "column", "result"]),
            };
            format!("{table} {stream} {number} {} {rule}", &rest["draw ".len()..])
        }
        "reveal" => {
            let weary = event.arg("weary") == Some(&Shown::Number(1));
            format!("{}{} {rule}", args(&["body", "piece"]), if weary { " weary" } else { "" })
        }
        "narrow" => format!("{} {rule}", args(&["body", "is"])),
        "tell" => {
            let mut text = args(&["question", "about", "answer"]);
            if let Some(stem) = text.strip_suffix(" 1") {
                text = format!("{stem} yes");
            } else if let Some(stem) = text.strip_suffix(" 0") {
                text = format!("{stem} no");
            }
            format!("{text} {rule}")
        }
        "removed" | "lost" | "turned_down" => format!("{} {rule}", args(&["bodies"])),
        "stopped" => format!("{} {rule}", args(&["bodies", "area", "link"])),
        "displaced" => format!("{} {rule}", args(&["bodies", "to"])),
        "open" => format!("{} {rule}", args(&["side", "areas"])),
        "retreats" => format!("{} {rule}", args(&["bodies", "to", "verdict"])),
        "regrouped" => args(&["side", "returned"]),
        "marched" | "pressed" => args(&["bodies", "link", "to"]),
        "declined" | "no_battle" | "battle_over" => args(&["area"]),
        "intercepts" => args(&["area", "side"]),
        "clash" => args(&["area", "by"]),
        "probe" => args(&["stack", "target"]),
        "blocks" | "arrears" => args(&["n"]),
        "search" => args(&["bodies", "area"]),
        "battle" => args(&["area", "attacker", "clashed"]),
        "falters" => args(&["side", "position"]),
        "orders" | "scores" => args(&["amber", "blue"]),
        "deployed" => args(&["side", "road", "field"]),
        "set_up" | "rested" => args(&[]),
        other => panic!("the model knows no {other}"),
    })
}

struct Replay<'a> {
    rulebook: &'a Rulebook,
    worker: Worker,
    state: State,
    ciphers: Ciphers,
    names: [HashMap<String, usize>; 3],
}

impl Replay<'_> {
    fn asked(&mut self) -> String {
        let Some(asked) = flow::asked(&self.state) else { return "over".to_owned() };
        let mut seats: Vec<_> = asked.seats.iter().map(|&s| (&self.rulebook.seat(s).name, s)).collect();
        seats.sort();
        let mut parts = Vec::new();
        for (name, seat) in seats {
            let mut list = Vec::new();
            flow::offers(self.rulebook, &self.worker, &self.state, seat, &mut list).unwrap();
            let ciphers = self.state.ciphers(self.rulebook, &mut self.ciphers);
            let names = Names::new(ciphers, Read::new(self.rulebook, &self.state));
            let mut texts: Vec<String> = list.iter().map(|a| names.action(None, a).to_string()).collect();
            texts.sort();
            parts.push(format!("{name} {} {}", self.rulebook.word(asked.prompt), fnv(&texts.join(";"))));
        }
        parts.join(", ")
    }

    fn act(&mut self, decision: &str) -> Vec<Emitted> {
        let (seat, action) = decision.split_once(' ').unwrap();
        let seat = self.rulebook.seat_named(seat).unwrap();
        let ciphers = self.state.ciphers(self.rulebook, &mut self.ciphers);
        let names = Names::new(ciphers, Read::new(self.rulebook, &self.state));
        let action = names.read_action(None, &parse(action)).unwrap();
        let mut sink = Sink::on();
        let verdict = flow::judge(self.rulebook, &self.worker, &self.state, seat, &action).unwrap();
        assert_eq!(verdict, Some(Ok(())), "{decision}");
        flow::act(self.rulebook, &mut self.worker, &mut sink, &mut self.state, seat, &action).unwrap();
        sink.take().0
    }

    /// The events of the umpire, and the hashes of those of each viewer.
    fn events(&mut self, events: &[Emitted]) -> (String, String, String) {
        let shown = |e: &Emitted| e.shown(self.rulebook, None).cloned();
        let whole: Vec<String> = events
            .iter()
            .filter_map(shown)
            .filter_map(|e| canonical(&e, &mut |name| name.to_owned()))
            .collect();
        let (mut hashes, mut all) = (Vec::new(), String::new());
        for (viewer, names) in VIEWERS.into_iter().zip(&mut self.names) {
            let texts: Vec<String> = events
                .iter()
                .filter_map(|e| e.shown(self.rulebook, Some(viewer)))
                .filter_map(|e| {
                    canonical(e, &mut |handle| {
                        let next = names.len();
                        format!("#{}", names.entry(handle.to_owned()).or_insert(next))
                    })
                })
                .collect();
            hashes.push(if texts.is_empty() { "-".to_owned() } else { fnv(&texts.join("\n")) });
            all += &texts.iter().map(|t| format!("  {viewer:?}: {t}\n")).collect::<String>();
        }
        (whole.join("; "), hashes.join(" "), all)
    }
}

/// Replays one trace; gives the number of decisions.
fn replay(rulebook: &Rulebook, head: &str, lines: &[&str]) -> usize {
    let mut words = head.split(' ');
    let number: u64 = words.nth(1).unwrap().parse().unwrap();
    let options = words.map(|o| 1u64 << rulebook.option_named(o).unwrap().0).sum();
    let mut worker = Worker::new().checking();
    let key = Key::from_seed(number);
    let mut state = flow::start(rulebook, &mut worker, &mut Sink::off(), key, options).unwrap();
    for die in lines[0].split(' ').skip(1) {
        let (table, value) = die.split_once('=').unwrap();
        state.force(rulebook.table_named(table).unwrap(), value.parse().unwrap());
    }
    let mut game = Replay { rulebook, worker, state, ciphers: Ciphers::default(), names: Default::default() };
    assert_eq!(game.asked(), lines[1].trim_start_matches("| "));
    for (n, line) in lines[2..].iter().enumerate() {
        let parts: Vec<&str> = line.splitn(4, " | ").collect();
        let events = game.act(parts[0]);
        let (whole, hashes, all) = game.events(&events);
        let context = format!("game {number}, decision {n}: {}", parts[0]);
        assert_eq!(whole, parts[3], "{context}");
        assert_eq!(hashes, parts[2], "{context}\n{all}");
        assert_eq!(game.asked(), parts[1], "{context}");
    }
    assert!(game.state.outcome().is_some());
    lines.len() - 2
}

#[test]
fn every_trace_of_the_model_is_replayed() {
    let rulebook = rulebook(&Variant::default()).unwrap();
    let mut decisions = 0;
    let lines: Vec<&str> = TRACES.lines().collect();
    let heads: Vec<usize> = (0..lines.len()).filter(|&n| lines[n].starts_with("game ")).collect();
    for (n, &head) in heads.iter().enumerate() {
        let end = heads.get(n + 1).copied().unwrap_or(lines.len());
        decisions += replay(&rulebook, lines[head], &lines[head + 1..end]);
    }
    assert!(heads.len() >= 16 && decisions > 5000, "{decisions} decisions in {} games", heads.len());
}
