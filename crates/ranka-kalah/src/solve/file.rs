//! Endgame tables on disk.
//!
//! A file begins with a line of text that says what it holds, then come the words of the table, lowest byte first, and
//! a checksum of all that. Tables are read into memory whole: the checksum asks for every byte anyway, and memory of one's
//! own can come in large pages, which a mapped file's cannot.

use super::endgame::Endgame;
use crate::rules::{Capture, EndRule, Kalah, Leftover, Rules};
use flate2::Crc;
use ranka_core::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// The layout of the file; another one is refused.
const VERSION: u32 = 1;

/// Bytes that are read or written at a time.
const CHUNK: usize = 1 << 20;

impl Endgame {
    /// Writes the bytes of a file.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut crc = Crc::new();
        let mut put = |bytes: &[u8]| {
            crc.update(bytes);
            out.write_all(bytes)
        };
        put(header(&self.game, self.most()).as_bytes())?;
        for words in self.words.chunks(CHUNK / 8) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            put(&bytes)?;
        }
        out.write_all(&crc.sum().to_le_bytes())
    }

    /// Reads the table of a game from a file. A file that is damaged or of another game is refused, and by its first line
    /// one whose table takes more than `memory` bytes.
    pub fn load(game: &Kalah, path: &Path, memory: u64) -> Result<Endgame, Error> {
        let refuse = |why: &str| Error::input(why).in_file(path);
        let broken = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => refuse("an endgame table that ends too soon"),
            _ => Error::reading(path, &error),
        };
        let mut file = BufReader::with_capacity(CHUNK, File::open(path).map_err(broken)?);
        let mut line = Vec::new();
        // A line of a foreign file may have no end.
        file.by_ref().take(200).read_until(b'\n', &mut line).map_err(broken)?;
        let line = String::from_utf8(line).map_err(|_| refuse("no endgame table of Kalah"))?;
        let most =
            (1..=Endgame::most_seeds(game)).find(|&most| line == header(game, most)).ok_or_else(|| {
                if line.starts_with("ranka kalah endgame") {
                    refuse(&format!("a table of another game or version: {:?}", line.trim_end()))
                } else {
                    refuse("no endgame table of Kalah")
                }
            })?;
        let mut table = Endgame::empty(game, most);
        let mut left = table.word_count();
        let bytes = 8 * left as u64;
        if bytes > memory {
            let (needs, may) = (bytes.div_ceil(1 << 20), memory >> 20);
            let message = format!(
                "a table of {most} seeds takes {needs} MiB of memory, and only {may} MiB are left for it"
            );
            return Err(refuse(&message));
        }
        let mut crc = Crc::new();
        crc.update(line.as_bytes());
        table.words.reserve_exact(left);
        let mut bytes = vec![0; CHUNK];
        while left > 0 {
            let part = &mut bytes[..CHUNK.min(8 * left)];
            file.read_exact(part).map_err(broken)?;
            crc.update(part);
            let words =
                part.chunks_exact(8).map(|word| word.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
            table.words.extend(words);
            left -= part.len() / 8;
        }
        let mut sum = [0; 4];
        file.read_exact(&mut sum).map_err(broken)?;
        if u32::from_le_bytes(sum) != crc.sum() {
            return Err(refuse("a damaged endgame table: its checksum is wrong"));
        }
        if file.read(&mut sum).map_err(broken)? > 0 {
            return Err(refuse("an endgame table with something behind its end"));
        }
        Ok(table)
    }
}

fn header(game: &Kalah, most: u32) -> String {
    let Rules { capture, end, leftover, .. } = game.rules;
    let capture = if capture == Capture::Always { "always" } else { "nonempty" };
    let end = if end == EndRule::MoverEmpty { "mover_empty" } else { "either_empty" };
    // The third kind differs in words only.
    let leftover = if leftover == Leftover::None { "none" } else { "owner" };
    format!(
        "ranka kalah endgame {VERSION}: houses={} capture={capture} end={end} leftover={leftover} seeds={most}\n",
        game.houses
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_loaded_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables");
        let game = Kalah::standard(3, 3);
        let table = Endgame::build(&game, 9, 1);
        table.write(&mut File::create(&path).unwrap()).unwrap();
        let loaded = Endgame::load(&game, &path, table.bytes()).unwrap();
        assert_eq!((loaded.most(), &loaded.words), (9, &table.words));

        let refusal = |game: &Kalah| Endgame::load(game, &path, 1 << 20).unwrap_err().to_string();
        let other = Rules { capture: Capture::Always, ..Rules::STANDARD };
        assert!(refusal(&Kalah::with(3, 3, other).unwrap()).contains("another game"));
        assert!(refusal(&Kalah::standard(4, 3)).contains("another game"));
        let good = std::fs::read(&path).unwrap();
        let spoilt = |bytes: &[u8], why: &str| {
            std::fs::write(&path, bytes).unwrap();
            assert!(refusal(&game).contains(why), "{} instead of {why}", refusal(&game));
        };
        for at in [120, good.len() / 2, good.len() - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            spoilt(&bytes, "checksum");
        }
        spoilt(&good[..good.len() - 1], "ends too soon");
        spoilt(&[good.as_slice(), b"x"].concat(), "behind its end");
        spoilt(b"\x7fELF and more", "no endgame table");
        spoilt(&[0xff; 400], "no endgame table");
        spoilt(b"", "no endgame table");
    }

    #[test]
    fn a_table_too_large_is_refused_by_its_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables");
        let game = Kalah::standard(6, 4);
        // Nothing follows that could be read.
        std::fs::write(&path, header(&game, 26)).unwrap();
        let refused = Endgame::load(&game, &path, 1 << 30).unwrap_err().to_string();
        assert!(
            refused.contains("a table of 26 seeds takes 1722 MiB of memory, and only 1024 MiB"),
            "{refused}"
        );
    }
}
