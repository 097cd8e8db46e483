//! A carved board seen from above, the viewer's houses at the bottom.

use crate::action::House;
use crate::foresight;
use crate::notation::side_name;
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Actor, Foresight, Look, Message, Picture, Position, Seat, Svg, theme};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Distance between two houses.
const PITCH: f64 = 64.0;
/// Radius of a house.
const HOLLOW: f64 = 27.0;
/// Radius of a seed.
const SEED: f64 = 5.2;
/// Margin around the board, with room for the coordinates.
const MARGIN: f64 = 22.0;
const STORE_WIDTH: f64 = 62.0;
/// Room between the rows for the counts, also where they are written larger to be read on a phone.
const AISLE: f64 = 32.0;
const BOARD_HEIGHT: f64 = 2.0 * PITCH + AISLE + 24.0;
/// Writing on wood is dark in either theme.
const WOOD_INK: &str = "#3a2f20";
/// What is written beside houses and stores; legible on a phone, too.
const SMALL: f64 = 14.0;
/// More seeds than this are a number only.
const COUNTABLE: u32 = 12;

impl Picture for Kalah {
    fn picture(&self, view: &State, look: &Look, last: Option<(Seat, House)>) -> String {
        let drawing = Drawing {
            state: view,
            look,
            last,
            width: PITCH * view.houses() as f64 + 2.0 * STORE_WIDTH + 36.0,
        };
        drawing.draw()
    }

    fn clicks(&self, view: &State, action: House) -> Vec<String> {
        vec![action.index().map_or_else(|| "swap".to_owned(), |house| house_id(view.mover, house))]
    }

    fn sketch(&self, view: &State, viewer: Seat) -> String {
        let far = viewer.other();
        let houses = view.houses();
        let cells = |seat: Seat, order: &mut dyn Iterator<Item = usize>| {
            order.fold(String::new(), |mut line, house| {
                let _ = write!(line, "{:>4}", view.seeds(seat, house));
                line
            })
        };
        let numbers = |order: &mut dyn Iterator<Item = usize>| {
            order.fold(String::new(), |mut line, house| {
                let _ = write!(line, "{:>4}", format!("({})", house + 1));
                line
            })
        };
        let rule = "─".repeat(4 * houses + 2);
        let label = |seat: Seat| {
            if view.actor() == Actor::Seat(seat) {
                format!("▶ {}", side_name(seat))
            } else {
                format!("  {}", side_name(seat))
            }
        };
        format!(
            "      {}\n     ┌{rule}┐\n     │{}  │ {}\n{:>4} │{}  │ {}\n     │{}  │ {}\n     └{rule}┘\n      {}\n",
            numbers(&mut (0..houses).rev()),
            cells(far, &mut (0..houses).rev()),
            label(far),
            view.store(far),
            " ".repeat(4 * houses),
            view.store(viewer),
            cells(viewer, &mut (0..houses)),
            label(viewer),
            numbers(&mut (0..houses)),
        )
    }

    fn ask(&self, view: &State, _touched: usize) -> &'static str {
        if view.is_legal(House::SWAP) {
            "Choose a house to sow, or swap sides"
        } else {
            "Choose a house to sow"
        }
    }

    fn foresee(&self, view: &State, action: House) -> Foresight {
        foresight::foresee(view, action)
    }

    fn side(&self, _view: &State, seat: Seat) -> String {
        side_name(seat).to_owned()
    }

    fn verdict(&self, view: &State, to: Option<Seat>) -> Message {
        foresight::verdict(view, to)
    }
}

pub(crate) fn house_id(seat: Seat, house: usize) -> String {
    format!("house-{}{}", side_letter(seat), house + 1)
}

pub(crate) fn store_id(seat: Seat) -> String {
    format!("store-{}", side_letter(seat))
}

fn side_letter(seat: Seat) -> char {
    if seat == Seat::FIRST { 's' } else { 'n' }
}

