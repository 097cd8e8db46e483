//! Fighting: no dice, only tables.

use crate::kinds::{Kind, MovementType};

/// Which table of attack power holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PowerTable {
    /// As the program has it.
    #[default]
    Program,
    /// As the paper prints it: an anti-air tank hits infantry with 115 instead of 105.
    Paper,
}

/// Power of the row's kind against the column's.
const POWER: [[u32; 6]; 6] = [
    [55, 65, 0, 0, 0, 0],
    [0, 0, 105, 105, 85, 115],
    [0, 0, 55, 70, 75, 75],
    [0, 0, 60, 75, 65, 90],
    [70, 70, 15, 50, 45, 105],
    [0, 0, 5, 10, 3, 55],
];

impl PowerTable {
    /// The power of `attacker` against `defender`.
    #[inline]
    pub const fn of(self, attacker: Kind, defender: Kind) -> u32 {
        match (self, attacker, defender) {
            (PowerTable::Paper, Kind::AntiAir, Kind::Infantry) => 115,
            _ => POWER[attacker as usize][defender as usize],
        }
    }

    /// What `attacker` with `hp` takes from `defender` with `defender_hp` on terrain with `stars`.
    #[inline]
    pub const fn damage(self, attacker: Kind, hp: u32, defender: Kind, defender_hp: u32, stars: u32) -> u32 {
        // The sky gives no cover.
        let stars = if matches!(defender.movement_type(), MovementType::Air) { 0 } else { stars };
        let damage = (self.of(attacker, defender) * hp + 70) / (100 + stars * defender_hp);
        if damage < defender_hp { damage } else { defender_hp }
    }

    /// A whole fight: what the attacker takes from the defender, and what it is hit with in return.
    /// Each side is kind, HP and the stars of its cell.
    #[inline]
    pub const fn fight(self, attacker: (Kind, u32, u32), defender: (Kind, u32, u32)) -> (u32, u32) {
        let damage = self.damage(attacker.0, attacker.1, defender.0, defender.1, defender.2);
        let left = defender.1 - damage;
        if left == 0 || !attacker.0.is_direct() || !defender.0.is_direct() {
            return (damage, 0);
        }
        (damage, self.damage(defender.0, left, attacker.0, attacker.1, attacker.2))
    }
}
