//! The arrays: what stands in them, on positions worked out by hand, and the same game from another corner.

mod common;

use common::{G, game};
use ranka_battery::{Battery, actions_have_numbers, encodings_agree, encodings_do_not_leak};
use ranka_core::{Encoding, Game, Notation, Position, Rng, Seat, SeatObserver, Seed};
use ranka_labyrinth::{
    Action, CELLS, Cell, Entry, Labyrinth, Phase, Piece, SIDE, STATIC, State, Tile, Treasure,
};

const RULES: [&str; 5] = [
    "",
    "players=3,homes=203",
    "players=4,return-home=off",
    "players=2,cards-per-player=3,homes=13",
    "players=3,open-hands=on",
];

#[test]
fn encodings_stand_the_battery() {
    for rules in RULES {
        encodings_agree(&Battery::<Labyrinth>::of(rules).games(4));
    }
}

#[test]
fn encodings_tell_nothing_hidden() {
    let rules = RULES.iter().map(|rules| Battery::<Labyrinth>::of(rules).games(24).seed(4));
    let compared: u64 = rules.map(|battery| encodings_do_not_leak(&battery)).sum();
    assert!(compared > 100_000, "only {compared} observations were compared");
}

#[test]
fn no_action_of_a_million_positions_falls_outside() {
    for rules in RULES {
        actions_have_numbers(&Battery::<Labyrinth>::of(rules).seed(1), 1_000_000);
    }
}

/// What an observer observes, by plane.
fn observed(
    game: &Labyrinth,
    observer: &SeatObserver<Labyrinth>,
    state: &State,
) -> impl Fn(&str) -> Vec<f32> + use<> {
    let layout = game.layout();
    let mut array = vec![0.0; layout.observation_len()];
    observer.observe(game, state, &mut array);
    move |plane| {
        let index = layout.plane(plane).unwrap_or_else(|| panic!("there is no plane {plane:?}"));
        array[index * CELLS..][..CELLS].to_vec()
    }
}

/// The cells that are not zero, as `x,y`, with what they hold where that is not one.
fn marked(plane: &[f32]) -> String {
    let cells = plane.iter().enumerate().filter(|&(_, &value)| value != 0.0);
    let text = |(i, &value): (usize, &f32)| match value {
        1.0 => Cell::new(i).to_string(),
        _ => format!("{}={value:.3}", Cell::new(i)),
    };
    cells.map(text).collect::<Vec<_>>().join(" ")
}

/// Whether a plane has the same number everywhere.
fn filled(plane: &[f32]) -> Option<f32> {
    plane.iter().all(|value| *value == plane[0]).then(|| plane[0])
}

fn position(rest: &str) -> State {
    let text = format!("tiles={G} extra=L1:Lizard {rest}");
    game("").read_state(&text).expect(&text)
}

const CARDS: &str = "cards=Mouse+Cat+Keys;Book+Owl found=-;Ring last=5 mover=0 phase=push ply=40";

#[test]
fn each_sees_the_own_home_at_the_top_left() {
    let game = game("");
    let state = position(&format!("pawns=2,4;6,5 homes=0,0;6,6 {CARDS}"));
    let first = observed(&game, &SeatObserver::new(&game, Seat::FIRST), &state);
    assert_eq!(marked(&first("own pawn")), "2,4");
    assert_eq!(marked(&first("own home")), "0,0");
    assert_eq!(marked(&first("other 1's pawn")), "6,5");
    assert_eq!(marked(&first("own target")), "4,3");
    assert_eq!(marked(&first("forbidden entry")), "0,5");
    assert_eq!(filled(&first("extra tile corner")), Some(1.0));
    assert_eq!(filled(&first("extra tile straight")), Some(0.0));
    assert_eq!(filled(&first("own cards left")), Some(0.25));
    assert_eq!(filled(&first("own turn")), Some(1.0));
    assert_eq!(filled(&first("other 1's turn")), Some(0.0));
    assert_eq!(filled(&first("ply")), Some(0.1));
    // L2 is open down and left.
    assert_eq!(
        ["up", "right", "down", "left"].map(|side| first(&format!("open {side}"))[6]),
        [0.0, 0.0, 1.0, 1.0]
    );
    let second = observed(&game, &SeatObserver::new(&game, Seat::SECOND), &state);
    assert_eq!(marked(&second("own pawn")), "0,1");
    assert_eq!(marked(&second("own home")), "0,0");
    assert_eq!(marked(&second("other 1's pawn")), "4,2");
    assert_eq!(marked(&second("other 1's home")), "6,6");
    assert_eq!(marked(&second("own target")), "2,0");
    assert_eq!(marked(&second("forbidden entry")), "6,1");
    assert_eq!(filled(&second("own turn")), Some(0.0));
    assert_eq!(
        ["up", "right", "down", "left"].map(|side| second(&format!("open {side}"))[42]),
        [1.0, 1.0, 0.0, 0.0]
    );
}

