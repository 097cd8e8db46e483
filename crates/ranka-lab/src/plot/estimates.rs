//! How an interval is drawn and said.

use super::ErrorBar;
use super::marks;
use super::scale::AxisUnit;
use ranka_core::Svg;

/// The normal quantile of a two-sided 95 % interval.
pub(super) const Z: f64 = 1.96;

/// All that an axis must hold of an estimate. An open interval reaches as far on that side as on the other, so
/// that its arrow is seen.
pub(super) fn reach(estimate: ErrorBar) -> [f64; 3] {
    let value = estimate.value;
    let [low, high] = estimate.interval.unwrap_or([value; 2]);
    let mirrored = |end: f64, other: f64| if end.is_finite() { end } else { 2.0 * value - other };
    [value, mirrored(low, high), mirrored(high, low)]
}

/// An estimate in words.
pub(super) fn say(estimate: ErrorBar, unit: AxisUnit) -> String {
    let end = |value: f64| if value.is_finite() { unit.say(value) } else { "without bound".into() };
    match estimate.interval {
        Some([low, high]) => format!("{} ({} to {})", unit.say(estimate.value), end(low), end(high)),
        None => unit.say(estimate.value),
    }
}

/// An interval as a bar with short ends, or an arrow where it has no end.
pub(super) fn draw_interval(
    svg: &mut Svg,
    estimate: ErrorBar,
    place: impl Fn(f64) -> (f64, f64),
    colour: &str,
) {
    let Some([low, high]) = estimate.interval else { return };
    let (from, to) = (place(low), place(high));
    let upright = (from.0 - to.0).abs() < 0.005 && (from.1 - to.1).abs() > 0.005;
    let mut d = marks::track(&[from, to]);
    for (value, (x, y), inwards) in [(low, from, 1.0), (high, to, -1.0)] {
        let across = |along: f64, aside: f64| match upright {
            true => (x + aside, y - along * inwards),
            false => (x + along * inwards, y + aside),
        };
        d += &match value.is_finite() {
            true => marks::track(&[across(0.0, -4.0), across(0.0, 4.0)]),
            false => marks::track(&[across(6.0, -5.0), across(0.0, 0.0), across(6.0, 5.0)]),
        };
    }
    svg.path(&d, &format!("class=\"interval\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\""));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_interval_has_room_for_its_arrow() {
        let reach_of = |low, high| reach(ErrorBar { value: 3.0, interval: Some([low, high]) });
        assert_eq!(reach_of(2.0, 5.0), [3.0, 2.0, 5.0]);
        assert_eq!(reach_of(2.0, f64::INFINITY), [3.0, 2.0, 4.0]);
        assert_eq!(reach_of(f64::NEG_INFINITY, 5.0), [3.0, 1.0, 5.0]);
        assert_eq!(reach(ErrorBar { value: 3.0, interval: None }), [3.0; 3]);
    }
}
