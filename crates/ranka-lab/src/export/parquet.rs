//! The table as a Parquet file.
//!
//! A table of nullable text and numbers needs little of the format, and the crate `parquet` takes longer to compile
//! than any of the games; so this writes the file itself, and the tests read it with that crate. A row group holds its
//! columns one after the other, a column its values in pages, each compressed; a description of it all stands at the end.

mod thrift;

use self::thrift::{Fields, write_struct, write_varint};
use super::{Cell, Column, GameRows, Kind, columns};
use crate::{GameResult, NewFile};
use flate2::{Compression, write::GzEncoder};
use ranka_core::Error;
use std::io::{self, Write};
use std::path::Path;

/// How many games are a row group.
const ROW_GROUP: usize = 1 << 14;
/// How many values of a column are held in memory and compressed together.
const PAGE: usize = 1 << 12;
/// What a Parquet file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

// Numbers by which the format calls things.
const OPTIONAL: i32 = 1;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const GZIP: i32 = 2;
const DATA_PAGE: i32 = 0;

/// Writes games to a Parquet file. Several pairings, of one game, follow each other.
pub fn write_parquet(path: &Path, rows: &[GameRows<'_>]) -> Result<(), Error> {
    let columns = columns(rows)?;
    let mut file = NewFile::create(path)?;
    write(&mut file, &columns, rows)?.map_err(|e| file.failed(e))?;
    file.finish()
}

/// What the description at the end says of a column of a row group.
struct Chunk {
    begin: usize,
    plain_bytes: usize,
    bytes: usize,
}

struct RowGroup {
    rows: usize,
    chunks: Vec<Chunk>,
}

/// The outer error is that games cannot be read.
fn write(file: &mut NewFile, columns: &[Column], rows: &[GameRows<'_>]) -> Result<io::Result<()>, Error> {
    let mut groups: Vec<RowGroup> = Vec::new();
    let mut at = MAGIC.len();
    if let Err(error) = file.write_all(MAGIC) {
        return Ok(Err(error));
    }
    for pairing in rows {
        for games in pairing.games.pages(ROW_GROUP) {
            let games = games?;
            if games.is_empty() {
                continue;
            }
            match write_group(file, at, columns, pairing, &games) {
                Ok(group) => {
                    at += group.chunks.iter().map(|chunk| chunk.bytes).sum::<usize>();
                    groups.push(group);
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }
    let description = description(columns, &groups);
    let end = [&description[..], &(description.len() as u32).to_le_bytes(), MAGIC].concat();
    Ok(file.write_all(&end))
}

/// Writes a row group to the file, of which `begin` bytes are written.
fn write_group(
    file: &mut NewFile,
    begin: usize,
    columns: &[Column],
    pairing: &GameRows<'_>,
    games: &[GameResult],
) -> io::Result<RowGroup> {
    let mut at = begin;
    let mut chunks = Vec::new();
    for column in columns {
        let chunk = write_chunk(file, at, column, pairing, games)?;
        at += chunk.bytes;
        chunks.push(chunk);
    }
    Ok(RowGroup { rows: games.len(), chunks })
}

/// Writes a column of a row group to the file, of which `begin` bytes are written.
fn write_chunk(
    file: &mut NewFile,
    begin: usize,
    column: &Column,
    pairing: &GameRows<'_>,
    games: &[GameResult],
) -> io::Result<Chunk> {
    let mut chunk = Chunk { begin, plain_bytes: 0, bytes: 0 };
    for games in games.chunks(PAGE) {
        let plain = page(games.iter().map(|game| column.field.of(pairing, game)));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&plain)?;
        let packed = gzip.finish()?;
        let mut header = Vec::new();
        write_struct(&mut header, |page| {
            page.i32(1, DATA_PAGE);
            page.i32(2, plain.len() as i32);
            page.i32(3, packed.len() as i32);
            page.nested(5, |data| {
                data.i32(1, games.len() as i32);
                data.i32(2, PLAIN);
                data.i32(3, RLE); // of what is there and what is null
                data.i32(4, RLE); // of lists, which do not occur
            });
        });
        file.write_all(&header)?;
        file.write_all(&packed)?;
        chunk.plain_bytes += header.len() + plain.len();
        chunk.bytes += header.len() + packed.len();
    }
    Ok(chunk)
}

/// A page before compression: which values are there, as runs, then those that are.
fn page<'a>(cells: impl Iterator<Item = Cell<'a>>) -> Vec<u8> {
    let (mut runs, mut values) = (Runs::default(), Vec::new());
    for cell in cells {
        runs.push(cell != Cell::Nothing);
        match cell {
            Cell::Nothing => {}
            Cell::Text(text) => {
                values.extend((text.len() as u32).to_le_bytes());
                values.extend(text.as_bytes());
            }
            Cell::Whole(n) => values.extend(n.to_le_bytes()),
            Cell::Real(x) => values.extend(x.to_le_bytes()),
        }
    }
    let runs = runs.finish();
    let mut page = Vec::with_capacity(4 + runs.len() + values.len());
    page.extend((runs.len() as u32).to_le_bytes());
    page.extend(runs);
    page.extend(values);
    page
}

/// Bits in run-length encoding.
#[derive(Default)]
struct Runs {
    out: Vec<u8>,
    bit: bool,
    length: u64,
}

impl Runs {
    fn push(&mut self, bit: bool) {
        if bit != self.bit {
            self.end_run();
            self.bit = bit;
        }
        self.length += 1;
    }

    fn end_run(&mut self) {
        if self.length > 0 {
            write_varint(&mut self.out, self.length << 1);
            self.out.push(self.bit.into());
        }
        self.length = 0;
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_run();
        self.out
    }
}

/// `FileMetaData`: the schema, and where to find what.
fn description(columns: &[Column], groups: &[RowGroup]) -> Vec<u8> {
    let mut out = Vec::new();
    // The schema is a tree in preorder: the table, then its columns.
    let schema: Vec<Option<&Column>> = std::iter::once(None).chain(columns.iter().map(Some)).collect();
    write_struct(&mut out, |file| {
        file.i32(1, 1);
        file.structs(2, &schema, |element, column| match column {
            None => {
                element.text(4, "games");
                element.i32(5, columns.len() as i32);
            }
            Some(column) => describe_column(element, column),
        });
        file.i64(3, groups.iter().map(|group| group.rows as i64).sum());
        file.structs(4, groups, |out, group| describe_group(out, columns, group));
        file.text(6, concat!("ranka version ", env!("CARGO_PKG_VERSION")));
    });
    out
}

fn describe_column(element: &mut Fields<'_>, column: &Column) {
    element.i32(1, physical_type(column));
    element.i32(3, OPTIONAL);
    element.text(4, &column.name);
    // What the values mean is said twice: for old readers, and for those of this decade.
    match column.field.kind() {
        Kind::Text => {
            element.i32(6, 0);
            element.nested(10, |meaning| meaning.nested(1, |_| ()));
        }
        Kind::Whole => {
            element.i32(6, 14);
            element.nested(10, |meaning| {
                meaning.nested(10, |integer| {
                    integer.byte(1, 64);
                    integer.bool(2, false);
                });
            });
        }
        Kind::Real => {}
    }
}

fn describe_group(out: &mut Fields<'_>, columns: &[Column], group: &RowGroup) {
    let chunks: Vec<(&Column, &Chunk)> = columns.iter().zip(&group.chunks).collect();
    out.structs(1, &chunks, |out, (column, chunk)| {
        out.i64(2, chunk.begin as i64);
        out.nested(3, |out| {
            out.i32(1, physical_type(column));
            out.i32s(2, &[PLAIN, RLE]);
            out.texts(3, &[&column.name]);
            out.i32(4, GZIP);
            out.i64(5, group.rows as i64);
            out.i64(6, chunk.plain_bytes as i64);
            out.i64(7, chunk.bytes as i64);
            out.i64(9, chunk.begin as i64);
        });
    });
    out.i64(2, group.chunks.iter().map(|chunk| chunk.plain_bytes as i64).sum());
    out.i64(3, group.rows as i64);
}

fn physical_type(column: &Column) -> i32 {
    match column.field.kind() {
        Kind::Text => 6,  // BYTE_ARRAY
        Kind::Whole => 2, // INT64; an unsigned number is the signed one's bits
        Kind::Real => 5,  // DOUBLE
    }
}
