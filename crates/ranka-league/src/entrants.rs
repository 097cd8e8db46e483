//! What entrants hand in, and the versions that come of it.

use crate::{League, config};
use ranka_bots::stdio::{files_of, folder_digest};
use ranka_core::Error;
use ranka_lab::NewFile;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A version of an entrant's bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// From 1 on.
    pub number: u32,
    /// The command that starts it.
    pub cmd: String,
    /// What it is made of.
    pub digest: String,
    /// When it came, in seconds since 1970.
    pub since: i64,
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
        let mut versions = Vec::new();
        for number in 1.. {
            let path = self.version_file(name, number);
            if !path.is_file() {
                break;
            }
            let text = ranka_core::read_text(&path, 1 << 20)?;
            let version = serde_json::from_str(&text);
            versions.push(version.map_err(|error| Error::input(error.to_string()).in_file(&path))?);
        }
        Ok(versions)
    }

    /// Makes a new version of every entrant whose folder or command was changed; tells which.
    pub fn take_in(&self) -> Result<Vec<(String, u32)>, Error> {
        let mut new = Vec::new();
        for entrant in &self.config.entrant {
            let Some(cmd) = &entrant.cmd else { continue };
            let folder = self.entrant_folder(&entrant.name);
            if !folder.is_dir() {
                let message =
                    format!("entrant {}: it has no folder; `ranka league add` brings one", entrant.name);
                return Err(Error::input(message).in_file(&folder));
            }
            let digest = folder_digest(&folder)?;
            let versions = self.versions(&entrant.name)?;
            if versions.last().is_some_and(|last| (&last.digest, &last.cmd) == (&digest, cmd)) {
                continue;
            }
            let number = versions.len() as u32 + 1;
            let (name, cmd, since) = (&entrant.name, cmd.clone(), jiff::Timestamp::now().as_second());
            let place = self.version_folder(name, number);
            copy(&folder, &place)?;
            // The file comes last: a version without it was not finished and is made again.
            write_json(&self.version_file(name, number), &Version { number, cmd, digest, since })?;
            new.push((entrant.name.clone(), number));
        }
        Ok(new)
    }

    /// Takes a folder as what an entrant hands in, in place of what was there; the entrant joins the league if it is new.
    pub fn hand_in(&self, name: &str, folder: &Path, cmd: &str) -> Result<(), Error> {
        config::check_name(name)?;
        let place = self.entrant_folder(name);
        let new = place.with_file_name(format!(".{name}.new"));
        copy(folder, &new)?;
        if place.exists() {
            fs::remove_dir_all(&place).map_err(|e| Error::writing(&place, e))?;
        }
        fs::rename(&new, &place).map_err(|e| Error::writing(&place, e))?;
        if self.config.entrant.iter().any(|entrant| entrant.name == name) {
            return Ok(());
        }
        // The organiser's own words stay as they are.
        let path = self.folder.join(config::FILE);
        let mut text = ranka_core::read_text(&path, 1 << 20)?;
        let value = |text: &str| toml::Value::String(text.to_owned()).to_string();
        text = format!("{}\n\n[[entrant]]\nname = {}\ncmd = {}\n", text.trim_end(), value(name), value(cmd));
        let mut file = NewFile::create(&path)?;
        file.write_all(text.as_bytes()).map_err(|e| file.failed(e))?;
        file.finish()
    }
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string(value).map_err(|e| Error::writing(path, e))?;
    let mut file = NewFile::create(path)?;
    writeln!(file, "{text}").map_err(|e| file.failed(e))?;
    file.finish()
}

/// Copies what a bot is made of. A bot may run as somebody else, so everybody may read it.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|e| Error::writing(to, e))?;
    }
    fs::create_dir_all(to).map_err(|e| Error::writing(to, e))?;
    readable(to, true)?;
    for name in files_of(from)? {
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
