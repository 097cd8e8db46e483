//! How a game at a table begins, and how it is kept: enough to sit everybody down again after a restart.

use crate::hall::Hall;
use crate::labelling;
use crate::levels::{self, Estimate};
use crate::visit::Visit;
use ranka_core::{AgentSpec, AnyAgent, AnyGame, Error, Param, ParamKind, Params, Seed};
use ranka_games::{Strength, level_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
    /// The agents that were chosen by their strength, by their seats.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) levels: BTreeMap<usize, String>,
    /// What all randomness follows from.
    pub(crate) seed: u64,
    /// Where it begins.
    pub(crate) start: String,
    /// The position that was asked for; without one each game has a start of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<String>,
    /// Whether somebody chose the seed.
    #[serde(default)]
    pub(crate) seeded: bool,
    /// How long an agent that acts several times running lets people look in between, in milliseconds.
    pub(crate) pace: u64,
    /// Whether people who play each other may ask for hints.
    #[serde(default)]
    pub(crate) hints: bool,
    /// How many seconds each person has for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<u32>,
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
    /// Whoever is the first to take this invitation; only then is there a secret.
    Invited(String),
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
    /// Who is wanted at each seat.
    pub(crate) seats: Vec<Wanted>,
    /// The seats of people who are here already; without, that is the first person.
    pub(crate) here: Option<Vec<usize>>,
    /// Where to begin; the rules' start without.
    pub(crate) position: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) pace: u64,
    pub(crate) hints: bool,
    /// How many seconds each person has.
    pub(crate) clock: Option<u32>,
    /// What whoever lays the table is called.
    pub(crate) name: Option<String>,
    pub(crate) teaches: Option<String>,
    /// How strong an adapting opponent may take whoever lays the table to be.
    pub(crate) known: Option<Estimate>,
}

impl Wish {
    /// Who sits down for a strength. The partner fits itself to the person, where there is one, and begins with what is
    /// known of them.
    fn seated(&self, game: &dyn AnyGame, strength: Strength) -> Result<AnyAgent, Error> {
        let none = || Error::input("there is no opponent of this strength in this game under these rules");
        let level = level_of(&self.game, strength).ok_or_else(none)?;
        if strength != Strength::Adapts {
            return level.agent(game).ok_or_else(none);
        }
        let mut people = self.seats.iter().enumerate().filter(|(_, wanted)| **wanted == Wanted::Person);
        let person = people.next().filter(|_| self.seats.len() > 2 && people.next().is_none());
        let person = person.map(|(seat, _)| format!("person={}", seat + 1));
        let params: Vec<String> = self.known.map(Estimate::params).into_iter().chain(person).collect();
        let spec = AgentSpec { name: level.agents[0].to_owned(), params: params.join(",") };
        game.agent(&spec.to_string())
    }
}

/// Who is wanted at a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Wanted {
    /// Somebody.
    #[default]
    Person,
    /// An agent by its name and parameters.
    Agent(String),
    /// An agent by its strength.
    Level(Strength),
}

