//! The fast rules and planners against plain ones.

#[path = "../common/mod.rs"]
mod common;

mod planners;
mod rules;
