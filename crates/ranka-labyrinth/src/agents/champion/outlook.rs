//! What each turn leads to: how likely one reaches one's goal in the next turn, whatever the others push in between, and
//! how likely they reach theirs.

use super::ground::{Ground, PUSHES, moved, pawns_before, tiles_before};
use super::standing::{Clock, Standing};
use super::table::{Goal, Table};
use crate::action::Push;
use crate::maze::{CELLS, Cell, Entry, cells};
use crate::tile::TREASURES;
use ranka_core::{MAX_SEATS, Rng};

/// The others at most.
pub(super) const RIVALS: usize = MAX_SEATS - 1;

/// One own push (or the one that was made), and what was seen after it so far.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) push: Option<Push>,
    pub(super) ground: Ground,
    /// The cells to which one can walk.
    pub(super) reach: u64,
    /// Where one's goal is, if one can walk there.
    pub(super) arrival: Option<Cell>,
    target: usize,
    /// Where each treasure lies, as a set.
    lie: [u64; TREASURES],
    pawns: [Cell; RIVALS],
    /// Where the first of the others can get by each push, and how many there are.
    replies: [u64; PUSHES],
    count: usize,
    /// With two players: how likely each push is.
    likely: [f64; PUSHES],
    /// Scenarios looked at, and their weight.
    pub(super) seen: usize,
    weight: f64,
    /// For each cell the weight of the scenarios in which one reaches the goal from there.
    reached: [f64; CELLS],
    /// The same from the goal, for the next one.
    onward: f64,
    /// The chances that the others find something, summed up.
    theirs: [f64; RIVALS],
}

impl Line {
    /// How likely the goal is reached in the next turn by who ends this one on `cell`.
    pub(super) fn next(&self, cell: Cell) -> f64 {
        let sum = if self.arrival == Some(cell) { self.onward } else { self.reached[cell.index()] };
        if self.weight > 0.0 { sum / self.weight } else { 0.0 }
    }

    /// How likely each of the others finds something before that.
    pub(super) fn theirs(&self) -> [f64; RIVALS] {
        self.theirs.map(|sum| if self.weight > 0.0 { sum / self.weight } else { 0.0 })
    }
}

/// All turns of a position.
pub(super) struct Outlook {
    pub(super) table: Table,
    pub(super) lines: Vec<Line>,
    /// How it stands after a turn that finds nothing, and after one that does.
    standings: [Standing; 2],
    /// With two players the order in which replies are looked at.
    order: Vec<u8>,
}

/// How likely a goal is among the tiles at `places`.
fn among(goal: &Goal, lie: &[u64; TREASURES], places: u64) -> f64 {
    match goal {
        Goal::Home(home) => f64::from(places & home.bit() != 0),
        Goal::Card(weights) => {
            let there = weights.iter().zip(lie).filter(|&(&weight, &at)| weight > 0.0 && places & at != 0);
            there.map(|(weight, _)| weight).sum()
        }
    }
}

impl Outlook {
    pub(super) fn new(table: &Table, clock: &Clock, rng: &mut Rng) -> Outlook {
        let mut outlook = Outlook {
            table: *table,
            lines: Vec::with_capacity(PUSHES),
            standings: Outlook::standings(table, clock),
            order: Vec::with_capacity(PUSHES),
        };
        outlook.begin(table, clock, rng);
        outlook
    }

    fn standings(table: &Table, clock: &Clock) -> [Standing; 2] {
        let mut lefts = [0; RIVALS];
        for (left, rival) in lefts.iter_mut().zip(table.rivals()) {
            *left = rival.left;
        }
        let lefts = &lefts[..table.seats - 1];
        [Standing::new(clock, table.left, lefts), Standing::new(clock, table.left - 1, lefts)]
    }

