//! How a tile is turned in the hand and goes to its place, and what it gains.

use crate::action::Action;
use crate::foresight;
use crate::picture::{cell_id, piece_name};
use crate::rules::Tantrix;
use crate::state::State;
use ranka_core::{Motion, Position, Step};

impl Motion for Tantrix {
    fn motion(&self, view: &State, action: Action) -> Vec<Step> {
        // What is drawn from the bag appears in the hand.
        let Some(placement) = action.placement().filter(|_| view.is_legal(action)) else { return Vec::new() };
        let cell = cell_id(placement.at);
        let gains = foresight::foresee(view, action).marks.into_iter();
        let piece = piece_name(placement.tile);
        let turn = (placement.rotation > 0)
            .then(|| Step::Turn { piece: piece.clone(), degrees: 60 * u32::from(placement.rotation) });
        let walk = Step::Walk { piece, over: vec![cell] };
        turn.into_iter().chain([walk]).chain(gains.map(|(at, text)| Step::Tell { at, text })).collect()
    }
}
