//! The table on disk: a few readable lines that say what it is, the last of them a checksum of all other bytes, then the
//! values, compressed.

use super::table::{QKind, QTable};
use crate::rules::Kalah;
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use ranka_core::{Error, Game as _, LARGE_FILE, Params, digest};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// The first line: the form and its version.
const MAGIC: &str = "ranka kalah q-table 2";

/// The first line of the form that had no checksum. It is still read.
const MAGIC_1: &str = "ranka kalah q-table 1";

/// The version of the rules that the values are for.
const RULES_VERSION: u32 = Kalah::INFO.version;

/// Writes a table.
pub fn write(table: &QTable, rules: &str, out: &mut dyn Write) -> io::Result<()> {
    let head = format!(
        "{MAGIC}\nversion {RULES_VERSION}\nrules {rules}\nkind {}\npositions {}\n",
        table.kind,
        table.positions()
    );
    let mut rows: Vec<_> = table.values.rows().collect();
    // One file for one table, whatever order the map keeps.
    rows.sort_by_key(|&(key, ..)| key);
    let mut zip = GzEncoder::new(Vec::new(), Compression::best());
    for (key, values, visited) in rows {
        let mask = visited.iter().rev().fold(0u8, |mask, &v| mask << 1 | u8::from(v));
        zip.write_all(&key.to_le_bytes())?;
        zip.write_all(&[mask])?;
        for (value, _) in values.iter().zip(visited).filter(|(_, visited)| **visited) {
            zip.write_all(&value.to_le_bytes())?;
        }
    }
    let values = zip.finish()?;
    let checksum = digest(&[head.as_bytes(), &values].concat());
    writeln!(out, "{head}checksum {checksum}")?;
    out.write_all(&values)?;
    out.flush()
}

/// Reads the table in `path`, which must be for `game`.
pub fn read(path: &Path, game: &Kalah) -> Result<QTable, Error> {
    let file = std::fs::File::open(path).map_err(|e| Error::reading(path, &e))?;
    parse(&mut BufReader::new(file), game).map_err(|e| e.in_file(path))
}

fn parse(input: &mut dyn BufRead, game: &Kalah) -> Result<QTable, Error> {
    let magic = line(input)?;
    if magic != MAGIC && magic != MAGIC_1 {
        return Err(Error::input(format!(
            "not a Q table of this version (its first line must be {MAGIC:?})"
        )));
    }
    let mut head = format!("{magic}\n");
    for _ in 0..4 {
        head += &(line(input)? + "\n");
    }
    let checksum = if magic == MAGIC { Some(field(input, "checksum")?) } else { None };
    let mut values = Vec::new();
    let read = input.take(LARGE_FILE + 1).read_to_end(&mut values);
    read.map_err(|e| Error::input(e.to_string()))?;
    if values.len() as u64 > LARGE_FILE {
        return Err(Error::input(format!(
            "it has more than {} MiB, too many for a Q table",
            LARGE_FILE >> 20
        )));
    }
    // Before anything is made of it: a damaged head could speak of another table.
    if checksum.is_some_and(|checksum| checksum != digest(&[head.as_bytes(), &values].concat())) {
        return Err(Error::input("the table is damaged: its checksum is not that of its bytes"));
    }
    let input = &mut &head.as_bytes()[magic.len() + 1..];
    let version = field(input, "version")?;
    if version != RULES_VERSION.to_string() {
        return Err(Error::input(format!(
            "the table is for version {version} of the rules, these are {RULES_VERSION}"
        )));
    }
    let rules = field(input, "rules")?;
    let params = Params::parse(&rules, Kalah::options()).map_err(|e| e.at("rules"))?;
    let table_game = Kalah::new(&params).map_err(|e| e.at("rules"))?;
    if table_game != *game {
        return Err(Error::input(format!("the table is for other rules ({rules})")));
    }
    let kind = kind(&field(input, "kind")?)?;
    let positions: u64 = number(&field(input, "positions")?)?;
    let mut table = QTable::new(game, kind)?;
    let mut zip = GzDecoder::new(values.as_slice());
    let broken = |e: io::Error| Error::input(format!("the values are damaged: {e}"));
    for _ in 0..positions {
        let (mut key, mut mask) = ([0; 16], [0]);
        zip.read_exact(&mut key).and_then(|()| zip.read_exact(&mut mask)).map_err(broken)?;
        let key = u128::from_le_bytes(key);
        if mask[0] >> game.houses != 0 || table.values.row(key).is_some() {
            return Err(Error::input("the values are damaged: a position is impossible or comes twice"));
        }
        for slot in (0..game.houses).filter(|slot| mask[0] >> slot & 1 == 1) {
            let mut value = [0; 8];
            zip.read_exact(&mut value).map_err(broken)?;
            let value = f64::from_le_bytes(value);
            if !value.is_finite() {
                return Err(Error::input(format!("the values are damaged: one is {value}")));
            }
            table.values.set(key, slot, value);
        }
    }
    let more = zip.read(&mut [0]).map_err(broken)?;
    if more > 0 || !zip.into_inner().fill_buf().map_err(broken)?.is_empty() {
        return Err(Error::input(format!(
            "the values are damaged: something follows the {positions} positions"
        )));
    }
    Ok(table)
}

/// The next line, which must be short.
fn line(input: &mut dyn BufRead) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let read = input.take(1000).read_until(b'\n', &mut bytes);
    read.map_err(|e| Error::input(e.to_string()))?;
    if bytes.pop() != Some(b'\n') {
        return Err(Error::input("not a Q table: it ends within its head"));
    }
    String::from_utf8(bytes).map_err(|_| Error::input("not a Q table: its head is not text"))
}

fn field(input: &mut dyn BufRead, name: &str) -> Result<String, Error> {
    let line = line(input)?;
    let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    value
        .map(str::to_owned)
        .ok_or_else(|| Error::input(format!("expected the line {name:?}, found {line:?}")))
}

fn number(text: &str) -> Result<u64, Error> {
    text.parse().map_err(|_| Error::input(format!("expected a number, found {text:?}")))
}

fn kind(text: &str) -> Result<QKind, Error> {
    let wrong = || Error::input(format!("kind {text:?}: expected backup=…,reward=…,discount=…"));
    let mut values = text.split(',').map(|pair| pair.split_once('=').map(|(_, value)| value));
    let mut next = || values.next().flatten().ok_or_else(wrong);
    QKind::named(next()?, next()?, next()?)
}
