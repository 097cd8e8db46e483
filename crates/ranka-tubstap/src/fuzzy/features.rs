//! An action as five numbers.

use crate::action::Action;
use crate::kinds::Kind;
use crate::state::State;
use ranka_core::Position;
use std::fmt;

/// What the fuzzy evaluation sees of an action. HP and danger are those after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Features {
    /// v0: who acts.
    pub kind: Kind,
    /// v1: its HP, the counter-attack included.
    pub hp: u8,
    /// v2: whom it attacks.
    pub target: Option<Kind>,
    /// v3: the damage that it does.
    pub damage: u8,
    /// v4: what it can lose in the enemy's next turn, by [`State::danger`].
    pub danger: u8,
}

impl Features {
    /// The features of an action about to be taken; the end of a turn has none.
    pub fn of(state: &State, act: Action) -> Option<Features> {
        let unit = state.unit(act.unit()?)?;
        let target = act.target().and_then(|id| state.unit(id));
        let (damage, counter) = state.preview(act).unwrap_or((0, 0));
        let mut after = state.clone();
        after.apply(act);
        Some(Features {
            kind: unit.kind,
            hp: unit.hp - counter as u8,
            target: target.map(|target| target.kind),
            damage: damage as u8,
            danger: after.danger(unit.id) as u8,
        })
    }

    /// The numbers v0 to v4: kinds from 0, and −1 for no target.
    pub fn numbers(self) -> [i8; 5] {
        let target = self.target.map_or(-1, |kind| kind as i8);
        [self.kind as i8, self.hp as i8, target, self.damage as i8, self.danger as i8]
    }

    /// The features with these numbers; nothing if a number is out of its range.
    pub fn from_numbers([kind, hp, target, damage, danger]: [i8; 5]) -> Option<Features> {
        let kind_of = |n: i8| usize::try_from(n).ok().and_then(|n| Kind::ALL.get(n).copied());
        let small = |n: i8| u8::try_from(n).ok().filter(|&n| n <= 10);
        Some(Features {
            kind: kind_of(kind)?,
            hp: small(hp)?,
            target: if target == -1 { None } else { Some(kind_of(target)?) },
            damage: small(damage)?,
            danger: small(danger)?,
        })
    }
}

/// In words.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Features { kind, hp, target, damage, danger } = *self;
        write!(f, "{} with {hp} HP ", kind.name())?;
        match target {
            Some(target) => write!(f, "hits {} for {damage}", target.name())?,
            None => f.write_str("attacks nobody")?,
        }
        write!(f, ", could lose {danger}")
    }
}
