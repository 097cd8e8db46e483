//! How the ghosts go. What colour a captured one has is not known yet, so nothing here tells it.

use crate::action::Action;
use crate::picture::{door_id, ghost_at, piece_id, square_id};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{Motion, Step};

impl Motion for Geister {
    fn motion(&self, view: &View, action: Action) -> Vec<Step> {
        // Whether a ghost that leaves is red may be unknown, but no red one ever does.
        if !view.open.is_legal(0, action) {
            return Vec::new();
        }
        let piece = |square| ghost_at(view, square).map(|ghost| piece_id(ghost.seat, ghost.letter));
        match action {
            Action::SetUp(_) => Vec::new(),
            Action::Escape { from } => {
                let Some(piece) = piece(from) else { return Vec::new() };
                vec![Step::Walk { piece: piece.clone(), over: vec![door_id(from)] }, Step::Leave { piece }]
            }
            Action::Step { from, to } => {
                let walk = piece(from).map(|piece| Step::Walk { piece, over: vec![square_id(to)] });
                walk.into_iter().chain(piece(to).map(|piece| Step::Leave { piece })).collect()
            }
        }
    }
}
