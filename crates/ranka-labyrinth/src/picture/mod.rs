//! The maze as people know it: light corridors on stone, the extra tile beside it.

mod icons;
mod sketch;

use crate::action::Action;
use crate::cards::Card;
use crate::foresight;
use crate::maze::{Cell, Entry, SIDE, cells};
use crate::rules::Labyrinth;
use crate::state::{Phase, State};
use crate::tile::{Direction, Openings, Tile, Treasure};
use crate::view::View;
use ranka_core::{Actor, Foresight, Look, Message, Picture, Position, Seat, Svg, theme};
use std::fmt::{Display, Write as _};

/// Side of a tile.
const TILE: f64 = 64.0;
/// Room for arrows and coordinates around the board.
const MARGIN: f64 = 48.0;
/// The same in a thumbnail.
const SLIM: f64 = 6.0;
/// Room beside the board for the extra tile, the card and the players.
const PANEL: f64 = 212.0;
const BOARD: f64 = TILE * SIDE as f64;

/// Stone is stone and a path a path in either theme.
const WALL: &str = "var(--stone, #a39a8a)";
const FIXED: &str = "var(--stone-fixed, #8b8170)";
const EDGE: &str = "var(--stone-edge, #6d6454)";
const PATH: &str = "var(--path, #f6efdf)";
const PATH_INK: &str = "#3a3226";

/// The name of a seat's pawn.
pub(crate) fn letter(seat: Seat) -> char {
    char::from(b'A' + seat.index() as u8)
}

const fn colour(seat: Seat) -> &'static str {
    theme::SERIES[seat.index()]
}

impl Picture for Labyrinth {
    fn picture(&self, view: &View, look: &Look, last: Option<(Seat, Action)>) -> String {
        let margin = if look.compact { SLIM } else { MARGIN };
        let drawing = Drawing { view, state: view.shown(), look, last, margin };
        drawing.draw()
    }

    fn clicks(&self, _view: &View, action: Action) -> Vec<String> {
        match action {
            Action::Push(push) => vec![entry_id(push.entry), format!("turn-{}", push.rotation)],
            Action::Move(cell) => vec![cell_id(cell)],
        }
    }

    fn sketch(&self, view: &View, _viewer: Seat) -> String {
        sketch::sketch(view)
    }

    fn ask(&self, view: &View, touched: usize) -> &'static str {
        match (view.shown().phase(), touched) {
            (Phase::Move, _) => "Choose where to go",
            (_, 0) => "Choose where to push the tile",
            _ => "Choose how the tile lies",
        }
    }

    fn foresee(&self, view: &View, action: Action) -> Foresight {
        foresight::foresee(view, action)
    }

    fn tell(&self, before: &View, action: Action, after: &View) -> Message {
        foresight::tell(before, action, after)
    }

    fn side(&self, _view: &View, seat: Seat) -> String {
        letter(seat).to_string()
    }

    fn verdict(&self, view: &View, to: Option<Seat>) -> Message {
        foresight::verdict(view, to)
    }
}

pub(crate) fn entry_id(entry: Entry) -> String {
    format!("entry-{}", entry.index())
}

/// Where a tile lies that is about to be pushed in.
pub(crate) fn outside_id(entry: Entry) -> String {
    format!("outside-{}", entry.index())
}

/// Whether the viewer is to act in this phase.
fn asks_for(view: &View, phase: Phase) -> bool {
    let state = view.shown();
    view.sits() && state.phase() == phase && state.actor() == Actor::Seat(view.seat())
}

pub(crate) fn cell_id(cell: Cell) -> String {
    format!("cell-{}-{}", cell.x(), cell.y())
}

/// How far a pawn stands to the right of the middle of its cell and below it, to make room for a treasure and other pawns.
pub(crate) fn aside(state: &State, seat: Seat) -> (i32, i32) {
    let cell = state.pawn(seat);
    let sharing = || Seat::all(state.seats()).filter(|&other| state.pawn(other) == cell);
    if sharing().count() == 1 && state.board().tile(cell).treasure().is_none() {
        return (0, 0);
    }
    let place = sharing().position(|other| other == seat).unwrap_or(0);
    [(15, 15), (-15, -15), (15, -15), (-15, 15)][place]
}

