//! The specification's exact results against `random`, to four decimals: computed, not sampled.
#![allow(clippy::unwrap_used)]

use ranka_core::{
    Actor, AgentSpec, Candidate, Chances, Game, Graph, Params, Position as _, Proven, Rng, Roster, Seat,
    Seed, Thinking, Thought,
};
use ranka_kalah::{House, Kalah, Solver, State};
use ranka_search::{AllSeeing, Leaf, LeafEvaluator, Limits, Puct, PuctConfig};
use std::sync::atomic::AtomicBool;

/// A small game, wholly known.
struct Board {
    game: Kalah,
    graph: Graph<State>,
    rules: &'static str,
}

fn open(rules: &'static str) -> Board {
    let game = Kalah::new(&Params::parse(rules, Kalah::options()).unwrap()).unwrap();
    Board { game, graph: Graph::reach(game.first()).unwrap(), rules }
}

impl Board {
    fn policy(&self, agent: &str) -> Vec<f64> {
        self.game.recruit(&AgentSpec::parse(agent)).unwrap().1.policy(&self.graph).unwrap()
    }

    /// The chances against `random`, playing first and playing second.
    fn by_seat(&self, agent: &str) -> [Chances; 2] {
        let (agent, random) = (self.policy(agent), self.policy("random"));
        [self.graph.chances([&agent, &random])[0], self.graph.chances([&random, &agent])[0].reversed()]
    }
}

/// The chances against `random`, averaged over playing first and second.
fn against_random(board: &Board, agent: &str) -> Chances {
    let [first, second] = board.by_seat(agent);
    let mean = |f: fn(&Chances) -> f64| (f(&first) + f(&second)) / 2.0;
    Chances { win: mean(|c| c.win), draw: mean(|c| c.draw), loss: mean(|c| c.loss) }
}

/// The figure is printed to so many decimals; it must be right to the last of them.
fn close(measured: f64, printed: f64, decimals: i32, what: &str) {
    let tolerance = 0.5001 * 10f64.powi(-decimals);
    assert!((measured - printed).abs() <= tolerance, "{what}: computed {measured:.6}, expected {printed}");
}

fn check(game: &Board, agent: &str, printed: [f64; 3]) {
    let Chances { win, draw, loss } = against_random(game, agent);
    for (measured, printed, what) in
        [(win, printed[0], "win"), (draw, printed[1], "draw"), (loss, printed[2], "loss")]
    {
        close(measured, printed, 4, &format!("{agent} on {}, {what}", game.rules));
    }
}

const N3M3: &str = "houses=3,seeds=3";
const N4M2: &str = "houses=4,seeds=2";

#[test]
fn random_and_perfect() {
    let (n3m3, n4m2) = (open(N3M3), open(N4M2));
    check(&n3m3, "random", [0.4472, 0.1055, 0.4472]);
    check(&n4m2, "random", [0.4507, 0.0986, 0.4507]);
    check(&n3m3, "perfect", [0.9645, 0.0166, 0.0189]);
    check(&n4m2, "perfect", [0.9227, 0.0235, 0.0538]);
    check(&n3m3, "perfect:aim=result", [0.9407, 0.0115, 0.0478]);
    check(&n4m2, "perfect:aim=result", [0.9219, 0.0122, 0.0659]);
}

/// The chances of `seat` when it answers the other's policy as well as it can, by `worth`.
fn best_reply(graph: &Graph<State>, policy: &[f64], seat: Seat, worth: fn(&Chances) -> f64) -> Chances {
    let sure = |yes: bool| f64::from(u8::from(yes));
    let values = graph.sweep(|node, known: &[Chances]| {
        let (position, edges) = (graph.position(node), graph.edge_range(node).zip(graph.edges(node)));
        match position.actor() {
            Actor::Over => {
                let score = position.outcome().score(seat);
                Chances { win: sure(score > 0.5), draw: sure(score == 0.5), loss: sure(score < 0.5) }
            }
            Actor::Seat(mover) if mover == seat => {
                let replies = edges.map(|(_, (_, target))| known[target]);
                replies.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best }).unwrap()
            }
            _ => edges.fold(Chances::default(), |sum, (edge, (_, target))| {
                let (weight, next) = (policy[edge], &known[target]);
                Chances {
                    win: sum.win + weight * next.win,
                    draw: sum.draw + weight * next.draw,
                    loss: sum.loss + weight * next.loss,
                }
            }),
        }
    });
    values[0]
}