#[test]
fn goals_are_shown_as_far_as_they_are_known() {
    let game = game("");
    let state = position(&format!("pawns=2,4;6,5 homes=0,0;6,6 {CARDS}"));
    let first = observed(&game, &SeatObserver::new(&game, Seat::FIRST), &state);
    // All treasures but the own card (4,3) and what was found (6,2).
    let may = first("other 1 may be after");
    assert_eq!(may.iter().sum::<f32>(), 21.0);
    assert_eq!([may[3 * SIDE + 4], may[2 * SIDE + 6], may[2 * SIDE + 5]], [0.0, 0.0, 1.0]);
    assert_eq!(filled(&first("other 1 may be after on the extra tile")), Some(1.0));
    assert_eq!(first("may be own next"), may);
    assert_eq!(filled(&first("own way home")), Some(0.0));
    // With open hands there is one goal.
    let open = common::game("open-hands=on");
    let seen = observed(&open, &SeatObserver::new(&open, Seat::FIRST), &state);
    assert_eq!(marked(&seen("other 1 may be after")), "4,6");
    assert_eq!(marked(&seen("may be own next")), "2,5");
    // Who has found everything goes home.
    let homeward =
        position("pawns=2,4;6,5 homes=0,0;6,6 cards=-;- found=Mouse;Book last=5 mover=0 phase=push");
    let seen = observed(&game, &SeatObserver::new(&game, Seat::SECOND), &homeward);
    assert_eq!(marked(&seen("own target")), "0,0");
    assert_eq!(marked(&seen("other 1 may be after")), "6,6");
    assert_eq!(filled(&seen("own way home")), Some(1.0));
    // A target beside the board.
    let beside =
        position("pawns=2,4;6,5 homes=0,0;6,6 cards=Lizard;Book found=-;- last=5 mover=0 phase=push");
    let seen = observed(&game, &SeatObserver::new(&game, Seat::FIRST), &beside);
    assert_eq!(marked(&seen("own target")), "");
    assert_eq!(filled(&seen("own target on the extra tile")), Some(1.0));
}

