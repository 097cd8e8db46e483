//! `purple-suspicion`: the idea of the program that won GAT2020. A ghost that stood on an exit and did not leave
//! is surely red, and is then the only red one in a search with all colours; until then, purple pieces.

use super::player::{Common, Mover, Player};
use super::search::{Options, Search};
use super::watch::{Behaviour, behaviours, squares_of};
use crate::action::Action;
use crate::duel::{Coloured, Duel, Purple};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{AgentKind, Fault, Seat, Seed, Thinking, Thought, Told};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "purple-suspicion",
        version: 1,
        summary: "Purple pieces, until an enemy ghost on an exit stays: that one is red, the others are then taken \
                  for blue (the idea of the GAT2020 winner).",
        params: Common::params(Options::params("6"), "0"),
        build: |_, params| {
            let (common, options) = (Common::read(params)?, Options::read(params));
            Ok(Arc::new(move |_: Seat, _: Seed| {
                let (purple, coloured) = (Search::new(options), Search::new(options));
                Player::new(common, PurpleSuspicion { purple, coloured, redness: [0; 8] })
            }))
        },
    }
}

/// From this redness on a ghost is surely red; less is kept but not acted on.
const SURE: i32 = 1000;

struct PurpleSuspicion {
    purple: Search<Purple>,
    coloured: Search<Coloured>,
    redness: [i32; 8],
}

impl Mover for PurpleSuspicion {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let ghosts = view.ghosts(view.seat().other()).map(|(ghost, ..)| ghost);
        let reddest = ghosts.min_by_key(|&ghost| (-self.redness[ghost], ghost));
        match reddest.filter(|&ghost| self.redness[ghost] >= SURE) {
            Some(red) => {
                let duel = Duel::coloured(view, squares_of(view, [red]));
                self.coloured.best(view, &duel, thinking)
            }
            None => self.purple.best(view, &Duel::purple(view), thinking),
        }
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        // Whoever has one red ghost left is dangerous to capture from, so an approach says little then.
        let one_red_left = event.before.left(event.before.seat()).0 == 1;
        for behaviour in behaviours(event) {
            match behaviour {
                Behaviour::Approached(ghost) => self.redness[ghost] += if one_red_left { 1 } else { 5 },
                Behaviour::StayedAtExit(ghost) => self.redness[ghost] += SURE,
                Behaviour::Fled(_) => {}
            }
        }
    }
}
