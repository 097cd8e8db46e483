//! What the learned evaluation sees of a position: for each seat a row of numbers about its colour's lines.
//!
//! Whatever tile fills an empty cell carries on every line that points into it, and joins two lines of one colour that
//! do. So lines of a colour that meet in a cell are one *prospect*, as long as some tile to come fits there.

use crate::board::Board;
use crate::cells::{CellSet, Id, MOST_CELLS};
use crate::state::State;
use crate::tiles::{Colour, TILES, TileSet};
use ranka_core::{MAX_SEATS, Position, Seat};

/// How many of a colour's prospects are described one by one.
const PROSPECTS: usize = 3;

/// Numbers about a seat as a whole, about each prospect, and about each of its two ends.
const OF_SEAT: usize = 26;
const OF_PROSPECT: usize = 8;
const OF_END: usize = 8;

/// The numbers that describe one seat's chances.
pub const INPUTS: usize = OF_SEAT + PROSPECTS * (OF_PROSPECT + 2 * OF_END);

/// One seat's numbers.
pub type Row = [f32; INPUTS];

/// What is known of an empty cell beside a tile.
#[derive(Clone, Copy)]
struct Space {
    /// How many tiles that are not on the board fit it now, and once restrictions are lifted.
    now: u8,
    ever: u8,
    /// How many of each seat's tiles fit it.
    held: [u8; MAX_SEATS],
    legal: bool,
    forced: bool,
    controlled: bool,
    neighbours: u8,
}

impl Space {
    /// A guess at how likely it is filled in time.
    fn hope(&self) -> f32 {
        let fits = f32::from(self.now.max(self.ever / 2));
        let hope = fits / (fits + 2.0);
        if self.legal { hope } else { 0.7 * hope }
    }
}

/// What fits the cells of a position, for all placements that follow it: a tile changes that only near it.
pub(crate) struct Fitting {
    known: CellSet,
    /// The unplayed tiles that fit now, and once restrictions are lifted.
    fits: [[u64; 2]; MOST_CELLS],
}

impl Fitting {
    pub(crate) fn new() -> Fitting {
        Fitting { known: CellSet::NONE, fits: [[0; 2]; MOST_CELLS] }
    }

    /// Forgets a position.
    pub(crate) fn forget(&mut self) {
        self.known = CellSet::NONE;
    }

    fn at(&mut self, before: &State, cell: Id) -> [u64; 2] {
        if !self.known.has(cell) {
            self.known.insert(cell);
            self.fits[usize::from(cell)] = before.board().fits_at_all(cell, before.unplayed().0);
        }
        self.fits[usize::from(cell)]
    }
}

/// The position before the last placement, what fits there, and the cells where something else may fit since.
type Before<'a> = (&'a State, &'a mut Fitting, CellSet);

/// The cells of one position, looked at once each.
struct Spaces<'a> {
    state: &'a State,
    board: &'a Board,
    before: Option<Before<'a>>,
    unplayed: TileSet,
    legal: CellSet,
    known: [u8; MOST_CELLS],
    spaces: [Space; MOST_CELLS],
    count: u8,
}

