//! What the types of the model are called in messages.

/// What a type of the model is called in messages.
pub(super) fn said(name: &str) -> String {
    if let Some((_, said)) = SAID.iter().find(|(own, _)| *own == name) {
        return (*said).to_owned();
    }
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {words}")
}

/// Types that are not called by their names.
const SAID: &[(&str, &str)] = &[
    ("CellOf", "a kind of cell"),
    ("ChangeKind", "a change"),
    ("ColumnTest", "a test of a column"),
    ("Columns", "`columns.ron`"),
    ("Combining", "a way to combine contributions"),
    ("Edge", "what happens at an end"),
    ("Favour", "a rounding"),
    ("FeatureKind", "a feature"),
    ("FieldType", "a type of a field"),
    ("How", "a way to carry out a rule"),
    ("InsertValue", "`Insert`"),
    ("Knowledge", "`knowledge.ron`"),
    ("LedgerRule", "a rule"),
    ("LevelOf", "a level"),
    ("LevelRow", "a level"),
    ("MomentDef", "a moment"),
    ("Of", "what a column can be of"),
    ("On", "what a feature can lie on"),
    ("Onlookers", "an onlooker"),
    ("Options", "`options.ron`"),
    ("Pack", "`pack.ron`"),
    ("Pieces", "`pieces.ron`"),
    ("PlayerTurns", "`Sides`"),
    ("RemoveValue", "`Remove`"),
    ("Rows", "a kind of rows"),
    ("RuleKind", "a kind of rule"),
    ("Sees", "what a point can run on"),
    ("SetValue", "`Set`"),
    ("Shifting", "an order of shifts"),
    ("Sides", "`sides.ron`"),
    ("SwitchOff", "`SwitchOff`"),
    ("Turns", "`Turns`"),
    ("Values", "a type of values"),
    ("Visible", "a class of attributes"),
    ("Who", "a class of columns"),
    ("Zero", "a rule for zero"),
    ("ZeroAt", "a column for zero"),
];
