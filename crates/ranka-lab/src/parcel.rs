//! The games of a shard as bytes, from where they were played to where they are kept.
//!
//! What follows from the pairing and a game's number does not travel. Both ends are of the same build, so the form has no
//! version of its own.

use crate::{Pairing, Shard};
use ranka_core::{
    Effort, End, EndReason, Error, Finished, GameSeeds, MAX_SEATS, RECORD_FORMAT, Record, Seat,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// The games of a shard, and how long they took.
#[derive(Debug)]
pub struct Parcel {
    /// The games with their numbers.
    pub games: Vec<(u64, Finished)>,
    /// How long they took to play.
    pub took: Duration,
}

#[derive(Serialize, Deserialize)]
struct Packed<'a> {
    nanos: u64,
    #[serde(borrow)]
    games: Vec<PackedGame<'a>>,
}

#[derive(Serialize, Deserialize)]
struct PackedGame<'a> {
    number: u64,
    outcome: Cow<'a, [f64]>,
    plies: u32,
    reason: EndReason,
    blame: Option<u8>,
    answer: Option<Cow<'a, str>>,
    detail: Option<Cow<'a, str>>,
    /// Where it began, if that is not where the pairing's first game does.
    #[serde(borrow)]
    start: Option<Cow<'a, str>>,
    #[serde(borrow)]
    actions: Cow<'a, str>,
    measured: Cow<'a, [Vec<f64>]>,
    /// Decisions and nanoseconds of each seat.
    efforts: Vec<(u32, u64)>,
}

impl Parcel {
    /// The parcel as bytes.
    pub fn pack(&self, pairing: &Pairing) -> Vec<u8> {
        let usual = first_start(pairing);
        let effort = |effort: &Effort| (effort.decisions, effort.time.as_nanos() as u64);
        let games = self.games.iter().map(|(number, Finished { record, efforts, measured })| PackedGame {
            number: *number,
            outcome: Cow::Borrowed(&record.outcome),
            plies: record.plies,
            reason: record.end.reason,
            blame: record.end.seat.map(|seat| seat.index() as u8),
            answer: record.end.answer.as_deref().map(Cow::Borrowed),
            detail: record.end.detail.as_deref().map(Cow::Borrowed),
            start: (record.start != usual).then_some(Cow::Borrowed(&record.start)),
            actions: Cow::Borrowed(&record.actions),
            measured: Cow::Borrowed(measured),
            efforts: efforts[..record.numbers.len()].iter().map(effort).collect(),
        });
        let packed = Packed { nanos: self.took.as_nanos() as u64, games: games.collect() };
        postcard::to_stdvec(&packed).expect("games are made of text, numbers and lists")
    }

    /// Opens what came of a shard. It must be all of its games.
    pub fn open(bytes: &[u8], shard: &Shard<'_>) -> Result<Parcel, Error> {
        let last = shard.first + shard.count - 1;
        let refuse = |why: &dyn std::fmt::Display| {
            let identity = &shard.pairing.identity()[..12];
            Error::internal(format!("games {} to {last} of {identity} came back damaged: {why}", shard.first))
        };
        let packed: Packed<'_> = postcard::from_bytes(bytes).map_err(|e| refuse(&e))?;
        if !packed.games.iter().map(|game| game.number).eq(shard.first..=last) {
            return Err(refuse(&"they are not those games"));
        }
        let writer = Writer::new(shard.pairing);
        let games = packed.games.into_iter().map(|game| writer.finished(game).map_err(|e| refuse(&e)));
        Ok(Parcel { games: games.collect::<Result<_, _>>()?, took: Duration::from_nanos(packed.nanos) })
    }
}

/// Where the pairing's first game begins, as the store keeps it too.
fn first_start(pairing: &Pairing) -> String {
    pairing.game().start(GameSeeds::of(pairing.seed(), 0, 0).deal)
}

/// What all records of a pairing share.
struct Writer<'a> {
    pairing: &'a Pairing,
    start: String,
    rules: String,
    budget: Option<String>,
}