impl<'a> Spaces<'a> {
    fn of(state: &'a State, before: Option<Before<'a>>) -> Spaces<'a> {
        let none = Space {
            now: 0,
            ever: 0,
            held: [0; MAX_SEATS],
            legal: false,
            forced: false,
            controlled: false,
            neighbours: 0,
        };
        let (board, unplayed) = (state.board(), state.unplayed());
        let (known, spaces) = ([u8::MAX; MOST_CELLS], [none; MOST_CELLS]);
        Spaces { state, board, before, unplayed, legal: board.open_set(), known, spaces, count: 0 }
    }

    fn at(&mut self, cell: Id) -> Space {
        let known = &mut self.known[usize::from(cell)];
        if *known != u8::MAX {
            return self.spaces[usize::from(*known)];
        }
        *known = self.count;
        let (board, unplayed) = (self.board, self.unplayed.0);
        let [now, ever] = match &mut self.before {
            Some((before, fitting, changed)) if !changed.has(cell) => fitting.at(before, cell),
            _ => board.fits_at_all(cell, unplayed),
        };
        let (now, ever) = (TileSet(now & unplayed), TileSet(ever & unplayed));
        let mut held = [0; MAX_SEATS];
        for seat in Seat::all(self.state.seats()) {
            held[seat.index()] = now.and(self.state.held(seat)).len() as u8;
        }
        let space = Space {
            now: now.len() as u8,
            ever: if now.is_empty() { ever } else { now }.len() as u8,
            held,
            legal: self.legal.has(cell),
            forced: board.crowded_set().has(cell),
            controlled: board.controlled_set().has(cell),
            neighbours: board.neighbours(cell) as u8,
        };
        self.spaces[usize::from(self.count)] = space;
        self.count += 1;
        space
    }
}

/// Lines that meet in cells which may still be filled.
#[derive(Clone, Copy)]
struct Prospect {
    /// What it may be worth: its longest line, and what joins it as far as that is likely.
    hoped: f32,
    /// Its points if all spaces within it are filled.
    points: f32,
    longest: f32,
    spaces: f32,
    circular: bool,
    /// The least hopeful space within it.
    weakest: Space,
    /// How many spaces within it the seat, and how many others, can fill.
    own: f32,
    others: f32,
    ends: [Space; 2],
}

impl Prospect {
    /// A line that meets no other.
    fn alone(length: f32, ends: [Space; 2]) -> Prospect {
        let [one, two] = ends;
        let hopes = ends.map(|end| end.hope());
        Prospect {
            hoped: length + hopes[0] + hopes[1],
            points: length,
            longest: length,
            spaces: 0.0,
            circular: false,
            weakest: one,
            own: 0.0,
            others: 0.0,
            ends: if hopes[1] > hopes[0] { [two, one] } else { ends },
        }
    }
}

/// A way from a line through the spaces at one of its ends.
struct Way {
    /// The lines on the way, and the hope for the space before each.
    lines: [(f32, f32); MOST_LINES],
    count: usize,
    end: Space,
    circular: bool,
}

/// No colour has more open lines than tiles.
const MOST_LINES: usize = 42;

/// Follows lines of a colour from an end of one until a cell where no other arrives, or that nobody can fill.
fn follow(
    spaces: &mut Spaces<'_>,
    start: u8,
    mut end: (Id, u8),
    seen: &mut [u64; 3],
    gaps: &mut Gaps,
) -> Way {
    let mut lines = [(0.0, 0.0); MOST_LINES];
    let mut count = 0;
    loop {
        let space = spaces.at(end.0);
        let partner = if space.ever == 0 { None } else { spaces.board.partner(end) };
        let Some((line, side)) = partner else {
            return Way { lines, count, end: space, circular: false };
        };
        gaps.meet(&space);
        if line == start {
            return Way { lines, count, end: space, circular: true };
        }
        let (length, ends) = spaces.board.line(line);
        seen[usize::from(line >> 6)] |= 1 << (line & 63);
        lines[count] = (f32::from(length), space.hope());
        count += 1;
        end = if ends[0] == (end.0, side) { ends[1] } else { ends[0] };
    }
}

/// The spaces within a prospect.
struct Gaps {
    seat: Seat,
    count: f32,
    all: f32,
    own: f32,
    others: f32,
    weakest: Option<Space>,
}

impl Gaps {
    fn meet(&mut self, space: &Space) {
        self.count += 1.0;
        self.all *= space.hope();
        let own = space.held[self.seat.index()];
        let others = space.held.iter().sum::<u8>() - own;
        if space.legal {
            self.own += f32::from(u8::from(own > 0));
            self.others += f32::from(u8::from(others > 0));
        }
        if self.weakest.is_none_or(|weakest| space.hope() < weakest.hope()) {
            self.weakest = Some(*space);
        }
    }
}