pub(crate) fn pawn_id(seat: Seat) -> String {
    format!("pawn-{}", seat.index())
}

/// The name of a movable tile that lies on a cell, or beside the board, as an attribute: the same before and after a
/// push, so that a page can let it slide. Plain tiles are all alike, so such a one is called after the turn and where
/// it lay at its beginning.
fn piece(state: &State, tile: Tile, cell: Option<Cell>) -> String {
    format!("data-piece=\"{}\"", piece_name(state, tile, cell))
}

/// The name itself.
pub(crate) fn piece_name(state: &State, tile: Tile, cell: Option<Cell>) -> String {
    if tile.treasure().is_some() {
        return format!("tile-{}", tile.piece().index());
    }
    let before = match state.last().filter(|_| state.phase() != Phase::Push) {
        None => cell,
        Some(entry) if cell == Some(entry.cell()) => None,
        Some(entry) => Some(cell.map_or(entry.far(), |cell| {
            let came_from = cells(entry.cells()).find(|&from| entry.carried(from) == Some(cell));
            came_from.unwrap_or(cell)
        })),
    };
    let place = before.map_or_else(|| "extra".to_owned(), |cell| cell.index().to_string());
    format!("tile-{}-{place}", letter(state.mover()))
}

struct Drawing<'a> {
    view: &'a View,
    state: &'a State,
    look: &'a Look,
    last: Option<(Seat, Action)>,
    margin: f64,
}

/// What makes an element one that can be touched now.
const CHOICE: &str = " class=\"choice\" role=\"button\"";

