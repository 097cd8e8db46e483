//! The agents, one file each; the five criteria of the thesis share one, since a criterion is only a value.

mod alone;
mod turns;

mod random_original;
mod saboteur;

mod best_first;
mod big_brain;
mod champion;
mod criteria;

pub(crate) use criteria::{Distance, Slide, Static, example_value};

use crate::{Labyrinth, View};
use ranka_core::{AgentKind, Roster};
use ranka_learn::{network_kind, with_onnx};
use ranka_levels::{Ladder, Levelled};
use ranka_search::agents::with_generic;
use std::sync::LazyLock;

impl Roster for Labyrinth {
    fn agents() -> Vec<AgentKind<Labyrinth>> {
        with_generic(with_onnx(vec![
            random_original::kind(),
            saboteur::kind(),
            big_brain::kind(),
            best_first::kind::<criteria::Inference>(),
            best_first::kind::<Distance>(),
            best_first::kind::<Static>(),
            best_first::kind::<criteria::Hybrid>(),
            best_first::kind::<Slide>(),
            champion::kind(),
            network_kind(),
            ranka_levels::level(),
            ranka_levels::partner(),
        ]))
    }
}

impl Levelled for Labyrinth {
    fn ladder() -> &'static Ladder {
        static LADDER: LazyLock<Ladder> =
            LazyLock::new(|| Ladder::shipped(include_str!("../../levels.toml")));
        &LADDER
    }

    /// Who finds a treasure shows what it was after until then.
    fn in_hindsight(then: &View, now: &View) -> View {
        then.in_hindsight(now)
    }
}
