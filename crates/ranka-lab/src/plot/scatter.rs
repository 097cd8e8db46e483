//! Scatter plots in which points that fall on one another are still seen.

use super::marks;
use super::scale::{AxisUnit, Scale};
use super::sheet::{Area, EDGE, Key, Plan, Sheet, WIDTH};
use super::sieve::Sieve;
use super::{Caption, text};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Points; the more lie on one place, the larger is their mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The words around it.
    pub caption: Caption,
    /// The points by groups; their colours and shapes go by their order.
    pub groups: Vec<ScatterGroup>,
}

/// Points of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterGroup {
    /// Its name.
    pub label: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

const HEIGHT: f64 = 330.0;

/// All points of a group at one place.
struct Pile {
    group: usize,
    x: f64,
    y: f64,
    count: usize,
}

impl Scatter {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let piles: Vec<Pile> =
            (0..).zip(&self.groups).flat_map(|(i, group)| group.piles(i, &mut sieve)).collect();
        let y = Scale::loose(piles.iter().map(|pile| pile.y), AxisUnit::Number, 5);
        let left = EDGE + y.label_width() + 8.0;
        let right = EDGE + 4.0;
        let x = Scale::tight(piles.iter().map(|pile| pile.x), AxisUnit::Number, WIDTH - left - right - 36.0);
        let inner = WIDTH - left - right - 36.0;
        let aside = closest(piles.iter().map(|pile| x.at(pile.x)), inner);
        let above = closest(piles.iter().map(|pile| y.at(pile.y)), HEIGHT);
        let most = piles.iter().map(|pile| pile.count).max().unwrap_or(1);
        let largest = if most == 1 { 4.5 } else { aside.min(above * 0.8).clamp(9.0, 16.0) };
        let radius = move |count: usize| (largest * (count as f64 / most as f64).sqrt()).max(2.0);

        let drawn =
            |group| piles.iter().filter(|pile| pile.group == group).map(|pile| pile.count).sum::<usize>();
        let mut keys: Vec<Key<'_>> = Vec::new();
        if self.groups.len() > 1 {
            for (i, group) in self.groups.iter().enumerate() {
                let says = format!("{} (n = {})", text::clean(&group.label), drawn(i));
                keys.push(Key::new(says, move |svg, x, y| marks::mark(svg, i, x, y, 6.0, &marks::filled(i))));
            }
        }
        if most > 1 {
            for count in [1, most] {
                let says = if count == 1 { "1 point".into() } else { format!("{count} points") };
                keys.push(Key::new(says, move |svg, x, y| {
                    let attributes = format!("fill=\"{}\"", ranka_core::theme::QUIET);
                    marks::mark(svg, 0, x, y, radius(count).min(11.5), &attributes);
                }));
            }
        }
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                right,
                height: HEIGHT,
                extra_height: 0.0,
                keys,
                says: self.says(),
                note: sieve.note(&self.caption.note),
            },
        );
        let whole = sheet.area;
        let area = Area { left: whole.left + 18.0, right: whole.right - 18.0, ..whole };
        sheet.y_axis(whole, &y);
        sheet.x_axis(area, &x);
        if piles.is_empty() {
            sheet.nothing();
        }
        // The large ones first, that they hide nothing; groups a little beside each other.
        let mut order: Vec<&Pile> = piles.iter().collect();
        order.sort_by_key(|pile| Reverse(pile.count));
        let beside = (aside * 0.7).min(28.0) / self.groups.len().max(1) as f64;
        for pile in order {
            let shift = (pile.group as f64 - (self.groups.len() - 1) as f64 / 2.0) * beside;
            let attributes = format!("class=\"pile\" fill-opacity=\"0.8\" {}", marks::filled(pile.group));
            let (px, py) = (area.x(&x, pile.x) + shift, area.y(&y, pile.y));
            marks::mark(&mut sheet.svg, pile.group, px, py, radius(pile.count), &attributes);
        }
        sheet.finish()
    }

    fn says(&self) -> String {
        let group = |group: &ScatterGroup| format!("{}: {} points. ", group.label, group.points.len());
        self.groups.iter().map(group).collect()
    }
}

impl ScatterGroup {
    fn piles(&self, group: usize, sieve: &mut Sieve) -> Vec<Pile> {
        let mut counts: BTreeMap<(u64, u64), (f64, f64, usize)> = BTreeMap::new();
        for &(x, y) in &self.points {
            if let Some((x, y)) = sieve.pair(x, y) {
                counts.entry((x.to_bits(), y.to_bits())).or_insert((x, y, 0)).2 += 1;
            }
        }
        counts.into_values().map(|(x, y, count)| Pile { group, x, y, count }).collect()
    }
}

/// The least distance of different places in a room.
fn closest(places: impl Iterator<Item = f64>, room: f64) -> f64 {
    let mut places: Vec<f64> = places.collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.windows(2).map(|pair| pair[1] - pair[0]).fold(1.0, f64::min) * room
}
