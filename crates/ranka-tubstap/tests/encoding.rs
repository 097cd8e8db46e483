//! The arrays: what stands in them, on positions worked out by hand, and in a mirror.

use ranka_battery::{Battery, actions_have_numbers, encodings_agree};
use ranka_core::{Encoding, Game, Notation, Params, Position, Rng, Seat, SeatObserver, Seed};
use ranka_tubstap::{Action, Place, Setup, State, Terrain, Tubstap, maps};

fn game(rules: &str) -> Tubstap {
    Tubstap::new(&Params::parse(rules, Tubstap::options()).expect("known options")).expect("options that fit")
}

#[test]
fn encodings_stand_the_battery() {
    for map in maps::names() {
        encodings_agree(&Battery::<Tubstap>::of(&format!("map={map}")).games(3));
        let noisy = format!("map={map},noise=both,effective-only=on");
        encodings_agree(&Battery::<Tubstap>::of(&noisy).games(2));
        actions_have_numbers(&Battery::<Tubstap>::of(&noisy), 1000);
    }
}

#[test]
fn no_action_of_a_million_positions_falls_outside() {
    for map in maps::names() {
        actions_have_numbers(&Battery::<Tubstap>::of(&format!("map={map},noise=places")).seed(1), 1_000_000);
    }
}

/// What `seat` observes, by plane.
fn observed(game: &Tubstap, state: &State, seat: Seat) -> impl Fn(&str) -> Vec<f32> + use<> {
    let layout = game.layout();
    let mut array = vec![0.0; layout.observation_len()];
    SeatObserver::new(game, seat).observe(game, state, &mut array);
    move |plane| {
        let index = layout.plane(plane).unwrap_or_else(|| panic!("there is no plane {plane:?}"));
        let cells = layout.height * layout.width;
        array[index * cells..][..cells].to_vec()
    }
}

/// Columns of the frame that maps share, and its cells.
const WIDTH: usize = 8;
const CELLS: usize = WIDTH * WIDTH;

/// The cell of a plane for a column and row.
fn cell(x: usize, y: usize) -> usize {
    (y - 1) * WIDTH + x - 1
}

/// The cells of a plane that are not zero, as column and row, with what they hold.
fn marked(plane: &[f32]) -> String {
    let cells = plane.iter().enumerate().filter(|&(_, &value)| value != 0.0);
    let text = |(i, &value): (usize, &f32)| match value {
        1.0 => format!("{},{}", i % WIDTH + 1, i / WIDTH + 1),
        _ => format!("{},{}={value}", i % WIDTH + 1, i / WIDTH + 1),
    };
    cells.map(text).collect::<Vec<_>>().join(" ")
}

/// `duel` with its units placed elsewhere: panzer 0 and infantry 1 are red, panzer 2 and infantry 3 blue.
fn duel(game: &Tubstap, places: [(u8, u8); 4], hp: [u8; 4]) -> State {
    let mut setup = game.start(&mut Rng::new(Seed::new(0))).setup();
    for (unit, ((x, y), hp)) in setup.units.iter_mut().zip(places.into_iter().zip(hp)) {
        (unit.place, unit.hp) = (Place::new(x, y), hp);
    }
    setup.state(game.rules).expect("a position")
}

#[test]
fn each_sees_units_from_its_own_side() {
    let game = game("map=duel");
    let state = duel(&game, [(1, 1), (2, 1), (5, 5), (4, 5)], [10, 4, 5, 10]);
    assert_eq!(game.layout().planes.len(), 42 + 8 * 11);
    assert_eq!((game.layout().height, game.layout().width), (WIDTH, WIDTH));
    let red = observed(&game, &state, Seat::FIRST);
    assert_eq!(marked(&red("own panzer")), "1,1");
    assert_eq!(marked(&red("own infantry")), "2,1=0.4");
    assert_eq!(marked(&red("other's panzer")), "5,5=0.5");
    assert_eq!(marked(&red("slot 1 stands")), "2,1");
    assert_eq!(red("own turn"), [1.0; CELLS]);
    assert_eq!(red("half-turns left"), [1.0; CELLS]);
    assert_eq!(red("own side moves last"), [1.0; CELLS], "19 half-turns, the last one red's");
    assert_eq!(red("own HP"), [0.175; CELLS]);
    assert_eq!(red("lead"), [-0.0125; CELLS]);
    assert_eq!(red("forest")[cell(3, 1)], 1.0);
    assert_eq!(red("defence")[cell(3, 1)], 0.75);
    let blue = observed(&game, &state, Seat::SECOND);
    assert_eq!(marked(&blue("own panzer")), "1,1=0.5");
    assert_eq!(marked(&blue("other's panzer")), "5,5");
    assert_eq!(marked(&blue("other's infantry")), "4,5=0.4");
    assert_eq!(blue("own turn"), [0.0; CELLS]);
    assert_eq!(blue("forest")[cell(3, 5)], 1.0);
    assert_eq!(blue("own side moves last"), [0.0; CELLS]);
    // Beyond the board there is only wall.
    assert_eq!((red("wall")[cell(5, 5)], red("wall")[cell(6, 5)], blue("wall")[cell(1, 8)]), (0.0, 1.0, 1.0));
    assert_eq!(red("slot 1 is infantry"), [1.0; CELLS]);
    assert_eq!(red("slot 2 is infantry"), [0.0; CELLS], "nobody is in this slot");
}

