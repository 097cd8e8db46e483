//! Networks that come with a game.

use crate::network::Network;
use ranka_core::{Error, Param};
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

    /// What the parameter names: these weights, or those of a file.
    pub fn open(&self, name: &str) -> Result<Arc<Network>, Error> {
        if name != Shipped::PARAM.default {
            return Network::read(Path::new(name)).map(Arc::new);
        }
        let parse = || Network::parse(self.bytes, "the champion's network").map(Arc::new);
        self.read.get_or_init(parse).clone()
    }
}
