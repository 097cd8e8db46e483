//! Hands spoilt input to everything that reads what comes from outside: nothing may panic, nor take more than ten seconds.
//!
//! `cargo test -p ranka-fuzz --test fuzz -- [TARGET…] [--inputs N] [--seconds S] [--seed S] [--threads N]`: each target whose
//! name has one of the words in it gets so many inputs, or as many as it takes in so many seconds. `docs/reliability.md`
//! tells what was run.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // our own samples, and a program that prints

#[path = "targets.rs"]
mod targets;

use ranka_bots::fuzz::{FuzzBudget, FuzzReport, PATIENCE, Target, fuzz};
use ranka_core::Seed;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use targets::panics;

/// Inputs that take longer are shown.
const SLOW: Duration = Duration::from_secs(1);

/// What does not come back is not waited for.
const HUNG: Duration = PATIENCE.saturating_mul(2);

struct Args {
    words: Vec<String>,
    effort: FuzzBudget,
    threads: usize,
}

impl Args {
    /// Options of `cargo test` that mean nothing here are passed over.
    fn read() -> Args {
        let mut args = Args {
            words: Vec::new(),
            effort: FuzzBudget { inputs: u64::MAX, time: Duration::from_secs(3), seed: Seed::new(0) },
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        let mut given = std::env::args().skip(1);
        while let Some(word) = given.next() {
            let mut number = || given.next().and_then(|text| text.parse::<u64>().ok());
            match word.as_str() {
                "--inputs" => {
                    (args.effort.inputs, args.effort.time) = (number().expect("--inputs N"), Duration::MAX);
                }
                "--seconds" => args.effort.time = Duration::from_secs(number().expect("--seconds S")),
                "--seed" => args.effort.seed = Seed::new(number().expect("--seed S")),
                "--threads" => args.threads = number().expect("--threads N") as usize,
                word if word.starts_with('-') => {}
                _ => args.words.push(word),
            }
        }
        args
    }
}

/// What a thread is at: a target's name, an input, and since when.
type At = Mutex<Option<(String, Vec<u8>, Instant)>>;

/// Ends the program at an input that does not come back, and names it; until `done` is told.
fn watch(threads: &[At], done: &mpsc::Receiver<()>) {
    while done.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
        for at in threads {
            let at = at.lock().unwrap();
            if let Some((name, input, _)) = at.as_ref().filter(|(_, _, since)| since.elapsed() > HUNG) {
                eprintln!("{name} does not come back from \"{}\"", input.escape_ascii());
                std::process::exit(1);
            }
        }
    }
}

fn main() -> ExitCode {
    let args = Args::read();
    panics::count();
    let mut targets = targets::all();
    let chosen =
        |target: &Target| args.words.is_empty() || args.words.iter().any(|word| target.name.contains(word));
    targets.retain(chosen);
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads: Vec<At> = (0..args.threads).map(|_| At::default()).collect();
    let (done, ends) = mpsc::channel();
    let begun = Instant::now();
    let work = |at: &At| {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = fuzz(target, &args.effort, |input| {
                *at.lock().unwrap() = Some((target.name.clone(), input.to_vec(), Instant::now()));
            });
            *at.lock().unwrap() = None;
            reports.lock().unwrap().push(report);
        }
    };
    let (work, threads) = (&work, &threads);
    thread::scope(|scope| {
        let workers: Vec<_> = threads
            .iter()
            .map(|at| {
                thread::Builder::new()
                    .name(panics::OURS.to_owned())
                    .spawn_scoped(scope, move || work(at))
                    .unwrap()
            })
            .collect();
        scope.spawn(move || watch(threads, &ends));
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        done.send(()).unwrap();
    });
    let mut reports = reports.into_inner().unwrap();
    reports.sort_by(|a, b| a.name.cmp(&b.name));
    print(&reports, begun.elapsed());
    let broken: Vec<_> = reports.iter().filter_map(|report| report.check().err()).collect();
    for error in &broken {
        eprintln!("{error}");
    }
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(reports: &[FuzzReport], took: Duration) {
    println!("{:<22} {:>11} {:>9} {:>8} {:>11}", "target", "inputs", "a second", "answers", "slowest ms");
    for FuzzReport { name, inputs, took, answers, slowest: (slowest, _), .. } in reports {
        let speed = *inputs as f64 / took.as_secs_f64().max(1e-9);
        println!("{name:<22} {inputs:>11} {speed:>9.0} {answers:>8} {:>11.1}", slowest.as_secs_f64() * 1e3);
    }
    let inputs: u64 = reports.iter().map(|report| report.inputs).sum();
    println!("{inputs} inputs to {} targets in {:.0} seconds", reports.len(), took.as_secs_f64());
    for FuzzReport { name, slowest: (_, input), .. } in
        reports.iter().filter(|report| report.slowest.0 > SLOW)
    {
        eprintln!("{name} took longest for \"{}\"", input.escape_ascii());
    }
}
