//! Named parameters of agents and rules: declared once, checked, printed and offered everywhere alike.

use crate::{Error, LARGE_FILE, read_bytes};
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::fmt::{self, Write as _};

/// What a parameter's value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// A whole number.
    Int {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A real number.
    Real {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Any text that is neither of the following.
    Text,
    /// A file's path, or one of these words, which stand for what comes with Ranka. The file's content is part of the
    /// identity of whatever takes it, and only who sits at the machine may name one.
    File(&'static [&'static str]),
    /// A program with its arguments. Only who sits at the machine may name one.
    Program,
}

impl ParamKind {
    /// Whether this value reaches beyond the words that come with Ranka: to a file or a program of this machine.
    pub fn reaches_out(&self, value: &str) -> bool {
        match self {
            ParamKind::Int { .. } | ParamKind::Real { .. } | ParamKind::Choice(_) | ParamKind::Text => false,
            ParamKind::File(words) => !words.contains(&value),
            ParamKind::Program => true,
        }
    }
}

/// The choices of a switch.
pub(crate) const SWITCH: &[&str] = &["off", "on"];

/// The declaration of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub key: &'static str,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is when nobody says otherwise.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Whether it was spelled with underscores once. Identities keep that spelling, so that games that were kept under it
    /// are found again.
    once_snake: bool,
    /// Whether there were games without it. Identities leave its default out, for the same reason.
    added_later: bool,
    /// Whether it is only a name for people, of which nothing depends.
    is_label: bool,
}

impl Param {
    const fn new(key: &'static str, kind: ParamKind, default: &'static str, help: &'static str) -> Param {
        Param { key, kind, default, help, once_snake: false, added_later: false, is_label: false }
    }

    /// The same parameter, which was spelled with underscores once, its key and its words.
    pub const fn once_snake(mut self) -> Param {
        self.once_snake = true;
        self
    }

    /// The same parameter, which was not there from the beginning, and whose default is how things were without it.
    pub const fn added_later(mut self) -> Param {
        self.added_later = true;
        self
    }

    /// The same parameter as a name for people: not part of the identity, and shown instead of all parameters.
    pub const fn label(mut self) -> Param {
        self.is_label = true;
        self
    }

    /// A whole number.
    pub const fn int(
        key: &'static str,
        min: i64,
        max: i64,
        default: &'static str,
        help: &'static str,
    ) -> Param {
        Param::new(key, ParamKind::Int { min, max }, default, help)
    }

    /// A real number.
    pub const fn real(
        key: &'static str,
        min: f64,
        max: f64,
        default: &'static str,
        help: &'static str,
    ) -> Param {
        Param::new(key, ParamKind::Real { min, max }, default, help)
    }