/// What the planes of pushes say is what comes of these pushes.
#[test]
fn pushes_are_foreseen() {
    let game = game("players=3,homes=203");
    let mut rng = Rng::new(Seed::new(2));
    let (mut foreseen, mut joined) = (0, 0);
    for _ in 0..4 {
        let mut state = game.start(&mut rng);
        while let Some(seat) = state.actor().seat() {
            let view = game.view(&state, seat);
            let seen = observed(&game, &SeatObserver::new(&game, seat), &state);
            let mut actions = Vec::new();
            state.actions(&mut actions);
            let mut nearness = vec![0.0; 4 * CELLS];
            let mut joins = vec![0.0; CELLS];
            for &action in &actions {
                let index = game.action_index(&view, seat, action).expect("a number");
                let mut after = state;
                after.apply(action);
                if index >= CELLS {
                    // Whether the pawn could walk to its target then.
                    let reaches = after.target(seat).is_some_and(|aim| after.is_legal(Action::Move(aim)));
                    nearness[index - CELLS] = f32::from(u8::from(reaches));
                }
            }
            if matches!(state.phase(), Phase::Push) {
                for rotation in 0..4 {
                    let plane = seen(&format!("nearness to the target after a push turned {rotation}"));
                    let certain: Vec<f32> =
                        plane.iter().map(|&near| f32::from(u8::from(near == 1.0))).collect();
                    assert_eq!(
                        certain,
                        nearness[rotation * CELLS..][..CELLS],
                        "{}",
                        game.write_state(&state)
                    );
                    foreseen += certain.iter().filter(|&&one| one == 1.0).count();
                }
            } else {
                let pushes: Vec<_> = Entry::all()
                    .flat_map(|entry| (0..state.board().extra().shape().rotations()).map(move |r| (entry, r)))
                    .collect();
                for &(entry, rotation) in &pushes {
                    let mut board = *state.board();
                    board.push(entry, rotation);
                    let aim = match state.cards().current(seat).and_then(|card| card.treasure()) {
                        Some(treasure) => board.find(treasure),
                        None => Some(state.home(seat)),
                    };
                    for cell in Cell::all() {
                        let region = board.paths().region(entry.carried_pawn(cell));
                        if aim.is_some_and(|aim| region & aim.bit() != 0) {
                            let index = game.action_index(&view, seat, Action::Move(cell));
                            joins[index.expect("a number")] += 1.0 / pushes.len() as f32;
                            joined += 1;
                        }
                    }
                }
                let plane = seen("pushes that join to the target");
                let near = plane.iter().zip(&joins).all(|(one, two)| (one - two).abs() < 1e-5);
                assert!(near, "{plane:?} {joins:?} {}", game.write_state(&state));
            }
            state.apply(state.random_action(&mut rng, &mut Vec::new()));
        }
    }
    assert!(foreseen > 1000 && joined > 10_000, "{foreseen} {joined}");
}

/// Seat 0 pushes and walks; what seat 1 makes of it.
#[test]
fn walks_tell_of_cards() {
    let game = game("");
    let mut state =
        position("pawns=0,0;6,6 homes=0,0;6,6 cards=Book+Cat;Mouse+Keys found=-;- last=- mover=0 phase=push");
    let mut observer = SeatObserver::new(&game, Seat::SECOND);
    let act = |state: &mut State, observer: &mut SeatObserver<Labyrinth>, text: &str| {
        let (before, action) = (*state, game.read_action(text).expect(text));
        assert!(state.is_legal(action), "{text}");
        state.apply(action);
        observer.follow(&game, &before, action, state);
    };
    act(&mut state, &mut observer, "p1r0");
    // (0,0) opens right and down; as far as the corridors lead.
    let reach = state.reach();
    let treasures = |state: &State| -> Vec<Cell> {
        Treasure::all().filter_map(|t| state.board().find(t)).filter(|cell| reach & cell.bit() != 0).collect()
    };
    let there = treasures(&state);
    assert!(there.len() >= 2, "{there:?} are in reach");
    let (stop, left) = (there[0], there[1]);
    act(&mut state, &mut observer, &format!("m{stop}"));
    let seen = observed(&game, &observer, &state);
    let turned = |cell: Cell| CELLS - 1 - cell.index();
    assert_eq!(seen("other 1 may be after")[turned(stop)], 0.0, "where it stood is not its card");
    assert_eq!(seen("other 1 may be after")[turned(left)], 1.0);
    assert_eq!(seen("other 1 left lying")[turned(left)], 0.25);
    let nearer = |to: Cell| {
        let steps = |from: Cell| (from.x().abs_diff(to.x()) + from.y().abs_diff(to.y())) as f32;
        (steps(Cell::at(0, 0)) - steps(stop)) / 12.0
    };
    let far = Treasure::all().filter_map(|t| state.board().find(t)).filter(|&cell| cell != stop);
    for cell in far.filter(|&cell| seen("other 1 may be after")[turned(cell)] == 1.0) {
        assert_eq!(seen("other 1 was drawn to")[turned(cell)], nearer(cell), "{cell}");
    }
}

