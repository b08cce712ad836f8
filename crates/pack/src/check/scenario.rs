//! Checks of scenarios.

use std::collections::HashMap;

use adjutant_kernel::ColumnId;
use adjutant_kernel::rulebook::StartCell;

use super::{Checking, Known, number};
use crate::diagnostic::Diagnostic;
use crate::model::{Column, Face, FieldType, Group, Item, Model, Of, Scalar, Scenario};
use crate::read::{FromNode as _, Name, Reading, Spanned};
use crate::source::Span;
use crate::suggest;
use crate::tree::{Field, Node, Value};

impl<'a> Checking<'a> {
    pub(super) fn scenarios(&mut self) {
        let scenarios: Vec<_> = self.model.scenarios.iter().collect();
        if self.section_span("scenarios").is_none() && !self.model.is_base() {
            let message = "the pack has no scenario; add one in `scenarios/`";
            self.push(Diagnostic::of_file("no-scenario", "scenarios", message));
        }
        for (name, scenario) in scenarios {
            let path = format!("scenarios/{}", name.value);
            let what = format!("the scenario `{}`", scenario.title);
            self.source(scenario.source.as_ref(), name.span, &what, &path);
            self.start(scenario, &path);
            self.scenario_options(scenario, &path);
            start_cells(scenario, self.model, self.known, &path, &mut self.problems);
            start_records(scenario, self.model, self.known, &path, &mut self.problems);
            self.groups(scenario, &path);
        }
    }

    fn start(&mut self, scenario: &Scenario, path: &str) {
        let Some(start) = &scenario.start else { return };
        let known = self.known;
        let path = format!("{path}/start");
        let side_known = start.side.as_ref().is_none_or(|s| known.sides.refer(s, &path, self).is_some());
        if known.phases.refer(&start.phase, &path, self).is_none() || !side_known {
            return;
        }
        let mut turns: Vec<Option<&str>> = Vec::new();
        phase_turns(&self.model.sequence, &start.phase, None, &mut turns);
        let side = start.side.as_ref().map(|s| s.value.as_str());
        if turns.contains(&side) {
            return;
        }
        let sides = turns.iter().copied().flatten();
        let (message, help) = match &start.side {
            None => (
                format!("it is not said in whose turn the phase `{}` is", start.phase.value),
                format!("add `side:`; {}", suggest::list("sides", sides)),
            ),
            Some(side) => (
                format!("the phase `{}` is not in the turn of `{}`", start.phase.value, side.value),
                if turns.iter().all(Option::is_none) {
                    "it is in nobody's turn: leave `side` out".to_owned()
                } else {
                    suggest::list("sides", sides)
                },
            ),
        };
        let span = start.side.as_ref().map_or(start.phase.span, |s| s.span);
        self.push(Diagnostic::error("bad-scenario", span, message).help(help).at(path));
    }

    fn scenario_options(&mut self, scenario: &Scenario, path: &str) {
        let known = self.known;
        for option in &scenario.options {
            known.options.refer(option, &format!("{path}/options"), self);
        }
        if let Some(preset) = &scenario.preset {
            known.presets.refer(preset, &format!("{path}/preset"), self);
            if let Some(option) = scenario.options.first() {
                let message = "a scenario has either `options` or a `preset`";
                let problem = Diagnostic::error("bad-option", option.span, message);
                self.push(problem.and(preset.span, "the preset").at(path));
            }
        }
        if let Some(options) = &self.model.options {
            self.agreeing(&scenario.options, options, &format!("{path}/options"));
        }
    }

    fn groups(&mut self, scenario: &'a Scenario, path: &str) {
        let mut placed: HashMap<&str, (Span, &str)> = HashMap::new();
        for (n, group) in scenario.place.iter().enumerate() {
            let path = format!("{path}/place/{n}");
            self.group(group, &placed, &path);
            for piece in group.stack.iter().chain(&group.pieces) {
                if let Some((first, _)) = placed.insert(&piece.value, (piece.span, &group.at.value)) {
                    let message = format!("`{}` is placed twice", piece.value);
                    let problem = Diagnostic::error("placed-twice", piece.span, message).label("again here");
                    self.push(problem.and(first, "first here").help("remove one of them").at(&path));
                }
            }
        }
    }