#[test]
fn the_best_and_the_worst_that_can_be_done() {
    for (rules, best, worst) in [
        (N3M3, [0.9790, 0.0100, 0.0110], [0.0018, 0.0014, 0.9968]),
        (N4M2, [0.9583, 0.0050, 0.0367], [0.0000, 0.0003, 0.9996]),
    ] {
        let board = open(rules);
        let random = board.policy("random");
        let check = |what: &str, worth: fn(&Chances) -> f64, printed: [f64; 3]| {
            let replies =
                [Seat::FIRST, Seat::SECOND].map(|seat| best_reply(&board.graph, &random, seat, worth));
            let mean = |f: fn(&Chances) -> f64| replies.iter().map(f).sum::<f64>() / 2.0;
            for (measured, printed) in
                [mean(|c| c.win), mean(|c| c.draw), mean(|c| c.loss)].into_iter().zip(printed)
            {
                close(measured, printed, 4, &format!("{what} on {rules}"));
            }
        };
        check("most wins", |c| c.win, best);
        check("least score", |c| -c.score(), worst);
    }
}

#[test]
fn perfect_play_wins_whenever_it_begins() {
    for (rules, second) in [(N3M3, 0.929), (N4M2, 0.845)] {
        let game = open(rules);
        let [first, as_second] = game.by_seat("perfect");
        assert!((first.win - 1.0).abs() < 1e-12, "{rules}: {first:?}");
        close(as_second.win, second, 3, rules);
    }
}

#[test]
fn minimax_by_sowings() {
    let n3m3 = [
        [0.5695, 0.1038, 0.3267],
        [0.7437, 0.0832, 0.1731],
        [0.7607, 0.0816, 0.1577],
        [0.8134, 0.0736, 0.1130],
        [0.8671, 0.0548, 0.0781],
        [0.9101, 0.0501, 0.0398],
        [0.9035, 0.0367, 0.0599],
        [0.9419, 0.0171, 0.0410],
        [0.9415, 0.0145, 0.0440],
        [0.9507, 0.0180, 0.0313],
        [0.9782, 0.0149, 0.0069],
        [0.9755, 0.0141, 0.0104],
    ];
    let n4m2 = [
        [0.7043, 0.0894, 0.2062],
        [0.6979, 0.0807, 0.2214],
        [0.9058, 0.0254, 0.0688],
        [0.9298, 0.0149, 0.0553],
        [0.9326, 0.0197, 0.0476],
        [0.9113, 0.0298, 0.0589],
        [0.9205, 0.0260, 0.0536],
        [0.9236, 0.0228, 0.0536],
        [0.9159, 0.0249, 0.0592],
        [0.9250, 0.0120, 0.0630],
        [0.9245, 0.0124, 0.0631],
        [0.9239, 0.0123, 0.0638],
    ];
    for (rules, table) in [(N3M3, n3m3), (N4M2, n4m2)] {
        let game = open(rules);
        for (depth, printed) in (1..).zip(table) {
            check(&game, &format!("minimax:depth={depth}"), printed);
        }
    }
}

#[test]
fn minimax_with_other_ties_and_by_turns() {
    let wins = |rules: &'static str, agent: &str, printed: &[f64]| {
        let game = open(rules);
        for (depth, &printed) in (1..).zip(printed) {
            let agent = format!("minimax:depth={depth},{agent}");
            close(against_random(&game, &agent).win, printed, 4, &format!("{agent} on {rules}"));
        }
    };
    wins(
        N3M3,
        "ties=first",
        &[0.5492, 0.7305, 0.8301, 0.8985, 0.8258, 0.9252, 0.8960, 0.9282, 0.9416, 0.9416, 0.9774, 0.9774],
    );
    wins(
        N3M3,
        "ties=last",
        &[0.5656, 0.6516, 0.7446, 0.7325, 0.8585, 0.8722, 0.8814, 0.9559, 0.9416, 0.9485, 0.9790, 0.9728],
    );
    wins(
        N4M2,
        "ties=first",
        &[0.6881, 0.6851, 0.9143, 0.9254, 0.9462, 0.8999, 0.9185, 0.9236, 0.9048, 0.8886, 0.8884, 0.8884],
    );
    wins(
        N4M2,
        "ties=last",
        &[0.7705, 0.7075, 0.9021, 0.9339, 0.9229, 0.9185, 0.9236, 0.9236, 0.9230, 0.9236, 0.9236, 0.9236],
    );
    wins(N3M3, "unit=turn", &[0.7194, 0.8065, 0.8342, 0.8471, 0.9361, 0.9625, 0.9621, 0.9621]);
    wins(N4M2, "unit=turn", &[0.7392, 0.8749, 0.9223, 0.9284, 0.9183, 0.9218, 0.9249]);
}

