//! The specification's worked examples of the rules: regions and pushes of board G, and what follows from them.

mod common;

use common::*;
use ranka_core::{Actor, Game, Notation, Outcome, Position, Rng, Seat, Seed};
use ranka_labyrinth::{Action, Cell, MOVABLE, Phase, Piece, STATIC, Shape, State, Treasure, cells};

/// The large regions of the untouched board.
const NORTH_WEST: [usize; 20] = [0, 1, 2, 3, 7, 9, 10, 14, 15, 16, 21, 22, 23, 28, 29, 30, 35, 36, 37, 42];
const SOUTH_EAST: [usize; 10] = [25, 26, 27, 32, 34, 39, 40, 41, 47, 48];

#[test]
fn the_box_holds_34_movable_tiles_and_24_treasures() {
    let count = |wanted: &dyn Fn(Piece) -> bool| MOVABLE.iter().filter(|&&piece| wanted(piece)).count();
    let shaped = |shape, treasure: bool| {
        count(&|piece| piece.shape() == shape && piece.treasure().is_some() == treasure)
    };
    assert_eq!(
        [shaped(Shape::I, false), shaped(Shape::L, false), shaped(Shape::L, true), shaped(Shape::T, true)],
        [12, 10, 6, 6]
    );
    assert_eq!((shaped(Shape::I, true), shaped(Shape::T, false)), (0, 0));
    let statics: Vec<String> = STATIC.iter().map(ToString::to_string).collect();
    assert_eq!(
        statics.join(" "),
        "L1 T1:KnightHelmet T1:Candles L2 T0:Dagger T0:Diamond T1:Treasure T2:Ring \
         T0:HolyGrail T3:Keys T2:Crown T2:Potion L0 T3:Coins T3:Book L3"
    );
    let on_tiles = STATIC.map(|tile| tile.piece()).into_iter().chain(MOVABLE);
    let mut treasures: Vec<Treasure> = on_tiles.filter_map(Piece::treasure).collect();
    treasures.sort();
    assert!(treasures.into_iter().eq(Treasure::all()));
}

#[test]
fn regions_of_board_g() {
    let paths = board_g().paths();
    let region = |x, y| numbers(paths.region(Cell::at(x, y)));
    for (x, y) in [(0, 0), (0, 6), (2, 4)] {
        assert_eq!(region(x, y), NORTH_WEST);
    }
    assert_eq!(region(6, 0), [4, 5, 6, 11, 12, 13]);
    assert_eq!(region(6, 6), SOUTH_EAST);
    assert_eq!(region(3, 3), [24]);

    let mut sizes = Vec::new();
    let mut left: u64 = (1 << 49) - 1;
    while let Some(first) = cells(left).next() {
        let region = paths.region(first);
        left &= !region;
        sizes.push(region.count_ones());
    }
    sizes.sort();
    assert_eq!(sizes, [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 6, 10, 20]);
}

