//! How ratings went, night after night.

use crate::standings::{Player, Standings};
use crate::{League, LeagueGame};
use ranka_core::{Error, read_bytes, read_text};
use ranka_lab::Store;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

/// The ratings after a night.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightRatings {
    /// When it ended, in seconds since 1970.
    pub at: i64,
    /// Of which game.
    pub game: String,
    /// Under which conditions; empty in leagues that did not write them down.
    #[serde(default)]
    conditions: String,
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

    /// All nights of a game under the conditions of today, the first first.
    pub fn history(&self, game: &LeagueGame) -> Result<Vec<NightRatings>, Error> {
        let name = game.game.info().name;
        let of_today =
            |night: &NightRatings| night.conditions.is_empty() || night.conditions == game.conditions;
        let (nights, _) = self.nights()?;
        Ok(nights.into_iter().filter(|night| night.game == name && of_today(night)).collect())
    }

    /// The file of the history with how many lines of it cannot be read, if any: they are passed over.
    pub fn spoilt_history(&self) -> Result<Option<(PathBuf, usize)>, Error> {
        let (_, spoilt) = self.nights()?;
        Ok((spoilt > 0).then(|| (self.history_file(), spoilt)))
    }

    /// All nights of all games, and how many lines of the history are none.
    fn nights(&self) -> Result<(Vec<NightRatings>, usize), Error> {
        let path = self.history_file();
        if !path.is_file() {
            return Ok((Vec::new(), 0));
        }
        let bytes = read_bytes(&path, MOST)?;
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let read: Vec<Option<NightRatings>> = lines.map(|line| serde_json::from_slice(line).ok()).collect();
        let spoilt = read.iter().filter(|night| night.is_none()).count();
        Ok((read.into_iter().flatten().collect(), spoilt))
    }

    fn playing_file(&self) -> PathBuf {
        self.folder.join(".playing.json")
    }

    /// Who plays at present; nobody while no night is played.
    pub fn playing(&self) -> Vec<Playing> {
        // Of a night that was killed the file is still there, but not its lock.
        if matches!(self.lock_now(), Ok(Some(_))) {
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
        let night = NightRatings {
            at: jiff::Timestamp::now().as_second(),
            game: game.game.info().name.to_owned(),
            conditions: game.conditions.clone(),
            games,
            ratings,
        };
        let path = self.history_file();
        let refuse = |error: &dyn std::fmt::Display| Error::writing(&path, error);
        let line = serde_json::to_string(&night).map_err(|error| refuse(&error))?;
        let options = OpenOptions::new().create(true).read(true).append(true).open(&path);
        options.and_then(|mut file| append(&mut file, &line)).map_err(|e| refuse(&e))
    }
}

/// Adds a line. Whoever was killed before may have left one without an end, which would spoil this one too: it goes, unless
/// only its end is missing.
fn append(file: &mut File, line: &str) -> io::Result<()> {
    let mut there = Vec::new();
    file.read_to_end(&mut there)?;
    let whole = there.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut start = "";
    if serde_json::from_slice::<NightRatings>(&there[whole..]).is_ok() {
        start = "\n";
    } else {
        file.set_len(whole as u64)?;
    }
    file.write_all(format!("{start}{line}\n").as_bytes())?;
    file.sync_all()
}

fn played(standings: &Standings, today: &[Player]) -> Vec<(Player, f64, f64)> {
    let places =
        standings.ranked(today).into_iter().filter(|place| place.games() > 0 && place.error.is_finite());
    places.map(|place| (place.player.clone(), place.rating, place.error)).collect()
}
