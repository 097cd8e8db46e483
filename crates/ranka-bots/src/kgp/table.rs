//! The games of two players of a server.

use super::peer::Peer;
use super::server::{Hall, ServedAgent};
use super::{Arg, Board};
use crate::net::{Loss, told_apart};
use ranka_core::{
    Actor, EndReason, Fault, GameSeeds, Notation, Position, Record, RecordAgent, Rng, Seat, Seed, Settings,
    Table, TableAgents,
};
use ranka_kalah::{House, Kalah, State};
use std::sync::Arc;

/// Who plays.
pub(super) enum Sitting {
    /// A client.
    Client(Arc<Peer>),
    /// The server's own agent.
    House,
}

/// Two players and their games.
pub(super) struct Pairing<'a> {
    pub(super) hall: &'a Hall<'a>,
    pub(super) number: u64,
    pub(super) sitting: [Sitting; 2],
}

impl Pairing<'_> {
    /// Plays all games and sends the clients away.
    pub(super) fn play(&self) {
        for game in 0..u64::from(self.hall.options.games) {
            if !self.everybody_lives() {
                break;
            }
            self.play_one(game);
        }
        for peer in self.clients() {
            peer.dismiss(Loss::new(EndReason::Rules, "its games are over"));
        }
    }

    fn clients(&self) -> impl Iterator<Item = &Arc<Peer>> {
        self.sitting.iter().filter_map(|sitting| match sitting {
            Sitting::Client(peer) => Some(peer),
            Sitting::House => None,
        })
    }

    fn everybody_lives(&self) -> bool {
        let options = self.hall.options;
        self.clients().for_each(|peer| peer.send_ping());
        let mut all = true;
        for peer in self.clients() {
            if let Err(loss) = peer.pong(options.patience, self.hall.closing) {
                peer.error(None, "No answer to ping");
                peer.dismiss(loss);
                all = false;
            }
        }
        all
    }

    fn name(&self, player: usize) -> String {
        match (&self.sitting[player], &self.hall.options.opponent) {
            (Sitting::Client(peer), _) => peer.name(),
            (Sitting::House, Some(opponent)) => opponent.agent.full.clone(),
            (Sitting::House, None) => String::new(),
        }
    }

    /// The seed of the pairing; the first has that of the server, so that it can be set beside a match.
    fn seed(&self) -> Seed {
        let seed = self.hall.options.seed;
        if self.number == 0 { seed } else { seed.child("pairing").at(self.number) }
    }

    fn play_one(&self, game: u64) {
        let options = self.hall.options;
        let seeds = GameSeeds::of(self.seed(), game / 2, game % 2);
        let players = options.sides.players(game, self.seed());
        let named = told_apart([0, 1].map(|player| self.name(player)));
        let names = players.map(|player| named[player].clone());
        let who = format!("pairing {} game {}", self.number + 1, game + 1);
        self.hall.log.note(&who, format_args!("{} (South) against {} (North)", names[0], names[1]));
        let mut seats = players.map(|player| self.seat(player, players, &seeds));
        if options.hints {
            self.send_hints(players, game);
        }
        let mut table = Table::new(options.game, options.game.first(), seeds.chance);
        let chance = self.seed().child("silence").at(game);
        while let Actor::Seat(seat) = table.actor() {
            match self.choose(&mut seats[seat.index()], table.state(), seat, chance.at(table.plies().into()))
            {
                Ok(house) => {
                    for other in &mut seats {
                        other.follow(&options.game, house);
                    }
                    if table.act(house).is_err() {
                        table.refuse(options.game.write_action(house));
                    }
                }
                Err(Loss { reason: EndReason::Cancelled, detail }) => {
                    table.stop(EndReason::Cancelled, None, Some(detail));
                }
                Err(Loss { reason, detail }) => table.stop(reason, Some(seat), Some(detail)),
            }
        }
        let played = table.into_played();
        let detail = played.end.detail.as_deref().map_or(String::new(), |detail| format!(" ({detail})"));
        let blame =
            played.end.seat.map_or(String::new(), |seat| format!(", {} is to blame", names[seat.index()]));
        let result = match played.outcome.scores() {
            [south, north] if south > north => format!("{} wins", names[0]),
            [south, north] if south < north => format!("{} wins", names[1]),
            _ => "a draw".to_owned(),
        };
        let ended = played.end.reason.name();
        let board = Board::of(&played.last, Seat::FIRST);
        self.hall.log.note(&who, format_args!("{result}, ended by {ended}{blame}{detail}, {board}"));
        let agents = names.iter().zip(players).map(|(name, player)| self.recorded(player, name));
        let settings = Settings { move_limit: Some(options.time), ..Settings::default() };
        let record = Record::of(&options.game, &played, &options.rules, agents.collect(), &seeds, &settings);
        (self.hall.keep)(&Record { ply_cap: None, ..record });
    }

    /// A player as records tell it: a client by what it calls itself, our own agent with its version.
    fn recorded(&self, player: usize, name: &str) -> RecordAgent {
        match (&self.sitting[player], &self.hall.options.opponent) {
            (Sitting::House, Some(ServedAgent { agent, .. })) => {
                RecordAgent { name: agent.full.clone(), version: agent.version, number: player }
            }
            _ => RecordAgent::visitor(name, player),
        }
    }

    fn seat(&self, player: usize, players: [usize; 2], seeds: &GameSeeds) -> Seated {
        match (&self.sitting[player], &self.hall.options.opponent) {
            (Sitting::House, Some(ServedAgent { game, agent })) => {
                let agents = players.map(|other| (other == player).then_some((agent, player)));
                match game.match_table(None, &agents, seeds) {
                    Ok(table) => Seated::House(table),
                    Err(error) => Seated::Broken(error.to_string()),
                }
            }
            (Sitting::Client(peer), _) => Seated::Client(peer.clone()),
            (Sitting::House, None) => Seated::Broken("the server has no agent of its own".to_owned()),
        }
    }

    fn send_hints(&self, players: [usize; 2], game: u64) {
        let text = |text: String| Arg::Text(text);
        for (seat, &player) in players.iter().enumerate() {
            let Sitting::Client(peer) = &self.sitting[player] else { continue };
            let clock = Arg::number(self.hall.options.time.as_secs_f64());
            let id = format!("{}-{}", self.number + 1, game + 1);
            for (option, value) in [
                ("time:mode", Arg::Word("relative".to_owned())),
                ("time:clock", clock),
                ("game:id", text(id)),
                ("game:opponent", text(self.name(players[1 - seat]))),
            ] {
                peer.say(None, "set", vec![Arg::Word(option.to_owned()), value]);
            }
        }
    }

    fn choose(&self, seated: &mut Seated, state: &State, seat: Seat, chance: Seed) -> Result<House, Loss> {
        let options = self.hall.options;
        let mut legal = Vec::new();
        state.actions(&mut legal);
        let peer = match seated {
            Seated::Client(_) if options.skip_forced && legal.len() == 1 => return Ok(legal[0]),
            Seated::Client(peer) => peer,
            Seated::House(table) => {
                let settings = Settings { cancel: self.hall.closing, ..Settings::default() };
                let thought = table.choose(&settings).map_err(loss)?;
                let house = options.game.read_action(&thought.choice);
                return house.map_err(|error| Loss::new(EndReason::Protocol, error.to_string()));
            }
            Seated::Broken(why) => return Err(Loss::new(EndReason::Crash, why.clone())),
        };
        let house = |number: i64| {
            usize::try_from(number - 1).ok().map(House::new).filter(|house| legal.contains(house))
        };
        let board = Board::of(state, seat);
        let times = [options.time, options.patience];
        let answer = peer.ask(board, |number| house(number).is_some(), times, self.hall.closing)?;
        // Whoever lives and says nothing has a move played for it, as at the reference server.
        Ok(answer.and_then(house).unwrap_or_else(|| Rng::new(chance).pick(&legal)))
    }
}

/// A player in its seat.
enum Seated {
    Client(Arc<Peer>),
    House(Box<dyn TableAgents>),
    Broken(String),
}

impl Seated {
    /// The server's own agent sees what is played.
    fn follow(&mut self, game: &Kalah, house: House) {
        if let Seated::House(table) = self
            && let Err(error) = table.act(&game.write_action(house))
        {
            *self = Seated::Broken(error.to_string());
        }
    }
}

fn loss(fault: Fault) -> Loss {
    match fault {
        Fault::Cancelled => Loss::new(EndReason::Cancelled, "the server stops"),
        Fault::Resigned => Loss::new(EndReason::Resigned, "its agent gave up"),
        Fault::Timeout => Loss::new(EndReason::Timeout, "its agent took too long"),
        Fault::Crash(why) => Loss::new(EndReason::Crash, why),
        Fault::Disconnected(why) => Loss::new(EndReason::Disconnected, why),
        Fault::Protocol(why) => Loss::new(EndReason::Protocol, why),
    }
}
