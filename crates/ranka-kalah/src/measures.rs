//! What can be measured in a game of Kalah.

use crate::Kalah;
use ranka_core::{Measure, Measured, Per};

impl Measured for Kalah {
    fn measures() -> Vec<Measure<Kalah>> {
        vec![Measure {
            name: "margin",
            help: "seeds in the seat's store less those in the other's, at the end",
            per: Per::Seat,
            take: |finished| finished.by_seat(|seat| f64::from(finished.played.last.margin(seat))),
        }]
    }
}
