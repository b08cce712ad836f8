//! `tables.ron`: look-up charts.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::Source;
use crate::diagnostic::Diagnostic;
use crate::read::{Entries, FromNode, Name, Reading, Spanned, record, variants};
use crate::tree::{Node, Value};

record! {
    /// A look-up chart.
    pub struct Table {
        /// The dice: `1d6`, `2d6`, `d66` (tens and units). They choose the row.
        pub roll: Option<Name>,
        /// The columns; a table without has one.
        pub columns: Option<Axis>,
        /// What happens beyond the first and last column.
        pub column_ends: Option<Beyond>,
        /// In which order column shifts apply.
        pub shifts: Shifting = default,
        /// The rows by heading, a cell or a list of cells each. A number is written `3`, `3..4`, `..2` or `5..`.
        pub rows: Entries<Row>,
        /// What the headings of the rows are: numbers for a table with dice, else numbers if all read so.
        pub rows_are: Option<Rows>,
        /// What happens beyond the first and last row.
        pub row_ends: Option<Beyond>,
        /// In which order die modifiers apply.
        pub die_order: Shifting = default,
        /// Modifiers and shifts that apply when their flag is raised.
        pub modifiers: Vec<Spanned<Modifier>> = default,
        /// What may stand in its cells; anything if left out.
        pub cells: Vec<CellOf> = default,
        /// Where it comes from.
        pub source: Option<Source>,
        /// Cells that come from elsewhere: by row heading and column number from 0.
        pub cell_sources: Vec<(Name, (u16, Source))> = default,
    }

    /// A die modifier or column shift.
    pub struct Modifier {
        /// The rule that it comes from.
        pub rule: Name,
        /// It applies when the caller raises this flag.
        pub flag: Name,
        /// What is added to the die.
        pub die: Option<i32>,
        /// By how many columns to shift; to the left if negative.
        pub shift: Option<i32>,
    }

    /// Columns of odds.
    pub struct Odds {
        /// The headings, rising: `1:2`, `1:1`, `2:1`.
        pub steps: Vec<Name>,
        /// Whose number they name first.
        pub first: OddsParty,
        /// Which column odds between two headings take.
        pub rounding: Favour,
        /// What no strength at all comes to.
        pub zero: Zero,
    }

    /// Rows of odds.
    pub struct OddsRows {
        /// Whose number the headings name first.
        pub first: OddsParty,
        /// Which row odds between two headings take.
        pub rounding: Favour,
        /// What no strength at all comes to.
        pub zero: Zero,
    }

    /// What no strength at all comes to.
    pub struct Zero {
        /// The attacker alone has none.
        pub attacker: ZeroAt,
        /// The defender alone has none.
        pub defender: ZeroAt,
        /// Neither has any.
        pub both: ZeroAt,
    }

    /// What happens beyond both ends.
    pub struct Beyond {
        /// Before the first line.
        pub low: Edge,
        /// After the last line.
        pub high: Edge,
    }
}

