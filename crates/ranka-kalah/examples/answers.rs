//! How long an answer takes in positions of real play, each asked of an agent that has seen nothing before:
//! `cargo run --release -p ranka-kalah --example answers -- 2000 perfect`, with how many positions and the agents. What may
//! follow: `games=4` games of each pair instead of one, `players=random` other players, `seeds=38` only positions with as
//! many seeds in the houses, `check` tells what the answers give away, `list` which of them took most.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use ranka_core::{Actor, AgentSpec, Maker, Position, Rng, Roster, Seat, Seed, Thinking};
use ranka_kalah::{Book, Endgame, House, Kalah, Solver, State};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Everybody who plays the standard board at once.
const PLAYERS: &str = "random minimax:depth=1 minimax:depth=2 minimax:depth=3 minimax:depth=4 minimax:depth=5 \
     minimax:depth=6 minimax:depth=8 minimax:depth=10 minimax:depth=12 level:rank=1 level:rank=2 level:rank=3 \
     level:rank=4 level:rank=5 level:rank=6 level:rank=7 level:rank=8 level:rank=9 level:rank=10 partner perfect";

fn recruit(game: &Kalah, agent: &str) -> Arc<dyn Maker<Kalah>> {
    game.recruit(&AgentSpec::parse(agent)).unwrap().1
}

/// A decision of a game.
#[derive(Clone)]
struct Decision {
    state: State,
    ply: u64,
    /// How many plies ago the game left the book; nothing while it is in there.
    beyond: Option<u64>,
    /// The houses sown so far.
    path: String,
}

/// An answer: the time until it came, in seconds, and how many positions were searched for it.
#[derive(Clone, Copy)]
struct Answer {
    time: f64,
    nodes: u64,
    choice: House,
}

/// Every decision of so many games of each player against each other, in both seats and against itself.
fn decisions(game: &Kalah, players: &str, games: u64) -> Vec<Decision> {
    let makers: Vec<_> = players.split_whitespace().map(|player| recruit(game, player)).collect();
    let (count, book) = (makers.len() as u64, Book::shipped(game).unwrap());
    let play = |number: u64| {
        let seed = Seed::new(1).child("game").at(number);
        let pair = [number % count, number / count % count];
        let mut agents = pair.map(|player| makers[player as usize].seat(Seat::FIRST, seed).unwrap());
        let (mut state, mut left, mut path, mut met) = (game.first(), None, String::new(), Vec::new());
        for ply in 0.. {
            let Actor::Seat(mover) = state.actor() else { break };
            if left.is_none() && book.judge(&state).is_none() {
                left = Some(ply);
            }
            let known = book.judge(&state).is_some();
            let beyond = left.filter(|_| !known).map(|left| ply - left);
            met.push(Decision { state, ply, beyond, path: path.clone() });
            let mut thinking = Thinking::new(Rng::new(seed.child("ply").at(ply)), None, &NEVER);
            let choice = agents[mover.index()].think(&state, &mut thinking).unwrap().choice;
            path += &(choice.index().unwrap() + 1).to_string();
            state.apply(choice);
        }
        met
    };
    (0..games * count * count).into_par_iter().flat_map_iter(play).collect()
}

fn answer(maker: &dyn Maker<Kalah>, state: &State) -> Answer {
    let Actor::Seat(mover) = state.actor() else { unreachable!("the game goes on there") };
    let mut player = maker.seat(mover, Seed::new(1)).unwrap();
    let begun = Instant::now();
    let thought = player.think(state, &mut Thinking::new(Rng::new(Seed::new(1)), None, &NEVER)).unwrap();
    Answer { time: begun.elapsed().as_secs_f64(), nodes: thought.nodes, choice: thought.choice }
}

fn spread<T: PartialOrd + Copy + Debug>(what: &str, values: impl Iterator<Item = T>) {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let share = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    let [median, ninety, most, nearly, all] = [0.5, 0.9, 0.99, 0.999, 1.0].map(share);
    println!(
        "{what}: median {median:.3?}, 90 % {ninety:.3?}, 99 % {most:.3?}, 99.9 % {nearly:.3?}, all {all:.3?}"
    );
}

