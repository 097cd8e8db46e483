//! Where there are no process groups, a bot could not be ended with all that it started: none is started.

use super::{Dismissal, Heard};
use crate::stdio::launch::Launch;
use ranka_core::Fault;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a bot has had of the processors.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::stdio) struct Spent {
    pub(in crate::stdio) used: Duration,
    pub(in crate::stdio) waited: Duration,
}

/// A running bot, of which there is none.
pub(in crate::stdio) enum Process {}

impl Process {
    pub(in crate::stdio) fn start(_: &Launch) -> io::Result<Process> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "bots run on Unix systems only"))
    }

    pub(in crate::stdio) fn say(&mut self, _: &str) {
        match *self {}
    }

    pub(in crate::stdio) fn send(&mut self) -> Result<(), Fault> {
        match *self {}
    }

    pub(in crate::stdio) fn ask(&mut self) {
        match *self {}
    }

    pub(in crate::stdio) fn hear(&mut self, _: Option<Instant>, _: &AtomicBool) -> Heard {
        match *self {}
    }

    pub(in crate::stdio) fn overhear(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        match *self {}
    }

    pub(in crate::stdio) fn spent(&self) -> Spent {
        match *self {}
    }

    pub(in crate::stdio) fn printed(&mut self) -> String {
        match *self {}
    }

    pub(in crate::stdio) fn dismiss(&mut self, _: Dismissal, _: Duration) -> bool {
        match *self {}
    }
}

/// There is nobody to end.
pub fn end_all() {}
