//! What the agents do, beyond what the battery asks of any agent.
#![allow(clippy::unwrap_used)]

use ranka_core::{
    Actor, AgentSpec, Budget, Game, Notation, Params, Position, Rng, Roster, Seat, Seed, Settings, Table,
    Thought,
};
use ranka_geister::duel::WIN;
use ranka_geister::{Action, Geister, State};
use std::collections::HashSet;

fn game() -> Geister {
    Geister::new(&Params::defaults(Geister::options())).unwrap()
}

/// A table at a position with the first player's seat taken by an agent.
fn table(agent: &str, start: State, seed: u64) -> Table<Geister> {
    let (_, maker) = game().recruit(&AgentSpec::parse(agent)).unwrap();
    let seed = Seed::new(seed);
    let mut table = Table::new(game(), start, seed);
    table.sit(Seat::FIRST, maker.seat(Seat::FIRST, seed).unwrap(), seed);
    table
}

/// What the agent thinks at a position after these actions.
fn thought(agent: &str, position: &str, actions: &[&str]) -> Thought<Action> {
    let mut table = table(agent, game().read_state(position).unwrap(), 1);
    for action in actions {
        table.act(game().read_action(action).unwrap()).unwrap();
    }
    table.think(&Settings::default(), None).unwrap()
}

fn value(thought: &Thought<Action>) -> i32 {
    let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
    chosen.unwrap().value as i32
}

fn name(thought: &Thought<Action>) -> String {
    game().write_action(thought.choice)
}

#[test]
fn a_ghost_that_stays_on_its_exit_is_red_to_purple_suspicion_alone() {
    // The red ghost on a6 bluffs: the blue one moves instead of it leaving.
    let position = "3B2/6/6/3b2/3R2/r5 2 RRRBBBrrrbbb 41";
    let sure = thought("purple-suspicion", position, &["d4e4"]);
    assert_eq!((name(&sure).as_str(), value(&sure) > WIN / 2), ("d1e1", true));
    for fooled in ["purple-max", "suspicion"] {
        assert!(value(&thought(fooled, position, &["d4e4"])) < -WIN / 2, "{fooled}");
    }
}

#[test]
fn an_approaching_ghost_is_red_to_suspicion_alone() {
    // From c6 the red ghost goes to b6, beside the red one on b5 and on its way to the exit a6.
    let position = "3B2/6/6/3b2/1R4/2r3 2 RRRBBBrrrbbb 41";
    let sure = thought("suspicion", position, &["c6b6"]);
    assert_eq!((name(&sure).as_str(), value(&sure) > WIN / 2), ("d1e1", true));
    assert!(value(&thought("purple-max", position, &["c6b6"])) < WIN / 2);
    assert!(value(&thought("suspicion:threshold=2", position, &["c6b6"])) < WIN / 2);
    // It approached, fled and approached again: all in all it is believed to be red.
    assert!(value(&thought("suspicion", position, &["c6c5", "d1d2", "c5c6", "d2d1", "c6b6"])) > WIN / 2);
}

#[test]
fn rushes_move_their_own_colour_and_forward_when_they_can() {
    for (agent, red) in [("blue-rush", false), ("red-rush", true)] {
        let mut forward = 0;
        for seed in 0..30 {
            let mut start = game().start(&mut Rng::new(Seed::new(seed)));
            for set_up in ["set:ACFH", "set:BCFG"] {
                start.apply(game().read_action(set_up).unwrap());
            }
            let mut table = table(agent, start, seed);
            let mut rng = Rng::new(Seed::new(100 + seed));
            while let Actor::Seat(seat) = table.actor() {
                if seat == Seat::SECOND {
                    let action = table.state().random_action(&mut rng, &mut Vec::new());
                    table.act(action).unwrap();
                    continue;
                }
                let state = *table.state();
                let choice = table.think(&Settings::default(), None).unwrap().choice;
                if let Action::Step { from, to } = choice {
                    let own: Vec<_> = state.ghosts(Seat::FIRST).collect();
                    let colour = |square| own.iter().find(|ghost| ghost.0 == square).unwrap().1;
                    let mut steps = Vec::new();
                    state.actions(&mut steps);
                    let of_colour = steps.iter().filter_map(|step| match step {
                        Action::Step { from, to } if colour(*from) == red => Some((from.row(), to.row())),
                        _ => None,
                    });
                    let foremost = of_colour.clone().filter(|step| step.1 < step.0).min();
                    assert!(colour(from) == red || of_colour.count() == 0, "{agent} moves the other colour");
                    if foremost.is_some() {
                        assert_eq!(Some((from.row(), to.row())), foremost, "{agent} does not rush");
                        forward += 1;
                    }
                }
                table.act(choice).unwrap();
            }
        }
        assert!(forward > 100, "{agent} went forward {forward} times");
    }
}

