//! The Geister competitions' protocol, tested from outside: little clients and a little server that were
//! written from the specification and share no code with ours.
#![allow(clippy::unwrap_used)]

mod client;
mod dialogues;
mod faults;
mod house;
mod little_client;
mod little_server;
mod logs;
mod matches;
mod one_recv;
#[path = "../relay/mod.rs"]
mod relay;
