//! What can be measured in a game of TUBSTAP.

use crate::Tubstap;
use ranka_core::Measured;

impl Measured for Tubstap {}