    /// One of some words; the first is the default.
    pub const fn choice(key: &'static str, words: &'static [&'static str], help: &'static str) -> Param {
        Param::new(key, ParamKind::Choice(words), words[0], help)
    }

    /// On or off.
    pub const fn switch(key: &'static str, on: bool, help: &'static str) -> Param {
        Param::new(key, ParamKind::Choice(SWITCH), SWITCH[on as usize], help)
    }

    /// Any text.
    pub const fn text(key: &'static str, default: &'static str, help: &'static str) -> Param {
        Param::new(key, ParamKind::Text, default, help)
    }

    /// A file, or one of some words; the first is the default.
    pub const fn file(key: &'static str, words: &'static [&'static str], help: &'static str) -> Param {
        Param::new(key, ParamKind::File(words), words[0], help)
    }

    /// A program with its arguments.
    pub const fn program(key: &'static str, help: &'static str) -> Param {
        Param::new(key, ParamKind::Program, "", help)
    }

    /// Whether it must be given: there is no word that stands for a program, nor for every file.
    pub fn is_required(&self) -> bool {
        matches!(self.kind, ParamKind::Program | ParamKind::File([""]))
    }

    /// The allowed values in words, as `--help` and errors show them.
    pub fn range(&self) -> String {
        match self.kind {
            ParamKind::Int { min, max } => format!("{min}..{max}"),
            ParamKind::Real { min, max } => format!("{min} to {max}"),
            ParamKind::Choice(words) => words.join("|"),
            ParamKind::Text => "text".to_owned(),
            ParamKind::File(words) => {
                let words = words.iter().filter(|word| !word.is_empty());
                words.fold("a file".to_owned(), |range, word| format!("{range}|{word}"))
            }
            ParamKind::Program => "a program".to_owned(),
        }
    }

    /// As `--json` names the kind.
    pub const fn kind_name(&self) -> &'static str {
        match self.kind {
            ParamKind::Int { .. } => "int",
            ParamKind::Real { .. } => "real",
            ParamKind::Choice(_) => "choice",
            ParamKind::Text => "text",
            ParamKind::File(_) => "file",
            ParamKind::Program => "program",
        }
    }

    /// The value in its one canonical spelling, or why it is none.
    fn canonical(&self, value: &str) -> Result<String, Error> {
        let refuse = || {
            let expected = match self.kind {
                ParamKind::Int { .. } => "a whole number in",
                ParamKind::Real { .. } => "a number from",
                ParamKind::Choice(_) => "one of",
                ParamKind::Text | ParamKind::File(_) | ParamKind::Program => "",
            };
            Error::input(format!("{}={value}: expected {expected} {}", self.key, self.range()))
        };
        match self.kind {
            ParamKind::Int { min, max } => match value.parse::<i64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(n.to_string()),
                _ => Err(refuse()),
            },
            ParamKind::Real { min, max } => match value.parse::<f64>() {
                Ok(x) if (min..=max).contains(&x) => Ok(x.to_string()),
                _ => Err(refuse()),
            },
            ParamKind::Choice(words) => {
                let kebab = value.replace('_', "-");
                let found = words.iter().find(|&&word| word == value || word == kebab);
                found.map(|word| (*word).to_owned()).ok_or_else(refuse)
            }
            ParamKind::Text | ParamKind::File(_) | ParamKind::Program => Ok(value.to_owned()),
        }
    }
}

/// Checked values for a list of declared parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    declared: Vec<Param>,
    values: Vec<String>,
}

impl Params {
    /// Every parameter at its default.
    pub fn defaults(declared: Vec<Param>) -> Params {
        let values = declared.iter().map(|p| p.default.to_owned()).collect();
        Params { declared, values }
    }

    /// Reads `key=value,key="quoted value"`; what is not named keeps its default. Words may be joined by underscores
    /// instead of hyphens.
    pub fn parse(text: &str, declared: Vec<Param>) -> Result<Params, Error> {
        let mut params = Params::defaults(declared);
        let mut given = Vec::new();
        for (key, value) in split(text)? {
            let Some(i) = params.declared.iter().position(|p| p.key == key.replace('_', "-")) else {
                let known: Vec<&str> = params.declared.iter().map(|p| p.key).collect();
                return Err(Error::input(unknown("parameter", &key, &known)));
            };
            if given.contains(&i) {
                return Err(Error::input(format!("parameter {key:?} is given twice")));
            }
            given.push(i);
            params.values[i] = params.declared[i].canonical(&value)?;
        }
        Ok(params)
    }

