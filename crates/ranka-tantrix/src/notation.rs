//! `board=… hands=… bag=… colours=… mover=… freed=… phase=…`, and `38@-2,1/1` or `draw:42`.

use crate::action::{Action, Deed, Placement};
use crate::hand::{HAND, Hand};
use crate::hex::{Hex, REACH};
use crate::rules::Tantrix;
use crate::state::{Parts, Phase, State};
use crate::tiles::{Colour, TILES, Tile, TileSet};
use ranka_core::{MAX_SEATS, Notation, NotationError, Position, Scanner, Seat};
use std::fmt::{Display, Write as _};

impl Notation for Tantrix {
    fn write_state(&self, state: &State) -> String {
        written(state)
    }

    /// Reads a position. All tiles on the board must match; the phase must be the one that the rules give. Tiles
    /// that are named nowhere are out of the game, so that small problems can be written down.
    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let mut reader = Reader { scan: Scanner::new(text), seen: TileSet::NONE };
        let position = reader.position(self)?;
        reader.scan.end()?;
        Ok(position)
    }

    fn write_view(&self, view: &State, _seat: Seat) -> String {
        written(view)
    }

    fn read_view(&self, text: &str, _seat: Seat) -> Result<State, NotationError> {
        self.read_state(text)
    }

    fn write_action(&self, action: Action) -> String {
        action.to_string()
    }

    /// Reads an action; the `F` that some records write before forced fills is taken too.
    fn read_action(&self, text: &str) -> Result<Action, NotationError> {
        let mut scan = Scanner::new(text);
        let action = if scan.accept("draw:") {
            Action::draw(tile(&mut scan)?)
        } else {
            scan.accept("F");
            let Placement { tile, rotation, at } = placement(&mut scan)?;
            Action::place(tile, rotation, at)
        };
        scan.end()?;
        Ok(action)
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[("38@-2,1/1", "places tile 38 of your hand at -2,1, turned by 1 sixth")]
    }

    fn why_illegal(&self, view: &State, action: Action) -> String {
        match action.deed() {
            Deed::Draw(_) => "a tile is to be placed, not drawn".to_owned(),
            Deed::Place(placement) => view.objection(placement).unwrap_or_default(),
        }
    }
}

/// The position on one line.
pub(crate) fn written(state: &State) -> String {
    let seats = || Seat::all(state.seats());
    let mut out = format!("board={}", list(";", state.played()));
    let hands: Vec<String> = seats().map(|seat| list(",", state.hand(seat))).collect();
    let _ = write!(out, " hands={} bag={}", hands.join(";"), list(",", state.bag().iter()));
    let colours: Vec<char> = seats().map(|seat| state.colour(seat).letter()).collect();
    let _ = write!(out, " colours={}", list(",", colours));
    let _ = write!(
        out,
        " mover={} freed={} phase={}",
        state.mover(),
        u8::from(state.freed()),
        state.phase().name()
    );
    out
}

fn list<T: Display>(separator: &str, items: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(separator) }
}

fn tile(scan: &mut Scanner<'_>) -> Result<Tile, NotationError> {
    Ok(Tile::new(scan.number("a tile", 1, TILES as u32)? as usize))
}

fn coordinate(scan: &mut Scanner<'_>, what: &str) -> Result<i8, NotationError> {
    let place = scan.place();
    let negative = scan.accept("-");
    let number = scan.number(what, 0, REACH as u32)? as i8;
    if negative && number == 0 {
        return Err(scan.error_at(place, format!("{what} is -0: write 0")));
    }
    Ok(if negative { -number } else { number })
}

fn placement(scan: &mut Scanner<'_>) -> Result<Placement, NotationError> {
    let tile = tile(scan)?;
    scan.expect("@")?;
    let q = coordinate(scan, "q")?;
    scan.expect(",")?;
    let r = coordinate(scan, "r")?;
    scan.expect("/")?;
    let rotation = scan.number("the rotation", 0, 5)? as u8;
    Ok(Placement { tile, rotation, at: Hex::new(q, r) })
}

struct Reader<'a> {
    scan: Scanner<'a>,
    seen: TileSet,
}

