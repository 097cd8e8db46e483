//! What there is to know about a position, as numbers of learned vectors.

use super::ways::Ways;
use crate::cells::Cells;
use crate::field::at_width;
use crate::sight::Sight;
use crate::state::{MOST_UNITS, State, ids};

/// A unit's own: of the mover and ready, of the mover and acted, of the other side; kind; HP; stars.
const UNIT: usize = 3 * 6 * 10 * 5;
/// What one unit could do to another: whose it is, both kinds, how soon, how hard.
const PAIR: usize = 3 * 36 * SOON * HARD;
const SOON: usize = 4;
const HARD: usize = 8;
/// All vectors of units.
pub(super) const UNIT_ROWS: usize = UNIT + 2 * PAIR;

/// Turns left, and the lead: as it is, above the threshold, above minus the threshold.
const TURNS: usize = 32;
const LEAD: usize = 49;
const NEAR: usize = 25;
/// All vectors of the count.
pub(super) const COUNT_ROWS: usize = TURNS + LEAD + 2 * NEAR;
/// How many of them a position has.
pub(super) const COUNTS: usize = 4;

/// The most facts about units: each about itself, and twice about every enemy.
const MOST_FACTS: usize = MOST_UNITS + 2 * 2 * (MOST_UNITS / 2) * (MOST_UNITS / 2);

/// The facts of a position that is not over, unit by unit.
pub struct Rows {
    pub(super) facts: [u16; MOST_FACTS],
    /// Where each unit's facts end: first the mover's units, then the other's.
    pub(super) ends: [u16; MOST_UNITS],
    pub(super) own: usize,
    pub(super) units: usize,
    pub(super) counts: [u16; COUNTS],
}

impl Default for Rows {
    fn default() -> Rows {
        Rows { facts: [0; MOST_FACTS], ends: [0; MOST_UNITS], own: 0, units: 0, counts: [0; COUNTS] }
    }
}

/// How hard a blow is: by twos, and apart whether it kills.
#[inline]
fn hardness(damage: u32, hp: u32) -> usize {
    if damage >= hp { 7 } else { damage.div_ceil(2) as usize }
}

impl Rows {
    /// Finds the facts.
    pub fn find(&mut self, state: &State, ways: &Ways) {
        at_width!(state.field, W => self.find_at::<W>(state, ways));
    }

    fn find_at<const W: usize>(&mut self, state: &State, ways: &Ways) {
        let mover = state.mover();
        let mut targets = [0u32; MOST_UNITS];
        for team in [mover, mover.other()] {
            let sight = Sight::<W>::new(state, team);
            // Who has acted waits for the next turn, and nobody knows who will stand in the way then.
            for unit in ids(state.alive[team as usize] & if team == mover { !state.acted } else { u32::MAX })
            {
                targets[unit] = sight.struck(unit);
            }
        }
        let (mut fact, mut unit_count) = (0, 0);
        for team in [mover, mover.other()] {
            for unit in ids(state.alive[team as usize]) {
                let slot = state.slots[unit];
                let (kind, hp, cell) = (slot.kind as usize, slot.hp(), slot.cell());
                let whose = match (team == mover, state.acted >> unit & 1 == 1) {
                    (true, false) => 0,
                    (true, true) => 1,
                    (false, _) => 2,
                };
                let stars =
                    if slot.kind().movement_type() as usize == 0 { 0 } else { state.field.stars(cell) };
                self.facts[fact] = (((whose * 6 + kind) * 10 + hp as usize - 1) * 5 + stars as usize) as u16;
                fact += 1;
                for enemy in ids(state.alive[team.other() as usize]) {
                    let other = state.slots[enemy];
                    let pair = (whose * 6 + kind) * 6 + other.kind as usize;
                    let soon = |by: usize, whom: usize, struck: bool| {
                        let (by, whom) = (state.slots[by], state.slots[whom]);
                        let points = ways.points(by.kind(), by.cell(), whom.cell());
                        match () {
                            () if struck => 0,
                            () if points <= by.kind().points() => 1,
                            () if points <= 2 * by.kind().points() => 2,
                            () => 3,
                        }
                    };
                    let strikes = soon(unit, enemy, targets[unit] >> enemy & 1 == 1);
                    let harm = hardness(state.damage(unit, enemy), other.hp());
                    self.facts[fact] = (UNIT + (pair * SOON + strikes) * HARD + harm) as u16;
                    let struck = soon(enemy, unit, targets[enemy] >> unit & 1 == 1);
                    let harm = hardness(state.damage(enemy, unit), hp);
                    self.facts[fact + 1] = (UNIT + PAIR + (pair * SOON + struck) * HARD + harm) as u16;
                    fact += 2;
                }
                self.ends[unit_count] = fact as u16;
                unit_count += 1;
            }
            if team == mover {
                self.own = unit_count;
            }
        }
        self.units = unit_count;
        let left = (state.field.limit - state.turn).min(TURNS as u16) as usize - 1;
        let lead = state.hp(mover) as i32 - state.hp(mover.other()) as i32;
        let threshold = i32::from(state.field.threshold) + i32::from(!state.field.rules.reaching_wins);
        let place = |value: i32, places: usize| {
            let most = places as i32 / 2;
            (value.clamp(-most, most) + most) as usize
        };
        self.counts = [
            left,
            TURNS + place(lead, LEAD),
            TURNS + LEAD + place(lead - threshold, NEAR),
            TURNS + LEAD + NEAR + place(lead + threshold, NEAR),
        ]
        .map(|row| row as u16);
    }