#[test]
fn pushes_on_board_g() {
    let check = |(x, y): (usize, usize),
                 rotation,
                 before: &str,
                 after: &str,
                 extra: &str,
                 line: &str,
                 regions: [&[usize]; 2]| {
        let mut state = position_g(before, "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
        let push = push(x, y, rotation);
        state.apply(Action::Push(push));
        let board = state.board();
        let pawns = SEATS.map(|seat| state.pawn(seat).to_string()).join(";");
        let lying: Vec<String> = cells(push.entry.cells()).map(|cell| board.tile(cell).to_string()).collect();
        let reached = SEATS.map(|seat| numbers(board.paths().region(state.pawn(seat))));
        let told = (pawns.as_str(), board.extra().to_string(), lying.join(" "));
        assert_eq!(told, (after, extra.to_owned(), line.to_owned()));
        assert_eq!(reached, regions);
    };
    check(
        (1, 0),
        0,
        "0,0;6,6",
        "0,0;6,6",
        "L1",
        "L0:Lizard I1 L2:Bomb T1:Cannon L1 L2:Bug I1",
        [&[0, 7, 14, 15, 21, 28, 35, 36, 42, 43, 44], &SOUTH_EAST],
    );
    check(
        (6, 3),
        1,
        "0,3;6,6",
        "6,3;6,6",
        "I0",
        "L1 T2:Ghost I1 L1:Mouse I1 L2 L1:Lizard",
        [&[27, 34, 41, 47, 48]; 2],
    );
    check((3, 6), 2, "3,0;3,0", "3,6;3,6", "L2", "L3 L0 I1 I0 I1 I0 L2:Lizard", [&[43, 44, 45]; 2]);
    check(
        (0, 5),
        3,
        "6,5;3,5",
        "0,5;4,5",
        "I0",
        "L3:Lizard T0:Dinosaur I1 L3:Cat I1 L0 T1:Bat",
        [&[0, 1, 2, 3, 7, 9, 10, 14, 15, 16, 21, 22, 23, 28, 29, 30, 31, 35, 36, 37, 38], &[39]],
    );
    check(
        (5, 0),
        1,
        "5,6;5,2",
        "5,0;5,3",
        "L1",
        "L1:Lizard T3:Mermaid I1 L0:Owl I1 L3 T1:Bat",
        [&[4, 5, 6, 11, 12, 13], &[26, 27, 33, 34, 41, 46, 47, 48]],
    );
}

#[test]
fn a_push_may_be_repeated_but_not_reversed() {
    let mut state = position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
    let mut pushes = Vec::new();
    state.actions(&mut pushes);
    assert_eq!(pushes.len(), 48);
    state.apply(Action::Push(push(1, 0, 0)));
    state.apply(Action::Move(Cell::at(0, 0)));
    assert!(!state.is_legal(Action::Push(push(1, 6, 0))));
    assert!(state.is_legal(Action::Push(push(1, 0, 0))));
    pushes.clear();
    state.actions(&mut pushes);
    assert_eq!(pushes.len(), 44);
    let why = game("").refusal(&state, Action::Push(push(1, 6, 0)));
    assert_eq!(why, "entry 8 would take back the last push, at entry 0");
}

#[test]
fn a_straight_has_two_rotations_but_may_be_spelled_with_four() {
    let mut state = position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
    state.apply(Action::Push(push(6, 3, 1)));
    state.apply(Action::Move(Cell::at(0, 0)));
    assert_eq!(state.board().extra().to_string(), "I0");
    let mut pushes = Vec::new();
    state.actions(&mut pushes);
    assert_eq!(pushes.len(), 22);
    let [upright, turned] = [0, 2].map(|rotation| {
        let mut next = state;
        assert!(next.is_legal(Action::Push(push(3, 0, rotation))));
        next.apply(Action::Push(push(3, 0, rotation)));
        next
    });
    assert_eq!(upright, turned);
}

/// Applies a line of play to board G under the given rules.
fn played(rules: &str, pawns: &str, rest: &str, actions: &[&str]) -> State {
    let text = format!("tiles={G} extra=L1:Lizard pawns={pawns} homes=0,0;6,6 {rest}");
    let mut state = game(rules).read_state(&text).expect("a position");
    for text in actions {
        assert!(state.is_legal(action(text)), "{text}: {}", game(rules).refusal(&state, action(text)));
        state.apply(action(text));
    }
    state
}

#[test]
fn a_treasure_is_collected_at_the_end_of_ones_own_turn_only() {
    let rest = "cards=Ghost+Mouse;Book found=-;- last=- mover=0 phase=push";
    let state = played("", "0,0;6,6", rest, &["p1r0", "m2,3"]);
    assert_eq!(state.cards().found(Seat::FIRST).len(), 1);
    assert_eq!(state.cards().pile(Seat::FIRST).len(), 1);

    // Seat 1 stands on the Ghost and wants it: seat 0's turn gives it nothing, its own gives it though it only
    // stays, or is carried along.
    let rest = "cards=Mouse;Ghost+Book found=-;- last=- mover=0 phase=push";
    let state = played("", "0,0;2,3", rest, &["p4r0", "m0,0"]);
    assert_eq!(state.pawn(Seat::SECOND), Cell::at(1, 3));
    assert_eq!(state.cards().found(Seat::SECOND).len(), 0);
    let state = played("", "0,0;2,3", rest, &["p4r0", "m0,0", "p0r0", "m1,4"]);
    assert_eq!(state.cards().found(Seat::SECOND).len(), 1);
    let state = played("", "0,0;2,3", rest, &["p4r0", "m0,0", "p3r0", "m1,3"]);
    assert_eq!(state.cards().found(Seat::SECOND).len(), 1);
}

#[test]
fn whoever_has_found_all_wins_at_home() {
    let rest = "cards=-;Book found=Mouse;- last=- mover=0 phase=push";
    let state = played("", "0,1;6,6", rest, &["p4r0", "m0,0"]);
    assert_eq!((state.actor(), state.phase()), (Actor::Over, Phase::Over));
    assert_eq!(state.outcome(), Outcome::win(Seat::FIRST, 2));
    // The other one's home does not count, and neither does an unfinished pile.
    let rest = "cards=Owl;- found=Mouse;- last=- mover=0 phase=push";
    let state = played("", "0,1;6,5", rest, &["p4r0", "m0,0", "p4r0", "m6,5"]);
    assert_eq!(state.actor(), Actor::Seat(Seat::FIRST));

    let rest = "cards=Mouse;Book found=-;- last=- mover=0 phase=push";
    let homeward = played("", "0,0;6,6", rest, &["p1r0", "m4,3"]);
    assert_eq!(homeward.actor(), Actor::Seat(Seat::SECOND));
    let at_once = played("return-home=off", "0,0;6,6", rest, &["p1r0", "m4,3"]);
    assert_eq!(at_once.outcome(), Outcome::win(Seat::FIRST, 2));
}

#[test]
fn the_cap_is_a_draw() {
    let rest = "cards=Mouse;Book found=-;- last=- mover=0 phase=push ply=6";
    let state = played("ply-cap=8", "0,0;6,6", rest, &["p4r0", "m0,0"]);
    assert_eq!(state.actor(), Actor::Over);
    assert_eq!(state.outcome(), Outcome::draw(2));
    // A win on the last action is a win, and where nobody counts there is no cap.
    let rest = "cards=-;Book found=Mouse;- last=- mover=0 phase=push ply=6";
    let state = played("ply-cap=8", "0,1;6,6", rest, &["p4r0", "m0,0"]);
    assert_eq!(state.outcome(), Outcome::win(Seat::FIRST, 2));
    let rest = "cards=Mouse;Book found=-;- last=- mover=0 phase=push";
    assert!(!played("ply-cap=2", "0,0;6,6", rest, &["p4r0", "m0,0"]).actor().is_over());
}

#[test]
fn seats_homes_cards_and_the_first_player_follow_the_options() {
    let start = |rules: &str| game(rules).start(&mut Rng::new(Seed::new(7)));
    let homes = |state: &State| {
        let homes = Seat::all(state.seats()).map(|seat| state.home(seat).to_string());
        homes.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(homes(&start("")), "0,0 6,6");
    assert_eq!(homes(&start("players=3")), "0,0 6,0 6,6");
    assert_eq!(homes(&start("players=4")), "0,0 6,0 6,6 0,6");
    assert_eq!(homes(&start("homes=20")), "6,6 0,0");
    assert_eq!(start("homes=20").pawn(Seat::FIRST), Cell::at(6, 6));
    for (rules, cards) in [("", 12), ("players=3", 8), ("players=4", 6), ("players=4,cards-per-player=5", 5)]
    {
        let state = start(rules);
        let mut dealt = Vec::new();
        for seat in Seat::all(state.seats()) {
            assert_eq!(state.cards().pile(seat).len(), cards);
            dealt.extend_from_slice(state.cards().pile(seat));
        }
        dealt.sort();
        dealt.dedup();
        assert_eq!(dealt.len(), cards * state.seats());
    }
    assert_eq!(start("first=1").mover(), Seat::SECOND);
    let mut firsts = [0; 3];
    for seed in 0..300 {
        firsts[game("players=3,first=random").start(&mut Rng::new(Seed::new(seed))).mover().index()] += 1;
    }
    assert!(firsts.iter().all(|&n| n > 70), "{firsts:?}");

    let refused = |rules: &str| {
        let params = ranka_core::Params::parse(rules, ranka_labyrinth::Labyrinth::options()).unwrap();
        ranka_labyrinth::Labyrinth::new(&params).unwrap_err().to_string()
    };
    assert!(refused("players=4,cards-per-player=7").contains("only 24 cards"));
    assert!(refused("first=2").contains("no such seat"));
    for homes in ["00", "0", "012", "04", "x1", "0é"] {
        assert!(refused(&format!("homes={homes}")).contains("expected auto or 2 different digits"));
    }
}
