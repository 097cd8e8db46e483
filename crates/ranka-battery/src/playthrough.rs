//! Golden playthroughs: a whole random game with every answer that the contract gives, for people to review
//! as a diff.

use crate::battery::{legal, listed, open};
use ranka_core::{Actor, Complete, GameSeeds, Notation, Picture, Position, Rng, Seat, Seed, View};
use std::fmt::Write as _;
use std::path::Path;

/// How many actions show their click paths at each step.
const CLICKS: usize = 3;

/// A random game under these rules in text: at every step the state, what each seat sees of it where that is
/// something else, who acts, all actions, chance's probabilities and some click paths; at the end the scores.
///
/// # Panics
/// If the rules are refused.
pub fn playthrough<G: Complete>(rules: &str, seed: u64) -> String {
    let (game, rules) = open::<G>(rules);
    let seeds = GameSeeds::of(Seed::new(seed), 0, 0);
    let mut rng = Rng::new(seeds.chance.child("playthrough"));
    let mut state = game.start(&mut Rng::new(seeds.deal));

    let info = G::INFO;
    let mut out =
        format!("game     {} version {}\nrules    {rules}\nseed     {seed}\n", info.name, info.version);
    for step in 0.. {
        let _ = writeln!(out, "\n# {step}");
        describe(&mut out, &game, &state);
        let action = match state.actor() {
            Actor::Over => break,
            Actor::Chance => state.draw(&mut rng),
            Actor::Seat(_) => rng.pick(&legal(&state)),
        };
        let _ = writeln!(out, "action   {}", game.write_action(action));
        state.apply(action);
    }
    out
}

fn describe<G: Complete>(out: &mut String, game: &G, state: &G::State) {
    let text = game.write_state(state);
    let _ = writeln!(out, "state    {text}");
    for seat in Seat::all(game.seats()) {
        let view = game.write_view(&game.view(state, seat), seat);
        if view != text {
            let _ = writeln!(out, "seat {seat}   {view}");
        }
    }
    let _ = writeln!(out, "actor    {}", state.actor());
    let list = listed(state);
    match state.actor() {
        Actor::Over => {
            let _ = writeln!(out, "outcome  {:?}", state.outcome().scores());
        }
        Actor::Chance => {
            let outcome = |&action| format!("{}:{}", game.write_action(action), state.probability(action));
            wrapped(out, "chance", list.iter().map(outcome));
        }
        Actor::Seat(seat) => {
            wrapped(out, "actions", list.iter().map(|&action| game.write_action(action)));
            wrapped(
                out,
                "unlisted",
                legal(state)[list.len()..].iter().map(|&action| game.write_action(action)),
            );
            clicks(out, game, &game.view(state, seat));
        }
    }
}

fn clicks<G: Notation + Picture>(out: &mut String, game: &G, view: &G::View) {
    let mut choices = Vec::new();
    view.choices(&mut choices);
    for &action in choices.iter().take(CLICKS) {
        let path = game.clicks(view, action).join(" > ");
        let _ = writeln!(out, "clicks   {}: {path}", game.write_action(action));
    }
}

/// Words under a heading, in lines of a width that people can read.
fn wrapped(out: &mut String, heading: &str, words: impl Iterator<Item = String>) {
    let mut line = String::new();
    let mut heading = Some(heading);
    let mut flush = |line: &mut String| {
        let _ = writeln!(out, "{:<9}{}", heading.take().unwrap_or_default(), line.trim_end());
        line.clear();
    };
    for word in words {
        if !line.is_empty() && line.chars().count() + word.chars().count() > 100 {
            flush(&mut line);
        }
        line.push_str(&word);
        line.push(' ');
    }
    if !line.is_empty() {
        flush(&mut line);
    }
}

/// Compares a playthrough with the file in which it was kept; `RANKA_BLESS=1` writes the file instead. A path
/// is relative to the folder of the crate that is tested.
///
/// # Panics
/// If they differ, naming the first line that does, or the file cannot be read or written.
pub fn check_playthrough(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if std::env::var_os("RANKA_BLESS").is_some_and(|bless| bless == "1") {
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
        return written.unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
    }
    compare(path, text);
}

const HOW: &str = "if the change is meant, `RANKA_BLESS=1 cargo test playthrough` writes the files anew";

fn compare(path: &Path, text: &str) {
    let kept = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}; {HOW}", path.display()));
    if kept == text {
        return;
    }
    let (mut old, mut new) = (kept.lines(), text.lines());
    for number in 1.. {
        let (was, is) = (old.next(), new.next());
        if was != is || was.is_none() {
            let show = |line: Option<&str>| line.map_or("(the end)".to_owned(), str::to_owned);
            panic!("{}, line {number}\n  was  {}\n  is   {}\n{HOW}", path.display(), show(was), show(is));
        }
    }
}
