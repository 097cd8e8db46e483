//! What somebody thinks of an action.

use ranka_core::{Error, unknown};

/// What somebody thinks of an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Would have played it.
    Good,
    /// Cannot tell.
    Unsure,
    /// Clearly bad.
    Bad,
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 3] = [Label::Good, Label::Unsure, Label::Bad];

    /// 1, ½ or 0.
    pub const fn weight(self) -> f64 {
        match self {
            Label::Good => 1.0,
            Label::Unsure => 0.5,
            Label::Bad => 0.0,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Label::Good => "good",
            Label::Unsure => "unsure",
            Label::Bad => "bad",
        }
    }

    /// Reads a name, or its first letter.
    pub fn read(text: &str) -> Result<Label, Error> {
        let found = Label::ALL.into_iter().find(|label| text == label.name() || text == &label.name()[..1]);
        found.ok_or_else(|| Error::input(unknown("label", text, &Label::ALL.map(Label::name))))
    }
}
