//! Who stands where: every version that ever played is rated, and those of today are placed.

use crate::{League, LeagueGame};
use ranka_core::{Error, Wdl, WdlCounts};
use ranka_lab::stats::{Crosstable, Ratings};
use ranka_lab::{GameResult, Store, StoredPairing, one_of_each_order};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entrant in one of its versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Player {
    /// Who.
    pub name: String,
    /// In which version.
    pub version: u32,
}

/// What is known of a player.
#[derive(Clone, Debug)]
pub struct StandingsRow {
    /// Who.
    pub player: Player,
    /// Games won, drawn and lost, of those that count: one of each order of the agents where nothing is left to chance.
    pub results: WdlCounts,
    /// How many of all games it lost by its own fault.
    pub faults: u64,
    /// How many of all were played to their end, by nobody's fault.
    pub whole: u64,
    /// Its rating, anchored as the league wants it.
    pub rating: f64,
    /// The standard error of that; infinite for who has not played.
    pub error: f64,
}

impl StandingsRow {
    /// How many games count.
    pub fn games(&self) -> u64 {
        self.results.games()
    }
}

/// Everybody who ever played a game of the league.
pub struct Standings {
    /// In order of their first game.
    pub places: Vec<StandingsRow>,
    /// What came of the games of two, by their places; as the first of them counts.
    pub meetings: BTreeMap<(usize, usize), WdlCounts>,
    /// The pairings that have games.
    pub pairings: Vec<StoredPairing>,
    ratings: Ratings,
}

impl League {
    /// The standings of a game, with `more` players whether they have played or not.
    pub fn standings(&self, game: &LeagueGame, store: &Store, more: &[Player]) -> Result<Standings, Error> {
        let mut pairings = store.pairings()?;
        pairings.retain(|pairing| self.counts(game, pairing));
        pairings.reverse();
        let mut count = Count::default();
        for pairing in &pairings {
            let who = players_of(pairing).map(|player| count.place(player));
            let games = store.results(pairing.key, u64::MAX >> 1)?;
            games.iter().for_each(|game| count.add_ending(who, game));
            // What is played again where nothing is left to chance is no evidence, here as in a match.
            let digests = store.digests(pairing.key, 0..u64::MAX >> 1)?.into_iter().collect();
            let firsts = one_of_each_order(&games, &digests);
            firsts.as_ref().unwrap_or(&games).iter().for_each(|game| count.add(who, game));
        }
        for player in more {
            count.place(player.clone());
        }
        count.standings(pairings, &self.config.ratings, more)
    }

    /// Whether a pairing's games were played under the conditions of today. Their seed tells: it follows from them.
    fn counts(&self, game: &LeagueGame, pairing: &StoredPairing) -> bool {
        let same = pairing.game == game.game.info().name
            && pairing.rules == game.game.rules()
            && pairing.agents.len() == 2;
        same && (pairing.seed == self.config.seed
            || pairing.seed == self.seed(game, players_of(pairing).each_ref()).value())
    }
}

/// Who played a pairing of two.
pub fn players_of(pairing: &StoredPairing) -> [Player; 2] {
    [0, 1].map(|agent| Player { name: pairing.agents[agent].clone(), version: pairing.versions[agent] })
}

#[derive(Default)]
struct Count {
    places: Vec<StandingsRow>,
    meetings: BTreeMap<(usize, usize), WdlCounts>,
}

impl Count {
    fn place(&mut self, player: Player) -> usize {
        if let Some(known) = self.places.iter().position(|place| place.player == player) {
            return known;
        }
        let (results, rating, error) = (WdlCounts::default(), 0.0, f64::INFINITY);
        self.places.push(StandingsRow { player, results, faults: 0, whole: 0, rating, error });
        self.places.len() - 1
    }

