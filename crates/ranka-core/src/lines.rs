//! Reading lines that somebody sends: each has a bound, for it may never end.

use crate::Error;
use std::io::{BufRead, Read as _};

/// The most bytes of a line that a person or another program sends: more than any position or message has.
pub const LONG_LINE: usize = 1 << 20;

/// Lines of a file or stream. It keeps one of them at a time.
pub struct Lines<R> {
    input: R,
    name: String,
    most: usize,
    number: u64,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`, which people know by `name`. A line of more than `most` bytes is an error.
    pub fn new(input: R, name: impl Into<String>, most: usize) -> Lines<R> {
        Lines { input, name: name.into(), most, number: 0, line: Vec::new() }
    }

    /// The next line without its ending; nothing when all are read. After an error there is no going on: the rest of a
    /// line that is too long may never end.
    pub fn read(&mut self) -> Result<Option<&[u8]>, Error> {
        self.line.clear();
        self.number += 1;
        // Room for the ending.
        let room = self.most as u64 + 2;
        let read = (&mut self.input).take(room).read_until(b'\n', &mut self.line);
        if read.map_err(|error| Error::reading(&self.name, &error))? == 0 {
            return Ok(None);
        }
        if self.line.pop_if(|last| *last == b'\n').is_some() {
            self.line.pop_if(|last| *last == b'\r');
        }
        if self.line.len() > self.most {
            let most = self.most >> 10;
            return Err(Error::input(format!("the line has more than {most} KiB, which is too long"))
                .at(self.place()));
        }
        Ok(Some(&self.line))
    }

    /// Where the line stands that was read last.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.name, self.number)
    }

    /// What is read.
    pub const fn input(&self) -> &R {
        &self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn lines_come_one_by_one() {
        let mut lines = Lines::new(b"one\r\n\ntwo\rmore\nlast".as_slice(), "it", 8);
        for expected in ["one", "", "two\rmore", "last"] {
            assert_eq!(lines.read().unwrap(), Some(expected.as_bytes()));
        }
        assert_eq!(lines.place(), "it, line 4");
        assert_eq!(lines.read().unwrap(), None);
    }

    #[test]
    fn a_line_is_bounded_without_its_ending() {
        for long in ["12345678\n", "12345678\r\n", "12345678"] {
            assert_eq!(Lines::new(long.as_bytes(), "it", 8).read().unwrap(), Some(b"12345678".as_slice()));
        }
        for longer in ["123456789\n", "123456789\r\n", "123456789"] {
            assert_eq!(Lines::new(longer.as_bytes(), "it", 8).read().unwrap_err().kind(), ErrorKind::Input);
        }
    }

    #[test]
    fn a_line_that_never_ends_is_refused() {
        let endless = std::io::BufReader::new(std::io::repeat(b'0'));
        let mut lines = Lines::new(endless, "standard input", LONG_LINE);
        let refused = lines.read().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "standard input, line 1: the line has more than 1024 KiB, which is too long"
        );
        assert!(lines.line.len() <= LONG_LINE + 2);
    }
}
