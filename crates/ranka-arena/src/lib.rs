//! The arena: play, watch, analyse and label in the browser.
//!
//! Rust draws every board; a page gets it with the click paths of the actions, and one small script makes them live. A
//! `Hall` holds the tables, each a `Room` with a game in progress; what leaves the server
//! about such a game is put together in `seen` alone, from what one seat may know. Everything is in the store before
//! anybody is told, so a restart loses nothing.
#![warn(missing_docs)]

mod believes;
mod clock;
mod levels;
mod opening;
mod server_limits;
mod words;

mod play;
mod room;

mod hall;
mod labelling;
mod rematch;
mod review;
mod review_plot;
mod runs;
mod seen;

mod live;
mod translated;
mod turns;
mod visit;

mod pages;
mod server;

mod league;

pub use league::{Site, write_site};
pub use server::{Arena, Config, qr_for_terminal};
pub use server_limits::ServerLimits;
