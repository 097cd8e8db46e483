//! Who beats whom, by a margin that no accident can explain.

#![allow(clippy::unwrap_used)]

use ranka_battery::points;
use ranka_core::{Game, Params};
use ranka_tubstap::Tubstap;

#[test]
fn each_agent_beats_the_simpler_one() {
    let game = Tubstap::new(&Params::parse("map=crossing", Tubstap::options()).unwrap()).unwrap();
    for (one, other, games, least) in [
        ("standard", "random", 20, 19.0),
        ("pair", "random", 20, 19.0),
        ("dlmc:m=30,n=15", "random", 10, 9.0),
        ("uct:playouts=1200", "standard", 8, 7.0),
        ("uct-fpu:playouts=1200", "standard", 8, 7.0),
    ] {
        let score = points(&game, [one, other], games);
        assert!(score >= least, "{one} scores {score} of {games} against {other}");
    }
}
