//! What is wrong with a TOML file, in our words: with its line, and what was probably meant.

use crate::{Error, unknown};
use std::ops::Range;

/// The error for what a reader of TOML says of `source`: its message and where it found it. `name` is what the file is
/// called, if the error does not name it otherwise.
pub fn toml_mistake(name: Option<&str>, source: &str, message: &str, span: Option<Range<usize>>) -> Error {
    let from = span.map_or(0, |span| span.start.min(source.len()));
    let (place, told) = match misspelt(message) {
        Some((what, word, known)) => {
            // Of a word inside a table that is read as a whole only the table's place is known.
            let rest = source.get(from..).unwrap_or("");
            let nearer = if what == "key" { key_in(rest, word) } else { rest.find(&format!("\"{word}\"")) };
            (from + nearer.unwrap_or(0), unknown(what, word, &known))
        }
        None => (from, in_our_words(&message.trim_end().replace('\n', ", "))),
    };
    let line = 1 + source.bytes().take(place).filter(|&byte| byte == b'\n').count();
    let place = name.map_or_else(|| format!("line {line}"), |name| format!("{name}, line {line}"));
    Error::input(told).at(place)
}

/// What a parser says of what it was given, without the names of a program's types and fields.
pub fn in_our_words(message: &str) -> String {
    for (theirs, ours) in [("missing field `", "is missing"), ("duplicate field `", "is given twice")] {
        if let Some((before, rest)) = message.split_once(theirs)
            && let Some((name, after)) = rest.split_once('`')
        {
            return format!("{before}\"{name}\" {ours}{after}");
        }
    }
    let kinds = [
        ("expected u64", "expected a whole number from 0"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: table"),
    ];
    kinds.iter().fold(message.to_owned(), |message, (theirs, ours)| message.replace(theirs, ours))
}

/// What kind of word is not known, the word, and those that are.
fn misspelt(message: &str) -> Option<(&'static str, &str, Vec<&str>)> {
    let kinds = [("unknown field `", "key"), ("unknown variant `", "value")];
    let (rest, what) =
        kinds.into_iter().find_map(|(said, what)| Some((message.strip_prefix(said)?, what)))?;
    let (word, rest) = rest.split_once('`')?;
    // Between the quotes stand the words, and between those what joins them.
    let known = rest.split('`').skip(1).step_by(2).collect();
    Some((what, word, known))
}

/// Where a key is given.
fn key_in(text: &str, key: &str) -> Option<usize> {
    let given = |(place, _): &(usize, &str)| {
        let before = text[..*place].chars().next_back();
        let after = text[place + key.len()..].trim_start();
        before.is_none_or(|c| c.is_whitespace() || "{,[.\"".contains(c))
            && after.starts_with(['=', ']', '.', '"'])
    };
    text.match_indices(key).find(given).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "title = \"kinds\"\n\n[[plot]]\nfigure = \"win\"\nkind = \"curvs\"\n[games]\nquik = 1\n";

    fn told(message: &str, place: &str) -> String {
        let start = FILE.find(place).unwrap();
        toml_mistake(Some("mine.toml"), FILE, message, Some(start..start + 1)).to_string()
    }

    #[test]
    fn words_that_are_not_known_are_told_with_what_is_near() {
        assert_eq!(
            told("unknown field `quik`, expected one of `quick`, `paper`, `full`", "quik"),
            "mine.toml, line 7: unknown key \"quik\": did you mean quick? (known: quick, paper, full)"
        );
        // Of the whole table, or of the whole file.
        let expected =
            "mine.toml, line 5: unknown value \"curvs\": did you mean curves? (known: rates, curves)";
        let message = "unknown variant `curvs`, expected `rates` or `curves`";
        assert_eq!(told(message, "[[plot]]"), expected);
        assert_eq!(toml_mistake(Some("mine.toml"), FILE, message, None).to_string(), expected);
        assert!(told("unknown field `quik`, expected `quick`", "[games]").starts_with("mine.toml, line 7: "));
        let none = toml_mistake(None, FILE, "unknown field `title`, there are no fields", None).to_string();
        assert_eq!(none, "line 1: unknown key \"title\" (there are none)");
    }

    #[test]
    fn whatever_else_is_wrong_is_told_in_one_line() {
        assert_eq!(
            told("invalid string\nexpected `\"`\n", "figure"),
            "mine.toml, line 4: invalid string, expected `\"`"
        );
        assert_eq!(
            told("invalid value: integer `-4`, expected u64", "figure"),
            "mine.toml, line 4: invalid value: integer `-4`, expected a whole number from 0"
        );
        assert_eq!(
            told("invalid type: map, expected a sequence", "[games]"),
            "mine.toml, line 6: invalid type: table, expected a list"
        );
        assert_eq!(told("missing field `games`", "title"), "mine.toml, line 1: \"games\" is missing");
        assert_eq!(in_our_words("end: duplicate field `seat` at 3"), "end: \"seat\" is given twice at 3");
        let beyond = toml_mistake(None, "a", "it ends", Some(7..9)).to_string();
        assert_eq!(beyond, "line 1: it ends");
    }
}
