//! Draws: one source of chance, a stream for each audience (invariant 8).

use smallvec::SmallVec;

use crate::chance;
use crate::events::{Arg, EventBuilder};
use crate::flow::{Cx, Halt};
use crate::ids::*;
use crate::knowledge::Audience;
use crate::tables::Faces;

/// A number that was drawn; it must be reported with [`Cx::report`], whoever may see which part of it.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::events::Arg;
/// use adjutant_kernel::ops::{Drawn, Report};
/// let field = Field::where_first(|ids, cx| {
///     let drawn: Drawn = cx.throw(None, ids.die)?; // on the public stream
///     assert_eq!(i32::from(drawn.faces().unwrap()[0]), drawn.value());
///     let value = drawn.value();
///     let hit = |report: &mut Report<'_>| report.arg(ids.march, Arg::Flag(value > 3)); // beside table and die
///     assert_eq!(cx.report(drawn, ids.rule, hit), value);
///     Ok(())
/// });
/// let draw = field.events.last().unwrap().shown(&field.rulebook, None).unwrap();
/// assert!(draw.arg("die").is_some() && draw.arg("march").is_some());
/// ```
#[derive(Debug)]
#[must_use = "a draw is an event: report it"]
pub struct Drawn {
    value: i32,
    faces: Option<Faces>,
    stream: Option<SideId>,
    number: u32,
    table: TableId,
}

impl Drawn {
    /// The number: 1 to the number of sides of the die.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The dice, when a table's own dice were thrown.
    pub fn faces(&self) -> Option<Faces> {
        self.faces
    }

    /// The number counted from 0: an index into what was drawn from.
    pub fn index(&self) -> usize {
        (self.value - 1).max(0) as usize
    }
}

/// Builds the parts of a draw's event beside its table, number and die.
pub type Report<'a> = EventBuilder<'a>;

impl Cx<'_> {
    /// Draws a number from 1 to `sides` on the public stream, or on a side's own when only that side may
    /// notice that anything is drawn. A die forced for the table is used up instead.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::events::Arg;
    /// # let field =
    /// Field::where_first(|ids, cx| {
    ///     let drawn = cx.draw(Some(ids.blue), ids.die, 2)?; // which of two, and only blue may notice
    ///     assert!(drawn.index() < 2);
    ///     cx.report(drawn, ids.rule, |_| {});
    ///     Ok(())
    /// });
    /// let draw = field.events.last().unwrap();
    /// let shown = |side| draw.shown(&field.rulebook, Some(adjutant_kernel::Viewer::Side(side))).is_some();
    /// assert!(shown(field.ids.blue) && !shown(field.ids.red));
    /// ```
    ///
    /// # Errors
    /// A fault when the game has ended, in a branch, or when `sides` is 0.
    pub fn draw(&mut self, stream: Option<SideId>, table: TableId, sides: u16) -> Result<Drawn, Halt> {
        if sides == 0 {
            return Err(self.fault(format!("nothing to draw from for `{}`", self.rb.table_name(table))));
        }
        let (word, number) = self.next_word(stream)?;
        let value = self.forced(table, sides).unwrap_or_else(|| chance::die(word, sides));
        Ok(Drawn { value, faces: None, stream, number, table })
    }

    /// Throws a table's own dice on a stream; the value is their sum or reading. One draw, however many dice.
    /// Dice forced for the table are used up one by one instead, as far as they go.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// Field::where_first(|ids, cx| {
    ///     let drawn = cx.throw(None, ids.die)?;
    ///     let value = cx.report(drawn, ids.rule, |_| {});
    ///     assert!((1..=6).contains(&value)); // one die of six sides
    ///     Ok(())
    /// });
    /// ```
    ///
    /// # Errors
    /// As [`Cx::draw`]; a fault when the table has no dice.
    pub fn throw(&mut self, stream: Option<SideId>, table: TableId) -> Result<Drawn, Halt> {
        let rb = self.rb;
        let dice = rb.table(table).dice();
        let (count, sides) = dice.count_and_sides();
        let (word, number) = self.next_word(stream)?;
        let mut faces: SmallVec<[u16; 8]> = dice.throw(word).iter().copied().collect();
        for face in &mut faces {
            if let Some(value) = self.forced(table, sides) {
                *face = value as u16;
            }
        }
        let faces = Faces::new(&faces);
        match faces.and_then(|f| dice.read(&f)) {
            Some(value) => Ok(Drawn { value, faces, stream, number, table }),
            None => Err(self.fault(format!("`{}` has no dice to throw ({count})", rb.table_name(table)))),
        }
    }

    fn forced(&mut self, table: TableId, sides: u16) -> Option<i32> {
        let at = self.st.forced.iter().position(|(t, _)| *t == table)?;
        Some(self.st.forced.remove(at).1.clamp(1, i32::from(sides)))
    }

    /// The next word of a stream and its number within it.
    fn next_word(&mut self, stream: Option<SideId>) -> Result<(u64, u32), Halt> {
        self.guard_public("a draw")?;
        let index = stream.map_or(0, |s| 1 + s.index());
        let number = self.st.draws[index];
        self.st.draws[index] += 1;
        let word = self.scratch.chance.word(&self.st.key, index as u64, number);
        match stream {
            None => self.sink.barrier.public = true,
            Some(side) => {
                let private = self.sink.barrier.private.unwrap_or(Audience::NOBODY);
                self.sink.barrier.private = Some(private.or(Audience::side(side)));
            }
        }
        self.scratch.unreported += 1;
        Ok((word, number + 1))
    }

    /// Emits the event of a draw: table, number within its stream and die, and the parts that `build` adds,
    /// each with its audience. Gives the number drawn.
    pub fn report(&mut self, drawn: Drawn, rule: RuleId, build: impl FnOnce(&mut EventBuilder<'_>)) -> i32 {
        self.scratch.unreported = self.scratch.unreported.saturating_sub(1);
        let words = &self.rb.keywords;
        let (w_table, w_stream, w_number, w_die) = (words.table, words.stream, words.number, words.die);
        let audience = drawn.stream.map_or(Audience::ALL, Audience::side);
        self.story_for(words.draw, audience, Some(rule), |e| {
            e.arg(w_table, Arg::Table(drawn.table));
            if let Some(side) = drawn.stream {
                e.arg(w_stream, Arg::Side(side));
            }
            e.arg(w_number, Arg::Number(drawn.number as i32));
            e.arg(w_die, Arg::Number(drawn.value));
            build(e);
        });
        drawn.value
    }
}
