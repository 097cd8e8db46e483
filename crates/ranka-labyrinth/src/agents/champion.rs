//! `champion`: a network trained by self-play, at the head of a search through deals that look like the view.

use crate::rules::Labyrinth;
use ranka_core::{AgentKind, Error, Param, Seat, Seed};
use ranka_learn::{Led, Network, Style};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The weights that are shipped, for two players.
static SHIPPED: &[u8] = include_bytes!("../../networks/champion.net");

static CHAMPION: LazyLock<Result<Arc<Network>, Error>> =
    LazyLock::new(|| Network::parse(SHIPPED, "the champion's network").map(Arc::new));

/// The shipped weights by name.
const BUILT_IN: &str = "champion";

pub(super) fn kind() -> AgentKind<Labyrinth> {
    let mut params = vec![Param::file("network", &[BUILT_IN], "champion, or a network file")];
    params.extend(ranka_learn::params("100"));
    AgentKind {
        name: "champion",
        version: 1,
        summary: "A network trained by self-play, at the head of a tree search through guessed cards (two players).",
        params,
        build: |game, params| {
            let name = params.text("network");
            let network = match name {
                BUILT_IN => CHAMPION.clone()?,
                path => Arc::new(Network::read(Path::new(path))?),
            };
            network.check(game, name)?;
            let (game, style) = (*game, Style::read(params));
            Ok(Arc::new(move |seat: Seat, _: Seed| Led::new(Arc::clone(&network), &game, seat, style)))
        },
    }
}
