//! Text whose width can only be estimated: cleaned, shortened and wrapped.

use unicode_width::UnicodeWidthChar;

/// The text without what XML forbids or what would turn the direction of its neighbours; all white space is
/// a single blank.
pub(super) fn clean(text: &str) -> String {
    let harmless = |c: char| match c {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    };
    let text: String = text.chars().map(harmless).collect();
    text.split([' ', '\u{3000}']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// About how wide a text is. Rather too wide, for the reader's font is not known.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(width_of).sum::<f64>() * size
}

/// The width of a character in a rather wide sans, relative to the size.
fn width_of(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' | '\u{a0}' => 0.32,
        '\u{202f}' | '\u{2009}' => 0.2,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | 'I' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.96,
        'A'..='Z' => 0.72,
        '+' | '−' | '=' | '<' | '>' | '~' | '±' | '×' => 0.8,
        c if c.is_ascii() => 0.62,
        c => match c.width() {
            None | Some(0) => 0.0,
            Some(1) => 0.66,
            Some(_) => 1.0,
        },
    }
}

/// The text, cut with `…` where it does not fit.
pub fn shorten(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room - width("…", size);
    let fits = |c: &char| {
        left -= width_of(*c) * size;
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// The text in lines, at most so many; the last is cut with `…` where the rest does not fit.
pub fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if lines.len() + 1 >= most {
            lines.push(shorten(rest, size, room));
            break;
        }
        let (line, after) = rest.split_at(first_line(rest, size, room));
        lines.push(line.trim_end().to_owned());
        rest = after.trim_start();
    }
    lines
}

/// How many bytes of the text go on its first line: up to the last blank or ideograph that fits.
fn first_line(text: &str, size: f64, room: f64) -> usize {
    let (mut used, mut breakable, mut wide_before) = (0.0, 0, false);
    for (at, c) in text.char_indices() {
        let wide = c.width() == Some(2);
        if c == ' ' || (at > 0 && (wide || wide_before) && !"。、」）".contains(c)) {
            breakable = at;
        }
        used += width_of(c) * size;
        if used > room && c != ' ' && at > 0 {
            return if breakable > 0 { breakable } else { at };
        }
        wide_before = wide;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_gone() {
        assert_eq!(clean("a\0b\n\tc\u{202e}d\u{ffff}"), "a b c d");
        assert_eq!(clean("爛柯　<Ranka>"), "爛柯 <Ranka>");
    }

    #[test]
    fn a_long_text_is_cut_to_its_room() {
        assert_eq!(shorten("short", 16.0, 100.0), "short");
        let cut = shorten(&"word ".repeat(40), 16.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 16.0) <= 100.0, "{cut}");
        assert_eq!(shorten("word", 16.0, 0.0), "…");
    }

    #[test]
    fn lines_break_at_blanks_and_between_ideographs() {
        let lines = wrap("the quick brown fox jumps", 10.0, 70.0, 9);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 10.0) <= 70.0), "{lines:?}");
        assert_eq!(lines.join(" "), "the quick brown fox jumps");
        assert_eq!(wrap("紫駒色配置全列挙", 10.0, 40.0, 9), ["紫駒色配", "置全列挙"]);
        assert_eq!(wrap("xxxxxxxx", 10.0, 25.0, 2), ["xxxx", "xxxx"]);
    }

    #[test]
    fn the_last_line_says_that_there_is_more() {
        let lines = wrap(&"word ".repeat(50), 10.0, 100.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'));
        assert!(wrap("", 10.0, 100.0, 2).is_empty());
    }
}
