//! The end of a tournament takes no more memory for more games.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use ranka_core::Finished;
use ranka_lab::experiment::{Experiment, Findings, Run, Size, Tournament};
use ranka_lab::report::Section;
use ranka_lab::{GameLimits, Runner, Seating, Shard, Store};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn tournament(games: u64) -> Experiment {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = ["random", "minimax:depth=1"].map(|agent| game.agent(agent).unwrap()).to_vec();
    let tournament = Tournament {
        game,
        agents,
        games,
        points: [3.0, 1.0, 0.0],
        final_of: None,
        final_games: None,
        seating: Seating::Swapped,
        seed: 3,
        limits: GameLimits::default(),
    };
    tournament.plan().unwrap()
}

/// A store that has all games of a tournament: a hundred, again and again, since nobody here asks how they went.
fn filled(path: &Path, games: u64) -> Store {
    let mut store = Store::open(path).unwrap();
    let experiment = tournament(games);
    for planned in &experiment.pairings {
        let key = store.key(&planned.pairing).unwrap();
        let played = Shard { pairing: &planned.pairing, first: 0, count: 100 }.run(&GO_ON);
        for begin in (0..games).step_by(played.len()) {
            let again = |(number, game): &(u64, Finished)| (begin + number, game.clone());
            let copies: Vec<(u64, Finished)> = played.iter().map(again).collect();
            store.add(copies.iter().map(|(number, game)| (key, *number, game))).unwrap();
        }
    }
    store
}

/// A line of what the kernel knows of this process, in bytes.
fn of_this_process(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap();
    1024 * line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
}

/// How far memory rises while a tournament that was played is told and written.
fn rise(folder: &Path, games: u64) -> u64 {
    let mut store = filled(&folder.join(format!("{games}.sqlite")), games);
    // From here on the kernel notes the peak anew.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = of_this_process("VmRSS:");
    let experiment = tournament(games);
    let runner = Runner { threads: 1, cancel: &GO_ON };
    let run = Run { size: Size::Games(games), runner, fresh: false, any_version: false };
    let played = run.play(&experiment, &mut store, &mut |_| {}).unwrap();
    let findings = Findings::of(&experiment, run.size, &played).unwrap();
    assert_eq!(findings.pairings[0].games, games);
    assert_eq!(findings.round_robin.as_ref().unwrap().table[0].games, games);
    let section = Section { findings, drawings: Vec::new(), source: String::new() };
    section.write_games(folder, &experiment, &played, &store).unwrap();
    let file = BufReader::new(fs::File::open(folder.join("tournament.csv")).unwrap());
    let lines = file.lines().count() as u64;
    assert_eq!(lines, games + 1);
    of_this_process("VmHWM:").saturating_sub(before)
}

#[test]
fn the_end_of_a_tournament_holds_no_games() {
    let folder = tempfile::tempdir().unwrap();
    // What is read at a time is there, and so are the caches.
    let few = rise(folder.path(), 20_000);
    let many = rise(folder.path(), 120_000);
    // A game takes some hundred bytes, in each of several forms; which kind its score is of takes four.
    let each = many.saturating_sub(few) / 100_000;
    assert!(each < 60, "{each} bytes a game: {few} bytes for 20 000 games, {many} for 120 000");
}
