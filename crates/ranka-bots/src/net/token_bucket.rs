//! How often something may happen.

use std::time::Instant;

/// An allowance that fills up with time: so many at once, so many a second in the long run.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    per_second: f64,
    burst: f64,
    left: f64,
    counted: Option<Instant>,
}

impl TokenBucket {
    /// At most `burst` at once and `per_second` in the long run.
    pub const fn new(per_second: u32, burst: u32) -> TokenBucket {
        TokenBucket { per_second: per_second as f64, burst: burst as f64, left: burst as f64, counted: None }
    }

    /// Whether one more may happen at `now`; it is then counted.
    pub fn allows(&mut self, now: Instant) -> bool {
        let passed = self.counted.map_or(0.0, |then| now.saturating_duration_since(then).as_secs_f64());
        self.counted = Some(now);
        self.left = (self.left + passed * self.per_second).min(self.burst);
        let allowed = self.left >= 1.0;
        self.left -= f64::from(u8::from(allowed));
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_is_allowed_and_then_the_long_run() {
        let begun = Instant::now();
        let mut rate = TokenBucket::new(10, 3);
        assert_eq!([0, 0, 0, 0].map(|_| rate.allows(begun)), [true, true, true, false]);
        let later = begun + Duration::from_millis(101);
        assert_eq!([0, 0].map(|_| rate.allows(later)), [true, false]);
        let much_later = begun + Duration::from_secs(3600);
        assert_eq!([0, 0, 0, 0].map(|_| rate.allows(much_later)), [true, true, true, false]);
    }
}
