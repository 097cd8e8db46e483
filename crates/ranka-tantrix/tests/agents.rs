//! Who beats whom, by a margin that no accident can explain.
#![allow(clippy::unwrap_used)]

use ranka_battery::points;
use ranka_tantrix::Tantrix;

#[test]
fn each_agent_beats_the_simpler_one() {
    for (one, other, games, least) in [
        ("greedy", "random", 20, 17.0),
        ("flat-mc:playouts=300", "random", 20, 17.0),
        ("darwin:playouts=300", "greedy", 20, 13.0),
        // One placement ahead: the judgement alone.
        ("champion:nodes=1", "greedy", 40, 30.0),
    ] {
        let score = points(&Tantrix::standard(2), [one, other], games);
        assert!(score >= least, "{one} scores {score} of {games} against {other}");
    }
}
