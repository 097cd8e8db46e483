//! The rules: options, state, actions, outcome.

use crate::board::Board;
use crate::cards::{Card, Cards};
use crate::deal::{self, Shuffle};
use crate::maze::{Cell, ENTRIES, Entry};
use crate::tile::TREASURES;
use crate::view::View;
use ranka_core::{Actor, Error, Game, GameInfo, MAX_SEATS, Outcome, Param, Params, Position, Rng, Seat};

/// The options that a position does not show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Whether one must walk home after the last treasure. Without it the last treasure wins.
    pub return_home: bool,
    /// A game that reaches this many actions is drawn; 0 for no such end.
    pub ply_cap: u16,
}

/// Labyrinth with its options chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Labyrinth {
    players: usize,
    cards_each: usize,
    homes: [Cell; MAX_SEATS],
    first: Option<Seat>,
    shuffle: Shuffle,
    pub(crate) open_hands: bool,
    pub(crate) rules: Rules,
}

impl Game for Labyrinth {
    type Action = Action;
    type State = State;
    type View = View;

    const INFO: GameInfo = GameInfo {
        name: "labyrinth",
        title: "Labyrinth",
        japanese: "ラビリンス",
        summary: "The board shifts every turn, the others' goals are hidden, and so are one's own next ones.",
        how: "Push the extra tile into a row or column that can slide, then walk as far as the corridors lead. Find the treasures of your cards one after the other and return home first.",
        seats: (2, 4),
        sparring: "static",
        adaptive: None,
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![
            Param::int("players", 2, 4, "2", "how many play"),
            Param::switch("return-home", true, "after the last treasure one must end a turn at home to win")
                .once_snake(),
            Param::choice(
                "cards-per-player",
                &["all", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
                "cards dealt to each; all shares out the 24",
            )
            .once_snake(),
            Param::choice(
                "shuffle",
                deal::SHUFFLES,
                "tiles as they fall, or repaired until no region is larger and the homes are shut in",
            ),
            Param::switch("open-hands", false, "everybody sees all cards").once_snake(),
            Param::int("ply-cap", 0, 60_000, "400", "actions until the game is drawn; 0 for never")
                .once_snake(),
            Param::text(
                "homes",
                "auto",
                "a corner for each seat, clockwise from 0 top left: 20 is bottom right, then top left",
            ),
            Param::choice("first", &["0", "1", "2", "3", "random"], "the seat that begins"),
        ]
    }

    fn new(options: &Params) -> Result<Labyrinth, Error> {
        let players = options.int("players") as usize;
        let cards_each = match options.text("cards-per-player") {
            "all" => TREASURES / players,
            _ => options.int("cards-per-player") as usize,
        };
        if cards_each * players > TREASURES {
            return Err(Error::input(format!(
                "cards-per-player={cards_each} with players={players}: there are only {TREASURES} cards"
            )));
        }
        let first = match options.text("first") {
            "random" => None,
            _ => Some(options.int("first") as usize),
        };
        if let Some(first) = first.filter(|&first| first >= players) {
            return Err(Error::input(format!("first={first} with players={players}: no such seat")));
        }
        Ok(Labyrinth {
            players,
            cards_each,
            homes: homes(options.text("homes"), players)?,
            first: first.map(Seat::new),
            shuffle: Shuffle::named(options.text("shuffle")),
            open_hands: options.on("open-hands"),
            rules: Rules { return_home: options.on("return-home"), ply_cap: options.int("ply-cap") as u16 },
        })
    }

    fn seats(&self) -> usize {
        self.players
    }

    fn start(&self, deal: &mut Rng) -> State {
        let board = self.shuffle.board(deal);
        let deck = deal::deck(deal);
        let hands = deck.chunks(self.cards_each).take(self.players);
        let mover = self.first.unwrap_or_else(|| Seat::new(deal.index(self.players)));
        State {
            board,
            pawns: self.homes,
            homes: self.homes,
            cards: Cards::new(hands.map(|pile| (&[][..], pile))),
            last: None,
            mover,
            phase: Phase::Push,
            seats: self.players as u8,
            ply: (self.rules.ply_cap > 0).then_some(0),
            rules: self.rules,
        }
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View::of(state, seat, self.open_hands)
    }

    fn unveiled(&self, state: &State, seat: Seat) -> View {
        View::of(state, seat, true)
    }

    fn onlooker(&self, state: &State) -> Option<View> {
        Some(View::of_onlooker(state, self.open_hands))
    }

    /// Who finds a treasure turns the next card over.
    fn reveals(&self, state: &State, action: Action) -> bool {
        matches!(action, Action::Move(cell) if state.target(state.mover()) == Some(cell))
    }
}

/// Reads a corner for each seat; by default two sit opposite, and more go clockwise from the top left.
fn homes(text: &str, players: usize) -> Result<[Cell; MAX_SEATS], Error> {
    let text = match text {
        "auto" if players == 2 => "02",
        "auto" => &"0123"[..players],
        text => text,
    };
    let corners: Vec<usize> = text.bytes().map(|digit| digit.wrapping_sub(b'0') as usize).collect();
    let known = corners.iter().all(|&corner| corner < Cell::CORNERS.len());
    let different = (1..corners.len()).all(|i| !corners[..i].contains(&corners[i]));
    if corners.len() != players || !known || !different {
        return Err(Error::input(format!(
            "homes={text}: expected auto or {players} different digits 0..3, the corners clockwise from the top left"
        )));
    }
    let mut homes = [NOWHERE; MAX_SEATS];
    for (home, corner) in homes.iter_mut().zip(corners) {
        *home = Cell::CORNERS[corner];
    }
    Ok(homes)
}

/// The pawn and home of a seat that nobody has.
pub(crate) const NOWHERE: Cell = Cell::CORNERS[0];

/// How the extra tile is pushed in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Push {
    /// Where.
    pub entry: Entry,
    /// Turned clockwise by how many quarters, 0 to 3.
    pub rotation: u8,
}