struct Drawing<'a> {
    state: &'a State,
    look: &'a Look,
    last: Option<(Seat, House)>,
    width: f64,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        let (state, look) = (self.state, self.look);
        let describe = |seat: Seat| {
            let seeds: Vec<String> = (0..state.houses()).map(|h| state.seeds(seat, h).to_string()).collect();
            let (name, seeds, store) = (side_name(seat), seeds.join(" "), state.store(seat));
            look.say("{0}: houses {1}, store {2}.", &[&name, &seeds, &store])
        };
        let turn = match state.actor() {
            Actor::Seat(seat) => look.say("{0} to move.", &[&side_name(seat)]),
            _ => look.say("The game is over.", &[]),
        };
        let description = format!("{} {} {turn}", describe(Seat::FIRST), describe(Seat::SECOND));
        let mut svg = Svg::new(
            self.width + 2.0 * MARGIN,
            BOARD_HEIGHT + 2.0 * MARGIN,
            look.locale.say("Kalah"),
            &description,
        );
        let (wood, grain) = ("var(--wood, #e6d3ae)", "var(--wood-line, #b79f72)");
        svg.rect(
            MARGIN,
            MARGIN,
            self.width,
            BOARD_HEIGHT,
            30.0,
            &format!("fill=\"{wood}\" stroke=\"{grain}\" stroke-width=\"2\""),
        );
        for seat in [look.viewer.other(), look.viewer] {
            self.store(&mut svg, seat);
            for house in 0..state.houses() {
                self.house(&mut svg, seat, house);
            }
        }
        if state.is_legal(House::SWAP) {
            let (x, y) = (MARGIN + self.width / 2.0, MARGIN + BOARD_HEIGHT / 2.0);
            let swap = look.say("Swap sides", &[]);
            svg.group("id=\"swap\" class=\"choice\" role=\"button\"")
                .title(&swap)
                .rect(
                    x - 44.0,
                    y - 13.0,
                    88.0,
                    26.0,
                    8.0,
                    &format!("fill=\"{}\" stroke=\"{}\"", theme::PAPER, theme::SEAL),
                )
                .text(x, y + 5.0, 13.0, &format!("text-anchor=\"middle\" fill=\"{}\"", theme::SEAL), &swap)
                .close();
        }
        svg.finish()
    }

    /// The centre of a house: the viewer's run left to right at the bottom, the other's right to left on top.
    fn centre(&self, seat: Seat, house: usize) -> (f64, f64) {
        let near = seat == self.look.viewer;
        let column = if near { house } else { self.state.houses() - 1 - house };
        let x = MARGIN + 18.0 + STORE_WIDTH + (column as f64 + 0.5) * PITCH;
        let y = MARGIN + 12.0 + if near { 1.5 * PITCH + AISLE } else { 0.5 * PITCH };
        (x, y)
    }

    fn house(&self, svg: &mut Svg, seat: Seat, house: usize) {
        let (x, y) = self.centre(seat, house);
        let seeds = self.state.seeds(seat, house);
        let near = seat == self.look.viewer;
        let last = self.last == Some((seat, House::new(house)));
        let playable = self.state.actor() == Actor::Seat(seat) && seeds > 0;
        let class = if playable { " class=\"choice\" role=\"button\"" } else { "" };
        svg.group(&format!("id=\"{}\"{class}", house_id(seat, house)));
        svg.title(
            &self.look.say("{0}, house {1}: {2}", &[&side_name(seat), &(house + 1), &self.count(seeds)]),
        );
        let hollow =
            "fill=\"var(--hollow, #d2ba8b)\" stroke=\"var(--wood-line, #b79f72)\" stroke-width=\"1.5\"";
        svg.circle(x, y, HOLLOW, hollow);
        if last {
            svg.circle(x, y, HOLLOW - 3.5, &theme::past(WOOD_INK));
        }
        self.seeds(svg, x, y, seeds, house + 5 * seat.index());
        svg.close();
        if self.look.coordinates && !self.look.compact {
            let below = if near { MARGIN + BOARD_HEIGHT + 16.0 } else { MARGIN - 6.0 };
            let style = format!("text-anchor=\"middle\" fill=\"{}\"", theme::QUIET);
            svg.text(x, below, SMALL, &style, &(house + 1).to_string());
        }
        if !self.look.compact {
            let beside = if near { y - HOLLOW - 4.0 } else { y + HOLLOW + 16.0 };
            let style = format!("text-anchor=\"middle\" fill=\"{}\"", WOOD_INK);
            svg.text(x, beside, SMALL, &style, &seeds.to_string());
        }
    }

    fn store(&self, svg: &mut Svg, seat: Seat) {
        let near = seat == self.look.viewer;
        let x = if near { MARGIN + self.width - 12.0 - STORE_WIDTH } else { MARGIN + 12.0 };
        let (y, height) = (MARGIN + 14.0, BOARD_HEIGHT - 28.0);
        let seeds = self.state.store(seat);
        svg.group(&format!("id=\"{}\"", store_id(seat)));
        svg.title(&self.look.say("{0}'s store: {1}", &[&side_name(seat), &self.count(seeds)]));
        svg.rect(
            x,
            y,
            STORE_WIDTH,
            height,
            28.0,
            "fill=\"var(--hollow, #d2ba8b)\" stroke=\"var(--wood-line, #b79f72)\" stroke-width=\"1.5\"",
        );
        let style = |fill: &str| format!("text-anchor=\"middle\" fill=\"{fill}\"");
        svg.text(x + STORE_WIDTH / 2.0, y + height / 2.0 + 9.0, 26.0, &style(WOOD_INK), &seeds.to_string());
        if !self.look.compact {
            svg.text(
                x + STORE_WIDTH / 2.0,
                y + height - 12.0,
                SMALL,
                &style(WOOD_INK),
                self.look.locale.say(side_name(seat)),
            );
        }
        svg.close();
    }

    fn count(&self, seeds: u32) -> String {
        self.look.say(if seeds == 1 { "{0} seed" } else { "{0} seeds" }, &[&seeds])
    }

    /// Seeds lie in rings around the middle, turned a little from house to house so that they look sown.
    fn seeds(&self, svg: &mut Svg, x: f64, y: f64, seeds: u32, turn: usize) {
        if seeds > COUNTABLE || self.look.compact {
            if seeds > 0 {
                let style = format!("text-anchor=\"middle\" fill=\"{}\"", WOOD_INK);
                // In a thumbnail it is all there is to read.
                let (down, size) = if self.look.compact { (8.5, 24.0) } else { (7.0, 20.0) };
                svg.text(x, y + down, size, &style, &seeds.to_string());
            }
            return;
        }
        let inner = match seeds {
            0..=1 => seeds,
            2..=5 => 0,
            6..=8 => 1,
            _ => 3,
        };
        let mut ring = |count: u32, radius: f64, phase: f64| {
            for i in 0..count {
                let angle = phase + turn as f64 * 0.7 + 2.0 * PI * f64::from(i) / f64::from(count);
                let place = (x + radius * angle.cos(), y + radius * angle.sin());
                svg.circle(place.0, place.1, SEED, "fill=\"var(--seed, #4a3b2a)\" class=\"loose\"");
            }
        };
        ring(inner, if inner > 1 { 6.8 } else { 0.0 }, 0.5);
        ring(seeds - inner, if seeds <= 5 { 11.0 } else { 18.0 }, 0.0);
    }
}
