//! The end of a long text.

use ranka_core::printable;

/// Keeps the last bytes of what passes by, and no more memory than they need.
pub(super) struct Tail {
    kept: Vec<u8>,
    room: usize,
    /// How much passed by in all.
    passed: usize,
}

impl Tail {
    /// Room for the last `room` bytes.
    pub(super) fn new(room: usize) -> Tail {
        Tail { kept: Vec::new(), room, passed: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.passed += bytes.len();
        self.kept.extend_from_slice(&bytes[bytes.len().saturating_sub(self.room)..]);
        // Cut only now and then: moving the rest costs time.
        if self.kept.len() > 2 * self.room {
            self.kept.drain(..self.kept.len() - self.room);
        }
    }

    /// The last whole lines, as far as there is room for them. Then it begins anew.
    pub(super) fn take(&mut self) -> String {
        let text = self.text();
        (self.kept, self.passed) = (Vec::new(), 0);
        text
    }

    fn text(&self) -> String {
        let cut = self.kept.len().saturating_sub(self.room);
        let text = String::from_utf8_lossy(&self.kept[cut..]);
        // What was cut into is no whole line, unless it is all there is.
        let is_cut = self.passed > self.room;
        let whole = text.split_once('\n').filter(|_| is_cut).map_or(&*text, |(_, rest)| rest);
        let shown = |c: char| match c {
            '\r' => None,
            '\n' | '\t' => Some(c.to_string()),
            c => Some(printable(c).collect()),
        };
        whole.trim().chars().filter_map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut tail = Tail::new(10);
        tail.push(b"one\n");
        assert_eq!(tail.text(), "one");
        for _ in 0..1000 {
            tail.push(b"two\nthree\n");
            assert!(tail.kept.len() <= 20);
        }
        assert_eq!(tail.text(), "three");
        tail.push(&[b'x'; 100]);
        assert_eq!(tail.text(), "xxxxxxxxxx");
    }

    #[test]
    fn nothing_in_it_controls_a_terminal() {
        let mut tail = Tail::new(100);
        tail.push(b"\x1b[2Jgone\x07\r\n\ttwo \xc2\x9b1m");
        assert_eq!(tail.text(), "\\u{1b}[2Jgone\\u{7}\n\ttwo \\u{9b}1m");
    }
}
