//! RON as a tree in which every value knows where it stands, which file and so which layer it comes from.
//!
//! Packs are read into a tree first, the layers are laid over one another as trees, and the model is read from the
//! outcome. That gives every problem its place, an overlay the same checks as a file, and every value its origin.
//! The `ron` crate stops at its first error and its values have no places; tests hold this reader against it.

mod lexer;
mod node;
mod parser;
mod path;

pub use node::{Field, Fields, Node, Value};
pub use parser::parse;
pub use path::Path;
pub(crate) use path::{entry, names};
