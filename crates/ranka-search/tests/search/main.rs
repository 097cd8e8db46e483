//! Every search against a naive one, on toys that are small but awkward.
#![allow(clippy::unwrap_used)]

mod toys;

mod alphabeta;
mod dfpn;
mod flat;
mod uct;
