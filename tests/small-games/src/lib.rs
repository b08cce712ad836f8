//! Five small games that pin the kernel down.

pub mod breakthrough;
pub mod phantom;
pub mod playout;
#[cfg(test)]
mod testing;
