//! What each turn leads to: how likely one reaches one's goal in the next turn, whatever the others push in between, and
//! how likely they reach theirs.

use super::ground::{Ground, PUSHES, moved, pawns_before, tiles_before};
use super::standing::Standing;
use super::table::{Goal, Table};
use crate::action::Push;
use crate::maze::{CELLS, Cell, Entry, cells};
use crate::tile::TREASURES;
use ranka_core::{MAX_SEATS, Rng};

/// The others at most.
pub(super) const RIVALS: usize = MAX_SEATS - 1;

/// One own push (or the one that was made), and what was seen after it so far.
struct Line {
    ground: Ground,
    /// The cells to which one can walk.
    reach: u64,
    /// Where one's goal is, if one can walk there.
    arrival: Option<Cell>,
    target: usize,
    /// Where each treasure lies, as a set.
    lie: [u64; TREASURES],
    pawns: [Cell; RIVALS],
    /// Where the first of the others can get by each push, and how many there are.
    replies: [u64; PUSHES],
    count: usize,
    /// With two players: how likely each push is. With more: 1, since one is drawn anew each time.
    likely: [f64; PUSHES],
    /// How likely the first of the others finds something.
    first: f64,
    /// Replies of the order that are done with, and the weight of all ways to go on that were looked at.
    seen: usize,
    weight: f64,
    /// For each cell the weight of the ways to go on in which one reaches the goal from there.
    reached: [f64; CELLS],
    /// The same from the goal, for the next one.
    onward: f64,
    /// The chances that the others find something, summed up, but for the first.
    theirs: [f64; RIVALS],
}

impl Line {
    /// How likely the goal is reached in the next turn by who ends this one on `cell`.
    fn next(&self, cell: Cell) -> f64 {
        let sum = if self.arrival == Some(cell) { self.onward } else { self.reached[cell.index()] };
        if self.weight > 0.0 { sum / self.weight } else { 0.0 }
    }

    /// How likely each of the others finds something before that.
    fn theirs(&self) -> [f64; RIVALS] {
        let mut theirs = self.theirs.map(|sum| if self.weight > 0.0 { sum / self.weight } else { 0.0 });
        theirs[0] = self.first;
        theirs
    }

    /// Leaves replies alone that nobody will give.
    fn skip(&mut self, order: &[u8; PUSHES]) {
        let unlikely = |reply: u8| self.likely[reply as usize] == 0.0;
        while self.seen < PUSHES && unlikely(order[self.seen]) {
            self.seen += 1;
        }
    }
}

/// All turns of a position.
pub(super) struct Outlook {
    table: Table,
    lines: Vec<Line>,
    /// How it stands after a turn that finds nothing, and after one that does.
    standings: [Standing; 2],
    /// With two players the order in which replies are looked at.
    order: [u8; PUSHES],
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
    pub(super) fn new(table: &Table, standings: [Standing; 2], rng: &mut Rng) -> Outlook {
        let mut order: [u8; PUSHES] = std::array::from_fn(|reply| reply as u8);
        rng.shuffle(&mut order);
        let mut lines = Vec::with_capacity(PUSHES);
        if table.pushed {
            lines.push(Outlook::line(table, None));
        } else {
            lines.extend(table.ground.pushes().map(|push| Outlook::line(table, Some(push))));
        }
        lines.iter_mut().for_each(|line| line.skip(&order));
        Outlook { table: *table, lines, standings, order }
    }

    /// How many lines there are: the pushes in standard order, or the one that was made.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    fn line(table: &Table, push: Option<Push>) -> Line {
        let mut line = Line {
            ground: table.ground,
            reach: 0,
            arrival: None,
            target: table.target,
            lie: [0; TREASURES],
            pawns: [table.pawn; RIVALS],
            replies: [0; PUSHES],
            count: 0,
            likely: [1.0; PUSHES],
            first: 0.0,
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
        let union = line.replies[..line.count].iter().fold(0, |all, &one| all | one);
        line.first = among(&table.rivals[0].goal, &line.lie, union);
        if table.seats == 2 {
            likely_replies(&mut line, &table.rivals[0].goal);
        }
        line
    }

    /// Whether nothing more can be learned of a line.
    pub(super) fn is_done(&self, line: usize) -> bool {
        self.lines[line].seen >= PUSHES
    }

    /// Looks at one more way in which the others may go on after a line that is not done.
    pub(super) fn look(&mut self, at: usize, rng: &mut Rng) {
        let table = &self.table;
        let line = &mut self.lines[at];
        let mut way =
            Way { ground: line.ground, entries: [None; RIVALS], weight: 1.0, theirs: [0.0; RIVALS] };
        if table.seats == 2 {
            let reply = self.order[line.seen] as usize;
            way.weight = line.likely[reply];
            way.push(reply);
            line.seen += 1;
            line.skip(&self.order);
        } else {
            way.draw(table, line, rng);
        }
        let Way { ground, weight, theirs, .. } = way;
        line.weight += weight;
        for (sum, chance) in line.theirs.iter_mut().zip(theirs) {
            *sum += weight * chance;
        }
        let entries = || way.entries.iter().flatten();
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
    }

    /// The winning chance of who ends this turn on `cell` after a line.
    pub(super) fn chance(&self, line: usize, cell: Cell) -> f64 {
        let (own, theirs) = self.chances(line, cell);
        self.standings[usize::from(self.lines[line].arrival == Some(cell))].chance(own, &theirs)
    }

    /// How likely who ends this turn on `cell` finds something in the next one, and each of the others before that.
    pub(super) fn chances(&self, line: usize, cell: Cell) -> (f64, [f64; RIVALS]) {
        (self.lines[line].next(cell), self.lines[line].theirs())
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

/// One way in which all the others may go on.
struct Way {
    ground: Ground,
    /// Where each of them pushed.
    entries: [Option<Entry>; RIVALS],
    weight: f64,
    /// How likely each of them found something; the first one's chance is known without this.
    theirs: [f64; RIVALS],
}

impl Way {
    /// The next one makes the push of this number.
    fn push(&mut self, number: usize) {
        let push = self.ground.pushes().nth(number).expect("a push that was counted");
        self.ground = self.ground.after(push);
        let next = self.entries.iter_mut().find(|entry| entry.is_none()).expect("one of the others");
        *next = Some(push.entry);
    }

    /// Draws what each of them is after and a push that leads there, or any if none does.
    fn draw(&mut self, table: &Table, line: &Line, rng: &mut Rng) {
        let mut replies = line.replies;
        let mut count = line.count;
        for (i, rival) in table.rivals().iter().enumerate() {
            let made = self.entries;
            let made = || made.iter().flatten();
            if i > 0 {
                let pawn = made().fold(line.pawns[i], |pawn, entry| entry.carried_pawn(pawn));
                count = self.ground.reaches(pawn, &mut replies);
                let union = replies[..count].iter().fold(0, |all, &one| all | one);
                let before = made().rev().fold(union, |set, &entry| tiles_before(entry, set));
                self.theirs[i] = among(&rival.goal, &line.lie, before);
            }
            let wanted = draw(&rival.goal, &line.lie, rng);
            let wanted = made().fold(wanted, |place, &entry| moved(entry, place));
            self.push(pick(&replies[..count], wanted, rng));
        }
    }
}

/// How likely the other makes each push: one of those that bring it to its goal, if there are such, else any.
fn likely_replies(line: &mut Line, goal: &Goal) {
    line.likely = [0.0; PUSHES];
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
