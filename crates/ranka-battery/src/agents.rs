//! Agents: they play whole games, give good reasons, and can be had again.

use crate::Battery;
use crate::battery::listed;
use crate::place::at;
use ranka_core::{
    Actor, Agent, AgentSpec, Complete, EndReason, Fault, Game, GameSeeds, Maker, Notation, Played, Position,
    Random, Rng, Seat, Seed, Settings, Table, Thought, play,
};
use std::sync::atomic::AtomicBool;

/// A player new to its game.
pub(crate) fn seated<G: Game>(maker: &dyn Maker<G>, seat: Seat, seed: Seed) -> Box<dyn Agent<G>> {
    maker.seat(seat, seed).unwrap_or_else(|fault| panic!("the agent cannot be seated: {fault:?}"))
}

/// The points of the first of two agents in so many games, in which they change seats.
///
/// # Panics
/// If an agent is refused or cannot be seated.
pub fn points<G: Complete>(game: &G, agents: [&str; 2], games: u64) -> f64 {
    let makers = agents.map(|spec| match game.recruit(&AgentSpec::parse(spec)) {
        Ok((_, maker)) => maker,
        Err(error) => panic!("{spec}: {error}"),
    });
    let point = |number: u64| {
        let seeds = GameSeeds::of(Seed::new(1), number / 2, number % 2);
        let swapped = (number % 2) as usize;
        let players = [0, 1].map(|seat| {
            let agent = seat ^ swapped;
            (seated(makers[agent].as_ref(), Seat::new(seat), seeds.agent(agent)), agent)
        });
        let played = play(game, &seeds, players.into(), &Settings::default(), &mut |_, _| {});
        played.outcome.score(Seat::new(swapped))
    };
    (0..games).map(point).sum()
}

/// One agent in one of the seats, random players in the others.
struct Match<'a, G: Game> {
    maker: &'a dyn Maker<G>,
    seat: Seat,
    seeds: GameSeeds,
}

impl<G: Game> Match<'_, G> {
    fn players(&self, seats: usize) -> Vec<(Box<dyn Agent<G>>, usize)> {
        let player = |seat: Seat| -> Box<dyn Agent<G>> {
            if seat == self.seat { self.agent() } else { Box::new(Random) }
        };
        Seat::all(seats).map(|seat| (player(seat), seat.index())).collect()
    }

    fn agent(&self) -> Box<dyn Agent<G>> {
        seated(self.maker, self.seat, self.seed())
    }

    fn seed(&self) -> Seed {
        self.seeds.agent(self.seat.index())
    }
}

/// Every agent of the battery in matches, each seat in turn.
fn matches<G: Complete>(b: &Battery<'_, G>, mut check: impl FnMut(&Match<'_, G>)) {
    for (spec, maker) in b.recruits() {
        for number in 0..b.agent_games {
            let seat = Seat::new(number as usize % b.game.seats());
            let seeds = b.seeds(number);
            let place = || format!("{}, game {number}, {spec} at {seat:?}", b.name());
            at(place, || check(&Match { maker: maker.as_ref(), seat, seeds }));
        }
    }
}

/// Each agent plays whole games against random players that end by the rules, and the same again from the
/// same seeds. Its thoughts are sound: the choice is legal, and the candidates, if any, are legal, in
/// canonical order, each once, the choice among them. What an agent answers that is cancelled
/// before it begins is no answer.
pub fn agents_play<G: Complete>(b: &Battery<'_, G>) {
    let settings = Settings { ply_cap: u32::try_from(b.plies).unwrap_or(u32::MAX), ..Settings::default() };
    matches(b, |m| {
        let once = || -> (Played<G>, Vec<String>) {
            let mut thoughts = Vec::new();
            let played =
                play(&b.game, &m.seeds, m.players(b.game.seats()), &settings, &mut |state, thought| {
                    let place = || format!("at {}, thinking {thought:?}", b.game.write_state(state));
                    at(place, || is_sound(&b.game, state, thought));
                    thoughts.push(format!("{thought:?}"));
                });
            (played, thoughts)
        };
        let (played, thoughts) = once();
        assert_eq!(played.end.reason, EndReason::Rules, "the game ended by {:?}", played.end);
        let (again, thoughts_again) = once();
        assert!(
            played.actions == again.actions,
            "the same seeds gave another game: {:?}, then {:?}",
            played.actions,
            again.actions
        );
        for (one, two) in thoughts.iter().zip(&thoughts_again) {
            assert_eq!(one, two, "the same seeds gave other thoughts");
        }
        cancelled(b, m);
    });
}

