//! Which games are meant.

use ranka_core::{Error, Params, Record};
use ranka_lab::{IMPORT, Store, StoredPairing, game_name, imported_name};

pub(super) use ranka_lab::words::agent_name as short_agent;

/// All games of a pairing, for whoever asks for the first so many.
pub(super) const ALL: u64 = i64::MAX as u64;

/// Games of a store.
pub(super) enum Chosen {
    /// All of a pairing, or one.
    Played(StoredPairing, Option<u64>),
    /// All that came from elsewhere, or one.
    Imported(Option<i64>),
}

impl Chosen {
    /// The games called `name`: `IDENTITY`, `IDENTITY/NUMBER`, `import` or `import/NUMBER`.
    pub(super) fn find(store: &Store, name: &str) -> Result<Chosen, Error> {
        let (of, number) = match name.split_once('/') {
            Some((of, number)) => (of, Some(number)),
            None => (name, None),
        };
        let number = number.map(|text| {
            text.parse::<u32>().map_err(|_| Error::input(format!("{name}: {text:?} is no number of a game")))
        });
        let number = number.transpose()?;
        if of == IMPORT {
            return Ok(Chosen::Imported(number.map(i64::from)));
        }
        if of.is_empty() {
            return Err(Error::input(format!(
                "{name:?}: expected the first digits of a pairing's identity; `ranka record list` tells them"
            )));
        }
        Ok(Chosen::Played(store.find(of)?, number.map(u64::from)))
    }

    /// Every game in order, with its name. It is an error if the one that is asked for is not there.
    pub(super) fn each(
        &self,
        store: &Store,
        mut tell: impl FnMut(&str, Record) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Chosen::Played(pairing, number) => {
                let numbers = match number {
                    Some(number) => vec![*number],
                    None => store.results(pairing.key, ALL)?.iter().map(|game| game.number).collect(),
                };
                for number in numbers {
                    let name = game_name(&pairing.identity, number);
                    let record = store.record(pairing.key, number)?.ok_or_else(|| {
                        Error::not_found(format!("{name}: no such game; the pairing has {}", pairing.games))
                    })?;
                    tell(&name, record)?;
                }
            }
            Chosen::Imported(number) => {
                let mut imported = store.imported()?;
                if let Some(number) = number {
                    let count = imported.len();
                    imported.retain(|(of, _)| of == number);
                    if imported.is_empty() {
                        let message =
                            format!("{}: no such game; {count} were imported", imported_name(*number));
                        return Err(Error::not_found(message));
                    }
                }
                for (number, record) in imported {
                    tell(&imported_name(number), record)?;
                }
            }
        }
        Ok(())
    }

    /// The one game that is asked for, with its name.
    pub(super) fn one(store: &Store, name: &str) -> Result<(String, Record), Error> {
        let chosen = Chosen::find(store, name)?;
        if matches!(chosen, Chosen::Played(_, None) | Chosen::Imported(None)) {
            return Err(Error::input(format!("{name}: name one game, as {name}/NUMBER")));
        }
        let mut found = None;
        chosen.each(store, |name, record| {
            found = Some((name.to_owned(), record));
            Ok(())
        })?;
        found.ok_or_else(|| Error::not_found(format!("{name}: no such game")))
    }
}

/// The options of a game that differ from the defaults; all of them if the program no longer knows them.
pub(super) fn short_rules(game: &str, rules: &str) -> String {
    let options = ranka_games::game(game).map(|entry| entry.options());
    let short = options.and_then(|options| Params::parse(rules, options)).map(|params| params.short());
    short.unwrap_or_else(|_| rules.to_owned())
}
