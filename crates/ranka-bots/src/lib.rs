//! Agents outside this process: bots that speak our stdio protocol, and the protocols that the games' communities
//! already use.
//!
//! Dependencies: core and the game crates whose community has a protocol. The catalogue (`ranka-games`) stands on
//! this crate, because `bot` is an agent of every game.
#![warn(missing_docs)]

pub mod fuzz;
pub mod geister;
pub mod kgp;
pub mod net;
pub mod stdio;
pub mod tubstap;
