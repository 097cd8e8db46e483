//! The game with its options, how it starts, and what each seat may see.

use crate::action::Action;
use crate::cards::Cards;
use crate::deal::{self, Shuffle};
use crate::maze::Cell;
use crate::state::{NOWHERE, Phase, State};
use crate::tile::TREASURES;
use crate::view::View;
use ranka_core::{Error, Game, GameInfo, MAX_SEATS, Param, Params, Rng, Seat};

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
        minutes: 20,
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