/// How many there are of each kind, and how many of them were slow.
fn slow_by(what: &str, asked: &[(Decision, Answer)], kind: impl Fn(&Decision) -> u64) {
    let kinds: BTreeSet<u64> = asked.iter().map(|(of, _)| kind(of)).collect();
    for wanted in kinds {
        let times = asked.iter().filter(|(of, _)| kind(of) == wanted).map(|(_, answer)| answer.time);
        let (all, slow) = times.fold((0, 0), |(all, slow), time| (all + 1, slow + usize::from(time > 1.0)));
        if slow > 0 {
            println!("  {what} {wanted}: {slow} of {all}");
        }
    }
}

/// How often the answers gave away the result, and how often seeds alone.
fn check(game: &Kalah, asked: &[(Decision, Answer)]) {
    let tables = Arc::new(Endgame::build(game, 20, 2));
    let lost = |(of, answer): &(Decision, Answer)| {
        let Actor::Seat(mover) = of.state.actor() else { unreachable!("the game goes on there") };
        let mut solver = Solver::new(game, Some(Arc::clone(&tables)), 23).unwrap();
        let best = solver.margin(&of.state, mover, &NEVER).unwrap();
        let mut next = of.state;
        next.apply(answer.choice);
        let got = solver.margin(&next, mover, &NEVER).unwrap();
        (usize::from(got.signum() < best.signum()), best - got)
    };
    let lost: Vec<(usize, i32)> = asked.par_iter().map(lost).collect();
    let results: usize = lost.iter().map(|(result, _)| result).sum();
    let (erred, seeds) = (
        lost.iter().filter(|(_, seeds)| *seeds > 0).count(),
        lost.iter().map(|(_, seeds)| seeds).sum::<i32>(),
    );
    println!(
        "given away: seeds in {erred} of {} answers, {seeds} in all; the result in {results}",
        lost.len()
    );
}

/// Asks an agent for its answers to all of these positions, and tells of them.
fn tell(game: &Kalah, agent: &str, decisions: &[Decision], wanted: impl Fn(&str) -> bool) {
    let maker = recruit(game, agent);
    let mut asked: Vec<(Decision, Answer)> =
        decisions.iter().map(|of| (of.clone(), answer(&*maker, &of.state))).collect();
    println!("{agent}: {} answers", asked.len());
    spread("seconds", asked.iter().map(|(_, answer)| answer.time));
    spread("positions searched by one thread", asked.iter().map(|(_, answer)| answer.nodes));
    let slow = asked.iter().filter(|(_, answer)| answer.time > 1.0).count();
    println!("longer than a second: {slow}");
    slow_by("ply", &asked, |of| of.ply);
    slow_by("plies beyond the book", &asked, |of| of.beyond.unwrap_or(0));
    slow_by("seeds in the houses", &asked, |of| of.state.in_houses().into());
    if wanted("check") {
        check(game, &asked);
    }
    if wanted("list") {
        asked.sort_by(|(_, one), (_, other)| other.time.total_cmp(&one.time));
        for (Decision { state, ply, path, .. }, Answer { time, nodes, .. }) in asked.iter().take(20) {
            let seeds = state.in_houses();
            println!(
                "{time:.3} s, {nodes} positions searched by one thread, ply {ply}, {seeds} seeds: {path}"
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |key: &str, usual: &str| {
        let given = arguments.iter().find_map(|argument| argument.strip_prefix(&format!("{key}=")));
        given.unwrap_or(usual).to_owned()
    };
    let number = |key: &str, usual: &str| option(key, usual).parse::<u32>().expect("a number");
    let count: usize =
        arguments.first().map_or(500, |count| count.parse().expect("how many positions is a number"));
    let agents = arguments.get(1).map_or("perfect", |agents| agents);
    let (game, least) = (Kalah::standard(6, 4), number("seeds", "0"));
    let mut decisions = decisions(&game, &option("players", PLAYERS), number("games", "1").into());
    let (all, known) = (decisions.len(), decisions.iter().filter(|of| of.beyond.is_none()).count());
    println!("{all} decisions, {known} of them in the book");
    decisions.retain(|of| of.beyond.is_some() && of.state.in_houses() >= least);
    println!("{} beyond it with {least} seeds or more in the houses", decisions.len());
    Rng::new(Seed::new(2)).shuffle(&mut decisions);
    decisions.truncate(count);
    for agent in agents.split_whitespace() {
        tell(&game, agent, &decisions, |what| arguments.iter().any(|argument| argument == what));
    }
}
