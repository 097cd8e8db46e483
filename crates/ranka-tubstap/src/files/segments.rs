//! The syntax of all files: `TAG[value]` in segments that end with `;`, whatever the line breaks.

use encoding_rs::SHIFT_JIS;
use ranka_core::Error;
use std::fmt;

/// Free text of a file, kept byte for byte so that it can be written back as it was.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Text(Vec<u8>);

impl Text {
    /// The bytes, without what would end the value. They are UTF-8 or else Shift_JIS.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Text {
    /// What the syntax cannot carry (brackets, semicolons and line breaks) becomes a space.
    fn from(text: &str) -> Text {
        Text(text.replace(['[', ']', ';', '\r', '\n'], " ").into_bytes())
    }
}

/// Read as UTF-8 or else as Shift_JIS; what is neither shows as replacement characters.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match str::from_utf8(&self.0) {
            Ok(text) => f.write_str(text),
            Err(_) => f.write_str(&SHIFT_JIS.decode(&self.0).0),
        }
    }
}

/// One `TAG[value]`.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The number of its segment, counted from 1.
    segment: usize,
    pub(crate) tag: String,
    pub(crate) text: Text,
}

impl Entry {
    /// An error about this entry.
    pub(crate) fn error(&self, problem: impl fmt::Display) -> Error {
        let value: String = self.text.to_string().chars().take(60).collect();
        Error::input(format!("segment {}, {}[{value}]: {problem}", self.segment, self.tag))
    }

    /// The values between the commas, trimmed.
    pub(crate) fn values(&self) -> Vec<String> {
        self.text.to_string().split(',').map(|value| value.trim().to_owned()).collect()
    }

    /// The values between the commas as whole numbers.
    pub(crate) fn numbers(&self) -> Result<Vec<i64>, Error> {
        let number =
            |value: String| value.parse().map_err(|_| self.error(format!("{value:?} is no whole number")));
        self.values().into_iter().map(number).collect()
    }

    /// The one number that the entry is.
    pub(crate) fn number(&self, min: u32, max: u32) -> Result<u32, Error> {
        match self.numbers()?[..] {
            [n] if (i64::from(min)..=i64::from(max)).contains(&n) => Ok(n as u32),
            _ => Err(self.error(format!("expected one number {min} to {max}"))),
        }
    }
}

/// The entries of a file in order. Text around them is skipped, as the original does.
pub(crate) fn entries(file: &[u8]) -> Result<Vec<Entry>, Error> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let utf8 = str::from_utf8(file).is_ok();
    let joined: Vec<u8> = file.iter().copied().filter(|&byte| byte != b'\r' && byte != b'\n').collect();
    let mut entries = Vec::new();
    for (i, segment) in joined.split(|&byte| byte == b';').enumerate() {
        let mut rest = segment;
        while let Some(open) = find(rest, b'[', utf8) {
            let name = &rest[..open];
            let letters = name.iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
            let tag = String::from_utf8_lossy(&name[name.len() - letters..]).into_owned();
            let Some(length) = find(&rest[open + 1..], b']', utf8) else {
                return Err(Error::input(format!("segment {}, {tag}[: the closing ] is missing", i + 1)));
            };
            let text = Text(rest[open + 1..open + 1 + length].to_vec());
            entries.push(Entry { segment: i + 1, tag, text });
            rest = &rest[open + 2 + length..];
        }
    }
    Ok(entries)
}

/// Where `wanted` is, as a character of its own: in Shift_JIS a bracket's byte may be half of a character.
fn find(bytes: &[u8], wanted: u8, utf8: bool) -> Option<usize> {
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            byte if byte == wanted => return Some(i),
            0x81..=0x9f | 0xe0..=0xfc if !utf8 => i += 2,
            _ => i += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_inside_shift_jis_characters_do_not_end_a_value() {
        // ポ is 0x83 0x7c, ー is 0x81 0x5b and ゼ is 0x83 0x5b: their second bytes look like "|" and "[".
        let (bytes, _, _) = SHIFT_JIS.encode("MAPCOM[ポーゼ 噂];SIZEX[8];");
        assert!(bytes.contains(&0x5b) && str::from_utf8(&bytes).is_err());
        let entries = entries(&bytes).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].text.to_string(), "ポーゼ 噂");
        assert_eq!((entries[1].tag.as_str(), entries[1].number(3, 9).unwrap()), ("SIZEX", 8));
    }

    #[test]
    fn utf8_line_breaks_and_stray_text_are_taken() {
        let entries = entries("\u{feff}x SIZEX[8\r\n];\nPLAYERRED[赤]PLAYERBLUE[青];;".as_bytes()).unwrap();
        let shown: Vec<String> = entries.iter().map(|e| format!("{}={}", e.tag, e.text)).collect();
        assert_eq!(shown, ["SIZEX=8", "PLAYERRED=赤", "PLAYERBLUE=青"]);
        assert!(super::entries(b"SIZEX[8;").unwrap_err().to_string().starts_with("segment 1, SIZEX["));
    }
}
