//! Combat (9, 10).

pub(crate) mod lines;
