//! A drawing taken apart again, to be examined.

use std::collections::BTreeMap;

/// Text at its place, with a box of about its size.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// An element of a drawing.
struct Element {
    tag: String,
    attributes: BTreeMap<String, String>,
    text: String,
    slanted: bool,
}

impl Words {
    /// Whether a place lies in the text.
    pub(crate) fn cover(&self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

impl Element {
    fn number(&self, key: &str) -> f64 {
        self.attributes[key].parse().unwrap()
    }
}

/// What the labels along an axis say: which value is at which place.
pub(crate) struct Axis {
    first: (f64, f64),
    last: (f64, f64),
    logarithmic: bool,
}

impl Axis {
    /// An axis by its labels, each at its place.
    fn of(name: &str, mut ticks: Vec<(f64, f64)>) -> Axis {
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(ticks.len() > 1, "{name} is no axis: {ticks:?}");
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        let steps: Vec<f64> = ticks.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
        let even = steps.iter().all(|step| (step - steps[0]).abs() < 1e-9 * last.1.abs().max(1.0));
        Axis { first, last, logarithmic: !even }
    }

    /// The value at a place.
    pub(crate) fn value(&self, place: f64) -> f64 {
        let share = (place - self.first.0) / (self.last.0 - self.first.0);
        let (low, high) = (self.first.1, self.last.1);
        if self.logarithmic { low * (high / low).powf(share) } else { low + (high - low) * share }
    }

    /// How much a length is worth.
    pub(crate) fn worth(&self, length: f64) -> f64 {
        (self.value(self.first.0 + length) - self.first.1).abs()
    }
}

/// A parsed drawing.
pub(crate) struct Drawing {
    elements: Vec<Element>,
    width: f64,
    height: f64,
}

impl Drawing {
    /// Parses a drawing and asserts what holds for all of them.
    pub(crate) fn sound(name: &str, svg: &str) -> Drawing {
        let document =
            roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{name}: {error}\n{svg}"));
        let element = |node: roxmltree::Node<'_, '_>| Element {
            tag: node.tag_name().name().into(),
            attributes: node.attributes().map(|a| (a.name().into(), a.value().into())).collect(),
            text: node.text().unwrap_or_default().into(),
            slanted: node.ancestors().any(|node| node.has_attribute("transform")),
        };
        let elements: Vec<Element> =
            document.descendants().filter(|node| node.is_element()).map(element).collect();
        let view = numbers(&elements[0].attributes["viewBox"]);
        assert_eq!(view[..3], [0.0, 0.0, 640.0], "{name}");
        let drawing = Drawing { elements, width: view[2], height: view[3] };
        let tags: Vec<&str> = drawing.elements[1..4].iter().map(|element| element.tag.as_str()).collect();
        assert_eq!(tags, ["title", "desc", "rect"], "{name} speaks to those who hear it");
        drawing.assert_finite_and_inside(name);
        for words in drawing.words() {
            let inside = words.left >= -1.0 && words.right <= drawing.width + 1.0;
            assert!(
                inside && words.top >= 0.0 && words.bottom <= drawing.height,
                "{name}: {words:?} is cut off"
            );
        }
        drawing
    }

    fn assert_finite_and_inside(&self, name: &str) {
        for element in &self.elements {
            for (key, value) in &element.attributes {
                assert!(!["NaN", "inf"].iter().any(|odd| value.contains(odd)), "{name}: {key}={value}");
            }
            let corners: Vec<(f64, f64)> = match element.tag.as_str() {
                "circle" => {
                    let [x, y, r] = ["cx", "cy", "r"].map(|key| element.number(key));
                    assert!(r >= 0.0, "{name}: a circle of {r}");
                    vec![(x - r, y - r), (x + r, y + r)]
                }
                "rect" => {
                    let [x, y, w, h] = ["x", "y", "width", "height"].map(|key| element.number(key));
                    assert!(w >= 0.0 && h >= 0.0, "{name}: a rectangle of {w} × {h}");
                    vec![(x, y), (x + w, y + h)]
                }
                "path" => {
                    let d = numbers(&element.attributes["d"]);
                    assert!(d.len().is_multiple_of(2) && !d.is_empty(), "{name}: an odd path");
                    d.chunks(2).map(|pair| (pair[0], pair[1])).collect()
                }
                _ => Vec::new(),
            };
            for (x, y) in corners {
                let inside =
                    (-1.0..=self.width + 1.0).contains(&x) && (-1.0..=self.height + 1.0).contains(&y);
                assert!(inside, "{name}: {} {:?} at {x}, {y}", element.tag, element.attributes);
            }
        }
    }

    /// The attributes of all elements of a class.
    pub(crate) fn of_class(&self, class: &str) -> Vec<&BTreeMap<String, String>> {
        let all = self.elements.iter().map(|element| &element.attributes);
        all.filter(|attributes| attributes.get("class").is_some_and(|of| of == class)).collect()
    }

    /// How many elements a class has.
    pub(crate) fn count(&self, class: &str) -> usize {
        self.of_class(class).len()
    }

    /// All text that is seen.
    pub(crate) fn words(&self) -> Vec<Words> {
        let words = |element: &Element| {
            let text = element.text.clone();
            let [x, y, size] = ["x", "y", "font-size"].map(|key| element.number(key));
            assert!(size >= 13.0, "{text} is too small");
            let wide = text.chars().map(|c| if c >= '\u{2e80}' { 1.0 } else { 0.52 }).sum::<f64>() * size;
            let left = match element.attributes.get("text-anchor").map(String::as_str) {
                Some("middle") => x - wide / 2.0,
                Some("end") => x - wide,
                _ => x,
            };
            if element.slanted {
                // Rising to its place by 45°; neighbours are parallel, so only the end counts as taken.
                let (along, down) = (wide * 0.71, wide * 0.71);
                assert!(x - along >= 0.0 && y + down <= self.height, "{text} is cut off");
                return Words {
                    text,
                    left: x - size,
                    right: x,
                    top: y - size * 0.75,
                    bottom: y + size * 0.2,
                };
            }
            Words { text, left, right: left + wide, top: y - size * 0.75, bottom: y + size * 0.2 }
        };
        self.elements.iter().filter(|element| element.tag == "text").map(words).collect()
    }

    /// Asserts that no text lies on another.
    pub(crate) fn assert_words_apart(&self, name: &str) {
        let words = self.words();
        for (i, a) in words.iter().enumerate() {
            for b in &words[i + 1..] {
                let apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
                assert!(apart, "{name}: {a:?} lies on {b:?}");
            }
        }
    }

    /// Asserts that a text is there.
    pub(crate) fn assert_says(&self, text: &str) {
        let words: Vec<String> = self.words().into_iter().map(|words| words.text).collect();
        assert!(words.iter().any(|words| words == text), "{text:?} is not among {words:?}");
    }

    /// The axis below: the lowest line of numbers that stand under their ticks.
    pub(crate) fn x_axis(&self) -> Axis {
        let numbers = self.numbers_anchored("middle");
        let below = numbers.iter().map(|&(_, y, _)| y).fold(f64::NEG_INFINITY, f64::max);
        let line = numbers.iter().filter(|&&(_, y, _)| y == below);
        Axis::of("what stands below", line.map(|&(x, _, value)| (x, value)).collect())
    }

    /// The axis at the left of a height: the leftmost column of numbers that end before their ticks.
    pub(crate) fn y_axis(&self, top: f64, bottom: f64) -> Axis {
        let numbers = self.numbers_anchored("end");
        let inside = || numbers.iter().filter(|&&(_, y, _)| (top..=bottom).contains(&y));
        let left = inside().map(|&(x, _, _)| x).fold(f64::INFINITY, f64::min);
        let column = inside().filter(|&&(x, _, _)| x == left);
        Axis::of("what stands at the left", column.map(|&(_, y, value)| (y, value)).collect())
    }

    /// Every number that is written with this anchor: where it stands, and its value.
    fn numbers_anchored(&self, anchor: &str) -> Vec<(f64, f64, f64)> {
        let anchored = |element: &&Element| {
            element.tag == "text" && element.attributes.get("text-anchor").is_some_and(|of| of == anchor)
        };
        let number = |element: &Element| {
            let plain = element.text.replace([',', '\u{202f}', ' '], "").replace('−', "-");
            let value: f64 = match plain.strip_suffix('%') {
                Some(percent) => percent.parse::<f64>().ok()? / 100.0,
                None => plain.parse().ok()?,
            };
            // Digits stand on their line; their middle is at the tick.
            Some((element.number("x"), element.number("y") - 0.35 * element.number("font-size"), value))
        };
        self.elements.iter().filter(anchored).filter_map(number).collect()
    }

    /// The middle of every mark of a class.
    pub(crate) fn middles(&self, class: &str) -> Vec<(f64, f64)> {
        let marks = self
            .elements
            .iter()
            .filter(|element| element.attributes.get("class").is_some_and(|of| of == class));
        let middle = |mark: &Element| match mark.tag.as_str() {
            "circle" => (mark.number("cx"), mark.number("cy")),
            "rect" => {
                let [x, y, w, h] = ["x", "y", "width", "height"].map(|key| mark.number(key));
                (x + w / 2.0, y + h / 2.0)
            }
            _ => {
                let corners = path(&mark.attributes["d"]);
                let middle = |of: fn(&(f64, f64)) -> f64| {
                    let all = || corners.iter().map(of);
                    (all().fold(f64::INFINITY, f64::min) + all().fold(f64::NEG_INFINITY, f64::max)) / 2.0
                };
                (middle(|p| p.0), middle(|p| p.1))
            }
        };
        marks.map(middle).collect()
    }

    /// The corners of every path of a class.
    pub(crate) fn paths(&self, class: &str) -> Vec<Vec<(f64, f64)>> {
        self.of_class(class).iter().map(|attributes| path(&attributes["d"])).collect()
    }

    /// What those hear who do not see.
    pub(crate) fn described(&self) -> &str {
        &self.elements[2].text
    }

    /// All titles: of the drawing, its parts and cut labels.
    pub(crate) fn titles(&self) -> Vec<&str> {
        self.elements
            .iter()
            .filter(|element| element.tag == "title")
            .map(|title| title.text.as_str())
            .collect()
    }
}

/// The corners of a path.
fn path(d: &str) -> Vec<(f64, f64)> {
    numbers(d).chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, 'M' | 'L' | 'Z' | ','));
    parts.filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect()
}
