//! A map in muted colours with counters on it, red's square and blue's round.
//!
//! Resting the pointer on a unit that may act shows where it can go and what its attacks would do.

mod glyphs;

use crate::Tubstap;
use crate::action::Action;
use crate::field::Place;
use crate::foresight;
use crate::kinds::{Team, Terrain};
use crate::setup::Unit;
use crate::state::State;
use ranka_core::{Actor, Foresight, Look, Message, Picture, Position, Seat, Svg, theme};
use std::fmt::Write as _;

/// The side of a cell.
const CELL: f64 = 56.0;
/// Room for the coordinates.
const MARGIN: f64 = 26.0;
/// Room below the board for what is left of each army.
const FOOT: f64 = 34.0;
/// Room for what is left of an army, also where words are larger than they are drawn.
const ARMY: f64 = 84.0;
/// Room that the number of the turn needs beside that.
const TURN: f64 = 96.0;
/// How wide a board is that has that room.
const ROOMY: f64 = 2.0 * ARMY + TURN + 74.0;
/// A narrower one has a line more below it.
const LINE: f64 = 21.0;
/// Half the side of a counter.
const COUNTER: f64 = 21.0;

impl Picture for Tubstap {
    fn picture(&self, view: &State, look: &Look, last: Option<(Seat, Action)>) -> String {
        Drawing { state: view, look, last }.draw()
    }

    /// Each unit: where it can go, and what its attacks would do.
    fn marks(&self, view: &State) -> Vec<String> {
        view.units().map(|unit| unit_id(unit.id)).collect()
    }

    /// A unit, where it goes (itself, to stay), and the target. Where an attack is possible but not wanted, the
    /// cell is touched once more.
    fn clicks(&self, view: &State, act: Action) -> Vec<String> {
        let Some(id) = act.unit() else { return vec!["end".to_owned()] };
        let stays = view.unit(id).is_some_and(|unit| unit.place == act.to());
        let cell = if stays { unit_id(id) } else { cell_id(act.to()) };
        let mut path = vec![unit_id(id), cell.clone()];
        match act.target() {
            Some(target) => path.push(unit_id(target)),
            None => {
                let mut attacks = Vec::new();
                view.attacks_of(id, &mut attacks);
                if attacks.iter().any(|attack| attack.to() == act.to()) {
                    path.push(cell);
                }
            }
        }
        path
    }

    fn offers_besides(&self, view: &State) -> Option<Action> {
        view.is_legal(Action::END).then_some(Action::END)
    }

    fn colour(&self, _view: &State, seat: Seat) -> &'static str {
        team_colour(Team::of(seat))
    }

    fn sketch(&self, view: &State, _viewer: Seat) -> String {
        let (width, height) = view.size();
        let mut out = String::from("   ");
        for x in 1..width - 1 {
            let _ = write!(out, "{x:^7}");
        }
        for y in 1..height - 1 {
            let _ = write!(out, "\n{y:>2} ");
            for x in 1..width - 1 {
                let place = Place::new(x, y);
                let ground = glyphs::letter(view.terrain(place));
                let unit = view.unit_at(place).map_or(String::new(), |unit| {
                    let letter = unit.kind.letter();
                    let letter = if unit.team == Team::Red { letter } else { letter.to_ascii_lowercase() };
                    let acted = if unit.acted { "'" } else { "" };
                    format!("{}{letter}{}{acted}", unit.id, unit.hp)
                });
                let _ = write!(out, "{ground}{unit:<6}");
            }
        }
        let turn = match view.actor() {
            Actor::Over => "the game is over".to_owned(),
            _ => format!("{} to move", view.mover().name()),
        };
        let _ = write!(
            out,
            "\n   Half-turn {} of {}, {turn}; HP {} (RED) : {} (blue), {} is no lead yet\n   \
             id, kind (capitals are red's), HP, ' has acted; . plain ~ sea ♣ forest ▲ mountain = road # fortress █ wall\n",
            view.turn() + 1,
            view.limit(),
            view.hp(Team::Red),
            view.hp(Team::Blue),
            view.threshold(),
        );
        out
    }

    fn ask(&self, _view: &State, touched: usize) -> &'static str {
        match touched {
            0 => "Choose a unit",
            1 => "Choose where it goes, or the unit itself to stay",
            _ => "Choose whom it attacks, or its place again to attack nobody",
        }
    }

    fn foresee(&self, view: &State, act: Action) -> Foresight {
        foresight::foresee(view, act)
    }

    fn side(&self, _view: &State, seat: Seat) -> String {
        Team::of(seat).name().to_owned()
    }

    fn verdict(&self, view: &State, to: Option<Seat>) -> Message {
        foresight::verdict(view, to)
    }
}

