//! Tables that pandas, polars and DuckDB read without a copy: the Arrow C data interface.

use crate::errors::raised;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use ranka_core::Error;
use ranka_lab::export::{GameRows, Values, table};
use std::sync::Arc;

/// Games as a table, one row each. Any library that knows the Arrow PyCapsule interface reads it without a copy:
/// `pandas.DataFrame.from_arrow`, `pyarrow.table`, `polars.DataFrame`, DuckDB.
#[pyclass(module = "ranka", frozen)]
pub(crate) struct Table(RecordBatch);

impl Table {
    pub(crate) fn of(rows: &[GameRows<'_>]) -> Result<Table, Error> {
        let column = |(name, values): (String, Values)| -> (String, ArrayRef, bool) {
            let array: ArrayRef = match values {
                Values::Text(texts) => Arc::new(StringArray::from(texts)),
                Values::Whole(numbers) => Arc::new(UInt64Array::from(numbers)),
                Values::Real(numbers) => Arc::new(Float64Array::from(numbers)),
            };
            (name, array, true)
        };
        let columns = table(rows)?.into_iter().map(column);
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        batch.map(Table).map_err(|e| Error::internal(format!("games as a table: {e}")))
    }
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<table of {} rows and {} columns>", self.0.num_rows(), self.0.num_columns())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets us give our own types where others are asked for.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// One column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let array = self.0.column_by_name(name).ok_or_else(|| {
            let known = self.columns();
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
