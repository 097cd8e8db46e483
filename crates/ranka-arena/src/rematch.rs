//! Another game of the same players, to which everybody is brought along: the link of the old seat proves who one is.

use crate::hall::Hall;
use crate::opening::{Opening, Policy, Sitter, Wanted, Wish};
use crate::play::Rematch;
use crate::room::Room;
use crate::seen::Viewer;
use ranka_core::Error;
use ranka_games::Strength;

impl Hall {
    /// The next game of the players of a finished one, each `shift` seats further back. There is one such game: who asks
    /// for another is led to it. With a `level`, that is how strong the agents are.
    pub(crate) fn rematch(
        &self,
        room: &Room,
        by: Viewer,
        shift: usize,
        level: Option<Strength>,
        policy: Policy,
    ) -> Result<Rematch, Error> {
        let Opening { seats, .. } = &room.opening;
        let here: Vec<usize> = {
            let play = room.play();
            if let Some(rematch) = &play.aside.rematch {
                return Ok(rematch.clone());
            }
            if play.table.result().is_none() {
                return Err(Error::input("the game goes on"));
            }
            let is_here = |seat: &usize| {
                matches!(seats[*seat], Sitter::Person(_)) || play.aside.taken.contains_key(seat)
            };
            (0..seats.len()).filter(is_here).collect()
        };
        let moved = |seat: usize| (seat + seats.len() - shift % seats.len()) % seats.len();
        let mut wish = Wish {
            game: room.opening.game.clone(),
            rules: room.opening.rules.clone(),
            seats: vec![Wanted::Person; seats.len()],
            here: Some(here.into_iter().map(moved).collect()),
            position: room.opening.position.clone(),
            seed: None,
            pace: room.opening.pace,
            hints: room.opening.hints,
            clock: room.opening.clock,
            name: None,
            teaches: room.opening.teaches.clone(),
            known: room.play().estimate(),
        };
        for (seat, sitter) in seats.iter().enumerate() {
            if let Sitter::Agent(spec) = sitter {
                let kept = room.opening.levels.get(&seat).and_then(|name| Strength::of_name(name));
                wish.seats[moved(seat)] =
                    level.or(kept).map_or_else(|| Wanted::Agent(spec.clone()), Wanted::Level);
            }
        }
        let next = self.open(wish, policy)?;
        // Who had a name keeps it.
        let names = room.play().aside.names.clone();
        self.change(&next, |play| {
            play.aside.names = names.into_iter().map(|(seat, name)| (moved(seat), name)).collect();
            Ok(())
        })?;
        let link = |seat: usize| match &next.opening.seats[moved(seat)] {
            Sitter::Person(secret) => format!("/t/{}/{secret}", next.id),
            _ => format!("/t/{}", next.id),
        };
        let rematch = Rematch {
            table: next.id.clone(),
            by: match by {
                Viewer::Seat(seat) => Some(seat.index()),
                Viewer::Onlooker => None,
            },
            links: (0..seats.len()).map(link).collect(),
        };
        // Somebody may have been faster: then that is the table.
        let agreed = self.change(room, |play| Ok(play.aside.rematch.get_or_insert(rematch).clone()))?;
        room.announce();
        Ok(agreed)
    }
}