    fn group(&mut self, group: &Spanned<Group>, placed: &HashMap<&str, (Span, &str)>, path: &str) {
        let known = self.known;
        known.places.refer(&group.at, path, self);
        if let Some(source) = &group.source {
            self.source_text(source, path);
        }
        if group.stack.is_empty() && group.pieces.is_empty() {
            let message = format!("nothing is placed at `{}`", group.at.value);
            let help = "give `stack: [..]` or `pieces: [..]`";
            self.push(Diagnostic::error("bad-scenario", group.span, message).help(help).at(path));
        }
        if let Some(under) = &group.under {
            known.pieces.refer(under, path, self);
            match placed.get(under.value.as_str()) {
                None if known.pieces.has(under) => {
                    let message = format!("`{}` is not placed yet, so nothing can be under it", under.value);
                    self.push(Diagnostic::error("bad-scenario", under.span, message).at(path));
                }
                Some((span, at)) if *at != group.at.value => {
                    let message = format!("`{}` stands at `{at}`, not at `{}`", under.value, group.at.value);
                    let problem = Diagnostic::error("bad-scenario", under.span, message);
                    self.push(problem.and(*span, "placed here").at(path));
                }
                Some(_) | None => {}
            }
            if let Some(piece) = group.stack.first() {
                let message = "what is under a piece is in no stack";
                let problem = Diagnostic::error("bad-scenario", piece.span, message);
                self.push(problem.help("list it in `pieces`").at(path));
            }
        }
        let model = self.model;
        let side = |piece: &Name| {
            let (_, entry) = entry(model, piece)?;
            Some(entry.side.as_ref().map(|s| s.value.as_str()))
        };
        for piece in group.stack.iter().chain(&group.pieces) {
            if known.pieces.refer(piece, path, self).is_none() {
                continue;
            }
            let deck = entry(model, piece).is_some_and(|(_, p)| p.deck.is_some());
            if deck && matches!(group.face, Face::Up) && group.rule.is_none() {
                let message = format!("`{}` is face up, and no rule shows it", piece.value);
                let help = "add `rule: \"book:1.2\"`, the rule by which everybody sees it";
                self.push(Diagnostic::error("bad-scenario", piece.span, message).help(help).at(path));
            }
        }
        if let Some(rule) = &group.rule {
            self.rule(rule, path);
        }
        if group.mixed {
            self.mixed(group, path);
        }
        let first = group.stack.first().and_then(|p| Some((p, side(p)?)));
        for piece in &group.stack {
            match (side(piece), &first) {
                (Some(None), _) => {
                    let message = format!("`{}` has no side, so it is in no stack", piece.value);
                    let problem = Diagnostic::error("bad-scenario", piece.span, message);
                    self.push(problem.help("list it in `pieces`").at(path));
                }
                (Some(here), Some((other, there))) if here != *there && there.is_some() => {
                    let message = format!("`{}` and `{}` are of different sides", other.value, piece.value);
                    let problem = Diagnostic::error("bad-scenario", piece.span, message);
                    self.push(problem.and(other.span, "the other").help("make two stacks").at(path));
                }
                (Some(_) | None, _) => {}
            }
        }
    }
}

impl<'a> Checking<'a> {
    /// Pieces that are put down in a random order have backs that look alike.
    fn mixed(&mut self, group: &Spanned<Group>, path: &str) {
        let deck = |piece: &Name| entry(self.model, piece)?.1.deck.as_ref().map(|deck| deck.value.as_str());
        // That there is no such piece is said elsewhere.
        let known = |piece: &&Name| entry(self.model, piece).is_some();
        let mut pieces = group.stack.iter().chain(&group.pieces).filter(known);
        let Some(first) = pieces.next() else { return };
        let odd = match deck(first) {
            None => Some(first),
            Some(of) => pieces.find(|piece| deck(piece) != Some(of)),
        };
        let problem = match (odd, &group.face) {
            (Some(odd), _) => {
                let message = format!("`{}` is mixed with what does not look like it", odd.value);
                let help = "mix pieces of one deck; list the others in a group of their own";
                Diagnostic::error("bad-scenario", odd.span, message).help(help)
            }
            (None, Face::Up) => {
                let message = "what lies face up is not mixed";
                Diagnostic::error("bad-scenario", group.span, message).help("leave out `mixed` or `face`")
            }
            (None, Face::Down) => return,
        };
        self.push(problem.at(path));
    }
}

/// The entry of `pieces.ron` that a piece belongs to.
fn entry<'a>(model: &'a Model, piece: &str) -> Option<(&'a Name, &'a crate::model::Piece)> {
    let pieces = &model.pieces.as_ref()?.pieces;
    if let Some(found) = pieces.iter().find(|(name, _)| name.value == piece) {
        return Some(found);
    }
    let stem = piece.rsplit_once(' ')?.0;
    pieces.iter().find(|(name, _)| name.value == stem)
}

