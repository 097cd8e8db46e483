//! Matches of Tantrix with each agent's processor time, for a busy machine on which milliseconds mean little:
//! `cargo run --release -p ranka-tantrix --example duel -- PLAYERS GAMES SEED AGENT OTHER`. The first agent sits in every
//! seat in turn on each deal, the other in all the rest.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // it shows the result

use ranka_core::{Agent, AgentSpec, Fault, GameSeeds, Roster, Seat, Seed, Settings, Thinking, Thought, play};
use ranka_tantrix::{Action, State, Tantrix};
use std::sync::{Arc, Mutex};

/// Processor time of this thread in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}

/// An agent whose time is taken, and whose best candidate's chance is kept.
struct Timed {
    agent: Box<dyn Agent<Tantrix>>,
    spent: Arc<Mutex<(f64, u32)>>,
    chances: Arc<Mutex<Vec<f64>>>,
}

impl Agent<Tantrix> for Timed {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let begun = processor_time();
        let thought = self.agent.think(view, thinking)?;
        if thought.candidates.len() > 1 {
            let mut spent = self.spent.lock().unwrap();
            spent.0 += processor_time() - begun;
            spent.1 += 1;
            let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
            self.chances.lock().unwrap().extend(chosen.map(|candidate| candidate.value));
        }
        Ok(thought)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [players, games, seed] = [0, 1, 2].map(|place: usize| arguments[place].parse::<u64>().unwrap());
    let players = players as usize;
    let game = Tantrix::standard(players);
    let makers = [3, 4].map(|place: usize| game.recruit(&AgentSpec::parse(&arguments[place])).unwrap().1);
    let spent = [(); 2].map(|()| Arc::new(Mutex::new((0.0, 0))));
    let (mut by_deal, mut wins, mut margin) = (Vec::new(), 0.0, 0.0);
    let mut table = [(0.0, 0.0, 0u32); 10];
    for deal in 0..games / players as u64 {
        let mut score = 0.0;
        for turned in 0..players {
            let seeds = GameSeeds::of(Seed::new(seed), deal, turned as u64);
            let chances = Arc::new(Mutex::new(Vec::new()));
            let seated = Seat::all(players).map(|seat| {
                let which = usize::from(seat.index() != turned);
                let agent = makers[which].seat(seat, seeds.agent(seat.index())).unwrap();
                let chances = if which == 0 { Arc::clone(&chances) } else { Arc::default() };
                let timed: Box<dyn Agent<Tantrix>> =
                    Box::new(Timed { agent, spent: Arc::clone(&spent[which]), chances });
                (timed, seat.index())
            });
            let played = play(&game, &seeds, seated.collect(), &Settings::default(), &mut |_, _| ());
            let got = played.outcome.score(Seat::new(turned));
            score += got;
            wins += f64::from(u8::from(got == 1.0));
            margin += f64::from(played.last.margin(Seat::new(turned)));
            for chance in chances.lock().unwrap().iter() {
                let bin = &mut table[((chance * 10.0) as usize).min(9)];
                *bin = (bin.0 + chance, bin.1 + got, bin.2 + 1);
            }
        }
        by_deal.push(score / players as f64);
        let n = by_deal.len() as f64;
        let mean = by_deal.iter().sum::<f64>() / n;
        let variance = by_deal.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let [one, two] = [0, 1].map(|which: usize| {
            let (time, moves) = *spent[which].lock().unwrap();
            1e3 * time / f64::from(moves.max(1))
        });
        if (deal + 1) % 10 == 0 || deal + 1 == games / players as u64 {
            println!(
                "{} games: score {:.1} % ± {:.1}, won {:.1} %, margin {:+.2}, {one:.2} against {two:.2} ms a choice",
                by_deal.len() * players,
                100.0 * mean,
                196.0 * (variance / n).sqrt(),
                100.0 * wins / n / players as f64,
                margin / n / players as f64,
            );
        }
    }
    for (chance, got, count) in table.into_iter().filter(|bin| bin.2 > 0) {
        let n = f64::from(count);
        println!("told {:.2}: came {:.2} of {count}", chance / n, got / n);
    }
}