#[test]
fn max_q_and_min_q() {
    let kinds = ["backup=selfplay", "backup=random-env", "reward=delta"];
    let max = [
        (N3M3, [[0.8878, 0.0509, 0.0613], [0.9043, 0.0449, 0.0507], [0.9645, 0.0166, 0.0189]]),
        (N4M2, [[0.9216, 0.0035, 0.0748], [0.9364, 0.0270, 0.0366], [0.9227, 0.0235, 0.0538]]),
    ];
    let min = [
        (N3M3, [[0.1152, 0.0667, 0.8181], [0.2280, 0.0336, 0.7385], [0.1478, 0.0567, 0.7955]]),
        (N4M2, [[0.0813, 0.0523, 0.8664], [0.0787, 0.0439, 0.8775], [0.1008, 0.0604, 0.8388]]),
    ];
    for (agent, tables) in [("max-q", max), ("min-q", min)] {
        for (rules, printed) in tables {
            let game = open(rules);
            for (kind, printed) in kinds.iter().zip(printed) {
                check(&game, &format!("{agent}:{kind}"), printed);
            }
        }
    }
}

/// No opinion on moves, and values by random play.
struct Playouts(Rng);

impl LeafEvaluator<State> for Playouts {
    fn evaluate(&mut self, leaves: &mut [Leaf<State>]) {
        for leaf in leaves {
            let mut end = *leaf.position();
            end.playout(&mut self.0, &mut Vec::new());
            leaf.values[..2].copy_from_slice(end.outcome().scores());
        }
    }
}

/// Searches that know nothing of the game come to keep the exact result of small boards.
#[test]
fn generic_searches_come_to_play_perfectly() {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let game = Kalah::standard(3, 2);
    let mut solver = Solver::new(&game, None, 12).unwrap();
    let uct = game.recruit(&AgentSpec::parse("uct:playouts=20000,c=1.4")).unwrap().1;
    let mut puct = Puct::new(PuctConfig::default(), Playouts(Rng::new(Seed::new(1))));
    let mut asked = 0;
    for number in 0..12 {
        let mut rng = Rng::new(Seed::new(number));
        let mut state = game.first();
        while let Actor::Seat(seat) = state.actor() {
            let moves = solver.moves(&state, &NEVER).unwrap();
            let best = moves.iter().map(|(_, margin)| margin.signum()).max();
            if moves.iter().any(|(_, margin)| Some(margin.signum()) != best) {
                let mut thinking = Thinking::new(rng.clone(), None, &NEVER);
                let thought = uct.seat(seat, Seed::new(1)).unwrap().think(&state, &mut thinking).unwrap();
                let limits = Limits::count(10_000);
                let found = puct.search(&AllSeeing, |_| state, limits, &mut rng, &mut |_| ()).unwrap();
                for choice in [thought.choice, found.best().action] {
                    let kept = moves.iter().find(|(house, _)| *house == choice).map(|(_, m)| m.signum());
                    assert_eq!(kept, best, "{state:?}: {choice:?} of {moves:?}");
                }
                asked += 1;
            }
            let action = state.random_action(&mut rng, &mut Vec::new());
            state.apply(action);
        }
    }
    assert!(asked > 20, "{asked} real decisions");
}

/// What `champion:explain=on` tells of a position with so many nodes: while it thinks, and at last.
fn explained(game: &Kalah, state: &State, nodes: u64) -> Vec<Thought<House>> {
    let agent = AgentSpec::parse(&format!("champion:explain=on,ties=first,nodes={nodes}"));
    let maker = game.recruit(&agent).unwrap().1;
    let mut player = maker.seat(Seat::FIRST, Seed::new(1)).unwrap();
    let never = AtomicBool::new(false);
    let mut told = Vec::new();
    let mut listen = |thought: &Thought<House>| told.push(thought.clone());
    let mut thinking = Thinking::new(Rng::new(Seed::new(2)), None, &never).reporting(&mut listen);
    let last = player.think(state, &mut thinking).unwrap();
    told.push(last);
    told
}

