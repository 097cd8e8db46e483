//! The games of thought: purple pieces, known colours and beliefs, against naive versions and against the real
//! game.
#![allow(clippy::unwrap_used)]

mod endgames;

mod naive;
mod soundness;
mod symmetry;
mod tracking;

mod eacp;
