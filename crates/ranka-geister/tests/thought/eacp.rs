//! EACP's cuts at the root change nothing.

use crate::common::{evaluation, game, midgames};
use ranka_core::{Game, Position};
use ranka_geister::eacp::{Ask, Eacp};
use ranka_search::Limits;

#[test]
fn the_cuts_choose_like_the_plain_version() {
    let game = game();
    let (mut ties, mut nodes) = (0, [0, 0]);
    for (i, state) in midgames(120, 11).into_iter().enumerate() {
        let view = game.view(&state, state.actor().seat().unwrap());
        let depth = 2 + i as u32 % 2;
        let steps = |ask| {
            let mut eacp = Eacp::new(evaluation(true), 1 << 10);
            let found = eacp.steps(&view, depth, ask, Limits::NONE).unwrap();
            (found, eacp.nodes())
        };
        let (all, plain) = steps(Ask::Values);
        let best = all.iter().map(|step| step.1).max().unwrap();
        let best: Vec<_> = all.into_iter().filter(|step| step.1 == best).collect();
        ties += usize::from(best.len() > 1);
        assert_eq!(steps(Ask::AllBest).0, best);
        let (first, cut) = steps(Ask::First);
        assert_eq!(first[0], best[0], "the first of the best");
        nodes = [nodes[0] + plain, nodes[1] + cut];
    }
    assert!(ties > 10, "only {ties} positions had several best steps");
    assert!(nodes[1] * 3 < nodes[0], "the cuts save little: {nodes:?}");
}

#[test]
fn used_up_limits_leave_no_answer() {
    let state = &midgames(1, 12)[0];
    let view = game().view(state, state.actor().seat().unwrap());
    let mut eacp = Eacp::new(evaluation(true), 1 << 10);
    assert_eq!(eacp.steps(&view, 4, Ask::First, Limits::count(50)), None);
    assert!(eacp.nodes() <= 50);
}
