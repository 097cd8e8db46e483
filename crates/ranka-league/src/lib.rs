//! A league for a course or a community: a folder with `league.toml` and the bots of those who take part. Whatever is
//! missing is played, night after night, the most informative pairing first; a bot that was changed is a new version, and
//! what the old one did stays.
//!
//! ```text
//! league.toml          games, limits, entrants: for people to write
//! entrants/NAME/       what an entrant handed in last
//! versions/NAME/N/     what was played: a copy of it, which nobody changes
//! league.sqlite        every game
//! history.jsonl        the ratings after each night
//! ```
#![warn(missing_docs)]

mod config;
mod entrants;
mod history;
mod play;
mod schedule;
mod standings;

pub use config::{BotLimits, EntrantConfig, GameConfig, LeagueConfig, RatingConfig};
pub use entrants::{Submission, Version};
pub use history::{NightRatings, Playing};
pub use play::{NightPlan, NightProgress, NightSummary};
pub use standings::{Player, Standings, StandingsRow, players_of};

use ranka_bots::stdio::sandbox::SandboxKind;
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Seed, digest};
use ranka_lab::{GameLimits, Pairing, Seating, Store};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A league that was read from its folder.
pub struct League {
    folder: PathBuf,
    /// What its organiser has written.
    pub config: LeagueConfig,
    games: Vec<LeagueGame>,
}

/// A game of a league.
#[derive(Clone)]
pub struct LeagueGame {
    /// The game under its rules.
    pub game: Arc<dyn AnyGame>,
    /// How many games each pairing plays.
    pub games: u64,
    limits: GameLimits,
    /// A digest of all that results change with, beside who plays.
    conditions: String,
}

/// Somebody who plays a game of the league today.
#[derive(Clone)]
struct Contender {
    /// Who, and in which version.
    player: Player,
    agent: AnyAgent,
}

/// The lock of a league: as long as it is there, nobody else plays in it.
pub struct Lock {
    _file: File,
}

impl League {
    /// Reads the league of a folder.
    pub fn open(folder: &Path) -> Result<League, Error> {
        let config = LeagueConfig::read(folder)?;
        let open = |wanted: &GameConfig| {
            let game = ranka_games::game(&wanted.game)?.open(&wanted.rules)?;
            if game.seats() != 2 {
                let message = format!(
                    "{}: a league is of games for two, and this has {} seats",
                    wanted.game,
                    game.seats()
                );
                return Err(Error::input(message));
            }
            let usual = GameLimits::default();
            let limits = GameLimits {
                ply_cap: wanted.ply_cap.unwrap_or(usual.ply_cap),
                budget: wanted.budget.as_deref().map(Budget::parse).transpose()?,
                ..usual
            };
            let conditions = conditions(game.as_ref(), limits, &config.limits);
            Ok(LeagueGame { game, games: wanted.games.next_multiple_of(2), limits, conditions })
        };
        let games = config.game.iter().map(open).collect::<Result<_, Error>>();
        let games = games.map_err(|error| error.in_file(folder.join(config::FILE)))?;
        let league = League { folder: folder.to_owned(), config, games };
        league.check_agents()?;
        Ok(league)
    }

