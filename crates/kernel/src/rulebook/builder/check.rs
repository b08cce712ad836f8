//! What `build` checks before anything is laid out: numbers, names, and that ids name what is declared.

use std::collections::HashSet;

use super::RulebookBuilder;
use super::declared::Declared;
use crate::flow::NewFrame;
use crate::knowledge::QuestionKind;
use crate::points::Filter;
use crate::rulebook::*;

/// The most things that numbers of 16 bits can name; the last is kept free.
const MOST: usize = u16::MAX as usize;

impl RulebookBuilder {
    /// Whether there are no more things of a kind than their ids can name. If not, ids are not what they were
    /// given for, and nothing else can be said.
    pub(super) fn check_numbers(&mut self) -> bool {
        let rb = &self.rb;
        let bounds = [
            ("sides", rb.sides.len(), 1, 14),
            ("seats", rb.seats.len(), 0, 32),
            ("options", rb.options.len(), 0, 64),
            ("decks", rb.decks.len(), 0, 256),
            ("pieces", rb.pieces.len(), 0, MOST),
            ("piece sets", rb.piece_sets.len(), 0, MOST),
            ("attributes", rb.attributes.len(), 0, MOST),
            ("columns", rb.columns.len(), 0, MOST),
            ("relations", rb.records.len(), 0, MOST),
            ("questions", rb.questions.len(), 0, MOST),
            ("tables", rb.tables.len(), 0, MOST),
            ("rule points", rb.points.len(), 0, MOST),
            ("moments", rb.moments.len(), 0, MOST),
            ("procedures", rb.procs.len(), 0, MOST),
            ("scenarios", rb.scenarios.len(), 0, MOST),
            ("watches", rb.watches.len(), 0, MOST),
            ("steps of the sequence of play", rb.sequence.len(), 0, MOST),
            ("words", rb.words.len(), 0, MOST),
            ("rule ids", rb.rules.len(), 0, MOST),
        ];
        let mut problems = Vec::new();
        // Places, bodies and stacks, of which there may be one a body, are nodes of one tree.
        let nodes = rb.board.place_count() + 2 * rb.pieces.len();
        if nodes > MOST {
            let (places, pieces) = (rb.board.place_count(), rb.pieces.len());
            problems.push(format!(
                "there are {places} places and {pieces} pieces; the places and twice the pieces are {MOST} at most"
            ));
        }
        for (what, found, least, most) in bounds {
            if !(least..=most).contains(&found) {
                problems.push(format!("there are {found} {what}; {least} to {most} are possible"));
            }
        }
        // No game can be played by no side, and yet all ids mean what they were given for.
        let sound = problems.is_empty() || (problems.len() == 1 && self.rb.sides.is_empty());
        self.problems.extend(problems);
        sound
    }

    /// Saves write everything by name, so that nothing may go without and no two things of a kind may share one.
    pub(super) fn check_names(&mut self) {
        let rb = &self.rb;
        let word = |word: WordId| rb.words.name(word.0);
        let kinds: [(&str, Vec<&str>); 17] = [
            ("side", rb.sides.iter().map(String::as_str).collect()),
            ("seat", rb.seats.iter().map(|s| s.name.as_str()).collect()),
            ("deck", rb.decks.iter().map(|d| d.name.as_str()).collect()),
            ("attribute", rb.attributes.iter().map(|a| a.name.as_str()).collect()),
            ("piece", rb.pieces.iter().map(|p| p.name.as_str()).collect()),
            ("piece set", rb.piece_sets.iter().map(|s| s.name.as_str()).collect()),
            ("column", rb.columns.iter().map(|c| c.name.as_str()).collect()),
            ("relation", rb.records.iter().map(|r| r.name.as_str()).collect()),
            ("question", rb.questions.iter().map(|q| word(q.name)).collect()),
            ("option", rb.options.iter().map(|o| o.name.as_str()).collect()),
            ("table", rb.tables.iter().map(|(name, _)| name.as_str()).collect()),
            ("rule point", rb.points.iter().map(|p| p.name.as_str()).collect()),
            ("moment", rb.moments.iter().map(|m| word(m.name)).collect()),
            ("procedure", rb.procs.iter().map(|p| p.name.as_str()).collect()),
            ("scenario", rb.scenarios.iter().map(|s| s.name.as_str()).collect()),
            ("word", rb.words.iter().collect()),
            ("rule id", rb.rules.iter().collect()),
        ];
        let mut problems = Vec::new();
        if rb.title.contains(char::is_control) {
            problems.push("the title has a line break or another control character".to_owned());
        }
        if rb.title.trim().is_empty() {
            problems.push("the title is empty".to_owned());
        }
        for (kind, names) in kinds {
            distinct(kind, "", names.into_iter(), &mut problems);
        }
        for record in &rb.records {
            let place = format!(" of relation `{}`", record.name);
            distinct("field", &place, record.fields.iter().map(|(name, _)| name.as_str()), &mut problems);
        }
        for column in &rb.columns {
            let place = format!(" of column `{}`", column.name);
            distinct("choice", &place, column.choices.iter().map(|w| word(*w)), &mut problems);
            if let ValueKind::Choice(words) = &column.kind {
                distinct("value", &place, words.iter().map(|w| word(*w)), &mut problems);
            }
        }
        for attribute in &rb.attributes {
            if let ValueKind::Choice(words) = &attribute.kind {
                let place = format!(" of attribute `{}`", attribute.name);
                distinct("value", &place, words.iter().map(|w| word(*w)), &mut problems);
            }
        }
        self.problems.extend(problems);
    }