impl Drawing<'_> {
    fn draw(&self) -> String {
        let full = BOARD + 2.0 * self.margin;
        let width = if self.look.compact { full } else { full + PANEL };
        let title = match self.view.sits() {
            true => self.look.say("Labyrinth, as {0} sees it", &[&letter(self.view.seat())]),
            false => self.look.say("Labyrinth", &[]),
        };
        let mut svg = Svg::new(width, full, &title, &self.description());
        self.frame(&mut svg);
        for cell in Cell::all() {
            self.cell(&mut svg, cell);
        }
        self.trace(&mut svg);
        self.pawns(&mut svg);
        if !self.look.compact {
            for entry in Entry::all() {
                self.entry(&mut svg, entry);
            }
            self.coordinates(&mut svg);
            self.panel(&mut svg);
        }
        svg.finish()
    }

    /// Whether the viewer is to do this now.
    fn asks_for(&self, phase: Phase) -> bool {
        asks_for(self.view, phase)
    }

    fn description(&self) -> String {
        let (state, look) = (self.state, self.look);
        let player = |seat| {
            let (found, left) = (state.cards().found(seat).len(), state.cards().pile(seat).len());
            look.say(
                "Player {0} stands on {1}. Treasures found: {2}, cards left: {3}.",
                &[&letter(seat), &state.pawn(seat), &found, &left],
            )
        };
        let mover = letter(state.mover());
        let turn = match state.phase() {
            Phase::Push => look.say("{0} is to push the extra tile.", &[&mover]),
            Phase::Move => look.say("{0} has pushed and is to move.", &[&mover]),
            Phase::Over if state.outcome().score(state.mover()) == 1.0 => look.say("{0} has won.", &[&mover]),
            Phase::Over => look.say("The game is drawn.", &[]),
        };
        let players = Seat::all(state.seats()).map(player);
        let goal = self.view.sits().then(|| look.locale.tell(&goal(self.view)));
        players.chain(goal).chain([turn]).collect::<Vec<_>>().join(" ")
    }

    fn corner(&self, cell: Cell) -> (f64, f64) {
        (self.margin + TILE * cell.x() as f64, self.margin + TILE * cell.y() as f64)
    }

    fn centre(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + TILE / 2.0, y + TILE / 2.0)
    }

    fn frame(&self, svg: &mut Svg) {
        let (at, side) = (self.margin - 4.0, BOARD + 8.0);
        let style = format!("fill=\"{EDGE}\" stroke=\"{EDGE}\" stroke-width=\"2\"");
        svg.rect(at, at, side, side, 8.0, &style);
    }

    fn cell(&self, svg: &mut Svg, cell: Cell) {
        let tile = self.state.board().tile(cell);
        let reachable = self.state.phase() == Phase::Move && self.state.reach() & cell.bit() != 0;
        let choice = if reachable && self.asks_for(Phase::Move) { CHOICE } else { "" };
        svg.group(&format!("id=\"{}\"{choice}", cell_id(cell)));
        svg.title(&self.cell_title(cell, tile));
        let moves = if cell.is_static() { String::new() } else { piece(self.state, tile, Some(cell)) };
        svg.group(&moves);
        let (x, y) = self.corner(cell);
        draw_tile(svg, x, y, TILE, tile.openings(), if cell.is_static() { FIXED } else { WALL });
        if reachable {
            svg.group("opacity=\"0.32\" class=\"reach\"");
            way(svg, x, y, TILE, tile.openings(), theme::SEAL, 0.38);
            svg.close();
        }
        let (x, y) = self.centre(cell);
        if let Some(home) = self.home_of(cell) {
            let ring = format!(
                "fill=\"{}\" fill-opacity=\"0.22\" stroke=\"{}\" stroke-width=\"2.5\" stroke-dasharray=\"4 3\"",
                colour(home),
                colour(home)
            );
            svg.circle(x, y, 17.0, &ring);
            // A pawn that stands there has a letter itself.
            if Seat::all(self.state.seats()).all(|seat| self.state.pawn(seat) != cell) {
                let style = format!("text-anchor=\"middle\" font-weight=\"700\" fill=\"{}\"", colour(home));
                svg.text(x, y + 6.0, 16.0, &style, &letter(home).to_string());
            }
        }
        if let Some(treasure) = tile.treasure() {
            let wanted = Some(Card::of(treasure)) == self.state.cards().current(self.view.seat());
            medallion(svg, treasure, x, y, wanted && !self.look.compact);
        }
        svg.close();
        svg.close();
    }

    fn cell_title(&self, cell: Cell, tile: Tile) -> String {
        // Homes are in the corners, where no treasure lies.
        match (tile.treasure(), self.home_of(cell)) {
            (Some(treasure), _) => self.look.say("{0}: {1}", &[&cell, &named(treasure)]),
            (_, Some(home)) => self.look.say("{0}: home of {1}", &[&cell, &letter(home)]),
            _ => cell.to_string(),
        }
    }

    fn home_of(&self, cell: Cell) -> Option<Seat> {
        Seat::all(self.state.seats()).find(|&seat| self.state.home(seat) == cell)
    }

    /// Where the last move ended.
    fn trace(&self, svg: &mut Svg) {
        if let Some((seat, Action::Move(_))) = self.last {
            let (x, y) = self.corner(self.state.pawn(seat));
            svg.rect(x + 4.0, y + 4.0, TILE - 8.0, TILE - 8.0, 6.0, &theme::past(theme::INK));
        }
    }

    /// Pawns stand in the middle of a bare tile, and beside the treasure or each other otherwise.
    fn pawns(&self, svg: &mut Svg) {
        for seat in Seat::all(self.state.seats()) {
            let (right, down) = aside(self.state, seat);
            let (x, y) = self.centre(self.state.pawn(seat));
            let id = pawn_id(seat);
            svg.group(&format!("id=\"{id}\" data-piece=\"{id}\" pointer-events=\"none\""));
            svg.title(&self.look.say("Pawn of {0}", &[&letter(seat)]));
            pawn(svg, seat, x + f64::from(right), y + f64::from(down), 12.0);
            svg.close();
        }
    }

    fn entry(&self, svg: &mut Svg, entry: Entry) {
        let (x, y) = self.centre(entry.cell());
        let (dx, dy, turn) = match entry.direction() {
            Direction::Down => (0.0, -1.0, 180),
            Direction::Left => (1.0, 0.0, 270),
            Direction::Up => (0.0, 1.0, 0),
            Direction::Right => (-1.0, 0.0, 90),
        };
        if !self.look.compact {
            // It is not seen, and only tells where a tile comes from.
            svg.group(&format!("id=\"{}\"", outside_id(entry)));
            svg.circle(x + TILE * dx, y + TILE * dy, 1.0, "fill=\"none\"");
            svg.close();
        }
        let away = TILE / 2.0 + 17.0;
        let (x, y) = (x + away * dx, y + away * dy);
        let forbidden = self.state.phase() == Phase::Push && self.state.forbidden() == Some(entry);
        let open = self.asks_for(Phase::Push) && !forbidden;
        let last = self.state.last() == Some(entry);
        let choice = if open { CHOICE } else { "" };
        svg.group(&format!("id=\"{}\"{choice}", entry_id(entry)));
        let title = match (last, forbidden) {
            (true, _) => "Entry {0}: the last push",
            (_, true) => "Entry {0}: would take back the last push",
            _ => "Entry {0}",
        };
        svg.title(&self.look.say(title, &[&entry.index()]));
        // A larger place to touch than the arrow itself.
        svg.circle(x, y, 13.0, "fill=\"transparent\"");
        let place = format!("transform=\"translate({x} {y}) rotate({turn})\"");
        if forbidden {
            let style =
                format!("{place} stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\"", theme::LINE);
            svg.path("M-5 -5L5 5M5 -5L-5 5", &style);
        } else {
            let fill = match (last, open) {
                (true, _) => theme::SEAL,
                (_, true) => theme::INK,
                _ => theme::LINE,
            };
            let style = format!(
                "{place} fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\"2\" stroke-linejoin=\"round\""
            );
            svg.path("M-8 6L0 -6L8 6Z", &style);
        }
        svg.close();
    }

    fn coordinates(&self, svg: &mut Svg) {
        if !self.look.coordinates {
            return;
        }
        let style = format!("text-anchor=\"middle\" fill=\"{}\"", theme::QUIET);
        for i in 0..SIDE {
            let along = self.margin + TILE * (i as f64 + 0.5);
            svg.text(along, 17.0, 12.0, &style, &i.to_string());
            svg.text(9.0, along + 4.0, 12.0, &style, &i.to_string());
        }
    }

    fn panel(&self, svg: &mut Svg) {
        let x = self.margin * 2.0 + BOARD + 2.0;
        svg.group("class=\"beside\"");
        let y = self.extra(svg, x, self.margin);
        svg.close().group("class=\"beside\"");
        // Who has no seat is after nothing.
        let y = if self.view.sits() { self.card(svg, x, y + 22.0) } else { y };
        self.players(svg, x, y + 26.0);
        svg.close();
    }

    /// The extra tile, in every way in which it can be turned when the viewer is to push it. Gives where it ends.
    fn extra(&self, svg: &mut Svg, x: f64, y: f64) -> f64 {
        const SIZE: f64 = 60.0;
        const STEP: f64 = 72.0;
        heading(svg, x, y + 4.0, self.look.locale.say("Extra tile"));
        let tile = self.state.board().extra();
        let y = y + 14.0;
        let now = tile.rotation() % tile.shape().rotations();
        let turns: Vec<u8> =
            if self.asks_for(Phase::Push) { (0..tile.shape().rotations()).collect() } else { vec![now] };
        svg.group("id=\"extra\"");
        for (i, &rotation) in turns.iter().enumerate() {
            let (x, y) = (x + STEP * (i % 2) as f64, y + STEP * (i / 2) as f64);
            let choice = if self.asks_for(Phase::Push) { CHOICE } else { "" };
            // Only that which lies as it fell out is the tile itself.
            let moves =
                if rotation == now { format!(" {}", piece(self.state, tile, None)) } else { String::new() };
            svg.group(&format!("id=\"turn-{rotation}\"{moves}{choice}"));
            let turned = Tile::new(tile.piece(), rotation);
            let lies = self.look.locale.say(foresight::lies(turned));
            svg.title(&match tile.treasure() {
                None => self.look.say("The extra tile, {0}", &[&lies]),
                Some(treasure) => {
                    let words: [&dyn Display; 2] = [&named(treasure), &lies];
                    self.look.say("The extra tile with {0}, {1}", &words)
                }
            });
            let edge = format!("fill=\"{EDGE}\"");
            svg.rect(x - 2.0, y - 2.0, SIZE + 4.0, SIZE + 4.0, 6.0, &edge);
            draw_tile(svg, x, y, SIZE, turned.openings(), WALL);
            if let Some(treasure) = tile.treasure() {
                let wanted = Some(Card::of(treasure)) == self.state.cards().current(self.view.seat());
                medallion(svg, treasure, x + SIZE / 2.0, y + SIZE / 2.0, wanted);
            }
            svg.close();
        }
        svg.close();
        y + STEP * turns.len().div_ceil(2) as f64 - 12.0
    }

    /// What the viewer is after. Gives where it ends.
    fn card(&self, svg: &mut Svg, x: f64, y: f64) -> f64 {
        // Wide enough for words that a small picture writes larger than this.
        const WIDTH: f64 = 206.0;
        const HEIGHT: f64 = 74.0;
        let seat = self.view.seat();
        heading(svg, x, y + 4.0, &self.look.say("Card of {0}", &[&letter(seat)]));
        let y = y + 14.0;
        svg.group("id=\"card\"");
        svg.title(&self.look.locale.tell(&goal(self.view)));
        let style = format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", theme::PAPER, theme::SEAL);
        svg.rect(x, y, WIDTH, HEIGHT, 8.0, &style);
        let name = match self.state.cards().current(seat).map(Card::treasure) {
            Some(Some(treasure)) => {
                icon(svg, treasure, x + 33.0, y + HEIGHT / 2.0, 2.0, theme::INK);
                named(treasure)
            }
            Some(None) => "face down".to_owned(),
            None => {
                let roof = format!(
                    "fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" stroke-linejoin=\"round\" \
                     transform=\"translate({} {})\"",
                    colour(seat),
                    x + 33.0,
                    y + HEIGHT / 2.0
                );
                svg.path("M-16 0L0 -15L16 0M-11 -4V15H11V-4M-4 15V5H4V15", &roof);
                "the way home".to_owned()
            }
        };
        // A card has no article, and no room for one where the picture is small.
        let name = self.look.locale.say(&name);
        let name = name.strip_prefix("the ").unwrap_or(name);
        svg.text(x + 62.0, y + HEIGHT / 2.0 + 5.0, 14.0, &format!("fill=\"{}\"", theme::INK), name);
        svg.close();
        y + HEIGHT
    }

    fn players(&self, svg: &mut Svg, x: f64, y: f64) {
        let state = self.state;
        for (row, seat) in Seat::all(state.seats()).enumerate() {
            let y = y + 50.0 * row as f64;
            let to_move = state.actor() == Actor::Seat(seat);
            svg.group(&format!("id=\"player-{}\"", seat.index()));
            pawn(svg, seat, x + 11.0, y, 11.0);
            let left = state.cards().pile(seat).len();
            let won = state.phase() == Phase::Over && state.outcome().score(seat) == 1.0;
            let says = match left {
                _ if won => "has won",
                0 => "on the way home",
                1 => "{0} card to find",
                _ => "{0} cards to find",
            };
            let (ink, weight) = if to_move || won { (theme::SEAL, 600) } else { (theme::INK, 400) };
            let style = format!("fill=\"{ink}\" font-weight=\"{weight}\"");
            svg.text(x + 30.0, y + 5.0, 13.0, &style, &self.look.say(says, &[&left]));
            for (i, treasure) in
                state.cards().found(seat).iter().filter_map(|card| card.treasure()).enumerate()
            {
                svg.group("");
                svg.title(&self.look.say("{0} found: {1}", &[&letter(seat), &named(treasure)]));
                icon(svg, treasure, x + 9.0 + 16.5 * i as f64, y + 24.0, 0.62, theme::QUIET);
                svg.close();
            }
            self.pile(svg, seat, x, y + 24.0);
            svg.close();
        }
    }
}

