//! What people are told of a sowing before it is made.

use ranka_core::{
    Actor, Foresight, Game, Motion, Notation, Params, Picture, Position, Rng, Seat, Seed, Step,
};
use ranka_kalah::Kalah;

fn game(rules: &str) -> Kalah {
    Kalah::new(&Params::parse(rules, Kalah::options()).expect("good rules")).expect("a game")
}

/// What is said of a house, and the marks in one line.
fn told(rules: &str, position: &str, house: &str) -> (String, String) {
    let game = game(rules);
    let state = game.read_state(position).expect(position);
    let Foresight { message, marks } = game.foresee(&state, game.read_action(house).expect("a house"));
    let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
    (message.to_string(), marks.join(", "))
}

#[test]
fn sowings_are_told_as_they_will_be() {
    let standard = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    for (rules, position, house, says, marks) in [
        (
            "",
            standard,
            "1",
            "House 1: sows 4, ends in its own house 5",
            "house-s2 +1, house-s3 +1, house-s4 +1, house-s5 +1 ◎",
        ),
        (
            "",
            standard,
            "3",
            "House 3: sows 4, ends in the store and moves again",
            "house-s4 +1, house-s5 +1, house-s6 +1, store-s +1 ◎",
        ),
        (
            "",
            standard,
            "6",
            "House 6: sows 4, ends in the other's house 3",
            "store-s +1, house-n1 +1, house-n2 +1, house-n3 +1 ◎",
        ),
        (
            // From 1 into the empty 3, opposite North's 1.
            "houses=3,seeds=3",
            "<3,0,0,2,1,0,5,5,5> S",
            "1",
            "House 1: sows 2, ends in its own empty house 3 and captures 5",
            "house-s2 +1, house-s3 ◎, store-s +6, house-n1 −5",
        ),
        (
            // A whole round back into the house itself: the opposite one has got a seed on the way.
            "houses=2,seeds=3",
            "<2,0,0,5,2,3,2> S",
            "1",
            "House 1: sows 5, ends in its own empty house 1 and captures 3",
            "house-s1 ◎, house-s2 +1, store-s +5, house-n1 +1, house-n2 −3",
        ),
        (
            // More than one lap, by North.
            "houses=2,seeds=4",
            "<2,0,0,1,1,2,12> N",
            "2",
            "House 2: sows 12, ends in the other's house 1",
            "house-n1 +2, house-n2 +2, store-n +3, house-s1 +3 ◎, house-s2 +2",
        ),
        (
            "houses=3,seeds=3",
            "<3,8,4,0,0,1,2,1,2> S",
            "3",
            "House 3: sows 1 and ends the game; North sweeps 5",
            "store-s +1 ◎",
        ),
        (
            "houses=3,seeds=3,leftover=none",
            "<3,8,4,0,0,1,2,1,2> S",
            "3",
            "House 3: sows 1 and ends the game",
            "store-s +1 ◎",
        ),
        (
            "houses=3,seeds=3",
            "<3,9,5,0,1,0,2,0,1> S",
            "2",
            "House 2: sows 1, captures 2 and ends the game; North sweeps 1",
            "house-s3 ◎, store-s +3, house-n1 −2",
        ),
        (
            "houses=3,seeds=3,capture=always",
            "<3,6,5,1,1,0,0,4,1> S",
            "2",
            "House 2: sows 1, ends in its own empty house 3 and banks that seed",
            "house-s3 ◎, store-s +1",
        ),
        ("pie=on", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N pie", "swap", "Takes over the other side", ""),
        // Nothing comes of what cannot be done.
        ("houses=3,seeds=3", "<3,8,4,0,0,1,2,1,2> S", "1", "", ""),
        ("houses=3,seeds=3", "<3,8,4,0,0,1,2,1,2> S", "9", "", ""),
    ] {
        let expected = (says.to_owned(), marks.to_owned());
        assert_eq!(told(rules, position, house), expected, "{position} {house}");
    }
}

#[test]
fn the_store_grows_as_foretold() {
    for rules in ["houses=3,seeds=9,leftover=none", "houses=5,seeds=3,leftover=none,capture=always"] {
        let game = game(rules);
        let mut rng = Rng::new(Seed::new(1));
        for _ in 0..20 {
            let mut state = game.first();
            while let Actor::Seat(seat) = state.actor() {
                let (before, action) = (state, state.random_action(&mut rng, &mut Vec::new()));
                let store = ["store-s", "store-n"][seat.index()];
                let marks = game.foresee(&before, action).marks;
                let mark = marks.iter().find(|(id, _)| id == store).map_or("+0", |(_, mark)| mark);
                let gain: u32 = mark.trim_end_matches(" ◎").trim_start_matches('+').parse().expect(mark);
                state.apply(action);
                assert_eq!(gain, state.store(seat) - before.store(seat), "{action:?} in {before:?}");
            }
        }
    }
}

/// Steps in one line each: what moves, and where to.
fn moves(steps: Vec<Step>) -> Vec<String> {
    let write = |step| match step {
        Step::Carry { from, to, count } => format!("{count} from {from} to {to}"),
        Step::Walk { piece, over } => format!("{piece} over {}", over.join(" ")),
        Step::Slide { pieces, from, to } => format!("{} from {from} to {to}", pieces.join(" ")),
        Step::Turn { piece, degrees } => format!("{piece} by {degrees}"),
        Step::Aside { piece, by } => format!("{piece} aside by {by:?}"),
        Step::Leave { piece } => format!("{piece} leaves"),
        Step::Tell { at, text } => format!("{text} at {at}"),
    };
    steps.into_iter().map(write).collect()
}

#[test]
fn seeds_travel_house_by_house_and_captures_follow() {
    for (rules, position, house, expected) in [
        (
            "",
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
            "4",
            &[
                "1 from house-s4 to house-s5",
                "1 from house-s4 to house-s6",
                "1 from house-s4 to store-s",
                "1 from house-s4 to house-n1",
            ][..],
        ),
        // The last seed falls into the own empty house 2: the three opposite and it itself are banked.
        (
            "houses=3",
            "<3,5,4,1,0,2,1,3,0> S",
            "1",
            &["1 from house-s1 to house-s2", "3 from house-n2 to store-s", "1 from house-s2 to store-s"],
        ),
        // The row is empty after it, and North sweeps what it has.
        (
            "houses=3",
            "<3,5,4,0,0,1,2,0,3> S",
            "3",
            &["1 from house-s3 to store-s", "2 from house-n1 to store-n", "3 from house-n3 to store-n"],
        ),
    ] {
        let game = game(rules);
        let state = game.read_state(position).expect(position);
        let steps = game.motion(&state, game.read_action(house).expect("a house"));
        assert_eq!(moves(steps), expected, "{position}");
    }
    let game = game("");
    let state = game.read_state("<6,0,0,0,4,4,4,4,4,4,4,4,4,4,4> S").expect("a position");
    assert_eq!(
        game.motion(&state, game.read_action("1").expect("a house")),
        [],
        "an empty house moves nothing"
    );
}

#[test]
fn every_seed_that_moves_arrives() {
    for rules in
        ["", "houses=3,seeds=3", "houses=4,seeds=2,capture=always,leftover=none", "early-majority=on"]
    {
        let game = game(rules);
        let mut rng = Rng::new(Seed::new(7));
        for _ in 0..20 {
            let mut state = game.start(&mut rng);
            while let Actor::Seat(_) = state.actor() {
                let mut actions = Vec::new();
                state.actions(&mut actions);
                let action = rng.pick(&actions);
                let before = state;
                state.apply(action);
                let gained: u32 = (game.motion(&before, action).iter())
                    .map(|step| match step {
                        Step::Carry { to, count, .. } if to.starts_with("store") => *count,
                        _ => 0,
                    })
                    .sum();
                let stores =
                    |state: &ranka_kalah::State| Seat::all(2).map(|seat| state.store(seat)).sum::<u32>();
                assert_eq!(
                    gained,
                    stores(&state) - stores(&before),
                    "{} in {}",
                    game.write_action(action),
                    game.write_state(&before)
                );
            }
        }
    }
}

/// Where nobody gets what is left, a row can be empty before anybody has more than half.
#[test]
fn an_end_is_told_by_what_ended_it() {
    let game = game("houses=3,seeds=2,early-majority=on,leftover=none");
    let mut seen = [0, 0];
    for seed in 0..200 {
        let mut rng = Rng::new(Seed::new(seed));
        let mut state = game.start(&mut rng);
        while let Actor::Seat(_) = state.actor() {
            let action = state.random_action(&mut rng, &mut Vec::new());
            state.apply(action);
        }
        let majority = Seat::all(2).any(|seat| state.store(seat) > 6);
        let said = game.verdict(&state, None).to_string();
        assert!(said.contains("more than half") == majority, "{said}");
        seen[usize::from(majority)] += 1;
    }
    assert!(seen.iter().all(|&games| games > 0), "{seen:?}");
}
