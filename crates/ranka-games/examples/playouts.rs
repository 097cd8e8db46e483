//! Playouts a second of the generic searches beside a bare loop of playouts, in one run:
//! `cargo run --release -p ranka-games --example playouts`. In the position after ten random actions; where something
//! is hidden, the loop draws a world for every playout.
#![allow(clippy::print_stdout)]

use ranka_core::{Actor, Agent, AgentSpec, Complete, Params, Position, Rng, Seat, Seed, Thinking, View};
use ranka_geister::Geister;
use ranka_kalah::Kalah;
use ranka_labyrinth::Labyrinth;
use ranka_tantrix::Tantrix;
use ranka_tubstap::Tubstap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Long enough to be told from noise; the best of so many counts.
const PLAYOUTS: u64 = 10_000;
const ROUNDS: usize = 5;

/// The most playouts a second.
fn best(mut run: impl FnMut() -> u64) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        run() as f64 / begun.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(0.0, f64::max)
}

fn measure<G: Complete>(rules: &str, agents: &[&str]) {
    let options = Params::parse(rules, G::options()).expect("known rules");
    let game = G::new(&options).expect("rules that fit");
    let mut rng = Rng::new(Seed::new(1));
    let mut state = game.start(&mut rng);
    for ply in 0.. {
        let action = match state.actor() {
            Actor::Seat(_) if ply >= 10 => break,
            Actor::Seat(_) => state.random_action(&mut rng, &mut Vec::new()),
            Actor::Chance => state.draw(&mut rng),
            Actor::Over => panic!("the game is over before anything could be measured"),
        };
        state.apply(action);
    }
    let seat = state.actor().seat().unwrap_or(Seat::FIRST);
    let view = game.view(&state, seat);
    let mut scratch = Vec::new();
    let bare = best(|| {
        for _ in 0..PLAYOUTS {
            view.sample(&mut rng).playout(&mut rng, &mut scratch);
        }
        PLAYOUTS
    });
    println!("{:10} {:14} {bare:10.0}", G::INFO.name, "bare loop");
    for agent in agents {
        let spec = AgentSpec::parse(&format!("{agent}:playouts={PLAYOUTS}"));
        let (_, maker) = game.recruit(&spec).expect("an agent of the game");
        let mut player: Box<dyn Agent<G>> = maker.seat(seat, Seed::new(1)).expect("a seat");
        let never = AtomicBool::new(false);
        let rate = best(|| {
            let mut thinking = Thinking::new(Rng::new(Seed::new(2)), None, &never);
            player.think(&view, &mut thinking).expect("an answer").nodes
        });
        println!("{:10} {agent:14} {rate:10.0}  {:.2} of the loop", "", rate / bare);
    }
}

fn main() {
    println!("{:10} {:14} {:>10}", "game", "", "a second");
    measure::<Kalah>("", &["flat-mc", "uct"]);
    measure::<Geister>("", &["flat-mc", "uct", "ismcts"]);
    measure::<Labyrinth>("cards-per-player=2", &["flat-mc", "uct", "ismcts"]);
    measure::<Tantrix>("", &["plain-flat-mc", "plain-uct"]);
    measure::<Tubstap>("", &["flat-mc", "plain-uct"]);
}
