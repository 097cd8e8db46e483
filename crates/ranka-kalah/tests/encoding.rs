//! The arrays: what stands in them, on positions worked out by hand.
#![allow(clippy::unwrap_used)]

use ranka_battery::{Battery, actions_have_numbers, encodings_agree};
use ranka_core::{Encoding, Game, Notation, Params, Seat, SeatObserver};
use ranka_kalah::{House, Kalah};

/// Boards and rules of every kind.
const RULES: [&str; 7] = [
    "",
    "houses=1,seeds=1",
    "houses=3,seeds=3,capture=always",
    "houses=2,seeds=9,end=mover-empty",
    "houses=12,seeds=20",
    "houses=8,seeds=3,leftover=none",
    "houses=4,seeds=3,pie=on",
];

fn game(rules: &str) -> Kalah {
    Kalah::new(&Params::parse(rules, Kalah::options()).unwrap()).unwrap()
}

/// What `seat` observes in a position, by plane.
fn observed(rules: &str, position: &str, seat: Seat) -> impl Fn(&str) -> Vec<f32> {
    let game = game(rules);
    let layout = game.layout();
    let mut array = vec![0.0; layout.observation_len()];
    SeatObserver::new(&game, seat).observe(&game, &game.read_state(position).unwrap(), &mut array);
    move |plane| {
        let index = layout.plane(plane).unwrap_or_else(|| panic!("there is no plane {plane:?}"));
        let cells = layout.height * layout.width;
        array[index * cells..][..cells].to_vec()
    }
}

#[test]
fn encodings_stand_the_battery() {
    for rules in RULES {
        encodings_agree(&Battery::<Kalah>::of(rules).games(30));
    }
}

#[test]
fn no_action_of_a_million_positions_falls_outside() {
    for rules in RULES {
        actions_have_numbers(&Battery::<Kalah>::of(rules).seed(1), 1_000_000);
    }
}

#[test]
fn each_sees_the_own_row_at_the_bottom_in_sowing_order() {
    let position = "<3,4,2,1,2,3,0,5,1> S";
    let south = observed("houses=3,seeds=3", position, Seat::FIRST);
    assert_eq!(south("seeds").times(7.0), [1, 5, 0, 1, 2, 3]);
    assert_eq!(south("own turn"), [1.0; 6]);
    assert_eq!(south("own store"), [4.0 / 18.0; 6]);
    assert_eq!(south("seeds in houses"), [12.0 / 18.0; 6]);
    let north = observed("houses=3,seeds=3", position, Seat::SECOND);
    assert_eq!(north("seeds").times(7.0), [3, 2, 1, 0, 5, 1]);
    assert_eq!(north("own turn"), [0.0; 6]);
    assert_eq!(north("own store"), [2.0 / 18.0; 6]);
    assert_eq!(north("0 seeds"), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(north("5 seeds"), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn many_seeds_share_a_plane() {
    let seen = observed("houses=2,seeds=9", "<2,0,0,13,14,9,0> S", Seat::FIRST);
    assert_eq!(seen("13 seeds"), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(seen("more seeds"), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(seen("seeds").times(5.0), [0, 9, 13, 14]);
}

#[test]
fn sowing_is_foreseen_for_both_rows() {
    // South's 1 and 2 both end in its empty 3 and capture what faces it, North's 1. North's 1 passes its store, its 3
    // ends there.
    let position = "<3,0,0,2,1,0,4,0,1> S";
    let south = observed("houses=3,seeds=3", position, Seat::FIRST);
    assert_eq!(south("gain when sown").times(7.0), [1, 0, 1, 5, 5, 0]);
    assert_eq!(south("sows into the store"), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let north = observed("houses=3,seeds=3", position, Seat::SECOND);
    assert_eq!(north("gain when sown").times(7.0), [0, 5, 5, 1, 0, 1]);
    // Seven seeds go once around three houses a side, so eight end where one would.
    let laps = observed("houses=3,seeds=3", "<3,0,0,0,2,8,1,1,1> S", Seat::FIRST);
    assert_eq!(laps("sows into the store"), [1.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(laps("gain when sown").times(7.0), [1, 0, 0, 0, 1, 2]);
    // An own house that faces an empty one is banked under one rule only.
    let alone = "<3,0,0,2,0,0,0,1,1> S";
    let gains = ["capture=nonempty", "capture=always"].map(|capture| {
        observed(&format!("houses=3,seeds=3,{capture}"), alone, Seat::FIRST)("gain when sown").times(7.0)[3]
    });
    assert_eq!(gains, [0, 1]);
}

#[test]
fn the_swap_comes_last() {
    let rules = "houses=4,seeds=3,pie=on";
    let game = game(rules);
    let state = game.read_state("<4,0,0,0,4,4,4,3,3,3,3> N pie").unwrap();
    assert_eq!(game.layout().actions(), 5);
    assert_eq!(game.action_index(&state, Seat::SECOND, House::SWAP), Some(4));
    assert_eq!(game.action_index(&state, Seat::SECOND, House::new(4)), None);
    let seen = observed(rules, "<4,0,0,0,4,4,4,3,3,3,3> N pie", Seat::SECOND);
    assert_eq!([seen("swap allowed"), seen("opening")], [vec![1.0; 8], vec![0.0; 8]]);
}

/// Scaled counts as they were.
trait Unscaled {
    fn times(self, scale: f32) -> Vec<i32>;
}

impl Unscaled for Vec<f32> {
    fn times(self, scale: f32) -> Vec<i32> {
        self.into_iter().map(|value| (value * scale).round() as i32).collect()
    }
}
