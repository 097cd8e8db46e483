//! `tiles=… extra=… pawns=… homes=… cards=… found=… last=… mover=… phase=… [ply=…]`, all on one line.
//!
//! `ply`, the number of actions so far, stands there only where a cap counts them; a position without it is never
//! drawn by the cap.

use crate::action::{Action, Push};
use crate::board::Board;
use crate::cards::{Card, Cards};
use crate::maze::{CELLS, Cell, ENTRIES, Entry, SIDE};
use crate::rules::Labyrinth;
use crate::state::{NOWHERE, Phase, State};
use crate::tile::{Piece, Shape, Tile, Treasure};
use crate::view::View;
use ranka_core::{Actor, MAX_SEATS, Notation, NotationError, Position, Scanner, Seat, nearest};
use std::fmt::Write as _;

impl Notation for Labyrinth {
    fn write_state(&self, state: &State) -> String {
        let mut out = String::with_capacity(640);
        out.push_str("tiles=");
        for (i, tile) in state.board.tiles().iter().enumerate() {
            let between = if i == 0 {
                ""
            } else if i % SIDE == 0 {
                "/"
            } else {
                ","
            };
            let _ = write!(out, "{between}{tile}");
        }
        let _ = write!(out, " extra={}", state.board.extra());
        let mut per_seat = |name: &str, text: &dyn Fn(Seat) -> String| {
            let all: Vec<String> = Seat::all(state.seats()).map(text).collect();
            let _ = write!(out, " {name}={}", all.join(";"));
        };
        per_seat("pawns", &|seat| state.pawn(seat).to_string());
        per_seat("homes", &|seat| state.home(seat).to_string());
        per_seat("cards", &|seat| card_names(state.cards.pile(seat)));
        per_seat("found", &|seat| card_names(state.cards.found(seat)));
        let last = state.last.map_or_else(|| "-".to_owned(), |entry| entry.index().to_string());
        let phase = phase_name(state.phase);
        let _ = write!(out, " last={last} mover={} phase={phase}", state.mover);
        if let Some(ply) = state.ply {
            let _ = write!(out, " ply={ply}");
        }
        out
    }

    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let (state, places) = self.read(text)?;
        let unknown = Seat::all(MAX_SEATS).find(|&seat| state.cards.pile(seat).contains(&Card::UNKNOWN));
        match unknown {
            Some(_) => Err(places.error(places.cards, "a full position names every card; ? is for views")),
            None => Ok(state),
        }
    }

    fn write_view(&self, view: &View, _seat: Seat) -> String {
        self.write_state(view.shown())
    }

    fn read_view(&self, text: &str, seat: Seat) -> Result<View, NotationError> {
        let (state, places) = self.read(text)?;
        if seat.index() >= state.seats() {
            return Err(places.error(places.pawns, format!("there is no {seat:?}")));
        }
        let view = View::of(&state, seat, self.open_hands);
        let blind = state.cards.current(seat) == Some(Card::UNKNOWN)
            || self.open_hands && state.cards.face_down() > 0;
        if blind {
            return Err(places.error(places.cards, format!("{seat:?} must know its current card")));
        }
        if *view.shown() != state {
            return Err(places.error(places.cards, format!("{seat:?} may not know all these cards")));
        }
        Ok(view)
    }

    fn write_action(&self, action: Action) -> String {
        match action {
            Action::Push(Push { entry, rotation }) => format!("p{}r{rotation}", entry.index()),
            Action::Move(cell) => format!("m{cell}"),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, NotationError> {
        let mut scan = Scanner::new(text);
        let action = if scan.accept("p") {
            let entry = scan.number("an entry", 0, ENTRIES as u32 - 1)?;
            scan.expect("r")?;
            let rotation = scan.number("a rotation", 0, 3)?;
            Action::Push(Push { entry: Entry::new(entry as usize), rotation: rotation as u8 })
        } else if scan.accept("m") {
            Action::Move(read_cell(&mut scan)?)
        } else {
            return Err(scan.error("expected a push like p3r2 or a move like m5,3"));
        };
        scan.end()?;
        Ok(action)
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("p3r2", "pushes the spare tile in at entry 3, turned 2 quarters to the right"),
            ("m5,3", "goes to column 5, row 3, or stays there"),
        ]
    }

    fn why_illegal(&self, view: &View, action: Action) -> String {
        let state = view.shown();
        match (state.phase, action) {
            (Phase::Push, Action::Push(push)) => format!(
                "entry {} would take back the last push, at entry {}",
                push.entry.index(),
                push.entry.opposite().index()
            ),
            (Phase::Move, Action::Move(cell)) => {
                format!("no corridor leads from {} to {cell}", state.pawn(state.mover))
            }
            (Phase::Push, _) => "the extra tile must be pushed in first".to_owned(),
            (Phase::Move, _) => "the extra tile has been pushed in; now move or stay".to_owned(),
            (Phase::Over, _) => "the game is over".to_owned(),
        }
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Push => "push",
        Phase::Move => "move",
        Phase::Over => "over",
    }
}

