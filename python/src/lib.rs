//! The Python module behind the package `ranka`: thin over the same calls that the program makes.
#![allow(clippy::too_many_arguments, clippy::type_complexity, reason = "Python has keywords and tuples")]

mod agent;
mod batch;
mod bot;
mod cluster;
mod errors;
mod game;
mod lab;
mod network;
mod own_agent;
mod records;
mod state;
mod stats;
mod table;
mod thought;
mod view;
mod wait;

use pyo3::pymodule;

/// The compiled half of the package `ranka`.
#[pymodule]
mod _ranka {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::agent::{Agent, agent};
    #[pymodule_export]
    use crate::batch::{Batch, encoding_version};
    #[pymodule_export]
    use crate::bot::{register_agent, serve_bot};
    #[pymodule_export]
    use crate::cluster::{Exchange, Pairing, built_into, shard_size, this_build};
    #[pymodule_export]
    use crate::game::{_reopen, Game, game, games};
    #[pymodule_export]
    use crate::lab::{listed_experiments, play_experiment, play_match, play_sprt, play_tournament};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::own_agent::Desk;
    #[pymodule_export]
    use crate::records::{stored_pairings, stored_records, verify_record};
    #[pymodule_export]
    use crate::state::{_replay, State};
    #[pymodule_export]
    use crate::stats::{
        binomial_test, chi_square, clopper_pearson, elo_of, holm, rank_correlation, ratings, score_of,
        sign_test, sprt_test, wilson,
    };
    #[pymodule_export]
    use crate::table::{_table, Table};
    #[pymodule_export]
    use crate::thought::{Candidate, Thought};
    #[pymodule_export]
    use crate::view::View;
}
