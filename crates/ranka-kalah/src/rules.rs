//! The rules: options, state, actions, outcome.

use crate::board::{Board, Filled, MOST_SEEDS, Row, Sown};
use ranka_core::{Actor, Error, Game, GameInfo, Keyed, Outcome, Param, Params, Position, Rng, Seat};

/// The most houses a side may have.
pub(crate) const MOST_HOUSES: usize = 12;

/// The most seeds a house may hold at the start.
const MOST_SEEDS_A_HOUSE: u32 = 20;

/// When the last seed, fallen into an own empty house, is banked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Capture {
    /// Only together with seeds in the opposite house.
    Nonempty,
    /// Even if the opposite house is empty.
    Always,
}

/// When the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum End {
    /// As soon as either row is empty.
    EitherEmpty,
    /// When the side about to move has nothing.
    MoverEmpty,
}

/// Who gets the seeds that are left in the houses at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Leftover {
    /// The player on whose side they lie.
    Owner,
    /// Nobody: they stay where they are.
    None,
    /// The opponent of the player whose row is empty. Since the seeds then lie on that opponent's side, this
    /// differs from [`Owner`](Leftover::Owner) in words only.
    OpponentOfEmptied,
}

/// The options that a position does not show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Rules {
    /// When the last seed is banked.
    pub capture: Capture,
    /// When the game is over.
    pub end: End,
    /// Who gets what is left.
    pub leftover: Leftover,
    /// Whether the game stops as soon as a store holds more than half of all seeds.
    pub early_majority: bool,
    /// Whether North may swap sides after South's first turn.
    pub pie: bool,
}

impl Rules {
    /// The standard rules.
    pub const STANDARD: Rules = Rules {
        capture: Capture::Nonempty,
        end: End::EitherEmpty,
        leftover: Leftover::Owner,
        early_majority: false,
        pie: false,
    };
}

/// Kalah with its options chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kalah {
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start.
    pub seeds: u32,
    /// The other options.
    pub rules: Rules,
}

impl Kalah {
    /// Kalah(`houses`,`seeds`) by the standard rules.
    ///
    /// # Panics
    /// If the board is larger than the representation allows.
    pub fn standard(houses: usize, seeds: u32) -> Kalah {
        Kalah::with(houses, seeds, Rules::STANDARD).expect("a board within the limits")
    }

    /// Kalah(`houses`,`seeds`) by these rules.
    pub fn with(houses: usize, seeds: u32, rules: Rules) -> Result<Kalah, Error> {
        if !(1..=MOST_HOUSES).contains(&houses) {
            return Err(Error::input(format!("houses={houses}: expected 1..{MOST_HOUSES}")));
        }
        let total = 2 * houses as u64 * u64::from(seeds);
        if seeds == 0 || total > u64::from(MOST_SEEDS) {
            return Err(Error::input(format!(
                "houses={houses},seeds={seeds}: a board holds 1 to {MOST_SEEDS} seeds, this one {total}"
            )));
        }
        Ok(Kalah { houses, seeds, rules })
    }

    /// The position before the first move.
    pub fn first(&self) -> State {
        let row = u128::default().lapped(self.seeds, self.houses);
        let phase = if self.rules.pie { Phase::Opening } else { Phase::Play };
        State {
            rows: [row; 2],
            stores: [0; 2],
            houses: self.houses as u8,
            mover: Seat::FIRST,
            phase,
            rules: self.rules,
        }
    }
}

impl Game for Kalah {
    type Action = House;
    type State = State;
    type View = State;

    const INFO: GameInfo = GameInfo {
        name: "kalah",
        title: "Kalah",
        japanese: "カラハ",
        summary: "Extra turns: who moves next depends on where the last seed falls.",
        how: "Take all seeds of one of your houses and sow them one by one to the right, your store included, the other's left out. A last seed in your store gives another move; in an empty house of yours it captures with what lies opposite. When a side is empty, the rest is swept up, and more seeds win.",
        seats: (2, 2),
        sparring: "minimax",
        adaptive: Some(("select-q", "houses=4,seeds=2")),
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![
            Param::int("houses", 1, MOST_HOUSES as i64, "6", "houses a side"),
            Param::int("seeds", 1, MOST_SEEDS_A_HOUSE as i64, "4", "seeds in each house at the start"),
            Param::choice(
                "capture",
                &["nonempty", "always"],
                "bank the last seed only with a prize opposite, or always",
            ),
            Param::choice(
                "end",
                &["either-empty", "mover-empty"],
                "over when either row is empty, or when the side to move has nothing",
            )
            .once_snake(),
            Param::choice(
                "leftover",
                &["owner", "none", "opponent-of-emptied"],
                "who gets the seeds left in the houses at the end",
            )
            .once_snake(),
            Param::switch("early-majority", false, "stop once a store holds more than half of all seeds")
                .once_snake(),
            Param::switch("pie", false, "North may swap sides after South's first turn"),
        ]
    }