/// The prospect that a line belongs to.
fn prospect(spaces: &mut Spaces<'_>, line: u8, seat: Seat, seen: &mut [u64; 3]) -> Prospect {
    let (length, ends) = spaces.board.line(line);
    let length = f32::from(length);
    if ends.iter().all(|&end| spaces.board.partner(end).is_none()) {
        return Prospect::alone(length, ends.map(|(cell, _)| spaces.at(cell)));
    }
    let mut gaps = Gaps { seat, count: 0.0, all: 1.0, own: 0.0, others: 0.0, weakest: None };
    let one = follow(spaces, line, ends[0], seen, &mut gaps);
    let circular = one.circular;
    let two = if circular {
        // The same way again.
        Way { lines: [(0.0, 0.0); MOST_LINES], count: 0, end: one.end, circular }
    } else {
        follow(spaces, line, ends[1], seen, &mut gaps)
    };
    // All lines in a row, from the end of one way to the end of the other, with the hopes between them.
    let mut row = [0.0; 2 * MOST_LINES + 1];
    let mut between = [0.0; 2 * MOST_LINES + 1];
    let lines = one.count + 1 + two.count;
    for (step, &(length, hope)) in one.lines[..one.count].iter().enumerate() {
        row[one.count - 1 - step] = length;
        between[one.count - 1 - step] = hope;
    }
    row[one.count] = length;
    for (step, &(length, hope)) in two.lines[..two.count].iter().enumerate() {
        row[one.count + 1 + step] = length;
        between[one.count + step] = hope;
    }
    let mut longest = 0;
    for place in 1..lines {
        if row[place] > row[longest] {
            longest = place;
        }
    }
    let (mut hoped, mut sum) = (row[longest], gaps.count);
    let mut hope = 1.0;
    for place in (0..longest).rev() {
        hope *= between[place];
        hoped += hope * (1.0 + row[place]);
    }
    hoped += hope * one.end.hope();
    hope = 1.0;
    for place in longest + 1..lines {
        hope *= between[place - 1];
        hoped += hope * (1.0 + row[place]);
    }
    hoped += hope * two.end.hope();
    for length in &row[..lines] {
        sum += length;
    }
    let points = if circular { 2.0 * sum } else { sum };
    if circular {
        hoped = gaps.all * points + (1.0 - gaps.all) * hoped;
    }
    let weakest = gaps.weakest.unwrap_or(one.end);
    let ends = if two.end.hope() > one.end.hope() { [two.end, one.end] } else { [one.end, two.end] };
    Prospect {
        hoped,
        points,
        longest: row[longest],
        spaces: gaps.count,
        circular,
        weakest,
        own: gaps.own,
        others: gaps.others,
        ends,
    }
}

/// A seat's colour as a whole.
struct Standing {
    score: f32,
    best: [Option<Prospect>; PROSPECTS],
    lines: f32,
    /// The best score that the seat, and that any other, can bring about by one placement.
    reach: f32,
    reach_of_others: f32,
    /// The score that a space which is forced now brings, if somebody can fill it.
    reach_forced: f32,
}

impl Standing {
    fn of(spaces: &mut Spaces<'_>, seat: Seat) -> Standing {
        let (board, colour) = (spaces.board, spaces.state.colour(seat));
        let score = spaces.state.score(seat) as f32;
        let mut standing = Standing {
            score,
            best: [None; PROSPECTS],
            lines: 0.0,
            reach: score,
            reach_of_others: score,
            reach_forced: score,
        };
        let mut seen = [0u64; 3];
        for line in board.open_lines(colour) {
            standing.lines += 1.0;
            standing.look_at_ends(spaces, line, seat);
            if seen[usize::from(line >> 6)] >> (line & 63) & 1 == 0 {
                standing.rank(prospect(spaces, line, seat, &mut seen));
            }
        }
        standing
    }

