//! The positions, counts and games of the specification.
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod common;

use common::{A, GAME, legal, position, tiles};
use ranka_core::{Actor, Game, Notation, Position, Rng, Seat, Seed, perft};
use ranka_tantrix::{
    Board, Colour, Ends, Hex, Ordered, Phase, Reading, Several, State, Tantrix, Tile, TileSet, count_spaces,
};
use std::collections::HashMap;

fn hexes(text: &str) -> Vec<Hex> {
    let mut all: Vec<Hex> = text
        .split_whitespace()
        .map(|pair| {
            let (q, r) = pair.split_once(',').unwrap();
            Hex::new(q.parse().unwrap(), r.parse().unwrap())
        })
        .collect();
    all.sort();
    all
}

/// Forced fills, and all placements whatever the phase.
fn counts(state: &State) -> (usize, usize) {
    let board = state.board();
    let legal_at = |cells: Vec<Hex>| -> usize {
        cells
            .into_iter()
            .filter(|&cell| board.forced(false).contains(&cell) || !board.is_controlled(cell))
            .map(|cell| placements_at(board, cell, state.held(state.mover())))
            .sum()
    };
    (legal_at(board.forced(false)), legal_at(board.frontier()))
}

/// How many turned tiles of a hand match the colours around a cell and, as long as it holds, keep rule A: no empty space
/// sees a colour for the third time.
fn placements_at(board: &Board, cell: Hex, hand: TileSet) -> usize {
    let around = board.around(cell);
    let fits = |tile: Tile, rotation: u8| {
        (0..6).all(|side| {
            let own = tile.colour(rotation, side);
            let seen = || {
                board.around(cell.step(side)).into_iter().flatten().filter(|&colour| colour == own).count()
            };
            around[side].map_or_else(|| !board.restricted() || seen() < 2, |colour| colour == own)
        })
    };
    hand.iter().map(|tile| (0..6).filter(|&rotation| fits(tile, rotation)).count()).sum()
}

struct Case {
    board: &'static str,
    forced: &'static str,
    controlled: &'static str,
    /// Hand; forced and free with restrictions; the same without.
    hands: &'static [(&'static str, (usize, usize), (usize, usize))],
    /// Scores of B, G, R, Y, where the specification gives them all.
    scores: Option<[i32; 4]>,
}

const D: &str = "44@0,0/0 14@-1,1/3 30@0,-1/3 8@-1,0/0 1@-2,0/4 9@-3,0/1 35@-1,2/0 53@0,1/1 52@-2,1/3 43@-4,0/4 \
                 32@-2,2/1 20@1,-2/4 18@1,-1/2";
const G: &str = "11@0,0/0 14@1,0/5 46@0,-1/3 51@1,-1/3 50@1,1/3 28@0,1/2 19@-1,-1/0 36@-1,0/2 8@2,-2/2 17@2,-1/2 \
                 24@-1,1/3 33@2,0/5 29@1,-2/4 49@0,-2/0 20@-2,1/1 39@-2,0/3 9@-3,1/2 15@3,-1/0 56@3,-2/2 48@-4,1/4 \
                 32@-3,0/1 54@4,-1/1 55@3,0/5 40@-2,-1/3 45@-1,-2/2";
const F: &str = "44@0,0/0 7@1,-1/3 11@0,1/3 47@1,-2/5 56@0,-1/1 22@0,2/4 45@2,-3/3 32@1,0/4 31@1,1/0 21@3,-4/1 \
                 1@0,3/0 51@0,4/1";
const H: &str = "17@0,0/0 19@0,1/3 53@-1,1/4 32@0,-1/1 54@-1,0/3 29@1,-2/2 28@1,-1/0 6@0,-2/1 27@-1,-1/0 9@0,-3/1 \
                 24@1,0/0 25@-1,-2/3 7@-1,-3/5 45@-2,2/0 43@-1,2/3 15@2,0/4 50@-3,3/0 48@-2,3/3 8@3,0/5 42@2,-1/4 \
                 39@1,1/1 44@0,2/1 10@-1,3/0 33@3,-1/3 1@2,1/2 3@1,2/4 21@2,-2/3 52@3,-2/5 30@1,-3/3 26@-2,1/1 \
                 31@-2,0/0 14@-1,-4/2 35@-2,-1/4 13@0,3/1 5@0,-4/0";
