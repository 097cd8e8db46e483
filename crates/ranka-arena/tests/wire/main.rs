//! What goes over the wire: nothing hidden, nothing lost, nothing doubled, and a clear no to whoever misbehaves.
#![allow(clippy::unwrap_used)]

mod class_room;
mod client;
mod door;
mod experiments;
mod games;
mod invitations;
mod keeping;
mod leaks;
mod lines;
mod load;
mod paths;
mod refusals;
mod slow_store;
mod soak;
