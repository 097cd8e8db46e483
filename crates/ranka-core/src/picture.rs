//! Pictures: an SVG of a view, with stable element ids that a click path can name.

use crate::{Game, Locale, Message, Seat};
use std::fmt::{self, Write as _};

/// How a view is drawn, and how an action is made by touching the drawing.
pub trait Picture: Game {
    /// An SVG of what a seat sees, in which the `last` action and the seat that took it are traced. Every element that
    /// [`clicks`](Picture::clicks) names has that `id`; those beside the board (a hand, a dial) lie in a group that has
    /// an id itself. Groups of the class `beside` lie to the right of the board and may be moved below it on a narrow
    /// screen; what a group of the class `above` holds is not covered when its element is ringed. A piece that moves is a group with the same `data-piece` before and after, so that a page can show
    /// it on its way.
    fn picture(&self, view: &Self::View, look: &Look, last: Option<(Seat, Self::Action)>) -> String;

    /// The ids of the elements a person touches, in order, to take `action`. No action's path is the
    /// beginning of another's.
    fn clicks(&self, view: &Self::View, action: Self::Action) -> Vec<String>;

    /// A legal action of the viewer that is not among its choices but that a person may want: the end of a turn, say.
    fn offers_besides(&self, _view: &Self::View) -> Option<Self::Action> {
        None
    }

    /// The colour in which a seat's things are drawn.
    fn colour(&self, _view: &Self::View, seat: Seat) -> &'static str {
        theme::SERIES[seat.index()]
    }

    /// The board in a few lines of text, for the terminal.
    fn sketch(&self, view: &Self::View, viewer: Seat) -> String;

    /// The same with the terminal's escape sequences for colours, where the game has colours to show.
    fn coloured_sketch(&self, view: &Self::View, viewer: Seat) -> String {
        self.sketch(view, viewer)
    }

    /// The names of the marks that a picture of this view can show beyond the usual ones.
    fn marks(&self, _view: &Self::View) -> Vec<String> {
        Vec::new()
    }

    /// What the seat that is to act is asked for, once it has touched so many elements of a path.
    fn ask(&self, _view: &Self::View, _touched: usize) -> &'static str {
        "Choose a move"
    }

    /// What comes of an action that is about to be taken, as far as the viewer knows: what it is told before it
    /// decides. Nothing comes of an action that is not legal.
    fn foresee(&self, _view: &Self::View, _action: Self::Action) -> Foresight {
        Foresight::default()
    }

    /// What is told of an action once it has been taken, to a viewer who saw `before` and sees `after`: what was
    /// foreseen, unless the action has shown more than that.
    fn tell(&self, before: &Self::View, action: Self::Action, _after: &Self::View) -> Message {
        self.foresee(before, action).message
    }

    /// What chance did, told to whoever sees it. Empty where the notation says enough.
    fn tell_chance(&self, _action: Self::Action) -> Message {
        Message::default()
    }

    /// What sentences call a seat, by its side or colour on the board; empty where they do not.
    fn side(&self, _view: &Self::View, _seat: Seat) -> String {
        String::new()
    }

    /// How a game that is over ended, by its rules: who has won, by how many points, and why. It is told to a seat, which
    /// is "you", or to readers of whom none is; whatever it calls a seat by is its [`side`](Picture::side). Empty where
    /// there is nothing to say.
    fn verdict(&self, _view: &Self::View, _to: Option<Seat>) -> Message {
        Message::default()
    }
}

/// What comes of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foresight {
    /// In words; empty where the notation says enough.
    pub message: Message,
    /// What is written at elements of the picture, by their ids: `−5` at a unit that loses five.
    pub marks: Vec<(String, String)>,
}

/// How a picture should look.
#[derive(Clone, Debug)]
pub struct Look {
    /// Whose side is at the bottom.
    pub viewer: Seat,
    /// Coordinates at the edge.
    pub coordinates: bool,
    /// A thumbnail, without small print.
    pub compact: bool,
    /// What is shown beyond the usual, by the names that [`marks`](Picture::marks) tells.
    pub marks: Vec<String>,
    /// The language of what is written in it and read aloud from it.
    pub locale: Locale,
}

impl Look {
    /// The usual picture from a seat's side, in English.
    pub const fn from(viewer: Seat) -> Look {
        Look { viewer, coordinates: true, compact: false, marks: Vec::new(), locale: Locale::ENGLISH }
    }

    /// The same in another language.
    pub fn speaking(self, locale: Locale) -> Look {
        Look { locale, ..self }
    }

    /// Whether this mark is asked for.
    pub fn marked(&self, name: &str) -> bool {
        self.marks.iter().any(|mark| mark == name)
    }

    /// A sentence of the picture in its language.
    pub fn say(&self, pattern: &'static str, words: &[&dyn fmt::Display]) -> String {
        self.locale.tell(&Message::new(pattern, words))
    }
}

