//! What must hold in every game: symmetries, sums, and paired deals.
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod common;

use common::{listed, random_game};
use ranka_core::{Actor, Game, GameSeeds, Notation, Position, Rng, Seat, Seed, Table};
use ranka_tantrix::naive::Naive;
use ranka_tantrix::{Action, Colour, Deed, Phase, Placement, State, Tantrix, Tile};

#[test]
fn line_lengths_add_up_to_the_tiles_of_their_colour() {
    for players in 2..=4 {
        for seed in 0..100 {
            let end = random_game(&Tantrix::standard(players), seed, |state, _| {
                for colour in Colour::ALL {
                    let placed = state.played().iter().filter_map(|action| action.placement());
                    let tiles = placed.filter(|p| p.tile.edges().contains(&colour)).count();
                    let lengths: usize = state.board().lines(colour).map(|line| line.length).sum();
                    assert_eq!(lengths, tiles, "{colour:?} of {state:?}");
                }
            });
            assert_eq!((end.plies(), end.unplayed().len()), (56, 0), "{end:?}");
            for colour in Colour::ALL {
                assert_eq!(end.board().lines(colour).map(|line| line.length).sum::<usize>(), 42);
            }
        }
    }
}

/// The tile with its colours exchanged, and the rotation that an unrotated one takes.
fn recoloured(tile: Tile, exchange: [Colour; 4]) -> (Tile, u8) {
    Tile::from_edges(tile.edges().map(|colour| exchange[colour as usize]))
        .expect("the set has all recolourings")
}

fn recoloured_action(action: Action, exchange: [Colour; 4]) -> Action {
    match action.deed() {
        Deed::Draw(tile) => Action::draw(recoloured(tile, exchange).0),
        Deed::Place(Placement { tile, rotation, at }) => {
            let (tile, turned) = recoloured(tile, exchange);
            Action::place(tile, (rotation + turned) % 6, at)
        }
    }
}

#[test]
fn exchanging_colours_changes_nothing_else() {
    let exchange = [Colour::Yellow, Colour::Blue, Colour::Green, Colour::Red];
    for seed in 0..30 {
        let game = Tantrix::standard(2);
        let mut other: Option<State> = None;
        random_game(&game, seed, |state, action| {
            let mirrored = other.get_or_insert_with(|| {
                let deck: Vec<Tile> = Seat::all(2)
                    .flat_map(|seat| state.hand(seat).collect::<Vec<_>>())
                    .chain(state.bag().iter())
                    .collect();
                let deck: Vec<Tile> = deck.into_iter().map(|tile| recoloured(tile, exchange).0).collect();
                let colours = game.colours.map(|colour| exchange[colour as usize]);
                Tantrix { colours, ..game }.dealt(&deck)
            });
            assert_eq!(mirrored.actor(), state.actor());
            for seat in Seat::all(2) {
                assert_eq!(mirrored.score(seat), state.score(seat));
            }
            if state.plies() > 0 {
                // The first tile lies unrotated whatever its colours, so the boards may differ by a turn.
                let mut expected: Vec<Action> =
                    listed(state).into_iter().map(|action| recoloured_action(action, exchange)).collect();
                expected.sort();
                assert_eq!(listed(mirrored), expected, "{state:?}");
            }
            let Some(action) = action else { return };
            let action = recoloured_action(action, exchange);
            if state.plies() == 0 {
                // Lay it as it is turned: any rotation of the first tile is as good as the unrotated one.
                *mirrored = with_first(mirrored, action);
            } else {
                mirrored.apply(action);
            }
        });
    }
}

/// The position after a first tile that is turned.
fn with_first(start: &State, first: Action) -> State {
    let game = Tantrix {
        colours: [start.colour(Seat::FIRST), start.colour(Seat::SECOND), Colour::Green, Colour::Yellow],
        ..Tantrix::standard(2)
    };
    let plain = first.placement().unwrap();
    let mut after = start.clone();
    after.apply(Action::place(plain.tile, 0, plain.at));
    let text = game.write_state(&after).replace("@0,0/0", &format!("@0,0/{}", plain.rotation));
    game.read_state(&text).unwrap()
}

