//! What always holds: of the box, of pushes and of walking.

mod common;

use common::*;
use ranka_core::{Game, Rng, Seed};
use ranka_labyrinth::{Board, CELLS, Cell, Entry, MOVABLE, Piece, SIDE, Tile, cells};

fn boards() -> impl Iterator<Item = (Board, Rng)> {
    (0..40).map(|seed| {
        let mut rng = Rng::new(Seed::new(seed));
        (*game("").start(&mut rng).board(), rng)
    })
}

#[test]
fn fifty_tiles_stay_and_sixteen_never_move() {
    for (mut board, mut rng) in boards() {
        let pieces = |board: &Board| {
            let mut pieces: Vec<Piece> = board.tiles().iter().map(|tile| tile.piece()).collect();
            pieces.push(board.extra().piece());
            pieces.sort();
            pieces
        };
        let fixed = |board: &Board| {
            Cell::all().filter(|cell| cell.is_static()).map(|cell| board.tile(cell)).collect::<Vec<_>>()
        };
        let (all, statics) = (pieces(&board), fixed(&board));
        assert_eq!((all.len(), statics.len(), MOVABLE.len()), (50, 16, 34));
        for _ in 0..100 {
            board.push(Entry::new(rng.index(12)), rng.below(4) as u8);
            assert_eq!(pieces(&board), all);
            assert_eq!(fixed(&board), statics);
            assert_eq!(Board::new(*board.tiles(), board.extra()), board, "the bit boards follow the tiles");
        }
    }
}

#[test]
fn the_opposite_push_takes_a_push_back() {
    for (board, _) in boards() {
        for entry in Entry::all() {
            assert_eq!(entry.opposite().opposite(), entry);
            assert_eq!(entry.opposite().cell(), entry.far());
            let mut pushed = board;
            pushed.push(entry, 1);
            let ejected = pushed.extra();
            pushed.push(entry.opposite(), ejected.rotation());
            // Only the extra tile keeps the turn that it was given.
            assert_eq!(pushed, Board::new(*board.tiles(), Tile::new(board.extra().piece(), 1)));
            for cell in Cell::all() {
                assert_eq!(entry.opposite().carried_pawn(entry.carried_pawn(cell)), cell);
            }
        }
    }
}

#[test]
fn eight_equal_pushes_restore_the_line_and_seven_the_pawns() {
    for (board, _) in boards() {
        for entry in Entry::all() {
            let mut pushed = board;
            for _ in 0..8 {
                pushed.push(entry, pushed.extra().rotation());
            }
            assert_eq!(pushed, board);
            for cell in Cell::all() {
                let pushed = (1..=7).scan(cell, |at, _| {
                    *at = entry.carried_pawn(*at);
                    Some(*at)
                });
                let back: Vec<usize> =
                    pushed.enumerate().filter(|&(_, at)| at == cell).map(|(i, _)| i + 1).collect();
                let on_line = entry.cells() & cell.bit() != 0;
                assert_eq!(back, if on_line { vec![7] } else { (1..=7).collect::<Vec<_>>() });
            }
        }
    }
}

#[test]
fn reaching_is_mutual_and_regions_share_out_the_board() {
    for (board, _) in boards() {
        let paths = board.paths();
        let mut left: u64 = (1 << CELLS) - 1;
        let mut sum = 0;
        while let Some(first) = cells(left).next() {
            let region = paths.region(first);
            assert_eq!(region & left, region, "regions do not overlap");
            left &= !region;
            sum += region.count_ones() as usize;
        }
        assert_eq!(sum, CELLS);
        for cell in Cell::all() {
            let region = paths.region(cell);
            assert!(cells(region).all(|other| paths.region(other) == region));
            let mut walked: Vec<Cell> = paths.walk(cell).to_vec();
            assert_eq!(walked[0], cell);
            walked.sort();
            assert!(walked.into_iter().eq(cells(region)), "a walk finds the region");
        }
    }
}

/// A walk is in standard order: a plain breadth-first search over the tiles finds the cells in the same order.
#[test]
fn walks_are_in_standard_order() {
    for (board, _) in boards() {
        for from in Cell::all() {
            let mut order = vec![from];
            let mut read = 0;
            while read < order.len() {
                let at = order[read];
                read += 1;
                for (d, (dx, dy)) in [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
                    let (x, y) = (at.x() as i32 + dx, at.y() as i32 + dy);
                    if !(0..7).contains(&x) || !(0..7).contains(&y) {
                        continue;
                    }
                    let next = Cell::at(x as usize, y as usize);
                    let out = board.tile(at).openings().bits() >> d & 1;
                    let back = board.tile(next).openings().bits() >> ((d + 2) % 4) & 1;
                    if out & back == 1 && !order.contains(&next) {
                        order.push(next);
                    }
                }
            }
            assert_eq!(board.paths().walk(from)[..], order[..]);
        }
    }
}

/// A quarter turn of everything: the cell at (x, y) goes to (6 - y, x).
#[test]
fn a_quarter_turn_of_the_board_changes_nothing() {
    let turn = |cell: Cell| Cell::at(SIDE - 1 - cell.y(), cell.x());
    let turn_tile = |tile: Tile| Tile::new(tile.piece(), tile.rotation() + 1);
    let turn_board = |board: &Board| {
        let mut tiles = *board.tiles();
        for cell in Cell::all() {
            tiles[turn(cell).index()] = turn_tile(board.tile(cell));
        }
        Board::new(tiles, turn_tile(board.extra()))
    };
    let turn_set = |set: u64| cells(set).fold(0, |turned, cell| turned | turn(cell).bit());
    for (board, mut rng) in boards() {
        let turned = turn_board(&board);
        for cell in Cell::all() {
            assert_eq!(turned.paths().region(turn(cell)), turn_set(board.paths().region(cell)));
        }
        let entry = Entry::new(rng.index(12));
        let turned_entry = Entry::all().find(|other| other.cell() == turn(entry.cell())).unwrap();
        let rotation = rng.below(4) as u8;
        let (mut pushed, mut turned_pushed) = (board, turned);
        pushed.push(entry, rotation);
        turned_pushed.push(turned_entry, (rotation + 1) % 4);
        assert_eq!(turned_pushed, turn_board(&pushed));
    }
}