/// The board a quarter turn clockwise later. Fixed treasures change their names as they change places.
fn turned(game: &Labyrinth, state: &State) -> State {
    let onto = |cell: Cell| Cell::at(SIDE - 1 - cell.y(), cell.x());
    let fixed: Vec<Cell> = Cell::all().filter(|cell| cell.is_static()).collect();
    let named = |treasure: Treasure| match STATIC.iter().position(|tile| tile.treasure() == Some(treasure)) {
        None => treasure,
        Some(i) => {
            let there = fixed.iter().position(|&cell| cell == onto(fixed[i])).expect("fixed tiles stay such");
            STATIC[there].treasure().expect("and treasures, too")
        }
    };
    let tile = |tile: Tile| {
        let piece = tile.treasure().map_or(tile.piece(), |treasure| Piece::with(named(treasure)));
        Tile::new(piece, tile.rotation() + 1)
    };
    let mut rows = vec![vec![String::new(); SIDE]; SIDE];
    for cell in Cell::all() {
        rows[onto(cell).y()][onto(cell).x()] = tile(state.board().tile(cell)).to_string();
    }
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    let text = game.write_state(state);
    let fields = text.split(' ').map(|field| {
        let (key, value) = field.split_once('=').expect("key=value");
        let cells = |text: &str| -> String {
            let (x, y) = text.split_once(',').expect("x,y");
            onto(Cell::at(x.parse().expect("x"), y.parse().expect("y"))).to_string()
        };
        let cards = |text: &str| -> String {
            let renamed = |name: &str| Treasure::named(name).map_or("-", |treasure| named(treasure).name());
            text.split('+').map(renamed).collect::<Vec<_>>().join("+")
        };
        let each =
            |change: &dyn Fn(&str) -> String| value.split(';').map(change).collect::<Vec<_>>().join(";");
        let value = match key {
            "tiles" => rows.join("/"),
            "extra" => tile(state.board().extra()).to_string(),
            "pawns" | "homes" => each(&cells),
            "cards" | "found" => each(&cards),
            "last" if value != "-" => ((value.parse::<usize>().expect("an entry") + 3) % 12).to_string(),
            _ => value.to_owned(),
        };
        format!("{key}={value}")
    });
    let text = fields.collect::<Vec<_>>().join(" ");
    game.read_state(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// From every corner the same game looks the same: so turning the board towards the own home loses nothing.
#[test]
fn a_turned_board_is_seen_the_same() {
    let mut rng = Rng::new(Seed::new(7));
    for rules in ["", "players=3", "players=4,open-hands=on"] {
        let game = game(rules);
        for quarters in 1..4 {
            let start = game.start(&mut rng);
            let mut states = [start, (0..quarters).fold(start, |state, _| turned(&game, &state))];
            let mut observers = [0, 1].map(|_| {
                Seat::all(game.seats()).map(|seat| SeatObserver::new(&game, seat)).collect::<Vec<_>>()
            });
            while let Some(seat) = states[0].actor().seat() {
                for seat in Seat::all(game.seats()) {
                    let [one, two] = [0, 1].map(|side| {
                        let mut array = vec![0.0; game.layout().observation_len()];
                        observers[side][seat.index()].observe(&game, &states[side], &mut array);
                        array
                    });
                    // Shares are summed up in another order.
                    let near = one.iter().zip(&two).all(|(one, two)| (one - two).abs() < 1e-5);
                    assert!(near, "{seat:?}: {}", game.write_state(&states[0]));
                }
                let action = states[0].random_action(&mut rng, &mut Vec::new());
                let views = states.map(|state| game.view(&state, seat));
                let index = game.action_index(&views[0], seat, action).expect("every action has a number");
                let other = game.indexed_action(&views[1], seat, index).expect("there, too");
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
}
