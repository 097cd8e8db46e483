//! One line: `[id][@ref] name argument …`.

use super::Board;
use ranka_core::{Error, NotationError, Scanner};
use std::fmt;

/// A command with whatever identifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The sender's number for this line.
    pub id: Option<u64>,
    /// The number of the other side's line that this one answers.
    pub reference: Option<u64>,
    /// What is said.
    pub name: String,
    /// With what.
    pub args: Vec<Arg>,
}

/// An argument. Numbers are words until somebody asks for the number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A word, a whole number or a real.
    Word(String),
    /// Text that was quoted.
    Text(String),
    /// A board.
    Board(Board),
}

impl Line {
    /// Reads a line without its ending, as liberally as the protocol asks for.
    pub fn read(text: &str) -> Result<Line, NotationError> {
        let mut scan = Scanner::new(text);
        blanks(&mut scan);
        let (id, reference) = numbers(&mut scan)?;
        let name = scan.take_while(|c| c.is_ascii_alphanumeric()).to_owned();
        if name.is_empty() {
            return Err(scan.error("expected a command: letters and digits"));
        }
        let mut args = Vec::new();
        loop {
            let blank = blanks(&mut scan);
            match scan.peek() {
                None => return Ok(Line { id, reference, name, args }),
                Some(_) if !blank => return Err(scan.error("expected a blank before the next argument")),
                Some('"') => args.push(Arg::Text(quoted(&mut scan)?)),
                Some('<') => args.push(Arg::Board(Board::scan(&mut scan)?)),
                Some(_) => args.push(Arg::Word(scan.take_while(|c| !c.is_whitespace()).to_owned())),
            }
        }
    }

    /// The arguments, if there are as many as there should be.
    pub fn args<const N: usize>(&self) -> Result<&[Arg; N], Error> {
        self.args
            .as_slice()
            .try_into()
            .map_err(|_| Error::input(format!("{} takes {N} arguments, not {}", self.name, self.args.len())))
    }
}

/// `4@3`, `4`, `@3` or nothing, with the blank that follows.
fn numbers(scan: &mut Scanner<'_>) -> Result<(Option<u64>, Option<u64>), NotationError> {
    let mut ahead = scan.clone();
    let number = |scan: &mut Scanner<'_>| {
        let place = scan.place();
        let digits = scan.take_while(|c| c.is_ascii_digit());
        let number = (!digits.is_empty()).then(|| digits.parse::<u64>()).transpose();
        number.map_err(|_| scan.error_at(place, "the number is beyond any line's"))
    };
    let id = number(&mut ahead)?;
    let reference = if ahead.accept("@") {
        let found = number(&mut ahead)?;
        Some(found.ok_or_else(|| ahead.error("expected the number of a line behind @"))?)
    } else {
        None
    };
    // Without a blank behind them the digits begin the command.
    if (id, reference) == (None, None) || !blanks(&mut ahead) || ahead.peek().is_none() {
        return match reference {
            Some(_) => Err(ahead.error("expected a blank and a command")),
            None => Ok((None, None)),
        };
    }
    *scan = ahead;
    Ok((id, reference))
}

fn blanks(scan: &mut Scanner<'_>) -> bool {
    !scan.take_while(char::is_whitespace).is_empty()
}

fn quoted(scan: &mut Scanner<'_>) -> Result<String, NotationError> {
    let begin = scan.place();
    scan.expect("\"")?;
    let mut text = String::new();
    loop {
        text.push_str(scan.take_while(|c| c != '"' && c != '\\'));
        if scan.accept("\"") {
            return Ok(text);
        }
        scan.accept("\\");
        let Some(c) = scan.peek() else {
            return Err(scan.error_at(begin, "the text lacks its closing quote"));
        };
        scan.accept(c.encode_utf8(&mut [0; 4]));
        text.push(match c {
            'n' => '\n',
            't' => '\t',
            other => other,
        });
    }
}

impl Arg {
    /// A whole number as an argument.
    pub fn number(number: impl fmt::Display) -> Arg {
        Arg::Word(number.to_string())
    }

    /// Words and quoted text are the same where text is expected.
    pub fn text(&self) -> Result<&str, Error> {
        match self {
            Arg::Word(text) | Arg::Text(text) => Ok(text),
            Arg::Board(_) => Err(Error::input(format!("{self} is a board, not text"))),
        }
    }

