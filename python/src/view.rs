//! Views: what one seat may know.

use crate::errors::{action_number, raised, seed};
use crate::game::Game;
use crate::state::{State, observed};
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyString;
use ranka_core::{Actor, AnyGame, AnyState, AnyView, Look, Seed, standalone};
use std::sync::Arc;

/// What one seat may know of a state, and all that an agent is given. It never changes.
///
/// >>> import ranka
/// >>> view = ranka.game("geister").start().view(0)
/// >>> view.seat, len(view.legal())
/// (0, 70)
#[pyclass(module = "ranka", frozen)]
pub(crate) struct View {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) inner: Arc<dyn AnyView>,
}

impl View {
    fn world(&self, inner: Arc<dyn AnyState>) -> State {
        State { game: Arc::clone(&self.game), inner }
    }
}

#[pymethods]
impl View {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// Whose view it is.
    #[getter]
    fn seat(&self) -> usize {
        self.inner.seat().index()
    }

    /// The seat that is to act; None where chance is or the game is over.
    #[getter]
    fn actor(&self) -> Option<usize> {
        self.inner.turn().seat().map(|seat| seat.index())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.turn() == Actor::Over
    }

    /// The legal actions of its seat, in notation; none where it is not to act.
    fn legal(&self) -> Vec<String> {
        self.inner.choices()
    }

    /// The numbers of the legal actions that have one, in the same order.
    fn legal_indices(&self) -> Vec<usize> {
        self.inner.choice_indices()
    }

    /// The number of an action of its seat.
    fn index(&self, action: &str) -> PyResult<usize> {
        self.inner.index(action).map_err(raised)
    }

    /// The action of its seat with this number, legal or not.
    fn action(&self, #[pyo3(from_py_with = action_number)] index: usize) -> PyResult<String> {
        self.inner.action(index).map_err(raised)
    }

    /// The view in notation.
    #[getter]
    fn notation(&self) -> String {
        self.inner.notation()
    }

    /// A state that looks like this to the seat, drawn uniformly from all of them. It has no past.
    #[pyo3(signature = (seed=0))]
    fn sample(&self, #[pyo3(from_py_with = seed)] seed: u64) -> State {
        self.world(self.inner.sample(Seed::new(seed)))
    }

    /// All states that look like this; None where they are too many to list.
    fn worlds(&self) -> Option<Vec<State>> {
        Some(self.inner.worlds()?.into_iter().map(|state| self.world(state)).collect())
    }

    /// What the seat observes, as an array of planes, rows and columns.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        observed(py, self.game.as_ref(), |out| self.inner.observe(out))
    }

    /// For each numbered action whether it is legal, 0 or 1.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.game.layout().actions()];
        self.inner.choice_indices().into_iter().for_each(|index| mask[index] = 1);
        PyArray1::from_vec(py, mask)
    }

    /// The board in a few lines of text.
    fn sketch(&self) -> String {
        self.inner.sketch()
    }

    /// The view as SVG.
    fn picture(&self) -> String {
        standalone(&self.inner.picture(&Look::from(self.inner.seat())))
    }

    fn _repr_svg_(&self) -> String {
        self.picture()
    }

    fn __str__(&self) -> String {
        self.inner.notation()
    }

    fn __repr__(&self) -> String {
        format!("<{} seen by {}: {}>", self.game.info().name, self.seat(), self.inner.notation())
    }

    fn __eq__(&self, other: &View) -> bool {
        self.inner.equals(other.inner.as_ref())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &format!("{} {}", self.inner.seat(), self.inner.notation())).hash()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// Only what the seat sees now: a pickle may reach others, and the past behind a view holds more than it.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, usize))> {
        let game = Py::new(py, self.game())?.into_bound(py);
        Ok((game.getattr("view")?, (self.inner.notation(), self.seat())))
    }
}
