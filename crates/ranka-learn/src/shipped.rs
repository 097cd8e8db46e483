//! Networks that come with a game.

use crate::network::Network;
use ranka_core::{Encoding, Error, Rng, Seed};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The networks of a game's champion by their names, read when they are first asked for.
pub struct Shipped {
    files: &'static [(&'static str, &'static [u8])],
    read: OnceLock<Result<Vec<Arc<Network>>, Error>>,
}

/// Whom a player is in each game: one network, or one that is drawn for the game.
#[derive(Clone)]
pub struct Population(Vec<Arc<Network>>);

impl Shipped {
    /// Network files that are part of the program.
    pub const fn new(files: &'static [(&'static str, &'static [u8])]) -> Shipped {
        Shipped { files, read: OnceLock::new() }
    }

    /// What a parameter names: `champion` is all of them, else one of these or a file; if it was made for this game under
    /// these rules.
    pub fn open<G: Encoding>(&self, name: &str, game: &G) -> Result<Population, Error> {
        let place = self.files.iter().position(|&(shipped, _)| shipped == name);
        if name != "champion" && place.is_none() {
            return Ok(Population(vec![Network::read_for(Path::new(name), game).map(Arc::new)?]));
        }
        let parse = |&(name, bytes): &(&str, &[u8])| Network::parse(bytes, name).map(Arc::new);
        let all = self.read.get_or_init(|| self.files.iter().map(parse).collect()).clone()?;
        all.iter().try_for_each(|network| network.check(game))?;
        Ok(Population(match place {
            Some(place) => vec![Arc::clone(&all[place])],
            None => all,
        }))
    }
}

impl Population {
    /// The network of the game with this seed. Who plays many opponents the same way can be learned by heart; who draws
    /// is one of several to them.
    pub fn draw(&self, seed: Seed) -> Arc<Network> {
        Arc::clone(&self.0[Rng::new(seed.child("network")).index(self.0.len())])
    }
}
