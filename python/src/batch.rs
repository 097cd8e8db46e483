//! Many games at once, with NumPy arrays that are written in place.

use crate::errors::{count, maybe_count, raised, seed};
use crate::game::{Game, open};
use crate::wait::interruptible_by;
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use ranka_core::{AnyBatch, AnyGame, BatchArrays, BatchOptions, Error, Layout, Seed};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

/// The most that the arrays of a batch may take: more is a mistake, and no machine of today would be happy with it.
const MOST_BYTES: u64 = 16 << 30;

/// Many games of one kind, stepped at once.
///
/// `Batch("geister", 64, seed=1)` has 64 games; the first argument is a name or a `Game`. Its arrays are written in place by every `step`: `observations`
/// (games, planes, height, width), `masks` (games, actions), `actors`, `rewards` (games, seats) and `ends` (0 goes on,
/// 1 over, 2 cut off). A game that has ended is followed by a new one in its place. All randomness comes from the seed:
/// any number of threads gives the same bytes.
#[pyclass(module = "ranka")]
pub(crate) struct Batch {
    /// Opponents may be anything, so only one thread looks at them at a time.
    batch: Mutex<Box<dyn AnyBatch>>,
    layout: Layout,
    /// Breaks off what opponents think; nothing where there are none.
    cancel: Option<Arc<AtomicBool>>,
    /// The process that its threads live in, if it has any.
    home: Option<u32>,
    observations: Py<PyArrayDyn<f32>>,
    masks: Py<PyArray2<u8>>,
    actors: Py<PyArray1<i32>>,
    rewards: Py<PyArray2<f32>>,
    ends: Py<PyArray1<u8>>,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, games, seed=0, rules="", all_seats=false, ply_cap=None, opponents=Vec::new(), threads=None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = games_count)] games: usize,
        #[pyo3(from_py_with = seed)] seed: u64,
        rules: &str,
        all_seats: bool,
        #[pyo3(from_py_with = most_plies)] ply_cap: Option<u32>,
        #[pyo3(from_py_with = seated_opponents)] opponents: Vec<(String, usize)>,
        #[pyo3(from_py_with = threads_count)] threads: Option<usize>,
    ) -> PyResult<Batch> {
        let cancel = Arc::default();
        let seed = Seed::new(seed);
        // Threads of its own: those that batches would share are not there in a process that was forked off.
        let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        let options = BatchOptions {
            games,
            seed,
            all_seats,
            ply_cap,
            threads: Some(threads),
            cancel: Arc::clone(&cancel),
        };
        let game = match game.cast::<Game>() {
            Ok(game) if rules.is_empty() => game.get().clone(),
            Ok(_) => return Err(PyValueError::new_err("a game has its rules already: give no others")),
            Err(_) => open(game.extract()?, rules)?,
        };
        check_size(game.0.as_ref(), &options)?;
        // Opponents think when a game begins with their turn.
        let cancel = (!opponents.is_empty()).then_some(cancel);
        let batch = working(py, cancel.as_deref(), || seated(game.0.as_ref(), options, &opponents))?;
        let layout = batch.layout().clone();
        let shape = [games, batch.observers(), layout.planes.len(), layout.height, layout.width];
        let shape: Vec<usize> =
            shape.into_iter().enumerate().filter(|&(i, _)| i != 1 || all_seats).map(|(_, n)| n).collect();
        let mut made = Batch {
            observations: PyArrayDyn::zeros(py, shape, false).unbind(),
            masks: PyArray2::zeros(py, [games, layout.actions()], false).unbind(),
            actors: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray2::zeros(py, [games, batch.seats()], false).unbind(),
            ends: PyArray1::zeros(py, games, false).unbind(),
            batch: Mutex::new(batch),
            layout,
            cancel,
            home: (threads > 1).then(process::id),
        };
        made.write(py, |batch, arrays| batch.observe(arrays))?;
        Ok(made)
    }

    /// Takes one action in every game.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.write(py, |batch, arrays| batch.step(actions, arrays))
    }

    /// One of the legal actions in each game, all alike likely, drawn from the batch's own seed: the same again in a batch
    /// that is made and asked again.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let actions = PyArray1::zeros(py, batch.games(), false);
        batch.sample(actions.try_readwrite()?.as_slice_mut()?).map_err(raised)?;
        Ok(actions)
    }

    /// What is observed in each game.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<f32>> {
        self.observations.bind(py).clone()
    }

    /// For each game and action whether it is legal.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        self.masks.bind(py).clone()
    }

    /// The seat that is to act in each game.
    #[getter]
    fn actors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.actors.bind(py).clone()
    }

    /// The scores of the seats in games that the last step ended.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        self.rewards.bind(py).clone()
    }

    /// Which games the last step ended.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.ends.bind(py).clone()
    }

    /// The names of the observation's planes.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.layout.planes.clone()
    }

    /// The board's height and width, the planes of actions over it and the number of actions beyond.
    #[getter]
    fn action_layout(&self) -> (usize, usize, usize, usize) {
        let layout = &self.layout;
        (layout.height, layout.width, layout.action_planes, layout.loose_actions)
    }

    /// The position of one game, in text: the whole truth.
    fn position(&self, #[pyo3(from_py_with = game_number)] game: usize) -> PyResult<String> {
        let batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let games = batch.games();
        if game >= games {
            return Err(PyValueError::new_err(format!("game {game} of a batch of {games}")));
        }
        Ok(batch.position(game))
    }
}

