//! Our server, running for the time of a test.

use ranka_bots::geister::{GeisterServer, Options, ServedGames};
use ranka_bots::net::Log;
use ranka_core::{CatalogueEntry, Record, Seat};
use ranka_geister::Geister;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a server has left behind.
pub(crate) struct Left {
    pub(crate) records: Vec<Record>,
    pub(crate) summary: ServedGames,
    pub(crate) log: String,
}

impl Left {
    /// Why each game ended and who is to blame, in the order in which they ended.
    pub(crate) fn ends(&self) -> Vec<(&'static str, Option<Seat>)> {
        self.records.iter().map(|record| (record.end.reason.name(), record.end.seat)).collect()
    }
}

/// Options with ports that the system chooses.
pub(crate) fn options() -> Options {
    Options { ports: [0, 0], ..Options::default() }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Sets the flag when a test is done, well or not.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a server around `test`. Every record that it leaves must replay.
pub(crate) fn serve(options: Options, test: impl FnOnce([u16; 2])) -> Left {
    let server = GeisterServer::bind(options).unwrap();
    let ports = server.addresses().map(|address| address.port());
    let (stop, written) = (AtomicBool::new(false), Shared::default());
    let (log, records) = (Log::to(written.clone()), Mutex::new(Vec::new()));
    let summary = thread::scope(|scope| {
        let running =
            scope.spawn(|| server.run(&log, &stop, &|record| records.lock().unwrap().push(record.clone())));
        let stopping = Stop(&stop);
        test(ports);
        drop(stopping);
        running.join().unwrap()
    });
    let records: Vec<Record> = records.into_inner().unwrap();
    let game = CatalogueEntry::<Geister>::with(&[])
        .open(records.first().map_or("", |record| &record.rules))
        .unwrap();
    for record in &records {
        game.replay(record).unwrap();
    }
    let log = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let ends = log.lines().filter(|line| line.contains(" winner=")).count();
    assert_eq!(ends, records.len(), "the log names the winner of every game:\n{log}");
    assert_eq!(summary.results.games(), records.len() as u64);
    Left { records, summary, log }
}