    fn rank(&mut self, mut prospect: Prospect) {
        for place in &mut self.best {
            match place {
                Some(better) if better.hoped >= prospect.hoped => {}
                Some(worse) => std::mem::swap(worse, &mut prospect),
                None => {
                    *place = Some(prospect);
                    return;
                }
            }
        }
    }

    fn look_at_ends(&mut self, spaces: &mut Spaces<'_>, line: u8, seat: Seat) {
        let (length, ends) = spaces.board.line(line);
        for end in ends {
            let space = spaces.at(end.0);
            if !space.legal || space.now == 0 {
                continue;
            }
            let points = match spaces.board.partner(end) {
                Some((other, _)) if other == line => 2 * (1 + length),
                Some((other, _)) => 1 + length + spaces.board.line(other).0,
                None => 1 + length,
            };
            let points = f32::from(points);
            let own = space.held[seat.index()];
            let others = space.held.iter().sum::<u8>() - own;
            if own > 0 {
                self.reach = self.reach.max(points);
            }
            if others > 0 {
                self.reach_of_others = self.reach_of_others.max(points);
            }
            if space.forced && own + others > 0 {
                self.reach_forced = self.reach_forced.max(points);
            }
        }
    }

    fn hoped(&self) -> f32 {
        self.best[0].map_or(0.0, |best| best.hoped).max(self.score)
    }
}

/// Fills in a row for every seat.
pub fn observe(state: &State, rows: &mut [Row; MAX_SEATS]) {
    describe(state, &mut Spaces::of(state, None), rows);
}

/// The same after the placement of a tile on a cell, with what fits in the position before it.
pub(crate) fn observe_after(
    before: &State,
    fitting: &mut Fitting,
    (state, cell): (&State, Id),
    rows: &mut [Row; MAX_SEATS],
) {
    let changed = state.board().around_twice(cell);
    describe(state, &mut Spaces::of(state, Some((before, fitting, changed))), rows);
}

fn describe(state: &State, spaces: &mut Spaces<'_>, rows: &mut [Row; MAX_SEATS]) {
    let seats = state.seats();
    let (actor, forced) = state.next_to_act();
    let standings = [0, 1, 2, 3].map(|seat| (seat < seats).then(|| Standing::of(spaces, Seat::new(seat))));
    for seat in Seat::all(seats) {
        let Some(standing) = &standings[seat.index()] else { continue };
        let others = || {
            (0..seats).filter(|&other| other != seat.index()).filter_map(|other| standings[other].as_ref())
        };
        let row = &mut rows[seat.index()];
        row.fill(0.0);
        let best_of = |of: fn(&Standing) -> f32| others().map(of).fold(0.0, f32::max);
        let (score, hoped) = (standing.score, standing.hoped());
        let lead = score - best_of(|other| other.score);
        let hoped_lead = hoped - best_of(Standing::hoped);
        let reach_lead = standing.reach - best_of(|other| other.reach);
        let late = state.plies() as f32 / TILES as f32;
        let of_colour = of_colour(state.colour(seat));
        let (hand, mut in_others) = (state.held(seat), 0);
        for other in Seat::all(seats).filter(|&other| other != seat) {
            in_others += state.held(other).and(of_colour).len();
        }
        let distance = (seat.index() + seats - actor.index()) % seats;
        let yes = |yes: bool| f32::from(u8::from(yes));
        let numbers: [f32; OF_SEAT] = [
            score / 20.0,
            lead / 10.0,
            hoped / 20.0,
            hoped_lead / 10.0,
            (standing.reach - score) / 5.0,
            reach_lead / 10.0,
            (standing.reach_of_others - score) / 5.0,
            (standing.reach_forced - score) / 5.0,
            state.unplayed().and(of_colour).len() as f32 / 42.0,
            hand.and(of_colour).len() as f32 / 6.0,
            in_others as f32 / 6.0,
            yes(distance == 0),
            yes(distance == 0 && forced),
            distance as f32 / 3.0,
            hand.len() as f32 / 6.0,
            late,
            state.bag().len() as f32 / 44.0,
            yes(state.bag().is_empty()),
            yes(seats == 3),
            yes(seats == 4),
            standing.lines / 10.0,
            score * late / 20.0,
            lead * late / 10.0,
            hoped_lead * late / 10.0,
            reach_lead * late * yes(distance == 0) / 10.0,
            lead * yes(state.bag().is_empty()) / 10.0,
        ];
        row[..OF_SEAT].copy_from_slice(&numbers);
        for (place, prospect) in standing.best.iter().enumerate() {
            let Some(prospect) = prospect else { break };
            let start = OF_SEAT + place * (OF_PROSPECT + 2 * OF_END);
            describe_prospect(prospect, seat, &mut row[start..start + OF_PROSPECT + 2 * OF_END]);
        }
    }
}