const I: &str = "50@0,0/0 36@-1,1/1 9@-2,1/3 51@-1,0/2 47@-1,-1/3 26@0,-1/5 43@-2,0/0 21@-3,0/1 52@-2,-1/3 \
                 34@-3,1/0 1@-1,-2/0 5@-4,2/5 42@-3,2/2 11@-2,2/0 15@-1,-3/4 56@-2,-2/5 38@-3,-1/2 12@-5,3/2 \
                 8@0,-2/2 45@0,-3/5 46@-4,3/3 24@-3,3/3 30@-1,-4/4 49@-2,-3/2 32@1,0/1 13@0,1/3 55@-3,-2/5 31@-1,2/5 \
                 41@-2,3/3 33@-4,1/4 28@-4,0/4 39@-4,-1/2 19@-5,2/2 44@-5,1/4 54@1,-1/1 10@1,-2/0 22@0,-4/1 \
                 25@-1,-5/2 17@0,-5/3 2@-5,0/1 53@1,-3/3 37@-2,-4/0 18@-2,-5/5 48@1,-4/3 7@1,-5/0 16@-6,4/3 \
                 14@-5,4/2 35@-6,3/0 23@-6,2/1 4@-6,1/4 3@-6,5/4 20@-2,4/1 40@-7,6/5 6@-7,5/3 27@-3,5/5 29@-8,7/0";

const CASES: [Case; 7] = [
    Case {
        board: A,
        forced: "0,1",
        controlled: "-1,2 1,1 2,1 3,1",
        hands: &[("1,8,20,33,41,56", (1, 49), (1, 73)), ("3,14,23,26,47,55", (0, 56), (0, 83))],
        scores: Some([2, 2, 3, 1]),
    },
    Case {
        board: "1@0,0/2 2@1,0/0 3@0,1/0",
        forced: "",
        controlled: "",
        hands: &[("4,5,6,7,8,9", (0, 55), (0, 78))],
        scores: Some([1, 0, 1, 6]),
    },
    Case {
        board: "44@0,0/0 14@-1,1/3",
        forced: "",
        controlled: "",
        hands: &[("50,29,10,30,37,8", (0, 53), (0, 59)), ("20,32,1,38,27,35", (0, 56), (0, 59))],
        scores: None,
    },
    Case {
        board: D,
        forced: "-3,1 -1,-1 1,0",
        controlled: "-5,1 -4,-1 -4,1 -3,-1 -3,2 -3,3 -2,-1 0,-2 1,-3 1,1 2,-1",
        hands: &[("50,29,10,37,22,47", (1, 38), (1, 99))],
        scores: Some([7, 3, 5, 5]),
    },
    Case {
        board: F,
        forced: "1,2 2,-2",
        controlled: "1,3 1,4 2,-1 2,0 2,1 3,-3 4,-4",
        hands: &[("14,12,50,49,10,16", (1, 49), (1, 88)), ("55,2,9,6,25,36", (0, 44), (0, 76))],
        scores: Some([6, 3, 4, 4]),
    },
    Case {
        board: G,
        forced: "2,1 4,-2",
        controlled: "1,2 3,1 4,-3 5,-2",
        hands: &[("21,52,12,7,1,2", (0, 54), (0, 89)), ("53,30,27,26,34,6", (1, 70), (1, 111))],
        scores: Some([10, 5, 10, 14]),
    },
    Case {
        board: H,
        forced: "-3,2 -2,-2 1,-4 2,-3",
        controlled: "-4,3 -3,-1 -3,0 -3,1 -2,-4 -2,-3 1,-5 2,-4 3,-3 4,-3",
        hands: &[("46,23,22,47,20,36", (2, 57), (2, 123)), ("11,55,12,38,40,49", (3, 59), (3, 117))],
        scores: Some([9, 15, 24, 12]),
    },
];