    /// The whole number that the argument is.
    pub fn integer(&self) -> Result<i64, Error> {
        let word = if let Arg::Word(word) = self { word.parse().ok() } else { None };
        word.ok_or_else(|| Error::input(format!("{self} is no whole number")))
    }

    /// The board that the argument is.
    pub fn board(&self) -> Result<&Board, Error> {
        match self {
            Arg::Board(board) => Ok(board),
            _ => Err(Error::input(format!("{self} is no board"))),
        }
    }

    /// A yes or no: the words of the reference server, or a number of which 0 means no.
    pub fn flag(&self) -> Result<bool, Error> {
        match self.text().unwrap_or_default().to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" => Ok(true),
            "false" | "f" | "no" => Ok(false),
            _ => self
                .integer()
                .map(|n| n != 0)
                .map_err(|_| Error::input(format!("{self} is neither true nor false"))),
        }
    }
}

/// As it is sent, without its ending.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        if let Some(reference) = self.reference {
            write!(f, "@{reference}")?;
        }
        if self.id.is_some() || self.reference.is_some() {
            f.write_str(" ")?;
        }
        f.write_str(&self.name)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Word(word) => f.write_str(word),
            Arg::Board(board) => board.fmt(f),
            Arg::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        '\n' => f.write_str("\\n")?,
                        '\t' => f.write_str("\\t")?,
                        c if c.is_control() => f.write_str(" ")?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: Option<u64>, reference: Option<u64>, name: &str, args: Vec<Arg>) -> Line {
        Line { id, reference, name: name.to_owned(), args }
    }

    fn word(text: &str) -> Arg {
        Arg::Word(text.to_owned())
    }

    #[test]
    fn lines_of_the_real_programs_are_read() {
        let text = |text: &str| Arg::Text(text.to_owned());
        for (read, expected) in [
            ("2 kgp 1 0 1", line(Some(2), None, "kgp", vec![word("1"), word("0"), word("1")])),
            ("7@8 move 2", line(Some(7), Some(8), "move", vec![word("2")])),
            ("@4 move +1", line(None, Some(4), "move", vec![word("+1")])),
            ("  stop \t", line(None, None, "stop", vec![])),
            ("1 mode \"freeplay\"", line(Some(1), None, "mode", vec![text("freeplay")])),
            ("set info:name x-1", line(None, None, "set", vec![word("info:name"), word("x-1")])),
            (
                r#"3 set "info:name" "a \"b\" \\ \n c""#,
                line(Some(3), None, "set", vec![text("info:name"), text("a \"b\" \\ \n c")]),
            ),
            ("1 eval -.5", line(Some(1), None, "eval", vec![word("-.5")])),
            ("12", line(None, None, "12", vec![])),
        ] {
            assert_eq!(Line::read(read).unwrap(), expected, "{read}");
        }
        let state = Line::read("8 state < 3,0,0, 3,3,3,3,3,3 > 2").unwrap();
        assert_eq!(state.to_string(), "8 state <3,0,0,3,3,3,3,3,3> 2");
        assert_eq!(state.args[1].integer(), Ok(2));
    }

    #[test]
    fn what_is_no_line_is_told() {
        for text in [
            "",
            "  ",
            "@",
            "4@ move",
            "@4",
            "4@3",
            "-1 move",
            "1 set \"x",
            "1 set \"x\\",
            "1 x<1,0,0,1,1>",
            "1 move \"1\"2",
            "99999999999999999999 move 1",
            "1 state <1,0,0,1>",
            "\u{0}",
        ] {
            assert!(Line::read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let said =
            line(Some(5), Some(6), "set", vec![Arg::Text("a \"b\"\\\n\t爛柯".to_owned()), word("1.5")]);
        assert_eq!(Line::read(&said.to_string()).unwrap(), said);
        let spoilt = Arg::Text("a\r\u{7}b".to_owned());
        assert_eq!(spoilt.to_string(), "\"a  b\"", "nothing ends a line before its end");
    }

    #[test]
    fn flags_come_in_both_forms() {
        for (text, flag) in [("true", true), ("T", true), ("yes", true), ("1", true), ("-2", true)] {
            assert_eq!(word(text).flag(), Ok(flag), "{text}");
        }
        for text in ["false", "f", "NO", "0"] {
            assert_eq!(word(text).flag(), Ok(false), "{text}");
        }
        assert!(word("maybe").flag().is_err());
    }
}