#[test]
fn turning_the_table_changes_nothing_else() {
    let turned = |action: Action| match action.deed() {
        Deed::Draw(_) => action,
        Deed::Place(Placement { tile, rotation, at }) => Action::place(tile, (rotation + 1) % 6, at.turned()),
    };
    for seed in 200..230 {
        let game = Tantrix::standard(2);
        let mut other: Option<State> = None;
        random_game(&game, seed, |state, action| {
            let mirrored = other.get_or_insert_with(|| state.clone());
            assert_eq!(mirrored.actor(), state.actor());
            if state.plies() > 0 {
                let mut expected: Vec<Action> = listed(state).into_iter().map(turned).collect();
                expected.sort();
                assert_eq!(listed(mirrored), expected, "{state:?}");
                for colour in Colour::ALL {
                    assert_eq!(mirrored.board().score(colour), state.board().score(colour));
                }
            }
            match action {
                Some(action) if state.plies() == 0 => *mirrored = with_first(mirrored, turned(action)),
                Some(action) => mirrored.apply(turned(action)),
                None => {}
            }
        });
    }
}

#[test]
fn both_games_of_a_pair_draw_the_same_deck() {
    let game = Tantrix::standard(2);
    for pair in 0..20 {
        let decks: Vec<Vec<Action>> = [0, 1]
            .map(|number| {
                let seeds = GameSeeds::of(Seed::new(9), pair, number);
                let start = game.start(&mut Rng::new(seeds.deal));
                let mut table = Table::new(game, start, seeds.chance);
                // Quite different play in the two games.
                let mut rng = Rng::new(seeds.agent(0));
                while !table.actor().is_over() {
                    match table.actor() {
                        Actor::Chance => table.draw(),
                        _ => table.act(rng.pick(&listed(table.state()))).unwrap(),
                    }
                }
                assert_eq!(table.start(), &game.start(&mut Rng::new(seeds.deal)));
                table.actions().iter().copied().filter(|action| action.placement().is_none()).collect()
            })
            .into();
        assert_eq!(decks[0].len(), 44);
        assert_eq!(decks[0], decks[1], "pair {pair}");
    }
}

#[test]
fn the_endgame_begins_when_the_bag_is_empty() {
    random_game(&Tantrix::standard(2), 5, |state, _| {
        assert_eq!(state.board().restricted(), !state.bag().is_empty());
        assert_eq!(state.bag().is_empty(), state.plies() >= 44 && state.phase() != Phase::Draw);
        if state.bag().is_empty() {
            assert!(state.board().controlled().is_empty());
        }
    });
}

#[test]
fn a_deadlock_that_random_play_ran_into() {
    // One of three in a hundred thousand random games.
    let text = "board=49@0,0/0;9@0,-1/3;34@-1,-1/0;54@-1,0/2;56@1,-2/1;53@0,-2/0;17@1,-1/3;16@2,-1/2;11@1,0/4;\
                39@1,1/3;26@1,2/5;1@-2,-1/0;45@1,3/2 hands=27,29,38,5,37,28;30,41,25,40,42,24 \
                bag=2,3,4,6,7,8,10,12,13,14,15,18,19,20,21,22,23,31,32,33,35,36,43,44,46,47,48,50,51,52,55 \
                colours=R,B mover=1 freed=0 phase=over";
    let state = Tantrix::standard(2).read_state(text).unwrap();
    assert_eq!(state.outcome().scores(), [0.5, 0.5]);
    let naive = Naive::of(&state);
    for cell in state.board().frontier() {
        let closed = naive.closure_deficit(Some(cell)) > 0;
        let fits = state.board().fitting(cell, state.held(Seat::SECOND), false);
        assert!(closed || fits.is_empty(), "{fits:?} could go to {cell}");
    }
}

#[test]
fn stretched_games_stay_on_the_board() {
    // Always as far east as possible: far beyond what random play reaches.
    let mut rng = Rng::new(Seed::new(3));
    for seed in 0..20 {
        let mut state = Tantrix::standard(2).start(&mut Rng::new(Seed::new(seed)));
        while !state.actor().is_over() {
            let action = match state.actor() {
                Actor::Chance => state.draw(&mut rng),
                _ => {
                    let east = |action: &Action| action.placement().map_or(0, |p| i32::from(p.at.q));
                    listed(&state).into_iter().max_by_key(east).expect("a seat can act")
                }
            };
            state.apply(action);
        }
        let reach = state.played().iter().filter_map(|action| action.placement()).map(|p| p.at.q).max();
        assert!(reach > Some(15), "a stretched game reaches {reach:?}");
        assert_eq!(Tantrix::standard(2).read_state(&Tantrix::standard(2).write_state(&state)), Ok(state));
    }
}