#[test]
fn positions_are_read_as_published() {
    for (number, case) in CASES.iter().enumerate() {
        for &(hand, restricted, lifted) in case.hands {
            let state = position(case.board, hand, true);
            assert_eq!(state.board().forced(false), hexes(case.forced), "position {number}");
            assert_eq!(state.board().controlled(), hexes(case.controlled), "position {number}");
            assert_eq!(counts(&state), restricted, "position {number}, hand {hand}");
            let asked = if state.phase() == Phase::Forced { restricted.0 } else { restricted.1 };
            assert_eq!(legal(&state).len(), asked, "position {number}, hand {hand}");
            if let Some(scores) = case.scores {
                assert_eq!(
                    Colour::ALL.map(|colour| state.board().score(colour)),
                    scores,
                    "position {number}"
                );
            }
            let endgame = position(case.board, hand, false);
            assert_eq!(counts(&endgame), lifted, "position {number}, hand {hand}, endgame");
            assert!(endgame.board().controlled().is_empty());
        }
    }
}

#[test]
fn a_straight_side_and_what_fits_its_head() {
    let state = position(A, "1,8,20,33,41,56", true);
    assert_eq!(legal(&state), ["1@0,1/3"]);
    let head = Hex::new(0, 1);
    assert_eq!(
        state.board().fitting(head, TileSet::ALL.minus(tiles("4,17,28,36,2")), false),
        tiles("1,6,9,12")
    );
    let around = state.board().around(head);
    assert_eq!(around, [None, None, Some(Colour::Yellow), Some(Colour::Blue), Some(Colour::Red), None]);
}

#[test]
fn rule_a_alone_forbids_what_the_specification_lists() {
    let board = "44@0,0/0 14@-1,1/3";
    for (hand, forbidden) in [
        ("50,29,10,30,37,8", "8@-2,1/1 29@0,-1/5 30@-2,1/1 37@-2,1/1 37@0,-1/4 50@0,-1/5"),
        ("20,32,1,38,27,35", "27@0,-1/3 27@0,-1/5 38@-2,1/1"),
    ] {
        let before = legal(&position(board, hand, true));
        let mut lifted = legal(&position(board, hand, false));
        lifted.retain(|action| !before.contains(action));
        assert_eq!(lifted.join(" "), forbidden);
    }
}

#[test]
fn a_pair_block_is_no_forced_move() {
    let hand = "38,27,42,46,11,15";
    assert_eq!(legal(&position(D, hand, true)), ["46@1,0/0"]);
    assert_eq!(counts(&position(D, hand, true)), (1, 38));
    assert_eq!(legal(&position(D, hand, false)), ["15@-3,1/0", "46@1,0/0"]);
    assert_eq!(legal(&position(D, "50,29,10,37,22,47", true)), ["47@1,0/1"]);
    let objection = GAME.refusal(&position(D, hand, true), GAME.read_action("15@-3,1/0").unwrap());
    assert!(objection.contains("rule A"), "{objection}");
}

/// Lengths of all lines, longest first, loops marked.
fn lines(state: &State, colour: Colour) -> String {
    let mut lines: Vec<(usize, bool)> =
        state.board().lines(colour).map(|line| (line.length, line.ends.is_none())).collect();
    lines.sort_by_key(|&(length, looped)| (std::cmp::Reverse(length), !looped));
    let words: Vec<String> =
        lines.iter().map(|(length, looped)| format!("{length}{}", if *looped { "L" } else { "" })).collect();
    words.join(",")
}

#[test]
fn lines_are_as_published() {
    let all = |board: &str, hand: &str| Colour::ALL.map(|colour| lines(&position(board, hand, true), colour));
    assert_eq!(all(D, "38,27,42,46,11,15"), ["7,1,1", "3,2,1,1,1,1", "5,3,1", "5,3,2,1,1"]);
    assert_eq!(all(G, "21,52,12,7,1,2".replace(",1,", ",6,").as_str())[0], "10,4,1,1,1,1,1");
    let g = all(G, "21,52,12,7,1,2");
    assert_eq!(g[1..], ["5,5,3,3,2,2,1", "10,6", "14,2,2,1"]);
    let h = all(H, "46,23,22,47,20,36");
    assert!(h[0].starts_with("9,") && !h[0].contains('L'), "{h:?}");
    assert!(h[1].starts_with("15,") && h[1].contains("5L"), "{h:?}");
    assert!(h[2].starts_with("12L"), "{h:?}");
    assert!(h[3].starts_with("12,") && h[3].contains("3L"), "{h:?}");
    let placed = I.split_whitespace().collect::<Vec<_>>().join(";");
    let text = format!("board={placed} hands=-;- bag=- colours=Y,B mover=0 freed=0 phase=over");
    let end = GAME.read_state(&text).unwrap();
    assert_eq!(
        Colour::ALL.map(|colour| lines(&end, colour)),
        [
            "12,11,4L,4,4,3L,2,1,1",
            "10,7,6,4L,4,3,2,2,2,1,1",
            "10,10,10,3L,2,2,1,1,1,1,1",
            "10,8L,6,4L,4,3L,2,1,1,1,1,1"
        ]
    );
    assert_eq!(Colour::ALL.map(|colour| end.board().score(colour)), [12, 10, 10, 16]);
    assert_eq!(end.outcome().scores(), [1.0, 0.0]);
}

