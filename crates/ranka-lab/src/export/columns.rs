//! The columns of the table: what they are called, what they hold, and what that means.

use super::GameRows;
use crate::GameResult;
use crate::experiment::SweepValue;
use ranka_core::{Error, Per};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A column of the table.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) field: Field,
}

/// What a column holds. Agents and seats are counted from 0.
#[derive(Clone, PartialEq)]
pub(super) enum Field {
    Pairing,
    Identity,
    /// A value of the sweep, by its key, and whether all of them are numbers.
    Sweep(String, bool),
    Game,
    Rules,
    Seed,
    Number,
    Pair,
    PairGame,
    AgentName(usize),
    AgentSpec(usize),
    AgentVersion(usize),
    AgentSeat(usize),
    AgentScore(usize),
    SeatAgent(usize),
    SeatName(usize),
    SeatScore(usize),
    Plies,
    Reason,
    BlameSeat,
    BlameAgent,
    BlameName,
    /// A measure, and of which agent.
    Measure(String, Per, usize),
}

/// What kind of values a column has.
pub(super) enum Kind {
    Text,
    Whole,
    Real,
}

/// A value.
#[derive(Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Whole(u64),
    Real(f64),
}

/// The columns before those of agents and seats, without the sweep's.
pub(super) const OF_THE_PAIRING: [Field; 8] = [
    Field::Pairing,
    Field::Identity,
    Field::Game,
    Field::Rules,
    Field::Seed,
    Field::Number,
    Field::Pair,
    Field::PairGame,
];

/// The columns of each agent, but for measures.
pub(super) const OF_AN_AGENT: [fn(usize) -> Field; 5] =
    [Field::AgentName, Field::AgentSpec, Field::AgentVersion, Field::AgentSeat, Field::AgentScore];

/// The columns of each seat.
pub(super) const OF_A_SEAT: [fn(usize) -> Field; 3] = [Field::SeatAgent, Field::SeatName, Field::SeatScore];

/// The columns that tell how the game ended.
pub(super) const OF_THE_END: [Field; 5] =
    [Field::Plies, Field::Reason, Field::BlameSeat, Field::BlameAgent, Field::BlameName];