impl Opening {
    /// Checks what is asked for, and gives the people who are here secrets and the others invitations: whoever lays a
    /// table shall not look at the others' seats.
    pub(crate) fn of(wish: Wish, hall: &Hall, policy: Policy) -> Result<(Opening, Prepared), Error> {
        let mut game = policy.open(&wish.game, &wish.rules)?;
        if let Some(position) = &wish.position {
            game = game.for_position(position)?;
        }
        let seats = game.seats();
        if wish.seats.len() != seats {
            return Err(Error::input(format!(
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
        let here = wish.here.clone().unwrap_or_else(|| {
            wish.seats.iter().position(|one| *one == Wanted::Person).into_iter().collect()
        });
        let (mut sitters, mut agents, mut levels) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (seat, wanted) in wish.seats.iter().enumerate() {
            let agent = match wanted {
                Wanted::Person => None,
                Wanted::Agent(spec) => {
                    policy.check_agent(&wish.game, spec)?;
                    Some(labelling::agent(hall, game.as_ref(), spec)?)
                }
                Wanted::Level(strength) => {
                    levels.insert(seat, strength.name().to_owned());
                    Some(wish.seated(game.as_ref(), *strength)?)
                }
            };
            sitters.push(match &agent {
                None if here.contains(&seat) => Sitter::Person(secret()),
                None => Sitter::Invited(secret()),
                Some(agent) => Sitter::Agent(agent.short.clone()),
            });
            agents.push(agent);
        }
        let opening = Opening {
            game: wish.game,
            rules: game.rules_short(),
            seats: sitters,
            levels,
            seed,
            start,
            position: wish.position,
            seeded: wish.seed.is_some(),
            pace: wish.pace,
            hints: wish.hints,
            clock: wish.clock,
            teaches: wish.teaches,
        };
        Ok((opening, Prepared { game, agents }))
    }

    /// Opens the game and prepares the agents, as at the beginning.
    pub(crate) fn prepare(&self, hall: &Hall) -> Result<Prepared, Error> {
        let game = ranka_games::game(&self.game)?.open(&self.rules)?;
        let agent = |sitter: &Sitter| match sitter {
            Sitter::Person(_) | Sitter::Invited(_) => Ok(None),
            Sitter::Agent(spec) => labelling::agent(hall, game.as_ref(), spec).map(Some),
        };
        let agents = self.seats.iter().map(agent).collect::<Result<_, _>>()?;
        Ok(Prepared { game, agents })
    }

    /// The seat whose link has this secret.
    pub(crate) fn seat_of(&self, secret: &str) -> Option<ranka_core::Seat> {
        let has = |sitter: &Sitter| matches!(sitter, Sitter::Person(own) if same(own, secret));
        self.seats.iter().position(has).map(ranka_core::Seat::new)
    }

    /// The seat to which a token invites, whether somebody has taken it or not.
    pub(crate) fn invites(&self, token: &str) -> Option<ranka_core::Seat> {
        let has = |sitter: &Sitter| matches!(sitter, Sitter::Invited(own) if same(own, token));
        self.seats.iter().position(has).map(ranka_core::Seat::new)
    }

    /// Whether whoever laid the table may know what is hidden from the other people at it.
    pub(crate) fn is_arranged(&self, game: &dyn AnyGame) -> bool {
        self.people() > 1 && (self.seeded || self.position.is_some() && !game.open_information())
    }

    /// What a visitor calls the agent of a seat: by its strength, if it was chosen by that.
    pub(crate) fn agent_name(&self, seat: usize, spec: &str, visit: Visit) -> String {
        match self.levels.get(&seat).and_then(|name| Strength::of_name(name)) {
            Some(strength) => levels::title(strength, visit.language).to_owned(),
            None => visit.policy().called(&self.game, spec),
        }
    }

    /// Whether a seat may ask for a hint: against agents always, among people where all knew of it when they sat down.
    pub(crate) fn gives_hints(&self) -> bool {
        self.hints || self.people() == 1
    }

    /// How many seats people have.
    pub(crate) fn people(&self) -> usize {
        self.seats.iter().filter(|sitter| !matches!(sitter, Sitter::Agent(_))).count()
    }
}

/// What a visitor may ask of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Whether agents may read files and run programs that a visitor names: only for who sits at this machine.
    pub(crate) trusted: bool,
}

impl Policy {
    /// The game under rules that a visitor names.
    pub(crate) fn open(self, game: &str, rules: &str) -> Result<Arc<dyn AnyGame>, Error> {
        let entry = ranka_games::game(game)?;
        self.check(game, &Params::parse(rules, entry.options())?, rules)?;
        entry.open(rules)
    }

    /// Whether a visitor may name this agent.
    pub(crate) fn check_agent(self, game: &str, spec: &str) -> Result<(), Error> {
        let AgentSpec { name, params: given } = AgentSpec::parse(spec);
        let agents = ranka_games::game(game)?.agents();
        let Some(agent) = agents.into_iter().find(|known| known.name == name) else {
            return Ok(());
        };
        self.check(game, &Params::parse(&given, agent.params)?, spec)
    }

    /// An agent as a visitor may read it: which files and programs of this machine it names stays here.
    pub(crate) fn shown_agent(self, game: &str, spec: &str) -> String {
        let AgentSpec { name, params } = AgentSpec::parse(spec);
        let declared = || ranka_games::game(game).ok()?.agents().into_iter().find(|known| known.name == name);
        match declared().map(|known| known.params) {
            Some(declared) => {
                let params = self.shown(game, &params, declared);
                AgentSpec { name, params }.to_string()
            }
            // A person, or an agent of another time.
            None if self.trusted || params.is_empty() => spec.to_owned(),
            None => name,
        }
    }

    /// What people call an agent: the name that it was given, or else what a visitor may read of how it differs from the
    /// usual.
    pub(crate) fn called(self, game: &str, spec: &str) -> String {
        let AgentSpec { name, params } = AgentSpec::parse(spec);
        let declared = ranka_games::game(game).ok();
        let kind = declared.and_then(|game| game.agents().into_iter().find(|known| known.name == name));
        let Some(params) = kind.and_then(|kind| Params::parse(&params, kind.params).ok()) else {
            return self.shown_agent(game, spec);
        };
        let short = || self.shown_agent(game, &AgentSpec { name, params: params.short() }.to_string());
        params.label().map_or_else(short, str::to_owned)
    }

    /// The rules as a visitor may read them.
    pub(crate) fn shown_rules(self, game: &str, rules: &str) -> String {
        match ranka_games::game(game) {
            Ok(entry) => self.shown(game, rules, entry.options()),
            Err(_) if self.trusted => rules.to_owned(),
            Err(_) => String::new(),
        }
    }

    fn shown(self, game: &str, given: &str, declared: Vec<Param>) -> String {
        if self.trusted {
            return given.to_owned();
        }
        let Ok(params) = Params::parse(given, declared) else { return String::new() };
        let hidden: Vec<_> = beyond(game, &params).map(|(param, _)| (param.key, "…".to_owned())).collect();
        match params.with(&hidden) {
            _ if hidden.is_empty() => given.to_owned(),
            Ok(shown) if params.full() == given => shown.full(),
            Ok(shown) => shown.short(),
            Err(_) => String::new(),
        }
    }

    /// Files and programs of this machine are named only by those who sit at it.
    fn check(self, game: &str, given: &Params, whole: &str) -> Result<(), Error> {
        match beyond(game, given).find(|_| !self.trusted) {
            None => Ok(()),
            Some((param, _)) if param.kind == ParamKind::Program => Err(Error::input(format!(
                "{whole}: this server runs programs only for those at its own machine, who come by the address that it printed"
            ))),
            Some((param, _)) => Err(Error::input(format!(
                "{whole}: {} names a file, which this server allows only to those at its own machine, who come by the address that it printed",
                param.key
            ))),
        }
    }
}

/// The values that name files and programs of this machine. What people taught here is none of them.
fn beyond<'a>(game: &str, given: &'a Params) -> impl Iterator<Item = (&'a Param, &'a str)> {
    let teachable = labelling::teachable(game);
    let taught = move |param: &Param, value: &str| {
        teachable && matches!(param.kind, ParamKind::File(_)) && labelling::names_collection(value)
    };
    given.reaching_out().filter(move |(param, value)| !taught(param, value))
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
    // Nobody shall find it by trying: what is hidden follows from it.
    getrandom::u64().expect("the system has random numbers")
}

/// Whether two secrets are the same, in a time that does not tell how far they agree.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_afar_nobody_names_files_or_programs() {
        let (far, here) = (Policy { trusted: false }, Policy { trusted: true });
        for rules in ["map=/etc/passwd", " map = /etc/passwd", "limit=4,map=../x.tbsmap"] {
            let refused = far.open("tubstap", rules).err().map(|error| error.to_string());
            assert!(refused.is_some_and(|why| why.contains("names a file")), "{rules}");
        }
        assert!(far.open("tubstap", "map=crossing,limit=4").is_ok());
        for agent in
            ["uct:prune=/etc/passwd", "uct: prune =\"/etc/passwd\"", "bot:cmd=reboot", "bot:cmd=\"sh x\""]
        {
            assert!(far.check_agent("tubstap", agent).is_err(), "{agent}");
            assert!(here.check_agent("tubstap", agent).is_ok(), "{agent}");
        }
        assert!(far.check_agent("tubstap", "uct:prune=synthetic-440,playouts=10").is_ok());
        assert!(far.check_agent("tubstap", "uct:prune=taught:mine").is_ok());
        assert!(far.check_agent("tubstap", "uct:prune=taught:mine@12").is_ok());
        // Only there is something taught, and never a program.
        for (game, agent) in [
            ("kalah", "bot:cmd=taught:x"),
            ("kalah", "network:file=taught:x"),
            ("tubstap", "bot:cmd=taught:x"),
        ] {
            assert!(far.check_agent(game, agent).is_err(), "{game}: {agent}");
            assert!(!far.shown_agent(game, agent).contains("taught"), "{game}: {agent}");
        }
        for agent in ["uct:prune=taught:../mine", "uct:prune=taught:/etc/passwd", "uct:prune=taught:"] {
            assert!(far.check_agent("tubstap", agent).is_err(), "{agent}");
        }
    }

