//! Random battles, fast: what searches by playouts run thousands of times a decision.
//!
//! Where a unit can pass depends only on where the enemy stands, so each unit's reach is found once a turn and
//! again only when an enemy has died. [`Plain`](crate::naive::Plain) plays by the same policies from lists of actions; tests hold
//! the two against each other.

use crate::cells::Cells;
use crate::field::{Field, Ground, at_width};
use crate::state::{MOST_UNITS, State, ids};
use ranka_core::Rng;
use std::sync::Arc;

/// How units are drawn to act in a random battle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tactics {
    /// With this probability any attack of anybody, all alike, if there is one; else any unit, and any of its
    /// effective attacks and moves. The author's playouts use 0.8.
    Aggressive(f64),
    /// Any attack of anybody while there is one, then any unit and any of its moves.
    AttackFirst,
    /// Any action of anybody, attacks and moves alike.
    Uniform,
}

impl Tactics {
    /// The author's playouts.
    pub const AUTHOR: Tactics = Tactics::Aggressive(0.8);
}

impl State {
    /// Plays on by these tactics until the game is over or `until` half-turns were played. Tells how many
    /// actions that took.
    pub fn battle(&mut self, tactics: Tactics, until: u32, rng: &mut Rng) -> u32 {
        // The ground is borrowed while units move over it.
        let field = Arc::clone(&self.field);
        at_width!(field, W => Battle::<W>::new(self, &field).run(tactics, until, rng))
    }
}

/// A battle on sets of `W` words.
struct Battle<'a, const W: usize> {
    state: &'a mut State,
    field: &'a Field,
    ground: Ground<'a, W>,
    /// The cells of the side to move, and of its enemy.
    own: Cells<W>,
    enemy: Cells<W>,
    /// Where the units of the side to move can pass, if known.
    reach: [Cells<W>; MOST_UNITS],
    known: u32,
}

