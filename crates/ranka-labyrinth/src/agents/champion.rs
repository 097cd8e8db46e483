//! `champion`: a network trained by self-play, at the head of a search through deals that look like the view.

use crate::rules::Labyrinth;
use ranka_core::{AgentKind, Seat, Seed};
use ranka_learn::{Led, Shipped, Style};
use std::sync::Arc;

/// For two players.
static CHAMPION: Shipped = Shipped::new(include_bytes!("../../networks/champion.net"));

pub(super) fn kind() -> AgentKind<Labyrinth> {
    let mut params = vec![Shipped::PARAM];
    params.extend(ranka_learn::params("100"));
    AgentKind {
        name: "champion",
        version: 2,
        summary: "A network trained by self-play, at the head of a tree search through guessed cards (two players).",
        params,
        build: |game, params| {
            let network = CHAMPION.open(params.text("network"), game)?;
            let (game, style) = (*game, Style::read(params));
            Ok(Arc::new(move |seat: Seat, _: Seed| Led::new(|| network.evaluator(), &game, seat, style)))
        },
    }
}
