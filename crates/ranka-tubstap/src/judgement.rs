//! The hand-made judgements of the original's agents: threats, the value of an attack, danger.

use crate::action::Action;
use crate::kinds::MovementType;
use crate::state::{MOST_UNITS, State, ids};

/// An attack worth this or less is not considered.
const WORTHLESS: i32 = -20;

/// What the standard agent thinks of attacks in one position.
pub(crate) struct Threats([u32; MOST_UNITS]);

impl Threats {
    /// As if no enemy threatened anybody.
    pub(crate) const NONE: Threats = Threats([0; MOST_UNITS]);

    /// For each enemy of the side to move, the largest damage that it could do now to a unit of that side that
    /// has acted already.
    pub(crate) fn of(state: &State) -> Threats {
        let own = state.alive[state.mover() as usize] & state.acted;
        let mut threats = [0; MOST_UNITS];
        if own != 0 {
            for enemy in ids(state.alive[state.mover().other() as usize]) {
                let hits = ids(state.targets(enemy) & own).map(|unit| state.damage(enemy, unit));
                threats[enemy] = hits.max().unwrap_or(0);
            }
        }
        Threats(threats)
    }

    /// The value of an attack: what it takes, the more the more dangerous the target, minus what it costs. Nothing
    /// if it does no damage or is not worth considering.
    pub(crate) fn value(&self, state: &State, attack: Action) -> Option<i32> {
        let (damage, value) = self.balance(state, attack)?;
        (damage > 0 && value > WORTHLESS).then_some(value)
    }

    /// The damage of an attack and its value, whether or not it is worth considering.
    fn balance(&self, state: &State, attack: Action) -> Option<(u32, i32)> {
        let (damage, counter) = state.preview(attack)?;
        let hp = state.slots[usize::from(attack.unit()?)].hp();
        let gain = damage * (10 + self.0[usize::from(attack.target()?)]);
        Some((damage, gain as i32 - (counter * (10 + hp)) as i32))
    }
}

impl State {
    /// Where the standard agent sends a unit that has no good attack: towards cover, and towards whom it can
    /// hurt most.
    pub(crate) fn advance(&self, unit: u8) -> Action {
        self.scored_advance(unit).0
    }

    fn scored_advance(&self, unit: u8) -> (Action, i64) {
        let id = usize::from(unit);
        let kind = self.slots[id].kind();
        let mut moves = Vec::new();
        self.moves_of(unit, &mut moves);
        let mut best = (moves[0], i64::MIN);
        for &act in &moves {
            let cell = self.field.cell(act.to()).expect("units move inside the ring");
            let stars = if kind.movement_type() == MovementType::Air { 0 } else { self.field.stars(cell) };
            for enemy in ids(self.alive[self.team(id).other() as usize]) {
                let slot = self.slots[enemy];
                let power = self.field.rules.power.of(kind, slot.kind());
                let distance = act.to().distance(self.field.place(slot.cell()));
                let score = i64::from(5 * stars + power / (distance + 5));
                if score > best.1 {
                    best = (act, score);
                }
            }
        }
        best
    }

    /// How many HP a unit could lose in the next turn of its enemy, by a greedy guess: again and again the enemy
    /// that can hurt it most attacks, moves in and takes the counter-attack. Never more than the unit has.
    pub fn danger(&self, unit: u8) -> u32 {
        let id = usize::from(unit);
        if self.slots[id].hp == 0 {
            return 0;
        }
        let enemies = self.alive[self.team(id).other() as usize];
        let hp = self.slots[id].hp();
        let mut fought = self.clone();
        let mut waiting = enemies & !self.acted;
        let mut total = 0;
        while total < hp {
            let mut best = (0, 0);
            for enemy in ids(waiting & (fought.alive[0] | fought.alive[1])) {
                let damage = fought.damage(enemy, id);
                if damage > best.0 && fought.targets(enemy) >> id & 1 == 1 {
                    best = (damage, enemy);
                }
            }
            let (damage, enemy) = best;
            if damage == 0 {
                break;
            }
            let stand = fought.stand_against(enemy, id).expect("it is among the targets");
            fought.carry_out(enemy, stand, Some(id));
            waiting &= !(1 << enemy);
            total += damage;
        }
        total.min(hp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tubstap;
    use ranka_core::{Game as _, Notation as _, Params, Position as _};

    fn game() -> Tubstap {
        Tubstap::new(&Params::defaults(Tubstap::options())).unwrap()
    }

    fn small(name: &str) -> State {
        let lines = include_str!("../tests/golden/positions.txt").lines();
        let (_, text) = lines.filter_map(|line| line.split_once(' ')).find(|(of, _)| *of == name).unwrap();
        game().read_state(text).unwrap()
    }

    fn after(state: &State, action: &str) -> State {
        let mut next = state.clone();
        next.apply(game().read_action(action).unwrap());
        next
    }

    /// The threat of each enemy, and the values of attacks, rejected ones included.
    fn check(state: &State, threats: &[(usize, u32)], values: &[(&str, i32)]) {
        let found = Threats::of(state);
        for &(enemy, threat) in threats {
            assert_eq!(found.0[enemy], threat, "the threat of {enemy}");
        }
        for &(attack, value) in values {
            let act = game().read_action(attack).unwrap();
            assert!(state.is_legal(act), "{attack}");
            assert_eq!(found.balance(state, act).unwrap().1, value, "{attack}");
            assert_eq!(found.value(state, act), Some(value).filter(|&value| value > -20), "{attack}");
        }
    }

    /// Section 6.4 of the specification, all of it.
    #[test]
    fn worked_threats_and_values() {
        let start = small("G3");
        check(&start, &[(2, 0), (3, 0)], &[("0@6,2>2", 42), ("0@5,3>2", 42)]);
        let next = after(&start, "0@6,2>2");
        check(&next, &[(2, 1), (3, 6)], &[]);
        assert_eq!(next.scored_advance(1), (game().read_action("1@3,4").unwrap(), 20));

        let start = small("G4");
        check(&start, &[], &[("0@2,1>2", 50), ("1@2,2>3", -70)]);
        let next = after(&start, "0@2,1>2");
        check(&next, &[(3, 4), (4, 0)], &[("1@2,3>4", 50), ("1@3,1>3", -66), ("1@2,2>3", -66)]);

        let start = small("G5");
        check(&start, &[], &[("0@1,2>2", 70), ("0@1,2>3", 70), ("1@4,1>3", 10), ("1@5,1>4", -30)]);
        check(&start, &[], &[("1@3,1>2", -20), ("1@2,2>2", -20), ("1@3,3>2", -20)]);
        let next = after(&start, "0@1,2>2");
        let values = [("1@3,1>2", 30), ("1@4,1>3", 17), ("1@5,1>4", -27)];
        check(&next, &[(2, 0), (3, 7), (4, 3)], &values);
    }
}
