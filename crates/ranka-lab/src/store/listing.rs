//! Games to look through, a bounded number at a time.

use super::records::numbered_record;
use super::{PairingKey, Store, StoredPairing, reason, rows, stored_pairing};
use ranka_core::{EndReason, Error, Record, Seat};
use rusqlite::{Row, params};
use std::ops::RangeInclusive;

/// Which games are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice<L> {
    /// All.
    #[default]
    All,
    /// Those that somebody ended by a fault.
    Faults,
    /// Those that this agent lost.
    LostBy(L),
}

/// A stretch of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Whether the longest games come first; else they come in order of their numbers.
    pub longest: bool,
    /// How many games of the list come before it.
    pub from: u64,
    /// How many games it has at most.
    pub most: usize,
}

/// A game of a pairing, as it stands in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGame {
    /// Its number in the pairing.
    pub number: u64,
    /// The number of the agent in each seat.
    pub agents: Vec<usize>,
    /// The score of each seat.
    pub scores: Vec<f64>,
    /// How many actions the seats took.
    pub plies: u32,
    /// Why it ended.
    pub reason: EndReason,
    /// The seat to blame, if one is.
    pub blamed: Option<Seat>,
}

impl Store {
    /// The pairings that were made last, of those that have games: of one game, if one is named, and after the first
    /// `from`.
    pub fn latest_pairings(
        &self,
        game: Option<&str>,
        from: u64,
        most: usize,
    ) -> Result<Vec<StoredPairing>, Error> {
        let sql = "SELECT id, identity, game, rules, agents, measures, seed, deal,
                   (SELECT count(*) FROM games WHERE games.pairing = pairings.id), versions
                   FROM pairings WHERE EXISTS (SELECT 1 FROM games WHERE games.pairing = pairings.id)
                   AND (?1 IS NULL OR game = ?1) ORDER BY id DESC LIMIT ?2 OFFSET ?3";
        self.pairing_rows(sql, params![game, most as i64, from as i64], stored_pairing)
    }

    /// A stretch of the games of a pairing.
    pub fn list_games(
        &self,
        key: PairingKey,
        choice: Choice<usize>,
        Stretch { longest, from, most }: Stretch,
    ) -> Result<Vec<ListedGame>, Error> {
        let condition = match choice {
            Choice::All => String::new(),
            Choice::Faults => format!("AND reason IN ({})", faults()),
            // There are at most four seats, so each has one digit.
            Choice::LostBy(agent) => {
                let scores = "'[' || replace(scores, ' ', ',') || ']'";
                let seat = format!("'$[' || ((instr(seats, '{agent}') - 1) / 2) || ']'");
                format!("AND json_extract({scores}, {seat}) = 0")
            }
        };
        let order = if longest { "plies DESC, number" } else { "number" };
        let sql = format!(
            "SELECT number, seats, scores, plies, reason, blame FROM games WHERE pairing = ?1 {condition}
             ORDER BY {order} LIMIT ?2 OFFSET ?3"
        );
        let agents = self.versions(key)?.len();
        let read = |row: &Row<'_>| {
            Ok(ListedGame {
                number: row.get(0)?,
                agents: rows::order(row, 1, agents)?,
                scores: rows::scores(row, 2, agents)?,
                plies: row.get(3)?,
                reason: reason(row, 4)?,
                blamed: rows::blamed(row, 5, agents)?,
            })
        };
        self.games(key, &sql, params![key.0, most as i64, from as i64], read)
    }

    /// A stretch of the games that came from elsewhere, with their numbers, of those that have some. Whoever is looked for
    /// is told by the game and the agent.
    pub fn list_imported(
        &self,
        numbered: RangeInclusive<i64>,
        choice: Choice<(&str, &str)>,
        Stretch { longest, from, most }: Stretch,
    ) -> Result<Vec<(i64, Record)>, Error> {
        let faults = match choice {
            Choice::Faults => format!("AND json_extract(record, '$.end.reason') IN ({})", faults()),
            _ => String::new(),
        };
        let (game, agent) = if let Choice::LostBy((game, agent)) = choice { (game, agent) } else { ("", "") };
        let order = if longest { "json_extract(record, '$.plies') DESC, id" } else { "id" };
        let sql = format!(
            "SELECT id, record FROM records WHERE id BETWEEN ?1 AND ?2 {faults} AND (?3 = '' OR game = ?3 AND EXISTS (
                 SELECT 1 FROM json_each(record, '$.agents') AS seat WHERE seat.value = ?4
                 AND json_extract(record, '$.outcome[' || seat.key || ']') = 0))
             ORDER BY {order} LIMIT ?5 OFFSET ?6"
        );
        let values = params![numbered.start(), numbered.end(), game, agent, most as i64, from as i64];
        self.imported_rows(&sql, values, numbered_record)
    }

    /// Who played the games that came from elsewhere, by game and agent, in order of their first games.
    pub fn imported_agents(&self, most: usize) -> Result<Vec<(String, String)>, Error> {
        self.told(|db| {
            let sql = "SELECT game, seat.value FROM records, json_each(record, '$.agents') AS seat
                       GROUP BY game, seat.value ORDER BY min(records.id), seat.value LIMIT ?1";
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            db.prepare_cached(sql)?.query_map([most as i64], read)?.collect()
        })
    }
}

