//! The game with its options, and what each seat may see.

use crate::action::Action;
use crate::state::State;
use crate::view::View;
use ranka_core::{Error, Game, GameInfo, Param, Params, Rng, Seat};

/// Geister with its options chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Geister {
    /// A game that has gone on for so many moves is drawn.
    pub plies: u16,
}

impl Game for Geister {
    type Action = Action;
    type State = State;
    type View = View;

    const INFO: GameInfo = GameInfo {
        name: "geister",
        title: "Geister",
        japanese: "ガイスター",
        summary: "The opponent's colours are hidden: take blue ghosts, leave the red ones, slip out.",
        how: "Four of your eight ghosts are red, four blue, and only you know which. Move one a step a turn; who enters an enemy's square takes it. Take all blue ones, have all your red ones taken, or lead a blue one out by an exit at the far corners to win.",
        seats: (2, 2),
        minutes: 10,
        sparring: "purple-max:explain=on",
        adaptive: None,
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![Param::int("plies", 1, 10_000, "200", "a game that reaches this many moves is drawn")]
    }

    fn new(options: &Params) -> Result<Geister, Error> {
        Ok(Geister { plies: options.int("plies") as u16 })
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, _deal: &mut Rng) -> State {
        State::before_the_set_ups(self.plies)
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View::of(state, seat)
    }

    fn unveiled(&self, state: &State, seat: Seat) -> View {
        View { reds: state.reds.map(Some), ..View::of(state, seat) }
    }

    fn onlooker(&self, state: &State) -> Option<View> {
        Some(View::of_onlooker(state))
    }

    /// Who takes a ghost sees its colour.
    fn reveals(&self, state: &State, action: Action) -> bool {
        let other = state.open.ghosts[state.open.mover.other().index()];
        matches!(action, Action::Step { to, .. } if other & to.bit() != 0)
    }

    fn seen(&self, state: &State, action: Action, seat: Seat) -> Option<Action> {
        let secret = matches!(action, Action::SetUp(_)) && state.open.mover != seat;
        (!secret).then_some(action)
    }
}
