//! Text from outside, as it may stand before people.

/// A character as it can be shown: one that does something to a terminal, or that turns the order of what follows round,
/// is written out.
pub fn printable(c: char) -> impl Iterator<Item = char> {
    let acts = c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let escaped = acts.then(|| c.escape_default());
    let plain = escaped.is_none().then_some(c);
    escaped.into_iter().flatten().chain(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_acts_is_written_out() {
        let shown = |text: &str| text.chars().flat_map(printable).collect::<String>();
        assert_eq!(shown("爛柯 é \" \\ 🂡"), "爛柯 é \" \\ 🂡");
        assert_eq!(shown("\u{1b}[2J\u{9b}\u{7f}\n"), "\\u{1b}[2J\\u{9b}\\u{7f}\\n");
        assert_eq!(shown("a\u{202e}b\u{2069}"), "a\\u{202e}b\\u{2069}");
    }
}
