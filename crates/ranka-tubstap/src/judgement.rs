//! The hand-made judgements of the original's agents: threats, the value of an attack, danger.

use crate::kinds::Gait;
use crate::state::{Act, MOST_UNITS, State, ids};

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
    pub(crate) fn value(&self, state: &State, attack: Act) -> Option<i32> {
        let (damage, counter) = state.preview(attack)?;
        let hp = state.slots[usize::from(attack.unit()?)].hp();
        let gain = damage * (10 + self.0[usize::from(attack.target()?)]);
        let value = gain as i32 - (counter * (10 + hp)) as i32;
        (damage > 0 && value > WORTHLESS).then_some(value)
    }
}

impl State {
    /// Where the standard agent sends a unit that has no good attack: towards cover, and towards whom it can
    /// hurt most.
    pub(crate) fn advance(&self, unit: u8) -> Act {
        let id = usize::from(unit);
        let kind = self.slots[id].kind();
        let mut moves = Vec::new();
        self.moves_of(unit, &mut moves);
        let mut best = (moves[0], i64::MIN);
        for &act in &moves {
            let cell = self.field.cell(act.to()).expect("units move inside the ring");
            let stars = if kind.gait() == Gait::Air { 0 } else { self.field.stars(cell) };
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
        best.0
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