    /// The same with some values changed.
    pub fn with(&self, changes: &[(&'static str, String)]) -> Result<Params, Error> {
        let mut params = self.clone();
        for (key, value) in changes {
            let i = params.index(key);
            params.values[i] = params.declared[i].canonical(value)?;
        }
        Ok(params)
    }

    /// A parameter's value.
    ///
    /// # Panics
    /// Like all readers here: if `key` was not declared, or is of another kind.
    pub fn text(&self, key: &str) -> &str {
        &self.values[self.index(key)]
    }

    fn index(&self, key: &str) -> usize {
        let found = self.declared.iter().position(|p| p.key == key);
        found.unwrap_or_else(|| panic!("parameter {key} is not declared"))
    }

    /// A whole number's value.
    pub fn int(&self, key: &str) -> i64 {
        self.text(key).parse().unwrap_or_else(|_| panic!("parameter {key} is not a whole number"))
    }

    /// A real number's value.
    pub fn real(&self, key: &str) -> f64 {
        self.text(key).parse().unwrap_or_else(|_| panic!("parameter {key} is not a real number"))
    }

    /// A switch's value.
    pub fn on(&self, key: &str) -> bool {
        self.text(key) == "on"
    }

    /// All parameters as `key=value,…`, so that a record tells everything.
    pub fn full(&self) -> String {
        join(self.given().map(|(param, value)| (param.key, value)))
    }

    /// Only those that differ from their defaults, for people.
    pub fn short(&self) -> String {
        join(
            self.given()
                .filter(|(param, value)| param.default != *value)
                .map(|(param, value)| (param.key, value)),
        )
    }

    /// All parameters, and a digest of each file that one names: two that are equal behave alike.
    pub fn identity(&self) -> String {
        let snake = |text: &str| text.replace('-', "_");
        let telling = |(param, value): &(&Param, &str)| {
            !(param.is_label || param.added_later && param.default == *value)
        };
        let telling = self.given().filter(telling);
        let spelled = telling.map(|(param, value)| match param.once_snake {
            true if matches!(param.kind, ParamKind::Choice(_)) => (snake(param.key), snake(value)),
            true => (snake(param.key), value.to_owned()),
            false => (param.key.to_owned(), value.to_owned()),
        });
        let mut out = join(spelled);
        for (param, value) in self.given() {
            // What cannot be read here is no file: a folder, several files, or a table itself instead of its file. Whoever
            // takes it reads it, refuses what is not there, and adds to the identity what it made of it.
            if let (ParamKind::File(_), true) = (param.kind, param.kind.reaches_out(value))
                && let Ok(content) = read_bytes(value, LARGE_FILE)
            {
                let _ = write!(out, ";{} is {}", param.key, digest(&content));
            }
        }
        out
    }

    /// Refuses files whose content can be read only once, such as pipes: it belongs to the identity as well.
    pub(crate) fn refuse_pipes(&self) -> Result<(), Error> {
        for (param, value) in self.given() {
            if let (ParamKind::File(_), true) = (param.kind, param.kind.reaches_out(value))
                && std::fs::metadata(value).is_ok_and(|found| !found.is_file() && !found.is_dir())
            {
                let why = "is no file whose content stays: write it to a file first";
                return Err(Error::input(format!("{}={value}: {why}", param.key)));
            }
        }
        Ok(())
    }

    /// The name that people know it by, if it was given one.
    pub fn label(&self) -> Option<&str> {
        let named = self.given().find(|(param, value)| param.is_label && !value.is_empty());
        named.map(|(_, value)| value)
    }

    /// The same under a name for people, where it has none and there is a parameter for one.
    pub fn labelled(mut self, name: &str) -> Params {
        if let Some(i) = self.declared.iter().position(|param| param.is_label)
            && self.values[i].is_empty()
        {
            name.clone_into(&mut self.values[i]);
        }
        self
    }

    /// The values that reach beyond what comes with Ranka, to files and programs of this machine.
    pub fn reaching_out(&self) -> impl Iterator<Item = (&Param, &str)> {
        self.given().filter(|(param, value)| param.kind.reaches_out(value))
    }

    fn given(&self) -> impl Iterator<Item = (&Param, &str)> {
        self.declared.iter().zip(self.values.iter().map(String::as_str))
    }
}

fn join<K: Borrow<str>, V: Borrow<str>>(pairs: impl Iterator<Item = (K, V)>) -> String {
    let mut out = String::new();
    for (key, value) in pairs {
        let comma = if out.is_empty() { "" } else { "," };
        let _ = write!(out, "{comma}{}={}", key.borrow(), quoted(value.borrow()));
    }
    out
}

/// A short text that is another for any other content.
pub fn digest(content: &[u8]) -> String {
    Sha256::digest(content)[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(value: &str) -> String {
    if value.is_empty() || value.contains([',', '"', ' ', '=']) {
        format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        value.to_owned()
    }
}

/// Splits `key=value,key="a, b"` into its pairs.
fn split(text: &str) -> Result<Vec<(String, String)>, Error> {
    let mut pairs = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        let mut key = String::new();
        loop {
            match chars.next() {
                Some('=') => break,
                Some(c) if c != ',' => key.push(c),
                _ => return Err(Error::input(format!("{:?} has no value: write key=value", key.trim()))),
            }
        }
        let mut value = String::new();
        if chars.next_if_eq(&'"').is_some() {
            loop {
                match chars.next() {
                    Some('"') => break,
                    Some('\\') => value.extend(chars.next()),
                    Some(c) => value.push(c),
                    None => {
                        return Err(Error::input(format!("the value of {key:?} lacks its closing quote")));
                    }
                }
            }
            if chars.peek().is_some_and(|&c| c != ',') {
                return Err(Error::input(format!(
                    "after the quoted value of {key:?} comes a comma or nothing"
                )));
            }
        } else {
            while let Some(c) = chars.next_if(|&c| c != ',') {
                value.push(c);
            }
        }
        pairs.push((key.trim().to_owned(), value));
        if chars.next().is_some() && chars.peek().is_none() {
            return Err(Error::input(format!("{text:?} ends with a comma")));
        }
    }
    Ok(pairs)
}

/// An agent as people write it: `name:key=value,key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// The agent's name.
    pub name: String,
    /// What stands behind the colon.
    pub params: String,
}

impl AgentSpec {
    /// Takes a specification apart.
    pub fn parse(text: &str) -> AgentSpec {
        let (name, params) = text.split_once(':').unwrap_or((text, ""));
        AgentSpec { name: name.trim().to_owned(), params: params.to_owned() }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.params.is_empty() { Ok(()) } else { write!(f, ":{}", self.params) }
    }
}

/// The known words nearest to `word`, best first; empty if none is near.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|&k| {
            let starts = k.starts_with(&lower) || (!k.is_empty() && lower.starts_with(k));
            let distance = strsim::damerau_levenshtein(&lower, k);
            (if starts && !lower.is_empty() { distance.min(1) } else { distance }, k)
        })
        .filter(|&(distance, k)| distance <= 1 + k.chars().count() / 3)
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, k)| k).collect()
}

