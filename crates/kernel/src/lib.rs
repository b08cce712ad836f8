//! The rules kernel.
pub mod board;
pub mod ids;
pub use ids::*;
