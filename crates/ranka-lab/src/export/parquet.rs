//! The table as a Parquet file.

use super::{Cell, Column, GameRows, Kind, columns};
use crate::{GameResult, NewFile};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use ranka_core::Error;
use std::path::Path;
use std::sync::Arc;

/// How many games are held in memory as columns.
const ROW_GROUP: usize = 1 << 16;

/// Writes games to a Parquet file. Several pairings, of one game, follow each other.
pub fn write_parquet(path: &Path, rows: &[GameRows<'_>]) -> Result<(), Error> {
    let columns = columns(rows)?;
    let mut file = NewFile::create(path)?;
    write(&mut file, &columns, rows).map_err(|e| file.failed(e))?;
    file.finish()
}

fn write(file: &mut NewFile, columns: &[Column], rows: &[GameRows<'_>]) -> Result<(), ParquetError> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema(columns)?), Arc::new(properties))?;
    for pairing in rows {
        for games in pairing.games.chunks(ROW_GROUP) {
            let mut group = writer.next_row_group()?;
            for column in columns {
                let mut out = group.next_column()?.expect("there is a column for each of the schema");
                write_column(&mut out, column, pairing, games)?;
                out.close()?;
            }
            group.close()?;
        }
    }
    writer.close()?;
    Ok(())
}

fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.field.kind() {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Whole => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Kind::Real => (Physical::DOUBLE, None),
        };
        let builder = Type::primitive_type_builder(&column.name, physical);
        let field = builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()?;
        Ok(Arc::new(field))
    };
    let fields = columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("games").with_fields(fields).build()
}

fn write_column(
    out: &mut SerializedColumnWriter<'_>,
    column: &Column,
    pairing: &GameRows<'_>,
    games: &[GameResult],
) -> Result<(), ParquetError> {
    let cells = games.iter().map(|game| column.field.of(pairing, game));
    match column.field.kind() {
        Kind::Text => write_values::<ByteArrayType>(out, cells, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.as_ref())),
            _ => None,
        }),
        // Parquet's unsigned numbers are the signed ones' bits.
        Kind::Whole => write_values::<Int64Type>(out, cells, |cell| match cell {
            Cell::Whole(n) => Some(n as i64),
            _ => None,
        }),
        Kind::Real => write_values::<DoubleType>(out, cells, |cell| match cell {
            Cell::Real(x) => Some(x),
            _ => None,
        }),
    }
}

fn write_values<'a, T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Cell<'a>>,
    value: impl Fn(Cell<'a>) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let mut values = Vec::new();
    let mut there = Vec::new();
    for cell in cells {
        let value = value(cell);
        there.push(i16::from(value.is_some()));
        values.extend(value);
    }
    out.typed::<T>().write_batch(&values, Some(&there), None)?;
    Ok(())
}
