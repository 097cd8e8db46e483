//! Geister against the battery, and its golden files.

use ranka_battery::check_perft_file;
use ranka_geister::Geister;

#[test]
fn perft() {
    check_perft_file::<Geister>("tests/geister.perft");
}
