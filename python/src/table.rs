//! Tables that pandas, polars and DuckDB read without a copy: the Arrow C data interface.

use crate::errors::raised;
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array as _, ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use ranka_core::Error;
use ranka_lab::Store;
use ranka_lab::experiment::{Experiment, PlayedExperiment};
use ranka_lab::export::{ColumnValues, GameRows, table};
use std::sync::{Arc, OnceLock};

/// Games as a table, one row each. Any library that knows the Arrow PyCapsule interface reads it without a copy:
/// `pyarrow.table` (and from there `to_pandas`), `polars.DataFrame`, DuckDB.
#[pyclass(module = "ranka", frozen, eq)]
pub(crate) struct Table {
    games: OnceLock<RecordBatch>,
    /// Where games come from that were not asked for yet.
    read: Option<Read>,
}

/// So many games of an experiment are a table at once.
const FEW: u64 = 10_000;

type Read = Box<dyn Fn() -> Result<RecordBatch, Error> + Send + Sync>;

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        matches!((self.batch(), other.batch()), (Ok(one), Ok(two)) if one == two)
    }
}

/// A column as it is pickled.
#[derive(IntoPyObject)]
pub(crate) enum Column {
    Whole(Vec<Option<u64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

impl Table {
    pub(crate) fn of(rows: &[GameRows<'_>]) -> Result<Table, Error> {
        batch_of(rows).map(Table::made)
    }

    fn made(batch: RecordBatch) -> Table {
        Table { games: OnceLock::from(batch), read: None }
    }

    /// The games of an experiment. There may be millions: then they are read from the store when somebody asks for them.
    pub(crate) fn played(
        experiment: &Arc<Experiment>,
        played: PlayedExperiment,
        store: &Store,
    ) -> Result<Table, Error> {
        let games: u64 = played.pairings.iter().map(|pairing| pairing.games).sum();
        if games <= FEW {
            return Table::of(&planned_rows(experiment, &played, store));
        }
        let (experiment, path) = (experiment.clone(), store.path().to_owned());
        let read = move || {
            let batch = batch_of(&planned_rows(&experiment, &played, &Store::read_only(&path)?))?;
            if batch.num_rows() as u64 == games {
                return Ok(batch);
            }
            let message = format!("{} of the {games} games are still in the store", batch.num_rows());
            Err(Error::not_found(message).in_file(&path))
        };
        Ok(Table { games: OnceLock::new(), read: Some(Box::new(read)) })
    }

    fn batch(&self) -> PyResult<&RecordBatch> {
        if let (None, Some(read)) = (self.games.get(), &self.read) {
            // Whoever was first: all read the same.
            let _ = self.games.set(read().map_err(raised)?);
        }
        Ok(self.games.get().expect("games are there or can be read"))
    }
}

/// The games of an experiment as rows, to be read from the store.
fn planned_rows<'a>(
    experiment: &'a Experiment,
    played: &'a PlayedExperiment,
    store: &'a Store,
) -> Vec<GameRows<'a>> {
    let pairings = experiment.pairings.iter().zip(&played.pairings);
    pairings.map(|(planned, played)| GameRows::planned(planned, played.stored(store))).collect()
}

fn batch_of(rows: &[GameRows<'_>]) -> Result<RecordBatch, Error> {
    let column = |(name, values): (String, ColumnValues)| -> (String, ArrayRef, bool) {
        let array: ArrayRef = match values {
            ColumnValues::Text(texts) => Arc::new(StringArray::from(texts)),
            ColumnValues::Whole(numbers) => Arc::new(UInt64Array::from(numbers)),
            ColumnValues::Real(numbers) => Arc::new(Float64Array::from(numbers)),
        };
        (name, array, true)
    };
    let columns = table(rows)?.into_iter().map(column);
    let batch = RecordBatch::try_from_iter_with_nullable(columns);
    batch.map_err(|e| Error::internal(format!("games as a table: {e}")))
}

/// For unpickling. The kind says what a column without any number would not.
#[pyfunction]
pub(crate) fn _table(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let read =
        |(name, kind, values): (String, String, Bound<'_, PyAny>)| -> PyResult<(String, ArrayRef, bool)> {
            let array: ArrayRef = match kind.as_str() {
                "text" => Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?)),
                "whole" => Arc::new(UInt64Array::from(values.extract::<Vec<Option<u64>>>()?)),
                _ => Arc::new(Float64Array::from(values.extract::<Vec<Option<f64>>>()?)),
            };
            Ok((name, array, true))
        };
    let columns = columns.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
    RecordBatch::try_from_iter_with_nullable(columns).map(Table::made).map_err(failed)
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.batch()?.schema().fields().iter().map(|field| field.name().clone()).collect())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.batch()?.num_rows())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Vec<(String, &'static str, Column)>,))> {
        let names = self.columns()?.into_iter();
        let columns = names.zip(self.batch()?.columns()).map(|(name, array)| {
            let any = array.as_any();
            if let Some(texts) = any.downcast_ref::<StringArray>() {
                let texts = texts.iter().map(|text| text.map(str::to_owned));
                return (name, "text", Column::Text(texts.collect()));
            }
            match any.downcast_ref::<UInt64Array>() {
                Some(numbers) => (name, "whole", Column::Whole(numbers.iter().collect())),
                None => (name, "real", Column::Real(array.as_primitive::<Float64Type>().iter().collect())),
            }
        });
        Ok((py.import("ranka._ranka")?.getattr("_table")?, (columns.collect(),)))
    }

    fn __repr__(&self) -> PyResult<String> {
        let batch = self.batch()?;
        Ok(format!("<table of {} rows and {} columns>", batch.num_rows(), batch.num_columns()))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets us give our own types where others are asked for.
        let _ = requested_schema;
        let batch = self.batch()?;
        let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// One column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let array = self.batch()?.column_by_name(name).ok_or_else(|| {
            let known = self.columns().unwrap_or_default();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            raised(Error::input(ranka_core::unknown("column", name, &known)))
        })?;
        let any = array.as_any();
        if let Some(texts) = any.downcast_ref::<StringArray>() {
            return texts.iter().map(|text| Ok(text.into_pyobject(py)?)).collect();
        }
        if let Some(numbers) = any.downcast_ref::<UInt64Array>() {
            return numbers.iter().map(|number| Ok(number.into_pyobject(py)?)).collect();
        }
        let numbers =
            any.downcast_ref::<Float64Array>().ok_or_else(|| failed(ArrowError::CastError(name.into())))?;
        numbers.iter().map(|number| Ok(number.into_pyobject(py)?)).collect()
    }
}