variants! {
    /// The columns of a table.
    pub enum Axis {
        /// For a number.
        Numbers(Lines),
        /// For the attacker's number less the defender's.
        Differences(Lines),
        /// For a name.
        Words(Lines),
        /// For odds.
        Ratios(Odds),
    }

    /// What the headings of rows are.
    pub enum Rows {
        /// Numbers.
        Numbers,
        /// Differences, the attacker's number less the defender's.
        Differences,
        /// Names.
        Words,
        /// Odds; the headings are the steps.
        Ratios(OddsRows),
    }

    /// What happens beyond one end.
    pub enum Edge {
        /// The line at that end is used.
        Clamp,
        /// The look-up is an error.
        Refuse,
    }

    /// In which order shifts or modifiers apply.
    #[derive(Default)]
    pub enum Shifting {
        /// All are netted.
        #[default]
        Netted,
        /// Left (or down) before right (or up), cut off at the ends after each.
        LeftThenRight,
        /// As before, and then those of this name.
        LeftThenRightThen(Name),
        /// All are netted and cut off at the ends, and then those of this name.
        NettedThen(Name),
    }

    /// Who is named first in odds.
    pub enum OddsParty {
        /// The attacker.
        Attacker,
        /// The defender.
        Defender,
    }

    /// Which column odds between two headings take.
    pub enum Favour {
        /// The one that is better for the defender.
        DefendersFavour,
        /// The lower.
        Down,
        /// The higher.
        Up,
        /// The nearer.
        Nearest,
        /// The one towards 1:1.
        TowardsEven,
    }

    /// Where no strength leads.
    pub enum ZeroAt {
        /// To the first column.
        Lowest,
        /// To the last column.
        Highest,
        /// To this column.
        Line(Name),
        /// The look-up is an error.
        Refuse,
    }

    /// What may stand in a cell.
    pub enum CellOf {
        /// Nothing.
        None,
        /// A number.
        Number,
        /// A word.
        Word,
        /// Several results.
        Several,
        /// A reference to another table.
        Table,
    }
}

/// Headings.
pub type Lines = Vec<Name>;

/// The cells of a row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where they stand.
    pub span: crate::source::Span,
    /// From the left.
    pub cells: Vec<Spanned<Cell>>,
}

/// A cell: a number, a word in quotes, `None`, several results `(2, None)`, or `Table("other")`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// No effect.
    None,
    /// A number.
    Number(i32),
    /// A result by name.
    Word(String),
    /// Several results.
    Several(Vec<Cell>),
    /// The result is looked up on another table.
    Table(String),
}

impl FromNode for Row {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        let cells = match &node.value {
            Value::List(items) => {
                let cells: Vec<_> = Vec::from_node(node, cx)?;
                if cells.len() < items.len() {
                    return None;
                }
                cells
            }
            _ => vec![Spanned::from_node(node, cx)?],
        };
        Some(Self { span: node.span, cells })
    }
}

impl FromNode for Cell {
    fn from_node(node: &Node, cx: &mut Reading) -> Option<Self> {
        match &node.value {
            Value::Number(_) => i32::from_node(node, cx).map(Self::Number),
            Value::Text(text) if text == "-" => Some(Self::None),
            Value::Text(text) => Some(Self::Word(text.clone())),
            Value::Tuple { name: Some(name), items } if name == "None" && items.is_empty() => {
                Some(Self::None)
            }
            Value::Tuple { name: Some(name), items } if name == "Table" && items.len() == 1 => {
                String::from_node(&items[0], cx).map(Self::Table)
            }
            Value::Tuple { name: None, items } if !items.is_empty() => {
                if items.len() > 4 {
                    let message = format!("a cell holds {} results; four at most", items.len());
                    cx.problem(Diagnostic::error("bad-table", node.span, message));
                    return None;
                }
                items.iter().map(|item| Self::from_node(item, cx)).collect::<Option<_>>().map(Self::Several)
            }
            Value::Tuple { name: Some(name), items } if items.is_empty() => {
                let message = format!("the word `{name}` in a cell stands without quotes");
                let problem = Diagnostic::error("wrong-type", node.span, message);
                cx.problem(problem.help(format!("write \"{name}\"")));
                None
            }
            _ => cx.wrong_type(
                node,
                "a cell (a number, a word in quotes, `None`, `(a, b)` or `Table(\"name\")`)",
            ),
        }
    }
}

impl JsonSchema for Cell {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cell".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, a word, `None`, several results `(2, None)`, or `Table(\"other\")`.",
            "type": ["integer", "string", "null", "array", "object"],
        })
    }
}

impl JsonSchema for Row {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let cell = generator.subschema_for::<Cell>();
        json_schema!({
            "description": "A cell, or a list of cells.",
            "anyOf": [cell, { "type": "array", "items": cell }],
        })
    }
}
