//! The board from the viewer's side: its ghosts from behind with their colours as a mark on the back, the other's
//! face to face, doors at the exits, the captured ones beside the players' names.

use crate::action::Action;
use crate::foresight;
use crate::notation::{escaped, letter as piece, player};
use crate::rules::Geister;
use crate::setup::letter;
use crate::square::{BOARD, Square, exits, home, squares};
use crate::state::Phase;
use crate::view::View;
use ranka_core::{Actor, Foresight, Look, Message, Picture, Seat, Svg, View as _, theme};
use std::fmt::Write as _;

/// A square's side.
const CELL: f64 = 64.0;
const BOARD_SIDE: f64 = 6.0 * CELL;
/// How large a ghost on the board is.
const GHOST: f64 = 1.12;
/// Room beside the board for the doors, and above and below for the players.
const MARGIN: f64 = 40.0;

/// Ghost bodies: the viewer's are light, the other's are dark, in either theme.
const NEAR: &str = "var(--ghost, #fffdf7)";
const FAR: &str = "var(--ghost-far, #5b6372)";
const OUTLINE: &str = "#2b2a27";
/// Colours are told by shape too: red is a diamond, blue a disc.
const RED: &str = "var(--ghost-red, #c3342b)";
const BLUE: &str = "var(--ghost-blue, #0072b2)";

impl Picture for Geister {
    fn picture(&self, view: &View, look: &Look, last: Option<(Seat, Action)>) -> String {
        let mut choices = Vec::new();
        view.choices(&mut choices);
        let margin = if look.compact { CELL / 2.0 } else { MARGIN };
        Drawing { view, look, last, choices, margin }.draw()
    }

    /// A step is a ghost and a square, an escape a ghost and its door, a set-up the four red ghosts in order.
    fn clicks(&self, view: &View, action: Action) -> Vec<String> {
        match action {
            Action::Step { from, to } => vec![square_id(from), square_id(to)],
            Action::Escape { from } => vec![square_id(from), door_id(from)],
            Action::SetUp(set_up) => {
                let home = home(view.open.mover);
                set_up.reds().map(|ghost| square_id(home[ghost])).collect()
            }
        }
    }

    fn colour(&self, view: &View, seat: Seat) -> &'static str {
        if seat == view.seat { NEAR } else { FAR }
    }

    fn sketch(&self, view: &View, viewer: Seat) -> String {
        let side = |square: Square| if viewer == Seat::FIRST { square } else { square.turned() };
        let name = |seat: Seat| {
            let turn = if view.turn() == Actor::Seat(seat) { '▶' } else { ' ' };
            let told = captures(view, seat).to_string();
            let and = if told == player(seat) { "" } else { " and" };
            let won = win(view, seat).map_or(String::new(), |how| format!("{and} wins: {how}"));
            format!("     {turn} {told}{won}\n")
        };
        let mut out = name(viewer.other());
        out.push_str("     ┌─────────────┐\n");
        for row in 0..6 {
            let _ = write!(out, "   {} │", side(Square::new(6 * row)).row() + 1);
            for column in 0..6 {
                let square = side(Square::new(6 * row + column));
                let door = exits(Seat::FIRST) | exits(Seat::SECOND);
                let empty = if door & square.bit() != 0 { '∩' } else { '·' };
                let shown = match (ghost_at(view, square), placing(view, square)) {
                    (Some(ghost), _) => piece(ghost.seat, ghost.red),
                    (None, Some(ghost)) => letter(ghost),
                    (None, None) => empty,
                };
                let _ = write!(out, " {shown}");
            }
            out.push_str(" │\n");
        }
        out.push_str("     └─────────────┘\n      ");
        for column in 0..6 {
            let _ = write!(out, " {}", char::from(b'a' + side(Square::new(column)).column() as u8));
        }
        out.push('\n');
        out + &name(viewer)
    }

    fn ask(&self, view: &View, touched: usize) -> &'static str {
        match (view.open.phase, touched) {
            (Phase::SetUp, 0) => "Choose the first of four red ghosts",
            (Phase::SetUp, 1) => "Choose the second red ghost",
            (Phase::SetUp, 2) => "Choose the third red ghost",
            (Phase::SetUp, _) => "Choose the last red ghost",
            (_, 0) => "Choose a ghost to move",
            _ => "Choose where the ghost goes",
        }
    }

    fn foresee(&self, view: &View, action: Action) -> Foresight {
        foresight::foresee(view, action)
    }

    fn tell(&self, before: &View, action: Action, after: &View) -> Message {
        foresight::tell(before, action, after)
    }

    fn side(&self, _view: &View, seat: Seat) -> String {
        side(seat).to_owned()
    }

    fn verdict(&self, view: &View, to: Option<Seat>) -> Message {
        foresight::verdict(view, to)
    }
}