/// In whose turns a phase is.
fn phase_turns<'m>(
    items: &'m [Spanned<Item>],
    phase: &str,
    turn: Option<&'m str>,
    out: &mut Vec<Option<&'m str>>,
) {
    for item in items {
        match &item.value {
            Item::Phase(here) if here.name.value == phase => out.push(turn),
            Item::Phase(_) | Item::Moment(_) => {}
            Item::Sides(turns) => {
                turns
                    .sides
                    .iter()
                    .for_each(|side| phase_turns(&turns.items, phase, Some(side.as_str()), out));
            }
            Item::When(part) | Item::While(part) => phase_turns(&part.items, phase, turn, out),
            Item::Turns(turns) => phase_turns(&turns.items, phase, turn, out),
        }
    }
}

/// The cells that a scenario sets, as numbers; what is wrong is reported and left out.
pub(crate) fn start_cells(
    scenario: &Scenario,
    model: &Model,
    known: &Known,
    path: &str,
    problems: &mut Vec<Diagnostic>,
) -> Vec<StartCell> {
    let mut cells = Cells { known, problems, path: String::new(), out: Vec::new() };
    for (name, node) in scenario.columns.iter() {
        cells.path = format!("{path}/columns/{}", name.value);
        let Some(number) = known.columns.find(name) else {
            if !known.columns.has(name) {
                let problem = known.columns.unknown(name).at(cells.path.clone());
                cells.problems.push(problem);
            }
            continue;
        };
        if let Some(column) = model.columns.as_ref().and_then(|c| c.columns.get(name)) {
            cells.column(ColumnId(number as u16), column, name, node);
        }
    }
    cells.out
}

/// A field of an entry that a scenario begins with.
pub(crate) enum StartField {
    Number(i32),
    /// A word, which gets its number when the rulebook is made.
    Word(String),
}

/// The entries of relations that a scenario begins with, as numbers; what is wrong is reported and left out.
pub(crate) fn start_records(
    scenario: &Scenario,
    model: &Model,
    known: &Known,
    path: &str,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<StartField>)> {
    let mut found = Vec::new();
    for (name, entries) in scenario.relations.iter() {
        let path = format!("{path}/relations/{}", name.value);
        let relation = model.columns.as_ref().and_then(|c| c.relations.get(name));
        let Some(relation) = relation else {
            let names: Vec<&str> =
                model.columns.iter().flat_map(|c| c.relations.names()).map(|n| n.value.as_str()).collect();
            let message = format!("there is no relation `{}`", name.value);
            let help = suggest::help(name, "relations", names.iter().copied());
            problems.push(Diagnostic::error("unknown-name", name.span, message).help(help).at(path));
            continue;
        };
        if entries.len() > usize::from(relation.most.value) {
            let message =
                format!("the relation `{}` holds {} entries at most", name.value, relation.most.value);
            let problem = Diagnostic::error("bad-scenario", name.span, message);
            problems.push(problem.and(relation.most.span, "declared here").at(&path));
        }
        for entry in entries {
            for given in entry.names().filter(|n| relation.fields.get(n).is_none()) {
                let message = format!("the relation `{}` has no field `{}`", name.value, given.value);
                let fields: Vec<&str> = relation.fields.names().map(|n| n.value.as_str()).collect();
                let help = suggest::help(given, "fields", fields.iter().copied());
                problems.push(Diagnostic::error("unknown-field", given.span, message).help(help).at(&path));
            }
            let mut fields = Vec::new();
            for (field, kind) in relation.fields.iter() {
                let Some(value) = entry.get(field) else {
                    let message = format!("an entry of `{}` lacks its field `{}`", name.value, field.value);
                    problems.push(Diagnostic::error("bad-scenario", name.span, message).at(&path));
                    continue;
                };
                match record_word(kind, value, known) {
                    Some(start) => fields.push(start),
                    None => {
                        let what = format!("{kind:?}").to_lowercase();
                        let message = format!("the field `{}` takes a {what}", field.value);
                        problems.push(Diagnostic::error("bad-value", value.span, message).at(&path));
                    }
                }
            }
            if fields.len() == relation.fields.len() {
                found.push((name.value.clone(), fields));
            }
        }
    }
    found
}

