//! Tests of packs: a tiny one that is right, and what is said of it when it is wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may")]

mod common;
mod layers;
mod malformed;
mod more;
mod robust;
mod schemas;
mod size;
mod tiny;