    /// Whether procedures have their code, and say how locals are imagined by whom they are hidden from.
    pub(super) fn check_procedures(&mut self) {
        let mut problems = Vec::new();
        for def in &self.rb.procs {
            let name = &def.name;
            let Some(code) = &def.code else {
                problems.push(format!("procedure `{name}` is declared and never defined"));
                continue;
            };
            if let Err(wrong) = code.imagines().suits(&def.fields) {
                problems.push(format!("procedure `{name}` {wrong}; see `Procedure::IMAGINE`"));
            }
        }
        self.problems.extend(problems);
    }

    /// Whether every id names something that this rulebook declares: ids may come from another builder.
    pub(super) fn check_ids(&mut self) -> bool {
        let mut ids = Ids { rb: &self.rb, problems: Vec::new() };
        ids.seats_and_pieces();
        ids.columns_and_relations();
        self.level_rules.iter().enumerate().for_each(|(n, rule)| ids.level(n, rule));
        ids.all(self.switched_off.iter().copied(), &|| "what is switched off".to_owned());
        ids.points();
        ids.flow();
        self.rb.scenarios.iter().for_each(|scenario| ids.scenario(scenario));
        let problems = ids.problems;
        let sound = problems.is_empty();
        self.problems.extend(problems);
        sound
    }

    /// Whether scenarios begin with phases that the sequence of play has.
    pub(super) fn check_scenarios(&mut self) {
        for n in 0..self.rb.scenarios.len() {
            let Some((phase, side)) = self.rb.scenarios[n].start else { continue };
            let (name, phase) = (&self.rb.scenarios[n].name, self.rb.word(phase));
            if self.rb.sequence_from(phase, side).is_none() {
                let side = side.and_then(|s| self.rb.sides.get(s.index()));
                let turn = side.map_or_else(String::new, |s| format!(" in the turn of `{s}`"));
                let text = format!(
                    "scenario `{name}` begins with phase `{phase}`{turn}, which the sequence of play lacks"
                );
                self.problem(text);
            }
        }
    }
}

/// Notes names that are empty, of more than a line, or stand twice.
fn distinct<'a>(kind: &str, place: &str, names: impl Iterator<Item = &'a str>, problems: &mut Vec<String>) {
    let mut seen = HashSet::new();
    for name in names {
        if name.trim().is_empty() {
            problems.push(format!("{} {kind}{place} has an empty name; give it one", article(kind)));
        } else if name.contains(char::is_control) {
            let text = format!(
                "the name {name:?} of {} {kind}{place} has a line break or another control",
                article(kind)
            );
            problems.push(format!("{text} character; write it on one line"));
        } else if !seen.insert(name) {
            problems.push(format!("{kind} `{name}`{place} is declared twice; give it another name"));
        }
    }
}

/// Looks whether ids name what is declared.
struct Ids<'a> {
    rb: &'a Rulebook,
    problems: Vec<String>,
}

