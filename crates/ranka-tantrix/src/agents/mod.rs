//! The agents, one file each, and what they share: how ends of games are judged, the table that guides playouts,
//! the search of the endgame, and the tree search that most of them are.

mod evaluation;
mod mast;

pub(crate) mod closing;
mod options;
mod tree;

mod greedy;

mod flat_mc;
mod uct;

mod darwin;

mod counting;
mod counting_obstructor;
mod obstructor;
mod small_loop;

use crate::Tantrix;
use ranka_core::{AgentKind, Roster};
use ranka_learn::{network_kind, with_onnx};
use ranka_levels::{Ladder, Levelled};
use ranka_search::agents::with_generic;
use std::sync::LazyLock;

pub(crate) use evaluation::paper_curves;

impl Roster for Tantrix {
    fn agents() -> Vec<AgentKind<Tantrix>> {
        with_generic(with_onnx(vec![
            greedy::kind(),
            flat_mc::kind(),
            uct::kind(),
            darwin::kind(),
            obstructor::kind(),
            small_loop::kind(),
            counting::kind(),
            counting_obstructor::kind(),
            network_kind(),
            ranka_levels::level(),
            ranka_levels::partner(),
        ]))
    }
}

impl Levelled for Tantrix {
    fn ladder() -> &'static Ladder {
        static LADDER: LazyLock<Ladder> =
            LazyLock::new(|| Ladder::shipped(include_str!("../../levels.toml")));
        &LADDER
    }
}
