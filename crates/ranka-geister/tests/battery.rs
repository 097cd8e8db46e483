//! Geister against the battery, and its golden files.

use ranka_battery::{
    Battery, battery, check_perft_file, check_playthrough, decisions_do_not_leak, histories_do_not_leak,
    playthrough,
};
use ranka_core::{Position as _, Seat};
use ranka_geister::{Geister, State};

const QUICK: [&str; 13] = [
    "random",
    "flat-mc:playouts=90",
    "uct:playouts=80,worlds=4",
    "ismcts:playouts=90",
    "random:setup=BCFG,dfpn=5",
    "blue-rush",
    "red-rush",
    "purple-dfpn:dfpn=5",
    "naotti-1.0:depth=2",
    "naotti-1.1:depth=2,ties=uniform",
    "purple-max:depth=3,ties=uniform",
    "suspicion:depth=3",
    "purple-suspicion:depth=3,explain=on",
];

fn rounds(rules: &str) -> Battery<'static, Geister> {
    Battery::of(rules).invariant(|state: &State| {
        for seat in Seat::all(2) {
            let ghosts = state.ghosts(seat).count();
            let reds = state.ghosts(seat).filter(|&(_, red)| red).count();
            assert!(ghosts <= 8 && reds <= 4 && ghosts - reds <= 4);
            let none = ghosts == 0 && state.ply() == 0;
            assert!(none || state.actor().is_over() || (reds > 0 && reds < ghosts));
        }
    })
}

#[test]
fn geister_stands_the_battery() {
    battery(&rounds("").games(8).agents(&QUICK));
    battery(&rounds("plies=9").games(6));
}

/// It thinks of what the other might see, and yet of nothing that its seat may not know.
fn stands_with_all_it_thinks_of_others(agent: &str) {
    battery(&rounds("").games(2).agents(&[agent]).agent_games(2));
    let many = rounds("").games(200).seed(4).agents(&[agent]).agent_games(10);
    decisions_do_not_leak(&many);
    histories_do_not_leak(&many.games(60).agent_games(2));
}

#[test]
fn a_level_stands_the_battery() {
    stands_with_all_it_thinks_of_others("level:rank=3");
}

#[test]
fn the_partner_stands_the_battery() {
    stands_with_all_it_thinks_of_others("partner");
}

#[test]
fn the_champion_stands_the_battery() {
    let champion = [
        "champion:worlds=0",
        "champion:worlds=1,trust=5,dfpn=5",
        "puct:playouts=8",
        "puct:playouts=6,belief=off",
    ];
    battery(&rounds("").games(2).agents(&champion).agent_games(1));
    decisions_do_not_leak(&rounds("").games(300).seed(4).agents(&champion[..1]).agent_games(60));
}

/// Hidden colours change no choice, over positions from thousands of games.
#[test]
fn no_choice_depends_on_hidden_colours() {
    let many = rounds("").games(2000).seed(9).agents(&QUICK).agent_games(120);
    decisions_do_not_leak(&many);
    histories_do_not_leak(&many.games(300).agent_games(20));
}

#[test]
fn perft() {
    check_perft_file::<Geister>("tests/geister.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [("standard", ""), ("nine-plies", "plies=9")] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Geister>(rules, 1));
    }
}

#[test]
fn lessons_can_be_learned_from() {
    ranka_battery::lessons_teach::<Geister>();
}
