//! The speeds that Labyrinth promises.

use crate::action::{Action, Push};
use crate::maze::Entry;
use crate::naive::Naive;
use crate::rules::Labyrinth;
use crate::state::{Phase, State};
use ranka_core::{
    AgentSpec, Bench, BenchGoal, Game, GameSeeds, Params, Position, Rng, Roster, Seat, Seed, Settings, Speed,
    Thinking, per_second, play,
};
use std::sync::atomic::AtomicBool;

impl Speed for Labyrinth {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "pushes, each with the region of the pawn",
                unit: "a second",
                goal: BenchGoal::AtLeast(1e7),
                run: regions,
                naive: Some(naive_regions),
            },
            Bench {
                name: "decisions of big-brain (source preset)",
                unit: "a second",
                goal: BenchGoal::AtLeast(3e3),
                run: || decisions("big-brain", 2_543_919_636),
                naive: None,
            },
            Bench {
                name: "decisions of static",
                unit: "a second",
                goal: BenchGoal::AtLeast(1e3),
                run: || decisions("static", 740_072_800),
                naive: None,
            },
            Bench {
                name: "turns of random games through the match loop",
                unit: "a second",
                goal: BenchGoal::AtLeast(1e5),
                run: random_games,
                naive: None,
            },
        ]
    }
}

/// The standard game for two.
fn standard() -> Labyrinth {
    Labyrinth::new(&Params::defaults(Labyrinth::options())).expect("the defaults fit")
}

/// Positions of random games in which a seat is to push.
fn positions(count: usize) -> Vec<State> {
    let (game, mut rng) = (standard(), Rng::new(Seed::new(1)));
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut state = game.start(&mut rng);
        for _ in 0..1 + 2 * rng.below(40) {
            state.apply(state.random_action(&mut rng, &mut Vec::new()));
        }
        if state.phase() == Phase::Move {
            state.apply(state.random_action(&mut rng, &mut Vec::new()));
            positions.extend(Some(state).filter(|state| !state.actor().is_over()));
        }
    }
    positions
}

/// All 44 pushes of a position, a straight's half turns counted as the original program does: the new corridors, the carried pawn and what it can reach.
fn reach_after_all_pushes(state: &State) -> u32 {
    let (maze, shape, pawn) =
        (*state.board().maze(), state.board().extra().shape(), state.pawn(state.mover()));
    let mut cells = 0;
    for entry in Entry::all().filter(|&entry| Some(entry) != state.forbidden()) {
        let pawn = entry.carried_pawn(pawn);
        for rotation in 0..4 {
            let mut pushed = maze;
            pushed.push(entry, shape.openings(rotation));
            cells += pushed.paths().region(pawn).count_ones();
        }
    }
    cells
}

fn regions() -> f64 {
    let positions = positions(200);
    for state in &positions[..20] {
        let naive = Naive::of(state);
        let pushes = Entry::all().filter(|&entry| Some(entry) != state.forbidden());
        let pushes = pushes.flat_map(|entry| (0..4).map(move |rotation| Push { entry, rotation }));
        let plain: usize = pushes.map(|push| naive.reach_after(push)).sum();
        assert_eq!(reach_after_all_pushes(state) as usize, plain, "the regions are the plain ones");
    }
    let expected: u32 = positions.iter().map(reach_after_all_pushes).sum();
    per_second(|| {
        let cells: u32 = positions.iter().map(reach_after_all_pushes).sum();
        assert_eq!(cells, expected);
        positions.len() as u64 * 44
    })
}

fn naive_regions() -> f64 {
    let positions: Vec<Naive> = positions(20).iter().map(Naive::of).collect();
    per_second(|| {
        for naive in &positions {
            let push = Push { entry: Entry::new(1), rotation: 0 };
            assert!(naive.reach_after(push) > 0);
        }
        positions.len() as u64
    })
}

/// Pushes decided by an agent; `plans` stands for all its plans, so that a faster program is the same program.
fn decisions(spec: &str, plans: u32) -> f64 {
    let game = standard();
    let (_, maker) = game.recruit(&AgentSpec::parse(spec)).expect("the agent is in the roster");
    let mut agents = [Seat::FIRST, Seat::SECOND].map(|seat| maker.seat(seat, Seed::new(3)).expect("a seat"));
    let views: Vec<_> = positions(300).iter().map(|state| game.view(state, state.mover())).collect();
    let cancel = AtomicBool::new(false);
    let mut decide = || {
        let mut sum = 0u32;
        for view in &views {
            let rng = Rng::new(Seed::new(4));
            let agent = &mut agents[view.seat().index()];
            let thought = agent.think(view, &mut Thinking::new(rng, None, &cancel)).expect("it answers");
            assert!(view.shown().is_legal(thought.choice));
            let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
            for action in chosen.map_or(&[thought.choice][..], |candidate| &candidate.pv) {
                sum = sum.wrapping_mul(101).wrapping_add(match action {
                    Action::Push(push) => 4 * push.entry.index() as u32 + u32::from(push.rotation),
                    Action::Move(cell) => 48 + cell.index() as u32,
                });
            }
        }
        sum
    };
    per_second(|| {
        assert_eq!(decide(), plans, "the plans of {spec} are not what they were");
        views.len() as u64
    })
}

fn random_games() -> f64 {
    let game = standard();
    let (_, maker) = game.recruit(&AgentSpec::parse("random")).expect("random is in the roster");
    let mut pair = 0;
    per_second(|| {
        let agents = Seat::all(2).map(|seat| {
            let player = maker.seat(seat, Seed::new(5)).expect("it can be seated");
            (player, seat.index())
        });
        let seeds = GameSeeds::of(Seed::new(6), pair, 0);
        let played = play(&game, &seeds, agents.collect(), &Settings::default(), &mut |_, _| {});
        pair += 1;
        let turns = played.actions.iter().filter(|action| matches!(action, Action::Move(_))).count();
        assert_eq!(turns as u32, played.plies / 2);
        turns as u64
    })
}