/// The columns that these games need.
pub(super) fn columns(rows: &[GameRows<'_>]) -> Result<Vec<Column>, Error> {
    if let Some(other) = rows.iter().find(|pairing| pairing.game != rows[0].game) {
        let message = format!("games of {} and of {} do not fit into one table", rows[0].game, other.game);
        return Err(Error::input(message));
    }
    let (pairing, rest) = OF_THE_PAIRING.split_at(2);
    let mut fields = pairing.to_vec();
    let mut sweeps: BTreeMap<&str, bool> = BTreeMap::new();
    for (key, value) in rows.iter().flat_map(|pairing| pairing.sweep.iter()) {
        *sweeps.entry(key).or_insert(true) &= value.number().is_some();
    }
    fields.extend(sweeps.into_iter().map(|(key, numbers)| Field::Sweep(key.to_owned(), numbers)));
    fields.extend_from_slice(rest);
    let agents = rows.iter().map(|pairing| pairing.agents.len()).max().unwrap_or(0);
    fields.extend((0..agents).flat_map(|agent| OF_AN_AGENT.map(|of| of(agent))));
    fields.extend((0..agents).flat_map(|seat| OF_A_SEAT.map(|of| of(seat))));
    fields.extend(OF_THE_END);
    for &(name, per) in rows.iter().flat_map(|pairing| &pairing.measures) {
        let of = if by_agent(per) { agents } else { 1 };
        fields.extend((0..of).map(|agent| Field::Measure(name.to_owned(), per, agent)));
    }
    let mut columns: Vec<Column> = Vec::new();
    for field in fields {
        let name = field.name();
        // The measure `plies` is that of every game.
        if !columns.iter().any(|column| column.name == name) {
            columns.push(Column { name, field });
        }
    }
    Ok(columns)
}

/// Whether a measure has a column for each agent.
pub(super) const fn by_agent(per: Per) -> bool {
    matches!(per, Per::Seat | Per::PlySeat)
}

impl Field {
    /// What the column is called.
    pub(super) fn name(&self) -> String {
        match self {
            Field::Pairing => "pairing".to_owned(),
            Field::Identity => "identity".to_owned(),
            Field::Sweep(key, _) => format!("sweep.{key}"),
            Field::Game => "game".to_owned(),
            Field::Rules => "rules".to_owned(),
            Field::Seed => "seed".to_owned(),
            Field::Number => "number".to_owned(),
            Field::Pair => "pair".to_owned(),
            Field::PairGame => "pair.game".to_owned(),
            Field::AgentName(agent) => format!("agent{agent}.name"),
            Field::AgentSpec(agent) => format!("agent{agent}.spec"),
            Field::AgentVersion(agent) => format!("agent{agent}.version"),
            Field::AgentSeat(agent) => format!("agent{agent}.seat"),
            Field::AgentScore(agent) => format!("agent{agent}.score"),
            Field::SeatAgent(seat) => format!("seat{seat}.agent"),
            Field::SeatName(seat) => format!("seat{seat}.name"),
            Field::SeatScore(seat) => format!("seat{seat}.score"),
            Field::Plies => "plies".to_owned(),
            Field::Reason => "reason".to_owned(),
            Field::BlameSeat => "blame.seat".to_owned(),
            Field::BlameAgent => "blame.agent".to_owned(),
            Field::BlameName => "blame.name".to_owned(),
            Field::Measure(name, per, agent) if by_agent(*per) => format!("agent{agent}.{name}"),
            Field::Measure(name, ..) => name.clone(),
        }
    }

    /// What it tells, in words.
    pub(super) fn meaning(&self, game: &str) -> Cow<'static, str> {
        let told = match self {
            Field::Pairing => "what the pairing is called: in an experiment by its file, else by its agents",
            Field::Identity => "its identity, under which the store has its games (`ranka record list`)",
            Field::Sweep(..) => "the value that the experiment's sweep has here",
            Field::Game => "the game",
            Field::Rules => "all options of its rules",
            Field::Seed => "what all randomness follows from",
            Field::Number => "the number of the game in its pairing, from 0",
            Field::Pair => {
                "the number of the pair (deal) that the game belongs to, from 0: games of a pair share what chance \
                 deals and draws, and so do the pairs of that number in an experiment's other pairings"
            }
            Field::PairGame => {
                "which of the pair's games it is, from 0: the agents change seats from one to the next"
            }
            Field::AgentName(_) => "what the agent is called",
            Field::AgentSpec(_) => "the agent with all its parameters",
            Field::AgentVersion(_) => "its version",
            Field::AgentSeat(_) => "the seat that it had in this game, from 0; 0 moves first",
            Field::AgentScore(_) => "its score: 1 for a win, 0 for a loss, between two ½ for a draw",
            Field::SeatAgent(_) => "the number of the agent in the seat, as in `agent0`",
            Field::SeatName(_) => "what that agent is called",
            Field::SeatScore(_) => "the score of the seat",
            Field::Plies => "how many actions the seats took",
            Field::Reason => {
                "why the game ended: `rules`, `ply-cap`, `illegal`, `crash`, `timeout`, `disconnected`, `protocol`, \
                 `resigned` or `cancelled`"
            }
            Field::BlameSeat => "the seat that is to blame for an end not by the rules; nothing if none is",
            Field::BlameAgent => "the number of the agent in that seat",
            Field::BlameName => "what that agent is called",
            Field::Measure(name, per, _) => return measure_meaning(game, name, *per).into(),
        };
        told.into()
    }

    /// Its type in words.
    pub(super) fn type_words(&self) -> &'static str {
        match (self, self.kind()) {
            (Field::Measure(_, Per::Ply | Per::PlySeat, _), _) => "list (JSON)",
            (_, Kind::Text) => "text",
            (_, Kind::Whole) => "whole number",
            (_, Kind::Real) => "number",
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Field::Pairing | Field::Identity | Field::Game | Field::Rules | Field::Reason => Kind::Text,
            Field::AgentName(_) | Field::AgentSpec(_) | Field::SeatName(_) | Field::BlameName => Kind::Text,
            Field::Seed | Field::Number | Field::Pair | Field::PairGame | Field::Plies => Kind::Whole,
            Field::AgentVersion(_) | Field::AgentSeat(_) | Field::SeatAgent(_) => Kind::Whole,
            Field::BlameSeat | Field::BlameAgent => Kind::Whole,
            Field::AgentScore(_) | Field::SeatScore(_) => Kind::Real,
            Field::Sweep(_, numbers) => {
                if *numbers {
                    Kind::Real
                } else {
                    Kind::Text
                }
            }
            Field::Measure(_, Per::Game | Per::Seat, _) => Kind::Real,
            Field::Measure(_, Per::Ply | Per::PlySeat, _) => Kind::Text,
        }
    }

    /// Its value in a game.
    pub(super) fn of<'a>(&self, rows: &'a GameRows<'_>, game: &GameResult) -> Cell<'a> {
        let agent_in = |seat: usize| game.agents.get(seat).copied();
        let seat_of = |agent: usize| game.agents.iter().position(|&of| of == agent);
        let name = |agent: Option<usize>| {
            let agent = agent.and_then(|agent| rows.agents.get(agent));
            agent.map_or(Cell::Nothing, |agent| Cell::text(&agent.name))
        };
        let blamed = game.blame.map(ranka_core::Seat::index);
        match self {
            Field::Pairing => Cell::text(&rows.name),
            Field::Identity => Cell::text(rows.identity),
            Field::Sweep(key, numbers) => match rows.sweep.get(key) {
                Some(value) if !numbers => Cell::Text(value.to_string().into()),
                value => value.and_then(SweepValue::number).map_or(Cell::Nothing, Cell::real),
            },
            Field::Game => Cell::text(rows.game),
            Field::Rules => Cell::text(&rows.rules),
            Field::Seed => Cell::Whole(rows.seed),
            Field::Number => Cell::Whole(game.number),
            Field::Pair => Cell::Whole(game.number / rows.deal),
            Field::PairGame => Cell::Whole(game.number % rows.deal),
            Field::AgentName(agent) => name(Some(*agent)),
            Field::AgentSpec(agent) => {
                rows.agents.get(*agent).map_or(Cell::Nothing, |agent| Cell::text(agent.spec))
            }
            Field::AgentVersion(agent) => {
                game.versions.get(*agent).map_or(Cell::Nothing, |&version| Cell::Whole(version.into()))
            }
            Field::AgentSeat(agent) => Cell::whole(seat_of(*agent)),
            Field::AgentScore(agent) => seat_of(*agent)
                .and_then(|seat| game.scores.get(seat))
                .map_or(Cell::Nothing, |&x| Cell::real(x)),
            Field::SeatAgent(seat) => Cell::whole(agent_in(*seat)),
            Field::SeatName(seat) => name(agent_in(*seat)),
            Field::SeatScore(seat) => game.scores.get(*seat).map_or(Cell::Nothing, |&x| Cell::real(x)),
            Field::Plies => Cell::Whole(game.plies.into()),
            Field::Reason => Cell::text(game.reason.name()),
            Field::BlameSeat => Cell::whole(blamed),
            Field::BlameAgent => Cell::whole(blamed.and_then(agent_in)),
            Field::BlameName => name(blamed.and_then(agent_in)),
            Field::Measure(name, per, agent) => {
                let place = rows.measures.iter().position(|(of, _)| of == name);
                let numbers = place.and_then(|place| game.measured.get(place));
                numbers.map_or(Cell::Nothing, |numbers| measured(numbers, *per, *agent, game))
            }
        }
    }
}

