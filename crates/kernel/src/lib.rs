//! The rules kernel.
pub mod allocation;
pub mod chance;
pub mod contributions;
pub mod handles;
pub mod ids;
pub mod provenance;
pub mod tables;
pub use ids::*;
