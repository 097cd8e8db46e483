//! The bots to start from work, and the checker finds nothing wrong with them, but with others.

use crate::{game, play};
use ranka_bots::stdio::Launch;
use ranka_bots::stdio::check::{Patience, Problem, ProtocolSection, check};
use ranka_bots::stdio::starters::{PYTHON, RUST};
use ranka_core::{AnyGame, EndReason};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// What the checker finds.
fn problems(command: &str, games: &[Arc<dyn AnyGame>]) -> Vec<Problem> {
    problems_leaving(command, games, Duration::from_secs(60))
}

/// The same for a bot that may take so long to leave.
fn problems_leaving(command: &str, games: &[Arc<dyn AnyGame>], leave: Duration) -> Vec<Problem> {
    let launch = Launch::new(command, false).unwrap();
    let patience = Patience { start: Duration::from_secs(60), turn: Duration::from_secs(60), leave };
    let mut problems = Vec::new();
    check(&launch, games, None, patience, &mut |tried| problems.extend(tried.problem.clone())).unwrap();
    problems
}

fn all_games() -> Vec<Arc<dyn AnyGame>> {
    ranka_games::catalogue().iter().map(|entry| entry.open("").unwrap()).collect()
}

fn is_good(command: &str) {
    assert_eq!(problems(command, &all_games()), []);
    for name in ["kalah", "geister", "tantrix"] {
        let opened = game(name);
        let bot = opened.agent(&format!("bot:cmd=\"{command}\"")).unwrap();
        let random = opened.agent("random").unwrap();
        for number in 0..2 {
            let end = play(opened.as_ref(), [&bot, &random], number).record.end;
            assert_eq!((end.reason, end.detail), (EndReason::Rules, None), "{name}");
        }
    }
}

#[test]
fn the_bot_in_python_works() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 here, so the Python bot was not tried");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [(name, content)] = PYTHON else { panic!("one file") };
    std::fs::write(folder.path().join(name), content).unwrap();
    is_good(&format!("python3 {}", folder.path().join(name).display()));
}

#[test]
fn the_bot_in_rust_works() {
    let folder = tempfile::tempdir().unwrap();
    let (_, content) = RUST.iter().find(|(name, _)| *name == "src/main.rs").unwrap();
    let (source, program) = (folder.path().join("main.rs"), folder.path().join("my-bot"));
    std::fs::write(&source, content).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiled = Command::new(rustc)
        .args(["--edition", "2021", "-D", "warnings", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    is_good(&program.display().to_string());
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let kalah = [game("kalah")];
    for (mode, section, message) in [
        (
            "crash-at-start",
            ProtocolSection::Hello,
            "it does not say ready after hello: it ended with exit code 3",
        ),
        ("crash", ProtocolSection::Turn, "it gives no action: it ended with exit code 7"),
        ("leave", ProtocolSection::Turn, "it ended (exit code 0)"),
        ("twice", ProtocolSection::Turn, "after its action, but nobody asked"),
        ("illegal", ProtocolSection::Turn, "is not legal"),
        ("no-notation", ProtocolSection::Turn, "banana"),
        ("unreadable", ProtocolSection::Lines, "an action is one word"),
        ("binary", ProtocolSection::Lines, "it is not UTF-8"),
        ("misspelt", ProtocolSection::Lines, "it says \"acton 1\", which means nothing"),
        ("endless-line", ProtocolSection::Limits, "a line of more than"),
        ("illegal-info", ProtocolSection::Info, "it speaks of \"zz\", which is none of its actions"),
    ] {
        let found = problems(&format!("{} {mode}", env!("CARGO_BIN_EXE_mock-bot")), &kalah);
        let right = |problem: &Problem| problem.section == section && problem.message.contains(message);
        assert!(found.iter().any(right), "{mode}: {found:?}");
    }
    let deaf = format!("{} ignore-quit", env!("CARGO_BIN_EXE_mock-bot"));
    let found = problems_leaving(&deaf, &kalah, Duration::from_millis(100));
    let message = "it still runs 100 ms after it was told to quit";
    assert!(
        found.contains(&Problem { section: ProtocolSection::End, message: message.to_owned() }),
        "{found:?}"
    );
    let good = format!("{} listen", env!("CARGO_BIN_EXE_mock-bot"));
    assert_eq!(problems(&good, &kalah), []);
}
