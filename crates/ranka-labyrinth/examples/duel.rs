//! Trial matches, quick to build.
use ranka_core::*;
use ranka_labyrinth::Labyrinth;
use std::time::Instant;
#[allow(clippy::print_stdout)]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules = &args[1];
    let deals: u64 = args[2].parse().unwrap();
    let seed: u64 = args[3].parse().unwrap();
    let budget = if args[4] == "-" { None } else { Some(Budget::parse(&args[4]).unwrap()) };
    let game = Labyrinth::new(&Params::parse(rules, Labyrinth::options()).unwrap()).unwrap();
    let n = game.seats();
    let makers: Vec<_> = args[5..7].iter().map(|s| game.recruit(&AgentSpec::parse(s)).unwrap().1).collect();
    // Seatings of teams A (0) and B (1).
    let seatings: Vec<Vec<usize>> = match n {
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => vec![vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0]],
        _ => vec![vec![0, 1, 0, 1], vec![1, 0, 1, 0], vec![0, 0, 1, 1], vec![1, 0, 0, 1], vec![1, 1, 0, 0], vec![0, 1, 1, 0]],
    };
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    let mut time = [0.0; 2];
    let mut decisions = [0u64; 2];
    let mut rounds = 0.0;
    let mut turns = [0.0f64; 2];
    let mut finds = [0.0f64; 2];
    // predicted chance of A at its pushes by decile
    let mut bins = [[0.0f64; 3]; 10];
    let never = std::sync::atomic::AtomicBool::new(false);
    let _ = &never;
    for deal in 0..deals {
        for (g, seating) in seatings.iter().enumerate() {
            let start = game.start(&mut Rng::new(Seed::new(seed * 1_000_003 + deal)));
            let mut table = Table::new(game, start, Seed::new(0));
            for (i, &who) in seating.iter().enumerate() {
                let s = Seed::new(seed * 77 + deal * 64 + g as u64 * 8 + i as u64);
                table.sit(Seat::new(i), makers[who].seat(Seat::new(i), s).unwrap(), s);
            }
            let settings = Settings { budget, ..Settings::default() };
            let mut predicted = Vec::new();
            let mut own_turns = 0.0;
            while let Actor::Seat(seat) = table.actor() {
                let who = seating[seat.index()];
                let t = Instant::now();
                let thought = table.think(&settings, None).unwrap();
                time[who] += t.elapsed().as_secs_f64();
                decisions[who] += 1;
                if matches!(thought.choice, ranka_labyrinth::Action::Push(_)) {
                    turns[who] += 1.0;
                    own_turns += 1.0 / n as f64;
                    if who == 0 && thought.scale == Scale::Score {
                        let v = thought.candidates.iter().map(|c| c.value).fold(0.0, f64::max);
                        predicted.push((seat, v));
                    }
                }
                table.act(thought.choice).unwrap();
            }
            rounds += own_turns;
            for (i, &who) in seating.iter().enumerate() {
                finds[who] += table.state().cards().found(Seat::new(i)).len() as f64;
            }
            let outcome = &table.end().unwrap().1;
            let a: f64 = (0..n).filter(|&i| seating[i] == 0).map(|i| outcome.score(Seat::new(i))).fold(0.0, f64::max);
            let b: f64 = (0..n).filter(|&i| seating[i] == 1).map(|i| outcome.score(Seat::new(i))).fold(0.0, f64::max);
            if a > b { won += 1 } else if b > a { lost += 1 } else { drawn += 1 }
            for (seat, v) in predicted {
                let bin = &mut bins[((v * 10.0) as usize).min(9)];
                bin[0] += 1.0;
                bin[1] += v;
                bin[2] += outcome.score(seat);
            }
        }
    }
    let games = (won + lost + drawn) as f64;
    let p = (won as f64 + 0.5 * drawn as f64) / games;
    println!("{} vs {} [{rules}]: {won}-{drawn}-{lost} of {games}: {:.1} % ± {:.1}; ms {:.2} {:.2}; rounds {:.1}; finds/turn {:.3} {:.3}",
        args[5], args[6], 100.0 * p, 196.0 * (p * (1.0 - p) / games).sqrt(), 1e3 * time[0] / decisions[0] as f64, 1e3 * time[1] / decisions[1] as f64, rounds / games, finds[0] / turns[0], finds[1] / turns[1]);
    for b in bins.iter().filter(|b| b[0] > 0.0) {
        println!("   n {:6} predicted {:.3} actual {:.3}", b[0], b[1] / b[0], b[2] / b[0]);
    }
}
