//! The game with its options, and how it starts.

use crate::action::Action;
use crate::hand::{HAND, Hand};
use crate::state::{Parts, State};
use crate::tiles::{Colour, Tile, TileSet};
use ranka_core::{Error, Game, GameInfo, MAX_SEATS, Param, Params, Rng, Seat};

/// Tantrix Strategy with its options chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tantrix {
    /// How many play.
    pub players: usize,
    /// The colour of each seat.
    pub colours: [Colour; MAX_SEATS],
    /// Whether a space with four or more tiles around it is no longer forced.
    pub exactly3: bool,
}

impl Tantrix {
    /// The game for so many players with the usual colours.
    ///
    /// # Panics
    /// If the number is not 2 to 4.
    pub fn standard(players: usize) -> Tantrix {
        assert!((2..=MAX_SEATS).contains(&players), "2 to 4 play");
        let colours = [Colour::Red, Colour::Blue, Colour::Green, Colour::Yellow];
        Tantrix { players, colours, exactly3: false }
    }

    /// The position after this deal: six tiles to each seat in order, the rest is the bag.
    ///
    /// # Panics
    /// If a tile comes twice or there are too few to deal.
    pub fn dealt(&self, deck: &[Tile]) -> State {
        let all: TileSet = deck.iter().copied().collect();
        assert_eq!(all.len(), deck.len(), "a tile comes twice");
        assert!(deck.len() >= HAND * self.players, "too few tiles to deal");
        let (dealt, bag) = deck.split_at(HAND * self.players);
        let mut hands = [Hand::EMPTY; MAX_SEATS];
        for (hand, tiles) in hands.iter_mut().zip(dealt.chunks(HAND)) {
            tiles.iter().for_each(|&tile| hand.push(tile));
        }
        let parts = Parts {
            board: &[],
            hands: &hands[..self.players],
            bag: bag.iter().copied().collect(),
            colours: &self.colours[..self.players],
            mover: Seat::FIRST,
            freed: false,
            drawing: false,
            exactly3: self.exactly3,
        };
        State::assemble(&parts).expect("an empty board has no misplaced tile")
    }
}

impl Game for Tantrix {
    type Action = Action;
    type State = State;
    type View = State;

    const INFO: GameInfo = GameInfo {
        name: "tantrix",
        title: "Tantrix Strategy",
        japanese: "タントリックス",
        summary: "Tiles come from a bag, three tiles force the fourth, and whole sides stay closed.",
        how: "Place a tile from your hand so that touching lines have the same colour. A space with tiles on three sides is forced: who holds a tile for it must fill it before and after the own move. The longest line in your colour scores, a loop double.",
        seats: (2, 4),
        minutes: 20,
        sparring: "darwin",
        adaptive: None,
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![
            Param::int("players", 2, MAX_SEATS as i64, "2", "how many play"),
            Param::text("colours", "RBGY", "the letters of the seats' colours in order: B, G, R, Y"),
            Param::switch("exactly3", false, "a space among four or more tiles is not forced"),
        ]
    }

    fn new(options: &Params) -> Result<Tantrix, Error> {
        let players = options.int("players") as usize;
        let text = options.text("colours");
        let refuse = |problem: String| Error::input(format!("colours={text}: {problem}"));
        let mut colours = Vec::new();
        for letter in text.chars().filter(|&c| c != ',' && c != ' ') {
            let colour = Colour::from_letter(letter)
                .ok_or_else(|| refuse(format!("{letter:?} is no colour: B, G, R or Y")))?;
            if colours.contains(&colour) {
                return Err(refuse(format!("{letter} is given twice")));
            }
            colours.push(colour);
        }
        if colours.len() < players {
            return Err(refuse(format!("{players} players need {players} colours")));
        }
        let mut game = Tantrix { exactly3: options.on("exactly3"), ..Tantrix::standard(players) };
        game.colours[..players].copy_from_slice(&colours[..players]);
        Ok(game)
    }

    fn seats(&self) -> usize {
        self.players
    }

    fn start(&self, deal: &mut Rng) -> State {
        let mut deck: Vec<Tile> = Tile::all().collect();
        deal.shuffle(&mut deck);
        self.dealt(&deck)
    }

    fn view(&self, state: &State, _seat: Seat) -> State {
        state.clone()
    }
}
