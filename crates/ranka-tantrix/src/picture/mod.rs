//! The table seen from above: black tiles with coloured links, forced spaces outlined, controlled sides
//! hatched, the players' longest lines lit, and the hands above and below.

mod sketch;
mod tile;

use self::tile::{SIZE, draw_link, draw_tile, hatched, hexagon, ink, place};
use crate::action::{Action, Placement};
use crate::counting::{SpaceCount, count_spaces};
use crate::foresight;
use crate::hex::Hex;
use crate::rules::Tantrix;
use crate::state::{Phase, State};
use crate::tiles::{Colour, LINKS, Tile};
use crate::trace::trace;
use ranka_core::{Actor, Foresight, Look, Message, Picture, Position, Seat, Svg, theme};
use std::collections::{BTreeMap, BTreeSet};

/// The mark that writes into every forced space which tiles fit: `X/Z-Y`.
const COUNTS: &str = "counts";

/// Between the board and the hands.
const GAP: f64 = 26.0;
/// Size of a tile in a hand, beside that on the board.
const HELD: f64 = 0.82;
/// Distance of two tiles in a hand.
const PITCH: f64 = 62.0;
/// Height of a hand with its heading.
const HAND_HEIGHT: f64 = 98.0;
const MARGIN: f64 = 16.0;
/// Text around a point: where a board is drawn small a page writes larger, and what grows stays where it is.
const CENTRED: &str = "text-anchor=\"middle\" dominant-baseline=\"central\"";

impl Picture for Tantrix {
    fn picture(&self, view: &State, look: &Look, last: Option<(Seat, Action)>) -> String {
        Drawing::new(view, look, last).draw()
    }

    fn marks(&self, _view: &State) -> Vec<String> {
        vec![COUNTS.to_owned()]
    }

    /// A tile of the hand, a cell, and a rotation where there is a choice of rotations.
    fn clicks(&self, view: &State, action: Action) -> Vec<String> {
        let Some(Placement { tile, rotation, at }) = action.placement() else {
            return vec![bag_id()];
        };
        let mut clicks = vec![format!("tile-{tile}"), cell_id(at)];
        if (0..6).any(|other| other != rotation && view.is_legal(Action::place(tile, other, at))) {
            clicks.push(turn_id(rotation));
        }
        clicks
    }

    fn colour(&self, view: &State, seat: Seat) -> &'static str {
        ink(view.colour(seat))
    }

    fn sketch(&self, view: &State, viewer: Seat) -> String {
        sketch::sketch(view, viewer, sketch::plain)
    }

    fn coloured_sketch(&self, view: &State, viewer: Seat) -> String {
        sketch::sketch(view, viewer, sketch::in_colours)
    }

    fn ask(&self, view: &State, touched: usize) -> &'static str {
        match (touched, view.phase()) {
            (0, Phase::Forced) => "Choose a tile for a forced space",
            (0, _) => "Choose a tile of your hand",
            (1, Phase::Forced) => "Choose the forced space to fill",
            (1, _) => "Choose where the tile goes",
            _ => "Choose how the tile is turned",
        }
    }

    fn foresee(&self, view: &State, action: Action) -> Foresight {
        foresight::foresee(view, action)
    }

    fn tell_chance(&self, action: Action) -> Message {
        foresight::tell_chance(action)
    }

    fn side(&self, view: &State, seat: Seat) -> String {
        view.colour(seat).name().to_owned()
    }

    fn verdict(&self, view: &State, _to: Option<Seat>) -> Message {
        foresight::verdict(view)
    }
}

pub(crate) fn bag_id() -> String {
    "bag".to_owned()
}

/// The name of a tile wherever it lies, as an attribute, so that a page can let it fly from a hand to the board.
fn piece(tile: Tile) -> String {
    format!("data-piece=\"{}\"", piece_name(tile))
}

/// The name itself.
pub(crate) fn piece_name(tile: Tile) -> String {
    format!("tile-{tile}")
}

pub(crate) fn cell_id(at: Hex) -> String {
    format!("cell-{},{}", at.q, at.r)
}

fn turn_id(rotation: u8) -> String {
    format!("turn-{rotation}")
}

struct Drawing<'a> {
    state: &'a State,
    look: &'a Look,
    last: Option<(Seat, Action)>,
    /// The cells where the seat to act may place a tile.
    choices: BTreeSet<Hex>,
    /// The tiles it may place.
    playable: BTreeSet<Tile>,
    /// Where the origin of the board lies, and the size of the whole.
    origin: (f64, f64),
    width: f64,
    height: f64,
    board_bottom: f64,
}

