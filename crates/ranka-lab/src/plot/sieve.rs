//! What can be drawn passes; what cannot is counted.

use super::ErrorBar;

/// Beyond this, differences could overflow; no plot needs it.
const LARGEST: f64 = 1e100;

/// Counts the values that it holds back.
#[derive(Debug, Default)]
pub(super) struct Sieve {
    left_out: usize,
}

impl Sieve {
    /// The value, if it can be drawn.
    pub(super) fn value(&mut self, value: f64) -> Option<f64> {
        let drawable = drawable(value);
        self.left_out += usize::from(drawable.is_none());
        drawable
    }

    /// Both values, if both can be drawn; together they count as one.
    pub(super) fn pair(&mut self, x: f64, y: f64) -> Option<(f64, f64)> {
        let pair = drawable(x).zip(drawable(y));
        self.left_out += usize::from(pair.is_none());
        pair
    }

    /// The estimate, if its value can be drawn; without its interval, if only that cannot. An interval may
    /// be open: its end is then infinite.
    pub(super) fn estimate(&mut self, estimate: ErrorBar) -> Option<ErrorBar> {
        let value = self.value(estimate.value)?;
        let interval = estimate.interval.and_then(|[low, high]| self.interval(low, high));
        Some(ErrorBar { value, interval })
    }

    fn interval(&mut self, low: f64, high: f64) -> Option<[f64; 2]> {
        if low.is_nan() || high.is_nan() {
            self.left_out += 1;
            return None;
        }
        let open = |end: f64| drawable(end).unwrap_or(f64::INFINITY.copysign(end));
        Some([open(low.min(high)), open(low.max(high))])
    }

    /// Holds back a value for a reason of the plot's own.
    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// The note, and how many values it does not tell of.
    pub(super) fn note(&self, note: &str) -> String {
        let sentence = match self.left_out {
            0 => return note.to_owned(),
            1 => "1 value that cannot be drawn is left out.".to_owned(),
            many => format!("{many} values that cannot be drawn are left out."),
        };
        let note = note.trim_end();
        let stop = if note.is_empty() || note.ends_with(['.', '。', '!', '?']) { "" } else { "." };
        format!("{note}{stop} {sentence}")
    }
}

fn drawable(value: f64) -> Option<f64> {
    let flushed = if value.abs() < 1.0 / LARGEST { 0.0 } else { value };
    (flushed.abs() <= LARGEST).then_some(flushed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_counted() {
        let mut sieve = Sieve::default();
        assert_eq!(sieve.value(f64::NAN), None);
        assert_eq!(sieve.value(1e-300), Some(0.0));
        assert_eq!(sieve.note("n = 3."), "n = 3. 1 value that cannot be drawn is left out.");
        assert_eq!(sieve.pair(f64::INFINITY, f64::NAN), None);
        assert_eq!(sieve.note("n = 3"), "n = 3. 2 values that cannot be drawn are left out.");
    }

    #[test]
    fn intervals_may_be_open_and_turned() {
        let mut sieve = Sieve::default();
        let mut interval = |low, high| {
            sieve.estimate(ErrorBar { value: 1.0, interval: Some([low, high]) }).and_then(|e| e.interval)
        };
        assert_eq!(interval(0.0, f64::INFINITY), Some([0.0, f64::INFINITY]));
        assert_eq!(interval(2.0, 0.5), Some([0.5, 2.0]));
        assert_eq!(interval(f64::NAN, 0.5), None);
        assert_eq!(sieve.left_out, 1);
    }
}
