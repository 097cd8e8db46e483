//! Examples without a person: a strong search plays the human's part.

use super::{Features, Label, MembershipTable};
use crate::Tubstap;
use crate::action::Action;
use crate::agents::UnitTree;
use crate::state::State;
use ranka_core::{Game, Position, Rng, Seed};
use ranka_search::{Limits, Sampled};

/// How examples are made. As in the paper, a teacher plays against a pupil: whatever the teacher plays is good, and
/// each action of the pupil is judged by where the teacher's own search ranks it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Synthetic {
    /// How many examples to make.
    pub examples: usize,
    /// Playouts of the teacher for each action.
    pub teacher: u64,
    /// Playouts of the pupil.
    pub pupil: u64,
    /// The best share of the actions is good,
    pub good: f64,
    /// the worst share is bad, and of what lies between the teacher is unsure.
    pub bad: f64,
    /// Where all randomness comes from.
    pub seed: Seed,
}

/// A strict teacher and a pupil that errs: with milder ones nearly everything is good, and there is nothing to prune.
impl Default for Synthetic {
    fn default() -> Synthetic {
        Synthetic { examples: 440, teacher: 2000, pupil: 100, good: 0.05, bad: 0.5, seed: Seed::new(0) }
    }
}

/// Makes examples in as many games as it takes. `progress` hears how many there are.
pub fn synthetic(game: &Tubstap, config: &Synthetic, progress: &mut dyn FnMut(usize)) -> MembershipTable {
    let mut teacher = UnitTree::plain(config.teacher);
    let mut pupil = UnitTree::plain(config.pupil);
    let mut examples = Vec::new();
    for number in 0.. {
        let mut rng = Rng::new(config.seed.at(number));
        let mut state = game.start(&mut rng);
        while !state.actor().is_over() && examples.len() < config.examples {
            let taught = search(&mut teacher, &state, &mut rng);
            // The teacher plays red in every second game.
            let act = if state.mover() as u64 == number % 2 {
                examples.extend(Features::of(&state, taught.best().action).map(|seen| (seen, Label::Good)));
                taught.best().action
            } else {
                let act = search(&mut pupil, &state, &mut rng).best().action;
                let label = judge(&taught, act, config);
                examples.extend(Features::of(&state, act).map(|seen| (seen, label)));
                act
            };
            progress(examples.len());
            state.apply(act);
        }
        if examples.len() >= config.examples {
            break;
        }
    }
    MembershipTable::of(examples)
}

fn search(tree: &mut UnitTree, state: &State, rng: &mut Rng) -> Sampled<Action> {
    tree.search(state, Limits::NONE, rng, &mut |_| ()).expect("nobody cancels it")
}

/// Where the teacher's search ranks an action.
fn judge(taught: &Sampled<Action>, act: Action, config: &Synthetic) -> Label {
    let mean =
        |wanted: Action| taught.actions.iter().find(|tried| tried.action == wanted).map(|tried| tried.mean);
    let (Some(value), count) = (mean(act), taught.actions.len()) else { return Label::Unsure };
    let better = taught.actions.iter().filter(|tried| tried.mean > value).count();
    let rank = better as f64 / count as f64;
    if rank <= config.good {
        Label::Good
    } else if rank >= 1.0 - config.bad {
        Label::Bad
    } else {
        Label::Unsure
    }
}