/// What a seat is called at the board.
pub(crate) const fn side(seat: Seat) -> &'static str {
    if seat.index() == 0 { "First" } else { "Second" }
}

pub(crate) fn square_id(square: Square) -> String {
    format!("square-{square}")
}

/// The name of a ghost wherever it stands.
pub(crate) fn piece_id(seat: Seat, ghost: usize) -> String {
    format!("ghost-{seat}{}", letter(ghost))
}

pub(crate) fn door_id(square: Square) -> String {
    format!("door-{square}")
}

/// A ghost that stands somewhere.
#[derive(Clone, Copy)]
pub(crate) struct Ghost {
    pub(crate) seat: Seat,
    /// A is 0.
    pub(crate) letter: usize,
    /// Whether it is red, as far as the viewer knows.
    pub(crate) red: Option<bool>,
}

pub(crate) fn ghost_at(view: &View, square: Square) -> Option<Ghost> {
    Seat::all(2).find_map(|seat| {
        let (letter, _, red) = view.ghosts(seat).find(|&(_, at, _)| at == square)?;
        Some(Ghost { seat, letter, red })
    })
}

pub(crate) const fn colour(red: Option<bool>) -> &'static str {
    match red {
        Some(true) => "red ghost",
        Some(false) => "blue ghost",
        None => "ghost",
    }
}

/// The ghost (A is 0) that the viewer is about to place on this square.
fn placing(view: &View, square: Square) -> Option<usize> {
    let chooses = view.open.phase == Phase::SetUp && view.turn() == Actor::Seat(view.seat) && view.sits();
    home(view.seat).into_iter().position(|at| chooses && at == square)
}

/// A player, and what it has taken.
fn captures(view: &View, seat: Seat) -> Message {
    let taken = |red| view.open.captured.count(seat.other(), red).to_string();
    let (name, red, blue) = (player(seat).to_owned(), taken(true), taken(false));
    match (red.as_str(), blue.as_str()) {
        ("0", "0") => Message::new("{0}", [name]),
        (_, "0") => Message::new("{0} has taken {1} red", [name, red]),
        ("0", _) => Message::new("{0} has taken {1} blue", [name, blue]),
        _ => Message::new("{0} has taken {1} red and {2} blue", [name, red, blue]),
    }
}

/// How a seat has won, if it has: what it did, or what was done to it.
fn win(view: &View, seat: Seat) -> Option<&'static str> {
    let taken = |owner: Seat, red| view.open.captured.count(owner, red) == 4;
    match view.open.phase {
        Phase::Won(winner) if winner != seat => None,
        Phase::Won(_) if escaped(&view.open).is_some() => Some("its blue ghost is out"),
        Phase::Won(_) if taken(seat.other(), false) => Some("it took all blue"),
        Phase::Won(_) => Some("its red all taken"),
        Phase::SetUp | Phase::Play | Phase::Drawn => None,
    }
}