fn is_sound<G: Notation>(game: &G, state: &G::State, thought: &Thought<G::Action>) {
    assert!(state.is_legal(thought.choice), "{} is not legal", game.write_action(thought.choice));
    if thought.candidates.is_empty() {
        return;
    }
    let list = listed(state);
    let mut last = None;
    for candidate in &thought.candidates {
        let name = game.write_action(candidate.action);
        let i = list.iter().position(|&action| action == candidate.action);
        assert!(i.is_some(), "candidate {name} is not legal");
        assert!(i > last, "candidate {name} is out of canonical order or comes twice");
        last = i;
        assert!(!candidate.value.is_nan(), "candidate {name} has no value");
        let begins = candidate.pv.first().is_none_or(|&first| first == candidate.action);
        assert!(begins, "the continuation of candidate {name} begins with something else");
    }
    assert!(
        thought.candidates.iter().any(|candidate| candidate.action == thought.choice),
        "the choice {} is not among the candidates",
        game.write_action(thought.choice)
    );
}

fn cancelled<G: Notation>(b: &Battery<'_, G>, m: &Match<'_, G>) {
    let own_turn = |state: &G::State| state.actor() == Actor::Seat(m.seat);
    let Some(state) = b.lines().flat_map(|line| line.states).find(own_turn) else { return };
    let mut table = Table::new(b.game.clone(), state, m.seeds.chance);
    table.sit(m.seat, m.agent(), m.seed());
    let cancel = AtomicBool::new(true);
    let answer = table.think(&Settings { cancel: &cancel, ..Settings::default() }, None);
    assert_eq!(answer.err(), Some(Fault::Cancelled), "a decision that was cancelled is part of the game");
}

/// How many decisions of each game are asked for again.
const REBUILT: usize = 6;

/// In the middle of a game, an agent that is seated anew with the same seed and told the same history has
/// the same thought as the one that has played all along; only its tables may be colder, so its effort may differ.
pub fn agents_can_be_rebuilt<G: Complete>(b: &Battery<'_, G>) {
    let settings = Settings::default();
    matches(b, |m| {
        let start = b.game.start(&mut Rng::new(m.seeds.deal));
        let mut table = Table::new(b.game.clone(), start.clone(), m.seeds.chance);
        for (seat, (agent, number)) in m.players(b.game.seats()).into_iter().enumerate() {
            table.sit(Seat::new(seat), agent, m.seeds.agent(number));
        }
        // Where in the history the agent had which thought.
        let mut thoughts = Vec::new();
        while !table.actor().is_over() {
            let Actor::Seat(seat) = table.actor() else {
                table.draw();
                continue;
            };
            assert!(table.actions().len() < b.plies, "the game is not over after {} actions", b.plies);
            let thought = table.think(&settings, None).unwrap_or_else(|fault| panic!("{fault:?}"));
            if seat == m.seat {
                thoughts.push((table.actions().len(), effortless(&thought)));
            }
            table.act(thought.choice).unwrap_or_else(|_| panic!("{thought:?} is not legal"));
        }

        // The last decision has the longest history; the others are drawn.
        let last = thoughts.pop();
        Rng::new(m.seed().child("rebuilt")).shuffle(&mut thoughts);
        for (told, thought) in last.into_iter().chain(thoughts).take(REBUILT) {
            let mut rebuilt = Table::new(b.game.clone(), start.clone(), m.seeds.chance);
            rebuilt.sit(m.seat, m.agent(), m.seed());
            for &action in &table.actions()[..told] {
                rebuilt.replay(action).unwrap_or_else(|_| panic!("{action:?} was legal before"));
            }
            let again = rebuilt.think(&settings, None).unwrap_or_else(|fault| panic!("{fault:?}"));
            assert_eq!(
                thought,
                effortless(&again),
                "rebuilt after {told} actions, at {}, it thinks otherwise",
                b.game.write_state(rebuilt.state())
            );
        }
    });
}

/// A thought without how much work it was.
fn effortless<A: Copy + std::fmt::Debug>(thought: &Thought<A>) -> String {
    format!("{:?}", Thought { nodes: 0, ..thought.clone() })
}
