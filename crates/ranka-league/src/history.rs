//! How ratings went, night after night.

use crate::standings::{Player, Standings};
use crate::{League, LeagueGame};
use ranka_core::{Error, read_text};
use ranka_lab::Store;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// The ratings after a night.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Night {
    /// When it ended, in seconds since 1970.
    pub at: i64,
    /// Of which game.
    pub game: String,
    /// How many games there were by then.
    pub games: u64,
    /// Who took part, with rating and standard error.
    pub ratings: Vec<(Player, f64, f64)>,
}

/// Two who play at present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playing {
    /// Which game.
    pub game: String,
    /// Who.
    pub players: [Player; 2],
}

/// A history longer than this is no league's.
const MOST: u64 = 256 << 20;

impl League {
    fn history_file(&self) -> PathBuf {
        self.folder.join("history.jsonl")
    }

    /// All nights of a game, the first first.
    pub fn history(&self, game: &LeagueGame) -> Result<Vec<Night>, Error> {
        let path = self.history_file();
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let text = read_text(&path, MOST)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut nights = Vec::new();
        for (number, line) in whole.lines().enumerate() {
            let place = || format!("line {}", number + 1);
            let night: Night = serde_json::from_str(line)
                .map_err(|error| Error::input(error.to_string()).at(place()).in_file(&path))?;
            if night.game == game.game.info().name {
                nights.push(night);
            }
        }
        Ok(nights)
    }

    fn playing_file(&self) -> PathBuf {
        self.folder.join(".playing.json")
    }

    /// Who plays at present; nobody while no night is played.
    pub fn playing(&self) -> Vec<Playing> {
        // Of a night that was killed the file is still there, but not its lock.
        if self.lock().is_ok() {
            return Vec::new();
        }
        let text = read_text(self.playing_file(), 1 << 20).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Tells who plays at present. Whoever reads it may find it half written, and then finds nobody: it is only for the eye.
    pub(crate) fn tell_playing(&self, playing: &[Playing]) {
        let text = serde_json::to_string(playing).unwrap_or_default();
        let _ = std::fs::write(self.playing_file(), text);
    }

    /// Writes the ratings of now down, unless nothing was played since the last time.
    pub(crate) fn remember(&self, game: &LeagueGame, store: &Store, today: &[Player]) -> Result<(), Error> {
        let standings = self.standings(game, store, today)?;
        let games = standings.pairings.iter().map(|pairing| pairing.games).sum();
        if games == 0 || self.history(game)?.last().is_some_and(|last| last.games == games) {
            return Ok(());
        }
        let ratings = played(&standings, today);
        let night = Night {
            at: jiff::Timestamp::now().as_second(),
            game: game.game.info().name.to_owned(),
            games,
            ratings,
        };
        let path = self.history_file();
        let refuse = |error: &dyn std::fmt::Display| Error::writing(&path, error);
        let mut line = serde_json::to_string(&night).map_err(|error| refuse(&error))?;
        line.push('\n');
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(|e| refuse(&e))?;
        // In one piece: whoever is killed leaves whole lines, or one that has no end and is passed over.
        file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(|e| refuse(&e))
    }
}

fn played(standings: &Standings, today: &[Player]) -> Vec<(Player, f64, f64)> {
    let places =
        standings.ranked(today).into_iter().filter(|place| place.games() > 0 && place.error.is_finite());
    places.map(|place| (place.player.clone(), place.rating, place.error)).collect()
}
