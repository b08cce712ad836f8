//! Five small games that pin the kernel down, as native modules.

pub mod breakthrough;
pub mod catalogue;
pub mod duel;
pub mod phantom;
pub mod picket;
pub mod playout;
pub mod skirmish;
#[cfg(test)]
mod testing;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
