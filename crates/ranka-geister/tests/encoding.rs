//! The arrays: what stands in them, on positions worked out by hand, and their mirror.

use ranka_battery::{Battery, actions_have_numbers, encodings_agree, encodings_do_not_leak};
use ranka_core::{Encoding, Game, Notation, Params, Position, Rng, Seat, SeatObserver, Seed};
use ranka_geister::{Geister, State};

fn game() -> Geister {
    Geister::new(&Params::defaults(Geister::options())).expect("the defaults are good")
}

#[test]
fn encodings_stand_the_battery() {
    encodings_agree(&Battery::<Geister>::of("").games(300));
    let compared = encodings_do_not_leak(&Battery::<Geister>::of("").games(600).seed(3));
    assert!(compared > 100_000, "only {compared} observations were compared");
}

#[test]
fn no_action_of_a_million_positions_falls_outside() {
    actions_have_numbers(&Battery::<Geister>::of("").seed(1), 1_000_000);
}

/// Plays `actions` and gives what `seat` then observes, by plane.
fn observed(actions: &str, seat: Seat) -> impl Fn(&str) -> Vec<f32> {
    let game = game();
    let (state, observer) = played(&game, actions, seat);
    let layout = game.layout();
    let mut array = vec![0.0; layout.observation_len()];
    observer.observe(&game, &state, &mut array);
    move |plane| {
        let index = layout.plane(plane).unwrap_or_else(|| panic!("there is no plane {plane:?}"));
        array[index * 36..][..36].to_vec()
    }
}

fn played(game: &Geister, actions: &str, seat: Seat) -> (State, SeatObserver<Geister>) {
    let mut state = game.start(&mut Rng::new(Seed::new(0)));
    let mut observer = SeatObserver::new(game, seat);
    for text in actions.split_whitespace() {
        let action = game.read_action(text).expect(text);
        assert!(state.is_legal(action), "{text} is not legal");
        let before = state;
        state.apply(action);
        observer.follow(game, &before, action, &state);
    }
    (state, observer)
}

/// The cells that are not zero, with what they hold, by name.
fn marked(plane: &[f32]) -> String {
    let name = |i: usize| format!("{}{}", char::from(b'a' + (i % 6) as u8), i / 6 + 1);
    let cells = plane.iter().enumerate().filter(|&(_, &value)| value != 0.0);
    cells.map(|(i, value)| format!("{}={value}", name(i))).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_sees_the_own_side_at_the_bottom() {
    let actions = "set:ABCD set:EFGH b5b4 e2e3";
    let first = observed(actions, Seat::FIRST);
    assert_eq!(marked(&first("own red")), "b4=1 c5=1 d5=1 e5=1");
    assert_eq!(marked(&first("own blue")), "b6=1 c6=1 d6=1 e6=1");
    assert_eq!(marked(&first("other's ghosts")), "b1=1 c1=1 d1=1 e1=1 b2=1 c2=1 d2=1 e3=1");
    assert_eq!(marked(&first("from of move -1")), "e2=1");
    assert_eq!(marked(&first("to of move -2")), "b4=1");
    let second = observed(actions, Seat::SECOND);
    assert_eq!(marked(&second("own red")), "b6=1 c6=1 d6=1 e6=1");
    assert_eq!(marked(&second("own blue")), "b4=1 c5=1 d5=1 e5=1");
    assert_eq!(marked(&second("to of move -1")), "b4=1");
}

#[test]
fn deeds_are_counted_for_each_ghost() {
    // b5 goes up to meet b2; it is approached, stays, is taken from beside.
    let seen = observed("set:ABCD set:EFGH b5b4 b2b3", Seat::FIRST);
    assert_eq!(marked(&seen("own moves")), "b4=0.0625");
    assert_eq!(marked(&seen("other's approaches")), "b3=0.125");
    assert_eq!(marked(&seen("own from column b")), "b4=1 b6=1");
    assert_eq!(marked(&seen("other's from column b")), "b1=1 b3=1");
    assert_eq!(marked(&seen("own from the front row")), "b4=1 c5=1 d5=1 e5=1");
    let stayed = observed("set:ABCD set:EFGH b5b4 b2b3 c5c4 e2e3", Seat::FIRST);
    assert_eq!(marked(&stayed("own stayed under threat")), "b4=0.125");
    assert_eq!(marked(&stayed("other's stayed under threat")), "b3=0.125");
    let fled = observed("set:ABCD set:EFGH b5b4 b2b3 b4a4 e2e3", Seat::FIRST);
    assert_eq!(marked(&fled("own flights")), "a4=0.125");
    let took = observed("set:ABCD set:EFGH b5b4 b2b3 b4b3", Seat::SECOND);
    assert_eq!(marked(&took("other's captures")), "e4=0.25");
    assert_eq!(marked(&took("own blue taken")).split(' ').count(), 36);
    // A red ghost that reaches the exit and stays there has declined it.
    let declined = "set:ABCD set:EFGH b5b4 e2e3 b4a4 e3e2 a4a3 e2e3 a3a2 e3e2 a2a1 e2e3 c5c4 e3e2";
    assert_eq!(marked(&observed(declined, Seat::SECOND)("other's declined an exit")), "f6=0.25");
}

/// The board seen in a mirror: positions, deeds and the numbers of actions.
#[test]
fn the_mirror_is_the_mirrored_game() {
    let game = game();
    let mirror = game.symmetries().remove(0);
    let mut rng = Rng::new(Seed::new(5));
    for _ in 0..40 {
        let start = game.start(&mut Rng::new(Seed::new(0)));
        let (mut states, mut observers) = (
            [start; 2],
            [0, 1].map(|_| Seat::all(2).map(|seat| SeatObserver::new(&game, seat)).collect::<Vec<_>>()),
        );
        while let Some(seat) = states[0].actor().seat() {
            let [plain, mirrored] = [0, 1].map(|side| {
                let mut array = vec![0.0; game.layout().observation_len()];
                observers[side][seat.index()].observe(&game, &states[side], &mut array);
                array
            });
            let turned: Vec<f32> = mirror.observation.iter().map(|&from| mirrored[from as usize]).collect();
            assert_eq!(plain, turned, "{}", game.write_state(&states[0]));
            let action = states[0].random_action(&mut rng, &mut Vec::new());
            let views = [0, 1].map(|side| game.view(&states[side], seat));
            let index = game.action_index(&views[0], seat, action).expect("every action has a number");
            let other = game
                .indexed_action(&views[1], seat, mirror.actions[index] as usize)
                .expect("so has its mirror");
            for (side, action) in [action, other].into_iter().enumerate() {
                assert!(states[side].is_legal(action));
                let before = states[side];
                states[side].apply(action);
                observers[side]
                    .iter_mut()
                    .for_each(|observer| observer.follow(&game, &before, action, &states[side]));
            }
        }
        assert_eq!(states[0].outcome(), states[1].outcome());
    }
}
