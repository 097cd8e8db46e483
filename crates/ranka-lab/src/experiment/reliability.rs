//! What an agent said of its chances beside what it scored then.

use crate::assessment::score_interval;
use crate::plot::{ErrorBar, Point};
use ranka_core::Seed;

const TENTHS: usize = 10;

/// Chances that were said, by tenths, and the scores that came of them. Positions of a deal hang together, so in a
/// tenth every deal counts once, by its means. Deals are told in order.
#[derive(Default)]
pub(super) struct Reliability {
    tenths: [Tenth; TENTHS],
    /// What was said and is no chance.
    pub(super) outside: usize,
}

#[derive(Clone, Default)]
struct Tenth {
    deals: Vec<Means>,
    last: Option<u64>,
}

/// Sums over the positions of a deal.
#[derive(Clone, Copy, Default)]
struct Means {
    positions: f64,
    said: f64,
    scored: f64,
}

impl Reliability {
    /// Adds a position.
    pub(super) fn add(&mut self, deal: u64, said: f64, scored: f64) {
        if !(0.0..=1.0).contains(&said) {
            self.outside += 1;
            return;
        }
        let tenth = &mut self.tenths[((said * TENTHS as f64) as usize).min(TENTHS - 1)];
        if tenth.last.replace(deal) != Some(deal) {
            tenth.deals.push(Means::default());
        }
        if let Some(of) = tenth.deals.last_mut() {
            *of = Means { positions: of.positions + 1.0, said: of.said + said, scored: of.scored + scored };
        }
    }

    /// For each tenth what was said and what came of it, in games of so many seats.
    pub(super) fn points(&self, seats: usize, seed: Seed) -> Vec<Point> {
        let tenths = self.tenths.iter().filter(|tenth| !tenth.deals.is_empty());
        let point = |tenth: &Tenth| {
            let mean = |of: fn(&Means) -> f64| {
                tenth.deals.iter().map(|deal| of(deal) / deal.positions).sum::<f64>()
                    / tenth.deals.len() as f64
            };
            let scored = tenth.deals.iter().map(|deal| (deal.scored / deal.positions, 1.0));
            let interval = score_interval(scored, seats, 1, seed);
            let y = ErrorBar { value: mean(|deal| deal.scored), interval: Some(interval) };
            Point { x: mean(|deal| deal.said), y }
        };
        tenths.map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deal_counts_once_in_a_tenth() {
        let mut told = Reliability::default();
        // A long game that was lost, and a short one that was won; both were said to stand even.
        (0..9).for_each(|_| told.add(0, 0.52, 0.0));
        told.add(1, 0.56, 1.0);
        told.add(1, 1.0, 1.0);
        told.add(2, 0.0, 0.0);
        told.add(2, 1.5, 0.0);
        told.add(2, f64::NAN, 0.0);
        assert_eq!(told.outside, 2);
        let points = told.points(2, Seed::new(1));
        let found: Vec<(f64, f64)> = points.iter().map(|p| (p.x, p.y.value)).collect();
        assert_eq!(found.len(), 3);
        for ((x, y), (said, scored)) in found.into_iter().zip([(0.0, 0.0), (0.54, 0.5), (1.0, 1.0)]) {
            assert!((x - said).abs() < 1e-12 && (y - scored).abs() < 1e-12, "{x} {y}");
        }
        for point in &points {
            let [low, high] = point.y.interval.unwrap();
            assert!(low <= point.y.value && point.y.value <= high && high - low > 0.3);
        }
    }

    #[test]
    fn more_deals_are_more_certain_and_more_positions_of_one_are_not() {
        let width = |deals: u64, positions: u64, seats: usize| {
            let mut told = Reliability::default();
            for deal in 0..deals {
                (0..positions).for_each(|_| told.add(deal, 0.33, f64::from(u8::from(deal % 3 == 0))));
            }
            let [low, high] = told.points(seats, Seed::new(1))[0].y.interval.unwrap();
            high - low
        };
        for seats in [2, 3] {
            assert!(width(90, 1, seats) < 0.75 * width(30, 1, seats));
            assert!((width(30, 1, seats) - width(30, 20, seats)).abs() < 1e-9);
        }
    }
}
