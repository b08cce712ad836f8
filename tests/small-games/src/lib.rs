//! Five small games that pin the kernel down.

pub mod breakthrough;
pub mod playout;
