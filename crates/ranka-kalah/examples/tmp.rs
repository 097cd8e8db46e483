use ranka_core::*;
use ranka_kalah::*;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;
fn main() {
    let never = AtomicBool::new(false);
    let s = Kalah::standard(6, 4).first();
    let t = Instant::now();
    let c = perft(&s, 10);
    println!("perft10 {c} {:?}", t.elapsed());
    let mut rng = Rng::new(Seed::new(1));
    let mut sc = Vec::new();
    let t = Instant::now();
    let mut plies = 0u64;
    let n = 1_000_000;
    for _ in 0..n {
        let mut p = s;
        plies += p.playout(&mut rng, &mut sc) as u64;
    }
    let e = t.elapsed().as_secs_f64();
    println!("playouts/s {:.0} avg {}", n as f64 / e, plies as f64 / n as f64);
    let ns = naive::Naive::of(&s);
    let t = Instant::now();
    let m = 50_000;
    for _ in 0..m {
        let mut p = ns.clone();
        p.playout(&mut rng, &mut sc);
    }
    println!("naive playouts/s {:.0}", m as f64 / t.elapsed().as_secs_f64());
    for (h, sd, bits, eg) in [(6, 3, 20, 0), (6, 3, 20, 8), (6, 4, 24, 0), (6, 4, 22, 10), (6, 4, 22, 13)] {
        let g = Kalah::standard(h, sd);
        let t = Instant::now();
        let e = (eg > 0).then(|| Arc::new(Endgame::build(&g, eg)));
        let tb = t.elapsed();
        let mut so = Solver::new(&g, e, bits).unwrap();
        let v = so.margin(&g.first(), Seat::FIRST, &never).unwrap();
        println!("({h},{sd}) eg {eg}: {v} nodes {} build {:?} total {:?}", so.nodes(), tb, t.elapsed());
    }
}
