//! The ground of a game: what does not change while it is played.

use crate::cells::{Cells, MOST_CELLS, WIDE};
use crate::kinds::{MovementType, Team, Terrain};
use crate::rules::Rules;
use std::fmt;

/// The longest side of a board, its ring of walls included.
pub(crate) const MOST_SIDE: usize = 65;

/// A cell by its column and row; the ring of walls has column and row 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The column, growing to the right.
    pub x: u8,
    /// The row, growing downward.
    pub y: u8,
}

impl Place {
    /// The place in this column and row.
    pub const fn new(x: u8, y: u8) -> Place {
        Place { x, y }
    }

    /// Steps from here to there, no diagonals.
    #[inline]
    pub const fn distance(self, other: Place) -> u32 {
        self.x.abs_diff(other.x) as u32 + self.y.abs_diff(other.y) as u32
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The cells that cost one point and those that cost two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Costs {
    one: Cells<WIDE>,
    two: Cells<WIDE>,
}

/// Terrain, limits and rules, with what follows from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    /// Columns and rows, the ring included.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The cells inside the ring, column by column.
    terrain: Vec<Terrain>,
    pub(crate) limit: u16,
    pub(crate) threshold: u16,
    /// Who moves on even half-turns.
    pub(crate) first: Team,
    pub(crate) rules: Rules,

    places: Vec<Place>,
    costs: [Costs; 3],
    /// All cells but those of the first row, and all but those of the last.
    below_top: Cells<WIDE>,
    above_bottom: Cells<WIDE>,
    /// For each cell, those at distance 2 or 3.
    cannon: Vec<Cells<WIDE>>,
}

impl Field {
    /// The field with this terrain, row by row with the ring. The ring must be walls, and the size within the
    /// limits: see [`Setup`](crate::Setup), which checks.
    pub(crate) fn new(rows: &[Vec<Terrain>], limit: u16, threshold: u16, first: Team, rules: Rules) -> Field {
        let (width, height) = (rows[0].len(), rows.len());
        let inside = || (1..width - 1).flat_map(|x| (1..height - 1).map(move |y| (x, y)));
        let places: Vec<Place> = inside().map(|(x, y)| Place::new(x as u8, y as u8)).collect();
        debug_assert!(places.len() <= MOST_CELLS);
        let terrain: Vec<Terrain> = inside().map(|(x, y)| rows[y][x]).collect();
        let set = |keep: &dyn Fn(usize) -> bool| {
            let mut cells = Cells::NONE;
            (0..places.len()).filter(|&cell| keep(cell)).for_each(|cell| cells.insert(cell));
            cells
        };
        let costing =
            |movement_type, cost| set(&|cell: usize| terrain[cell].cost(movement_type) == Some(cost));
        let costs = MovementType::ALL
            .map(|movement_type| Costs { one: costing(movement_type, 1), two: costing(movement_type, 2) });
        let below_top = set(&|cell| places[cell].y > 1);
        let above_bottom = set(&|cell| usize::from(places[cell].y) < height - 2);
        let within = |from: Place| set(&|cell| (2..=3).contains(&places[cell].distance(from)));
        let cannon = places.iter().map(|&from| within(from)).collect();
        Field {
            width,
            height,
            terrain,
            limit,
            threshold,
            first,
            rules,
            places,
            costs,
            below_top,
            above_bottom,
            cannon,
        }
    }

    /// How many cells are inside the ring.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        self.terrain.len()
    }

    /// The cell at a place; nothing on the ring and beyond.
    #[inline]
    pub(crate) fn cell(&self, place: Place) -> Option<usize> {
        let (x, y) = (usize::from(place.x), usize::from(place.y));
        let inside = x > 0 && y > 0 && x < self.width - 1 && y < self.height - 1;
        inside.then(|| (x - 1) * (self.height - 2) + (y - 1))
    }

    /// Where a cell is.
    #[inline]
    pub(crate) fn place(&self, cell: usize) -> Place {
        self.places[cell]
    }

    /// The terrain at a place, the ring included.
    pub(crate) fn terrain_at(&self, place: Place) -> Terrain {
        self.cell(place).map_or(Terrain::Wall, |cell| self.terrain[cell])
    }

    /// The defence stars of a cell.
    #[inline]
    pub(crate) fn stars(&self, cell: usize) -> u32 {
        self.terrain[cell].stars()
    }

    /// The ground in sets of `W` words.
    #[inline]
    pub(crate) fn ground<const W: usize>(&self) -> Ground<'_, W> {
        Ground {
            field: self,
            column: (self.height - 2) as u32,
            below_top: self.below_top.narrow(),
            above_bottom: self.above_bottom.narrow(),
        }
    }
}

/// Runs the code with `$w` the number of words that the field's sets need.
macro_rules! at_width {
    ($field:expr, $w:ident => $body:expr) => {
        if $field.cells() <= 64 {
            const $w: usize = 1;
            $body
        } else {
            const $w: usize = crate::cells::WIDE;
            $body
        }
    };
}
pub(crate) use at_width;

/// The ways over a field, on sets of `W` words.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a, const W: usize> {
    pub(crate) field: &'a Field,
    /// Cells in a column.
    column: u32,
    below_top: Cells<W>,
    above_bottom: Cells<W>,
}

impl<const W: usize> Ground<'_, W> {
    /// Each cell's neighbour to the right.
    #[inline]
    pub(crate) fn right(&self, cells: Cells<W>) -> Cells<W> {
        cells.up(self.column)
    }

    /// Each cell's neighbour above.
    #[inline]
    pub(crate) fn above(&self, cells: Cells<W>) -> Cells<W> {
        cells.and(self.below_top).down(1)
    }

    /// Each cell's neighbour to the left.
    #[inline]
    pub(crate) fn left(&self, cells: Cells<W>) -> Cells<W> {
        cells.down(self.column)
    }

    /// Each cell's neighbour below.
    #[inline]
    pub(crate) fn below(&self, cells: Cells<W>) -> Cells<W> {
        cells.and(self.above_bottom).up(1)
    }

    /// All neighbours. Beyond the last column there are cells that do not exist: and the result with something.
    #[inline]
    pub(crate) fn around(&self, cells: Cells<W>) -> Cells<W> {
        self.right(cells).or(self.left(cells)).or(self.above(cells).or(self.below(cells)))
    }

    /// Where a cannon on `cell` can shoot.
    #[inline]
    pub(crate) fn cannon(&self, cell: usize) -> Cells<W> {
        self.field.cannon[cell].narrow()
    }

    /// The cells that can be reached, its own included, without entering `blocked`. What costs one point is
    /// entered from the cells reached before, what costs two from those reached one step earlier.
    #[inline]
    pub(crate) fn reach(
        &self,
        from: usize,
        movement_type: MovementType,
        points: u32,
        blocked: Cells<W>,
    ) -> Cells<W> {
        let costs = &self.field.costs[movement_type as usize];
        let one = costs.one.narrow().without(blocked);
        let two = costs.two.narrow().without(blocked);
        let mut reached = Cells::only(from);
        let mut around_before = Cells::NONE;
        for _ in 0..points {
            let around = self.around(reached);
            let next = reached.or(around.and(one)).or(around_before.and(two));
            if next == reached && around == around_before {
                break;
            }
            reached = next;
            around_before = around;
        }
        reached
    }
}
