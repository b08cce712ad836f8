//! Rule points, restrictions, knowledge, the sequence of play and scenarios.

use std::sync::Arc;

use adjutant_kernel::contributions::Combine;
use adjutant_kernel::flow::{Item as Part, Threshold};
use adjutant_kernel::points::{Attachment, Contribute, Filter as Admits, PointDef, RunsOn};
use adjutant_kernel::rulebook::{
    Column, Level, LevelCondition, LevelRule, Onlooker, Placing, ScenarioDef, Standing,
};
use adjutant_kernel::{FeatureId, OptionId, PieceId, PlaceId, Read, RuleId, SpaceId, Viewer};

use super::{Compiling, Procedures};
use crate::check::{StartField, number, start_cells, start_records};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Combining, Condition, Face, Filter, Group, Item, LevelOf, LevelRow, Onlookers, Scenario, Sees, walk,
};
use crate::read::{Name, Spanned};

impl Compiling<'_> {
    pub(super) fn points(&mut self) {
        for (name, point) in self.model.points.iter() {
            let rules = point.rules.iter().map(|r| self.rb.rule(r)).collect();
            let runs_on = match point.runs_on {
                Sees::Seen => RunsOn::Seen,
                Sees::Truth => RunsOn::Truth,
                Sees::Both => RunsOn::Both,
            };
            let combine = match point.combine {
                Combining::Sum => Combine::Sum,
                Combining::Product => Combine::Product,
                Combining::Least => Combine::Least,
                Combining::Most => Combine::Most,
                Combining::Any => Combine::Any,
                Combining::All => Combine::All,
                Combining::Stages(stages) => Combine::Stages(stages),
            };
            let def = PointDef { name: name.value.clone(), runs_on, combine, start: point.start, rules };
            let id = self.rb.point(def);
            self.declared.points.insert(name.value.clone(), id);
        }
    }

    /// What may call procedures by name, or attach to points of modules.
    pub(super) fn play(&mut self, procedures: &dyn Procedures, problems: &mut Vec<Diagnostic>) {
        self.restrictions(problems);
        self.knowledge(procedures, problems);
        self.watches(procedures, problems);
        let mut lost = Vec::new();
        let sequence = self.items(&self.model.sequence, procedures, false, &mut lost);
        problems.extend(lost);
        // Phases get their words in the order in which they are declared.
        walk(&self.model.sequence, &mut |item| {
            if let Item::Phase(phase) = &item.value {
                self.rb.word(&phase.name);
            }
        });
        self.rb.sequence(&sequence);
        for (name, scenario) in self.model.scenarios.iter() {
            let def = self.scenario(name, scenario);
            self.rb.scenario(def);
        }
        for rule in &self.model.switched_off {
            let rule = self.rb.rule(rule);
            self.rb.switch_off(rule);
        }
    }

    fn restrictions(&mut self, problems: &mut Vec<Diagnostic>) {
        for (rule, restriction) in self.model.restrictions.iter() {
            let Some(point) = self.rb.point_named(&restriction.point) else {
                let message = format!("no module declared the rule point `{}`", restriction.point.value);
                problems.push(Diagnostic::error("unknown-name", restriction.point.span, message));
                continue;
            };
            let filter = self.filter(&restriction.when);
            let contribute = Contribute::Constant(restriction.value.unwrap_or(1));
            let rule = self.rb.rule(rule);
            self.rb.attach(point, Attachment { rule, filter, stage: restriction.stage, contribute });
        }
    }

    fn filter(&mut self, filter: &Filter) -> Admits {
        let known = self.known;
        let some = |list: &[Name]| (!list.is_empty()).then(|| list.to_vec());
        let space = |name: &Name| SpaceId(known.spaces.find(name).unwrap_or_default() as u16);
        let link = |name: &Name| known.board.as_ref().and_then(|b| b.link_named(name)).unwrap_or_default();
        let feature = |name: &Name| -> Option<FeatureId> { known.board.as_ref()?.feature_named(name) };
        Admits {
            pieces: filter.pieces.as_ref().and_then(|set| self.declared.sets.get(&set.value).copied()),
            sides: some(&filter.sides).map(|list| list.iter().map(|s| self.side(s)).collect()),
            spaces: some(&filter.spaces).map(|list| list.iter().map(space).collect()),
            links: some(&filter.links).map(|list| list.iter().map(link).collect()),
            feature: filter.feature.as_ref().and_then(feature),
            crossing: filter.crossing.as_ref().and_then(feature),
            phases: some(&filter.phases).map(|list| list.iter().map(|p| self.rb.word(p)).collect()),
            option: self.option(filter.option.as_ref(), filter.without_option.as_ref()),
        }
    }

    fn option(&self, on: Option<&Name>, off: Option<&Name>) -> Option<(OptionId, bool)> {
        let id = |name: &Name| self.declared.options.get(&name.value).copied();
        match (on, off) {
            (Some(on), _) => Some((id(on)?, true)),
            (None, Some(off)) => Some((id(off)?, false)),
            (None, None) => None,
        }
    }

    fn knowledge(&mut self, procedures: &dyn Procedures, problems: &mut Vec<Diagnostic>) {
        let Some(knowledge) = &self.model.knowledge else { return };
        for row in &knowledge.levels {
            let rule = self.level(row);
            self.rb.level(rule);
        }
        if let Some(open) = &knowledge.open {
            let rule = self.rb.rule(open);
            self.rb.open_information(rule);
        }
        for hideout in &knowledge.hideouts {
            self.hideout(hideout);
        }
        for (name, moment) in knowledge.moments.iter() {
            let Some(&id) = self.declared.moments.get(&name.value) else { continue };
            for run in &moment.run {
                let option = self.option(run.option.as_ref(), run.without_option.as_ref());
                let make = match procedures.find(&run.name, false) {
                    Ok(make) => make,
                    Err(message) => {
                        problems.push(Diagnostic::error("bad-procedure", run.name.span, message));
                        continue;
                    }
                };
                let rule = self.rb.rule(&run.rule);
                if run.instead {
                    self.rb.instead(id, rule, option, make(None));
                } else {
                    self.rb.at_moment(id, rule, option, make(None));
                }
            }
        }
    }

    fn watches(&mut self, procedures: &dyn Procedures, problems: &mut Vec<Diagnostic>) {
        let Some(columns) = &self.model.columns else { return };
        for watch in &columns.watches {
            let Some(&column) = self.declared.columns.get(&watch.column.value) else { continue };
            let threshold = match (watch.least, watch.most) {
                (Some(least), _) => Threshold::AtLeast(least),
                (None, Some(most)) => Threshold::AtMost(most),
                (None, None) => continue,
            };
            match procedures.find(&watch.run, false) {
                Ok(make) => self.rb.watch_column(column, threshold, make(None)),
                Err(message) => {
                    problems.push(Diagnostic::error("bad-procedure", watch.run.span, message));
                }
            }
        }
    }

    fn level(&mut self, row: &LevelRow) -> LevelRule {
        let known = self.known;
        let column = row.column.as_ref().and_then(|(name, value)| {
            let def = self.model.columns.as_ref()?.columns.get(name)?;
            Some((self.declared.columns.get(&name.value).copied()?, number(value, &def.values, known).ok()?))
        });
        let option = self.option(row.option.as_ref(), row.without_option.as_ref());
        LevelRule {
            decks: row
                .decks
                .iter()
                .map(|d| adjutant_kernel::DeckId(known.decks.find(d).unwrap_or_default() as u8))
                .collect(),
            places: row.places.iter().map(|p| self.place(p)).collect(),
            onlooker: match &row.onlooker {
                Onlookers::Owner => Onlooker::Owner,
                Onlookers::Others => Onlooker::Others,
                Onlookers::Anyone => Onlooker::Anyone,
                Onlookers::Side(side) => Onlooker::Viewer(Viewer::Side(self.side(side))),
                Onlookers::Public => Onlooker::Viewer(Viewer::Public),
            },
            when: LevelCondition { column, option },
            level: match row.level {
                LevelOf::Nothing => Level::Nothing,
                LevelOf::Number => Level::Number,
                LevelOf::Top => Level::Top,
                LevelOf::Order => Level::Order,
                LevelOf::Everything => Level::Everything,
            },
            rule: self.rb.rule(&row.rule),
        }
    }

    pub(super) fn place(&self, name: &str) -> PlaceId {
        self.known.board.as_ref().and_then(|b| b.place_named(name)).unwrap_or_default()
    }

    fn items(
        &self,
        items: &[Spanned<Item>],
        procedures: &dyn Procedures,
        in_turn: bool,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        for item in items {
            match &item.value {
                Item::Phase(phase) => {
                    let run = phase.run.as_ref().unwrap_or(&phase.name);
                    match procedures.find(run, in_turn) {
                        Ok(run) => parts.push(Part::Phase { name: phase.name.value.clone(), run }),
                        Err(message) => {
                            problems.push(Diagnostic::error("bad-procedure", run.span, message));
                        }
                    }
                }
                Item::Moment(moment) => {
                    parts.extend(self.declared.moments.get(&moment.value).map(|m| Part::Moment(*m)));
                }
                Item::Sides(turns) => {
                    let sides = turns.sides.iter().map(|s| self.side(s)).collect();
                    parts.push(Part::Sides(sides, self.items(&turns.items, procedures, true, problems)));
                }
                Item::When(part) => {
                    let inner = self.items(&part.items, procedures, in_turn, problems);
                    parts.push(Part::When(self.condition(&part.condition), inner));
                }
                Item::While(part) => {
                    let inner = self.items(&part.items, procedures, in_turn, problems);
                    parts.push(Part::While(self.condition(&part.condition), inner));
                }
                Item::Turns(turns) => {
                    let Some(&column) = self.declared.game_columns.get(&turns.column.value) else { continue };
                    let turn = self.items(&turns.items, procedures, in_turn, problems);
                    parts.push(Part::Turns { column, last: turns.last.value, turn });
                }
            }
        }
        parts
    }

    fn condition(&self, condition: &Condition) -> Holds {
        match condition {
            Condition::Option(name) => match self.declared.options.get(&name.value).copied() {
                Some(option) => Arc::new(move |read: Read<'_>| read.option(option)),
                None => Arc::new(|_: Read<'_>| false),
            },
            Condition::Column(test) => {
                let (least, most) = (test.least.unwrap_or(i32::MIN), test.most.unwrap_or(i32::MAX));
                match self.declared.game_columns.get(&test.name.value).copied() {
                    Some(column) => {
                        let column: Column<()> = column;
                        Arc::new(move |read: Read<'_>| (least..=most).contains(&read.get(column, ())))
                    }
                    None => Arc::new(|_: Read<'_>| false),
                }
            }
            Condition::Turn(side) => {
                let side = self.side(side);
                Arc::new(move |read: Read<'_>| read.phasing() == Some(side))
            }
            Condition::Not(inner) => {
                let inner = self.condition(inner);
                Arc::new(move |read: Read<'_>| !inner(read))
            }
            Condition::All(list) => {
                let list: Vec<Holds> = list.iter().map(|c| self.condition(c)).collect();
                Arc::new(move |read: Read<'_>| list.iter().all(|c| c(read)))
            }
            Condition::Any(list) => {
                let list: Vec<Holds> = list.iter().map(|c| self.condition(c)).collect();
                Arc::new(move |read: Read<'_>| list.iter().any(|c| c(read)))
            }
        }
    }

    fn scenario(&mut self, name: &Name, scenario: &Scenario) -> ScenarioDef {
        let mut def = ScenarioDef::new(&name.value);
        def.cells = start_cells(scenario, self.model, self.known, "", &mut Vec::new());
        for (name, fields) in start_records(scenario, self.model, self.known, "", &mut Vec::new()) {
            let number = |field: StartField| match field {
                StartField::Number(number) => number,
                StartField::Word(word) => self.rb.word(&word).0.into(),
            };
            let fields = fields.into_iter().map(number).collect();
            def.records.extend(self.declared.relations.get(&name).map(|id| (*id, fields)));
        }
        for group in &scenario.place {
            def.placings.extend(self.group(group));
        }
        def.start = scenario.start.as_ref().map(|start| {
            let side = start.side.as_ref().map(|s| self.side(s));
            (self.rb.word(&start.phase), side)
        });
        let preset = scenario.preset.as_ref().and_then(|p| self.model.options.as_ref()?.presets.get(p));
        let on = preset.map_or(&scenario.options, |p| &p.on);
        def.options = on
            .iter()
            .filter_map(|o| self.declared.options.get(&o.value))
            .fold(0, |bits, option| bits | 1 << option.0);
        def
    }

    fn group(&mut self, group: &Group) -> Vec<Placing> {
        let piece = |name: &Name| PieceId(self.known.pieces.find(name).unwrap_or_default() as u16);
        let place = self.place(&group.at);
        let up = match group.face {
            Face::Down => None,
            Face::Up => Some(group.rule.as_ref().map_or("set_up", |r| r.value.as_str())),
        };
        let up: Option<RuleId> = up.map(|rule| self.rb.rule(rule));
        let (facing, mixed) = (group.facing, group.mixed);
        let mut placings = Vec::new();
        if !group.stack.is_empty() {
            let pieces = group.stack.iter().map(piece).collect();
            placings.push(Placing { place, standing: Standing::Stack, pieces, up, facing, mixed });
        }
        if !group.pieces.is_empty() {
            let standing = group.under.as_ref().map_or(Standing::Loose, |u| Standing::Under(piece(u)));
            let pieces = group.pieces.iter().map(piece).collect();
            placings.push(Placing { place, standing, pieces, up, facing, mixed });
        }
        placings
    }
}

type Holds = Arc<dyn Fn(Read<'_>) -> bool + Send + Sync>;
