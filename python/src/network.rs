//! Networks as Ranka evaluates them, for comparison with those that were trained.

use crate::errors::raised;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ranka_learn::{Network as Weights, Scratch};
use std::path::PathBuf;

/// A network file, evaluated as `champion` evaluates it: in whole numbers, on the processor.
#[pyclass(module = "ranka", frozen)]
pub(crate) struct Network(Weights);

#[pymethods]
impl Network {
    #[new]
    fn new(path: PathBuf) -> PyResult<Network> {
        Weights::read(&path).map(Network).map_err(raised)
    }

    /// What the file says of itself, as JSON.
    #[getter]
    fn header(&self) -> PyResult<String> {
        serde_json::to_string(self.0.header()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Logits, outcome probabilities and beliefs of observations, one row each.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArrayDyn<'py, f32>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>)> {
        let shape = self.0.shape();
        let len = shape.planes * shape.cells();
        let flat = observations.as_slice()?;
        if flat.len() % len != 0 {
            return Err(PyValueError::new_err(format!(
                "{} numbers are no observations of {len}",
                flat.len()
            )));
        }
        let mut rows = [Vec::new(), Vec::new(), Vec::new()];
        py.detach(|| {
            let mut scratch = Scratch::new(&self.0);
            for observation in flat.chunks_exact(len) {
                let answer = self.0.evaluate(observation, &mut scratch);
                rows[0].extend_from_slice(&answer.logits);
                rows[1].extend_from_slice(&answer.outcome);
                rows[2].extend_from_slice(&answer.beliefs);
            }
        });
        let count = flat.len() / len;
        let [logits, outcome, beliefs] = rows.map(|row| {
            let array = numpy::PyArray1::from_vec(py, row);
            let columns = array.len().unwrap_or(0) / count.max(1);
            array.reshape([count, columns])
        });
        Ok((logits?, outcome?, beliefs?))
    }
}
