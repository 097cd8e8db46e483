//! What can be measured in a game of Labyrinth.

use crate::Labyrinth;
use ranka_core::Measured;

impl Measured for Labyrinth {}
