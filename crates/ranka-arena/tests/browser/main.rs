//! The arena in a real browser: headless Chromium, driven by WebDriver, against a server in this process.
//!
//! `./check` installs Chromium and its driver. Where they are absent these tests say so loudly and pass, unless
//! `RANKA_BROWSER=required`, as `./check` sets it. It runs them beside all other tests, among which they are left out by
//! `RANKA_BROWSER=elsewhere`.
#![allow(clippy::unwrap_used)]

mod analysis;
mod axe;
mod driver;
mod films;
mod games;
mod league;
mod learning;
mod looks;
mod opponents;
mod people;
mod server;
mod shots;
mod telling;
mod ways;
