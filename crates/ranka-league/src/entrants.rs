//! What entrants hand in, and the versions that come of it.

use crate::{EntrantConfig, League, config};
use ranka_bots::stdio::{files_within, folder_digest};
use ranka_core::{Error, digest};
use ranka_lab::NewFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A version of an entrant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The larger, the newer.
    pub number: u32,
    /// The command that starts it; of an agent of ours its name and parameters.
    pub cmd: String,
    /// What it is made of.
    pub digest: String,
    /// When it came, in seconds since 1970.
    pub since: i64,
    /// Of an agent of ours: what it is in each game that it has played, as a digest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    games: BTreeMap<String, String>,
}

impl Version {
    /// One that comes now.
    fn now(number: u32, cmd: &str, digest: String) -> Version {
        let since = jiff::Timestamp::now().as_second();
        Version { number, cmd: cmd.to_owned(), digest, since, games: BTreeMap::new() }
    }

    /// Whether an agent of ours is still what it was in all games that it was known to play.
    fn is_still(&self, digest: &str, games: &BTreeMap<String, String>) -> bool {
        // Once only the digest of all games together was written down.
        let known_together = self.games.is_empty() && self.digest == digest;
        let same = |(game, now): (&String, &String)| self.games.get(game).is_none_or(|known| known == now);
        known_together || (!self.games.is_empty() && games.iter().all(same))
    }
}

impl League {
    /// What an entrant handed in last.
    pub fn entrant_folder(&self, name: &str) -> PathBuf {
        self.folder.join("entrants").join(name)
    }

    pub(crate) fn version_folder(&self, name: &str, version: u32) -> PathBuf {
        self.folder.join("versions").join(name).join(version.to_string())
    }

    fn version_file(&self, name: &str, version: u32) -> PathBuf {
        self.folder.join("versions").join(name).join(format!("{version}.json"))
    }

    /// All versions of an entrant, the oldest first.
    pub fn versions(&self, name: &str) -> Result<Vec<Version>, Error> {
        let folder = self.folder.join("versions").join(name);
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok();
        let mut numbers: Vec<u32> = entries.filter_map(number).collect();
        numbers.sort_unstable();
        let read = |number: u32| {
            let path = self.version_file(name, number);
            let text = ranka_core::read_text(&path, 1 << 20)?;
            serde_json::from_str(&text).map_err(|error| Error::input(error.to_string()).in_file(&path))
        };
        numbers.into_iter().map(read).collect()
    }

    /// Makes a new version of every entrant that was changed. Who is broken is named with the reason, and sits out.
    pub(crate) fn take_in(&self) -> (Vec<(String, u32)>, BTreeMap<String, String>) {
        let (mut new, mut broken) = (Vec::new(), BTreeMap::new());
        for entrant in &self.config.entrant {
            let taken = match (&entrant.cmd, &entrant.agent) {
                (Some(cmd), _) => self.take_in_bot(&entrant.name, cmd),
                (None, Some(spec)) => self.take_in_agent(entrant, spec),
                (None, None) => continue,
            };
            match taken {
                Ok(number) => new.extend(number.map(|number| (entrant.name.clone(), number))),
                Err(error) => {
                    broken.insert(entrant.name.clone(), error.to_string());
                }
            }
        }
        (new, broken)
    }

    /// The new version of a bot whose folder or command was changed.
    fn take_in_bot(&self, name: &str, cmd: &str) -> Result<Option<u32>, Error> {
        let folder = self.entrant_folder(name);
        let old = self.aside(name, "old");
        if !folder.is_dir() && old.is_dir() {
            // Whoever put a new one in its place was cut off.
            fs::rename(&old, &folder).map_err(|e| Error::writing(&folder, e))?;
        }
        if !folder.is_dir() {
            return Err(Error::input("it has no folder; `ranka league add` brings one").in_file(&folder));
        }
        files_within(&folder)?;
        let digest = folder_digest(&folder)?;
        let versions = self.versions(name)?;
        if versions.last().is_some_and(|last| (last.digest.as_str(), last.cmd.as_str()) == (&digest, cmd)) {
            return Ok(None);
        }
        let number = versions.last().map_or(1, |last| last.number + 1);
        copy(&folder, &self.version_folder(name, number))?;
        // The file comes last: a version without it was not finished and is made again.
        self.begin(name, Version::now(number, cmd, digest)).map(Some)
    }

