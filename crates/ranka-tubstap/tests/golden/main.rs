//! The golden vectors of the specification.

mod common;
mod md5;

mod combat;
mod files;
mod judgement;
mod movement;
mod shared_maps;
mod standard;