impl Drawing<'_> {
    /// The cards that are still to be found, as far as they are known: after the end, everybody's.
    fn pile(&self, svg: &mut Svg, seat: Seat, x: f64, y: f64) {
        let cards = self.state.cards();
        let found = cards.found(seat).len();
        // One's own current card has a place of its own.
        let skipped = usize::from(self.view.sits() && seat == self.view.seat());
        for (i, card) in cards.pile(seat).iter().enumerate().skip(skipped) {
            let Some(treasure) = card.treasure() else { continue };
            svg.group("opacity=\"0.75\"");
            svg.title(&self.look.say("{0} was to find: {1}", &[&letter(seat), &named(treasure)]));
            icon(svg, treasure, x + 9.0 + 16.5 * (found + i) as f64, y, 0.62, theme::QUIET);
            svg.close();
        }
    }
}

fn heading(svg: &mut Svg, x: f64, y: f64, text: &str) {
    svg.text(x, y, 12.0, &format!("fill=\"{}\"", theme::QUIET), text);
}

/// What a view's seat is after.
fn goal(view: &View) -> Message {
    let seat = letter(view.seat()).to_string();
    match view.shown().cards().current(view.seat()).map(Card::treasure) {
        Some(Some(treasure)) => Message::new("{0} is looking for {1}.", [seat, named(treasure)]),
        Some(None) => Message::new("{0} is looking for something.", [seat]),
        None => Message::new("{0} has found everything and must go home.", [seat]),
    }
}

