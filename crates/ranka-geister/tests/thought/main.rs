//! The games of thought: purple pieces, known colours and beliefs, against themselves and against the real game.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod soundness;
mod symmetry;
mod tracking;

mod eacp;