/// The colours of `docs/look`, as CSS custom properties with the light theme as fallback, so that one
/// drawing serves both themes, print, and a viewer that knows no style sheet.
pub mod theme {
    /// The ground.
    pub const PAPER: &str = "var(--paper, #faf7f0)";
    /// Text and outlines.
    pub const INK: &str = "var(--ink, #22201c)";
    /// Small print.
    pub const QUIET: &str = "var(--quiet, #6f6a5e)";
    /// Thin lines.
    pub const LINE: &str = "var(--line, #d9d2c2)";
    /// What a person can do now or must notice.
    pub const SEAL: &str = "var(--seal, #c8432b)";
    /// How what happened last is outlined: dotted, since rings are for what can be done now.
    pub fn past(ink: &str) -> String {
        format!(
            "fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-dasharray=\"0 5.5\" \
             pointer-events=\"none\""
        )
    }
    /// Players and series, by the Okabe–Ito set.
    pub const SERIES: [&str; 8] =
        ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"];
}

/// A small SVG writer: elements, escaped text, and a title and description for those who hear the page.
#[derive(Debug)]
pub struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A drawing of this size in user units.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let mut svg = Svg { out: String::with_capacity(4096), open: vec!["svg"] };
        let _ = write!(
            svg.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"system-ui, 'Hiragino Sans', 'Noto Sans JP', 'Yu Gothic UI', sans-serif\">",
            Short(width),
            Short(height)
        );
        svg.leaf_text("title", "", title);
        svg.leaf_text("desc", "", description);
        svg
    }

    /// Opens a group.
    pub fn group(&mut self, attributes: &str) -> &mut Svg {
        let _ = write!(self.out, "<g {attributes}>");
        self.open.push("g");
        self
    }

    /// Closes the innermost group.
    pub fn close(&mut self) -> &mut Svg {
        let tag = self.open.pop().expect("every close has its group");
        let _ = write!(self.out, "</{tag}>");
        self
    }

    /// A circle.
    pub fn circle(&mut self, x: f64, y: f64, r: f64, attributes: &str) -> &mut Svg {
        let _ = write!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {attributes}/>",
            Short(x),
            Short(y),
            Short(r)
        );
        self
    }

    /// A rectangle with round corners.
    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, corner: f64, attributes: &str) -> &mut Svg {
        let _ = write!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {attributes}/>",
            Short(x),
            Short(y),
            Short(w),
            Short(h),
            Short(corner)
        );
        self
    }

    /// A path.
    pub fn path(&mut self, d: &str, attributes: &str) -> &mut Svg {
        let _ = write!(self.out, "<path d=\"{d}\" {attributes}/>");
        self
    }

    /// Text at a place.
    pub fn text(&mut self, x: f64, y: f64, size: f64, attributes: &str, text: &str) -> &mut Svg {
        let place =
            format!("x=\"{}\" y=\"{}\" font-size=\"{}\" {attributes}", Short(x), Short(y), Short(size));
        self.leaf_text("text", &place, text);
        self
    }

    /// A title inside the open group: what a pointer that rests there is told.
    pub fn title(&mut self, text: &str) -> &mut Svg {
        self.leaf_text("title", "", text);
        self
    }

    fn leaf_text(&mut self, tag: &str, attributes: &str, text: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = write!(self.out, "<{tag}{space}{attributes}>");
        for c in text.chars() {
            match c {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                c => self.out.push(c),
            }
        }
        let _ = write!(self.out, "</{tag}>");
    }

    /// The finished drawing.
    ///
    /// # Panics
    /// If a group was left open.
    pub fn finish(mut self) -> String {
        self.close();
        assert!(self.open.is_empty(), "a group was left open");
        self.out
    }
}

/// A drawing for viewers that know no CSS variables: each `var(--name, fallback)` becomes its fallback.
pub fn standalone(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, variable)) = rest.split_once("var(--") {
        out.push_str(before);
        let (inside, after) = variable.split_once(')').unwrap_or((variable, ""));
        out.push_str(inside.split_once(',').map_or("", |(_, fallback)| fallback.trim()));
        rest = after;
    }
    out + rest
}

/// A coordinate with at most two decimals, so that drawings stay small and the same everywhere.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_give_way_to_their_fallbacks() {
        let svg = format!("<g fill=\"{}\" stroke=\"{}\"/>", theme::INK, theme::SEAL);
        assert_eq!(standalone(&svg), "<g fill=\"#22201c\" stroke=\"#c8432b\"/>");
    }

    #[test]
    fn text_is_escaped_and_numbers_are_short() {
        let mut svg = Svg::new(10.0, 5.0, "a < b", "c & d");
        svg.group("id=\"x\"").circle(1.0 / 3.0, -0.001, 2.0, "").close();
        let out = svg.finish();
        assert!(out.contains("<title>a &lt; b</title><desc>c &amp; d</desc>"));
        assert!(out.contains("<circle cx=\"0.33\" cy=\"0\" r=\"2\" />"));
        assert!(out.ends_with("</g></svg>"));
    }
}