/// `KnightHelmet` as people write it: the knight helmet.
pub(crate) fn named(treasure: Treasure) -> String {
    treasure.name().chars().fold("the".to_owned(), |mut out, c| {
        if c.is_uppercase() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
        out
    })
}

/// Stone with light corridors from the middle to the open sides.
fn draw_tile(svg: &mut Svg, x: f64, y: f64, size: f64, openings: Openings, stone: &str) {
    svg.rect(x + 0.75, y + 0.75, size - 1.5, size - 1.5, 5.0, &format!("fill=\"{stone}\""));
    // The kerb first, then the way: where two tiles join, so do their ways.
    way(svg, x, y, size, openings, EDGE, 0.43);
    way(svg, x, y, size, openings, PATH, 0.38);
}

/// The corridors of a tile; `width` is their share of its side.
fn way(svg: &mut Svg, x: f64, y: f64, size: f64, openings: Openings, ink: &str, width: f64) {
    let (cx, cy, half) = (x + size / 2.0, y + size / 2.0, size / 2.0);
    let mut d = String::new();
    for direction in Direction::ALL.into_iter().filter(|&direction| openings.has(direction)) {
        let (dx, dy) = match direction {
            Direction::Up => (0.0, -half),
            Direction::Right => (half, 0.0),
            Direction::Down => (0.0, half),
            Direction::Left => (-half, 0.0),
        };
        let _ = write!(d, "M{cx} {cy}L{} {}", cx + dx, cy + dy);
    }
    svg.path(&d, &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{:.1}\"", size * width));
    svg.circle(cx, cy, size * width / 2.0, &format!("fill=\"{ink}\""));
}

