//! A position: who stands where, with how many HP, and who has acted.

use crate::action::Action;
use crate::field::{Field, Place};
use crate::kinds::{Kind, Team, Terrain};
use crate::rules::Rules;
use crate::setup::{Setup, Unit};
use ranka_core::{Actor, Outcome, Position, Seat};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The most units on both sides together.
pub const MOST_UNITS: usize = 32;

/// A unit's place in the arrays; that of a unit that does not live is all zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Slot {
    pub(crate) cell: u16,
    pub(crate) kind: u8,
    pub(crate) hp: u8,
}

impl Slot {
    #[inline]
    pub(crate) fn kind(self) -> Kind {
        Kind::ALL[usize::from(self.kind)]
    }

    #[inline]
    pub(crate) fn cell(self) -> usize {
        usize::from(self.cell)
    }

    #[inline]
    pub(crate) fn hp(self) -> u32 {
        u32::from(self.hp)
    }
}

/// The units of a set, by ascending id.
#[inline]
pub(crate) fn ids(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let id = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (id < 32).then_some(id as usize)
    })
}

/// A position. The ground is shared; the rest copies in a few words.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(crate) field: Arc<Field>,
    pub(crate) slots: [Slot; MOST_UNITS],
    /// The units of each team that live, as sets of ids.
    pub(crate) alive: [u32; 2],
    /// The units that have acted. Those of the side that waits are there only before its first turn.
    pub(crate) acted: u32,
    pub(crate) turn: u16,
}

impl State {
    /// Puts the units on the field. They must have been checked.
    pub(crate) fn assemble(field: Field, units: &[Unit], turn: u16) -> State {
        let mut state = State {
            field: Arc::new(field),
            slots: [Slot::default(); MOST_UNITS],
            alive: [0; 2],
            acted: 0,
            turn,
        };
        for unit in units {
            let cell = state.field.cell(unit.place).expect("units stand inside the ring") as u16;
            let id = usize::from(unit.id);
            state.slots[id] = Slot { cell, kind: unit.kind as u8, hp: unit.hp };
            state.alive[unit.team as usize] |= 1 << id;
            state.acted |= u32::from(unit.acted) << id;
        }
        if !state.is_over() {
            state.settle();
        }
        state
    }

    /// The position as a description.
    pub fn setup(&self) -> Setup {
        let (width, height) = (self.field.width as u8, self.field.height as u8);
        let row = |y| (0..width).map(|x| self.field.terrain_at(Place::new(x, y))).collect();
        Setup {
            rows: (0..height).map(row).collect(),
            units: self.units().collect(),
            turn: u32::from(self.turn),
            limit: u32::from(self.field.limit),
            threshold: u32::from(self.field.threshold),
            first: self.field.first,
        }
    }

    /// Columns and rows, the ring of walls included.
    pub fn size(&self) -> (u8, u8) {
        (self.field.width as u8, self.field.height as u8)
    }

    /// What a cell is made of; walls beyond the board.
    pub fn terrain(&self, place: Place) -> Terrain {
        self.field.terrain_at(place)
    }

    /// The options that the position does not show.
    pub fn rules(&self) -> Rules {
        self.field.rules
    }

    /// The same position under other options.
    pub fn with_rules(&self, rules: Rules) -> State {
        let mut field = (*self.field).clone();
        field.rules = rules;
        State { field: Arc::new(field), ..self.clone() }
    }

    /// Half-turns played.
    pub fn turn(&self) -> u32 {
        u32::from(self.turn)
    }

    /// Half-turns after which the game is judged.
    pub fn limit(&self) -> u32 {
        u32::from(self.field.limit)
    }

    /// The lead in HP that does not yet win then.
    pub fn threshold(&self) -> u32 {
        u32::from(self.field.threshold)
    }

    /// Whose turn it is, or would be if the game were not over.
    #[inline]
    pub fn mover(&self) -> Team {
        if self.turn.is_multiple_of(2) { self.field.first } else { self.field.first.other() }
    }

    /// A unit that lives.
    pub fn unit(&self, id: u8) -> Option<Unit> {
        let bit = 1u32.checked_shl(u32::from(id))?;
        let team = Team::BOTH.into_iter().find(|&team| self.alive[team as usize] & bit != 0)?;
        let slot = self.slots[usize::from(id)];
        Some(Unit {
            id,
            kind: slot.kind(),
            team,
            place: self.field.place(slot.cell()),
            hp: slot.hp,
            acted: self.acted & bit != 0,
        })
    }