/// One half of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// First one pushes the extra tile in.
    Push(Push),
    /// Then one walks to a cell or stays.
    Move(Cell),
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The mover must push.
    Push,
    /// The mover must say where it goes.
    Move,
    /// The game is over.
    Over,
}

/// A position. It copies in some 150 bytes, so search copies instead of taking back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) pawns: [Cell; MAX_SEATS],
    pub(crate) homes: [Cell; MAX_SEATS],
    pub(crate) cards: Cards,
    pub(crate) last: Option<Entry>,
    pub(crate) mover: Seat,
    pub(crate) phase: Phase,
    pub(crate) seats: u8,
    /// Actions so far; nothing where nobody counts, and then no cap is ever reached.
    pub(crate) ply: Option<u16>,
    pub(crate) rules: Rules,
}

impl State {
    /// Tiles and corridors.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where a seat's pawn stands.
    #[inline]
    pub fn pawn(&self, seat: Seat) -> Cell {
        self.pawns[seat.index()]
    }

    /// Where a seat began and must return to.
    #[inline]
    pub fn home(&self, seat: Seat) -> Cell {
        self.homes[seat.index()]
    }

    /// Everybody's cards.
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// The entry of the push before.
    pub fn last(&self) -> Option<Entry> {
        self.last
    }

    /// Whose turn it is; when over, whose turn ended the game.
    #[inline]
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// What is asked for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The entry that would take the last push back.
    #[inline]
    pub fn forbidden(&self) -> Option<Entry> {
        self.last.map(Entry::opposite)
    }

    /// The cells that the mover can reach as the board lies.
    #[inline]
    pub fn reach(&self) -> u64 {
        self.board.paths().region(self.pawn(self.mover))
    }

    /// Where a seat wants to be: at its current treasure, or at home when it has found all. Nothing while that
    /// treasure is on the extra tile or the card is not known.
    pub fn target(&self, seat: Seat) -> Option<Cell> {
        match self.cards.current(seat) {
            None => Some(self.home(seat)),
            Some(card) => self.board.find(card.treasure()?),
        }
    }