#[test]
fn obstructed_ends_are_as_published() {
    let ends = |board: &str, hand: &str, colour: Colour| {
        let state = position(board, hand, true);
        let mut ends: Vec<Option<u8>> = Reading::RECOMMENDED.longest(&state, colour).collect();
        ends.sort();
        ends
    };
    let one = |count: u8| vec![Some(count)];
    let a = |colour| ends(A, "1,8,20,33,41,56", colour);
    assert_eq!([Colour::Blue, Colour::Green, Colour::Red].map(a), [one(2), one(1), one(0)]);
    assert_eq!(a(Colour::Yellow), [Some(0), Some(0), Some(1)]);
    let d = |colour| ends(D, "38,27,42,46,11,15", colour);
    assert_eq!(Colour::ALL.map(d), [one(2), one(0), one(1), one(0)]);
    let f = |colour| ends(F, "14,12,50,49,10,16", colour);
    assert_eq!(f(Colour::Blue), [None], "a loop");
    for colour in [Colour::Green, Colour::Red, Colour::Yellow] {
        assert!(f(colour).contains(&Some(1)), "{colour:?}: {:?}", f(colour));
    }
    let g = |colour| ends(G, "21,52,12,7,1,2", colour);
    assert_eq!(g(Colour::Blue), [Some(1)]);
    for colour in [Colour::Green, Colour::Red, Colour::Yellow] {
        assert!(g(colour).iter().all(|&ends| ends == Some(0)), "{colour:?}: {:?}", g(colour));
    }
    let h = |colour| ends(H, "46,23,22,47,20,36", colour);
    assert_eq!([h(Colour::Green), h(Colour::Blue), h(Colour::Yellow)], [one(1), one(0), one(0)]);
    assert_eq!(h(Colour::Red), [None], "a loop");
}

#[test]
fn readings_of_obstruction_differ_where_they_should() {
    let state = position(A, "1,8,20,33,41,56", true);
    let freedom = |reading: Reading, colour| reading.freedom(&state, colour);
    let usual = Reading::RECOMMENDED;
    let colours = [Colour::Blue, Colour::Green, Colour::Red, Colour::Yellow];
    assert_eq!(colours.map(|colour| freedom(usual, colour)), [0.0, 0.0, 1.0, 1.0]);
    let both = Reading { ends: Ends::Both, ..usual };
    assert_eq!(colours.map(|colour| freedom(both, colour)), [0.0, 1.0, 1.0, 1.0]);
    let graded = Reading { ends: Ends::Graded, several: Several::Any, ..usual };
    assert_eq!(colours.map(|colour| freedom(graded, colour)), [0.0, 0.5, 1.0, 0.5]);
    // Loops and lengths: position F has a blue loop of three.
    let state = position(F, "14,12,50,49,10,16", true);
    assert_eq!(usual.freedom(&state, Colour::Blue), 1.0);
    let open = Reading { ignore_loops: true, ..usual };
    assert!(open.longest(&state, Colour::Blue).all(|ends| ends.is_some()));
    let endgame = position(A, "1,8,20,33,41,56", false);
    assert_eq!(usual.freedom(&endgame, Colour::Blue), 1.0, "nothing is obstructed in the endgame");
}

