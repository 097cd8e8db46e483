//! The program with something wrong on its command line, in what it reads, or in both: it says so in its own words, with
//! an exit code that is told in the documentation, and never by a panic or a signal.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use assert_cmd::Command;
use ranka_core::{Rng, Seed};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// Command lines that are good, with what they read. They write nowhere but into their folder, and end at once.
const GOOD: [(&str, &str); 40] = [
    ("games", ""),
    ("agents kalah minimax --json", ""),
    ("agents tubstap", ""),
    ("match kalah minimax:depth=2 random --games 2 --seed 3", ""),
    ("match kalah random random --games 2 --no-store --json", ""),
    ("match kalah max-q random --rules houses=2,seeds=2 --exact", ""),
    ("match geister purple-max:depth=2 blue-rush --games 2 --budget nodes=100", ""),
    ("match labyrinth static random random --rules players=3 --games 3 --ply-cap 20", ""),
    ("match tantrix greedy random --games 2 --records games.jsonl", ""),
    ("match tubstap uct:playouts=10 random --rules map=duel --games 2", ""),
    ("tournament kalah random minimax:depth=1 select-q --rules houses=3,seeds=2 --games 2", ""),
    ("tournament tubstap random standard --rules map=duel --games 2 --json", ""),
    ("sprt kalah minimax:depth=3 random --elo0 0 --elo1 300 --games 40 --alpha 0.1", ""),
    ("stats 1012 913 175", ""),
    ("stats --pairs 34,54,63,64,75 --elo1 20 --model normalized --json", ""),
    ("perft kalah 3", ""),
    ("perft tubstap 1 --rules map=duel", ""),
    ("moves kalah --seat 0 --json", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n"),
    ("moves kalah --rules houses=3,seeds=3", "<3,1,0,0,4,4,3,3,3> S\n"),
    ("step kalah", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\t3\n"),
    ("analyse kalah start --with minimax:depth=3 --json", ""),
    ("analyse tubstap start --rules map=duel --with uct:playouts=10", ""),
    ("analyse kalah <3,1,0,0,4,4,3,3,3>|S --with random", ""),
    ("solve kalah --rules houses=3,seeds=2 --value --line", ""),
    ("solve kalah --rules houses=3,seeds=3 --value --at-least 2 --endgame 8 --memory 64", ""),
    ("picture kalah start --seat 1", ""),
    ("picture tantrix start --marks counts", ""),
    ("picture tubstap start --map crossing --marks unit-0", ""),
    ("map list", ""),
    ("map show citadel", ""),
    ("map make new.tbsmap --size 10x9 --army F|A5|P|U|R|I|I --seed 3", ""),
    ("record list --json", ""),
    ("record import kept.jsonl", ""),
    ("record replay kept.jsonl", ""),
    ("record export import/1", ""),
    ("experiment show kalah/table-1-n3m3", ""),
    ("experiment run mine.toml --quick --out report", ""),
    ("reproduce --list", ""),
    ("levels try kalah random --matches 1 --length 1", ""),
    ("league new league --game kalah --title Autumn", ""),
];

/// What is put in the place of a word, or into one.
const ODD: [&str; 24] = [
    "-1",
    "0",
    "1e400",
    "nan",
    "18446744073709551616",
    "-0",
    "1.5",
    "",
    " ",
    "--",
    "-",
    "--json",
    "--help",
    "kalah",
    "start",
    "random",
    "=",
    ":",
    ",",
    "%s%n",
    "😀",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{301}",
];

/// Spoils one to three things of a line.
fn spoil(words: &mut Vec<String>, rng: &mut Rng) {
    for _ in 0..=rng.below(3) {
        if words.is_empty() {
            return;
        }
        let at = rng.below(words.len() as u32) as usize;
        match rng.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words.insert(at, (*rng.pick(&ODD)).to_owned()),
            3 => words[at] = (*rng.pick(&ODD)).to_owned(),
            4 => {
                let other = rng.below(words.len() as u32) as usize;
                words.swap(at, other);
            }
            _ => words[at] = spoilt_text(&words[at], rng),
        }
    }
}

/// A text with a character less, another one, or something odd in it.
fn spoilt_text(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = rng.below(chars.len() as u32 + 1) as usize;
    if rng.below(2) == 0 && at < chars.len() {
        chars.remove(at);
    } else {
        chars.splice(at..at, rng.pick(&ODD).chars());
    }
    chars.into_iter().collect()
}

/// A folder with a record and an experiment in it.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for line in [
        "match geister blue-rush red-rush --games 1 --records kept.jsonl",
        "match kalah random random --games 2 --records other.jsonl",
        "record import kept.jsonl",
    ] {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let output = run(place.path(), &words, "", 60).unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(
        place.path().join("mine.toml"),
        r#"title = "Mine"
question = "Who is stronger?"
game = "kalah"
rules = "houses=2,seeds=2"
games = { quick = 4, full = 4 }
figures = ["score"]
[round-robin]
agents = ["random", "minimax:depth=1"]
"#,
    )
    .unwrap();
    place
}

/// Runs the program; nothing where the system could not hand the words over (a zero in one of them).
fn run(place: &Path, words: &[String], input: &str, seconds: u64) -> Option<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    command.args(words).current_dir(place).env("RANKA_STORE", place.join("store.sqlite"));
    command.timeout(Duration::from_secs(seconds)).write_stdin(input).output().ok()
}

#[test]
fn good_lines_are_good() {
    let place = place();
    for (line, input) in GOOD {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('|', " ")).collect();
        let output = run(place.path(), &words, input, 60).unwrap();
        let good = matches!(output.status.code(), Some(0 | 10 | 11));
        assert!(good, "{line}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
}

/// Some hundred lines always; as many as `RANKA_SPOILT` says on demand.
#[test]
fn spoilt_lines_are_refused_in_our_own_words() {
    let runs = std::env::var("RANKA_SPOILT").map_or(400, |runs| runs.parse().unwrap());
    let (place, mut rng, mut codes) = (place(), Rng::new(Seed::new(31)), BTreeMap::<String, u32>::new());
    for _ in 0..runs {
        let (line, input) = GOOD[rng.below(GOOD.len() as u32) as usize];
        let mut words: Vec<String> = line.split(' ').map(|word| word.replace('|', " ")).collect();
        let command = words[0].clone();
        spoil(&mut words, &mut rng);
        // Without its command a line would open the arena, or do something else that is not meant.
        if words.first() != Some(&command) {
            words.insert(0, command);
        }
        let input = if rng.below(2) == 0 { spoilt_text(input, &mut rng) } else { input.to_owned() };
        let Some(output) = run(place.path(), &words, &input, 5) else { continue };
        let said = String::from_utf8_lossy(&output.stderr);
        let Some(code) = output.status.code() else {
            // It was at work for longer than anybody waits here: more games, a larger board.
            assert_eq!(output.status.signal(), Some(9), "{words:?} {input:?}: {said}");
            *codes.entry("stopped".to_owned()).or_default() += 1;
            continue;
        };
        *codes.entry(code.to_string()).or_default() += 1;
        assert!([0, 2, 3, 4, 5, 10, 11].contains(&code), "{words:?} {input:?}: exit code {code}: {said}");
        assert!(!said.contains("panicked at"), "{words:?} {input:?}: {said}");
        if (2..=5).contains(&code) {
            assert!(said.contains("ranka: "), "{words:?} {input:?}: exit code {code}: {said:?}");
        }
    }
    println!("{runs} runs by exit code: {codes:?}");
    assert!(codes["2"] > runs / 4 && codes["0"] > runs / 20, "{codes:?}");
}
