//! The golden vectors of the specification.

#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

mod common;
mod md5;

mod combat;
mod files;
mod judgement;
mod movement;
mod shared_maps;
mod standard;
