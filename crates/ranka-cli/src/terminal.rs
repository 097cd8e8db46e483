//! The one way to standard output and standard error: whatever text is printed, a bot's name or somebody's record, it does
//! nothing to the terminal but colour itself.

use ranka_core::printable;
use std::io::{self, Write};

/// Lets text, lines, tabs and colours pass and writes every other control character out (`\u{1b}`).
pub(crate) struct Tame<W> {
    out: W,
    /// The beginning of a character or of a colour whose rest has not come yet.
    begun: Vec<u8>,
}

/// Standard output; colours are taken out where nobody sees them.
pub(crate) fn stdout() -> Tame<anstream::Stdout> {
    Tame::new(anstream::stdout())
}

/// Standard error, likewise.
pub(crate) fn stderr() -> Tame<anstream::Stderr> {
    Tame::new(anstream::stderr())
}

/// How a character or colour at the beginning of some bytes is to be printed.
enum Piece {
    /// As it stands: so many bytes.
    Plain(usize),
    /// Written out: a character of so many bytes.
    Acting(char, usize),
    /// What is no text: so many bytes.
    Broken(usize),
    /// More must come before that can be said.
    Begun,
}

impl<W: Write> Tame<W> {
    pub(crate) const fn new(out: W) -> Tame<W> {
        Tame { out, begun: Vec::new() }
    }

    /// Prints `bytes`, up to what is only begun, and answers how many those are.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (mut from, mut at) = (0, 0);
        while at < bytes.len() {
            let length = match piece(&bytes[at..]) {
                Piece::Plain(length) => {
                    at += length;
                    continue;
                }
                Piece::Begun => break,
                Piece::Acting(c, length) => {
                    self.out.write_all(&bytes[from..at])?;
                    self.out.write_all(printable(c).collect::<String>().as_bytes())?;
                    length
                }
                Piece::Broken(length) => {
                    self.out.write_all(&bytes[from..at])?;
                    self.out.write_all("\u{fffd}".as_bytes())?;
                    length
                }
            };
            at += length;
            from = at;
        }
        self.out.write_all(&bytes[from..at])?;
        Ok(at)
    }
}

fn piece(bytes: &[u8]) -> Piece {
    if bytes[0] == 0x1b {
        return match bytes.get(1) {
            None => Piece::Begun,
            Some(b'[') => {
                let digits =
                    bytes[2..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
                match bytes.get(2 + digits) {
                    Some(b'm') => Piece::Plain(3 + digits),
                    None if digits < 16 => Piece::Begun,
                    _ => Piece::Acting('\u{1b}', 1),
                }
            }
            Some(_) => Piece::Acting('\u{1b}', 1),
        };
    }
    let first = &bytes[..bytes.len().min(4)];
    let text = match str::from_utf8(first) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => str::from_utf8(&first[..error.valid_up_to()]).unwrap_or(""),
        Err(error) => return error.error_len().map_or(Piece::Begun, Piece::Broken),
    };
    match text.chars().next() {
        Some(c @ ('\n' | '\t')) => Piece::Plain(c.len_utf8()),
        Some(c) if printable(c).nth(1).is_some() => Piece::Acting(c, c.len_utf8()),
        Some(c) => Piece::Plain(c.len_utf8()),
        None => Piece::Begun,
    }
}

impl<W: Write> Write for Tame<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() {
            let passed = self.pass(bytes)?;
            self.begun.extend_from_slice(&bytes[passed..]);
        } else {
            let mut all = std::mem::take(&mut self.begun);
            all.extend_from_slice(bytes);
            let passed = self.pass(&all)?;
            self.begun.extend_from_slice(&all[passed..]);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(pieces: &[&[u8]]) -> String {
        let mut tame = Tame::new(Vec::new());
        pieces.iter().for_each(|piece| tame.write_all(piece).unwrap());
        String::from_utf8(tame.out).unwrap()
    }

    #[test]
    fn text_and_colours_pass() {
        let text = "爛柯\té\n\u{1b}[1;31mred\u{1b}[0m \u{1b}[m";
        assert_eq!(printed(&[text.as_bytes()]), text);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(printed(&bytes), text, "however it is cut");
    }

    #[test]
    fn whatever_else_acts_is_written_out() {
        for (text, shown) in [
            ("\u{1b}[2Jx", "\\u{1b}[2Jx"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[1A\rno", "\\u{1b}[1A\\rno"),
            ("\u{9b}1m \u{202e}abc", "\\u{9b}1m \\u{202e}abc"),
            ("\u{1b}\u{1b}[1mx", "\\u{1b}\u{1b}[1mx"),
            ("\u{1b}[11111111111111111111111111x", "\\u{1b}[11111111111111111111111111x"),
        ] {
            assert_eq!(printed(&[text.as_bytes()]), shown);
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(printed(&bytes), shown, "however it is cut");
        }
        assert_eq!(printed(&[b"a\xffb\xc3", b"\xa9"]), "a\u{fffd}bé");
    }
}
