//! `suspicion`: takes ghosts that approach for red and ghosts that flee for blue, and the rest for purple. It asks
//! how predictable PurpleMax is, whose approaching ghosts are nearly all red.

use super::player::{Common, Mover, Player};
use super::search::{Options, Search};
use super::watch::{Behaviour, behaviours, squares_of};
use crate::action::Action;
use crate::duel::{Duel, Judged};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{AgentKind, Fault, Param, Seat, Seed, Thinking, Thought, Told};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "suspicion",
        version: 1,
        summary: "Takes enemy ghosts that approach for red and those that flee for blue, the rest for purple.",
        params: {
            let threshold =
                Param::int("threshold", 1, 100, "1", "approaches minus flights from which to believe");
            Common::params(Options::params("5").into_iter().chain([threshold]).collect(), "0")
        },
        build: |_, params| {
            let (common, options) = (Common::read(params)?, Options::read(params));
            let threshold = params.int("threshold") as i32;
            Ok(Arc::new(move |_: Seat, _: Seed| {
                Player::new(common, Suspicion { search: Search::new(options), threshold, redness: [0; 8] })
            }))
        },
    }
}

struct Suspicion {
    search: Search<Judged>,
    threshold: i32,
    /// How often each enemy ghost approached, minus how often it fled.
    redness: [i32; 8],
}

impl Suspicion {
    /// The enemy ghosts on the board that are believed to be red, and those believed to be blue: the most
    /// suspicious first, and never more than there are.
    fn beliefs(&self, view: &View) -> (Vec<usize>, Vec<usize>) {
        let enemy = view.seat().other();
        let (reds, blues) = view.left(enemy);
        let mut ghosts: Vec<usize> = view.ghosts(enemy).map(|(ghost, ..)| ghost).collect();
        ghosts.sort_by_key(|&ghost| (-self.redness[ghost], ghost));
        let red = ghosts.iter().copied().take_while(|&ghost| self.redness[ghost] >= self.threshold);
        let blue = ghosts.iter().rev().copied().take_while(|&ghost| self.redness[ghost] <= -self.threshold);
        (red.take(reds as usize).collect(), blue.take(blues as usize).collect())
    }
}

impl Mover for Suspicion {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let (reds, blues) = self.beliefs(view);
        let duel = Duel::judged(view, squares_of(view, reds), squares_of(view, blues));
        self.search.best(view, &duel, thinking)
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        for behaviour in behaviours(event) {
            match behaviour {
                Behaviour::Approached(ghost) => self.redness[ghost] += 1,
                Behaviour::Fled(ghost) => self.redness[ghost] -= 1,
                Behaviour::StayedAtExit(_) => {}
            }
        }
    }
}