impl<'a, const W: usize> Battle<'a, W> {
    fn new(state: &'a mut State, field: &'a Field) -> Battle<'a, W> {
        let mut battle = Battle {
            state,
            field,
            ground: field.ground(),
            own: Cells::NONE,
            enemy: Cells::NONE,
            reach: [Cells::NONE; MOST_UNITS],
            known: 0,
        };
        battle.look_around();
        battle
    }

    /// Finds out where everybody stands.
    fn look_around(&mut self) {
        let mover = self.state.mover() as usize;
        let cells = |set: u32| {
            let mut cells = Cells::NONE;
            ids(set).for_each(|id| cells.insert(self.state.slots[id].cell()));
            cells
        };
        self.own = cells(self.state.alive[mover]);
        self.enemy = cells(self.state.alive[mover ^ 1]);
        self.known = 0;
    }

    fn run(mut self, tactics: Tactics, until: u32, rng: &mut Rng) -> u32 {
        let until = until.min(u32::from(self.field.limit)) as u16;
        let mut acts = 0;
        while self.state.turn < until && !self.state.is_over() {
            let (unit, cell, target) = match tactics {
                Tactics::Aggressive(p) if rng.chance(p) => match self.any_attack(rng) {
                    Some(attack) => attack,
                    None => self.any_act_of_any_unit(rng, true),
                },
                Tactics::Aggressive(_) => self.any_act_of_any_unit(rng, true),
                Tactics::AttackFirst => match self.any_attack(rng) {
                    Some(attack) => attack,
                    None => self.any_act_of_any_unit(rng, false),
                },
                Tactics::Uniform => self.any_act(rng),
            };
            self.act(unit, cell, target);
            acts += 1;
        }
        acts
    }

    #[inline]
    fn act(&mut self, unit: usize, cell: usize, target: Option<usize>) {
        let turn = self.state.turn;
        let enemy = self.state.mover().other() as usize;
        let enemies = self.state.alive[enemy];
        self.own.remove(self.state.slots[unit].cell());
        let target_cell = target.map(|target| self.state.slots[target].cell());
        self.state.acted |= 1 << unit;
        self.state.carry_out(unit, cell, target);
        if self.state.slots[unit].hp > 0 {
            self.own.insert(cell);
        }
        if self.state.alive[enemy] != enemies {
            self.enemy.remove(target_cell.expect("an enemy died, so one was attacked"));
            self.known = 0;
        }
        self.state.settle();
        if self.state.turn != turn {
            // The sides change; cells are kept unless a turn was passed over.
            if self.state.turn == turn + 1 {
                std::mem::swap(&mut self.own, &mut self.enemy);
                self.known = 0;
            } else {
                self.look_around();
            }
        }
    }

    /// Where a unit can end.
    #[inline]
    fn stops(&mut self, unit: usize) -> Cells<W> {
        let slot = self.state.slots[unit];
        if self.known >> unit & 1 == 0 {
            let kind = slot.kind();
            self.reach[unit] =
                self.ground.reach(slot.cell(), kind.movement_type(), kind.points(), self.enemy);
            self.known |= 1 << unit;
        }
        self.reach[unit].without(self.own).or(Cells::only(slot.cell()))
    }

    /// The enemies' cells that a unit can attack: from the left, from below, from the right and from above. A
    /// cannon has only one set.
    #[inline]
    fn prey(&self, unit: usize, stops: Cells<W>) -> [Cells<W>; 4] {
        let slot = self.state.slots[unit];
        if !slot.kind().is_direct() {
            let within = self.ground.cannon(slot.cell()).and(self.enemy);
            return [within, Cells::NONE, Cells::NONE, Cells::NONE];
        }
        let ground = &self.ground;
        [ground.right(stops), ground.above(stops), ground.left(stops), ground.below(stops)]
            .map(|cells| cells.and(self.enemy))
    }

    /// How many attacks there are.
    #[inline]
    fn count(prey: &[Cells<W>; 4]) -> u32 {
        let [a, b, c, d] = *prey;
        if a.or(b).or(c.or(d)).is_empty() {
            return 0;
        }
        prey.iter().map(Cells::count).sum()
    }

    /// The `n`-th of a unit's attacks.
    #[inline]
    fn nth_attack(&self, unit: usize, prey: &[Cells<W>; 4], mut n: u32) -> (usize, usize, Option<usize>) {
        for (side, cells) in prey.iter().enumerate() {
            let count = cells.count();
            if n >= count {
                n -= count;
                continue;
            }
            let at = cells.nth(n);
            let slot = self.state.slots[unit];
            let column = self.field.height - 2;
            let stand = match side {
                _ if !slot.kind().is_direct() => slot.cell(),
                0 => at - column,
                1 => at + 1,
                2 => at + column,
                _ => at - 1,
            };
            return (unit, stand, Some(self.enemy_at(at)));
        }
        unreachable!("there are more attacks than that");
    }

    #[inline]
    fn enemy_at(&self, cell: usize) -> usize {
        let enemies = self.state.alive[self.state.mover().other() as usize];
        ids(enemies).find(|&id| self.state.slots[id].cell() == cell).expect("somebody stands there")
    }

    /// Any attack of anybody, all alike.
    #[inline]
    fn any_attack(&mut self, rng: &mut Rng) -> Option<(usize, usize, Option<usize>)> {
        let mut prey = [[Cells::NONE; 4]; MOST_UNITS];
        let mut counts = [0; MOST_UNITS];
        let ready = self.state.ready();
        let mut total = 0;
        for unit in ids(ready) {
            let stops = self.stops(unit);
            prey[unit] = self.prey(unit, stops);
            counts[unit] = Self::count(&prey[unit]);
            total += counts[unit];
        }
        if total == 0 {
            return None;
        }
        let mut n = rng.below(total);
        for unit in ids(ready) {
            if n < counts[unit] {
                return Some(self.nth_attack(unit, &prey[unit], n));
            }
            n -= counts[unit];
        }
        unreachable!("the counts add up to the total");
    }

    /// Any unit, and any of its moves, or also any of its effective attacks.
    #[inline]
    fn any_act_of_any_unit(&mut self, rng: &mut Rng, attacks: bool) -> (usize, usize, Option<usize>) {
        let mut ready = self.state.ready();
        for _ in 0..rng.below(ready.count_ones()) {
            ready &= ready - 1;
        }
        let unit = ready.trailing_zeros() as usize;
        let stops = self.stops(unit);
        let mut prey = if attacks { self.prey(unit, stops) } else { [Cells::NONE; 4] };
        if Self::count(&prey) > 0 {
            self.drop_harmless(unit, &mut prey);
        }
        let moves = stops.count();
        let n = rng.below(moves + Self::count(&prey));
        if n < moves { (unit, stops.nth(n), None) } else { self.nth_attack(unit, &prey, n - moves) }
    }

    /// Takes away the enemies whom a unit cannot hurt.
    fn drop_harmless(&self, unit: usize, prey: &mut [Cells<W>; 4]) {
        for enemy in ids(self.state.alive[self.state.mover().other() as usize]) {
            if self.state.damage(unit, enemy) == 0 {
                prey.iter_mut().for_each(|cells| cells.remove(self.state.slots[enemy].cell()));
            }
        }
    }

    /// Any action of anybody, all alike.
    #[inline]
    fn any_act(&mut self, rng: &mut Rng) -> (usize, usize, Option<usize>) {
        let mut options = [(Cells::NONE, [Cells::NONE; 4], 0, 0); MOST_UNITS];
        let ready = self.state.ready();
        let mut total = 0;
        for unit in ids(ready) {
            let stops = self.stops(unit);
            let mut prey = self.prey(unit, stops);
            if self.field.rules.effective_only {
                self.drop_harmless(unit, &mut prey);
            }
            options[unit] = (stops, prey, stops.count(), Self::count(&prey));
            total += options[unit].2 + options[unit].3;
        }
        let mut n = rng.below(total);
        for unit in ids(ready) {
            let (stops, prey, moves, attacks) = options[unit];
            if n < moves {
                return (unit, stops.nth(n), None);
            }
            if n < moves + attacks {
                return self.nth_attack(unit, &prey, n - moves);
            }
            n -= moves + attacks;
        }
        unreachable!("the counts add up to the total");
    }
}
