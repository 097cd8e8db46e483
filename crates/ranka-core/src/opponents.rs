//! Agents at the other seats of a game that somebody steps from outside.

use crate::guard::guarded;
use crate::table::Thinker;
use crate::{Agent, Encoding, Fault, Game, GameSeeds, Maker, Position, Seat, Seed, Settings, Told};
use std::sync::atomic::AtomicBool;

/// The agents at all seats but one.
pub(crate) struct Opponents<G: Game> {
    players: Vec<Option<(Box<dyn Agent<G>>, Seed)>>,
}

impl<G: Encoding> Opponents<G> {
    /// Nobody: all seats belong to whoever steps.
    pub(crate) fn nobody() -> Opponents<G> {
        Opponents { players: Vec::new() }
    }

    /// Players of one kind at every seat but `free`.
    pub(crate) fn around(
        free: Seat,
        seats: usize,
        maker: &dyn Maker<G>,
        seeds: &GameSeeds,
    ) -> Result<Opponents<G>, Fault> {
        let seated = |seat: Seat| {
            let seed = seeds.agent(seat.index());
            let sit = || guarded(|| maker.seat(seat, seed)).and_then(|made| made).map(|agent| (agent, seed));
            (seat != free).then(sit).transpose()
        };
        Ok(Opponents { players: Seat::all(seats).map(seated).collect::<Result<_, _>>()? })
    }

    pub(crate) fn has(&self, seat: Seat) -> bool {
        self.players.get(seat.index()).is_some_and(Option::is_some)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// What the agent at `seat` does in `state`. An answer that is not legal is a fault.
    pub(crate) fn answer(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        plies: u32,
        cancel: &AtomicBool,
    ) -> Result<G::Action, Fault> {
        let player = &mut self.players[seat.index()];
        let Some((agent, seed)) = player.take() else { return Err(Fault::Resigned) };
        let mut thinker = Thinker::new(seat, agent, seed, game.view(state, seat), plies);
        let answer = thinker.think(&Settings { cancel, ..Settings::default() }, None);
        *player = Some((thinker.into_agent(), seed));
        let choice = answer?.choice;
        let refused = || Fault::Protocol("an action that is not legal".to_owned());
        state.is_legal(choice).then_some(choice).ok_or_else(refused)
    }

    /// Tells all of them what happened, and who of them broke over it.
    pub(crate) fn told(
        &mut self,
        game: &G,
        before: &G::State,
        action: G::Action,
        after: &G::State,
    ) -> Option<(Seat, Fault)> {
        let mut broken = None;
        for (index, player) in self.players.iter_mut().enumerate() {
            let Some((agent, _)) = player else { continue };
            let seat = Seat::new(index);
            let told = Told {
                by: before.actor().seat(),
                action: game.seen(before, action, seat),
                before: &game.view(before, seat),
                after: &game.view(after, seat),
            };
            if let Err(fault) = guarded(|| agent.told(&told)) {
                broken = broken.or(Some((seat, fault)));
            }
        }
        broken
    }
}
