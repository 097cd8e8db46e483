//! What can be measured in a game of Geister: how the ghosts of each colour are moved, and which are taken.

use crate::Geister;
use crate::action::Action;
use crate::duel::WIN;
use crate::square::{Bits, Square, neighbours};
use crate::state::State;
use ranka_core::{Actor, Decision, Measure, Measured, Per, Position as _, Seat, Story};

/// What a step does to the ghost that takes it, as the paper's table 5 counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// It had no enemy beside it and has one.
    Approach,
    /// It had one and has none.
    Flight,
}

impl Manner {
    /// The manner of a step onto an empty square; nothing if the ghost is as near to enemies as before.
    fn of(from: Square, to: Square, enemies: Bits) -> Option<Manner> {
        let beside = |square: Square| neighbours(square.bit()) & enemies != 0;
        match (beside(from), beside(to)) {
            (false, true) => Some(Manner::Approach),
            (true, false) => Some(Manner::Flight),
            _ => None,
        }
    }
}

/// Whether the agent took its position for lost: what is done then tells nothing of its habits.
fn despairs(decision: &Decision) -> bool {
    decision.value.is_some_and(|value| value < -f64::from(WIN) / 2.0)
}

/// The steps onto empty squares that `seat` took in this manner with ghosts of this colour, in positions that it
/// took for lost or in all others.
fn steps(story: &Story<'_, Geister>, seat: Seat, manner: Manner, red: bool, lost: bool) -> f64 {
    let mut count = 0;
    let mut state = story.played.start;
    for (&action, decision) in story.played.actions.iter().zip(story.decisions) {
        if state.actor() == Actor::Seat(seat)
            && let Action::Step { from, to } = action
        {
            let enemies = state.open.ghosts[seat.other().index()];
            let is_red = state.reds[seat.index()] & from.bit() != 0;
            let counts = enemies & to.bit() == 0 && is_red == red && despairs(decision) == lost;
            count += u32::from(counts && Manner::of(from, to, enemies) == Some(manner));
        }
        state.apply(action);
    }
    f64::from(count)
}

/// How many ghosts of this colour `seat` has taken from the other.
fn taken(last: &State, seat: Seat, red: bool) -> f64 {
    f64::from(last.open.captured.count(seat.other(), red))
}

impl Measured for Geister {
    fn measures() -> Vec<Measure<Geister>> {
        use Manner::{Approach, Flight};
        vec![
            Measure {
                name: "approach-red",
                help: "steps that bring a red ghost beside an enemy, unless it takes one or all seems lost",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Approach, true, false)),
            },
            Measure {
                name: "approach-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Approach, false, false)),
            },
            Measure {
                name: "flee-red",
                help: "steps that take a red ghost away from all enemies beside it, unless all seems lost",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Flight, true, false)),
            },
            Measure {
                name: "flee-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Flight, false, false)),
            },
            Measure {
                name: "lost-approach-red",
                help: "approaches of red ghosts in positions that the seat's search takes for lost",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Approach, true, true)),
            },
            Measure {
                name: "lost-approach-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| steps(story, seat, Approach, false, true)),
            },
            Measure {
                name: "taken-red",
                help: "red ghosts of the other that the seat took",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| taken(&story.played.last, seat, true)),
            },
            Measure {
                name: "taken-blue",
                help: "blue ghosts of the other that the seat took",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| taken(&story.played.last, seat, false)),
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Agent, Candidate, Fault, Game, GameSeeds, Notation, Settings, Thinking, Thought, play};
    use std::collections::BTreeMap;

    /// Plays what it is told, `?` for a step from a position that it takes for lost, and gives up at the end.
    struct Reader(Vec<&'static str>);

    impl Agent<Geister> for Reader {
        fn think(
            &mut self,
            _: &<Geister as Game>::View,
            _: &mut Thinking<'_, Action>,
        ) -> Result<Thought<Action>, Fault> {
            if self.0.is_empty() {
                return Err(Fault::Resigned);
            }
            let text = self.0.remove(0);
            let action = Geister { plies: 200 }.read_action(text.trim_end_matches('?')).unwrap();
            let value = if text.ends_with('?') { f64::from(4 - WIN) } else { 0.0 };
            let candidates = vec![Candidate::valued(action, value)];
            Ok(Thought { candidates, ..Thought::plain(action) })
        }
    }

    /// The measures that are not zero for both seats, when these lines are played.
    fn measured(lines: [&'static str; 2]) -> BTreeMap<&'static str, Vec<f64>> {
        let readers =
            lines.map(|line| Box::new(Reader(line.split(' ').collect())) as Box<dyn Agent<Geister>>);
        let agents = readers.into_iter().zip(0..).collect();
        let game = Geister { plies: 200 };
        let mut decisions = Vec::new();
        let seeds = GameSeeds::of(ranka_core::Seed::new(0), 0, 0);
        let played = play(&game, &seeds, agents, &Settings::default(), &mut |state: &State, thought| {
            let Actor::Seat(seat) = state.actor() else { panic!("somebody decides") };
            decisions.push(Decision::of(seat, thought));
        });
        let story = Story { game: &game, played: &played, decisions: &decisions };
        let measures = Geister::measures();
        let taken = measures.iter().map(|measure| (measure.name, (measure.take)(&story)));
        taken.filter(|(_, numbers)| numbers.iter().any(|&x| x != 0.0)).collect()
    }

    // First: A B C D (b5 to e5) red, E to H blue. Second: A B C D (e2 to b2) red.
    #[test]
    fn approaches_and_flights_are_told_by_colour() {
        // b3 has the enemy on b2 beside it; so has c3 its one on c2, and going there keeps the ghost near.
        let near = measured(["set:ABCD b5b4 b4b3 b3c3 c3c4", "set:ABCD e2f2 f2e2 e2f2 f2e2"]);
        assert_eq!(near, BTreeMap::from([("approach-red", vec![1.0, 0.0]), ("flee-red", vec![1.0, 0.0])]));
        let blue = measured(["set:EFGH b5b4 b4b3 b3a3", "set:EFGH e2e3 e3e4 e4f4"]);
        assert_eq!(blue, BTreeMap::from([("approach-blue", vec![1.0, 1.0]), ("flee-blue", vec![1.0, 1.0])]));
    }

    #[test]
    fn captures_and_lost_positions_do_not_count() {
        // The ghost on b4 takes the only enemy beside it: it would otherwise have fled.
        let capture = measured(["set:ABCD b5b4 b4b3", "set:EFGH b2b3 e2f2"]);
        assert_eq!(
            capture,
            BTreeMap::from([("approach-blue", vec![0.0, 1.0]), ("taken-blue", vec![1.0, 0.0])])
        );
        let lost = measured(["set:ABCD b5b4? b4b3? b3a3?", "set:EFGH e2f2 f2e2 e2f2"]);
        assert_eq!(lost, BTreeMap::from([("lost-approach-red", vec![1.0, 0.0])]));
    }
}