impl<'a> Drawing<'a> {
    fn new(state: &'a State, look: &'a Look, last: Option<(Seat, Action)>) -> Drawing<'a> {
        let (mut choices, mut playable) = (BTreeSet::new(), BTreeSet::new());
        if state.actor().seat().is_some() {
            let mut actions = Vec::new();
            state.actions(&mut actions);
            for Placement { tile, at, .. } in actions.iter().filter_map(|action| action.placement()) {
                choices.insert(at);
                playable.insert(tile);
            }
        }
        let placed = state.played().iter().filter_map(|action| action.placement()).map(|p| p.at);
        let around = if look.compact { Vec::new() } else { state.board().frontier() };
        let mut low = (f64::INFINITY, f64::INFINITY);
        let mut high = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (x, y) in placed.chain(around).chain([Hex::ORIGIN]).map(place) {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let board = (high.0 - low.0 + 2.0 * SIZE, high.1 - low.1 + 2.0 * SIZE);
        let others = if look.compact { 0.0 } else { (state.seats() - 1) as f64 * HAND_HEIGHT + GAP };
        let own = if look.compact { 0.0 } else { HAND_HEIGHT + GAP };
        let width = if look.compact { board.0 } else { board.0.max(6.0 * PITCH + 168.0) } + 2.0 * MARGIN;
        let top = MARGIN + others;
        let origin = (width / 2.0 - (low.0 + high.0) / 2.0, top + SIZE - low.1);
        let height = top + board.1 + own + MARGIN;
        Drawing { state, look, last, choices, playable, origin, width, height, board_bottom: top + board.1 }
    }

    fn draw(&self) -> String {
        let (state, look) = (self.state, self.look);
        let mut svg = Svg::new(self.width, self.height, &self.title(), &self.description());
        svg.rect(0.0, 0.0, self.width, self.height, 10.0, &format!("fill=\"{}\"", theme::PAPER));
        if !look.compact {
            self.cells(&mut svg);
        }
        self.tiles(&mut svg);
        if !look.compact {
            self.longest(&mut svg);
            let mut top = MARGIN;
            for step in 1..state.seats() {
                let seat = Seat::new((look.viewer.index() + step) % state.seats());
                self.hand(&mut svg, seat, top);
                top += HAND_HEIGHT;
            }
            self.hand(&mut svg, look.viewer, self.board_bottom + GAP);
            self.bag(&mut svg);
            if state.actor().seat().is_some() {
                self.dial(&mut svg);
            }
        }
        svg.finish()
    }

    fn title(&self) -> String {
        self.look.say("Tantrix Strategy, {0} of 56 tiles on the table", &[&self.state.plies()])
    }

    fn description(&self) -> String {
        let (state, look) = (self.state, self.look);
        let seats: Vec<String> = Seat::all(state.seats())
            .map(|seat| {
                let hand: Vec<String> = state.hand(seat).map(|tile| tile.to_string()).collect();
                let held = if hand.is_empty() { "nothing".to_owned() } else { look.locale.list(&hand) };
                look.say(
                    "{0} scores {1} and holds {2}.",
                    &[&capital(state.colour(seat).name()), &state.score(seat), &held],
                )
            })
            .collect();
        let asked = match state.phase() {
            Phase::Draw => "A tile is drawn for {0}.",
            Phase::Forced => "{0} must fill a forced space.",
            Phase::Free => "{0} places a tile.",
            Phase::Over => "The game is over.",
        };
        let asked = look.say(asked, &[&state.colour(state.mover()).name()]);
        let bag = look.say("Tiles in the bag: {0}.", &[&state.bag().len()]);
        format!("{} {bag} {asked}", seats.join(" "))
    }

    fn centre(&self, at: Hex) -> (f64, f64) {
        let (x, y) = place(at);
        (self.origin.0 + x, self.origin.1 + y)
    }