impl Reader<'_> {
    fn position(&mut self, game: &Tantrix) -> Result<State, NotationError> {
        let (board, places) = self.board()?;
        self.scan.expect(" hands=")?;
        let hands_place = self.scan.place();
        let mut hands = vec![self.hand()?];
        while self.scan.accept(";") {
            hands.push(self.hand()?);
        }
        // The position shows how many play, whatever the game's options say.
        if !(2..=MAX_SEATS).contains(&hands.len()) {
            let problem = format!("{} hands: 2 to {MAX_SEATS} play", hands.len());
            return Err(self.scan.error_at(hands_place, problem));
        }
        self.scan.expect(" bag=")?;
        let bag = self.bag()?;
        self.scan.expect(" colours=")?;
        let colours = self.colours(hands.len())?;
        self.scan.expect(" mover=")?;
        let mover_place = self.scan.place();
        let mover = Seat::new(self.scan.number("the mover", 0, hands.len() as u32 - 1)? as usize);
        self.scan.expect(" freed=")?;
        let freed = self.scan.number("freed", 0, 1)? == 1;
        self.scan.expect(" phase=")?;
        let phase_place = self.scan.place();
        let phase = [Phase::Draw, Phase::Forced, Phase::Free, Phase::Over]
            .into_iter()
            .find(|phase| self.scan.accept(phase.name()))
            .ok_or_else(|| self.scan.error("expected the phase: draw, forced, free or over"))?;

        let drawing = phase == Phase::Draw;
        if drawing && (board.is_empty() || bag.is_empty() || hands[mover.index()].len() == HAND) {
            let problem = "nothing is drawn before the first tile, from an empty bag or to a full hand";
            return Err(self.scan.error_at(phase_place, problem));
        }
        let exactly3 = game.exactly3;
        let parts =
            Parts { board: &board, hands: &hands, bag, colours: &colours, mover, freed, drawing, exactly3 };
        let state = State::assemble(&parts).map_err(|number| {
            let problem = if number == 0 {
                "the first tile lies at 0,0".to_owned()
            } else {
                format!("tile {} does not lie beside another with matching edges", board[number].tile)
            };
            self.scan.error_at(places[number], problem)
        })?;
        if (state.mover(), state.freed()) != (mover, freed) {
            let problem = format!(
                "seat {mover} can do nothing: mover={} freed={} phase={}",
                state.mover(),
                u8::from(state.freed()),
                state.phase().name()
            );
            return Err(self.scan.error_at(mover_place, problem));
        }
        if state.phase() != phase {
            let problem = format!("by the rules the phase is {}", state.phase().name());
            return Err(self.scan.error_at(phase_place, problem));
        }
        Ok(state)
    }

    /// A tile that was not named before.
    fn new_tile(&mut self, tile: Tile, place: usize) -> Result<Tile, NotationError> {
        if self.seen.has(tile) {
            return Err(self.scan.error_at(place, format!("tile {tile} is named twice")));
        }
        self.seen = self.seen.with(tile);
        Ok(tile)
    }

    fn tile(&mut self) -> Result<Tile, NotationError> {
        let place = self.scan.place();
        let tile = tile(&mut self.scan)?;
        self.new_tile(tile, place)
    }

    /// The placements, and where each is written.
    fn board(&mut self) -> Result<(Vec<Placement>, Vec<usize>), NotationError> {
        self.scan.expect("board=")?;
        let (mut board, mut places) = (Vec::new(), Vec::new());
        if self.scan.accept("-") {
            return Ok((board, places));
        }
        loop {
            places.push(self.scan.place());
            let placement = placement(&mut self.scan)?;
            self.new_tile(placement.tile, places[places.len() - 1])?;
            board.push(placement);
            if !self.scan.accept(";") {
                return Ok((board, places));
            }
        }
    }

    fn hand(&mut self) -> Result<Hand, NotationError> {
        let mut hand = Hand::EMPTY;
        if self.scan.accept("-") {
            return Ok(hand);
        }
        let place = self.scan.place();
        loop {
            let tile = self.tile()?;
            if hand.len() == HAND {
                return Err(self.scan.error_at(place, format!("a hand has at most {HAND} tiles")));
            }
            hand.push(tile);
            if !self.scan.accept(",") {
                return Ok(hand);
            }
        }
    }

    fn bag(&mut self) -> Result<TileSet, NotationError> {
        let mut bag = TileSet::NONE;
        if self.scan.accept("-") {
            return Ok(bag);
        }
        let mut last = 0;
        loop {
            let place = self.scan.place();
            let tile = self.tile()?;
            if tile.number() < last {
                return Err(self.scan.error_at(place, "the bag is written in ascending order"));
            }
            last = tile.number();
            bag = bag.with(tile);
            if !self.scan.accept(",") {
                return Ok(bag);
            }
        }
    }

    fn colours(&mut self, seats: usize) -> Result<Vec<Colour>, NotationError> {
        let mut colours = Vec::new();
        for seat in 0..seats {
            if seat > 0 {
                self.scan.expect(",")?;
            }
            let colour = Colour::ALL
                .into_iter()
                .find(|colour| self.scan.accept(&colour.letter().to_string()))
                .ok_or_else(|| {
                    self.scan.error(format!("expected the colour of seat {seat}: B, G, R or Y"))
                })?;
            if colours.contains(&colour) {
                return Err(self.scan.error(format!("{} is given twice", colour.name())));
            }
            colours.push(colour);
        }
        Ok(colours)
    }
}
