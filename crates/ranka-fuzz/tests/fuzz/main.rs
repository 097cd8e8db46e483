//! Hands spoilt input to everything that reads what comes from outside: nothing may panic.
//!
//! `cargo test -p ranka-fuzz --test fuzz -- [TARGET…] [--inputs N] [--seconds S] [--seed S] [--threads N]`: each target whose
//! name has one of the words in it gets so many inputs, or as many as it takes in so many seconds. `docs/reliability.md`
//! tells what was run.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // our own samples, and a program that prints

mod arena;
mod engine;
mod files;
mod games;
mod protocols;

use engine::{Report, Target, fuzz};
use ranka_core::Seed;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Inputs that take longer are shown.
const SLOW: Duration = Duration::from_secs(1);

struct Args {
    words: Vec<String>,
    inputs: u64,
    limit: Duration,
    seed: Seed,
    threads: usize,
}

impl Args {
    /// Options of `cargo test` that mean nothing here are passed over.
    fn read() -> Args {
        let mut args = Args {
            words: Vec::new(),
            inputs: u64::MAX,
            limit: Duration::from_secs(3),
            seed: Seed::new(0),
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        let mut given = std::env::args().skip(1);
        while let Some(word) = given.next() {
            let mut number = || given.next().and_then(|text| text.parse::<u64>().ok());
            match word.as_str() {
                "--inputs" => (args.inputs, args.limit) = (number().expect("--inputs N"), Duration::MAX),
                "--seconds" => args.limit = Duration::from_secs(number().expect("--seconds S")),
                "--seed" => args.seed = Seed::new(number().expect("--seed S")),
                "--threads" => args.threads = number().expect("--threads N") as usize,
                word if word.starts_with('-') => {}
                _ => args.words.push(word),
            }
        }
        args
    }
}

fn main() -> ExitCode {
    let args = Args::read();
    let mut targets: Vec<Target> = Vec::new();
    targets.extend(protocols::targets());
    targets.extend(games::targets());
    targets.extend(files::targets());
    targets.extend(arena::targets());
    let chosen =
        |target: &Target| args.words.is_empty() || args.words.iter().any(|word| target.name.contains(word));
    targets.retain(chosen);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = fuzz(target, args.inputs, args.limit, args.seed);
                    done.lock().unwrap().push(report);
                }
            });
        }
    });
    let mut reports = done.into_inner().unwrap();
    reports.sort_by(|a, b| a.name.cmp(&b.name));
    println!("{:<22} {:>11} {:>9} {:>8} {:>11}", "target", "inputs", "a second", "answers", "slowest ms");
    for Report { name, inputs, took, answers, slowest, .. } in &reports {
        let speed = *inputs as f64 / took.as_secs_f64().max(1e-9);
        println!("{name:<22} {inputs:>11} {speed:>9.0} {answers:>8} {:>11.1}", slowest.as_secs_f64() * 1e3);
    }
    let inputs: u64 = reports.iter().map(|report| report.inputs).sum();
    println!("{inputs} inputs in {:.0} seconds", begun.elapsed().as_secs_f64());
    for report in reports.iter().filter(|report| report.slowest > SLOW) {
        eprintln!("{} took longest for \"{}\"", report.name, report.slow.escape_ascii());
    }
    let broken: Vec<&Report> = reports.iter().filter(|report| report.broken.is_some()).collect();
    for report in &broken {
        let input = report.broken.as_deref().unwrap_or_default();
        eprintln!("{} panics at \"{}\"", report.name, input.escape_ascii());
    }
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
