//! How every agent plays: who changes it raises the agent's version.

use ranka_battery::check_signatures;
use ranka_kalah::Kalah;

#[test]
fn signatures() {
    check_signatures::<Kalah>(
        "tests/signatures.txt",
        &[
            (
                "",
                &[
                    "random",
                    "flat-mc",
                    "flat-mc:playouts=300,rule=equal",
                    "uct",
                    "uct:playouts=300,c=1.4",
                    "minimax",
                    "minimax:depth=7",
                    "minimax:depth=5,unit=turn,ties=last",
                ],
            ),
            ("houses=4,seeds=3,pie=on", &["minimax:depth=6,ties=first"]),
            ("houses=5,seeds=3,end=mover-empty,leftover=none,capture=always", &["minimax:depth=6"]),
            (
                "houses=3,seeds=3",
                &[
                    "perfect",
                    "strong",
                    "champion",
                    "max-q",
                    "max-q:reward=delta",
                    "min-q",
                    "select-q",
                    "select-q:beta=0.3,formula=literal",
                ],
            ),
        ],
    );
}