impl Batch {
    fn write(
        &mut self,
        py: Python<'_>,
        step: impl FnOnce(&mut dyn AnyBatch, BatchArrays<'_>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        if self.home.is_some_and(|home| home != process::id()) {
            let why = "the threads of this batch stayed behind when the process was forked: make a new one";
            return Err(PyRuntimeError::new_err(why));
        }
        let mut observations = self.observations.bind(py).try_readwrite()?;
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let mut actors = self.actors.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut ends = self.ends.bind(py).try_readwrite()?;
        let arrays = BatchArrays {
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            actors: actors.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            ends: ends.as_slice_mut()?,
        };
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
        working(py, self.cancel.as_deref(), || step(batch, arrays))
    }
}

/// Works without holding Python. Where opponents think, that may take long, and Ctrl-C ends it.
fn working<T: Send>(
    py: Python<'_>,
    cancel: Option<&AtomicBool>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let Some(cancel) = cancel else { return py.detach(work).map_err(raised) };
    cancel.store(false, Ordering::Relaxed);
    interruptible_by(py, cancel, |_| work(), || Ok(()))?.map_err(raised)
}

fn games_count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("games", given, 1)
}

fn game_number(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("game", given, 0)
}

fn seated_opponents(given: &Bound<'_, PyAny>) -> PyResult<Vec<(String, usize)>> {
    let opponents: Vec<(String, Bound<'_, PyAny>)> = given.extract()?;
    let places =
        opponents.into_iter().map(|(name, games)| Ok((name, count("games of an opponent", &games, 0)?)));
    places.collect()
}

fn most_plies(given: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    maybe_count("ply_cap", given, 0)
}

fn threads_count(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    maybe_count("threads", given, 1)
}

/// Refuses what no machine has room for, before it is asked to.
fn check_size(game: &dyn AnyGame, options: &BatchOptions) -> PyResult<()> {
    let layout = game.layout();
    let observers = if options.all_seats { game.seats() } else { 1 };
    let row = 4 * (observers * layout.observation_len() + game.seats() + 1) + layout.actions() + 1;
    let bytes = (options.games as u64).saturating_mul(row as u64);
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let (games, gib, most) = (options.games, bytes >> 30, MOST_BYTES >> 30);
    Err(PyValueError::new_err(format!("games {games}: their arrays would take {gib} GiB; at most {most}")))
}

fn seated(
    game: &dyn AnyGame,
    options: BatchOptions,
    opponents: &[(String, usize)],
) -> Result<Box<dyn AnyBatch>, Error> {
    let seated = opponents.iter().map(|(spec, places)| Ok((game.agent(spec)?, *places)));
    game.batch(options, &seated.collect::<Result<Vec<_>, Error>>()?)
}

/// The version of a game's encoding.
#[pyfunction]
#[pyo3(signature = (game, rules=""))]
pub(crate) fn encoding_version(game: &str, rules: &str) -> PyResult<u32> {
    let game = ranka_games::game(game).and_then(|entry| entry.open(rules)).map_err(raised)?;
    Ok(game.layout().version)
}
