//! The rules kernel.

// The derives name this crate by its full path, in here too.
extern crate self as adjutant_kernel;

pub mod ids;
pub mod locals;
pub use ids::*;
