//! Sentences that can be said in another language. The English text is the key, so code reads as it speaks.

use std::fmt;

/// A sentence with places for words, so that it can be said in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The sentence in English, with `{0}`, `{1}` … for the words.
    pub pattern: &'static str,
    /// The words: numbers, places and letters, or names (`panzer`, `the owl`) that have translations of their own.
    pub words: Vec<String>,
}

impl Message {
    /// A sentence.
    pub fn new<W: fmt::Display>(pattern: &'static str, words: impl IntoIterator<Item = W>) -> Message {
        Message { pattern, words: words.into_iter().map(|word| word.to_string()).collect() }
    }

    /// The sentence by another pattern for it.
    pub fn by(&self, pattern: &str) -> String {
        let words = self.words.iter().enumerate();
        words.fold(pattern.to_owned(), |said, (i, word)| said.replace(&format!("{{{i}}}"), word))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.by(self.pattern))
    }
}

/// A language: what stands in place of an English text, if anything does.
#[derive(Clone, Copy)]
pub struct Locale(fn(&str) -> Option<&'static str>);

impl Locale {
    /// Everything as it is written.
    pub const ENGLISH: Locale = Locale(|_| None);

    /// A language by its translations.
    pub const fn new(translations: fn(&str) -> Option<&'static str>) -> Locale {
        Locale(translations)
    }

    /// The text in this language; in English where nobody has translated it.
    pub fn say(self, english: &str) -> &str {
        self.0(english).unwrap_or(english)
    }

    /// A sentence with its words.
    pub fn tell(self, message: &Message) -> String {
        let words = message.words.iter().map(|word| self.say(word).to_owned()).collect();
        Message { pattern: message.pattern, words }.by(self.say(message.pattern))
    }

    /// Things one after the other.
    pub fn list(self, things: &[String]) -> String {
        things.join(self.say(", "))
    }
}

impl fmt::Debug for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Locale")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_takes_its_words_in_any_order() {
        let message = Message::new("{0} seeds from house {1}", [4, 2]);
        assert_eq!(message.to_string(), "4 seeds from house 2");
        assert_eq!(message.by("{1}から{0}個"), "2から4個");
    }

    #[test]
    fn a_language_says_what_it_knows_and_the_rest_in_english() {
        let german = Locale::new(|english| match english {
            "{0} takes {1}" => Some("{1} wird von {0} genommen"),
            "the owl" => Some("die Eule"),
            _ => None,
        });
        assert_eq!(
            german.tell(&Message::new("{0} takes {1}", ["A", "the owl"])),
            "die Eule wird von A genommen"
        );
        assert_eq!(german.tell(&Message::new("{0} waits", ["A"])), "A waits");
        assert_eq!(Locale::ENGLISH.say("the owl"), "the owl");
    }
}
