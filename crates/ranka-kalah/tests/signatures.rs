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
                    "level:rank=1",
                    "level",
                    "level:rank=10",
                    "level:temperature=0.2,bound=0.3",
                    "partner",
                    "partner:opponent=2,doubt=0.5",
                    "partner:method=score",
                    "partner:method=select-literal",
                    // Their book is that of this board alone.
                    "strong:nodes=2000",
                    "champion:nodes=2000",
                ],
            ),
            ("houses=4,seeds=3,pie=on", &["minimax:depth=6,ties=first"]),
            ("houses=5,seeds=3,end=mover-empty,leftover=none,capture=always", &["minimax:depth=6"]),
            // On the board below everything is proved, and whoever proves it plays alike.
            ("houses=4,seeds=6", &["strong:nodes=2000", "champion:nodes=2000"]),
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
