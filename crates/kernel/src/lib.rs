//! The rules kernel.
pub mod ids;
pub use ids::*;