    /// Whether the game is won by the seat whose turn has just ended.
    pub(crate) fn is_won(&self) -> bool {
        let at_home = !self.rules.return_home || self.pawn(self.mover) == self.home(self.mover);
        at_home && self.cards.current(self.mover).is_none()
    }

    pub(crate) fn is_capped(&self) -> bool {
        self.ply.is_some_and(|ply| ply >= self.rules.ply_cap)
    }

    #[inline]
    fn end_turn(&mut self) {
        let treasure = self.cards.current(self.mover).and_then(Card::treasure);
        let collects = treasure.is_some() && self.board.tile(self.pawn(self.mover)).treasure() == treasure;
        if collects {
            self.cards.collect(self.mover);
        }
        // A treasure never lies at home, so it and the way home take two turns.
        if self.is_won() {
            self.phase = Phase::Over;
        } else if !self.is_capped() {
            self.mover = self.mover.next(self.seats());
            self.phase = Phase::Push;
        }
    }

    /// The pushes that differ, in standard order.
    fn pushes(&self) -> impl Iterator<Item = Push> {
        let (forbidden, rotations) = (self.forbidden(), self.board.extra().shape().rotations());
        Entry::all()
            .filter(move |&entry| Some(entry) != forbidden)
            .flat_map(move |entry| (0..rotations).map(move |rotation| Push { entry, rotation }))
    }
}

impl Position for State {
    type Action = Action;

    #[inline]
    fn seats(&self) -> usize {
        self.seats as usize
    }

    #[inline]
    fn actor(&self) -> Actor {
        if self.phase == Phase::Over { Actor::Over } else { Actor::Seat(self.mover) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        match self.phase {
            Phase::Push => out.extend(self.pushes().map(Action::Push)),
            Phase::Move => {
                let walk = self.board.paths().walk(self.pawn(self.mover));
                out.extend(walk.iter().map(|&cell| Action::Move(cell)));
            }
            Phase::Over => {}
        }
    }

    /// A straight looks the same after half a turn. Only one of the two spellings is listed.
    fn unlisted(&self, out: &mut Vec<Action>) {
        if self.phase == Phase::Push && self.board.extra().shape().rotations() == 2 {
            let turned = |push: Push| Push { rotation: push.rotation + 2, ..push };
            out.extend(self.pushes().map(|push| Action::Push(turned(push))));
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.ply = self.ply.map(|ply| ply + 1);
        match action {
            Action::Push(Push { entry, rotation }) => {
                self.board.push(entry, rotation);
                for pawn in &mut self.pawns[..self.seats as usize] {
                    *pawn = entry.carried_pawn(*pawn);
                }
                self.last = Some(entry);
                self.phase = Phase::Move;
            }
            Action::Move(cell) => {
                self.pawns[self.mover.index()] = cell;
                self.end_turn();
            }
        }
        if self.is_capped() {
            self.phase = Phase::Over;
        }
    }

    fn outcome(&self) -> Outcome {
        if self.is_won() { Outcome::win(self.mover, self.seats()) } else { Outcome::draw(self.seats()) }
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        match (self.phase, action) {
            (Phase::Push, Action::Push(push)) => push.rotation < 4 && Some(push.entry) != self.forbidden(),
            (Phase::Move, Action::Move(cell)) => self.reach() & cell.bit() != 0,
            _ => false,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        if self.phase == Phase::Push {
            let rotations = u32::from(self.board.extra().shape().rotations());
            let entries = ENTRIES - usize::from(self.last.is_some());
            let drawn = rng.below(entries as u32 * rotations);
            let mut entry = (drawn / rotations) as usize;
            entry += usize::from(self.forbidden().is_some_and(|forbidden| entry >= forbidden.index()));
            return Action::Push(Push { entry: Entry::new(entry), rotation: (drawn % rotations) as u8 });
        }
        let mut reach = self.reach();
        for _ in 0..rng.below(reach.count_ones()) {
            reach &= reach - 1;
        }
        Action::Move(Cell::new(reach.trailing_zeros() as usize))
    }
}
