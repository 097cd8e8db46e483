//! A person teaches by playing against an agent.

use super::{Features, Label, Table};
use crate::Tubstap;
use crate::state::{Act, State};
use ranka_core::{Game as _, InputError, Notation as _, Params, unknown};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The examples of one sitting. What the person plays is good; what the agent plays the person judges.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    examples: Vec<(Features, Label)>,
}

impl Lesson {
    /// The person is about to take this action. The end of a turn teaches nothing.
    pub fn played(&mut self, state: &State, act: Act) {
        self.judged(state, act, Label::Good);
    }

    /// The person has judged the action that the agent took in this position.
    pub fn judged(&mut self, state: &State, act: Act, label: Label) {
        self.examples.extend(Features::of(state, act).map(|features| (features, label)));
    }

    /// Takes the last example back.
    pub fn forget(&mut self) -> Option<(Features, Label)> {
        self.examples.pop()
    }

    /// The examples in order.
    pub fn examples(&self) -> &[(Features, Label)] {
        &self.examples
    }

    /// A lesson as it was written down: the rules' options that the position does not show, the position, the action
    /// and the label of each example.
    pub fn read<'a>(examples: impl IntoIterator<Item = [&'a str; 4]>) -> Result<Lesson, InputError> {
        let mut games: BTreeMap<&str, Tubstap> = BTreeMap::new();
        let mut lesson = Lesson::default();
        for [rules, position, action, label] in examples {
            let game = match games.entry(rules) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Tubstap::new(&Params::parse(rules, Tubstap::options())?)?),
            };
            let state = game.read_state(position)?;
            lesson.judged(&state, game.read_action(action)?, Label::read(label)?);
        }
        Ok(lesson)
    }

    /// What is known after this lesson.
    pub fn added_to(&self, known: &Table) -> Table {
        known.merged(&Table::of(self.examples.iter().copied()))
    }
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 3] = [Label::Good, Label::Unsure, Label::Bad];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Label::Good => "good",
            Label::Unsure => "unsure",
            Label::Bad => "bad",
        }
    }

    /// Reads a name, or its first letter.
    pub fn read(text: &str) -> Result<Label, InputError> {
        let found = Label::ALL.into_iter().find(|label| text == label.name() || text == &label.name()[..1]);
        found.ok_or_else(|| InputError::new(unknown("label", text, &Label::ALL.map(Label::name))))
    }
}
