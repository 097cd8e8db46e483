//! The tiles: the specification's list and its invariants.
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use ranka_tantrix::{Colour, Tile};
use std::collections::{BTreeSet, HashMap};

fn text(tile: Tile) -> String {
    tile.edges().iter().map(|colour| colour.letter()).collect()
}

fn turns(text: &str) -> Vec<String> {
    (0..6).map(|k| format!("{}{}", &text[k..], &text[..k])).collect()
}

/// The shape of each link: 1 corner, 2 curve, 3 straight.
fn shapes(tile: Tile) -> Vec<usize> {
    let edges = tile.edges();
    let mut shapes = Vec::new();
    for a in 0..6 {
        for b in a + 1..6 {
            if edges[a] == edges[b] {
                shapes.push((b - a).min(6 - (b - a)));
            }
        }
    }
    shapes.sort();
    shapes
}

#[test]
fn the_set_is_all_necklaces_but_three_straights() {
    let mut necklaces = BTreeSet::new();
    for code in 0..4usize.pow(6) {
        let word: String = (0..6).map(|i| ['B', 'G', 'R', 'Y'][code / 4usize.pow(i) % 4]).collect();
        let two_each = Colour::ALL.iter().all(|c| [0, 2].contains(&word.matches(c.letter()).count()));
        let straights = (0..3).all(|i| word.as_bytes()[i] == word.as_bytes()[i + 3]);
        if two_each && !straights {
            necklaces.insert(turns(&word).into_iter().min().unwrap());
        }
    }
    let tiles: BTreeSet<String> = Tile::all().map(text).collect();
    assert_eq!(tiles, necklaces);
    assert_eq!(tiles.len(), 56);
    for tile in Tile::all() {
        assert_eq!(turns(&text(tile)).into_iter().collect::<BTreeSet<_>>().len(), 6, "no tile is symmetric");
        for rotation in 0..6 {
            let turned: Vec<Colour> = (0..6).map(|side| tile.colour(rotation, side)).collect();
            assert_eq!(Tile::from_edges(turned.try_into().unwrap()), Some((tile, rotation)));
        }
    }
}

#[test]
fn types_and_links_are_counted_right() {
    let mut types = HashMap::new();
    let mut links = HashMap::new();
    for tile in Tile::all() {
        *types.entry(shapes(tile)).or_insert(0) += 1;
        for (i, colour) in Colour::ALL.iter().enumerate() {
            let at: Vec<usize> = (0..6).filter(|&side| tile.edges()[side] == *colour).collect();
            if let [a, b] = at[..] {
                *links.entry((i, (b - a).min(6 - (b - a)))).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(
        types,
        HashMap::from([(vec![1, 2, 2], 24), (vec![1, 1, 3], 12), (vec![2, 2, 3], 12), (vec![1, 1, 1], 8)])
    );
    for colour in 0..4 {
        assert_eq!([1, 2, 3].map(|shape| links[&(colour, shape)]), [18, 18, 6]);
    }
}

#[test]
fn numbers_come_in_blocks_by_the_missing_colour() {
    for tile in Tile::all() {
        let missing = match tile.number() {
            1..=14 => Colour::Green,
            15..=23 | 31..=35 => Colour::Blue,
            24..=30 | 36..=42 => Colour::Yellow,
            _ => Colour::Red,
        };
        assert!(!tile.edges().contains(&missing), "{tile:?}");
    }
}

/// The published list, 1 to 56.
const LIST: &str = "BRBRYY BRRBYY BBYYRR BRYBYR BBRYYR BRYRBY BBYRYR BBRYRY BRBYRY BRBYYR BYBYRR BRRYBY BBYRRY BBRRYY \
                    GGRYYR GGYRRY GRGRYY GRGYYR GYGYRR GRRYGY GGRRYY GRRGYY GGYYRR BGGBRR BBGGRR BBGRRG BGBGRR BBRRGG \
                    BGBRRG BBRGGR GGRYRY GRYGYR GGYRYR GRGYRY GRYRGY BGGRBR BBGRGR BBRGRG BGBRGR BGRBRG BRBRGG BGRGBR \
                    BBYYGG BGYGBY BBGGYY BYBYGG BBYGGY BGGBYY BBGYYG BGYBYG BGBYGY BGGYBY BGBYYG BGBGYY BBGYGY BBYGYG";

#[test]
fn numbers_are_those_of_the_published_list() {
    assert_eq!(Tile::all().map(text).collect::<Vec<_>>(), LIST.split(' ').collect::<Vec<_>>());
}

#[test]
fn no_colour_is_better_than_another() {
    let edges: BTreeSet<String> = Tile::all().map(text).collect();
    let mut orders = 0;
    for code in 0..256usize {
        let exchange = [code / 64, code / 16 % 4, code / 4 % 4, code % 4].map(|i| Colour::ALL[i]);
        if exchange.iter().map(|colour| colour.letter()).collect::<BTreeSet<_>>().len() < 4 {
            continue;
        }
        orders += 1;
        let other = |tile: Tile| {
            let colours =
                tile.edges().map(|colour| exchange[Colour::ALL.iter().position(|&c| c == colour).unwrap()]);
            let word: String = colours.iter().map(|colour| colour.letter()).collect();
            turns(&word).into_iter().min().unwrap()
        };
        assert_eq!(Tile::all().map(other).collect::<BTreeSet<_>>(), edges, "{exchange:?}");
    }
    assert_eq!(orders, 24);
}

#[test]
fn three_edges_in_a_row_are_fitted_by_five_six_or_no_tiles() {
    for code in 0..64 {
        let pattern = [code / 16, code / 4 % 4, code % 4];
        let fits = |tile: Tile| {
            (0..6u8)
                .filter(|&k| (0..3).all(|side| tile.colour(k, side) == Colour::ALL[pattern[side]]))
                .count()
        };
        let found: Vec<usize> = Tile::all().map(fits).filter(|&n| n > 0).collect();
        assert!(found.iter().all(|&n| n == 1), "each in exactly one rotation");
        let different = pattern.iter().collect::<BTreeSet<_>>().len();
        assert_eq!(found.len(), [0, 0, 6, 5][different], "{pattern:?}");
    }
}