    #[test]
    fn from_afar_nobody_reads_which_files_and_programs_there_are() {
        let (far, here) = (Policy { trusted: false }, Policy { trusted: true });
        let bot = "bot:cmd=\"python3 /home/me/bot.py\"";
        assert_eq!(far.shown_agent("kalah", bot), "bot:cmd=…");
        assert_eq!(here.shown_agent("kalah", bot), bot);
        let pruning = "uct:playouts=10,prune=/home/me/table.csv";
        assert_eq!(far.shown_agent("tubstap", pruning), "uct:playouts=10,prune=…");
        for plain in ["person", "uct:playouts=10", "uct:prune=synthetic-440", "uct:prune=taught:mine@1"] {
            assert_eq!(far.shown_agent("tubstap", plain), plain);
        }
        assert_eq!(far.shown_agent("kalah", "forgotten:file=/home/me/x"), "forgotten");
        assert_eq!(far.shown_rules("tubstap", "map=/home/me/x.tbsmap,limit=4"), "map=…,limit=4");
        assert_eq!(far.shown_rules("tubstap", "map=duel"), "map=duel");
        let full = ranka_games::game("tubstap").unwrap().open("map=duel").unwrap().rules();
        assert_eq!(far.shown_rules("tubstap", &full), full);
    }

    #[test]
    fn secrets_and_names_are_unlike_any_other() {
        let all: std::collections::HashSet<String> = (0..1000).map(|_| secret()).collect();
        assert_eq!(all.len(), 1000);
        assert!(
            all.iter().all(|secret| secret.len() == 26 && secret.chars().all(|c| c.is_ascii_alphanumeric()))
        );
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }
}
