//! The game with its options, and how it starts.

use crate::action::House;
use crate::board::{MOST_SEEDS, Row};
use crate::state::{Phase, State};
use ranka_core::{Error, Game, GameInfo, Param, Params, Rng, Seat};

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
pub enum EndRule {
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
    pub end: EndRule,
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
        end: EndRule::EitherEmpty,
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
        minutes: 5,
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
            end: if options.text("end") == "mover-empty" {
                EndRule::MoverEmpty
            } else {
                EndRule::EitherEmpty
            },
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
