//! Every text of the games that people read in the arena has its Japanese in `words/ja.toml`.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, AnyTable, GameEntry, Locale, Look, Message, Rng, Seat, Seed};
use ranka_games::catalogue;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// English to Japanese.
fn japanese() -> BTreeMap<String, String> {
    toml::from_str(include_str!("../../../words/ja.toml")).expect("a flat table of texts")
}

/// What the catalogue says of a game, its rules and its agents.
fn catalogued(entry: &dyn GameEntry) -> Vec<String> {
    let mut texts = vec![entry.info().summary, entry.info().how];
    texts.extend(entry.options().iter().map(|option| option.help));
    for agent in entry.agents() {
        texts.push(agent.summary);
        texts.extend(agent.params.iter().map(|param| param.help));
    }
    texts.extend(entry.lessons().into_iter().flatten());
    let mut texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
    for step in entry.rule_steps() {
        texts.push(step.text.to_owned());
        let marks = step.board.into_iter().flat_map(|board| board.marks).map(|(_, mark)| mark.to_owned());
        texts.extend(step.table.into_iter().flatten().chain(marks).filter(|text| is_name(text)));
    }
    texts
}

/// Rules under which random games come to say nearly all that they can. A game that is not listed is played by its usual
/// ones.
const RULES: [(&str, &str); 11] = [
    ("kalah", ""),
    ("kalah", "houses=3,seeds=3,pie=on"),
    ("kalah", "houses=4,seeds=2,capture=always,leftover=none"),
    ("geister", ""),
    ("labyrinth", "cards-per-player=1"),
    ("labyrinth", "players=4,cards-per-player=2,return-home=off"),
    ("tantrix", ""),
    ("tantrix", "players=4"),
    ("tubstap", ""),
    ("tubstap", "map=duel"),
    ("tubstap", "map=sky"),
];

thread_local! {
    /// What was said in English because nobody has translated it.
    static UNSAID: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Japanese that remembers what it lacks. A text put together of translated ones has no English letters left.
fn listening() -> Locale {
    static JAPANESE: LazyLock<BTreeMap<String, String>> = LazyLock::new(japanese);
    Locale::new(|english| {
        let known = JAPANESE.get(english).map(String::as_str);
        if known.is_none() && is_name(english) {
            UNSAID.with_borrow_mut(|unsaid| unsaid.insert(english.to_owned()));
        }
        known
    })
}

/// Plays a random game and hands `hear` everything that the seats are asked and told.
fn play(table: &mut dyn AnyTable, rng: &mut Rng, seats: usize, mut hear: impl FnMut(&Message)) {
    for _ in 0..400 {
        for seat in Seat::all(seats) {
            let look = Look::from(seat).speaking(listening());
            table.picture(&look);
            table.onlooker(&look);
            table.unveiled(&look);
        }
        match table.actor() {
            Actor::Over => {
                hear(&table.verdict_for_all());
                return Seat::all(seats).for_each(|seat| hear(&table.verdict(seat)));
            }
            Actor::Chance => table.draw(),
            Actor::Seat(seat) => {
                for ask in table.asks(seat) {
                    hear(&Message::new(ask, [""; 0]));
                }
                let offers = table.offers(seat);
                offers.iter().for_each(|offer| hear(&offer.message));
                let action = &offers[rng.index(offers.len())].action;
                for listener in Seat::all(seats).filter(|&other| other != seat) {
                    table.message(listener, action).iter().for_each(&mut hear);
                }
                table.act(action).unwrap();
            }
        }
    }
}

/// Whether a text has a word that has to be translated, and not only numbers, letters and coordinates.
fn is_name(text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase();
    text.split(|c| !small(c)).any(|run| run.len() >= 2)
}

#[test]
fn everything_has_its_japanese() {
    let mut texts: BTreeSet<String> = BTreeSet::new();
    for entry in catalogue() {
        texts.extend(catalogued(entry.as_ref()));
    }
    let mut rng = Rng::new(Seed::new(1));
    let listed = |name: &str| RULES.iter().any(|(known, _)| *known == name);
    let others = catalogue().iter().map(|entry| entry.info().name).filter(|name| !listed(name));
    for (name, rules) in RULES.into_iter().chain(others.map(|name| (name, ""))) {
        let game = ranka_games::game(name).unwrap().open(rules).unwrap();
        for seed in 0..3 {
            let mut table = game.table(None, &vec![None; game.seats()], Seed::new(seed)).unwrap();
            play(table.as_mut(), &mut rng, game.seats(), |says| {
                texts.insert(says.pattern.to_owned());
                texts.extend(says.words.iter().filter(|word| is_name(word)).cloned());
            });
        }
    }
    texts.remove("");
    let japanese = japanese();
    let missing: Vec<&String> = texts.iter().filter(|text| !japanese.contains_key(*text)).collect();
    assert!(missing.is_empty(), "words/ja.toml lacks {missing:#?}");
    let undrawn: Vec<String> = UNSAID.take().into_iter().collect();
    assert!(undrawn.is_empty(), "words/ja.toml lacks what is drawn: {undrawn:#?}");
    assert!(texts.len() > 150, "only {} texts were heard", texts.len());
}

#[test]
fn translations_have_the_same_places() {
    let places = |text: &str| -> BTreeSet<String> {
        let opened = text.split('{').skip(1);
        opened.filter_map(|rest| rest.split_once('}')).map(|(place, _)| place.to_owned()).collect()
    };
    for (english, translated) in japanese() {
        assert_eq!(places(&english), places(&translated), "{english}: {translated}");
        assert!(!translated.trim().is_empty(), "{english} is translated by nothing");
    }
}
