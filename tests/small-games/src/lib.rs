//! Five small games that pin the kernel down.

pub mod skirmish;
