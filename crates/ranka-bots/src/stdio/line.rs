//! What a bot says, line by line.

use ranka_core::Scale;
use std::fmt;

/// A line of a bot, understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Line<'a> {
    /// `name TEXT`: what it is called.
    Name(&'a str),
    /// `version TEXT`: which of its versions this is.
    Version(&'a str),
    /// `author TEXT`: who wrote it.
    Author(&'a str),
    /// `games NAME…`: what it can play; a bot that does not say can play everything.
    Games(Vec<&'a str>),
    /// `ready`: it has heard all that was said before `isready`.
    Ready,
    /// `action TEXT`: what it does.
    Action(&'a str),
    /// `resign`: it gives up.
    Resign,
    /// `info …`: what it thinks.
    Info(Info<'a>),
    /// A line that begins with no word of ours: nobody minds it.
    Unknown,
}

/// What a bot thinks, of its choice as a whole or of one action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info<'a> {
    /// The action that it speaks of; nothing when it speaks of its choice.
    pub action: Option<&'a str>,
    /// The value for its seat.
    pub value: Option<f64>,
    /// What values mean.
    pub scale: Option<Scale>,
    /// How often the action was tried.
    pub visits: Option<u64>,
    /// Positions or playouts looked at.
    pub nodes: Option<u64>,
    /// How far it looked.
    pub depth: Option<u32>,
    /// The expected continuation.
    pub pv: Vec<&'a str>,
}

/// A line that begins with a word of ours and goes wrong after it, or that is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    line: String,
    problem: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.line, self.problem)
    }
}

/// As much of a line as a message shows.
pub(super) fn excerpt(line: &[u8]) -> String {
    let mut shown = String::from_utf8_lossy(&line[..line.len().min(120)]).into_owned();
    if line.len() > 120 {
        shown.push('…');
    }
    shown
}

impl<'a> Line<'a> {
    /// Reads a line without its end.
    pub fn read(line: &'a [u8]) -> Result<Line<'a>, Malformed> {
        let malformed = |problem: String| Malformed { line: excerpt(line), problem };
        let text = std::str::from_utf8(line).map_err(|_| malformed("it is not UTF-8".to_owned()))?;
        if text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\r')) {
            return Err(malformed("it has control characters".to_owned()));
        }
        let text = text.trim();
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let rest = rest.trim();
        let no_more = |found: Line<'a>| match rest {
            "" => Ok(found),
            _ => Err(malformed(format!("nothing comes after {word:?}"))),
        };
        match word {
            "name" => Ok(Line::Name(rest)),
            "version" => Ok(Line::Version(rest)),
            "author" => Ok(Line::Author(rest)),
            "games" => Ok(Line::Games(rest.split_whitespace().collect())),
            "ready" => no_more(Line::Ready),
            "resign" => no_more(Line::Resign),
            "action" if rest.is_empty() => Err(malformed("it names no action".to_owned())),
            "action" if rest.contains(char::is_whitespace) => {
                Err(malformed("an action is one word".to_owned()))
            }
            "action" => Ok(Line::Action(rest)),
            "info" => Info::read(rest).map(Line::Info).map_err(malformed),
            _ => Ok(Line::Unknown),
        }
    }
}

impl<'a> Info<'a> {
    /// Reads `key value key value … pv action action …`. Keys of later versions are passed over with their value.
    fn read(text: &'a str) -> Result<Info<'a>, String> {
        let mut info = Info::default();
        let mut words = text.split_whitespace();
        while let Some(key) = words.next() {
            if key == "pv" {
                info.pv = words.collect();
                break;
            }
            let value = words.next().ok_or_else(|| format!("{key:?} has no value"))?;
            match key {
                "action" => info.action = Some(value),
                "value" => {
                    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
                    info.value = Some(number.ok_or_else(|| format!("value {value:?} is no number"))?);
                }
                "scale" => {
                    let scale = [Scale::Score, Scale::Margin, Scale::Own];
                    let found = scale.into_iter().find(|scale| scale.name() == value);
                    info.scale =
                        Some(found.ok_or_else(|| format!("scale {value:?} is not score, margin or own"))?);
                }
                "visits" => info.visits = Some(count(key, value)?),
                "nodes" => info.nodes = Some(count(key, value)?),
                "depth" => info.depth = Some(count(key, value)?),
                _ => {}
            }
        }
        if info.action.is_some() && info.value.is_none() {
            return Err("it names an action but not its value".to_owned());
        }
        Ok(info)
    }
}

fn count<N: std::str::FromStr>(key: &str, value: &str) -> Result<N, String> {
    value.parse().map_err(|_| format!("{key} {value:?} is no whole number from 0 up"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: &str) -> String {
        Line::read(line.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn words_of_ours_are_understood() {
        assert_eq!(Line::read(b"action e2e3\r"), Ok(Line::Action("e2e3")));
        assert_eq!(Line::read(b"  ready "), Ok(Line::Ready));
        assert_eq!(Line::read(b"name My  Bot"), Ok(Line::Name("My  Bot")));
        assert_eq!(Line::read(b"games kalah\ttantrix"), Ok(Line::Games(vec!["kalah", "tantrix"])));
        let info = Info {
            action: Some("3"),
            value: Some(0.25),
            scale: Some(Scale::Score),
            nodes: Some(12),
            pv: vec!["3", "1"],
            ..Info::default()
        };
        let line = b"info action 3 value 0.25 scale score temper hot nodes 12 pv 3 1";
        assert_eq!(Line::read(line), Ok(Line::Info(info)));
    }

    #[test]
    fn what_is_not_ours_is_nobodys_business() {
        for line in ["", "hello", "acton 3", "ACTION 3", "# comment", "actions 3"] {
            assert_eq!(Line::read(line.as_bytes()), Ok(Line::Unknown), "{line:?}");
        }
    }

    #[test]
    fn what_is_ours_and_wrong_is_told() {
        assert_eq!(problem("action"), "\"action\": it names no action");
        assert_eq!(problem("action 1 2"), "\"action 1 2\": an action is one word");
        assert_eq!(problem("ready now"), "\"ready now\": nothing comes after \"ready\"");
        assert_eq!(problem("info value NaN"), "\"info value NaN\": value \"NaN\" is no number");
        assert_eq!(problem("info depth"), "\"info depth\": \"depth\" has no value");
        assert_eq!(problem("info nodes -1"), "\"info nodes -1\": nodes \"-1\" is no whole number from 0 up");
        assert!(problem("action \0").ends_with("it has control characters"));
        assert!(Line::read(b"action \xff").unwrap_err().to_string().ends_with("it is not UTF-8"));
    }
}