    /// The facts of one unit.
    #[inline]
    pub(super) fn unit(&self, unit: usize) -> &[u16] {
        let from = if unit == 0 { 0 } else { usize::from(self.ends[unit - 1]) };
        &self.facts[from..usize::from(self.ends[unit])]
    }

    /// In as few numbers as there are.
    pub(super) fn pack(&self, out: &mut Vec<u16>) {
        out.push(self.own as u16);
        out.push(self.units as u16);
        out.extend(self.counts);
        out.extend(&self.ends[..self.units]);
        out.extend(&self.facts[..usize::from(self.ends[self.units - 1])]);
    }

    /// What [`pack`](Rows::pack) wrote.
    pub(super) fn unpack(&mut self, packed: &[u16]) {
        let (head, rest) = packed.split_at(2 + COUNTS);
        (self.own, self.units) = (usize::from(head[0]), usize::from(head[1]));
        self.counts.copy_from_slice(&head[2..]);
        let (ends, facts) = rest.split_at(self.units);
        self.ends[..self.units].copy_from_slice(ends);
        self.facts[..facts.len()].copy_from_slice(facts);
    }
}

impl<const W: usize> Sight<'_, W> {
    /// The enemies whom a unit can attack now.
    #[inline]
    fn struck(&self, unit: usize) -> u32 {
        let within: Cells<W> = self.field_of_fire(unit);
        ids(self.enemies)
            .filter(|&enemy| within.has(self.state.slots[enemy].cell()))
            .fold(0, |set, enemy| set | 1 << enemy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::{Rules, Tactics};
    use ranka_core::{Rng, Seed};

    /// Positions in the middle of battles on random maps.
    pub(crate) fn met(count: u64) -> impl Iterator<Item = State> {
        (0..count).filter_map(|number| {
            let mut rng = Rng::new(Seed::new(7).at(number));
            let mut state = generate::drawn(&mut rng).state(Rules::default()).unwrap();
            let turns = rng.below(state.limit());
            state.battle(Tactics::AUTHOR, turns, &mut rng);
            (!state.is_over()).then_some(state)
        })
    }

    /// What each unit is said to strike, told by its facts, is what the rules let it attack.
    #[test]
    fn facts_tell_who_can_attack_whom() {
        let (mut rows, mut strikes) = (Rows::default(), 0);
        for state in met(300) {
            rows.find(&state, &Ways::of(&state));
            assert_eq!(rows.units, state.units().count());
            let mover = state.mover();
            let order: Vec<usize> = [mover, mover.other()]
                .into_iter()
                .flat_map(|team| ids(state.alive[team as usize]).collect::<Vec<_>>())
                .collect();
            for (place, &unit) in order.iter().enumerate() {
                let team = state.team(unit);
                let enemies: Vec<usize> = ids(state.alive[team.other() as usize]).collect();
                let facts = rows.unit(place);
                assert_eq!(facts.len(), 1 + 2 * enemies.len());
                let waits = team == mover && state.acted >> unit & 1 == 1;
                for (&enemy, pair) in enemies.iter().zip(facts[1..].chunks(2)) {
                    let fact = usize::from(pair[0]) - UNIT;
                    let struck = (fact / HARD).is_multiple_of(SOON);
                    assert_eq!(
                        struck,
                        !waits && state.targets(unit) >> enemy & 1 == 1,
                        "{state:?}: {unit} {enemy}"
                    );
                    assert_eq!(fact % HARD == 7, state.damage(unit, enemy) >= state.slots[enemy].hp());
                    strikes += u32::from(struck);
                }
            }
            let mut again = Rows::default();
            let mut packed = Vec::new();
            rows.pack(&mut packed);
            again.unpack(&packed);
            let mut repacked = Vec::new();
            again.pack(&mut repacked);
            assert_eq!(packed, repacked);
        }
        assert!(strikes > 500, "{strikes}");
    }
}
