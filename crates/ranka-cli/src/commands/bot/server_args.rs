//! What the servers that pair their clients ask for, and how they run.

use super::net_args::{LogArgs, RecordsFile};
use super::standings::Standings;
use crate::failure::Done;
use ranka_bots::net::{Log, Server, Sides};
use ranka_core::{Error, Record};
use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// Who begins, or is red.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum SidesName {
    /// Who came first, then the other, and so on
    Swapped,
    /// Always who came first, as at TUBSTAP's original program
    Fixed,
    /// Chance decides, as at Kalah's reference server
    Random,
}

impl From<SidesName> for Sides {
    fn from(name: SidesName) -> Sides {
        match name {
            SidesName::Swapped => Sides::Swapped,
            SidesName::Fixed => Sides::Fixed,
            SidesName::Random => Sides::Random,
        }
    }
}

#[derive(clap::Args)]
pub(super) struct ServerArgs {
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = Server::LOOPBACK)]
    pub(super) host: IpAddr,
    /// The games of two clients; then both are sent away
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) games: NonZeroU32,
    /// End after so many pairs of clients
    #[arg(long, value_name = "N")]
    pairings: Option<NonZeroU64>,
    /// How many clients may be connected at a time
    #[arg(long, value_name = "N", default_value = "64")]
    pub(super) connections: NonZeroUsize,
    /// What the randomness of the server's own follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Add a record of each game to this file as it ends, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

impl ServerArgs {
    pub(super) fn pairings(&self) -> Option<u64> {
        self.pairings.map(NonZeroU64::get)
    }

    /// Lets a server run, with the log and with whoever is handed its games; prints at the end who won how often.
    pub(super) fn serve(
        &self,
        run: impl FnOnce(&Log, &(dyn Fn(&Record) + Sync)) -> Result<(), Error>,
    ) -> Done {
        let log = self.log.open()?;
        let records = RecordsFile::open(self.records.as_deref())?;
        let standings = Standings::default();
        run(&log, &|record| {
            records.add(record);
            standings.add(record);
        })?;
        records.check()?;
        standings.print(self.json)
    }
}
