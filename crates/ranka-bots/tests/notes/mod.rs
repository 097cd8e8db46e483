//! A log that a test can read.

use ranka_bots::net::Log;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<u8>>>);

impl Write for Notes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Notes {
    pub(crate) fn log(&self) -> Log {
        Log::to(self.clone())
    }

    pub(crate) fn wait_for(&self, text: &str) {
        while !String::from_utf8_lossy(&self.0.lock().unwrap()).contains(text) {
            thread::yield_now();
        }
    }
}