    /// Begins anew with another position, in the same room.
    pub(super) fn begin(&mut self, table: &Table, clock: &Clock, rng: &mut Rng) {
        self.table = *table;
        self.standings = Outlook::standings(table, clock);
        self.lines.clear();
        if table.pushed {
            self.lines.push(Outlook::line(table, None));
        } else {
            for push in table.ground.pushes() {
                self.lines.push(Outlook::line(table, Some(push)));
            }
        }
        self.order.clear();
        self.order.extend(0..PUSHES as u8);
        rng.shuffle(&mut self.order);
    }

    fn line(table: &Table, push: Option<Push>) -> Line {
        let mut line = Line {
            push,
            ground: table.ground,
            reach: 0,
            arrival: None,
            target: table.target().unwrap_or(table.home.index()),
            lie: [0; TREASURES],
            pawns: [table.pawn; RIVALS],
            replies: [0; PUSHES],
            count: 0,
            likely: [0.0; PUSHES],
            seen: 0,
            weight: 0.0,
            reached: [0.0; CELLS],
            onward: 0.0,
            theirs: [0.0; RIVALS],
        };
        let mut pawn = table.pawn;
        let carry = |place: usize| push.map_or(place, |push| moved(push.entry, place));
        if let Some(push) = push {
            line.ground = table.ground.after(push);
            line.target = moved(push.entry, line.target);
            pawn = push.entry.carried_pawn(pawn);
        }
        for (lie, &place) in line.lie.iter_mut().zip(&table.places) {
            *lie = 1 << carry(place as usize);
        }
        for (pawn, rival) in line.pawns.iter_mut().zip(table.rivals()) {
            *pawn = push.map_or(rival.pawn, |push| push.entry.carried_pawn(rival.pawn));
        }
        line.reach = line.ground.paths().region(pawn);
        line.arrival = (line.reach >> line.target & 1 == 1).then(|| Cell::new(line.target));
        line.count = line.ground.reaches(line.pawns[0], &mut line.replies);
        if table.seats == 2 {
            likely_replies(&mut line, &table.rivals[0].goal);
        }
        line
    }

    /// Whether nothing more can be learned of a line.
    pub(super) fn is_done(&self, line: usize) -> bool {
        self.table.seats == 2 && self.lines[line].seen >= PUSHES
    }

    /// Looks at one more way in which the others may go on after a line; answers false if there is none.
    pub(super) fn look(&mut self, at: usize, rng: &mut Rng) -> bool {
        let table = &self.table;
        let line = &mut self.lines[at];
        let mut entries = [None; RIVALS];
        let mut ground = line.ground;
        let mut weight = 1.0;
        let mut theirs = [0.0; RIVALS];
        if table.seats == 2 {
            let reply = loop {
                if line.seen >= PUSHES {
                    return false;
                }
                let reply = self.order[line.seen] as usize;
                line.seen += 1;
                if reply < line.count {
                    break reply;
                }
            };
            let union = line.replies[..line.count].iter().fold(0, |all, &one| all | one);
            theirs[0] = among(&table.rivals[0].goal, &line.lie, union);
            weight = line.likely[reply];
            let push = line.ground.pushes().nth(reply).expect("a push that was counted");
            ground = ground.after(push);
            entries[0] = Some(push.entry);
        } else {
            line.seen += 1;
            let mut pawns = line.pawns;
            let mut replies = [0; PUSHES];
            for (i, rival) in table.rivals().iter().enumerate() {
                let count = if i == 0 {
                    replies = line.replies;
                    line.count
                } else {
                    ground.reaches(pawns[i], &mut replies)
                };
                let union = replies[..count].iter().fold(0, |all, &one| all | one);
                let back = entries[..i].iter().rev().flatten().fold(union, |set, &entry| tiles_before(entry, set));
                theirs[i] = among(&rival.goal, &line.lie, back);
                let wanted = draw(&rival.goal, &line.lie, rng);
                let wanted = entries[..i].iter().flatten().fold(wanted, |place, &entry| moved(entry, place));
                let reply = pick(&replies[..count], wanted, rng);
                let push = ground.pushes().nth(reply).expect("a push that was counted");
                ground = ground.after(push);
                entries[i] = Some(push.entry);
                for pawn in &mut pawns[i + 1..] {
                    *pawn = push.entry.carried_pawn(*pawn);
                }
            }
        }
        line.weight += weight;
        for (sum, chance) in line.theirs.iter_mut().zip(theirs) {
            *sum += weight * chance;
        }
        let entries = || entries.iter().flatten();
        let target = entries().fold(line.target, |place, &entry| moved(entry, place));
        let from = ground.a_turn_from(target);
        let from = entries().rev().fold(from, |set, &entry| pawns_before(entry, set));
        for cell in cells(from & line.reach) {
            line.reached[cell.index()] += weight;
        }
        if let Some((cell, then)) = line.arrival.zip(table.then.as_ref()) {
            let cell = entries().fold(cell, |cell, entry| entry.carried_pawn(cell));
            let reached = ground.within_a_turn(cell);
            let reached = entries().rev().fold(reached, |set, &entry: &Entry| tiles_before(entry, set));
            line.onward += weight * among(then, &line.lie, reached);
        }
        true
    }

