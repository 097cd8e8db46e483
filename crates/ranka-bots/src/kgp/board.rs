//! `<n,south,north,s1,…,sn,n1,…,nn>`: a board as the protocol writes it.

use ranka_core::{NotationError, Scanner, Seat};
use ranka_kalah::State;
use std::fmt;

/// The most houses that a line has room for; our own boards have fewer.
const MOST_HOUSES: u32 = 1000;

/// No real board holds more seeds in one place.
const MOST_SEEDS: u32 = 1_000_000;

/// A board, seen by whoever it is shown to: that player is South.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// South's store and North's.
    pub stores: [u32; 2],
    /// South's houses and North's, each in its own sowing order.
    pub rows: [Vec<u32>; 2],
}

impl Board {
    /// A position as a seat is shown it.
    pub fn of(state: &State, seat: Seat) -> Board {
        let sides = [seat, seat.other()];
        let row = |side: Seat| (0..state.houses()).map(|house| state.seeds(side, house)).collect();
        Board { stores: sides.map(|side| state.store(side)), rows: sides.map(row) }
    }

    /// The same board as the other player is shown it. Rows are in sowing order on both sides, so nothing is reversed.
    pub fn mirrored(&self) -> Board {
        let ([south, north], [own, other]) = (self.stores, self.rows.clone());
        Board { stores: [north, south], rows: [other, own] }
    }

    /// All seeds.
    pub fn total(&self) -> u64 {
        self.stores.iter().chain(self.rows.iter().flatten()).copied().map(u64::from).sum()
    }

    /// Houses a side.
    pub fn houses(&self) -> usize {
        self.rows[0].len()
    }

    /// Reads a board; blanks between its numbers do no harm.
    pub fn read(text: &str) -> Result<Board, NotationError> {
        let mut scan = Scanner::new(text);
        let board = Board::scan(&mut scan)?;
        scan.end()?;
        Ok(board)
    }

    pub(super) fn scan(scan: &mut Scanner<'_>) -> Result<Board, NotationError> {
        let blank = |scan: &mut Scanner<'_>| {
            scan.take_while(|c| c.is_ascii_whitespace());
        };
        scan.expect("<")?;
        blank(scan);
        let houses = scan.number("the number of houses", 1, MOST_HOUSES)?;
        let mut next = |what: &str| {
            blank(scan);
            scan.expect(",")?;
            blank(scan);
            scan.number(what, 0, MOST_SEEDS)
        };
        let stores = [next("South's store")?, next("North's store")?];
        let mut row = |what: &str| (0..houses).map(|_| next(what)).collect::<Result<Vec<u32>, _>>();
        let rows = [row("a house of South")?, row("a house of North")?];
        blank(scan);
        scan.expect(">")?;
        Ok(Board { stores, rows })
    }
}

/// Without blanks, as the protocol wants it sent.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [south, north] = self.stores;
        write!(f, "<{},{south},{north}", self.houses())?;
        self.rows.iter().flatten().try_for_each(|seeds| write!(f, ",{seeds}"))?;
        f.write_str(">")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Position;
    use ranka_kalah::{House, Kalah};

    #[test]
    fn a_board_is_shown_with_its_viewer_as_south() {
        let mut state = Kalah::standard(3, 3).first();
        for house in [0, 2] {
            state.apply(House::new(house));
        }
        let south = Board::of(&state, Seat::FIRST);
        assert_eq!(south.to_string(), "<3,2,0,0,4,0,4,4,4>");
        let north = Board::of(&state, Seat::SECOND);
        assert_eq!(north.to_string(), "<3,0,2,4,4,4,0,4,0>");
        assert_eq!(south.mirrored(), north);
    }

    #[test]
    fn blanks_are_read_and_never_written() {
        let board = Board::read("< 2, 1,0 ,\t3,4, 5 ,6 >").unwrap();
        assert_eq!(board.to_string(), "<2,1,0,3,4,5,6>");
        assert_eq!((board.houses(), board.total()), (2, 19));
    }

    #[test]
    fn what_is_no_board_is_told() {
        for (text, problem) in [
            ("<2,0,0,1,1,1>", "expected \",\", found '>'"),
            ("<2,0,0,1,1,1,1,1>", "expected \">\", found ','"),
            ("<0,0,0>", "the number of houses is 0"),
            ("<9999999999,0,0>", "the number of houses is 9999999999"),
            ("<1,0,0,-1,1>", "a number 0 to"),
            ("2,0,0", "expected \"<\""),
            ("<1,0,0,1,1> x", "expected the end"),
        ] {
            let error = Board::read(text).unwrap_err();
            assert!(error.problem.contains(problem), "{text}: {error}");
        }
    }
}
