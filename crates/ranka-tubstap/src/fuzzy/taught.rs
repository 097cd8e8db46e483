//! A table from what people said, as it was written down.

use super::{Features, Label, MembershipTable};
use crate::Tubstap;
use ranka_core::{Error, Game as _, Notation as _, Params};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl MembershipTable {
    /// The table of examples: of each the rules' options that the position does not show, the position, the action and
    /// the label. The end of a turn teaches nothing.
    pub fn taught<'a>(examples: impl IntoIterator<Item = [&'a str; 4]>) -> Result<MembershipTable, Error> {
        let mut games: BTreeMap<&str, Tubstap> = BTreeMap::new();
        let mut seen = Vec::new();
        for [rules, position, action, label] in examples {
            let game = match games.entry(rules) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Tubstap::new(&Params::parse(rules, Tubstap::options())?)?),
            };
            let state = game.read_state(position)?;
            let label = Label::read(label)?;
            seen.extend(Features::of(&state, game.read_action(action)?).map(|features| (features, label)));
        }
        Ok(MembershipTable::of(seen))
    }
}
