//! Tests that any game of Ranka can be handed.
//!
//! A game's own test file stays short: it says which rules, how many random games, and what must hold in
//! every position. Everything else that the contract promises is checked here.
//!
//! ```no_run
//! # fn example<MyGame: ranka_core::Complete>() {
//! use ranka_battery::{Battery, battery, check_perft_file, check_playthrough, check_signatures, playthrough};
//!
//! // #[test] fn the_battery_passes()
//! let small = Battery::<MyGame>::of("size=4")
//!     .games(50)
//!     .seed(1)
//!     .plies(200)
//!     .invariant(|state| assert!(ranka_core::Position::seats(state) == 2))
//!     .agents(&["random", "minimax:depth=2"]);
//! battery(&small);
//!
//! // #[test] fn playthroughs_are_as_reviewed(): `RANKA_BLESS=1 cargo test playthrough` writes them anew
//! check_playthrough("tests/playthroughs/small.txt", &playthrough::<MyGame>("size=4", 1));
//!
//! // #[test] fn perft_counts_are_right()
//! check_perft_file::<MyGame>("tests/my-game.perft");
//!
//! // #[test] fn signatures_are_of_their_versions(): who changes how an agent plays raises its version
//! check_signatures::<MyGame>("tests/signatures.txt", &[("", &["random", "minimax"]), ("size=4", &["minimax:depth=9"])]);
//! # }
//! ```
//!
//! [`battery`] runs all but the golden files; each of its parts is a function of its own, for a game that
//! grows room by room. A game whose states are [`Keyed`](ranka_core::Keyed) also calls [`keys_agree`].
//!
//! A failure is a panic that names the game, its rules, the seed, the position and what broke. Panics
//! inside the game's own code are told in the same way.
#![warn(missing_docs)]

mod battery;
mod fit;
mod place;

mod chance;
mod copies;
mod rules;

mod mutate;
mod notation;

mod encoding;
mod leaks;
mod lessons;
mod views;

mod pictures;
mod svg;

mod agents;
mod records;

mod perft_file;
mod playthrough;
mod signatures;

pub use agents::{agents_can_be_rebuilt, agents_play, points};
pub use battery::Battery;
pub use chance::{chance_adds_up, draws_are_fair};
pub use copies::{copies_are_independent, equality_agrees, keys_agree};
pub use encoding::{actions_have_numbers, encodings_agree, encodings_do_not_leak, observers_allow_the_truth};
pub use leaks::{decisions_do_not_leak, hidden_actions_stay_hidden, histories_do_not_leak};
pub use lessons::lessons_teach;
pub use notation::{mutated_notation_is_safe, notation_round_trips};
pub use perft_file::check_perft_file;
pub use pictures::pictures_are_sound;
pub use playthrough::{check_playthrough, playthrough};
pub use records::records_replay;
pub use rules::{legal_is_what_applies, play_ends, playouts_are_random_play, random_actions_are_uniform};
pub use signatures::check_signatures;
pub use views::{
    onlookers_know_no_more_than_anybody, samples_are_uniform, samples_look_the_same, views_agree,
};

/// Everything but the golden files, cheapest and most basic first.
pub fn battery<G: ranka_core::Complete>(b: &Battery<'_, G>) {
    play_ends(b);
    chance_adds_up(b);
    legal_is_what_applies(b);
    random_actions_are_uniform(b);
    draws_are_fair(b);
    playouts_are_random_play(b);
    copies_are_independent(b);

    notation_round_trips(b);
    equality_agrees(b);

    views_agree(b);
    pictures_are_sound(b);
    samples_look_the_same(b);
    onlookers_know_no_more_than_anybody(b);
    samples_are_uniform(b);
    hidden_actions_stay_hidden(b);
    mutated_notation_is_safe(b);

    encodings_agree(b);
    encodings_do_not_leak(b);
    observers_allow_the_truth(b);

    records_replay(b);
    agents_play(b);
    agents_can_be_rebuilt(b);
    decisions_do_not_leak(b);
    histories_do_not_leak(b);
}