/// What is proven of a candidate's margin.
fn bounds(candidate: &Candidate<House>) -> (i32, i32) {
    let proven = candidate.proven.unwrap_or(Proven { least: None, most: None });
    (proven.least.unwrap_or(i32::MIN), proven.most.unwrap_or(i32::MAX))
}

#[test]
fn every_house_of_the_standard_board_is_explained_by_heart() {
    let game = Kalah::standard(6, 4);
    let told = explained(&game, &game.first(), 2_000);
    for thought in [&told[0], &told[told.len() - 1]] {
        assert_eq!(thought.choice, House::new(2), "the one that keeps most");
        let margins: Vec<(i32, i32)> = thought.candidates.iter().map(bounds).collect();
        assert_eq!(margins, [-14, -10, 8, -2, -8, 4].map(|margin| (margin, margin)));
        let chances: Vec<f64> = thought.candidates.iter().map(|candidate| candidate.value).collect();
        assert_eq!(chances, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "what is proven is sure");
        assert!(thought.candidates[2].pv.len() > 4, "it tells how perfect players go on");
    }
}

#[test]
fn explanations_hold_and_only_grow() {
    let game = Kalah::standard(4, 3);
    let mut rng = Rng::new(Seed::new(9));
    let never = AtomicBool::new(false);
    let mut bounded = 0;
    for round in 0..60 {
        let (mut state, mut scratch) = (game.first(), Vec::new());
        for _ in 0..rng.below(6) {
            if !state.actor().is_over() {
                state.apply(state.random_action(&mut rng, &mut scratch));
            }
        }
        if state.actor().is_over() {
            continue;
        }
        let mut solver = Solver::new(&game, None, 14).unwrap();
        let margins = solver.moves(&state, &never).unwrap();
        for nodes in [1, 60, 400, 4_000, 10_000_000] {
            let told = explained(&game, &state, nodes);
            for (i, &(house, margin)) in margins.iter().enumerate() {
                let mut before = (i32::MIN, i32::MAX);
                for thought in &told {
                    let candidate = &thought.candidates[i];
                    let (least, most) = bounds(candidate);
                    assert!(least <= margin && margin <= most, "{round}: {house:?} {candidate:?} {margin}");
                    assert!(before.0 <= least && most <= before.1, "what is proven stays so");
                    let sure = [(0.0, -1), (1.0, 1)].iter().find(|&&(chance, _)| candidate.value == chance);
                    assert!(sure.is_none_or(|&(_, sign)| margin.signum() == sign), "{candidate:?} {margin}");
                    assert_eq!(candidate.pv[0], house);
                    before = (least, most);
                    bounded += u32::from(least < most && (least, most) != (i32::MIN, i32::MAX));
                }
                assert!(nodes < 10_000_000 || before == (margin, margin), "all is found out in the end");
            }
            let best = margins.iter().map(|&(_, margin)| margin).max();
            let chosen = margins.iter().find(|&&(house, _)| house == told[told.len() - 1].choice).unwrap().1;
            assert!(nodes < 10_000_000 || Some(chosen) == best);
        }
    }
    assert!(bounded > 100, "bounds are told before margins are known: {bounded}");
}

#[test]
fn what_several_threads_find_out_is_told_alike() {
    // There is no book of this board, and a position of 40 seeds is solved on all cores.
    let game = Kalah::standard(4, 5);
    let never = AtomicBool::new(false);
    let margins = Solver::new(&game, None, 20).unwrap().moves(&game.first(), &never).unwrap();
    let best = margins.iter().map(|&(_, margin)| margin).max().unwrap();
    for aim in ["margin", "result"] {
        let maker = game.recruit(&AgentSpec::parse(&format!("perfect:aim={aim},ties=last"))).unwrap().1;
        let mut player = maker.seat(Seat::FIRST, Seed::new(1)).unwrap();
        // The second time it knows more than the first.
        for _ in 0..2 {
            let mut thinking = Thinking::new(Rng::new(Seed::new(2)), None, &never);
            let thought = player.think(&game.first(), &mut thinking).unwrap();
            let keeps = margins.iter().rfind(|&&(_, margin)| margin == best).unwrap();
            assert_eq!(thought.choice, keeps.0);
            for (told, &(_, margin)) in thought.candidates.iter().zip(&margins) {
                let expected = if margin == best { (false, best) } else { (true, best - 2) };
                assert_eq!((told.at_most, told.value), (expected.0, f64::from(expected.1)), "{aim}");
            }
        }
    }
}
