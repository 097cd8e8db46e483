//! Motion: what an action does, step by step, for the eye and the ear.

use crate::Picture;
use serde::Serialize;

/// One thing that happens on a picture. Elements are named by their ids, pieces by their `data-piece`. Steps follow each
/// other; what follows from the picture afterwards (a piece that ends elsewhere) a page can show by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Step {
    /// Things that have no names of their own, seeds say, go together from one element to another. Those that are drawn
    /// in an element have the class `loose`.
    Carry {
        /// Where they were.
        from: String,
        /// Where they fall.
        to: String,
        /// How many.
        count: u32,
    },
    /// A piece goes over elements, and ends on the last.
    Walk {
        /// The piece.
        piece: String,
        /// The elements, without the one that it stands on.
        over: Vec<String>,
    },
    /// Pieces go together, as far as it is from one element to another.
    Slide {
        /// The pieces.
        pieces: Vec<String>,
        /// Where one of them stood.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A piece turns where it is.
    Turn {
        /// The piece.
        piece: String,
        /// How far, clockwise.
        degrees: u32,
    },
    /// A piece makes room where it stands.
    Aside {
        /// The piece.
        piece: String,
        /// How far it goes to the right and down, in the picture's units.
        by: (i32, i32),
    },
    /// A piece is gone.
    Leave {
        /// The piece.
        piece: String,
    },
    /// Something is written at an element for a moment: `−5` at a unit that loses five.
    Tell {
        /// The element.
        at: String,
        /// What is written: numbers and signs, for it is not translated.
        text: String,
    },
}

impl Step {
    /// The elements that it names.
    pub fn elements(&self) -> Vec<&str> {
        match self {
            Step::Carry { from, to, .. } | Step::Slide { from, to, .. } => vec![from, to],
            Step::Walk { over, .. } => over.iter().map(String::as_str).collect(),
            Step::Turn { .. } | Step::Aside { .. } | Step::Leave { .. } => Vec::new(),
            Step::Tell { at, .. } => vec![at],
        }
    }

    /// The pieces that it names.
    pub fn pieces(&self) -> Vec<&str> {
        match self {
            Step::Walk { piece, .. }
            | Step::Turn { piece, .. }
            | Step::Aside { piece, .. }
            | Step::Leave { piece } => vec![piece],
            Step::Slide { pieces, .. } => pieces.iter().map(String::as_str).collect(),
            Step::Carry { .. } | Step::Tell { .. } => Vec::new(),
        }
    }
}

/// How actions are shown while they happen.
pub trait Motion: Picture {
    /// What an action that is about to be taken does, as far as the viewer knows. It is told to everybody who sees the
    /// action, so it comes from the view alone, and of an action that is not legal nothing comes. Elements and pieces are
    /// those of the picture before the action.
    fn motion(&self, view: &Self::View, action: Self::Action) -> Vec<Step>;
}