#[test]
fn random_play_looks_as_published() {
    let game = Tantrix::standard(2);
    let games = 1000;
    let (mut forced, mut turns, mut legal, mut scores) = (0, 0, 0, Vec::new());
    // Free moves before the endgame and in it, and by eight plies, each with the number of such decisions.
    let (mut by_stage, mut by_eight) = ([(0, 0); 2], [(0, 0); 7]);
    let (mut most_free, mut longest_turn) = (0, 0);
    let (mut outcomes, mut spaces, mut sides, mut frontier, mut before) = ([0; 3], 0, 0, 0, 0);
    for seed in 0..games {
        let mut turn = (Seat::FIRST, false, 0);
        let end = random_game(&game, seed, |state, _| {
            match state.phase() {
                Phase::Forced => forced += 1,
                Phase::Free => {
                    turns += 1;
                    let free = listed(state).len();
                    legal += free;
                    let stage = usize::from(!state.board().restricted());
                    for count in [&mut by_stage[stage], &mut by_eight[state.plies() / 8]] {
                        *count = (count.0 + free, count.1 + 1);
                    }
                    most_free = most_free.max(free);
                }
                Phase::Draw | Phase::Over => {}
            }
            if state.actor().seat().is_some() {
                // A new turn begins with another mover, or when the free move is still to come again.
                let goes_on = turn.0 == state.mover() && turn.1 <= state.freed();
                turn = (state.mover(), state.freed(), if goes_on { turn.2 + 1 } else { 1 });
                longest_turn = longest_turn.max(turn.2);
            }
            if state.actor().seat().is_some() && state.board().restricted() {
                before += 1;
                spaces += state.board().forced(false).len();
                sides += state.board().controlled().len();
                frontier += state.board().frontier().len();
            }
        });
        assert_eq!(end.plies(), 56, "no deadlock");
        scores.extend(Colour::ALL.map(|colour| f64::from(end.board().score(colour))));
        outcomes[(end.outcome().score(Seat::FIRST) * 2.0) as usize] += 1;
    }
    let games = games as f64;
    let near = |what: &str, found: f64, expected: f64, tolerance: f64| {
        assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected} ± {tolerance}");
    };
    near("share of forced plies", f64::from(forced) / (56.0 * games), 0.604, 0.015);
    near("turns", f64::from(turns) / games, 22.3, 0.8);
    near("plies of a turn", 56.0 * games / f64::from(turns), 2.51, 0.1);
    assert!((18..=40).contains(&longest_turn), "longest turn: {longest_turn} plies, where 250 games had 23");
    near("free moves", legal as f64 / f64::from(turns), 55.9, 2.0);
    let mean_of = |(sum, count): (usize, usize)| sum as f64 / count as f64;
    near("free moves before the endgame", mean_of(by_stage[0]), 50.3, 1.5);
    near("free moves in the endgame", mean_of(by_stage[1]), 69.5, 4.0);
    for (found, published) in by_eight.into_iter().zip([46.5, 53.3, 51.5, 51.5, 53.2, 85.6, 60.8]) {
        near("free moves of eight plies", mean_of(found), published, 6.0);
    }
    assert!((150..=260).contains(&most_free), "most free moves: {most_free}, where 250 games had 177");
    let range = scores.iter().fold((f64::MAX, 0.0f64), |(low, high), &s| (low.min(s), high.max(s)));
    assert!(
        range.0 >= 5.0 && range.0 <= 7.0 && range.1 >= 30.0,
        "range of scores: {range:?}, where 250 games had 6 to 36"
    );
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    near("score", mean, 14.2, 0.5);
    let deviation = (scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / scores.len() as f64).sqrt();
    near("deviation of the score", deviation, 4.4, 0.4);
    near("draws", f64::from(outcomes[1]) / games, 0.10, 0.04);
    near("wins of the first", f64::from(outcomes[2]) / games, 0.45, 0.06);
    let before = f64::from(before);
    near("forced spaces", spaces as f64 / before, 2.5, 0.3);
    near("controlled cells", sides as f64 / before, 7.6, 0.8);
    near("frontier", frontier as f64 / before, 20.9, 0.8);
}