#[test]
fn set_ups_are_random_or_as_told() {
    let start = || game().start(&mut Rng::new(Seed::new(1)));
    let set_up = |agent: &str, seed| {
        let choice = table(agent, start(), seed).think(&Settings::default(), None).unwrap().choice;
        game().write_action(choice)
    };
    for agent in ["random", "naotti-1.0", "purple-suspicion"] {
        assert_eq!(set_up(&format!("{agent}:setup=GFCB"), 1), "set:BCFG");
        let different: HashSet<String> = (0..400).map(|seed| set_up(agent, seed)).collect();
        assert!(different.len() > 60, "{agent} knows {} set-ups", different.len());
    }
    let error = game().recruit(&AgentSpec::parse("random:setup=ABCC")).err().unwrap().to_string();
    assert_eq!(error, "agent random: setup=ABCC: C is named twice; expected random or letters such as ABCD");
}

#[test]
fn ties_are_broken_as_told() {
    let position = "1bbbb1/1rrrr1/6/6/1RRRR1/1BBBB1 1 - 0 b5c5d5e5b6c6d6e6,e2d2c2b2e1d1c1b1";
    for agent in ["purple-max", "naotti-1.1"] {
        let all = thought(&format!("{agent}:depth=3,explain=on"), position, &[]);
        let best = all.candidates.iter().map(|c| c.value).fold(f64::MIN, f64::max);
        // The first player's order of generation is the canonical one.
        let ties: Vec<String> = (all.candidates.iter())
            .filter(|candidate| candidate.value == best)
            .map(|candidate| game().write_action(candidate.action))
            .collect();
        assert!(ties.len() > 2, "{ties:?}");
        assert_eq!(&name(&thought(&format!("{agent}:depth=3"), position, &[])), &ties[0]);
        assert_eq!(Some(&name(&thought(&format!("{agent}:depth=3,ties=last"), position, &[]))), ties.last());
        let uniform = format!("{agent}:depth=3,ties=uniform");
        let chosen: HashSet<String> = (0..100)
            .map(|seed| {
                let mut table = table(&uniform, game().read_state(position).unwrap(), seed);
                name(&table.think(&Settings::default(), None).unwrap())
            })
            .collect();
        assert_eq!(chosen, ties.into_iter().collect());
    }
}

#[test]
fn a_budget_decides_how_deep_to_search() {
    let position = "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40";
    for agent in ["purple-max", "naotti-1.1", "suspicion"] {
        let depth = |budget| {
            let settings = Settings { budget: Some(budget), ..Settings::default() };
            let mut table = table(agent, game().read_state(position).unwrap(), 1);
            let thought = table.think(&settings, None).unwrap();
            (thought.depth, thought.nodes)
        };
        let (little, much) = (depth(Budget::Nodes(100)), depth(Budget::Nodes(20_000)));
        assert!(little.0 < 5 && much.0 > 5, "{agent}: {little:?} {much:?}");
        assert!(much.1 <= 20_000 && depth(Budget::Millis(5)).0 >= 1);
    }
}

#[test]
fn the_champion_is_one_of_two_in_each_game() {
    let start = || game().start(&mut Rng::new(Seed::new(1)));
    let choice = |network: &str, seed: u64| {
        let agent = format!("champion:network={network},temperature=0,worlds=0");
        table(&agent, start(), seed).think(&Settings::default(), None).unwrap().choice
    };
    let (first, second) = (choice("first", 1), choice("second", 1));
    assert_ne!(first, second, "the test needs a decision in which they differ");
    let drawn: Vec<Action> = (0..20).map(|seed| choice("champion", seed)).collect();
    assert!(drawn.iter().all(|&choice| choice == first || choice == second));
    assert!([first, second].iter().all(|one| drawn.contains(one)), "it is not always the same");
    assert_eq!(drawn, (0..20).map(|seed| choice("champion", seed)).collect::<Vec<_>>());
}