fn describe_prospect(prospect: &Prospect, seat: Seat, row: &mut [f32]) {
    let numbers: [f32; OF_PROSPECT] = [
        prospect.hoped / 20.0,
        prospect.points / 20.0,
        prospect.longest / 20.0,
        prospect.spaces / 4.0,
        f32::from(u8::from(prospect.circular)),
        if prospect.spaces > 0.0 { prospect.weakest.hope() } else { 0.0 },
        prospect.own / 2.0,
        prospect.others / 2.0,
    ];
    row[..OF_PROSPECT].copy_from_slice(&numbers);
    for (place, end) in prospect.ends.iter().enumerate() {
        let start = OF_PROSPECT + place * OF_END;
        let own = end.held[seat.index()];
        let others = end.held.iter().sum::<u8>() - own;
        let yes = |yes: bool| f32::from(u8::from(yes));
        let numbers: [f32; OF_END] = [
            yes(end.ever > 0),
            f32::from(end.now) / 12.0,
            yes(end.legal),
            yes(end.forced),
            yes(end.controlled),
            f32::from(own) / 3.0,
            f32::from(others) / 3.0,
            f32::from(end.neighbours) / 3.0,
        ];
        row[start..start + OF_END].copy_from_slice(&numbers);
    }
}

/// The tiles with a colour.
fn of_colour(colour: Colour) -> TileSet {
    const OF: [TileSet; 4] = {
        let mut sets = [TileSet::NONE; 4];
        let mut number = 1;
        while number <= TILES {
            let tile = crate::tiles::Tile::new(number);
            let edges = tile.edges();
            let mut side = 0;
            while side < 6 {
                let colour = edges[side] as usize;
                sets[colour] = sets[colour].with(tile);
                side += 1;
            }
            number += 1;
        }
        sets
    };
    OF[colour as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hex, Line, Phase, Tantrix};
    use ranka_core::{Actor, Game, Rng, Seed};

    fn random_positions(mut look: impl FnMut(&State)) {
        for number in 0..24 {
            let mut rng = Rng::new(Seed::new(number));
            let mut state = Tantrix::standard(2 + number as usize % 3).start(&mut rng);
            while state.actor() != Actor::Over {
                look(&state);
                let action = match state.actor() {
                    Actor::Chance => state.draw(&mut rng),
                    _ => state.random_action(&mut rng, &mut Vec::new()),
                };
                state.apply(action);
            }
        }
    }

    /// What can be reached by one placement, by making all of them.
    #[test]
    fn reach_is_what_placements_bring() {
        let mut looked_at = 0;
        random_positions(|state| {
            if state.phase() != Phase::Free || state.plies() == 0 {
                return;
            }
            let mut actions = Vec::new();
            state.actions(&mut actions);
            let mut spaces = Spaces::of(state, None);
            // A first line of a colour is begun, not carried on.
            for seat in Seat::all(state.seats()).filter(|&seat| state.score(seat) > 0) {
                let scores = actions.iter().map(|&action| {
                    let mut after = state.clone();
                    after.apply(action);
                    after.score(seat)
                });
                let best = scores.max().expect("a free move").max(state.score(seat)) as f32;
                let standing = Standing::of(&mut spaces, seat);
                if seat == state.mover() {
                    assert_eq!(standing.reach, best, "{seat} in {state:?}");
                } else {
                    assert!(standing.reach_of_others >= best, "{seat} in {state:?}");
                    if state.seats() == 2 {
                        assert_eq!(standing.reach_of_others, best, "{seat} in {state:?}");
                    }
                }
                looked_at += 1;
            }
        });
        assert!(looked_at > 500, "{looked_at}");
    }

    /// Prospects (points, spaces within, whether they close) by joining lines that share a cell, one pair after another.
    fn naive_prospects(state: &State, colour: Colour) -> Vec<(usize, usize, bool)> {
        let lines: Vec<Line> = state.board().lines(colour).filter(|line| line.ends.is_some()).collect();
        let ends = |line: &Line| line.ends.unwrap_or([Hex::ORIGIN; 2]);
        let fillable = |at: Hex| !state.board().fitting(at, state.unplayed(), true).is_empty();
        let mut groups: Vec<usize> = (0..lines.len()).collect();
        let mut joints = Vec::new();
        for (one, two) in (0..lines.len()).flat_map(|one| (one..lines.len()).map(move |two| (one, two))) {
            let pairs: Vec<Hex> = if one == two {
                let [a, b] = ends(&lines[one]);
                if a == b { vec![a] } else { vec![] }
            } else {
                ends(&lines[one]).into_iter().filter(|at| ends(&lines[two]).contains(at)).collect()
            };
            for at in pairs.into_iter().filter(|&at| fillable(at)) {
                joints.push((one, at));
                let (from, to) = (groups[two], groups[one]);
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
        let mut found = Vec::new();
        for group in 0..lines.len() {
            let members: Vec<usize> = (0..lines.len()).filter(|&line| groups[line] == group).collect();
            if members.is_empty() {
                continue;
            }
            let within = joints.iter().filter(|(line, _)| groups[*line] == group).count();
            let length = members.iter().map(|&line| lines[line].length).sum::<usize>() + within;
            let circular = within == members.len();
            found.push((length * if circular { 2 } else { 1 }, within, circular));
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn prospects_are_lines_that_share_cells() {
        let (mut joined, mut circular) = (0, 0);
        random_positions(|state| {
            for seat in Seat::all(state.seats()) {
                let mut spaces = Spaces::of(state, None);
                let (mut seen, mut found) = ([0u64; 3], Vec::new());
                for line in state.board().open_lines(state.colour(seat)) {
                    if seen[usize::from(line >> 6)] >> (line & 63) & 1 == 0 {
                        let prospect = prospect(&mut spaces, line, seat, &mut seen);
                        found.push((prospect.points as usize, prospect.spaces as usize, prospect.circular));
                    }
                }
                found.sort_unstable();
                assert_eq!(found, naive_prospects(state, state.colour(seat)), "{seat} in {state:?}");
                joined += found.iter().filter(|(_, spaces, _)| *spaces > 0).count();
                circular += found.iter().filter(|(_, _, circular)| *circular).count();
            }
        });
        assert!(joined > 1000 && circular > 100, "{joined}, {circular}");
    }

    /// Every number of a row is within what a model can learn from, and seats see themselves alike.
    #[test]
    fn rows_are_tame_and_relative() {
        random_positions(|state| {
            let mut rows = [[f32::NAN; INPUTS]; MAX_SEATS];
            observe(state, &mut rows);
            let leads = rows[..state.seats()].iter().filter(|row| row[1] > 0.0).count();
            assert!(leads <= 1, "at most one leads: {state:?}");
            for row in &rows[..state.seats()] {
                assert!(row.iter().all(|number| number.abs() <= 12.0), "{row:?} in {state:?}");
            }
        });
    }
}
