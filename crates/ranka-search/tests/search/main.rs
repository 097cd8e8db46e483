//! Every search against a naive one, on toys that are small but awkward.
#![allow(clippy::unwrap_used)]

mod fog;
mod toys;

mod alphabeta;
mod dfpn;
mod flat;
mod ismcts;
mod puct;
mod uct;