    fn new(options: &Params) -> Result<Kalah, Error> {
        let rules = Rules {
            capture: if options.text("capture") == "always" { Capture::Always } else { Capture::Nonempty },
            end: if options.text("end") == "mover-empty" { End::MoverEmpty } else { End::EitherEmpty },
            leftover: match options.text("leftover") {
                "none" => Leftover::None,
                "opponent-of-emptied" => Leftover::OpponentOfEmptied,
                _ => Leftover::Owner,
            },
            early_majority: options.on("early-majority"),
            pie: options.on("pie"),
        };
        Kalah::with(options.int("houses") as usize, options.int("seeds") as u32, rules)
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, _deal: &mut Rng) -> State {
        self.first()
    }

    fn view(&self, state: &State, _seat: Seat) -> State {
        *state
    }

    fn shown(&self, state: &State) -> Vec<(&'static str, String)> {
        let mut shown = vec![("houses", state.houses.to_string())];
        // A position with as many seeds as some start may come from it; others come from none.
        let (seeds, cells) = (state.total(), 2 * u32::from(state.houses));
        if seeds.is_multiple_of(cells) && seeds / cells <= MOST_SEEDS_A_HOUSE {
            shown.push(("seeds", (seeds / cells).to_string()));
        }
        shown
    }
}

/// An action: a house to sow, or the swap of the pie rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct House(u8);

impl House {
    /// The pie rule's swap; last in canonical order.
    pub const SWAP: House = House(u8::MAX);

    /// The house with this number, counted from 0 in sowing order.
    #[inline]
    pub const fn new(index: usize) -> House {
        House(index as u8)
    }

    /// Its number, counted from 0; nothing for the swap.
    #[inline]
    pub const fn index(self) -> Option<usize> {
        if self.0 == House::SWAP.0 { None } else { Some(self.0 as usize) }
    }
}

/// How far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// With the pie rule: South's first turn.
    Opening,
    /// With the pie rule: North may swap.
    Pie,
    /// The usual.
    Play,
    /// Over.
    Over,
}

/// A position. It copies in a few words, so search copies instead of taking back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) rows: [u128; 2],
    pub(crate) stores: [u16; 2],
    pub(crate) houses: u8,
    pub(crate) mover: Seat,
    pub(crate) phase: Phase,
    pub(crate) rules: Rules,
}

impl State {
    /// Houses a side.
    pub fn houses(&self) -> usize {
        self.houses as usize
    }

    /// Seeds in a house of `seat`, counted from 0 in its sowing order.
    pub fn seeds(&self, seat: Seat, house: usize) -> u32 {
        self.rows[seat.index()].seeds(house)
    }

    /// Seeds in the store of `seat`.
    pub fn store(&self, seat: Seat) -> u32 {
        u32::from(self.stores[seat.index()])
    }

    /// Own store minus the other's.
    pub fn margin(&self, seat: Seat) -> i32 {
        self.store(seat) as i32 - self.store(seat.other()) as i32
    }

    /// All seeds, in houses and stores.
    pub fn total(&self) -> u32 {
        self.in_houses() + self.store(Seat::FIRST) + self.store(Seat::SECOND)
    }

    /// The seeds still in the houses.
    pub fn in_houses(&self) -> u32 {
        self.rows[0].total() + self.rows[1].total()
    }

    /// The options that the position does not show.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The houses of the one to move, then the other's.
    pub(crate) fn board(&self) -> Board<u128> {
        let mover = self.mover.index();
        Board { own: self.rows[mover], other: self.rows[mover ^ 1] }
    }

    /// Whether half a word holds a row. Most boards are narrow, and half words are quicker.
    #[inline]
    fn is_narrow(&self) -> bool {
        self.houses() <= u64::HOUSES
    }