impl<'a> Writer<'a> {
    fn new(pairing: &'a Pairing) -> Writer<'a> {
        let budget = pairing.limits().budget.map(|budget| budget.to_string());
        Writer { pairing, start: first_start(pairing), rules: pairing.game().rules(), budget }
    }

    fn finished(&self, game: PackedGame<'_>) -> Result<(u64, Finished), Error> {
        let (pairing, info, agents) = (self.pairing, self.pairing.game().info(), self.pairing.agents());
        let (deal, turn) = pairing.deal(game.number);
        let order = pairing.order(game.number);
        if game.outcome.len() != order.len() || game.efforts.len() != order.len() {
            return Err(Error::internal(format!("game {} has not {} seats", game.number, order.len())));
        }
        let seat = |seat: u8| {
            let refuse = || Error::internal(format!("game {}: {seat} is no seat", game.number));
            Seat::all(order.len()).nth(seat.into()).ok_or_else(refuse)
        };
        let mut efforts = [Effort::default(); MAX_SEATS];
        for (effort, &(decisions, nanos)) in efforts.iter_mut().zip(&game.efforts) {
            *effort = Effort { decisions, time: Duration::from_nanos(nanos) };
        }
        let record = Record {
            format: RECORD_FORMAT,
            game: info.name.to_owned(),
            version: info.version,
            rules: self.rules.clone(),
            seed: (pairing.seed().value(), deal, turn),
            agents: order.iter().map(|&agent| agents[agent].full.clone()).collect(),
            numbers: order.to_vec(),
            versions: order.iter().map(|&agent| agents[agent].version).collect(),
            budget: self.budget.clone(),
            ply_cap: Some(pairing.limits().ply_cap),
            move_limit: pairing.limits().move_limit.map(|limit| limit.as_millis() as u64),
            start: game.start.map_or_else(|| self.start.clone(), Cow::into_owned),
            actions: game.actions.into_owned(),
            plies: game.plies,
            end: End {
                reason: game.reason,
                seat: game.blame.map(seat).transpose()?,
                answer: game.answer.map(Cow::into_owned),
                detail: game.detail.map(Cow::into_owned),
            },
            outcome: game.outcome.into_owned(),
        };
        Ok((game.number, Finished { record, efforts, measured: game.measured.into_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Size;
    use crate::papers;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn what_is_opened_is_what_was_packed() {
        let go_on = AtomicBool::new(false);
        for name in [
            "kalah/ladder",
            "geister-2021/table-2",
            "labyrinth-2024/four-players",
            "tubstap-2015/table-2-dlmc",
        ] {
            let chosen = papers::named(Some(name)).unwrap();
            let (paper, names) = &chosen[0];
            let experiment = paper.experiment(&names[0]).unwrap();
            let planned =
                experiment.pairings.iter().min_by_key(|planned| planned.games(Size::Quick)).unwrap();
            let shard = Shard { pairing: &planned.pairing, first: 4, count: 4 };
            let parcel = Parcel { games: shard.run(&go_on), took: Duration::from_millis(7) };
            let bytes = parcel.pack(shard.pairing);
            let opened = Parcel::open(&bytes, &shard).unwrap();
            assert_eq!(opened.took, parcel.took);
            for ((number, sent), (same, got)) in parcel.games.iter().zip(&opened.games) {
                assert_eq!(
                    (number, &sent.record, &sent.efforts),
                    (same, &got.record, &got.efforts),
                    "{name}"
                );
                // What is no number is equal to nothing.
                assert_eq!(format!("{:?}", sent.measured), format!("{:?}", got.measured), "{name}");
            }
            let said =
                |bytes: &[u8], shard: &Shard<'_>| Parcel::open(bytes, shard).err().unwrap().to_string();
            assert!(said(&bytes[..bytes.len() / 2], &shard).contains("games 4 to 7"), "{name}");
            assert!(said(&bytes, &Shard { first: 8, ..shard }).ends_with("they are not those games"));
            assert!(said(&bytes, &Shard { count: 8, ..shard }).ends_with("they are not those games"));
        }
    }
}