    /// The units that live, by id.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        ids(self.alive[0] | self.alive[1]).filter_map(|id| self.unit(id as u8))
    }

    /// The unit at a place.
    pub fn unit_at(&self, place: Place) -> Option<Unit> {
        self.units().find(|unit| unit.place == place)
    }

    /// The HP of a side, all units together.
    #[inline]
    pub fn hp(&self, team: Team) -> u32 {
        ids(self.alive[team as usize]).map(|id| self.slots[id].hp()).sum()
    }

    /// The team of a unit that lives.
    #[inline]
    pub(crate) fn team(&self, id: usize) -> Team {
        if self.alive[0] >> id & 1 == 1 { Team::Red } else { Team::Blue }
    }

    /// The units of the side to move that may still act.
    #[inline]
    pub(crate) fn ready(&self) -> u32 {
        self.alive[self.mover() as usize] & !self.acted
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.alive[0] == 0 || self.alive[1] == 0 || self.turn >= self.field.limit
    }

    /// Who wins: by wipe-out, or else by the HP as they stand.
    pub fn verdict(&self) -> Option<Team> {
        self.judged(self.field.rules.reaching_wins)
    }

    pub(crate) fn judged(&self, reaching_wins: bool) -> Option<Team> {
        for team in Team::BOTH {
            if self.alive[team as usize] == 0 {
                return Some(team.other());
            }
        }
        let lead = self.hp(Team::Red) as i32 - self.hp(Team::Blue) as i32;
        let least = (self.threshold() as i32 + i32::from(!reaching_wins)).max(1);
        match lead {
            lead if lead >= least => Some(Team::Red),
            lead if -lead >= least => Some(Team::Blue),
            _ => None,
        }
    }

    /// What an attack from `cell` would do: the damage, and the damage in return.
    #[inline]
    pub(crate) fn exchange(&self, attacker: usize, cell: usize, defender: usize) -> (u32, u32) {
        let (a, d) = (self.slots[attacker], self.slots[defender]);
        let stars = |cell: usize| self.field.stars(cell);
        let power = self.field.rules.power;
        power.fight((a.kind(), a.hp(), stars(cell)), (d.kind(), d.hp(), stars(d.cell())))
    }

    /// The damage alone, which does not depend on where it comes from.
    #[inline]
    pub(crate) fn damage(&self, attacker: usize, defender: usize) -> u32 {
        let (a, d) = (self.slots[attacker], self.slots[defender]);
        self.field.rules.power.damage(a.kind(), a.hp(), d.kind(), d.hp(), self.field.stars(d.cell()))
    }

    /// The damage that an attack would do and the damage in return; nothing without attack.
    pub fn preview(&self, act: Action) -> Option<(u32, u32)> {
        let (unit, target) = (self.unit(act.unit()?)?, self.unit(act.target()?)?);
        let cell = self.field.cell(act.to())?;
        Some(self.exchange(usize::from(unit.id), cell, usize::from(target.id)))
    }

    /// Moves a unit and lets it attack, whosever turn it is. Tells the damage and the damage in return.
    #[inline]
    pub(crate) fn carry_out(&mut self, unit: usize, cell: usize, target: Option<usize>) -> (u32, u32) {
        self.slots[unit].cell = cell as u16;
        let Some(target) = target else { return (0, 0) };
        let (damage, counter) = self.exchange(unit, cell, target);
        self.hurt(target, damage);
        self.hurt(unit, counter);
        (damage, counter)
    }

    #[inline]
    fn hurt(&mut self, id: usize, damage: u32) {
        self.slots[id].hp -= damage as u8;
        if self.slots[id].hp == 0 {
            self.slots[id] = Slot::default();
            self.alive[0] &= !(1 << id);
            self.alive[1] &= !(1 << id);
            self.acted &= !(1 << id);
        }
    }

    /// Ends the turn of the side to move.
    #[inline]
    pub(crate) fn end_turn(&mut self) {
        self.acted &= !self.alive[self.mover() as usize];
        self.turn += 1;
    }

    /// Passes the turn on until somebody can act or the game is over. A wipe-out ends the turn at once.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.alive[0] == 0 || self.alive[1] == 0 {
            self.end_turn();
            return;
        }
        while self.ready() == 0 && self.turn < self.field.limit {
            self.end_turn();
        }
    }

    /// The team of a seat that acts, for agents.
    pub(crate) fn seat(&self) -> Seat {
        self.mover().seat()
    }
}

impl Position for State {
    type Action = Action;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn actor(&self) -> Actor {
        if self.is_over() { Actor::Over } else { Actor::Seat(self.seat()) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        if !self.is_over() {
            self.acts_of(self.mover(), self.ready(), out);
        }
    }

    fn unlisted(&self, out: &mut Vec<Action>) {
        if !self.is_over() {
            out.push(Action::END);
        }
    }

    #[inline]
    fn apply(&mut self, act: Action) {
        let Some(unit) = act.unit() else {
            self.end_turn();
            self.settle();
            return;
        };
        let cell = self.field.cell(act.to()).expect("a legal action ends inside the ring");
        self.acted |= 1 << unit;
        self.carry_out(usize::from(unit), cell, act.target().map(usize::from));
        self.settle();
    }

    fn outcome(&self) -> Outcome {
        self.verdict().map_or(Outcome::draw(2), |team| Outcome::win(team.seat(), 2))
    }

    fn is_legal(&self, act: Action) -> bool {
        crate::refusal::refusal(self, act).is_none()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::notation::write(self, f)
    }
}

/// Units and turn suffice: positions of different boards are rarely put into one table.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.slots, self.alive, self.acted, self.turn).hash(hasher);
    }
}