    /// The new version of an agent of ours that was given other parameters, or plays otherwise in this program. A game that
    /// the league has more, or fewer, than before makes nobody another.
    fn take_in_agent(&self, entrant: &EntrantConfig, spec: &str) -> Result<Option<u32>, Error> {
        let (mut first, mut identities, mut games) = (None, Vec::new(), BTreeMap::new());
        for game in self.games().iter().map(|game| &game.game).filter(|game| entrant.plays(game.info().name))
        {
            let agent = game.agent(spec)?;
            first = first.or(Some(agent.version));
            games.insert(game.info().name.to_owned(), digest(agent.identity.as_bytes()));
            identities.push(agent.identity);
        }
        let Some(first) = first else { return Ok(None) };
        let digest = digest(identities.join("\n").as_bytes());
        let number = match self.versions(&entrant.name)?.pop() {
            Some(mut last) if last.is_still(&digest, &games) => {
                let known = last.games.len();
                last.games.extend(games);
                if last.games.len() > known {
                    self.write_version(&entrant.name, &last)?;
                }
                return Ok(None);
            }
            Some(last) => last.number + 1,
            // By this number it went in leagues that did not write versions of agents down.
            None => first,
        };
        self.begin(&entrant.name, Version { games, ..Version::now(number, spec, digest) }).map(Some)
    }

    fn begin(&self, name: &str, version: Version) -> Result<u32, Error> {
        let folder = self.folder.join("versions").join(name);
        fs::create_dir_all(&folder).map_err(|e| Error::writing(&folder, e))?;
        self.write_version(name, &version)?;
        Ok(version.number)
    }

    fn write_version(&self, name: &str, version: &Version) -> Result<(), Error> {
        write_json(&self.version_file(name, version.number), version)
    }

    /// Beside an entrant's folder, under a name that no entrant has.
    fn aside(&self, name: &str, what: &str) -> PathBuf {
        self.folder.join("entrants").join(format!(".{name}.{what}"))
    }

    /// Copies what somebody hands in, to be tried as it will be played and then taken in or not.
    pub fn hand_in(&self, name: &str, folder: &Path) -> Result<Submission<'_>, Error> {
        config::check_name(name)?;
        let handed = Submission { league: self, name: name.to_owned(), folder: self.aside(name, "new") };
        copy(folder, &handed.folder)?;
        Ok(handed)
    }
}

/// A copy of what somebody handed in. It is gone when it is dropped, unless it was taken in.
pub struct Submission<'a> {
    league: &'a League,
    name: String,
    folder: PathBuf,
}

impl Submission<'_> {
    /// Where the copy is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the copy in place of what the entrant handed in before. Who is new joins the league, and plays these games if
    /// any are named, else all.
    pub fn take(self, cmd: &str, games: &[&str]) -> Result<(), Error> {
        let place = self.league.entrant_folder(&self.name);
        let old = self.league.aside(&self.name, "old");
        let refuse = |e| Error::writing(&place, e);
        if place.exists() {
            remove(&old)?;
            fs::rename(&place, &old).map_err(refuse)?;
        }
        fs::rename(&self.folder, &place).map_err(refuse)?;
        remove(&old)?;
        if self.league.config.entrant.iter().any(|entrant| entrant.name == self.name) {
            return Ok(());
        }
        // The organiser's own words stay as they are.
        let path = self.league.folder.join(config::FILE);
        let text = ranka_core::read_text(&path, 1 << 20)?;
        let value = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut entrant = format!("[[entrant]]\nname = {}\ncmd = {}\n", value(&self.name), value(cmd));
        if !games.is_empty() {
            let games: Vec<String> = games.iter().map(|game| value(game)).collect();
            entrant += &format!("games = [{}]\n", games.join(", "));
        }
        let mut file = NewFile::create(&path)?;
        write!(file, "{}\n\n{entrant}", text.trim_end()).map_err(|e| file.failed(e))?;
        file.finish()
    }
}

impl Drop for Submission<'_> {
    fn drop(&mut self) {
        // What stays is hidden, and goes with the next that is handed in by this name.
        let _ = remove(&self.folder);
    }
}

fn remove(folder: &Path) -> Result<(), Error> {
    if folder.exists() { fs::remove_dir_all(folder).map_err(|e| Error::writing(folder, e)) } else { Ok(()) }
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string(value).map_err(|e| Error::writing(path, e))?;
    let mut file = NewFile::create(path)?;
    writeln!(file, "{text}").map_err(|e| file.failed(e))?;
    file.finish()
}

/// Copies what a bot is made of. A bot may run as somebody else, so everybody may read it.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let files = files_within(from)?;
    remove(to)?;
    fs::create_dir_all(to).map_err(|e| Error::writing(to, e))?;
    readable(to, true)?;
    for name in files {
        let (source, place) = (from.join(&name), to.join(&name));
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(|e| Error::writing(parent, e))?;
        }
        for folder in name.ancestors().skip(1) {
            readable(&to.join(folder), true)?;
        }
        fs::copy(&source, &place).map_err(|e| Error::writing(&place, e))?;
        readable(&place, false)?;
    }
    Ok(())
}

#[cfg(unix)]
fn readable(path: &Path, folder: bool) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let refuse = |e| Error::writing(path, e);
    let mode = path.metadata().map_err(refuse)?.permissions().mode();
    let started = if folder || mode & 0o100 != 0 { 0o111 } else { 0 };
    fs::set_permissions(path, fs::Permissions::from_mode(0o644 | started)).map_err(refuse)
}

#[cfg(not(unix))]
fn readable(_: &Path, _: bool) -> Result<(), Error> {
    Ok(())
}