struct Drawing<'a> {
    view: &'a View,
    look: &'a Look,
    last: Option<(Seat, Action)>,
    choices: Vec<Action>,
    margin: f64,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        let side = BOARD_SIDE + 2.0 * self.margin;
        let mut svg = Svg::new(side, side, self.look.locale.say("Geister"), &self.description());
        self.doors(&mut svg);
        svg.rect(
            self.margin,
            self.margin,
            BOARD_SIDE,
            BOARD_SIDE,
            8.0,
            &format!("fill=\"var(--board, #f0e9da)\" stroke=\"{}\" stroke-width=\"1.5\"", theme::QUIET),
        );
        self.grid(&mut svg);
        self.last(&mut svg);
        for square in squares(BOARD) {
            self.square(&mut svg, square);
        }
        if !self.look.compact {
            self.names(&mut svg);
        }
        svg.finish()
    }

    fn description(&self) -> String {
        let look = self.look;
        let army = |seat| {
            let ghosts = self.view.ghosts(seat);
            let ghosts: Vec<String> =
                ghosts.map(|(_, at, red)| look.say("{0} on {1}", &[&colour(red), &at])).collect();
            let listed =
                if ghosts.is_empty() { look.say("no ghosts yet", &[]) } else { look.locale.list(&ghosts) };
            look.say("{0}: {1}.", &[&look.locale.tell(&captures(self.view, seat)), &listed])
        };
        let turn = match (self.view.open.phase, self.view.turn()) {
            (Phase::SetUp, Actor::Seat(seat)) => look.say("{0} chooses its red ghosts.", &[&player(seat)]),
            (_, Actor::Seat(seat)) => look.say("{0} to move.", &[&player(seat)]),
            (Phase::Won(seat), _) => {
                look.say("{0} has won: {1}.", &[&player(seat), &win(self.view, seat).unwrap_or_default()])
            }
            _ => look.say("The game is drawn.", &[]),
        };
        format!("{} {} {turn}", army(Seat::FIRST), army(Seat::SECOND))
    }

    /// The middle of a square on the drawing.
    fn centre(&self, square: Square) -> (f64, f64) {
        let square = if self.look.viewer == Seat::FIRST { square } else { square.turned() };
        let along = |n: usize| self.margin + (n as f64 + 0.5) * CELL;
        (along(square.column()), along(square.row()))
    }

    /// The middle of the door beside an exit.
    fn door(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.centre(square);
        let out = CELL / 2.0 + self.margin / 2.0;
        if x < self.margin + CELL { (x - out, y) } else { (x + out, y) }
    }

    fn grid(&self, svg: &mut Svg) {
        let mut lines = String::new();
        let (near, far) = (self.margin, self.margin + BOARD_SIDE);
        for i in 1..6 {
            let at = self.margin + f64::from(i) * CELL;
            let _ = write!(lines, "M{at} {near}V{far}M{near} {at}H{far}");
        }
        svg.path(&lines, &format!("stroke=\"{}\" fill=\"none\"", theme::LINE));
    }

    /// A door stands open where a ghost can leave now.
    fn doors(&self, svg: &mut Svg) {
        for seat in Seat::all(2) {
            for square in squares(exits(seat)) {
                let (x, y) = self.door(square);
                let open = self.choices.contains(&Action::Escape { from: square });
                let own = seat == self.look.viewer;
                let edge = match (open, own) {
                    (true, _) => theme::SEAL,
                    (_, true) => theme::INK,
                    (_, false) => theme::QUIET,
                };
                let class = if open { " class=\"choice\" role=\"button\"" } else { "" };
                svg.group(&format!("id=\"{}\"{class}", door_id(square)));
                svg.title(&self.look.say("exit of {0} at {1}", &[&player(seat), &square]));
                let (half, top, foot) = (self.margin * 0.3, y - 20.0, y + 20.0);
                let (left, right) = (x - half, x + half);
                let arch = format!(
                    "M{left} {foot}V{}A{half} {half} 0 0 1 {right} {}V{foot}Z",
                    top + half,
                    top + half
                );
                let fill = if own { theme::PAPER } else { theme::LINE };
                svg.path(&arch, &format!("fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.5\""));
                if self.last == Some((seat, Action::Escape { from: square })) {
                    self.ghost(svg, (x, y + 2.0), 0.7, seat, Some(false));
                }
                let knob = if x < self.margin { right - 4.0 } else { left + 4.0 };
                svg.circle(knob, y + 3.0, 1.6, &format!("fill=\"{edge}\""));
                svg.close();
            }
        }
    }

    /// Traces the last action.
    fn last(&self, svg: &mut Svg) {
        let (from, to) = match self.last {
            Some((_, Action::Step { from, to })) => (from, self.centre(to)),
            Some((_, Action::Escape { from })) => {
                // Up to the ghost that stands in the door.
                let ((x, y), (door, _)) = (self.centre(from), self.door(from));
                (from, (x + 0.65 * (door - x), y))
            }
            _ => return,
        };
        let (x, y) = self.centre(from);
        let trace = theme::past(theme::INK);
        svg.path(&format!("M{x} {y}L{} {}", to.0, to.1), &trace);
        svg.circle(x, y, 9.0, &trace);
    }

    fn square(&self, svg: &mut Svg, square: Square) {
        let (x, y) = self.centre(square);
        let movable = self.choices.iter().any(
            |action| matches!(action, Action::Step { from, .. } | Action::Escape { from } if *from == square),
        );
        let placing = placing(self.view, square);
        let class = if movable || placing.is_some() { " class=\"choice\" role=\"button\"" } else { "" };
        svg.group(&format!("id=\"{}\"{class}", square_id(square)));
        let ghost = ghost_at(self.view, square);
        svg.title(&match (ghost, placing) {
            (Some(g), _) => self
                .look
                .say("{0}: {1}'s {2} {3}", &[&square, &player(g.seat), &colour(g.red), &letter(g.letter)]),
            (None, Some(ghost)) => {
                self.look.say("{0}: ghost {1}, red if you touch it", &[&square, &letter(ghost)])
            }
            (None, None) => square.to_string(),
        });
        let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
        svg.rect(left, top, CELL, CELL, 0.0, "fill=\"transparent\"");
        if self.look.coordinates && !self.look.compact {
            let style = format!("fill=\"{}\"", theme::QUIET);
            if x < self.margin + CELL {
                svg.text(left + 4.0, top + 13.0, 10.0, &style, &(square.row() + 1).to_string());
            }
            if y > self.margin + BOARD_SIDE - CELL {
                let column = char::from(b'a' + square.column() as u8).to_string();
                svg.text(left + CELL - 10.0, top + CELL - 5.0, 10.0, &style, &column);
            }
        }
        if let Some(ghost) = ghost {
            svg.group(&format!("data-piece=\"{}\"", piece_id(ghost.seat, ghost.letter)));
            if movable {
                // It goes with the ghost, and hardly makes it larger.
                let (left, width) = (x - 17.0 * GHOST, 34.0 * GHOST);
                svg.rect(left, y + 20.0 * GHOST, width, 4.4, 2.2, "fill=\"#000\" fill-opacity=\"0.2\"");
            }
            self.ghost(svg, (x, y), GHOST, ghost.seat, ghost.red);
            self.tag(svg, (x, y), ghost.seat, ghost.letter);
            svg.close();
        } else if let Some(ghost) = placing {
            // Dots follow the hem; dashes would cut its waves.
            let dots = "stroke-dasharray=\"0 3.2\" stroke-linecap=\"round\" fill-opacity=\"0.6\"";
            body(svg, (x, y), GHOST, NEAR, dots);
            let style = format!("text-anchor=\"middle\" fill=\"{OUTLINE}\"");
            svg.text(x, y + 8.0, 18.0, &style, &letter(ghost).to_string());
        }
        svg.close();
    }

    /// A ghost: the viewer's from behind, the other's with its face; its colour, if known, as a mark.
    fn ghost(&self, svg: &mut Svg, (x, y): (f64, f64), scale: f64, seat: Seat, red: Option<bool>) {
        let near = seat == self.look.viewer;
        body(svg, (x, y), scale, if near { NEAR } else { FAR }, "");
        if !near {
            for side in [-1.0, 1.0] {
                let eye = (x + side * 6.5 * scale, y - 6.0 * scale);
                svg.circle(eye.0, eye.1, 4.2 * scale, "fill=\"#fff\"");
                svg.circle(eye.0, eye.1 + 1.4 * scale, 2.0 * scale, "fill=\"#1c1c1c\"");
            }
        }
        let mark = (x, if near { y - 1.0 * scale } else { y + 9.0 * scale });
        let r = scale * if near { 8.0 } else { 6.0 };
        let edge = "stroke=\"#fff\" stroke-width=\"1\"";
        match red {
            Some(true) => {
                let r = 1.2 * r;
                let diamond = format!("M{} {}l{r} {r}l-{r} {r}l-{r} -{r}Z", mark.0, mark.1 - r);
                svg.path(&diamond, &format!("fill=\"{RED}\" {edge}"));
            }
            Some(false) => drop(svg.circle(mark.0, mark.1, r, &format!("fill=\"{BLUE}\" {edge}"))),
            None => {}
        }
    }

    /// The ghost's letter, at its hem.
    fn tag(&self, svg: &mut Svg, (x, y): (f64, f64), seat: Seat, ghost: usize) {
        if !self.look.compact {
            let fill = if seat == self.look.viewer { OUTLINE } else { "#fff" };
            let style = format!("text-anchor=\"middle\" fill=\"{fill}\" fill-opacity=\"0.75\"");
            svg.text(x + 11.0 * GHOST, y + 17.0 * GHOST, 9.0, &style, &letter(ghost).to_string());
        }
    }

    /// The players above and below the board, with what they have taken.
    fn names(&self, svg: &mut Svg) {
        let seats =
            [(self.look.viewer.other(), 22.0), (self.look.viewer, 2.0 * self.margin + BOARD_SIDE - 20.0)];
        for (seat, y) in seats {
            let turn = self.view.turn() == Actor::Seat(seat);
            let name = side(seat);
            if turn {
                svg.circle(self.margin + 4.0, y, 4.0, &format!("fill=\"{}\"", theme::SEAL));
            }
            let (fill, name) = match (win(self.view, seat), self.view.open.phase) {
                (Some(how), _) => (theme::SEAL, self.look.say("{0} wins: {1}", &[&name, &how])),
                (None, Phase::Drawn) => (theme::QUIET, self.look.say("{0} draws, out of moves", &[&name])),
                _ => (if turn { theme::INK } else { theme::QUIET }, self.look.locale.say(name).to_owned()),
            };
            svg.text(self.margin + 14.0, y + 4.5, 13.0, &format!("fill=\"{fill}\""), &name);
            svg.group(&format!("id=\"tray-{seat}\""));
            svg.title(&self.look.locale.tell(&captures(self.view, seat)));
            let taken: Vec<bool> =
                (self.view.captured()).filter(|&(owner, _)| owner != seat).map(|(_, red)| red).collect();
            let right = self.margin + BOARD_SIDE - 12.0;
            for (i, &red) in taken.iter().rev().enumerate() {
                self.ghost(svg, (right - 25.0 * i as f64, y), 0.56, seat.other(), Some(red));
            }
            svg.close();
        }
    }
}