fn card_names(cards: &[Card]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| card.treasure().map_or("?", Treasure::name)).collect();
    if names.is_empty() { "-".to_owned() } else { names.join("+") }
}

/// Where things stood in the text, for what can be judged only when all is read.
struct Places<'a> {
    end: Scanner<'a>,
    tiles: usize,
    pawns: usize,
    cards: usize,
    last: usize,
    phase: usize,
    ply: usize,
}

impl Places<'_> {
    fn error(&self, place: usize, problem: impl Into<String>) -> NotationError {
        self.end.error_at(place, problem)
    }
}

impl Labyrinth {
    /// Reads a position in which cards may be unknown; all else must be as the rules allow.
    fn read<'a>(&self, text: &'a str) -> Result<(State, Places<'a>), NotationError> {
        let mut scan = Scanner::new(text);
        scan.expect("tiles=")?;
        let tiles_at = scan.place();
        let mut tiles = [Tile::new(Piece::CORNER, 0); CELLS];
        for (i, tile) in tiles.iter_mut().enumerate() {
            if i > 0 {
                scan.expect(if i % SIDE == 0 { "/" } else { "," })?;
            }
            *tile = read_tile(&mut scan)?;
        }
        scan.expect(" extra=")?;
        let board = Board::new(tiles, read_tile(&mut scan)?);

        scan.expect(" pawns=")?;
        let pawns_at = scan.place();
        let pawns = read_seats(&mut scan, None, read_cell)?;
        let seats = pawns.len();
        if seats < 2 {
            return Err(scan.error("at least two play"));
        }
        scan.expect(" homes=")?;
        let homes_at = scan.place();
        let homes = read_seats(&mut scan, Some(seats), read_cell)?;
        if let Some(home) = homes.iter().find(|home| !Cell::CORNERS.contains(home)) {
            return Err(scan.error_at(homes_at, format!("{home} is no corner")));
        }
        if (1..seats).any(|i| homes[..i].contains(&homes[i])) {
            return Err(scan.error_at(homes_at, "everybody has a corner of its own"));
        }

        scan.expect(" cards=")?;
        let cards_at = scan.place();
        let piles = read_seats(&mut scan, Some(seats), |scan| read_cards(scan, true))?;
        scan.expect(" found=")?;
        let found = read_seats(&mut scan, Some(seats), |scan| read_cards(scan, false))?;
        let dealt: Vec<Card> = piles.iter().chain(&found).flatten().copied().collect();
        let twice = (1..dealt.len()).find(|&i| dealt[i] != Card::UNKNOWN && dealt[..i].contains(&dealt[i]));
        if let Some(card) = twice.and_then(|i| dealt[i].treasure()) {
            return Err(scan.error_at(cards_at, format!("the card {} is there twice", card.name())));
        }
        if dealt.len() > Treasure::all().len() {
            return Err(scan.error_at(cards_at, format!("{} cards, but there are only 24", dealt.len())));
        }
        let cards = Cards::new(found.iter().zip(&piles).map(|(found, pile)| (&found[..], &pile[..])));

        scan.expect(" last=")?;
        let last_at = scan.place();
        let last = if scan.accept("-") {
            None
        } else {
            Some(Entry::new(scan.number("the entry of the last push", 0, ENTRIES as u32 - 1)? as usize))
        };
        scan.expect(" mover=")?;
        let mover = Seat::new(scan.number("the seat to move", 0, seats as u32 - 1)? as usize);
        scan.expect(" phase=")?;
        let phase_at = scan.place();
        let phase = [Phase::Push, Phase::Move, Phase::Over]
            .into_iter()
            .find(|&phase| scan.accept(phase_name(phase)))
            .ok_or_else(|| scan.error("expected push, move or over"))?;
        let ply_at = scan.place();
        let ply = if !scan.accept(" ply=") {
            None
        } else if self.rules.ply_cap == 0 {
            return Err(scan.error_at(ply_at, "there is no cap to count for (--rules ply-cap=…)"));
        } else {
            Some(scan.number("the number of actions so far", 0, u32::from(self.rules.ply_cap))? as u16)
        };
        scan.end()?;

        let for_all = |cells: &[Cell]| {
            let mut all = [NOWHERE; MAX_SEATS];
            all[..seats].copy_from_slice(cells);
            all
        };
        let state = State {
            board,
            pawns: for_all(&pawns),
            homes: for_all(&homes),
            cards,
            last,
            mover,
            phase,
            seats: seats as u8,
            ply,
            rules: self.rules,
        };
        let places = Places {
            end: scan,
            tiles: tiles_at,
            pawns: pawns_at,
            cards: cards_at,
            last: last_at,
            phase: phase_at,
            ply: ply_at,
        };
        match contradiction(&state, &places) {
            Some(error) => Err(error),
            None => Ok((state, places)),
        }
    }
}

