//! `league.toml`.

use ranka_bots::stdio::sandbox::{SandboxKind, SandboxPolicy};
use ranka_bots::stdio::{BOT, Launch};
use ranka_core::{Error, Params, read_text, toml_mistake, unknown};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The file's name.
pub(crate) const FILE: &str = "league.toml";

/// More games of each pairing nobody plays, and a night lists those that are missing.
const MOST_GAMES: u64 = 10_000;

/// How far from 0 an anchor's rating may be.
const FARTHEST: f64 = 100_000.0;

/// What an organiser writes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LeagueConfig {
    /// What the league is called.
    pub title: String,
    /// What all randomness follows from: whoever knows it could compute the deals, so it is nobody else's business.
    pub seed: u64,
    /// The games.
    pub game: Vec<GameConfig>,
    /// What a bot may use.
    #[serde(default)]
    pub limits: BotLimits,
    /// How ratings are anchored.
    #[serde(default)]
    pub ratings: RatingConfig,
    /// Who takes part.
    #[serde(default)]
    pub entrant: Vec<EntrantConfig>,
}

/// A game of a league.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GameConfig {
    /// The game, by the name that `ranka games` tells.
    pub game: String,
    /// Options of its rules, `key=value,…`.
    #[serde(default)]
    pub rules: String,
    /// How many games each pairing plays.
    pub games: u64,
    /// How much everybody should think: `nodes=N`, `playouts=N` or `ms=N`.
    pub budget: Option<String>,
    /// A game that reaches this many plies is drawn.
    pub ply_cap: Option<u32>,
}

/// What a bot may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BotLimits {
    /// Milliseconds to be ready.
    pub start: u64,
    /// Milliseconds for an action.
    #[serde(rename = "move")]
    pub turn: u64,
    /// MiB of address space of each process; 0 for no limit.
    pub memory: u64,
    /// Seconds of processor time of each process; 0 for no limit.
    pub cpu: u64,
    /// Processes and threads.
    pub processes: u64,
    /// MiB of its scratch folder.
    pub scratch: u64,
    /// Files and folders that bots may read beside their own and the system's: an interpreter, say.
    pub read: Vec<PathBuf>,
}

impl Default for BotLimits {
    fn default() -> BotLimits {
        BotLimits {
            start: 10_000,
            turn: 5_000,
            memory: 2048,
            cpu: 0,
            processes: 64,
            scratch: 64,
            read: Vec::new(),
        }
    }
}

impl BotLimits {
    /// The agent that runs a bot under these limits.
    pub(crate) fn spec(&self, cmd: &str, name: &str, folder: &Path, means: Option<SandboxKind>) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let BotLimits { start, turn, memory, cpu, processes, scratch, read } = self;
        let mut spec = format!(
            "bot:cmd={},name={},folder={},files=.,start={start},move={turn},memory={memory},cpu={cpu}",
            quoted(cmd),
            quoted(name),
            quoted(&folder.to_string_lossy())
        );
        if let Some(means) = means {
            let read: Vec<String> =
                read.iter().map(|path| ranka_bots::stdio::quoted(&path.to_string_lossy())).collect();
            let _ = write!(spec, ",sandbox={},processes={processes},scratch={scratch}", means.name());
            if !read.is_empty() {
                let _ = write!(spec, ",read={}", quoted(&read.join(" ")));
            }
        }
        spec
    }

    /// A bot's program under these limits, in a sandbox if there is one: as the agent has it that plays.
    pub fn hold(&self, launch: Launch, means: Option<SandboxKind>) -> Launch {
        let above_zero = |n: u64| Some(n).filter(|&n| n > 0);
        let (memory, cpu) = (above_zero(self.memory).map(|mib| mib << 20), above_zero(self.cpu));
        let launch = launch.limited(memory, cpu);
        let Some(means) = means else { return launch };
        let (read, scratch) = (self.read.clone(), self.scratch << 20);
        launch.fenced(SandboxPolicy { means, read, scratch, processes: self.processes, memory, cpu })
    }

    /// Refuses what the agent that runs bots would refuse of every one of them.
    fn check(&self) -> Result<(), Error> {
        let BotLimits { start, turn, memory, cpu, processes, scratch, .. } = self;
        for (key, value) in [("start", start), ("move", turn), ("processes", processes)] {
            if *value == 0 {
                return Err(Error::input(format!("limits: {key} = 0 leaves a bot nothing: give 1 or more")));
            }
        }
        let given = format!(
            "cmd=bot,start={start},move={turn},memory={memory},cpu={cpu},processes={processes},scratch={scratch}"
        );
        let limits = Params::parse(&given, (BOT.params)());
        limits.map(drop).map_err(|error| Error::input(format!("limits: {error}")))
    }

    /// What results change with.
    pub(crate) fn identity(&self) -> String {
        format!("start {} move {} memory {} cpu {}", self.start, self.turn, self.memory, self.cpu)
    }
}

