//! The arrays: what stands in them, on positions worked out by hand and against what the rules say of every placement.

use ranka_battery::{Battery, actions_have_numbers, encodings_agree};
use ranka_core::{Actor, Encoding, Game, Notation, Params, Position, Rng, Seat, SeatObserver, Seed};
use ranka_tantrix::{Phase, State, Tantrix};

const RULES: [&str; 4] = ["", "players=3,colours=YGB", "players=4", "exactly3=on,colours=GY"];

const WIDTH: usize = 19;
const CELLS: usize = 15 * WIDTH;
const MIDDLE: usize = 7 * WIDTH + 9;

fn game(rules: &str) -> Tantrix {
    Tantrix::new(&Params::parse(rules, Tantrix::options()).expect("known options")).expect("options that fit")
}

#[test]
fn encodings_stand_the_battery() {
    for rules in RULES {
        encodings_agree(&Battery::<Tantrix>::of(rules).games(8));
    }
}

#[test]
fn no_action_of_a_million_positions_falls_outside() {
    for rules in RULES {
        actions_have_numbers(&Battery::<Tantrix>::of(rules).seed(1), 1_000_000);
    }
}

/// What `seat` observes, by plane.
fn observed(game: &Tantrix, state: &State, seat: Seat) -> impl Fn(&str) -> Vec<f32> + use<> {
    let layout = game.layout();
    let mut array = vec![0.0; layout.observation_len()];
    SeatObserver::new(game, seat).observe(game, state, &mut array);
    move |plane| {
        let index = layout.plane(plane).unwrap_or_else(|| panic!("there is no plane {plane:?}"));
        array[index * CELLS..][..CELLS].to_vec()
    }
}

/// The cells that are not zero, by their rows below and columns right of the middle, with what they hold.
fn marked(plane: &[f32]) -> String {
    let cells = plane.iter().enumerate().filter(|&(_, &value)| value != 0.0);
    let text = |(i, &value): (usize, &f32)| {
        let (row, column) = (i as isize / 19 - 7, i as isize % 19 - 9);
        if value == 1.0 { format!("{row},{column}") } else { format!("{row},{column}={value}") }
    };
    cells.map(text).collect::<Vec<_>>().join(" ")
}

fn filled(plane: &[f32]) -> Option<f32> {
    plane.iter().all(|value| *value == plane[0]).then(|| plane[0])
}

/// A game for two, with tile 1 (BRBRYY from north) first.
fn begun() -> (Tantrix, State) {
    let game = game("");
    let deck: Vec<_> = ranka_tantrix::Tile::all().collect();
    let mut state = game.dealt(&deck);
    state.apply(game.read_action("1@0,0/0").expect("a placement"));
    (game, state)
}

#[test]
fn tiles_show_their_colours_from_the_viewers_side() {
    let (game, state) = begun();
    let red = observed(&game, &state, Seat::FIRST);
    assert_eq!(marked(&red("tile")), "0,0");
    // N, NE, SE, S, SW, NW are blue, red, blue, red, yellow, yellow; blue is the other's, yellow the second of nobody's.
    let whose = ["other 1's", "own", "other 1's", "own", "nobody's 2", "nobody's 2"];
    let beyond = ["-1,0", "0,1", "1,1", "1,0", "0,-1", "-1,-1"];
    let names = ["N", "NE", "SE", "S", "SW", "NW"];
    for side in 0..6 {
        let plane = red(&format!("{} colour {}", whose[side], names[side]));
        assert_eq!(plane[MIDDLE], 1.0, "side {}", names[side]);
        // The space over that side asks for the same colour there.
        let facing = red(&format!("{} colour {}", whose[side], names[(side + 3) % 6]));
        assert!(marked(&facing).split(' ').any(|cell| cell == beyond[side]), "side {}", names[side]);
    }
    assert_eq!(marked(&red("space")), "-1,-1 -1,0 0,-1 0,1 1,0 1,1");
    assert_eq!(marked(&red("own lines arriving")), "0,1=0.05 1,0=0.05");
    assert_eq!(filled(&red("own score")), Some(0.05));
    assert_eq!(filled(&red("lead")), Some(0.0));
    assert_eq!(filled(&red("bag")), Some(44.0 / 56.0));
    // Chance is to draw.
    assert_eq!(filled(&red("own turn")), Some(0.0));
    let blue = observed(&game, &state, Seat::SECOND);
    assert_eq!(blue("own colour N")[MIDDLE], 1.0);
    assert_eq!(blue("other 1's colour NE")[MIDDLE], 1.0);
}

#[test]
fn the_first_tile_goes_to_the_middle() {
    let game = game("players=3");
    let state = game.start(&mut Rng::new(Seed::new(1)));
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let mut numbers: Vec<usize> =
        actions.iter().filter_map(|&action| game.action_index(&state, Seat::FIRST, action)).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..6).map(|place| place * CELLS + MIDDLE).collect::<Vec<_>>());
    let seen = observed(&game, &state, Seat::FIRST);
    assert_eq!(marked(&seen("hand 5 fits")), "0,0");
    assert_eq!(filled(&seen("free move")), Some(1.0));
}

/// Fits, gains and forced spaces are what the rules say of every placement.
#[test]
fn gains_are_what_placements_bring() {
    for rules in RULES {
        let game = game(rules);
        let mut rng = Rng::new(Seed::new(3));
        let (mut gains, mut forced) = (0, 0);
        for _ in 0..4 {
            let mut state = game.start(&mut rng);
            loop {
                let action = match state.actor() {
                    Actor::Over => break,
                    Actor::Chance => state.draw(&mut rng),
                    Actor::Seat(seat) => {
                        let layout = game.layout();
                        let mut array = vec![0.0; layout.observation_len()];
                        SeatObserver::new(&game, seat).observe(&game, &state, &mut array);
                        let first = layout.plane("gain of hand 0 turned 0").expect("a plane") * CELLS;
                        let plane = |name: &str| layout.plane(name).expect("a plane") * CELLS;
                        let mut actions = Vec::new();
                        state.actions(&mut actions);
                        let mut fits = vec![0.0; 6 * CELLS];
                        for &action in &actions {
                            let index = game.action_index(&state, seat, action).expect("a number");
                            fits[index % (6 * CELLS)] = 1.0;
                            let mut after = state.clone();
                            after.apply(action);
                            let gain = (after.margin(seat) - state.margin(seat)) as f32 / 8.0;
                            if state.plies() > 0 {
                                assert_eq!(
                                    array[first + index],
                                    gain,
                                    "{action} in {}",
                                    game.write_state(&state)
                                );
                                gains += usize::from(gain != 0.0);
                            }
                            if state.phase() == Phase::Forced {
                                assert_eq!(array[plane("forced space") + index % CELLS], 1.0);
                                forced += 1;
                            }
                        }
                        assert_eq!(
                            array[plane("hand 0 fits")..][..6 * CELLS],
                            fits,
                            "{}",
                            game.write_state(&state)
                        );
                        state.random_action(&mut rng, &mut Vec::new())
                    }
                };
                state.apply(action);
            }
        }
        assert!(gains > 500 && forced > 50, "{gains} gains, {forced} forced placements");
    }
}