    /// Agents of ours are the organiser's words: who misspells one is told where.
    fn check_agents(&self) -> Result<(), Error> {
        for entrant in &self.config.entrant {
            let Some(spec) = &entrant.agent else { continue };
            for game in self.games.iter().filter(|game| entrant.plays(game.game.info().name)) {
                game.game.agent(spec).map_err(|error| {
                    let place = LeagueConfig::place_of_agent(&self.folder, &entrant.name, spec);
                    error.at(place).in_file(self.folder.join(config::FILE))
                })?;
            }
        }
        Ok(())
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is played.
    pub fn games(&self) -> &[LeagueGame] {
        &self.games
    }

    /// Its games; only to be read where they cannot be written.
    pub fn store(&self) -> Result<Store, Error> {
        Store::open_or_read(&self.store_path())
    }

    fn store_path(&self) -> PathBuf {
        self.folder.join("league.sqlite")
    }

    /// Keeps everybody else from playing in this league; refused while somebody does.
    pub fn lock(&self) -> Result<Lock, Error> {
        // Who only looks whether somebody plays has it for a moment.
        for _ in 0..20 {
            if let Some(lock) = self.lock_now()? {
                return Ok(lock);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(Error::busy("another `ranka league run` plays in this league").in_file(&self.folder))
    }

    /// The same without waiting; nothing while somebody else has it.
    fn lock_now(&self) -> Result<Option<Lock>, Error> {
        let path = self.folder.join(".lock");
        let file = File::create(&path).map_err(|e| Error::writing(&path, e))?;
        Ok(file.try_lock().is_ok().then_some(Lock { _file: file }))
    }

    /// Who takes part in a game today, and in which version.
    pub fn players(&self, game: &LeagueGame) -> Result<Vec<Player>, Error> {
        let mut players = Vec::new();
        for entrant in self.config.entrant.iter().filter(|entrant| entrant.plays(game.game.info().name)) {
            let known = self.versions(&entrant.name)?.pop().map(|version| version.number);
            let version = match (known, &entrant.agent) {
                (None, Some(spec)) => Some(game.game.agent(spec)?.version),
                (known, _) => known,
            };
            players.extend(version.map(|version| Player { name: entrant.name.clone(), version }));
        }
        Ok(players)
    }

    /// Who plays a game today: every entrant in its newest version, but for those who are `broken`. Whoever turns out to be
    /// so now is named there, with the reason. Bots are held by these means, if by any.
    fn contenders(
        &self,
        game: &LeagueGame,
        means: Option<SandboxKind>,
        broken: &mut BTreeMap<String, String>,
    ) -> Vec<Contender> {
        let mut contenders = Vec::new();
        for entrant in self.config.entrant.iter().filter(|entrant| entrant.plays(game.game.info().name)) {
            if broken.contains_key(&entrant.name) {
                continue;
            }
            match self.contender(game, entrant, means) {
                Ok(contender) => contenders.extend(contender),
                Err(error) => {
                    broken.insert(entrant.name.clone(), error.to_string());
                }
            }
        }
        contenders
    }

    fn contender(
        &self,
        game: &LeagueGame,
        entrant: &EntrantConfig,
        means: Option<SandboxKind>,
    ) -> Result<Option<Contender>, Error> {
        let Some(version) = self.versions(&entrant.name)?.pop() else { return Ok(None) };
        let agent = match &entrant.agent {
            Some(spec) => game.game.agent(spec)?,
            None => self.bot(game, entrant, &version, means)?,
        };
        let player = Player { name: entrant.name.clone(), version: version.number };
        Ok(Some(Contender { agent: named(agent, &entrant.name, version.number), player }))
    }

    /// The agent of an entrant's version.
    fn bot(
        &self,
        game: &LeagueGame,
        entrant: &EntrantConfig,
        version: &Version,
        means: Option<SandboxKind>,
    ) -> Result<AnyAgent, Error> {
        let limits = &self.config.limits;
        let folder = self.version_folder(&entrant.name, version.number);
        let spec = limits.spec(&version.cmd, &entrant.name, &folder, means);
        let mut agent = game.game.agent(&spec)?;
        // Where the league lies, and how it is held, is no part of what the bot is.
        agent.identity =
            format!("entrant {};{};{};{}", entrant.name, version.cmd, version.digest, limits.identity());
        Ok(agent)
    }

    /// What all randomness of the games of two follows from. It is published with them, so nothing must follow from it for
    /// any other two, nor for another version of these.
    fn seed(&self, game: &LeagueGame, players: [&Player; 2]) -> Seed {
        let [one, other] = players.map(|player| format!("{} {}", player.name, player.version));
        let text = format!("league {}\n{}\n{one}\n{other}\n", self.config.seed, game.conditions);
        // The upper half of the numbers is not everybody's: a table may have signed ones.
        Seed::new(u64::from_str_radix(&digest(text.as_bytes())[..16], 16).unwrap_or(0) >> 1)
    }

    /// The games of two contenders.
    fn pairing(
        &self,
        game: &LeagueGame,
        [one, other]: [&Contender; 2],
        seed: Seed,
    ) -> Result<Pairing, Error> {
        let agents = vec![one.agent.clone(), other.agent.clone()];
        Pairing::new(game.game.clone(), agents, Seating::Swapped, seed, game.limits, &[])
    }
}

/// A digest of all that results of a game change with, beside who plays.
fn conditions(game: &dyn AnyGame, limits: GameLimits, bots: &BotLimits) -> String {
    let GameLimits { ply_cap, budget, move_limit } = limits;
    let budget = budget.map_or_else(|| "-".to_owned(), |budget| budget.to_string());
    let text = format!(
        "game {} {}\nrules {}\nplies {ply_cap}\nbudget {budget}\nlimit {move_limit:?}\nbots {} processes {} scratch {}\n",
        game.info().name,
        game.info().version,
        game.identity(),
        bots.identity(),
        bots.processes,
        bots.scratch,
    );
    digest(text.as_bytes())
}

/// An agent under the name by which the league knows it.
fn named(mut agent: AnyAgent, name: &str, version: u32) -> AnyAgent {
    agent.family = format!("league entrant {name}");
    agent.identity = format!("{};{};version {version}", agent.family, agent.identity);
    for text in [&mut agent.full, &mut agent.short, &mut agent.label] {
        name.clone_into(text);
    }
    agent.version = version;
    agent
}
