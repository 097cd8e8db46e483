//! Networks that come with a game.

use crate::network::Network;
use ranka_core::{Encoding, Error, Param};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The weights of a game's champion, read when they are first asked for.
pub struct Shipped {
    bytes: &'static [u8],
    read: OnceLock<Result<Arc<Network>, Error>>,
}

impl Shipped {
    /// The parameter that names the network.
    pub const PARAM: Param = Param::file("network", &["champion"], "champion, or a network file");

    /// A network file that is part of the program.
    pub const fn new(bytes: &'static [u8]) -> Shipped {
        Shipped { bytes, read: OnceLock::new() }
    }

    /// What the parameter names, these weights or those of a file, if they were made for this game under these rules.
    pub fn open<G: Encoding>(&self, name: &str, game: &G) -> Result<Arc<Network>, Error> {
        if name != Shipped::PARAM.default {
            return Network::read_for(Path::new(name), game).map(Arc::new);
        }
        let parse = || Network::parse(self.bytes, "the champion's network").map(Arc::new);
        let network = self.read.get_or_init(parse).clone()?;
        network.check(game)?;
        Ok(network)
    }
}