/// The reasons that are faults, as SQL lists them.
fn faults() -> String {
    let names = EndReason::ALL.into_iter().filter(|reason| reason.is_fault());
    names.map(|reason| format!("'{}'", reason.name())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Executor as _, GameLimits, Job, Pairing, Runner, Seating};
    use ranka_core::{End, Finished, Seed, Wdl};
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn games(agents: &[&str], rules: &str) -> (Pairing, Vec<(u64, Finished)>) {
        let name = if agents.len() == 2 { "kalah" } else { "labyrinth" };
        let game = ranka_games::game(name).unwrap().open(rules).unwrap();
        let agents = agents.iter().map(|agent| game.agent(agent).unwrap()).collect();
        let pairing =
            Pairing::new(game, agents, Seating::Swapped, Seed::new(5), GameLimits::default(), &[]).unwrap();
        let mut games = Vec::new();
        let all = 0..30;
        let job = Job { pairing: &pairing, missing: vec![all] };
        let runner = Runner { threads: 1, cancel: &GO_ON };
        runner
            .play(&[job], |_, played| {
                games.extend(played);
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
        (pairing, games)
    }

    const WHOLE: Stretch = Stretch { longest: false, from: 0, most: 100 };

    #[test]
    fn games_are_found_by_who_lost_by_faults_and_by_length() {
        let three = (&["distance", "static", "distance"][..], "players=3,cards-per-player=1");
        for (agents, rules) in [(&["random", "minimax:depth=1"][..], "houses=3,seeds=2"), three] {
            let (pairing, mut played) = games(agents, rules);
            let at_fault =
                Seat::new(played[3].1.record.numbers.iter().position(|&agent| agent == 1).unwrap());
            played[3].1.record.end =
                End { reason: EndReason::Crash, seat: Some(at_fault), answer: None, detail: None };
            let mut store = Store::in_memory().unwrap();
            let key = store.key(&pairing).unwrap();
            store.add(played.iter().map(|(number, game)| (key, *number, game))).unwrap();
            let list = |choice, stretch| store.list_games(key, choice, stretch).unwrap();
            let all = list(Choice::All, WHOLE);
            assert!(all.iter().map(|game| game.number).eq(0..30));
            for agent in 0..agents.len() {
                let lost = |game: &&ListedGame| {
                    let seat = game.agents.iter().position(|&of| of == agent).unwrap();
                    Wdl::of(game.scores[seat]) == Wdl::Loss
                };
                let expected: Vec<ListedGame> = all.iter().filter(lost).cloned().collect();
                assert!(!expected.is_empty() && expected.len() < 30);
                assert_eq!(list(Choice::LostBy(agent), WHOLE), expected, "{agent}");
            }
            let faulty = list(Choice::Faults, WHOLE);
            assert_eq!(faulty.len(), 1);
            assert_eq!((faulty[0].number, faulty[0].blamed), (3, Some(at_fault)));
            let longest = list(Choice::All, Stretch { longest: true, ..WHOLE });
            assert!(longest.len() == 30 && longest.is_sorted_by(|a, b| a.plies >= b.plies));
            let second = list(Choice::All, Stretch { longest: true, from: 10, most: 10 });
            assert_eq!(second, longest[10..20]);
            assert_eq!(store.latest_pairings(None, 0, 1).unwrap(), store.pairings().unwrap());
            let of = |game, from| store.latest_pairings(Some(game), from, 9).unwrap().len();
            let name = pairing.game().info().name;
            assert_eq!([of(name, 0), of(name, 1), of("geister", 0)], [1, 0, 0]);
        }
    }

    #[test]
    fn games_from_elsewhere_are_found_in_the_same_ways() {
        let (_, mut played) = games(&["random", "minimax:depth=1"], "houses=3,seeds=2");
        played[3].1.record.end.reason = EndReason::Timeout;
        let records: Vec<Record> = played.into_iter().map(|(_, game)| game.record).collect();
        let mut store = Store::in_memory().unwrap();
        store.import(&records).unwrap();
        let list = |numbered, choice, stretch| store.list_imported(numbered, choice, stretch).unwrap();
        let agents = store.imported_agents(9).unwrap();
        assert_eq!(agents.len(), 2);
        for (game, agent) in &agents {
            let lost = |record: &&Record| {
                let seat = record.agents.iter().position(|of| of == agent).unwrap();
                Wdl::of(record.outcome[seat]) == Wdl::Loss
            };
            let expected: Vec<&Record> = records.iter().filter(lost).collect();
            let found = list(1..=i64::MAX, Choice::LostBy((game, agent)), WHOLE);
            assert!(!expected.is_empty());
            assert!(found.iter().map(|(_, record)| record).eq(expected));
        }
        let faulty = list(1..=i64::MAX, Choice::Faults, WHOLE);
        assert_eq!(faulty.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [4]);
        assert_eq!(list(5..=9, Choice::All, WHOLE).len(), 5);
        let longest = list(1..=i64::MAX, Choice::All, Stretch { longest: true, ..WHOLE });
        assert!(longest.len() == 30 && longest.is_sorted_by(|a, b| a.1.plies >= b.1.plies));
    }
}
