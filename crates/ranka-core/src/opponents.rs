//! Agents at the other seats of a game that somebody steps from outside.

use crate::guard::guarded;
use crate::{
    Agent, Encoding, Fault, Game, GameSeeds, Maker, Position, Rng, Seat, Seed, Settings, Thinking, Told,
};

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
    ) -> Result<G::Action, Fault> {
        let Some((agent, seed)) = self.players[seat.index()].as_mut() else { return Err(Fault::Resigned) };
        let view = game.view(state, seat);
        let rng = Rng::new(seed.ply(plies));
        let cancel = Settings::default().cancel;
        let thought = guarded(|| agent.think(&view, &mut Thinking::new(rng, None, cancel)))??;
        let legal = state.is_legal(thought.choice);
        legal
            .then_some(thought.choice)
            .ok_or_else(|| Fault::Protocol("an action that is not legal".to_owned()))
    }

    /// Tells all of them what happened, and who of them broke over it.
    pub(crate) fn told(
        &mut self,
        game: &G,
        before: &G::State,
        action: G::Action,
        after: &G::State,
    ) -> Option<Seat> {
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
            if guarded(|| agent.told(&told)).is_err() {
                broken = broken.or(Some(seat));
            }
        }
        broken
    }
}
