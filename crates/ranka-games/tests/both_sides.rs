//! Who moves for all seats sees one side of the board, and can touch whatever any seat can.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Look, Rng, Seat, Seed};
use ranka_games::catalogue;

#[test]
fn every_offer_to_any_seat_is_in_the_picture_of_the_whole_truth() {
    for entry in catalogue() {
        let game = entry.open("").unwrap();
        let mut rng = Rng::new(Seed::new(1));
        let mut table = game.table(None, &vec![None; game.seats()], Seed::new(1)).unwrap();
        for _ in 0..40 {
            match table.actor() {
                Actor::Over => break,
                Actor::Chance => table.draw(),
                Actor::Seat(seat) => {
                    let offers = table.offers(seat);
                    for viewer in Seat::all(game.seats()) {
                        let picture = table.unveiled(&Look::from(viewer));
                        for id in offers.iter().flat_map(|offer| &offer.clicks) {
                            let there = picture.contains(&format!("id=\"{id}\""));
                            assert!(there, "{}: {id} for {seat:?} seen by {viewer:?}", entry.info().name);
                        }
                    }
                    table.act(&offers[rng.index(offers.len())].action).unwrap();
                }
            }
        }
    }
}