    /// The empty cells beside the tiles.
    fn cells(&self, svg: &mut Svg) {
        let (state, board) = (self.state, self.state.board());
        // After the end nothing is to be filled any more.
        let spaces: BTreeMap<Hex, SpaceCount> = if state.phase() == Phase::Over {
            BTreeMap::new()
        } else {
            count_spaces(state).into_iter().map(|space| (space.at, space)).collect()
        };
        let mut frontier = board.frontier();
        if frontier.is_empty() {
            frontier.push(Hex::ORIGIN);
        }
        // Outlines in the seal's colour are drawn last, over their neighbours'.
        frontier.sort_by_key(|at| (spaces.contains_key(at), *at));
        for at in frontier {
            let (x, y) = self.centre(at);
            let class = if self.choices.contains(&at) { " class=\"choice\" role=\"button\"" } else { "" };
            svg.group(&format!("id=\"{}\"{class}", cell_id(at)));
            let space = spaces.get(&at);
            let controlled = board.is_controlled(at);
            svg.title(&match space {
                Some(space) => self.look.say("{0}: forced space, tiles that fit {1}", &[&at, space]),
                None if controlled => self.look.say("{0}: on a controlled side", &[&at]),
                None => at.to_string(),
            });
            let outline = hexagon(x, y, SIZE - if space.is_some() { 2.2 } else { 1.2 });
            let style = if space.is_some() {
                format!("fill=\"{0}\" fill-opacity=\"0.09\" stroke=\"{0}\" stroke-width=\"2.4\"", theme::SEAL)
            } else if self.choices.contains(&at) {
                format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"", theme::PAPER, theme::QUIET)
            } else {
                format!(
                    "fill=\"{}\" stroke=\"{}\" stroke-width=\"1\" stroke-dasharray=\"3 4\"",
                    theme::PAPER,
                    theme::LINE
                )
            };
            svg.path(&outline, &style);
            if controlled && space.is_none() {
                let style = format!(
                    "fill=\"none\" stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.55\"",
                    theme::QUIET
                );
                svg.path(&hatched(x, y, SIZE - 2.0), &style);
            }
            match space {
                Some(space) if self.look.marked(COUNTS) => {
                    let fill = if space.in_hand() { theme::SEAL } else { theme::QUIET };
                    let style = format!("text-anchor=\"middle\" fill=\"{fill}\" font-weight=\"600\"");
                    svg.text(x, y + 5.0, 15.0, &style, &space.to_string());
                }
                _ if self.look.coordinates => {
                    // A halo keeps the figures legible on hatched ground.
                    let style = format!(
                        "{CENTRED} fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" \
                         stroke-linejoin=\"round\" paint-order=\"stroke\"",
                        theme::QUIET,
                        if space.is_some() { "none" } else { theme::PAPER }
                    );
                    svg.text(x, y, 9.5, &style, &at.to_string());
                }
                _ => {}
            }
            svg.close();
        }
    }

    fn tiles(&self, svg: &mut Svg) {
        let last = self.last.and_then(|(_, action)| action.placement());
        for p in self.state.played().iter().filter_map(|action| action.placement()) {
            let (x, y) = self.centre(p.at);
            svg.group(&format!("id=\"placed-{}\" {}", p.tile, piece(p.tile)));
            svg.title(&self.look.say("Tile {0} at {1}", &[&p.tile, &p.at]));
            draw_tile(svg, p.tile, p.rotation, x, y, 1.0);
            if last == Some(p) {
                svg.path(&hexagon(x, y, SIZE - 4.0), &theme::past("#fffdf8"));
            }
            svg.close();
        }
    }

    /// A light thread along the longest line of every player.
    fn longest(&self, svg: &mut Svg) {
        let placed: BTreeMap<Hex, Placement> =
            self.state.played().iter().filter_map(|action| action.placement()).map(|p| (p.at, p)).collect();
        for seat in Seat::all(self.state.seats()) {
            let colour = self.state.colour(seat);
            let best = self.state.score(seat);
            // A thread along a single tile would say nothing.
            for line in trace(self.state, colour).iter().filter(|line| line.points() == best && best > 1) {
                for at in &line.cells {
                    let p = placed[at];
                    let (x, y) = self.centre(*at);
                    draw_link(svg, p.tile, p.rotation, colour, (x, y), 1.0, LIT);
                }
            }
        }
    }

    fn hand(&self, svg: &mut Svg, seat: Seat, top: f64) {
        let state = self.state;
        let to_act = state.actor() == Actor::Seat(seat);
        let colour = state.colour(seat);
        let left = (self.width - 6.0 * PITCH) / 2.0;
        svg.group(&format!("id=\"hand-{seat}\""));
        svg.circle(left + 8.0, top + 6.0, 6.0, &format!("fill=\"{}\"", ink(colour)));
        let fill = if to_act { theme::SEAL } else { theme::INK };
        let points = state.score(seat);
        let asked = match state.phase() {
            _ if !to_act => "",
            Phase::Forced => " · must fill a forced space",
            _ => " · to place a tile",
        };
        let heading = if points == 1 { "{0} · {1} point{2}" } else { "{0} · {1} points{2}" };
        let heading = self.look.say(heading, &[&capital(colour.name()), &points, &asked]);
        svg.text(left + 21.0, top + 10.5, 13.0, &format!("fill=\"{fill}\""), &heading);
        for (place, tile) in state.hand(seat).enumerate() {
            let (x, y) = (left + (place as f64 + 0.5) * PITCH, top + 20.0 + SIZE * HELD);
            let playable = to_act && self.playable.contains(&tile);
            let class = if playable { " class=\"choice\" role=\"button\"" } else { "" };
            svg.group(&format!("id=\"tile-{tile}\" {}{class}", piece(tile)));
            let edges: String = tile.edges().iter().map(|colour| colour.letter()).collect();
            svg.title(&self.look.say("Tile {0}: {1}, clockwise from north", &[&tile, &edges]));
            if to_act && !playable {
                svg.group("opacity=\"0.45\"");
                draw_tile(svg, tile, 0, x, y, HELD);
                svg.close();
            } else {
                draw_tile(svg, tile, 0, x, y, HELD);
            }
            let style =
                format!("text-anchor=\"middle\" dominant-baseline=\"hanging\" fill=\"{}\"", theme::QUIET);
            svg.text(x, y + SIZE * HELD + 1.0, 10.0, &style, &tile.to_string());
            svg.close();
        }
        svg.close();
    }

    fn bag(&self, svg: &mut Svg) {
        let left = self.state.bag().len();
        let (x, y) = (MARGIN + 34.0, self.board_bottom + GAP + 46.0);
        svg.group(&format!("id=\"{}\"", bag_id()));
        let words = if left == 0 { "the bag is empty: endgame" } else { "tiles left: {0}" };
        svg.title(&self.look.say(words, &[&left]));
        let shape =
            format!("M{0} {1}c-9 12 -18 20 -18 34a25 18 0 0 0 50 0c0 -14 -9 -22 -18 -34z", x - 7.0, y - 32.0);
        let style = format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"",
            theme::QUIET
        );
        svg.path(&shape, &style);
        svg.path(&format!("M{} {}h22", x - 11.0, y - 32.0), &style);
        let style = format!("text-anchor=\"middle\" fill=\"{}\"", theme::INK);
        svg.text(x, y + 9.0, 15.0, &style, &left.to_string());
        svg.close();
    }

    /// Six directions, to say where the north edge of the chosen tile shall point.
    fn dial(&self, svg: &mut Svg) {
        let (x, y) = (self.width - MARGIN - 40.0, self.board_bottom + GAP + 56.0);
        svg.group("id=\"turns\"");
        svg.title(self.look.locale.say("Rotation: where the tile's north edge shall point"));
        svg.path(
            &hexagon(x, y, 15.0),
            &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"", theme::LINE),
        );
        for rotation in 0..6u8 {
            let angle = f64::from(rotation) * std::f64::consts::FRAC_PI_3;
            let (dx, dy) = (angle.sin(), -angle.cos());
            svg.group(&format!("id=\"{}\" class=\"choice\" role=\"button\"", turn_id(rotation)));
            svg.title(&self.look.say("{0}° clockwise", &[&(60 * u32::from(rotation))]));
            let (cx, cy) = (x + 27.0 * dx, y + 27.0 * dy);
            let style = format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"", theme::PAPER, theme::QUIET);
            svg.circle(cx, cy, 9.5, &style);
            let style = format!("{CENTRED} fill=\"{}\"", theme::INK);
            svg.text(cx, cy, 10.5, &style, &rotation.to_string());
            svg.close();
        }
        svg.close();
    }
}

/// How a lit line is drawn over its links.
const LIT: &str =
    "fill=\"none\" stroke=\"#ffffff\" stroke-opacity=\"0.85\" stroke-width=\"2.2\" stroke-linecap=\"round\"";

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The pair of sides that a tile's link of a colour joins, if it has the colour.
pub(crate) fn link_of(tile: Tile, rotation: u8, colour: Colour) -> Option<(usize, usize)> {
    let links = LINKS[tile.number() - 1];
    let joined = links.into_iter().find(|&(a, _)| tile.edges()[usize::from(a)] == colour);
    joined.map(|(a, b)| (usize::from((a + rotation) % 6), usize::from((b + rotation) % 6)))
}