    #[inline]
    fn sow<R: Row>(&mut self, house: usize) -> Sown {
        let (mover, other) = (self.mover.index(), self.mover.other().index());
        let mut board = Board { own: R::narrowed(self.rows[mover]), other: R::narrowed(self.rows[other]) };
        let sown = board.sow(self.houses(), house, self.rules.capture == Capture::Always);
        self.rows[mover] = board.own.into();
        self.rows[other] = board.other.into();
        sown
    }

    /// A random action the plain way. Apart and by value, so that the quick way is small enough to stand inside the
    /// playout's loop, which can then keep the position and the generator in registers.
    #[inline(never)]
    fn pick_listed(self, mut rng: Rng, scratch: &mut Vec<House>) -> (House, Rng) {
        scratch.clear();
        self.actions(scratch);
        (rng.pick(scratch), rng)
    }

    /// Ends the game if the rules say so, with `next` about to move.
    #[inline]
    fn settle(&mut self, next: Seat) {
        let emptied = match self.rules.end {
            End::EitherEmpty => self.rows[0] == 0 || self.rows[1] == 0,
            End::MoverEmpty => self.rows[next.index()] == 0,
        };
        if emptied || (self.rules.early_majority && self.has_majority()) {
            self.finish();
        } else {
            self.mover = next;
        }
    }

    /// Whether a store holds more than half of all seeds.
    pub(crate) fn has_majority(&self) -> bool {
        u32::from(self.stores[0].max(self.stores[1])) > self.total() / 2
    }

    #[cold]
    fn finish(&mut self) {
        if self.rules.leftover != Leftover::None {
            for side in 0..2 {
                self.stores[side] += self.rows[side].total() as u16;
                self.rows[side] = 0;
            }
        }
        self.phase = Phase::Over;
        // One spelling for finished positions: who would move next no longer matters.
        self.mover = Seat::FIRST;
    }
}

impl Position for State {
    type Action = House;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn actor(&self) -> Actor {
        if self.phase == Phase::Over { Actor::Over } else { Actor::Seat(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<House>) {
        if self.phase == Phase::Over {
            return;
        }
        let row = self.rows[self.mover.index()];
        if self.is_narrow() {
            let filled = Filled::of(row as u64);
            out.extend((0..filled.count()).map(|n| House::new(filled.nth(n))));
        } else {
            out.extend((0..self.houses()).filter(|&house| row.seeds(house) > 0).map(House::new));
        }
        if self.phase == Phase::Pie {
            out.push(House::SWAP);
        }
    }

    #[inline(always)]
    fn apply(&mut self, action: House) {
        let Some(house) = action.index() else {
            self.rows.swap(0, 1);
            self.stores.swap(0, 1);
            self.phase = Phase::Play;
            self.mover = self.mover.other();
            return;
        };
        let mover = self.mover.index();
        let sown = if self.is_narrow() { self.sow::<u64>(house) } else { self.sow::<u128>(house) };
        self.stores[mover] += sown.gain as u16;
        let next = if sown.again { self.mover } else { self.mover.other() };
        if self.phase != Phase::Play {
            let opening = self.phase == Phase::Opening;
            self.phase = match (opening, sown.again) {
                (true, true) => Phase::Opening,
                (true, false) => Phase::Pie,
                _ => Phase::Play,
            };
        }
        self.settle(next);
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&self.stores.map(i32::from))
    }

    #[inline]
    fn is_legal(&self, action: House) -> bool {
        match action.index() {
            None => self.phase == Phase::Pie,
            Some(house) => {
                self.phase != Phase::Over
                    && house < self.houses()
                    && self.rows[self.mover.index()].seeds(house) > 0
            }
        }
    }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<House>) -> House {
        if !self.is_narrow() || self.phase == Phase::Pie {
            let picked;
            (picked, *rng) = self.pick_listed(rng.clone(), scratch);
            return picked;
        }
        let filled = Filled::of(self.rows[self.mover.index()] as u64);
        House::new(filled.nth(rng.below(filled.count())))
    }
}

impl Keyed for State {
    #[inline]
    fn key(&self) -> u64 {
        let rest = u64::from(self.stores[0])
            | u64::from(self.stores[1]) << 16
            | (self.phase as u64) << 32
            | (self.mover.index() as u64) << 40;
        let key = (self.board().key() ^ rest).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ (key >> 29)
    }
}