/// How ratings are anchored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RatingConfig {
    /// The entrant whose rating is fixed; without one the mean of all is.
    pub anchor: Option<String>,
    /// At what.
    pub rating: f64,
}

impl Default for RatingConfig {
    fn default() -> RatingConfig {
        RatingConfig { anchor: None, rating: 1500.0 }
    }
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantConfig {
    /// By which name.
    pub name: String,
    /// The command that starts the bot in its folder.
    pub cmd: Option<String>,
    /// Instead of a bot: an agent of ours.
    pub agent: Option<String>,
    /// Which games; all if nothing is said.
    #[serde(default)]
    pub games: Vec<String>,
}

impl EntrantConfig {
    /// Whether it plays a game.
    pub fn plays(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|known| known == game)
    }
}

impl LeagueConfig {
    /// Reads and checks the file of a folder.
    pub(crate) fn read(folder: &Path) -> Result<LeagueConfig, Error> {
        let path = folder.join(FILE);
        let text = read_text(&path, 1 << 20)?;
        LeagueConfig::parse(&text).map_err(|error| error.in_file(&path))
    }

    /// Reads and checks what an organiser writes.
    pub fn parse(text: &str) -> Result<LeagueConfig, Error> {
        let config: LeagueConfig =
            toml::from_str(text).map_err(|error| toml_mistake(None, text, error.message(), error.span()))?;
        config.check(text)?;
        Ok(config)
    }

    /// The place in the file of the agent that an entrant is.
    pub(crate) fn place_of_agent(folder: &Path, name: &str, spec: &str) -> String {
        let text = read_text(folder.join(FILE), 1 << 20).unwrap_or_default();
        format!(
            "entrant {name}{}",
            line_of(&text, "agent", spec).map_or_else(String::new, |line| format!(", {line}"))
        )
    }

    fn check(&self, text: &str) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::input(message));
        let misspelt = |key: &str, what: &str, word: &str, known: &BTreeSet<&String>| {
            let known: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
            let error = Error::input(unknown(what, word, &known));
            Err(match line_of(text, key, word) {
                Some(line) => error.at(line),
                None => error,
            })
        };
        if self.title.trim().is_empty() {
            return refuse("title: say what the league is called".to_owned());
        }
        if self.game.is_empty() {
            return refuse("a league without a game: write [[game]]".to_owned());
        }
        self.limits.check()?;
        let rating = self.ratings.rating;
        if !(-FARTHEST..=FARTHEST).contains(&rating) {
            return refuse(format!(
                "ratings: rating = {rating}: give a number from -{FARTHEST} to {FARTHEST}"
            ));
        }
        let mut games = BTreeSet::new();
        for game in &self.game {
            if !games.insert(&game.game) {
                return refuse(format!("game {} is there twice", game.game));
            }
            if !(1..=MOST_GAMES).contains(&game.games) {
                let (name, count) = (&game.game, game.games);
                return refuse(format!("game {name}: pairings of {count} games: give 1 to {MOST_GAMES}"));
            }
        }
        let mut names = BTreeSet::new();
        for entrant in &self.entrant {
            check_name(&entrant.name)?;
            if !names.insert(&entrant.name) {
                return refuse(format!("entrant {} is there twice", entrant.name));
            }
            if entrant.cmd.is_some() == entrant.agent.is_some() {
                return refuse(format!("entrant {}: give cmd (of a bot) or agent (of ours)", entrant.name));
            }
            if let Some(game) = entrant.games.iter().find(|game| !games.contains(game)) {
                return misspelt("games", "game of this league", game, &games);
            }
        }
        match &self.ratings.anchor {
            Some(anchor) if !names.contains(anchor) => misspelt("anchor", "entrant", anchor, &names),
            _ => Ok(()),
        }
    }
}

/// The line on which a key has a text, alone or in a list, as far as it can be told.
fn line_of(text: &str, key: &str, word: &str) -> Option<String> {
    let quoted = [format!("\"{word}\""), format!("'{word}'")];
    let given = |line: &str| {
        let rest = line.trim_start().strip_prefix(key).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with('=') && quoted.iter().any(|word| rest.contains(word)))
    };
    text.lines().position(given).map(|line| format!("line {}", line + 1))
}

/// A name is a folder's and a page's name too.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || name.chars().count() > 40 || !name.chars().all(good) {
        let message = format!("entrant {name:?}: a name has 1 to 40 letters, digits, - and _");
        return Err(Error::input(message));
    }
    Ok(())
}