/// Why the rules do not allow this position, if they do not.
fn contradiction(state: &State, places: &Places<'_>) -> Option<NotationError> {
    let error = |place, problem: &str| Some(places.error(place, problem));
    if let Some(problem) = state.board.contradiction() {
        return error(places.tiles, &problem);
    }
    let over = state.actor() == Actor::Over;
    if state.phase == Phase::Move && state.last.is_none() {
        return error(places.last, "who may move has pushed before: last names no entry");
    }
    if over && !state.is_won() && !state.is_capped() {
        return error(places.phase, "the game is not over: the mover has not won");
    }
    if !over && state.is_capped() {
        return error(places.ply, "the cap is reached, so the game is over");
    }
    let winner = Some(state.mover).filter(|_| over);
    let done = |&seat: &Seat| state.cards.current(seat).is_none() && Some(seat) != winner;
    if let Some(seat) = Seat::all(state.seats()).find(done).filter(|_| !state.rules.return_home) {
        let problem = format!("{seat:?} has found all its cards, so it has won (return-home=off)");
        return error(places.cards, &problem);
    }
    None
}

/// Reads something for each seat, separated by `;`.
fn read_seats<T>(
    scan: &mut Scanner<'_>,
    seats: Option<usize>,
    mut read: impl FnMut(&mut Scanner<'_>) -> Result<T, NotationError>,
) -> Result<Vec<T>, NotationError> {
    let mut all = vec![read(scan)?];
    while all.len() < seats.unwrap_or(MAX_SEATS) && scan.accept(";") {
        all.push(read(scan)?);
    }
    match seats {
        Some(seats) if all.len() < seats => {
            Err(scan.error(format!("expected \";\" and so on for {seats} seats")))
        }
        _ => Ok(all),
    }
}

fn read_cell(scan: &mut Scanner<'_>) -> Result<Cell, NotationError> {
    let x = scan.number("a column", 0, SIDE as u32 - 1)?;
    scan.expect(",")?;
    let y = scan.number("a row", 0, SIDE as u32 - 1)?;
    Ok(Cell::at(x as usize, y as usize))
}

/// Reads a pile: `-`, or names (and, in a pile, `?`) joined by `+`.
fn read_cards(scan: &mut Scanner<'_>, pile: bool) -> Result<Vec<Card>, NotationError> {
    let mut cards = Vec::new();
    if scan.accept("-") {
        return Ok(cards);
    }
    loop {
        let unknown = pile && scan.accept("?");
        cards.push(if unknown { Card::UNKNOWN } else { Card::of(read_treasure(scan)?) });
        if !scan.accept("+") {
            return Ok(cards);
        }
    }
}

fn read_treasure(scan: &mut Scanner<'_>) -> Result<Treasure, NotationError> {
    let place = scan.place();
    let name = scan.take_while(|c| c.is_ascii_alphabetic());
    Treasure::named(name).ok_or_else(|| {
        let known: Vec<&str> = Treasure::all().map(Treasure::name).collect();
        // A name is compared with all others, so an endless one must not be.
        let name = &name[..name.len().min(40)];
        let near = nearest(name, &known);
        let hint = if near.is_empty() { String::new() } else { format!(" (like {}?)", near.join(", ")) };
        scan.error_at(place, format!("expected a treasure{hint}, found {name:?}"))
    })
}

fn read_tile(scan: &mut Scanner<'_>) -> Result<Tile, NotationError> {
    let place = scan.place();
    let shape = [("I", Shape::I), ("L", Shape::L), ("T", Shape::T)]
        .into_iter()
        .find_map(|(letter, shape)| scan.accept(letter).then_some(shape))
        .ok_or_else(|| scan.error("expected a tile: I, L or T, a rotation, and :Treasure if it has one"))?;
    let rotation = scan.number("a rotation", 0, 3)? as u8;
    let piece = if scan.accept(":") {
        Piece::with(read_treasure(scan)?)
    } else {
        match shape {
            Shape::I => Piece::STRAIGHT,
            Shape::L => Piece::CORNER,
            Shape::T => return Err(scan.error("every T has a treasure: expected \":\"")),
        }
    };
    if piece.shape() != shape {
        let problem = format!("the tile with this treasure is a {:?}", piece.shape());
        return Err(scan.error_at(place, problem));
    }
    Ok(Tile::new(piece, rotation))
}
