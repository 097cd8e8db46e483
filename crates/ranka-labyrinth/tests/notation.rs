//! Bad positions are refused with the reason.
#![allow(clippy::unwrap_used)]

mod common;

use common::{G, game};
use ranka_core::Notation;

#[test]
fn positions_that_cannot_be_are_refused() {
    let good = format!(
        "tiles={G} extra=L1:Lizard pawns=0,0;6,6 homes=0,0;6,6 cards=Mouse;Book found=-;- last=- mover=0 phase=push"
    );
    let game = game("");
    assert_eq!(game.write_state(&game.read_state(&good).unwrap()), good);
    let problem = |from: &str, to: &str| {
        let spoilt = good.replacen(from, to, 1);
        assert_ne!(spoilt, good);
        game.read_state(&spoilt).unwrap_err().problem
    };
    for (from, to, why) in [
        ("tiles=L1", "tiles=L2", "the tile at 0,0 is L2, but L1 is fixed there"),
        ("L1:Lizard", "L1", "there are more tiles L than the box has"),
        ("L1:Lizard", "L1:Lizzard", "expected a treasure"),
        ("L1:Lizard", "T1:Lizard", "the tile with this treasure is a L"),
        ("L1:Lizard", "T1", "every T has a treasure"),
        ("homes=0,0", "homes=1,0", "1,0 is no corner"),
        ("homes=0,0", "homes=6,6", "everybody has a corner of its own"),
        ("cards=Mouse", "cards=Book", "the card Book is there twice"),
        ("cards=Mouse", "cards=?", "a full position names every card"),
        ("found=-", "found=?", "expected a treasure"),
        ("phase=push", "phase=move", "last names no entry"),
        ("phase=push", "phase=over", "the mover has not won"),
        ("mover=0", "mover=2", "the seat to move is 2, not in 0 to 1"),
        ("phase=push", "phase=push ply=400", "the cap is reached"),
    ] {
        let told = problem(from, to);
        assert!(told.contains(why), "{to}: {told}");
    }
}
