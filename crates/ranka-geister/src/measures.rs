//! What can be measured in a game of Geister.

use crate::Geister;
use ranka_core::Measured;

impl Measured for Geister {}