    /// Counts who failed in a game, whether it counts or not.
    fn add_ending(&mut self, who: [usize; 2], game: &GameResult) {
        for (agent, &place) in who.iter().enumerate() {
            let lost = Wdl::of(game.score(agent)) == Wdl::Loss;
            self.places[place].whole += u64::from(!game.reason.is_fault());
            self.places[place].faults += u64::from(lost && game.reason.is_fault());
        }
    }

    fn add(&mut self, who: [usize; 2], game: &GameResult) {
        for (agent, &place) in who.iter().enumerate() {
            self.places[place].results.add(Wdl::of(game.score(agent)));
        }
        let [one, other] = who;
        let as_first = Wdl::of(game.score(usize::from(one > other)));
        self.meetings.entry((one.min(other), one.max(other))).or_default().add(as_first);
    }

    fn standings(
        self,
        pairings: Vec<StoredPairing>,
        wanted: &crate::RatingConfig,
        today: &[Player],
    ) -> Result<Standings, Error> {
        let Count { mut places, meetings } = self;
        let mut table = Crosstable::new(places.len());
        for (&(one, other), &counts) in &meetings {
            if one != other {
                table.add([one, other], counts)?;
            }
        }
        let ratings = table.rate();
        let anchor = wanted.anchor.as_ref().and_then(|name| {
            // The version of today, or else the last that played.
            let is_today = |place: &StandingsRow| today.contains(&place.player);
            let of_name = |place: &&StandingsRow| place.player.name == *name;
            let named = places.iter().enumerate().filter(|(_, place)| of_name(place));
            named.max_by_key(|(_, place)| (is_today(place), place.player.version)).map(|(at, _)| at)
        });
        let present: Vec<usize> =
            (0..places.len()).filter(|&at| today.is_empty() || today.contains(&places[at].player)).collect();
        let mean =
            present.iter().map(|&at| ratings.agents[at].elo).sum::<f64>() / present.len().max(1) as f64;
        let zero = anchor.map_or(mean, |anchor| ratings.agents[anchor].elo);
        for (at, place) in places.iter_mut().enumerate() {
            place.rating = wanted.rating + ratings.agents[at].elo - zero;
            place.error = match anchor {
                Some(anchor) if anchor == at => 0.0,
                Some(anchor) => ratings.difference(at, anchor).map_or(f64::INFINITY, |[_, error]| error),
                None => ratings.agents[at].error,
            };
        }
        Ok(Standings { places, meetings, pairings, ratings })
    }
}

/// A version that lost so many games by its own fault, and never played one to its end, sits out until it is changed.
const HOPELESS: u64 = 10;

impl Standings {
    /// Whether a player only ever fails, and therefore sits out until it is changed.
    pub fn sits_out(&self, player: &Player) -> bool {
        self.of(player).is_some_and(|place| place.faults >= HOPELESS && place.whole == 0)
    }

    /// The place of a player.
    pub fn of(&self, player: &Player) -> Option<&StandingsRow> {
        self.places.iter().find(|place| place.player == *player)
    }

    /// How two compare, in Elo, and how sure that is; nothing if nobody can know.
    pub(crate) fn difference(&self, one: usize, other: usize) -> Option<[f64; 2]> {
        self.ratings.difference(one, other)
    }

    /// These players from the strongest to the weakest.
    pub fn ranked(&self, players: &[Player]) -> Vec<&StandingsRow> {
        let mut ranked: Vec<&StandingsRow> =
            self.places.iter().filter(|place| players.contains(&place.player)).collect();
        ranked.sort_by(|a, b| (b.games() > 0).cmp(&(a.games() > 0)).then(b.rating.total_cmp(&a.rating)));
        ranked
    }

    /// What came of the games of one player against another, as the first counts.
    pub fn meeting(&self, one: &Player, other: &Player) -> WdlCounts {
        let at = |player: &Player| self.places.iter().position(|place| place.player == *player);
        let (Some(one), Some(other)) = (at(one), at(other)) else { return WdlCounts::default() };
        let counts = self.meetings.get(&(one.min(other), one.max(other))).copied().unwrap_or_default();
        if one <= other { counts } else { counts.reversed() }
    }
}