#[test]
fn fights_are_foreseen() {
    let game = game("map=duel");
    // Red's panzer stands beside blue's infantry; its infantry is far away.
    let state = duel(&game, [(4, 4), (1, 1), (5, 3), (4, 5)], [10, 10, 10, 10]);
    let red = observed(&game, &state, Seat::FIRST);
    let act = game.read_action("0@4,4>3").expect("an attack");
    assert!(state.is_legal(act));
    let (damage, _) = state.preview(act).expect("an attack");
    let least = Place::new(4, 5);
    let around = [(5, 5), (4, 4), (3, 5)].map(|(x, y)| Action::attack(0, Place::new(x, y), 3));
    let counters = around.iter().filter(|&&act| state.is_legal(act)).filter_map(|&act| state.preview(act));
    let counter = counters.map(|(_, counter)| counter).min().expect("some attack");
    let at = cell(usize::from(least.x), usize::from(least.y));
    assert_eq!(red("slot 0 can take")[at], damage as f32 / 10.0);
    assert_eq!(red("slot 0 would lose")[at], counter as f32 / 10.0);
    assert_eq!(marked(&red("slot 1 can take")), "", "it is too far away");
    // Blue's infantry can strike the panzer where it stands.
    assert_eq!(red("other's infantry can strike")[cell(4, 4)], 1.0);
    assert_eq!(red("other's infantry can strike")[0], 0.0);
    // Staying there, the panzer could lose what both of blue's take from it in the open.
    let hits = [2, 3].map(|enemy| {
        let attack = Action::attack(enemy, Place::new(5, 4), 0);
        let setup = Setup { turn: 1, ..state.setup() };
        setup.state(game.rules).expect("blue's turn").preview(attack).expect("an attack").0
    });
    assert_eq!(red("slot 0 would suffer")[cell(4, 4)], hits.iter().sum::<u32>() as f32 / 10.0);
    // An attack is counted at its target, by the side on which the attacker stands: above it, for blue below.
    let index = game.action_index(&state, Seat::FIRST, act).expect("a number");
    assert_eq!((index / CELLS, index % CELLS), (2, at));
    let back = Action::attack(3, Place::new(4, 5), 0);
    let index = game.action_index(&state, Seat::SECOND, back).expect("a number");
    assert_eq!((index / CELLS, index % CELLS), (6 + 2, cell(2, 2)));
}

#[test]
fn cannons_fire_at_a_cell() {
    let game = game("map=crossing");
    let mut setup = game.start(&mut Rng::new(Seed::new(0))).setup();
    let cannon = setup.units.iter().position(|unit| unit.kind.letter() == 'U').expect("a cannon");
    let enemy = setup.units.iter().position(|unit| unit.team != setup.units[cannon].team).expect("an enemy");
    let from = setup.units[cannon].place;
    let free = |setup: &Setup, place: Place| setup.units.iter().all(|unit| unit.place != place);
    let place = [Place::new(from.x + 1, from.y + 1), Place::new(from.x + 2, from.y + 1)]
        .into_iter()
        .find(|&place| free(&setup, place))
        .expect("a free cell");
    setup.units[enemy].place = place;
    let state = setup.state(game.rules).expect("a position");
    let fire = Action::attack(setup.units[cannon].id, from, setup.units[enemy].id);
    assert!(state.is_legal(fire), "{fire}");
    let index = game.action_index(&state, Seat::FIRST, fire).expect("a number");
    assert_eq!(index % CELLS, cell(usize::from(place.x), usize::from(place.y)));
    assert_eq!(index / CELLS % 6, 5);
    assert_eq!(game.indexed_action(&state, Seat::FIRST, index), Some(fire));
}

#[test]
fn the_end_of_a_turn_is_the_last_action() {
    let game = game("");
    let state = game.start(&mut Rng::new(Seed::new(0)));
    let end = game.layout().actions() - 1;
    assert_eq!(game.action_index(&state, Seat::FIRST, Action::END), Some(end));
    assert_eq!(game.indexed_action(&state, Seat::FIRST, end), Some(Action::END));
}