impl Ids<'_> {
    /// Notes an id that nothing has.
    fn known<T: Declared>(&mut self, id: T, place: &dyn Fn() -> String) {
        if id.number() >= T::count(self.rb) {
            let text = format!("{} names {} number {}, which is not declared", place(), T::KIND, id.number());
            self.problems.push(text);
        }
    }

    fn all<T: Declared>(&mut self, list: impl IntoIterator<Item = T>, place: &dyn Fn() -> String) {
        list.into_iter().for_each(|id| self.known(id, place));
    }

    fn kind(&mut self, kind: &ValueKind, place: &dyn Fn() -> String) {
        match kind {
            ValueKind::Int { min, max } if min > max => {
                self.problems.push(format!("{} takes {min} to {max}: no number at all", place()));
            }
            ValueKind::Choice(words) if words.is_empty() => {
                self.problems.push(format!("{} takes no value at all: it is one of no words", place()));
            }
            ValueKind::Choice(words) => self.all(words.iter().copied(), place),
            ValueKind::Int { .. } | ValueKind::Flag | ValueKind::Side | ValueKind::Space => {}
        }
    }

    fn class(&mut self, class: ColumnClass, place: &dyn Fn() -> String) {
        match class {
            ColumnClass::Side(side) => self.known(side, place),
            ColumnClass::Public | ColumnClass::Owner | ColumnClass::Hidden => {}
        }
    }

    /// A procedure about to begin: it is declared, and has as many locals as it reads.
    fn frame(&mut self, frame: &NewFrame, place: &dyn Fn() -> String) {
        self.known(frame.proc, place);
        let Some(def) = self.rb.procs.get(frame.proc.index()) else { return };
        let count: usize = def.fields.iter().map(|f| usize::from(f.words)).sum();
        if frame.words.len() != count {
            let found = frame.words.len();
            self.problems.push(format!(
                "{} begins procedure `{}` with {found} words of locals; it has {count}",
                place(),
                def.name
            ));
        }
    }

    fn seats_and_pieces(&mut self) {
        let rb = self.rb;
        for seat in &rb.seats {
            self.all(seat.side, &|| format!("seat `{}`", seat.name));
        }
        for deck in &rb.decks {
            self.known(deck.side, &|| format!("deck `{}`", deck.name));
        }
        for attribute in &rb.attributes {
            let place = || format!("attribute `{}`", attribute.name);
            self.kind(&attribute.kind, &place);
            match attribute.class {
                AttributeClass::Side(side) => self.known(side, &place),
                AttributeClass::Public | AttributeClass::Owner | AttributeClass::OnReveal => {}
            }
        }
        for piece in &rb.pieces {
            let place = || format!("piece `{}`", piece.name);
            self.all(piece.side, &place);
            self.all(piece.deck, &place);
            if let Some(deck) = piece.deck.and_then(|d| rb.decks.get(d.index()))
                && piece.side != Some(deck.side)
            {
                self.problems.push(format!("{} is not of the side of its deck", place()));
            }
            let (given, declared) = (piece.attributes.len(), rb.attributes.len());
            if given > declared {
                let text = format!("{} has {given} values; {declared} attributes are declared", place());
                self.problems.push(text);
            }
        }
    }

    fn columns_and_relations(&mut self) {
        let rb = self.rb;
        for column in &rb.columns {
            let place = || format!("column `{}`", column.name);
            self.kind(&column.kind, &place);
            self.class(column.class, &place);
            self.all(column.choices.iter().copied(), &place);
            self.all(column.resets.iter().copied(), &place);
            match (column.holder, column.choices.len()) {
                (Holder::Choice, 1..=256) => {}
                (Holder::Choice, count) => {
                    self.problems.push(format!("{} is of {count} choices; 1 to 256 are possible", place()));
                }
                (_, 0) => {}
                (_, _) => self.problems.push(format!("{} is not of choices and names some", place())),
            }
        }
        for record in &rb.records {
            self.class(record.class, &|| format!("relation `{}`", record.name));
            let count = record.fields.len();
            if count > RECORD_FIELDS {
                let text = format!("relation `{}` has {count} fields; {RECORD_FIELDS} at most", record.name);
                self.problems.push(text);
            }
        }
        for question in &rb.questions {
            let place = || format!("question `{}`", rb.word(question.name));
            match question.kind {
                QuestionKind::Any(set) => self.known(set, &place),
                QuestionKind::Occupied(side) => self.known(side, &place),
                QuestionKind::Computed(_) => {}
            }
        }
        for hideout in &rb.hideouts {
            let place = || "a hideout".to_owned();
            self.known(hideout.pieces, &place);
            self.all(hideout.places.iter().copied(), &place);
        }
    }

    fn level(&mut self, n: usize, rule: &LevelRule) {
        let place = || format!("level rule {}", n + 1);
        self.all(rule.decks.iter().copied(), &place);
        self.all(rule.places.iter().copied(), &place);
        self.known(rule.rule, &place);
        match rule.onlooker {
            Onlooker::Viewer(Viewer::Side(side)) => self.known(side, &place),
            Onlooker::Viewer(Viewer::Public) | Onlooker::Owner | Onlooker::Others | Onlooker::Anyone => {}
        }
        self.all(rule.when.option.map(|(option, _)| option), &place);
        let Some((column, value)) = rule.when.column else { return };
        self.known(column, &place);
        let Some(def) = self.rb.columns.get(column.index()) else { return };
        let (min, max) = def.kind.bounds(self.rb.sides.len(), self.rb.board.space_count());
        if !(min..=max).contains(&value) {
            let name = &def.name;
            let text = format!("{} waits for {value} in column `{name}`; it takes {min} to {max}", place());
            self.problems.push(text);
        }
    }

    fn points(&mut self) {
        let rb = self.rb;
        for option in &rb.options {
            self.all(option.rules.iter().copied(), &|| format!("option `{}`", option.name));
        }
        for (point, attached) in rb.points.iter().zip(&rb.attachments) {
            let place = || format!("rule point `{}`", point.name);
            self.all(point.rules.iter().copied(), &place);
            for attachment in attached.iter() {
                let place = || format!("an attachment to rule point `{}`", point.name);
                self.known(attachment.rule, &place);
                self.filter(&attachment.filter, &place);
            }
        }
    }

    fn filter(&mut self, filter: &Filter, place: &dyn Fn() -> String) {
        let Filter { pieces, sides, spaces, links, feature, crossing, phases, option } = filter;
        self.all(*pieces, place);
        self.all(sides.iter().flatten().copied(), place);
        self.all(spaces.iter().flatten().copied(), place);
        self.all(links.iter().flatten().copied(), place);
        self.all(*feature, place);
        self.all(*crossing, place);
        self.all(phases.iter().flatten().copied(), place);
        self.all(option.map(|(option, _)| option), place);
    }

    fn flow(&mut self) {
        let rb = self.rb;
        for moment in &rb.moments {
            let place = || format!("moment `{}`", rb.word(moment.name));
            self.known(moment.name, &place);
            self.all(moment.resets.iter().map(|(column, _)| *column), &place);
            for attached in &moment.attached {
                self.known(attached.rule, &place);
                self.all(attached.option.map(|(option, _)| option), &place);
                self.frame(&attached.run, &place);
            }
        }
        for watch in &rb.watches {
            let column = rb.columns.get(watch.column.index()).map_or("?", |c| c.name.as_str());
            self.frame(&watch.then, &|| format!("a watch of column `{column}`"));
        }
        for op in &rb.sequence {
            let place = || "the sequence of play".to_owned();
            self.all(op.side(), &place);
            self.all(op.moment(), &place);
            self.all(op.column(), &place);
        }
        if let Some(opening) = &rb.opening {
            self.frame(opening, &|| "the opening".to_owned());
        }
    }

    fn scenario(&mut self, scenario: &ScenarioDef) {
        let rb = self.rb;
        let place = || format!("scenario `{}`", scenario.name);
        for placing in &scenario.placings {
            self.known(placing.place, &place);
            self.all(placing.pieces.iter().copied(), &place);
            self.all(placing.up, &place);
            match placing.standing {
                Standing::Under(piece) => self.known(piece, &place),
                Standing::Stack | Standing::Loose => {}
            }
        }
        for cell in &scenario.cells {
            self.known(cell.column, &place);
            let Some(def) = rb.columns.get(cell.column.index()) else { continue };
            let (holders, sides) = (def.count_holders(rb), if def.by_side { rb.sides.len() } else { 1 });
            if usize::from(cell.holder) >= holders || usize::from(cell.side) >= sides {
                self.problems.push(format!(
                    "{} sets a cell that column `{}` does not have",
                    place(),
                    def.name
                ));
            }
            let (min, max) = def.kind.bounds(rb.sides.len(), rb.board.space_count());
            if !(min..=max).contains(&cell.value) {
                let (name, value) = (&def.name, cell.value);
                self.problems
                    .push(format!("{} sets column `{name}` to {value}; it takes {min} to {max}", place()));
            }
        }
        if let Some((phase, side)) = scenario.start {
            self.known(phase, &place);
            self.all(side, &place);
        }
        let options = rb.options.len() as u32;
        if scenario.options.checked_shr(options).is_some_and(|more| more != 0) {
            self.problems.push(format!("{} switches on options beyond the {options} declared", place()));
        }
    }
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with(['a', 'o']) { "an" } else { "a" }
}