#[test]
fn forced_spaces_are_counted() {
    let state = position(A, "1,8,20,33,41,56", true);
    // All other tiles but one are out of the game: only what is in the hand or the bag counts.
    let counts: Vec<String> =
        count_spaces(&state).iter().map(|space| format!("{} {space}", space.at)).collect();
    assert_eq!(counts, ["0,1 1"]);
    let state = position(D, "38,27,42,46,11,15", true);
    let counts: Vec<String> =
        count_spaces(&state).iter().map(|space| format!("{} {space}", space.at)).collect();
    assert_eq!(counts, ["-3,1 0/1", "-1,-1 1", "1,0 1"], "tile 15 is pair-blocked");
}

#[test]
fn after_one_tile_like_colours_have_twelve_placements_and_others_eight() {
    let mut found = HashMap::new();
    for tile in Tile::all().skip(1) {
        let state = position("1@0,0/0", &tile.to_string(), true);
        *found.entry(legal(&state).len()).or_insert(0) += 1;
    }
    assert_eq!(found, HashMap::from([(12, 13), (8, 42)]));
}

/// The contest's positions: edges clockwise from north.
fn contest(board: &str, hand: &str) -> State {
    let turned = |edges: &str| {
        let colours: Vec<Colour> = edges.chars().map(|c| Colour::from_letter(c).unwrap()).collect();
        Tile::from_edges(colours.try_into().unwrap()).unwrap()
    };
    let placed: Vec<String> = board
        .split("; ")
        .map(|entry| {
            let (at, edges) = entry.split_once(' ').unwrap();
            let (tile, rotation) = turned(edges);
            format!("{tile}@{at}/{rotation}")
        })
        .collect();
    let held: Vec<String> = hand.split(' ').map(|edges| turned(edges).0.to_string()).collect();
    position(&placed.join(" "), &held.join(","), true)
}

#[test]
fn the_contest_samples() {
    let one = contest(
        "0,0 BRYRBY; 1,0 GRGBRB; -1,1 GGYBYB; 0,1 YYBBGG; -2,2 YYBGBG; -3,3 BYGYGB",
        "BBRRGG GBYBYG RBRBGG GYBGBY GRBBRG",
    );
    assert_eq!(legal(&one).len(), 46);
    assert_eq!(one.board().forced(false), hexes("-1,2"));
    assert_eq!(one.board().controlled(), hexes("-3,4 -2,3 0,2"));
    // Without rule C only cells beside a space that has its three tiles already would be closed, by rule B.
    let board = one.board();
    let crowded = |at: Hex| board.around(at).iter().flatten().count() >= 3;
    let open =
        |at: &Hex| (0..6).all(|side| !crowded(at.step(side)) || !board.frontier().contains(&at.step(side)));
    let hand = one.held(Seat::FIRST);
    let without_c: usize =
        board.frontier().into_iter().filter(open).map(|at| placements_at(board, at, hand)).sum();
    assert_eq!(without_c, 54);
    let two =
        contest("0,0 BYYGBG; -1,1 GRGBBR; 1,0 YRBRYB; 2,0 YGGRRY", "RBBRYY GBGYBY YBBRYR YBYBRR RBBRGG");
    assert_eq!(legal(&two).len(), 2);
    assert_eq!(two.board().forced(false), hexes("0,1"));
    assert_eq!(two.board().controlled(), hexes("-1,2 1,1 2,1"));
}

/// The deck whose i-th tile is (m·i) mod 57.
fn deck(m: usize) -> Ordered {
    let deck: Vec<Tile> = (1..=56).map(|i| Tile::new(m * i % 57)).collect();
    Ordered::deck(&GAME, &deck)
}

#[test]
fn perft_of_fixed_decks() {
    for (m, counts) in
        [(1, &[6, 432, 32_020, 1_121_662][..]), (5, &[6, 312, 17_388]), (10, &[6, 320, 17_750])]
    {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&deck(m), depth), count, "deck {m}, depth {depth}");
        }
    }
}