/// A position of another map has its place if it fits in.
#[test]
fn maps_share_a_frame() {
    let (game, other) = (game("map=duel"), game("map=coast"));
    assert_eq!(game.layout(), other.layout());
    let state = other.start(&mut Rng::new(Seed::new(0)));
    for seat in Seat::all(2) {
        assert_eq!(observed(&game, &state, seat)("plain"), observed(&other, &state, seat)("plain"));
    }
    assert_eq!(game.action_index(&state, Seat::FIRST, Action::END), Some(6 * 8 * CELLS));
    let wide = "grid=00000000000/01111111110/00000000000 units=0:I:r:1,1:10:0;1:I:b:9,1:10:0 turn=0 limit=9 \
                threshold=1 first=r";
    let wide = game.read_state(wide).expect("a position");
    assert!(game.action_index(&wide, Seat::FIRST, Action::END).is_none());
    assert_eq!(observed(&game, &wide, Seat::FIRST)("plain"), [0.0; CELLS]);
}

/// What can be dealt at random fits in as well, and is another map every time.
#[test]
fn random_maps_share_the_frame_too() {
    let game = game("map=random");
    assert!(game.symmetries().is_empty());
    let mut sizes = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let state = game.start(&mut Rng::new(Seed::new(seed)));
        assert!(
            game.action_index(&state, Seat::FIRST, Action::END).is_some(),
            "{}",
            game.write_state(&state)
        );
        sizes.insert(state.size());
    }
    assert!(sizes.len() == 16, "{sizes:?}");
    encodings_agree(&Battery::<Tubstap>::of("map=random").games(10));
    actions_have_numbers(&Battery::<Tubstap>::of("map=random,noise=both"), 100_000);
}

/// Who lives moves up.
#[test]
fn slots_are_those_of_the_living() {
    let game = game("map=duel");
    let mut setup = game.start(&mut Rng::new(Seed::new(0))).setup();
    setup.units.remove(0);
    let infantry = setup.units[0];
    let state = setup.state(game.rules).expect("a position");
    let red = observed(&game, &state, Seat::FIRST);
    assert_eq!(marked(&red("slot 0 stands")), "2,1");
    assert_eq!(marked(&red("slot 1 stands")), "");
    let stay = Action::go(1, infantry.place);
    assert_eq!(game.action_index(&state, Seat::FIRST, stay), Some(cell(2, 1)));
}

/// The mirrored game on every map that has mirrors.
#[test]
fn mirrors_show_the_mirrored_game() {
    let mut mirrors = 0;
    for map in maps::names() {
        let game = game(&format!("map={map}"));
        let layout = game.layout();
        for mirror in game.symmetries() {
            mirrors += 1;
            let mut rng = Rng::new(Seed::new(mirrors));
            let start = game.start(&mut rng);
            let mut states = [start.clone(), mirrored(&game, &start, &mirror.observation)];
            while let Some(seat) = states[0].actor().seat() {
                for seat in Seat::all(2) {
                    let [plain, other] = [0, 1].map(|side: usize| {
                        let mut array = vec![0.0; layout.observation_len()];
                        SeatObserver::new(&game, seat).observe(&game, &states[side], &mut array);
                        array
                    });
                    let turned = mirror.observation.iter().map(|&from| plain[from as usize]);
                    let near = turned.zip(&other).all(|(one, two)| (one - two).abs() < 1e-5);
                    assert!(near, "{map}: {}", game.write_state(&states[0]));
                }
                let action = states[1].random_action(&mut rng, &mut Vec::new());
                let index = game.action_index(&states[1], seat, action).expect("every action has a number");
                let plain = game.indexed_action(&states[0], seat, mirror.actions[index] as usize);
                let plain = plain.expect("so has its mirror");
                assert!(states[0].is_legal(plain), "{plain}");
                states[0].apply(plain);
                states[1].apply(action);
            }
            assert_eq!(states[0].outcome(), states[1].outcome());
        }
    }
    assert!(mirrors > 3, "only {mirrors} mirrors");
}

/// The position with every unit where the permutation brings its cell.
fn mirrored(game: &Tubstap, state: &State, from: &[u32]) -> State {
    let (width, mut setup) = (game.layout().width, state.setup());
    let cell = |place: Place| (usize::from(place.y) - 1) * width + usize::from(place.x) - 1;
    for unit in &mut setup.units {
        let to = from.iter().position(|&origin| origin as usize == cell(unit.place)).expect("a cell");
        unit.place = Place::new((to % width + 1) as u8, (to / width + 1) as u8);
    }
    let wall = |rows: &Vec<Vec<Terrain>>| rows[0].iter().all(|&terrain| terrain == Terrain::Wall);
    assert!(wall(&setup.rows));
    setup.state(game.rules).expect("a mirror keeps a position sound")
}