/// A round-topped figure with a wavy hem.
fn body(svg: &mut Svg, (x, y): (f64, f64), scale: f64, fill: &str, more: &str) {
    let s = |n: f64| n * scale;
    let wave = format!("q{} {} {} 0", s(-17.0 / 3.0), s(6.0), s(-34.0 / 3.0));
    let outline = format!(
        "M{} {}V{}A{} {} 0 0 1 {} {}V{}{wave}{wave}{wave}Z",
        x - s(17.0),
        y + s(20.0),
        y - s(5.0),
        s(17.0),
        s(17.0),
        x + s(17.0),
        y - s(5.0),
        y + s(20.0),
    );
    svg.path(&outline, &format!("fill=\"{fill}\" stroke=\"{OUTLINE}\" stroke-width=\"1.3\" {more}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Game, Notation};

    #[test]
    fn a_finished_picture_shows_how_it_ended() {
        let game = Geister { plies: 200 };
        for (position, last, shown) in [
            ("6/B5/3r2/2R3/6/6 - RRRBBBrrrbbbb 40", None, "First wins: it took all blue"),
            ("6/B5/6/2R3/b5/6 - RRRBBBrrrbbbr 40", None, "Second wins: its red all taken"),
            ("6/B5/3r2/R5/b5/6 - RRRBBrrrbbb*B 41", Some("f1out"), "First wins: its blue ghost is out"),
            ("6/B5/3r2/2R3/b5/6 - RRRBBBrrrbbb 200", None, "Second draws, out of moves"),
        ] {
            let state = game.read_state(position).expect(position);
            let last = last.map(|action| (Seat::FIRST, game.read_action(action).expect(action)));
            let view = game.view(&state, Seat::SECOND);
            let picture = game.picture(&view, &Look::from(Seat::SECOND), last);
            assert!(picture.contains(&format!(">{shown}</text>")), "{position}: {shown}");
        }
    }

    #[test]
    fn the_terminal_says_who_did_what() {
        let game = Geister { plies: 200 };
        for (position, first, second) in [
            (
                "6/B5/rrrr2/bbbb2/R5/6 - RRRBB*B 41",
                "the first player wins: its blue ghost is out",
                "the second player has taken 3 red and 2 blue",
            ),
            (
                "6/B5/3r2/2R3/6/6 - RRRBBBrrrbbbb 40",
                "the first player has taken 3 red and 4 blue and wins: it took all blue",
                "the second player has taken 3 red and 3 blue",
            ),
            (
                "6/B5/6/2R3/b5/6 - RRRBBBrrrbbbr 40",
                "the first player has taken 4 red and 3 blue",
                "the second player has taken 3 red and 3 blue and wins: its red all taken",
            ),
        ] {
            let state = game.read_state(position).expect(position);
            for viewer in Seat::all(2) {
                let sketch = game.sketch(&game.view(&state, viewer), viewer);
                let lines: Vec<&str> = sketch.lines().map(str::trim).collect();
                let told = if viewer == Seat::FIRST { [second, first] } else { [first, second] };
                assert_eq!([lines[0], lines[lines.len() - 1]], told, "{position}");
            }
        }
    }
}