#[test]
fn deterministic_games_and_their_checksums() {
    for (m, a, expected) in [
        (1, 0, [56, 38, 18, 1058, 12, 12, 24, 13, 656_957_615]),
        (5, 0, [56, 33, 23, 1282, 15, 8, 16, 15, 988_179_653]),
        (5, 7, [56, 31, 25, 1563, 15, 10, 9, 12, 532_045_175]),
        (10, 3, [56, 35, 21, 1185, 17, 22, 9, 8, 63_336_503]),
    ] {
        let mut game = deck(m);
        let (mut forced, mut turns, mut sum, mut checksum) = (0, 0, 0, 0);
        // Plies are counted from 1 as the paper does; the first index is a·1.
        let mut ply = 0;
        let mut actions = Vec::new();
        while !game.actor().is_over() {
            ply += 1;
            actions.clear();
            game.actions(&mut actions);
            let state = game.state();
            forced += u64::from(state.phase() == Phase::Forced);
            turns += u64::from(state.phase() == Phase::Free);
            sum += actions.len() as u64;
            let action = actions[a * ply % actions.len()];
            checksum = (31 * checksum + u64::from(action.code())) % 1_000_000_007;
            game.apply(action);
        }
        let [b, g, r, y] = Colour::ALL.map(|colour| game.state().board().score(colour) as u64);
        assert_eq!([ply as u64, forced, turns, sum, b, g, r, y, checksum], expected, "deck {m}, policy {a}");
    }
}

#[test]
fn without_a_legal_free_move_the_game_is_drawn() {
    // Tile 15 fits nowhere while restrictions hold.
    let board = "32@0,0/0;16@1,-1/3;28@2,-1/1;27@1,0/5;55@1,-2/2;18@2,-2/1;23@0,-1/0;8@-1,-1/3;31@-1,0/4;43@0,-2/3;\
                 24@3,-3/0;40@2,-3/5;41@-2,1/3;42@-2,0/0;35@4,-4/1;37@5,-5/2";
    let read = |rest: &str| GAME.read_state(&format!("board={board} {rest}"));
    let stuck = read("hands=15;6 bag=2 colours=R,B mover=0 freed=0 phase=over").unwrap();
    assert!(stuck.actor().is_over());
    assert_ne!(stuck.score(Seat::FIRST), stuck.score(Seat::SECOND), "whatever the lines are worth");
    assert_eq!(stuck.outcome().scores(), [0.5, 0.5]);
    let error = read("hands=15;6 bag=2 colours=R,B mover=0 freed=0 phase=free").unwrap_err();
    assert_eq!(error.problem, "by the rules the phase is over");
    // The other player is not stuck, and in the endgame nobody is.
    assert!(read("hands=15;6 bag=2 colours=R,B mover=1 freed=0 phase=free").is_ok());
    assert!(!read("hands=15;6 bag=- colours=R,B mover=0 freed=0 phase=free").unwrap().actor().is_over());
}

#[test]
fn who_has_no_tiles_is_passed_over_in_the_endgame() {
    let text = "board=1@0,0/0 hands=2;3,4 bag=- colours=R,B mover=0 freed=0 phase=free";
    let mut state = GAME.read_state(text).unwrap();
    let mut movers = Vec::new();
    while let Actor::Seat(seat) = state.actor() {
        movers.push(seat.index());
        let first = legal(&state)[0].clone();
        state.apply(GAME.read_action(&first).unwrap());
    }
    assert_eq!(movers, [0, 1, 1]);
    assert_eq!(
        GAME.write_state(&state).split(" hands").nth(1),
        Some("=-;- bag=- colours=R,B mover=0 freed=0 phase=over")
    );
}

#[test]
fn with_exactly3_a_space_among_four_tiles_is_free() {
    let exactly = Tantrix { exactly3: true, ..GAME };
    let (mut among_three, mut among_more) = (0, 0);
    for seed in 0..100 {
        let mut rng = Rng::new(Seed::new(seed));
        let mut state = exactly.start(&mut rng);
        while !state.actor().is_over() {
            for at in state.board().forced(false) {
                let around = state.board().around(at).iter().flatten().count();
                assert_eq!(state.board().forced(true).contains(&at), around == 3);
                among_three += u32::from(around == 3);
                among_more += u32::from(around > 3);
            }
            let action = match state.actor() {
                Actor::Chance => state.draw(&mut rng),
                _ => state.random_action(&mut rng, &mut Vec::new()),
            };
            if let (Phase::Forced, Some(placement)) = (state.phase(), action.placement()) {
                assert_eq!(state.board().around(placement.at).iter().flatten().count(), 3);
            }
            state.apply(action);
        }
    }
    assert!(among_three > 1000 && among_more > 100, "{among_three}, {among_more}");
}
