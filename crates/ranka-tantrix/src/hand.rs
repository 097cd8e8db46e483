//! A hand: its tiles in the order held, and what they show when turned, all in single words.

use crate::tiles::{Tile, TileSet};
use std::hash::{Hash, Hasher};

/// The most tiles in a hand.
pub const HAND: usize = 6;

/// Turned tiles of a hand: bit `6·rotation + place` stands for the tile at this place, so turned.
pub(crate) type Turned = u64;

/// The first place in every rotation.
const FIRST_PLACES: Turned = 0o010101010101;

/// For each tile, side and colour, the rotations that show this colour on this side, at the first place.
static SHOWN_BY: [[[Turned; 4]; 6]; crate::tiles::TILES] = shown_by();

const fn shown_by() -> [[[Turned; 4]; 6]; crate::tiles::TILES] {
    let mut table = [[[0; 4]; 6]; crate::tiles::TILES];
    let mut tile = 0;
    while tile < crate::tiles::TILES {
        let mut turned = 0;
        while turned < 36 {
            let (rotation, side) = (turned / 6, turned % 6);
            let colour = Tile::new(tile + 1).colour(rotation as u8, side);
            table[tile][side][colour as usize] |= 1 << (6 * rotation);
            turned += 1;
        }
        tile += 1;
    }
    table
}

/// Tiles in the order held.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    tiles: [u8; HAND],
    count: u8,
    held: TileSet,
    /// For each side and colour, what shows this colour on this side.
    showing: [[Turned; 4]; 6],
}

impl Hand {
    pub(crate) const EMPTY: Hand =
        Hand { tiles: [0; HAND], count: 0, held: TileSet::NONE, showing: [[0; 4]; 6] };

    pub(crate) fn push(&mut self, tile: Tile) {
        let place = self.count;
        self.tiles[usize::from(place)] = tile.number() as u8;
        self.count += 1;
        self.held = self.held.with(tile);
        let shown_by = &SHOWN_BY[tile.number() - 1];
        for (showing, shown_by) in self.showing.as_flattened_mut().iter_mut().zip(shown_by.as_flattened()) {
            *showing |= shown_by << place;
        }
    }

    pub(crate) fn remove(&mut self, tile: Tile) {
        let place = self.iter().position(|held| held == tile).expect("only a held tile is placed");
        self.tiles.copy_within(place + 1.., place);
        self.count -= 1;
        // One spelling for equal hands.
        self.tiles[usize::from(self.count)] = 0;
        self.held = self.held.without(tile);
        // The tiles behind it move up by one place.
        let before = FIRST_PLACES * ((1 << place) - 1);
        let behind = (FIRST_PLACES * 0b01_1111) & !before;
        for showing in self.showing.as_flattened_mut() {
            *showing = (*showing & before) | (*showing >> 1 & behind);
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Tile> + '_ {
        self.tiles[..self.len()].iter().map(|&number| Tile::new(usize::from(number)))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// The tiles as a set.
    #[inline]
    pub(crate) fn held(&self) -> TileSet {
        self.held
    }

    /// All tiles in all rotations.
    #[inline]
    pub(crate) fn all(&self) -> Turned {
        FIRST_PLACES * ((1 << self.count) - 1)
    }

    /// What shows a colour, given by its number, on a side.
    #[inline]
    pub(crate) fn showing(&self, side: usize, colour: usize) -> Turned {
        self.showing[side][colour]
    }

    /// The tile and rotation that a bit stands for.
    #[inline]
    pub(crate) fn turned(&self, bit: u32) -> (Tile, u8) {
        (Tile::new(usize::from(self.tiles[(bit % 6) as usize])), (bit / 6) as u8)
    }
}

/// The rest follows from the tiles.
impl PartialEq for Hand {
    fn eq(&self, other: &Hand) -> bool {
        self.tiles == other.tiles
    }
}

impl Eq for Hand {}

impl Hash for Hand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tiles.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::Colour;
    use ranka_core::{Rng, Seed};

    #[test]
    fn words_say_what_the_tiles_show() {
        let mut rng = Rng::new(Seed::new(1));
        let mut hand = Hand::EMPTY;
        for _ in 0..500 {
            if hand.len() == HAND || (hand.len() > 0 && rng.chance(0.5)) {
                let tiles: Vec<Tile> = hand.iter().collect();
                hand.remove(rng.pick(&tiles));
            } else {
                let others: Vec<Tile> = TileSet::ALL.minus(hand.held()).iter().collect();
                hand.push(rng.pick(&others));
            }
            assert_eq!(hand.held(), hand.iter().collect());
            assert_eq!(hand.all().count_ones() as usize, 6 * hand.len());
            for side in 0..6 {
                for colour in Colour::ALL {
                    let showing = hand.showing(side, colour as usize);
                    assert_eq!(showing & !hand.all(), 0);
                    for bit in (0..36).filter(|bit| hand.all() >> bit & 1 == 1) {
                        let (tile, rotation) = hand.turned(bit);
                        assert_eq!(showing >> bit & 1 == 1, tile.colour(rotation, side) == colour);
                    }
                }
            }
        }
    }
}
