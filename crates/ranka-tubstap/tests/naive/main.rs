//! The fast rules and battles against plain ones.
#![allow(clippy::unwrap_used)]

mod playouts;
mod rules;
