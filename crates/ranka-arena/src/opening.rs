//! How a game at a table begins, and how it is kept: enough to sit everybody down again after a restart.

use ranka_core::{AnyAgent, AnyGame, InputError, Seed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that is decided before the first action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// The game.
    pub(crate) game: String,
    /// The options that differ from the defaults.
    pub(crate) rules: String,
    /// Who sits where.
    pub(crate) seats: Vec<Sitter>,
    /// What all randomness follows from.
    pub(crate) seed: u64,
    /// Where it begins.
    pub(crate) start: String,
    /// How long an agent that acts several times running lets people look in between, in milliseconds.
    pub(crate) pace: u64,
    /// The collection to which what people think of actions is added, if they teach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) teaches: Option<String>,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sitter {
    /// Whoever has the link with this secret.
    Person(String),
    /// An agent.
    Agent(String),
}

/// A game opened, with its agents prepared.
pub(crate) struct Prepared {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) agents: Vec<Option<AnyAgent>>,
}

/// What is asked for when a table is laid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    pub(crate) game: String,
    pub(crate) rules: String,
    /// The agent of each seat; nobody is a person.
    pub(crate) seats: Vec<Option<String>>,
    /// Where to begin; the rules' start without.
    pub(crate) position: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) pace: u64,
    pub(crate) teaches: Option<String>,
}

impl Opening {
    /// Checks what is asked for, and gives each person a secret.
    pub(crate) fn of(wish: Wish, policy: Policy) -> Result<(Opening, Prepared), InputError> {
        let mut game = ranka_games::game(&wish.game)?.open(&wish.rules)?;
        if let Some(position) = &wish.position {
            game = game.for_position(position)?;
        }
        policy.check_rules(&wish.game, &wish.rules)?;
        let seats = game.seats();
        if wish.seats.len() != seats {
            return Err(InputError::new(format!(
                "{} is played by {seats} under these rules, but {} sit down",
                game.info().title,
                wish.seats.len()
            )));
        }
        let seed = wish.seed.unwrap_or_else(random_seed);
        let start = match &wish.position {
            Some(position) => game.moves(position, None)?.position,
            None => game.start(ranka_core::GameSeeds::of(Seed::new(seed), 0, 0).deal),
        };
        let sitter = |agent: &Option<String>| match agent {
            None => Ok(Sitter::Person(secret())),
            Some(spec) => {
                policy.check_agent(&wish.game, spec)?;
                Ok(Sitter::Agent(game.agent(spec)?.short))
            }
        };
        let sitters = wish.seats.iter().map(sitter).collect::<Result<Vec<Sitter>, InputError>>()?;
        let opening = Opening {
            game: wish.game,
            rules: game.rules_short(),
            seats: sitters,
            seed,
            start,
            pace: wish.pace,
            teaches: wish.teaches,
        };
        let prepared = opening.prepare()?;
        Ok((opening, prepared))
    }

    /// Opens the game and prepares the agents, as at the beginning.
    pub(crate) fn prepare(&self) -> Result<Prepared, InputError> {
        let game = ranka_games::game(&self.game)?.open(&self.rules)?;
        let agent = |sitter: &Sitter| match sitter {
            Sitter::Person(_) => Ok(None),
            Sitter::Agent(spec) => game.agent(spec).map(Some),
        };
        let agents = self.seats.iter().map(agent).collect::<Result<_, _>>()?;
        Ok(Prepared { game, agents })
    }

    /// The seat whose link has this secret.
    pub(crate) fn seat_of(&self, secret: &str) -> Option<ranka_core::Seat> {
        let has = |sitter: &Sitter| matches!(sitter, Sitter::Person(own) if same(own, secret));
        self.seats.iter().position(has).map(ranka_core::Seat::new)
    }

    /// How many seats people have.
    pub(crate) fn people(&self) -> usize {
        self.seats.iter().filter(|sitter| matches!(sitter, Sitter::Person(_))).count()
    }
}

/// What a visitor may ask of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Whether agents may read files and run programs that a visitor names: only for who sits at this machine.
    pub(crate) trusted: bool,
}

impl Policy {
    /// Whether a visitor may name this agent.
    pub(crate) fn check_agent(self, game: &str, spec: &str) -> Result<(), InputError> {
        let (name, given) = spec.split_once(':').unwrap_or((spec, ""));
        let agents = ranka_games::game(game)?.agents();
        let Some((_, _, params)) = agents.iter().find(|(known, _, _)| *known == name) else { return Ok(()) };
        if !self.trusted && params.iter().any(|param| param.key == "cmd") {
            return Err(InputError::new(format!(
                "{name}: this server runs programs only for those at its own machine"
            )));
        }
        self.check(params, given, spec)
    }

    /// Whether a visitor may name these rules.
    pub(crate) fn check_rules(self, game: &str, rules: &str) -> Result<(), InputError> {
        self.check(&ranka_games::game(game)?.options(), rules, rules)
    }

    /// Text parameters may name files or programs. From afar only words can be given that are neither.
    fn check(self, declared: &[ranka_core::Param], given: &str, whole: &str) -> Result<(), InputError> {
        if self.trusted {
            return Ok(());
        }
        let text = declared.iter().filter(|param| param.kind == ranka_core::Kind::Text);
        for param in text {
            let value =
                given.split(',').find_map(|pair| pair.trim().strip_prefix(param.key)?.strip_prefix('='));
            let plain =
                |value: &str| value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            if value.is_some_and(|value| !plain(value)) {
                return Err(InputError::new(format!(
                    "{whole}: {} names a file or a program, which this server allows only to those at its own machine",
                    param.key
                )));
            }
        }
        Ok(())
    }
}

/// A word that nobody guesses.
pub(crate) fn secret() -> String {
    letters(26)
}

/// A name for a table: short, and unlike any other.
pub(crate) fn table_name() -> String {
    letters(12)
}

fn letters(count: usize) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.into_iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

fn random_seed() -> u64 {
    // Short enough to be typed again.
    u64::from(getrandom::u32().expect("the system has random numbers") % 1_000_000)
}

/// Whether two secrets are the same, in a time that does not tell how far they agree.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
