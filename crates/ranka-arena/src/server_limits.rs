//! How much the arena takes from anybody.

use std::time::Duration;

/// Bounds that keep one visitor from spoiling the others' games.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Games in memory at a time; those that nobody looks at give way.
    pub tables: usize,
    /// Searches at a time.
    pub searches: usize,
    /// Hints, analyses and looks back at a time: they never take the place of an agent that plays.
    pub analyses: usize,
    /// How long an agent may think about one action before it loses.
    pub think: Duration,
    /// How long an agent may think about a hint or an analysis before it must tell what it has.
    pub analysis: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// The most bytes in a message or form.
    pub bytes: usize,
    /// The same where records are pasted.
    pub pasted: usize,
    /// How many records from elsewhere the store may have before visitors can paste no more.
    pub records: u64,
    /// How many messages a connection may send at once, and how many a second in the long run.
    pub messages: u32,
    /// How long a client may take to say what it wants, and to receive what it was sent.
    pub patience: Duration,
    /// How often a connection is told that the server is there, whatever happens.
    pub beat: Duration,
    /// How long a search goes on when nobody looks any more.
    pub grace: Duration,
}

impl ServerLimits {
    /// How many threads may wait for the store at a time, should it be slow, without keeping others waiting: each
    /// connection and each table does one thing at a time, and some think.
    pub const fn threads(&self) -> usize {
        self.connections + self.tables + self.searches + 2 * self.analyses
    }

    /// Those for visitors from elsewhere: nobody's agent keeps the others' waiting for long.
    pub fn for_strangers() -> ServerLimits {
        ServerLimits {
            think: Duration::from_secs(10),
            analysis: Duration::from_secs(5),
            ..ServerLimits::default()
        }
    }
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ServerLimits {
            tables: 1000,
            // More than there are processors, so that a long search does not keep short ones waiting.
            searches: 2 * cores.max(2),
            // Two for a visitor, and one that is kept for somebody else.
            analyses: 3,
            think: Duration::from_secs(120),
            analysis: Duration::from_secs(15),
            connections: 2000,
            bytes: 64 * 1024,
            pasted: 1024 * 1024,
            records: 10_000,
            messages: 20,
            patience: Duration::from_secs(10),
            beat: Duration::from_secs(10),
            grace: Duration::from_secs(10),
        }
    }
}
