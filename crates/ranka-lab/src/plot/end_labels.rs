//! Labels at the right end of what they name, pushed apart where they would overlap.

use super::marks;
use super::sheet::{Anchor, Area, EDGE, Sheet, Sign, TEXT, WIDTH};
use super::text;
use ranka_core::theme;

/// The least distance of two labels.
const APART: f64 = 21.0;
/// From the data to the text: a thin line, a sign.
const BEFORE: f64 = 40.0;
/// The most that text may take from the data.
const WIDEST: f64 = 170.0;

/// What stands at the end, and at which height it belongs.
pub(super) struct EndLabel<'a> {
    pub(super) y: f64,
    pub(super) says: String,
    pub(super) sign: Sign<'a>,
}

/// The room that these words need right of the data.
pub(super) fn room<'a>(words: impl IntoIterator<Item = &'a str>) -> f64 {
    let widest = words.into_iter().map(|words| text::width(&text::clean(words), TEXT)).fold(0.0, f64::max);
    if widest == 0.0 { EDGE + 8.0 } else { BEFORE + widest.min(WIDEST) + EDGE }
}

/// The height at which so many labels fit.
pub(super) fn height(labels: usize) -> f64 {
    labels as f64 * APART
}

/// Draws the labels, each tied to its place by a thin line.
pub(super) fn draw(sheet: &mut Sheet, area: Area, labels: &[EndLabel<'_>]) {
    let wanted: Vec<f64> = labels.iter().map(|label| label.y).collect();
    let places = spread(&wanted, APART, area.top, area.bottom);
    for (label, y) in labels.iter().zip(places) {
        let tie = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1\"", theme::QUIET);
        if (y - label.y).abs() > 2.0 {
            marks::line(&mut sheet.svg, (area.right + 4.0, label.y), (area.right + 18.0, y), &tie);
        }
        (label.sign)(&mut sheet.svg, area.right + 27.0, y);
        let x = area.right + BEFORE;
        sheet.label(x, y, Anchor::Start, theme::INK, &label.says, WIDTH - x - EDGE + 2.0);
    }
}

/// Places near the wanted ones, in the same order and at least `apart` from each other; inside the bounds if
/// there is room enough.
pub(super) fn spread(wanted: &[f64], apart: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Blocks of labels that touch, each lying where its members want it on average.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &i in &order {
        let mut block = (wanted[i], 1);
        while let Some(&(middle, count)) = blocks.last() {
            let needed = apart * (count + block.1) as f64 / 2.0;
            if block.0 - middle >= needed {
                break;
            }
            blocks.pop();
            let all = count + block.1;
            block = ((middle * count as f64 + block.0 * block.1 as f64) / all as f64, all);
        }
        let half = apart * (block.1 - 1) as f64 / 2.0;
        block.0 = block.0.min(high - half).max(low + half);
        blocks.push(block);
    }
    let mut places = vec![0.0; wanted.len()];
    let mut at = order.into_iter();
    let mut least = f64::NEG_INFINITY;
    for (middle, count) in blocks {
        for k in 0..count {
            if let Some(i) = at.next() {
                places[i] = (middle + apart * (k as f64 - (count - 1) as f64 / 2.0)).max(least);
                least = places[i] + apart;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_labels_stay_where_they_are() {
        assert_eq!(spread(&[50.0, 10.0], 20.0, 0.0, 100.0), [50.0, 10.0]);
    }

    #[test]
    fn crowded_labels_share_the_room() {
        assert_eq!(spread(&[50.0, 50.0], 20.0, 0.0, 100.0), [40.0, 60.0]);
        assert_eq!(spread(&[0.0, 0.0, 90.0], 20.0, 0.0, 100.0), [0.0, 20.0, 90.0]);
        for places in
            [spread(&[99.0; 5], 20.0, 0.0, 100.0), spread(&[30.0, 31.0, 45.0, 99.0, 100.0], 20.0, 0.0, 100.0)]
        {
            let mut sorted = places.clone();
            sorted.sort_by(f64::total_cmp);
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 20.0 - 1e-9), "{places:?}");
            assert!(sorted[0] >= 0.0 && sorted[4] <= 100.0, "{places:?}");
        }
    }

    #[test]
    fn nothing_is_no_trouble() {
        assert!(spread(&[], 20.0, 0.0, 100.0).is_empty());
    }
}