/// A field's value as the kernel keeps it.
fn record_word(kind: &FieldType, value: &Scalar, known: &Known) -> Option<StartField> {
    let named = |names: &super::known::Names| match value {
        Scalar::Text(text) => names.find(text).map(|n| StartField::Number(n as i32)),
        _ => None,
    };
    match (kind, value) {
        (FieldType::Int, Scalar::Number(number)) => Some(StartField::Number(*number)),
        (FieldType::Space, _) => named(&known.spaces),
        (FieldType::Side, _) => named(&known.sides),
        // A body has the number of its piece until something is mixed.
        (FieldType::Body | FieldType::Piece, _) => named(&known.pieces),
        (FieldType::Word, Scalar::Text(word)) => Some(StartField::Word(word.clone())),
        (FieldType::Word | FieldType::Int, _) => None,
    }
}

struct Cells<'a> {
    known: &'a Known,
    problems: &'a mut Vec<Diagnostic>,
    path: String,
    out: Vec<StartCell>,
}

impl Cells<'_> {
    fn problem(&mut self, span: Span, message: String, help: &str) {
        let problem = Diagnostic::error("bad-value", span, message).help(help).at(self.path.clone());
        self.problems.push(problem);
    }

    fn column(&mut self, id: ColumnId, column: &Column, name: &Name, node: &Node) {
        if matches!(column.of, Of::Game) {
            self.holder(id, column, name, 0, node);
            return;
        }
        let what = format!("{:?}", column.of).to_lowercase();
        let help = format!("write `\"{}\": {{ \"{what}\": value }}`", name.value);
        for field in self.map(node, name, &help) {
            let holder = self.holder_number(column, &field);
            if let Some(holder) = holder {
                self.holder(id, column, name, holder, &field.node);
            }
        }
    }

    fn map(&mut self, node: &Node, name: &Name, help: &str) -> Vec<Field> {
        match &node.value {
            Value::Fields(fields) if fields.braces => fields.list.clone(),
            Value::Broken => Vec::new(),
            _ => {
                let message = format!("the column `{}` has several values", name.value);
                self.problem(node.span, message, help);
                Vec::new()
            }
        }
    }

    fn holder(&mut self, id: ColumnId, column: &Column, name: &Name, holder: u16, node: &Node) {
        if !column.by_side {
            return self.cell(id, column, name, holder, 0, node);
        }
        for field in self.map(node, name, "it is by side: write `{ \"side\": value }`") {
            let key = Spanned { span: field.key_span, value: field.key.clone() };
            match self.known.sides.find(&key) {
                Some(side) => self.cell(id, column, name, holder, side as u8, &field.node),
                None if self.known.sides.has(&key) => {}
                None => self.problems.push(self.known.sides.unknown(&key).at(self.path.clone())),
            }
        }
    }

    fn cell(&mut self, column: ColumnId, def: &Column, name: &Name, holder: u16, side: u8, node: &Node) {
        let mut reading = Reading::default();
        let scalar = reading.within(&name.value, |cx| Scalar::from_node(node, cx));
        for problem in reading.problems {
            self.problems.push(Diagnostic { path: self.path.clone(), ..problem });
        }
        let Some(scalar) = scalar else { return };
        match number(&scalar, &def.values, self.known) {
            Ok(value) => self.out.push(StartCell { column, holder, side, value }),
            Err(why) => self.problem(node.span, format!("the column `{}`: {why}", name.value), ""),
        }
    }

    fn holder_number(&mut self, column: &Column, field: &Field) -> Option<u16> {
        let known = self.known;
        let key = Spanned { span: field.key_span, value: field.key.clone() };
        let names = match column.of {
            Of::Game => return Some(0),
            Of::Side => &known.sides,
            Of::Seat => &known.seats,
            Of::Piece | Of::Body => &known.pieces,
            Of::Space => &known.spaces,
            Of::Border => &known.borders,
            Of::Link => &known.links,
            Of::Choice => {
                let found = column.choices.iter().position(|c| c.value == key.value);
                if found.is_none() {
                    let choices = column.choices.iter().map(|c| c.value.as_str());
                    let help = suggest::help(&key, "choices", choices);
                    self.problem(key.span, format!("there is no choice `{}`", key.value), &help);
                }
                return found.map(|n| n as u16);
            }
        };
        let board = known.board.as_ref();
        let found = match column.of {
            Of::Border => board.and_then(|b| b.border_named(&key)).map(|b| b.0),
            Of::Link => board.and_then(|b| b.link_named(&key)).map(|l| l.0),
            _ => names.find(&key).map(|n| n as u16),
        };
        if found.is_none() && !names.has(&key) {
            self.problems.push(names.unknown(&key).at(self.path.clone()));
        }
        found
    }
}
