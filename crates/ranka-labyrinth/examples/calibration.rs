//! How often those win to whom the champion gives a chance, in games that others play:
//! `calibration RULES DEALS JUDGE AGENT AGENT…`, an agent for each seat.

use ranka_core::{Actor, AgentSpec, Game as _, Params, Rng, Roster as _, Seat, Seed, Settings, Table};
use ranka_labyrinth::{Action, Labyrinth};

#[allow(clippy::print_stdout, clippy::unwrap_used)]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [rules, deals, judge, players @ ..] = &args[..] else {
        return println!("calibration RULES DEALS JUDGE AGENT AGENT…");
    };
    let game = Labyrinth::new(&Params::parse(rules, Labyrinth::options()).unwrap()).unwrap();
    let recruit = |spec: &String| game.recruit(&AgentSpec::parse(spec)).unwrap().1;
    let (judge, players) = (recruit(judge), players.iter().map(recruit).collect::<Vec<_>>());
    // Positions, chances and scores by tenths of the chance.
    let mut tenths = [[0.0; 3]; 10];
    for deal in 0..deals.parse().unwrap() {
        let seed = Seed::new(deal);
        let start = game.start(&mut Rng::new(seed));
        let [mut played, mut judged] = [0, 1].map(|_| Table::new(game, start, seed));
        for seat in Seat::all(game.seats()) {
            let own = seed.at(seat.index() as u64);
            let player = &players[(seat.index() + deal as usize) % players.len()];
            played.sit(seat, player.seat(seat, own).unwrap(), own);
            judged.sit(seat, judge.seat(seat, own).unwrap(), own);
        }
        let mut said = Vec::new();
        while let Actor::Seat(seat) = played.actor() {
            let choice = played.think(&Settings::default(), None).unwrap().choice;
            if matches!(choice, Action::Push(_)) {
                let thought = judged.think(&Settings::default(), None).unwrap();
                said.push((
                    seat,
                    thought.candidates.iter().map(|candidate| candidate.value).fold(0.0, f64::max),
                ));
            }
            played.act(choice).unwrap();
            judged.act(choice).unwrap();
        }
        for (seat, chance) in said {
            let tenth = &mut tenths[((chance * 10.0) as usize).min(9)];
            let outcome = &played.end().unwrap().1;
            for (sum, term) in tenth.iter_mut().zip([1.0, chance, outcome.score(seat)]) {
                *sum += term;
            }
        }
    }
    println!("positions  chance  score");
    for [positions, chances, scores] in tenths.iter().filter(|tenth| tenth[0] > 0.0) {
        println!("{positions:9}  {:6.3}  {:5.3}", chances / positions, scores / positions);
    }
}
