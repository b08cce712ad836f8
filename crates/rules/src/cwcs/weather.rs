//! The weather (5): what the Turn Record Track says, or a die.

use adjutant_kernel::events::Arg;
use adjutant_kernel::locals::Locals;
use adjutant_kernel::rulebook::ValueKind;
use adjutant_kernel::tables::{Cell, Entry, Input};
use adjutant_kernel::{Cx, Flow, Halt, Procedure};

use super::Cwcs;

/// The Weather Phase.
#[derive(Locals, Default)]
pub(crate) struct Weather {
    known: bool,
}

impl Procedure for Weather {
    type Module = Cwcs;

    fn run(&mut self, cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Flow, Halt> {
        if self.known {
            return Ok(Flow::Done);
        }
        let found =
            if cx.read().option(cw.options.optional_weather) { roll(cw, cx)? } else { track(cw, cx)? };
        set(cw, cx, found)?;
        self.known = true;
        Ok(Flow::Moment(cw.moments.turn_begins))
    }
}

/// Optional weather: a die (5.1).
fn roll(cw: &Cwcs, cx: &mut Cx<'_>) -> Result<Cell, Halt> {
    let table = cw.tables.optional_weather;
    let drawn = cx.throw(None, table)?;
    let entry = Entry { dice: drawn.faces().unwrap_or_default(), ..Entry::default() };
    let found = cw.look_up(cx, table, &entry)?;
    let word = found.word();
    cx.report(drawn, cw.rules.weather_roll, |e| {
        if let Some(word) = word {
            e.arg(cw.w.result, Arg::Word(word));
        }
    });
    Ok(found)
}

/// Historical weather: that of the turn.
fn track(cw: &Cwcs, cx: &Cx<'_>) -> Result<Cell, Halt> {
    let row = Input::Number(cx.get(cw.columns.turn, ()));
    cw.look_up(cx, cw.tables.historical_weather, &Entry { row, ..Entry::default() })
}

fn set(cw: &Cwcs, cx: &mut Cx<'_>, found: Cell) -> Result<(), Halt> {
    let ValueKind::Choice(weathers) = &cx.rulebook().column(cw.columns.weather.id).kind else {
        return Err(cx.fault("the column `weather` holds no choices"));
    };
    let position = found.word().and_then(|word| weathers.iter().position(|w| *w == word));
    let (Some(word), Some(position)) = (found.word(), position) else {
        return Err(cx.fault("the weather is none of the column `weather`"));
    };
    cx.set(cw.columns.weather, (), position as i32)?;
    cx.story(cw.w.weather, Some(cw.rules.weather), |e| e.arg(cw.w.result, Arg::Word(word)));
    Ok(())
}

impl Cwcs {
    /// Looks something up; a table that has no answer is a fault of the title.
    pub(crate) fn look_up(
        &self,
        cx: &Cx<'_>,
        table: adjutant_kernel::TableId,
        entry: &Entry<'_>,
    ) -> Result<Cell, Halt> {
        let found = cx.rulebook().table(table).look_up(entry);
        let found =
            found.map_err(|error| cx.fault(format!("`{}`: {error}", cx.rulebook().table_name(table))))?;
        Ok(found.result)
    }
}