/// What a measure of a game is, in words.
fn measure_meaning(game: &str, name: &str, per: Per) -> String {
    let known = ranka_games::game(game).map_or_else(|_| Vec::new(), |entry| entry.measures());
    let help = known.into_iter().find(|(of, _, _)| *of == name).map(|(_, help, _)| help.to_owned());
    let noted = || format!("what the agent noted as {}", name.trim_start_matches("note:"));
    let whose = match per {
        Per::Game => "",
        Per::Seat => ", of the agent",
        Per::Ply => ", ply by ply",
        Per::PlySeat => ", of the agent, ply by ply",
    };
    format!("measure: {}{whose}", help.unwrap_or_else(noted))
}

/// A measure of a game, for the agent where it is by seat.
fn measured(numbers: &[f64], per: Per, agent: usize, game: &GameResult) -> Cell<'static> {
    let seats = game.agents.len();
    let seat = game.agents.iter().position(|&of| of == agent);
    match (per, seat) {
        (Per::Game, _) => numbers.first().map_or(Cell::Nothing, |&x| Cell::real(x)),
        (Per::Ply, _) => list(numbers.iter().copied()),
        (Per::Seat, Some(seat)) => numbers.get(seat).map_or(Cell::Nothing, |&x| Cell::real(x)),
        (Per::PlySeat, Some(seat)) => list(numbers.chunks_exact(seats).map(|of_a_ply| of_a_ply[seat])),
        (Per::Seat | Per::PlySeat, None) => Cell::Nothing,
    }
}

/// Numbers as JSON; what is no number is null.
fn list(numbers: impl Iterator<Item = f64>) -> Cell<'static> {
    let numbers: Vec<f64> = numbers.collect();
    let text = serde_json::to_string(&numbers).expect("a list of numbers is JSON");
    Cell::Text(text.into())
}

impl<'a> Cell<'a> {
    fn text(text: &'a str) -> Cell<'a> {
        Cell::Text(Cow::Borrowed(text))
    }

    fn whole(number: Option<usize>) -> Cell<'a> {
        number.map_or(Cell::Nothing, |number| Cell::Whole(number as u64))
    }

    fn real(x: f64) -> Cell<'a> {
        if x.is_nan() { Cell::Nothing } else { Cell::Real(x) }
    }
}