pub(crate) fn unit_id(id: u8) -> String {
    format!("unit-{id}")
}

pub(crate) fn cell_id(place: Place) -> String {
    format!("cell-{}-{}", place.x, place.y)
}

const fn team_colour(team: Team) -> &'static str {
    match team {
        Team::Red => "var(--red, #b8442f)",
        Team::Blue => "var(--blue, #2f6690)",
    }
}

/// The ground is light in either theme, and so what is written on it is dark.
const TRACE: &str = "#22201c";

/// A loss of HP.
pub(crate) fn loss(hp: u32) -> String {
    if hp == 0 { "0".to_owned() } else { format!("−{hp}") }
}

struct Drawing<'a> {
    state: &'a State,
    look: &'a Look,
    last: Option<(Seat, Action)>,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        let (width, height) = self.state.size();
        let (board_width, board_height) = (CELL * f64::from(width - 2), CELL * f64::from(height - 2));
        let foot = match self.look.compact {
            true => 0.0,
            false if board_width < ROOMY => FOOT + LINE,
            false => FOOT,
        };
        let mut svg = Svg::new(
            board_width + 2.0 * MARGIN,
            board_height + 2.0 * MARGIN + foot,
            self.look.locale.say("TUBSTAP"),
            &self.description(),
        );
        let places = || (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| Place::new(x, y)));
        svg.rect(
            MARGIN - 3.0,
            MARGIN - 3.0,
            board_width + 6.0,
            board_height + 6.0,
            8.0,
            &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", theme::QUIET),
        );
        for place in places() {
            self.cell(&mut svg, place);
        }
        if self.look.coordinates && !self.look.compact {
            self.coordinates(&mut svg, width, height);
        }
        for unit in self.state.units() {
            self.counter(&mut svg, &unit);
        }
        self.trace(&mut svg);
        if !self.look.compact {
            for unit in self.state.units() {
                let shown = self.look.marked(&unit_id(unit.id));
                if shown || self.may_act(&unit) {
                    self.possibilities(&mut svg, &unit, shown);
                }
            }
            self.foot(&mut svg, board_width, board_height);
        }
        svg.finish()
    }

    fn may_act(&self, unit: &Unit) -> bool {
        self.state.actor() == Actor::Seat(unit.team.seat()) && !unit.acted
    }

    fn description(&self) -> String {
        let army = |team: Team| {
            let units = self.state.units().filter(|unit| unit.team == team).map(|unit| {
                let pattern = if unit.acted {
                    "{0} {1} at {2} with {3} HP, has acted"
                } else {
                    "{0} {1} at {2} with {3} HP"
                };
                self.look.say(pattern, &[&unit.kind.name(), &unit.id, &unit.place, &unit.hp])
            });
            let units: Vec<String> = units.collect();
            let listed = if units.is_empty() { "nobody".to_owned() } else { self.look.locale.list(&units) };
            self.look.say("{0}: {1}.", &[&team.name(), &listed])
        };
        format!("{} {} {}", army(Team::Red), army(Team::Blue), self.turn())
    }

    fn turn(&self) -> String {
        match (self.state.actor(), self.state.verdict()) {
            (Actor::Over, Some(team)) => self.look.say("The game is over, {0} wins.", &[&team.name()]),
            (Actor::Over, None) => self.look.say("The game is over, a draw.", &[]),
            _ => {
                let (turn, limit) = (self.state.turn() + 1, self.state.limit());
                let mover = self.state.mover().name();
                self.look.say("{0} to move, half-turn {1} of {2}.", &[&mover, &turn, &limit])
            }
        }
    }

    fn corner(&self, place: Place) -> (f64, f64) {
        (MARGIN + CELL * f64::from(place.x - 1), MARGIN + CELL * f64::from(place.y - 1))
    }

    fn centre(&self, place: Place) -> (f64, f64) {
        let (x, y) = self.corner(place);
        (x + CELL / 2.0, y + CELL / 2.0)
    }

    fn cell(&self, svg: &mut Svg, place: Place) {
        let terrain = self.state.terrain(place);
        let (x, y) = self.corner(place);
        svg.group(&format!("id=\"{}\"", cell_id(place)));
        let stars = terrain.stars();
        let title = if stars == 1 { "{0}: {1}, {2} star" } else { "{0}: {1}, {2} stars" };
        svg.title(&self.look.say(title, &[&place, &terrain.name(), &stars]));
        let line = "stroke=\"var(--tile-line, #00000014)\" stroke-width=\"1\"";
        svg.rect(x, y, CELL, CELL, 0.0, &format!("fill=\"{}\" {line}", glyphs::ground(terrain)));
        if terrain == Terrain::Road {
            self.road(svg, place);
        } else {
            glyphs::terrain(
                svg,
                terrain,
                x + CELL / 2.0,
                y + CELL / 2.0,
                usize::from(place.x) + usize::from(place.y),
            );
        }
        svg.close();
    }

    /// A road runs on into the roads and fortresses beside it.
    fn road(&self, svg: &mut Svg, place: Place) {
        let (x, y) = self.centre(place);
        let half = CELL / 2.0;
        let Place { x: column, y: row } = place;
        let neighbours = [(column + 1, row), (column, row - 1), (column - 1, row), (column, row + 1)];
        let leads = neighbours
            .map(|(x, y)| matches!(self.state.terrain(Place::new(x, y)), Terrain::Road | Terrain::Fortress));
        let mut path = String::new();
        for (lead, (dx, dy)) in leads.iter().zip([(half, 0.0), (0.0, -half), (-half, 0.0), (0.0, half)]) {
            if *lead {
                let _ = write!(path, "M{x} {y}L{} {}", x + dx, y + dy);
            }
        }
        if path.is_empty() {
            path = format!("M{} {y}L{} {y}", x - 10.0, x + 10.0);
        }
        svg.path(
            &path,
            "stroke=\"var(--road, #efe6d2)\" stroke-width=\"16\" stroke-linecap=\"round\" fill=\"none\"",
        );
        svg.path(
            &path,
            "stroke=\"var(--road-line, #b9a888)\" stroke-width=\"1.2\" stroke-dasharray=\"4 5\" fill=\"none\"",
        );
    }

    fn coordinates(&self, svg: &mut Svg, width: u8, height: u8) {
        let style = format!("text-anchor=\"middle\" fill=\"{}\"", theme::QUIET);
        for x in 1..width - 1 {
            let (cx, _) = self.centre(Place::new(x, 1));
            svg.text(cx, MARGIN - 9.0, 11.0, &style, &x.to_string());
        }
        for y in 1..height - 1 {
            let (_, cy) = self.centre(Place::new(1, y));
            svg.text(MARGIN - 14.0, cy + 4.0, 11.0, &style, &y.to_string());
        }
    }

    fn counter(&self, svg: &mut Svg, unit: &Unit) {
        let (x, y) = self.centre(unit.place);
        let colour = team_colour(unit.team);
        let id = unit_id(unit.id);
        let mut attributes = format!("id=\"{id}\" data-piece=\"{id}\"");
        if self.may_act(unit) {
            attributes += " class=\"choice\" role=\"button\" tabindex=\"0\"";
        }
        if unit.acted {
            attributes += " opacity=\"0.5\"";
        }
        svg.group(&attributes);
        let title =
            if unit.acted { "{0} {1} {2}: {3} HP on {4}, has acted" } else { "{0} {1} {2}: {3} HP on {4}" };
        let ground = self.state.terrain(unit.place).name();
        svg.title(
            &self.look.say(title, &[&unit.team.name(), &unit.kind.name(), &unit.id, &unit.hp, &ground]),
        );
        let round = if unit.team == Team::Red { 7.0 } else { COUNTER };
        let (left, top, side) = (x - COUNTER, y - COUNTER, 2.0 * COUNTER);
        // The one soft shadow that pieces have.
        svg.rect(left, top + 2.0, side, side, round, "fill=\"#000000\" fill-opacity=\"0.16\"");
        svg.rect(
            left,
            top,
            side,
            side,
            round,
            &format!("fill=\"{colour}\" stroke=\"#fffdf8\" stroke-width=\"1.5\""),
        );
        glyphs::unit(svg, unit.kind, x, y - if self.look.compact { 0.0 } else { 3.0 });
        if !self.look.compact {
            svg.group("class=\"above\"");
            let (hp_x, hp_y) = (x + 13.0, y + 14.0);
            let hurt = if unit.hp < 10 { colour } else { "#22201c" };
            svg.rect(
                hp_x - 10.0,
                hp_y - 8.0,
                20.0,
                16.0,
                8.0,
                &format!("fill=\"#fffdf8\" stroke=\"{colour}\""),
            );
            let style = format!("text-anchor=\"middle\" font-weight=\"600\" fill=\"{hurt}\"");
            svg.text(hp_x, hp_y + 4.3, 12.0, &style, &unit.hp.to_string());
            let style = "text-anchor=\"middle\" fill=\"#fffdf8\" fill-opacity=\"0.85\"";
            // A round counter has no corner to write in.
            let (in_x, in_y) = if unit.team == Team::Red { (12.0, 16.0) } else { (10.0, 14.5) };
            svg.text(x - in_x, y + in_y, 9.0, style, &unit.id.to_string());
            svg.close();
        }
        svg.close();
    }

    /// Rings whoever acted last, and marks whom it attacked.
    fn trace(&self, svg: &mut Svg) {
        let Some((_, act)) = self.last else { return };
        if act.unit().is_none() {
            return;
        }
        let (x, y) = self.corner(act.to());
        let style = theme::past(TRACE);
        svg.rect(x + 3.0, y + 3.0, CELL - 6.0, CELL - 6.0, 9.0, &style);
        let Some(target) = act.target().and_then(|id| self.state.unit(id)) else { return };
        let ((ax, ay), (bx, by)) = (self.centre(act.to()), self.centre(target.place));
        let length = ((bx - ax).powi(2) + (by - ay).powi(2)).sqrt();
        let (dx, dy) = ((bx - ax) / length, (by - ay) / length);
        let (from, to) = (CELL / 2.0 - 3.0, length - COUNTER + 3.0);
        let (tip_x, tip_y) = (ax + dx * to, ay + dy * to);
        let arrow = format!(
            "M{:.1} {:.1}L{tip_x:.1} {tip_y:.1}M{:.1} {:.1}L{tip_x:.1} {tip_y:.1}L{:.1} {:.1}",
            ax + dx * from,
            ay + dy * from,
            tip_x - 7.0 * dx - 5.0 * dy,
            tip_y - 7.0 * dy + 5.0 * dx,
            tip_x - 7.0 * dx + 5.0 * dy,
            tip_y - 7.0 * dy - 5.0 * dx,
        );
        svg.path(&arrow, &style);
    }

    /// Dots where a unit can go, and on each enemy what its best attack would do: damage, and damage in return.
    /// A page shows this while the pointer or the focus is on the unit.
    fn possibilities(&self, svg: &mut Svg, unit: &Unit, shown: bool) {
        let hidden = if shown { "" } else { "display=\"none\" " };
        let of = unit_id(unit.id);
        svg.group(&format!("id=\"could-{}\" data-of=\"{of}\" {hidden}pointer-events=\"none\"", unit.id));
        let (mut moves, mut attacks) = (Vec::new(), Vec::new());
        self.state.moves_of(unit.id, &mut moves);
        self.state.attacks_of(unit.id, &mut attacks);
        for act in moves.iter().filter(|act| act.to() != unit.place) {
            let (x, y) = self.centre(act.to());
            let style =
                format!("fill=\"{}\" stroke=\"#fffdf8\" stroke-width=\"1.5\"", team_colour(unit.team));
            svg.circle(x, y, 6.0, &style);
        }
        let (x, y) = self.corner(unit.place);
        let ring = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"", theme::SEAL);
        svg.rect(x + 2.0, y + 2.0, CELL - 4.0, CELL - 4.0, 9.0, &ring);
        for target in self.state.units().filter(|other| other.team != unit.team) {
            let exchanges = attacks.iter().filter(|act| act.target() == Some(target.id));
            let best =
                exchanges.filter_map(|&act| self.state.preview(act)).min_by_key(|&(_, counter)| counter);
            let Some((damage, counter)) = best else { continue };
            let (x, y) = self.corner(target.place);
            svg.rect(x + 2.0, y + 2.0, CELL - 4.0, CELL - 4.0, 9.0, &ring);
            let middle = x + CELL / 2.0;
            svg.rect(middle - 26.0, y - 6.0, 52.0, 19.0, 9.5, &format!("fill=\"{}\"", theme::SEAL));
            let style = "text-anchor=\"middle\" font-weight=\"600\" fill=\"#fffdf8\"";
            svg.text(middle, y + 8.0, 12.0, style, &format!("{} / {}", loss(damage), loss(counter)));
        }
        svg.close();
    }

    /// Whose turn it is, what is left of each army, and a way to end the turn.
    fn foot(&self, svg: &mut Svg, board_width: f64, board_height: f64) {
        let y = board_height + 2.0 * MARGIN + 4.0;
        let below = y + 12.0 + if board_width < ROOMY { LINE } else { 0.0 };
        let mut x = MARGIN;
        for team in Team::BOTH {
            let round = if team == Team::Red { 3.0 } else { 7.0 };
            svg.rect(x, y, 14.0, 14.0, round, &format!("fill=\"{}\"", team_colour(team)));
            let bold = if self.state.actor() == Actor::Seat(team.seat()) { "700" } else { "400" };
            let style = format!("fill=\"{}\" font-weight=\"{bold}\"", theme::INK);
            svg.text(x + 19.0, y + 12.0, 13.0, &style, &format!("{} HP", self.state.hp(team)));
            x += ARMY;
        }
        if self.state.actor().is_over() {
            let style = format!("text-anchor=\"end\" fill=\"{}\"", theme::INK);
            svg.text(MARGIN + board_width, below, 13.0, &style, &self.turn());
            return;
        }
        let left = MARGIN + board_width - 74.0;
        let turn = self.look.say("turn {0} / {1}", &[&(self.state.turn() + 1), &self.state.limit()]);
        let x = if board_width < ROOMY { MARGIN } else { x };
        svg.text(x, below, 13.0, &format!("fill=\"{}\"", theme::QUIET), &turn);
        svg.group("id=\"end\" class=\"choice\" role=\"button\" tabindex=\"0\"");
        svg.title(self.look.locale.say("Ends the turn: whoever has not acted stays where it is"));
        let box_style = format!("fill=\"{}\" stroke=\"{}\"", theme::PAPER, theme::LINE);
        svg.rect(left, y - 5.0, 74.0, 24.0, 8.0, &box_style);
        let style = format!("text-anchor=\"middle\" fill=\"{}\"", theme::INK);
        svg.text(left + 37.0, y + 11.0, 12.0, &style, self.look.locale.say("End turn"));
        svg.close();
    }
}
