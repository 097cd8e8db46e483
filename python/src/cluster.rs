//! Shards for other machines: the counter where the driver takes them, and the table where a worker plays them.

use crate::errors::raised;
use crate::own_agent::OwnMaker;
use crate::wait::interruptible;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use ranka_core::{AnyAgent, AnyGame, Error, Finished};
use ranka_lab::{Cut, Executor, Job, Pace, Parcel, Recipe, RecipeAgent, Remote, Runner, Shard, ShardOffer};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a driver takes shards and gives what came of them.
#[pyclass(frozen, module = "ranka._ranka")]
pub(crate) struct Exchange {
    pub(crate) inner: ranka_lab::Exchange,
    pub(crate) cut: Cut,
}

#[pymethods]
impl Exchange {
    #[new]
    #[pyo3(signature = (*, seconds=None, most=None, cautious=false))]
    fn new(seconds: Option<f64>, most: Option<u64>, cautious: bool) -> PyResult<Exchange> {
        Ok(Exchange { inner: ranka_lab::Exchange::new(), cut: cut(seconds, most, cautious)? })
    }

    /// How many shards may be out at a time.
    fn set_hands(&self, hands: usize) {
        self.inner.set_hands(hands);
    }

    /// A shard to play as (ticket, recipe, first, count), or nothing after `wait` seconds.
    fn take(&self, py: Python<'_>, wait: f64) -> Option<(u64, String, u64, u64)> {
        let wait = Duration::try_from_secs_f64(wait).unwrap_or_default();
        let ShardOffer { ticket, recipe, first, count } = py.detach(|| self.inner.take(wait))?;
        Some((ticket, recipe.to_string(), first, count))
    }

    /// Gives what came of a shard.
    fn give(&self, ticket: u64, games: &[u8]) {
        self.inner.give(ticket, games.to_vec());
    }

    /// Says why it cannot go on.
    fn fail(&self, why: String) {
        self.inner.fail(Error::outside(why));
    }

    /// Tickets below this one are of no use any more.
    #[getter]
    fn current(&self) -> u64 {
        self.inner.current()
    }
}

fn cut(seconds: Option<f64>, most: Option<u64>, cautious: bool) -> PyResult<Cut> {
    let usual = Cut::default();
    let target = seconds.map(Duration::try_from_secs_f64).transpose();
    let target = target.map_err(|e| raised(Error::input(format!("seconds of a shard: {e}"))))?;
    Ok(Cut { target: target.unwrap_or(usual.target), most: most.unwrap_or(usual.most), cautious })
}

/// How many games the next shard should have, for whoever hands out shards of its own: where games took `nanos` each in
/// shards of up to `games`, `first` were handed out before and `left` were not.
#[pyfunction]
pub(crate) fn shard_size(
    nanos: u64,
    games: u64,
    first: u64,
    left: u64,
    hands: usize,
    seconds: f64,
) -> PyResult<u64> {
    Ok(cut(Some(seconds), None, false)?.games(Pace { nanos, games }, first, left, hands))
}

/// A pairing made from its recipe, where it is played.
#[pyclass(frozen, module = "ranka._ranka")]
pub(crate) struct Pairing(ranka_lab::Pairing);

#[pymethods]
impl Pairing {
    /// `own` has the agents written in Python by their identities.
    #[new]
    fn new(recipe: &str, own: &Bound<'_, PyDict>) -> PyResult<Pairing> {
        let recipe = Recipe::read(recipe).map_err(raised)?;
        let find = |game: &Arc<dyn AnyGame>, wanted: &RecipeAgent| own_agent(game, wanted, own);
        Ok(Pairing(recipe.make(find).map_err(raised)?))
    }

    /// Plays some of its games.
    fn play<'py>(&self, py: Python<'py>, first: u64, count: u64) -> PyResult<Bound<'py, PyBytes>> {
        let shard = Shard { pairing: &self.0, first, count };
        let work = |cancel: &_| {
            let begun = Instant::now();
            let games = shard.run(cancel);
            let whole = games.len() as u64 == count;
            whole.then(|| Parcel { games, took: begun.elapsed() }.pack(&self.0))
        };
        let packed = interruptible(py, work, || Ok(()))?;
        let packed = packed.ok_or_else(|| PyKeyboardInterrupt::new_err("the shard was cut off"))?;
        Ok(PyBytes::new(py, &packed))
    }
}

fn own_agent(
    game: &Arc<dyn AnyGame>,
    wanted: &RecipeAgent,
    own: &Bound<'_, PyDict>,
) -> Option<Result<AnyAgent, Error>> {
    let identity = wanted.identity.strip_prefix(&wanted.name)?.strip_prefix(';')?;
    let players = own.get_item(identity).ok().flatten()?;
    let maker = OwnMaker::new(&players, Arc::clone(game));
    let maker = maker.map_err(|e| Error::input(format!("agent {}: {e}", wanted.name)));
    Some(maker.map(|maker| game.own_agent(&wanted.name, identity, Arc::new(maker))))
}

/// Says which file this module is, so that builds can be told apart.
#[pyfunction]
pub(crate) fn built_into(file: PathBuf) {
    ranka_lab::built_into(file);
}

/// The digest of this module's file.
#[pyfunction]
pub(crate) fn this_build() -> &'static str {
    ranka_lab::this_build()
}

/// Threads of this process, or whoever takes shards elsewhere.
#[derive(Clone, Copy)]
pub(crate) enum Hands<'a> {
    Here(Runner<'a>),
    Elsewhere(Remote<'a>),
}

impl Executor for Hands<'_> {
    fn cancelled(&self) -> bool {
        match self {
            Hands::Here(runner) => runner.cancelled(),
            Hands::Elsewhere(remote) => remote.cancelled(),
        }
    }

    fn play(
        &self,
        jobs: &[Job<'_>],
        sink: impl FnMut(usize, Vec<(u64, Finished)>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        match self {
            Hands::Here(runner) => runner.play(jobs, sink),
            Hands::Elsewhere(remote) => remote.play(jobs, sink),
        }
    }
}
