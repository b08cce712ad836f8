//! Checks of the sequence of play, options, rule points, restrictions and knowledge.

use super::{Checking, number};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Combining, Condition, Filter, Item, LevelRow, Of, Onlookers, Options, Question, Test, Values, walk,
};
use crate::read::{Name, Spanned};

impl Checking<'_> {
    pub(super) fn sequence(&mut self) {
        if self.model.sequence.is_empty() {
            let empty = !self.is_broken("sequence");
            if (empty || self.section_span("sequence").is_none()) && !self.model.is_base() {
                let message = "there is no sequence of play; add `sequence.ron`";
                self.push(Diagnostic::of_file("no-sequence", "sequence.ron", message));
            }
            return;
        }
        let mut items = Vec::new();
        walk(&self.model.sequence, &mut |item| items.push(item));
        let mut phases = 0;
        for item in items {
            phases += usize::from(matches!(item.value, Item::Phase(_)));
            self.item(item);
        }
        if let Some(span) = self.section_span("sequence").filter(|_| phases == 0) {
            let message = "the sequence of play has no phase, so nobody would ever be asked anything";
            self.push(Diagnostic::error("bad-sequence", span, message).at("sequence"));
        }
    }

    fn item(&mut self, item: &Spanned<Item>) {
        let known = self.known;
        let path = "sequence";
        match &item.value {
            Item::Phase(phase) => self.procedure(phase.run.as_ref().unwrap_or(&phase.name), path),
            Item::Moment(moment) => {
                known.moments.refer(moment, path, self);
            }
            Item::Sides(turns) => {
                turns.sides.iter().for_each(|s| {
                    known.sides.refer(s, path, self);
                });
                self.distinct(&turns.sides, "side", path);
                if turns.sides.is_empty() {
                    let message = "no side is named, so nothing would happen";
                    self.push(Diagnostic::error("bad-sequence", item.span, message).at(path));
                }
            }
            Item::When(part) => self.condition(&part.condition, path),
            Item::While(part) => {
                self.condition(&part.condition, path);
                let mut phases = 0;
                walk(&part.items, &mut |item| phases += usize::from(matches!(item.value, Item::Phase(_))));
                if phases == 0 && !part.items.is_empty() && !may_change(&part.condition) {
                    let message = "no phase is repeated, and the condition asks nothing that could change";
                    let problem = Diagnostic::warning("bad-sequence", item.span, message);
                    let help =
                        "put a phase in, or ask a column: else only what hangs on a moment can end this";
                    self.push(problem.help(help).at(path));
                }
                if part.items.is_empty() {
                    let message = "nothing is repeated, so this would never end";
                    self.push(Diagnostic::error("bad-sequence", item.span, message).at(path));
                }
            }
            Item::Turns(turns) => {
                if turns.last.value < 1 {
                    let message = format!("the last turn is {}, so there would be none", turns.last.value);
                    let problem = Diagnostic::error("bad-sequence", turns.last.span, message);
                    self.push(problem.help("turns are counted from 1").at(path));
                }
                walk(&turns.items, &mut |inner| {
                    let Item::Turns(inner) = &inner.value else { return };
                    if inner.column.value == turns.column.value {
                        let message = format!(
                            "turns within turns are counted in the same column, `{}`",
                            inner.column.value
                        );
                        let problem = Diagnostic::error("bad-sequence", inner.column.span, message);
                        let problem =
                            problem.and(turns.column.span, "the turns around them are counted here");
                        self.push(problem.help("give the inner turns a column of their own").at(path));
                    }
                });
                let Some(column) = self.public_column(&turns.column, &Of::Game, path) else { return };
                match &column.values {
                    Values::Int((_, most)) if turns.last.value > *most => {
                        let message = format!(
                            "the last turn is {}, but the column `{}` takes {most} at most",
                            turns.last.value, turns.column.value
                        );
                        let problem = Diagnostic::error("bad-sequence", turns.last.span, message);
                        let help = format!("write `last: {most}`, or widen the column");
                        self.push(problem.help(help).at(path));
                    }
                    Values::Int(_) => {}
                    Values::Flag | Values::Choice(_) | Values::Side | Values::Space => {
                        let message =
                            format!("the column `{}` counts turns, so it must be `Int`", turns.column.value);
                        self.push(Diagnostic::error("bad-column", turns.column.span, message).at(path));
                    }
                }
            }
        }
    }

    fn condition(&mut self, condition: &Condition, path: &str) {
        let known = self.known;
        match condition {
            Condition::Option(option) => {
                known.options.refer(option, path, self);
            }
            Condition::Column(test) => {
                self.public_column(&test.name, &Of::Game, path);
                if test.least.is_none() && test.most.is_none() {
                    let message = format!("nothing is asked of the column `{}`", test.name.value);
                    let problem = Diagnostic::error("bad-sequence", test.name.span, message);
                    self.push(problem.help("give `least`, `most`, or both").at(path));
                }
            }
            Condition::Turn(side) => {
                known.sides.refer(side, path, self);
            }
            Condition::Not(inner) => self.condition(inner, path),
            Condition::All(list) | Condition::Any(list) => list.iter().for_each(|c| self.condition(c, path)),
        }
    }

    pub(super) fn options(&mut self) {
        let Some(options) = &self.model.options else { return };
        let known = self.known;
        if options.options.len() > 64
            && let Some(span) = self.section_span("options")
        {
            let message = format!("there are {} options; 64 at most", options.options.len());
            self.push(Diagnostic::error("bad-option", span, message));
        }
        for (name, option) in options.options.iter() {
            let path = format!("options/options/{}", name.value);
            self.rules(&option.rules, &path);
            if option.rules.is_empty() {
                let message = format!("the option `{}` touches no rule", name.value);
                let help = "list the rules that it touches: `rules: [\"book:1.2\"]`";
                self.push(Diagnostic::error("bad-option", name.span, message).help(help).at(&path));
            } else {
                // A rule that an option touches is what uses it.
                let _ = known.options.find(name);
            }
            for other in option.needs.iter().chain(&option.excludes) {
                known.options.refer(other, &path, self);
                if other.value == name.value {
                    let message = format!("the option `{}` speaks of itself", name.value);
                    self.push(Diagnostic::error("bad-option", other.span, message).at(&path));
                }
            }
        }
        for (name, preset) in options.presets.iter() {
            let path = format!("options/presets/{}", name.value);
            for option in &preset.on {
                known.options.refer(option, &path, self);
            }
            self.distinct(&preset.on, "option", &path);
            self.agreeing(&preset.on, options, &path);
        }
    }

    /// Options that are on together must not exclude one another, and have what they need.
    pub(super) fn agreeing(&mut self, on: &[Name], options: &Options, path: &str) {
        for name in on {
            let Some(option) = options.options.get(name) else { continue };
            for needed in option.needs.iter().filter(|n| on.iter().all(|o| o.value != n.value)) {
                let message =
                    format!("the option `{}` needs `{}`, which is not on", name.value, needed.value);
                let problem = Diagnostic::error("bad-option", name.span, message);
                self.push(problem.and(needed.span, "needed here").at(path));
            }
            for other in option.excludes.iter().filter(|n| on.iter().any(|o| o.value == n.value)) {
                let message = format!("the option `{}` excludes `{}`", name.value, other.value);
                let problem = Diagnostic::error("bad-option", name.span, message);
                self.push(problem.and(other.span, "excluded here").at(path));
            }
        }
    }

    pub(super) fn points(&mut self) {
        let known = self.known;
        for (name, point) in self.model.points.iter() {
            let path = format!("points/{}", name.value);
            self.rules(&point.rules, &path);
            if let Combining::Stages(0) = point.combine {
                let message = format!("the point `{}` has no stage", name.value);
                self.push(Diagnostic::error("bad-point", name.span, message).at(&path));
            }
        }
        for (rule, restriction) in self.model.restrictions.iter() {
            let path = format!("restrictions/{}", rule.value);
            self.rule(rule, &path);
            known.points.refer(&restriction.point, &path, self);
            let stages = match self.model.points.get(&restriction.point).map(|p| &p.combine) {
                Some(Combining::Stages(stages)) => Some(*stages),
                Some(_) => Some(1),
                None => None,
            };
            if let Some(stages) = stages.filter(|s| restriction.stage >= *s) {
                let message = format!(
                    "the point `{}` has no stage {}; it has {stages}, counted from 0",
                    restriction.point.value, restriction.stage
                );
                self.push(Diagnostic::error("bad-point", restriction.point.span, message).at(&path));
            }
            self.filter(&restriction.when, &format!("{path}/when"));
        }
    }

    fn filter(&mut self, filter: &Filter, path: &str) {
        let known = self.known;
        if let Some(set) = &filter.pieces {
            known.sets.refer(set, path, self);
        }
        for side in &filter.sides {
            known.sides.refer(side, path, self);
        }
        for space in &filter.spaces {
            known.spaces.refer(space, path, self);
        }
        for link in &filter.links {
            if known.board.as_ref().is_some_and(|b| b.link_named(link).is_none()) {
                self.push(known.links.unknown(link).at(path));
            }
        }
        for feature in filter.feature.iter().chain(&filter.crossing) {
            known.features.refer(feature, path, self);
        }
        for phase in &filter.phases {
            known.phases.refer(phase, path, self);
        }
        self.option_pair(filter.option.as_ref(), filter.without_option.as_ref(), path);
    }

    pub(super) fn knowledge(&mut self) {
        let Some(knowledge) = &self.model.knowledge else { return };
        let known = self.known;
        if let Some(open) = &knowledge.open {
            self.rule(open, "knowledge/open");
            let whole = |row: &&Spanned<LevelRow>| {
                let row = &row.value;
                let limited = row.option.is_some() || row.without_option.is_some() || row.column.is_some();
                row.decks.is_empty()
                    && row.places.is_empty()
                    && !limited
                    && matches!(row.onlooker, Onlookers::Others | Onlookers::Anyone)
            };
            if let Some(row) = knowledge.levels.iter().find(whole) {
                let message =
                    "`open` changes nothing: the first row that matches counts, and one matches everywhere";
                let problem = Diagnostic::warning("idle", open.span, message).and(row.span, "this row");
                let help =
                    "take the rows of `levels` out for a game without hidden pieces, or leave `open` out";
                self.push(problem.help(help).at("knowledge/open"));
            }
        }
        for (name, set) in knowledge.sets.iter() {
            let path = format!("knowledge/sets/{}", name.value);
            let lists = [
                (&set.kinds, &known.kinds),
                (&set.sides, &known.sides),
                (&set.decks, &known.decks),
                (&set.pieces, &known.pieces),
            ];
            for (list, names) in lists {
                for name in list {
                    names.refer(name, &path, self);
                }
            }
            for (attribute, test) in set.attributes.iter() {
                known.attributes.refer(attribute, &path, self);
                let declared = self.model.pieces.as_ref().and_then(|p| p.attributes.get(attribute));
                match (declared, test) {
                    (Some(declared), Test::Is(value)) => {
                        if let Err(why) = number(value, &declared.values, known) {
                            let message = format!("the attribute `{}`: {why}", attribute.value);
                            self.push(Diagnostic::error("bad-value", value.span, message).at(&path));
                        }
                    }
                    (Some(declared), Test::AtLeast(_) | Test::AtMost(_)) => {
                        if !matches!(declared.values, Values::Int(_)) {
                            let message = format!("the attribute `{}` is no number", attribute.value);
                            let problem = Diagnostic::error("bad-value", attribute.span, message);
                            self.push(problem.help("use `Is(..)`").at(&path));
                        }
                    }
                    (None, _) => {}
                }
            }
        }
        for (name, question) in knowledge.questions.iter() {
            self.question(name, question);
        }
        for (n, hideout) in knowledge.hideouts.iter().enumerate() {
            let path = format!("knowledge/hideouts/{n}");
            known.sets.refer(&hideout.set, &path, self);
            for place in hideout.places.iter().chain(hideout.never_all.iter().flatten()) {
                known.places.refer(place, &path, self);
            }
        }
        for (name, moment) in knowledge.moments.iter() {
            let path = format!("knowledge/moments/{}", name.value);
            for run in &moment.run {
                self.procedure(&run.name, &path);
                self.rule(&run.rule, &path);
                self.option_pair(run.option.as_ref(), run.without_option.as_ref(), &path);
            }
        }
        for (n, row) in knowledge.levels.iter().enumerate() {
            self.level(row, &format!("knowledge/levels/{n}"));
        }
        let decks = self.model.pieces.as_ref().is_some_and(|p| !p.decks.is_empty());
        if knowledge.open.is_none() && knowledge.levels.is_empty() && !decks {
            self.nobody_sees();
        }
    }

    fn question(&mut self, name: &Name, question: &Question) {
        let known = self.known;
        let path = format!("knowledge/questions/{}", name.value);
        let kinds = [
            question.any.is_some(),
            question.occupied.is_some(),
            question.joined.is_some(),
            question.caught.is_some(),
        ];
        if kinds.iter().filter(|k| **k).count() != 1 {
            let message = format!("the question `{}` must ask one thing", name.value);
            let help = "give `any`, `occupied`, `joined` or `caught`, and only one of them";
            self.push(Diagnostic::error("bad-question", name.span, message).help(help).at(&path));
        }
        if let Some(set) = &question.any {
            known.sets.refer(set, &path, self);
        }
        if let Some(side) = &question.occupied {
            known.sides.refer(side, &path, self);
        }
        if let Some(caught) = &question.caught {
            for set in [&caught.pieces, &caught.by, &caught.without] {
                known.sets.refer(set, &path, self);
            }
        }
        let Some(joined) = &question.joined else { return };
        known.sets.refer(&joined.from, &path, self);
        if let Some(barred) = &joined.barred {
            known.sets.refer(barred, &path, self);
        }
        for space in &joined.to {
            known.spaces.refer(space, &path, self);
        }
        for network in &joined.networks {
            if known.board.as_ref().is_some_and(|b| b.network_named(network).is_none()) {
                let message = format!("there is no network `{}`", network.value);
                self.push(Diagnostic::error("unknown-name", network.span, message).at(&path));
            }
        }
    }

    fn nobody_sees(&mut self) {
        if let Some(span) = self.section_span("knowledge") {
            let message = "no rule shows any piece to anybody but its owner";
            let help = "for a game without hidden pieces write `open: \"rule\"`, else `levels`";
            self.push(Diagnostic::warning("nothing-seen", span, message).help(help).at("knowledge"));
        }
    }

    fn level(&mut self, row: &Spanned<LevelRow>, path: &str) {
        let known = self.known;
        self.rule(&row.rule, path);
        for deck in &row.decks {
            known.decks.refer(deck, path, self);
        }
        for place in &row.places {
            known.places.refer(place, path, self);
        }
        if let Onlookers::Side(side) = &row.onlooker {
            known.sides.refer(side, path, self);
        }
        self.option_pair(row.option.as_ref(), row.without_option.as_ref(), path);
        let Some((name, value)) = &row.column else { return };
        let Some(column) = self.public_column(name, &Of::Space, path) else { return };
        if let Err(why) = number(value, &column.values, known) {
            let message = format!("the column `{}`: {why}", name.value);
            self.push(Diagnostic::error("bad-value", value.span, message).at(path));
        }
        if row.places.is_empty() || row.places.iter().any(|p| known.places.has(p) && !known.spaces.has(p)) {
            let message = "a level that depends on a column of spaces names the spaces that it is for";
            let help = "boxes have no such column: list the spaces in `places`";
            self.push(Diagnostic::error("bad-column", name.span, message).help(help).at(path));
        }
    }
}

/// Whether a condition may hold now and no longer later, in one turn and by one choice of options.
fn may_change(condition: &Condition) -> bool {
    match condition {
        Condition::Column(_) => true,
        Condition::Option(_) | Condition::Turn(_) => false,
        Condition::Not(inner) => may_change(inner),
        Condition::All(list) | Condition::Any(list) => list.iter().any(may_change),
    }
}
