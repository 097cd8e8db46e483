//! Matches of a real game: order, seats, threads and stopping.

use ranka_core::{AnyAgent, AnyGame, EndReason, Error, Record, Seed};
use ranka_lab::{GameLimits, MatchResult, Pairing, Runner, Seating, run_match};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn kalah() -> (Arc<dyn AnyGame>, Vec<AnyAgent>) {
    let entry = ranka_games::game("kalah").expect("Kalah is in the catalogue");
    let game = entry.open("houses=4,seeds=3").expect("its rules allow that");
    let agents = vec![game.agent("random").expect("every game has a random agent"); 2];
    (game, agents)
}

fn pairing(seating: Seating) -> Pairing {
    let (game, agents) = kalah();
    Pairing::new(game, agents, seating, Seed::new(5), GameLimits::default(), &[])
        .expect("two agents for two seats")
}

static GO_ON: AtomicBool = AtomicBool::new(false);

fn records(seating: Seating, games: u64, threads: usize) -> (MatchResult, Vec<Record>) {
    let mut records = Vec::new();
    let result = run_match(&pairing(seating), games, Runner { threads, cancel: &GO_ON }, |_, record| {
        records.push(record.clone());
        Ok(())
    });
    (result.expect("nothing ends it early"), records)
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let (one, records_of_one) = records(Seating::Swapped, 101, 1);
    for threads in [2, 7] {
        let (many, records_of_many) = records(Seating::Swapped, 101, threads);
        assert_eq!(records_of_many, records_of_one);
        assert_eq!((many.assessment, many.plies), (one.assessment.clone(), one.plies));
    }
}

#[test]
fn seats_are_swapped_within_pairs_unless_fixed() {
    let places = |seating| {
        let (_, records) = records(seating, 4, 1);
        records.into_iter().map(|record| (record.numbers, record.seed)).collect::<Vec<_>>()
    };
    assert_eq!(
        places(Seating::Swapped),
        [(vec![0, 1], (5, 0, 0)), (vec![1, 0], (5, 0, 1)), (vec![0, 1], (5, 1, 0)), (vec![1, 0], (5, 1, 1))]
    );
    assert!(places(Seating::Fixed).iter().all(|(numbers, seed)| *numbers == [0, 1] && seed.2 == 0));
}

#[test]
fn the_result_counts_what_the_records_say() {
    let (result, records) = records(Seating::Swapped, 200, 2);
    let won = |agent: usize| {
        let score_of = |record: &&Record| {
            let seat = record.numbers.iter().position(|&number| number == agent);
            record.outcome[seat.expect("both play")] == 1.0
        };
        records.iter().filter(score_of).count() as u64
    };
    let [one, other] = [0, 1].map(|agent| result.assessment.results(agent));
    assert_eq!([one.wins, other.wins], [won(0), won(1)]);
    assert_eq!((one.games(), other), (200, one.reversed()));
    assert_eq!(result.assessment.without_winner(), one.draws);
    assert_eq!(result.plies, records.iter().map(|record| u64::from(record.plies)).sum::<u64>());
    assert_eq!(result.efforts.iter().map(|effort| effort.0).sum::<u64>(), result.plies);
    assert_eq!(result.reasons.into_iter().collect::<Vec<_>>(), [(EndReason::Rules, 200)]);
    assert!(
        (result.assessment.of(0).score.expect("200 games") - one.score().expect("200 games")).abs() < 1e-12
    );
}

#[test]
fn chance_seats_both_equally_often_and_the_same_way_each_time() {
    let pairing = pairing(Seating::Random);
    let first = |number| pairing.order(number)[0];
    let count = (0..10_000).filter(|&number| first(number) == 0).count();
    assert!((4_800..5_200).contains(&count), "{count}");
    let (_, records) = records(Seating::Random, 50, 2);
    assert!(records.iter().zip(0..).all(|(record, number)| record.numbers[0] == first(number)));
}

#[test]
fn every_seat_needs_an_agent() {
    let (game, agents) = kalah();
    let refused =
        Pairing::new(game, agents[..1].to_vec(), Seating::Swapped, Seed::new(5), GameLimits::default(), &[]);
    let error = refused.err().expect("one agent is too few");
    assert_eq!(error.to_string(), "a match of kalah needs an agent for each of its 2 seats; given: 1");
}

#[test]
fn whoever_listens_can_end_it() {
    let mut heard = 0;
    let ended = run_match(
        &pairing(Seating::Swapped),
        1_000_000_000,
        Runner { threads: 2, cancel: &GO_ON },
        |_, _| {
            heard += 1;
            if heard < 10 { Ok(()) } else { Err(Error::input("the disk is full")) }
        },
    );
    assert_eq!((ended, heard), (Err(Error::input("the disk is full")), 10));
}

#[test]
fn a_cancelled_match_counts_only_what_was_played() {
    let cancel = AtomicBool::new(false);
    let result = run_match(
        &pairing(Seating::Swapped),
        1_000_000_000,
        Runner { threads: 2, cancel: &cancel },
        |so_far, _| {
            cancel.store(so_far.assessment.games() >= 10, Ordering::Relaxed);
            Ok(())
        },
    );
    let result = result.unwrap();
    assert!((10..1_000_000_000).contains(&result.assessment.games()));
    assert!(!result.reasons.contains_key(&EndReason::Cancelled));
}
