//! Five small games that pin the kernel down, as native modules.

pub mod catalogue;