    /// The winning chance of who ends this turn on `cell` after a line.
    pub(super) fn chance(&self, line: usize, cell: Cell) -> f64 {
        let line = &self.lines[line];
        let standing = &self.standings[usize::from(line.arrival == Some(cell))];
        standing.chance(line.next(cell), &line.theirs())
    }

    /// The best cell to end a line on, and the winning chance there.
    pub(super) fn best(&self, line: usize) -> (Cell, f64) {
        let reach = self.lines[line].reach;
        let first = Cell::new(reach.trailing_zeros() as usize);
        cells(reach).fold((first, f64::NEG_INFINITY), |best, cell| {
            let chance = self.chance(line, cell);
            if chance > best.1 { (cell, chance) } else { best }
        })
    }
}

/// How likely the other makes each push: one of those that bring it to its goal, if there are such, else any.
fn likely_replies(line: &mut Line, goal: &Goal) {
    let any = 1.0 / line.count as f64;
    let replies = &line.replies[..line.count];
    let mut share = |weight: f64, at: u64| {
        let ways = replies.iter().filter(|&&reached| reached & at != 0).count();
        for (likely, &reached) in line.likely.iter_mut().zip(replies) {
            *likely += weight
                * match ways {
                    0 => any,
                    _ => f64::from(reached & at != 0) / ways as f64,
                };
        }
    };
    match goal {
        Goal::Home(home) => share(1.0, home.bit()),
        Goal::Card(weights) => {
            for (&weight, &at) in weights.iter().zip(&line.lie).filter(|&(&weight, _)| weight > 0.0) {
                share(weight, at);
            }
        }
    }
}

/// Where a player may want to go, as a place.
fn draw(goal: &Goal, lie: &[u64; TREASURES], rng: &mut Rng) -> usize {
    match goal {
        Goal::Home(home) => home.index(),
        Goal::Card(weights) => {
            let mut drawn = rng.unit();
            let mut place = 0;
            for (&weight, &at) in weights.iter().zip(lie).filter(|&(&weight, _)| weight > 0.0) {
                place = at.trailing_zeros() as usize;
                drawn -= weight;
                if drawn < 0.0 {
                    break;
                }
            }
            place
        }
    }
}

/// One of the pushes that lead to `place`, or any if none does.
fn pick(replies: &[u64], place: usize, rng: &mut Rng) -> usize {
    let ways = replies.iter().filter(|&&reached| reached >> place & 1 == 1).count();
    if ways == 0 {
        return rng.index(replies.len());
    }
    let nth = rng.index(ways);
    let leads = |&(_, &reached): &(usize, &u64)| reached >> place & 1 == 1;
    replies.iter().enumerate().filter(leads).nth(nth).map_or(0, |(i, _)| i)
}
