//! The speeds that Geister promises.

use crate::Geister;
use ranka_core::{Bench, Speed};

impl Speed for Geister {
    fn benches() -> Vec<Bench> {
        Vec::new()
    }
}
