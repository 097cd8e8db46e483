//! English and Japanese. The English text is the key, so code reads as it speaks.

use ranka_core::{Locale, Look, Message, Seat};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// English.
    English,
    /// 日本語
    Japanese,
}

/// The games', the pages' and the papers' texts.
const FILES: [&str; 3] = [
    include_str!("../../../words/ja.toml"),
    include_str!("../../../words/pages.ja.toml"),
    include_str!("../../../words/papers.ja.toml"),
];

/// What stands in place of an English text. The files are part of the program, and a test reads them all.
static JAPANESE: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let read = |text: &&str| toml::from_str::<HashMap<String, String>>(text).unwrap_or_default();
    FILES.iter().flat_map(read).collect()
});

impl Language {
    /// The language with this code.
    pub(crate) fn of_code(code: &str) -> Option<Language> {
        match code {
            "en" => Some(Language::English),
            "ja" => Some(Language::Japanese),
            _ => None,
        }
    }

    /// The one of ours that a browser would rather have, by its `Accept-Language`.
    pub(crate) fn accepted(header: &str) -> Language {
        let codes = header.split(',').map(|part| part.split(['-', ';']).next().unwrap_or("").trim());
        codes.into_iter().find_map(Language::of_code).unwrap_or(Language::English)
    }

    /// Its code.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// What boards speak.
    pub(crate) const fn locale(self) -> Locale {
        match self {
            Language::English => Locale::ENGLISH,
            Language::Japanese => Locale::new(|english| Language::Japanese.known(english)),
        }
    }

    /// The text in this language; in English where nobody has translated it.
    pub(crate) fn say(self, english: &str) -> &str {
        self.locale().say(english)
    }

    /// The text in this language, where somebody has translated it.
    pub(crate) fn known(self, english: &str) -> Option<&'static str> {
        match self {
            Language::English => None,
            Language::Japanese => JAPANESE.get(english).map(String::as_str),
        }
    }

    /// A sentence with words in it.
    pub(crate) fn tell(self, message: &Message) -> String {
        self.locale().tell(message)
    }

    /// How a board looks from a seat's side in this language.
    pub(crate) fn look(self, viewer: Seat) -> Look {
        Look::from(viewer).speaking(self.locale())
    }

    /// A sentence with names in it, which are the same in every language.
    pub(crate) fn literal_fill<const N: usize>(self, pattern: &'static str, names: [&str; N]) -> String {
        Message::new(pattern, names).by(self.say(pattern))
    }

    /// A sentence with words in it, put together on the spot.
    pub(crate) fn fill<const N: usize>(self, pattern: &'static str, words: [&str; N]) -> String {
        self.tell(&Message::new(pattern, words))
    }

    /// So many games.
    pub(crate) fn games(self, count: u64) -> String {
        self.fill(if count == 1 { "{0} game" } else { "{0} games" }, [&count.to_string()])
    }

    /// So many actions of players.
    pub(crate) fn plies(self, count: u32) -> String {
        self.fill(if count == 1 { "{0} ply" } else { "{0} plies" }, [&count.to_string()])
    }

    /// So many actions.
    pub(crate) fn actions(self, count: usize) -> String {
        self.fill(if count == 1 { "{0} action" } else { "{0} actions" }, [&count.to_string()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_get_the_language_they_ask_for() {
        assert_eq!(Language::accepted("ja,en-US;q=0.9"), Language::Japanese);
        assert_eq!(Language::accepted("de-CH, en-GB;q=0.7, ja;q=0.3"), Language::English);
        assert_eq!(Language::accepted(""), Language::English);
    }

    #[test]
    fn one_is_not_many() {
        let english = Language::English;
        let told =
            |count: u32| [english.games(count.into()), english.actions(count as usize), english.plies(count)];
        assert_eq!(told(1), ["1 game", "1 action", "1 ply"]);
        assert_eq!(told(2), ["2 games", "2 actions", "2 plies"]);
        assert_eq!(Language::Japanese.actions(1), Language::Japanese.actions(2).replace('2', "1"));
    }

    #[test]
    fn papers_and_experiments_have_their_japanese() {
        let known = |english: &str| JAPANESE.contains_key(english.trim());
        for paper in ranka_lab::papers::papers().unwrap() {
            for text in [&paper.title, &paper.source, &paper.summary, &paper.note] {
                assert!(known(text), "words/papers.ja.toml lacks {text:?}");
            }
            for (name, _) in &paper.experiments {
                let experiment = paper.experiment(name).unwrap();
                let [title, question] = [&experiment.title, &experiment.question].map(Some);
                for text in [title, question, experiment.place.as_ref(), experiment.note.as_ref()] {
                    assert!(text.is_none_or(|text| known(text)), "words/papers.ja.toml lacks {text:?}");
                }
                for origin in experiment.origins().iter() {
                    assert!(known(origin.label()), "words/papers.ja.toml lacks {:?}", origin.label());
                }
            }
        }
    }

    /// The text of every file of this crate.
    fn sources(folder: &std::path::Path) -> String {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let text = |path: std::path::PathBuf| {
            if path.is_dir() { sources(&path) } else { std::fs::read_to_string(path).unwrap() }
        };
        entries.map(text).collect()
    }

    #[test]
    fn every_text_of_the_pages_has_its_japanese_and_every_japanese_its_text() {
        let source = sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        for asked in
            ["say(\"", "fill(\"", "missing(visit, \"", "input(\"", "not_found(\"", "busy(\"", "internal(\""]
        {
            let texts = source.split(asked).skip(1).filter_map(|rest| rest.split_once('"'));
            for (text, _) in texts.filter(|(text, _)| text.chars().any(char::is_alphabetic)) {
                assert!(JAPANESE.contains_key(text), "words/pages.ja.toml lacks {text:?}");
            }
        }
        let pages: HashMap<String, String> = toml::from_str(FILES[1]).unwrap();
        for text in pages.keys() {
            assert!(source.contains(&format!("\"{text}\"")), "nothing says {text:?}");
        }
    }

    #[test]
    fn the_files_can_be_read() {
        for text in FILES {
            let read: HashMap<String, String> = toml::from_str(text).unwrap();
            for (english, japanese) in read {
                assert!(!japanese.trim().is_empty(), "{english:?} has no translation");
                for place in ["{0}", "{1}", "{2}", "{3}"] {
                    assert_eq!(english.contains(place), japanese.contains(place), "{english:?}: {place}");
                }
            }
        }
    }
}