/// `: did you mean minimax?`; nothing where no known word is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    let near = nearest(word, known);
    if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(" or ")) }
}

/// What to say of a word that is not among the known ones: `unknown agent "minmax": did you mean minimax?
/// (known: …)`.
pub fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let mut message = format!("unknown {what} {word:?}{}", did_you_mean(word, known));
    let list =
        if known.is_empty() { "there are none".to_owned() } else { format!("known: {}", known.join(", ")) };
    let _ = write!(message, " ({list})");
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<Param> {
        vec![
            Param::int("depth", 1, 12, "4", "how far to look"),
            Param::real("beta", 0.0, 1.0, "0.1", "learning rate"),
            Param::choice("ties", &["uniform", "first", "last"], "which of the best"),
            Param::text("q", "exact", "a table"),
            Param::choice("end-of-game", &["either-empty", "mover-empty"], "when it ends").once_snake(),
            Param::file("net", &["none", "small"], "a network"),
        ]
    }

    #[test]
    fn values_are_checked_and_spelled_in_one_way() {
        let params = Params::parse("depth=007,q=\"a, \\\"b\\\"\"", declared()).unwrap();
        assert_eq!((params.int("depth"), params.text("q")), (7, "a, \"b\""));
        assert_eq!(params.short(), "depth=7,q=\"a, \\\"b\\\"\"");
        assert_eq!(Params::parse(&params.full(), declared()).unwrap(), params);
        assert_eq!(Params::parse("", declared()).unwrap().short(), "");
    }

    #[test]
    fn errors_offer_what_is_near() {
        let message = |text: &str| Params::parse(text, declared()).unwrap_err().to_string();
        assert_eq!(
            message("dpeth=3"),
            "unknown parameter \"dpeth\": did you mean depth? (known: depth, beta, ties, q, end-of-game, net)"
        );
        assert_eq!(message("depth=13"), "depth=13: expected a whole number in 1..12");
        assert_eq!(message("beta=NaN"), "beta=NaN: expected a number from 0 to 1");
        assert_eq!(message("ties=best"), "ties=best: expected one of uniform|first|last");
        assert_eq!(message("depth"), "\"depth\" has no value: write key=value");
        assert_eq!(message("depth=1,depth=2"), "parameter \"depth\" is given twice");
        assert_eq!(message("depth=1,"), "\"depth=1,\" ends with a comma");
        assert_eq!(message("q=\"x"), "the value of \"q\" lacks its closing quote");
    }

    #[test]
    fn old_spellings_are_read_and_stay_in_identities() {
        let old = Params::parse("end_of_game=mover_empty", declared()).unwrap();
        assert_eq!(old, Params::parse("end-of-game=mover-empty", declared()).unwrap());
        assert_eq!(old.short(), "end-of-game=mover-empty");
        assert!(old.identity().contains(",end_of_game=mover_empty,"), "{}", old.identity());
    }

    #[test]
    fn what_was_added_later_counts_only_where_it_changes_something() {
        let declared =
            || vec![Param::switch("fast", false, ""), Param::file("book", &["shipped"], "").added_later()];
        assert_eq!(Params::parse("", declared()).unwrap().identity(), "fast=off");
        assert_eq!(Params::parse("book=no/such", declared()).unwrap().identity(), "fast=off,book=no/such");
        assert_eq!(Params::parse("", declared()).unwrap().full(), "fast=off,book=shipped");
    }

    #[test]
    fn a_file_is_part_of_the_identity_and_reaches_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!("net={}", file.path().display());
        let params = Params::parse(&text, declared()).unwrap();
        let before = params.identity();
        assert!(before.contains(";net is "), "{before}");
        std::fs::write(file.path(), "other weights").unwrap();
        assert_ne!(params.identity(), before);
        assert_eq!(params.reaching_out().map(|(param, _)| param.key).collect::<Vec<_>>(), ["net"]);
        let shipped = Params::parse("net=small,q=/etc/passwd", declared()).unwrap();
        assert_eq!(shipped.reaching_out().count(), 0);
        assert!(!shipped.identity().contains(';'), "text is not looked for among the files");
    }

    #[cfg(unix)]
    #[test]
    fn what_can_be_read_only_once_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refusal = |path: &std::path::Path| {
            let params = Params::parse(&format!("net={}", path.display()), declared()).unwrap();
            params.refuse_pipes().err().map(|error| error.to_string())
        };
        let refused = refusal(&pipe).unwrap();
        assert!(refused.starts_with("net=") && refused.contains("no file whose content stays"), "{refused}");
        assert_eq!(refusal(folder.path()), None);
        assert_eq!(refusal(&folder.path().join("missing")), None, "whoever reads it says what is wrong");
    }

    #[test]
    fn near_names_are_found() {
        let known = ["minimax", "max-q", "min-q", "random"];
        assert_eq!(nearest("minmax", &known), ["minimax"]);
        assert_eq!(nearest("rand", &known), ["random"]);
        assert_eq!(nearest("zzz", &known), Vec::<&str>::new());
    }
}
