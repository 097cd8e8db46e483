//! What a client answers: `= text`, then an empty line.

use ranka_core::Error;

/// The most lines that an answer has; the original's have one.
const MOST_LINES: usize = 64;

/// An answer that is arriving line by line.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    lines: Vec<String>,
}

impl Reply {
    /// Whether nothing of the answer has come yet.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes the next line without its ending; the answer, once it is complete. Empty lines before it are passed over.
    pub fn push(&mut self, line: &str) -> Result<Option<String>, Error> {
        let refuse = |why: &str| {
            let shown: String = line.chars().take(80).collect();
            Err(Error::input(format!("answer {shown:?}: {why}")))
        };
        match (self.lines.is_empty(), line) {
            (true, "") => return Ok(None),
            (false, "") => return Ok(Some(std::mem::take(&mut self.lines).join("\n"))),
            (true, line) => match line.strip_prefix('=') {
                Some(text) => self.lines.push(text.trim().to_owned()),
                None => return refuse("expected \"= text\""),
            },
            (false, _) if self.lines.len() == MOST_LINES => return refuse("it has no end"),
            (false, line) => self.lines.push(line.to_owned()),
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_with_an_empty_line() {
        let mut reply = Reply::default();
        assert_eq!(reply.push(""), Ok(None));
        assert_eq!(reply.push("= lab"), Ok(None));
        assert_eq!(reply.push(""), Ok(Some("lab".to_owned())));
        assert_eq!((reply.push("= "), reply.push("")), (Ok(None), Ok(Some(String::new()))));
        assert_eq!(
            (reply.push("="), reply.push("x"), reply.push("")),
            (Ok(None), Ok(None), Ok(Some("\nx".to_owned())))
        );
        let error = reply.push("lab").unwrap_err().to_string();
        assert_eq!(error, "answer \"lab\": expected \"= text\"");
        reply.push("= 1").unwrap();
        assert!((0..100).any(|_| reply.push("more").is_err()));
    }
}