/// A treasure on its tile; the one that the viewer is after has a ring around it.
fn medallion(svg: &mut Svg, treasure: Treasure, x: f64, y: f64, wanted: bool) {
    let (edge, width) = if wanted { (theme::SEAL, 2.5) } else { ("#b6a67f", 1.0) };
    svg.circle(x, y, 16.0, &format!("fill=\"#fffaf0\" stroke=\"{edge}\" stroke-width=\"{width}\""));
    icon(svg, treasure, x, y, 1.0, PATH_INK);
}

fn icon(svg: &mut Svg, treasure: Treasure, x: f64, y: f64, scale: f64, ink: &str) {
    let style = format!(
        "fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
         transform=\"translate({:.1} {:.1}) scale({scale})\"",
        x - 12.0 * scale,
        y - 12.0 * scale
    );
    svg.path(icons::path(treasure), &style);
}

fn pawn(svg: &mut Svg, seat: Seat, x: f64, y: f64, radius: f64) {
    let style = format!("fill=\"{}\" stroke=\"#fffaf0\" stroke-width=\"2\"", colour(seat));
    svg.circle(x, y, radius, &style);
    let text = "text-anchor=\"middle\" font-weight=\"700\" fill=\"#fffaf0\"";
    svg.text(x, y + radius * 0.4, radius * 1.15, text, &letter(seat).to_string());
}

/// The cells that are shown as in reach.
pub(crate) fn reach(state: &State) -> impl Iterator<Item = Cell> {
    cells(if state.phase() == Phase::Move { state.reach() } else { 0 })
}
