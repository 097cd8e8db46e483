//! How every agent plays: who changes it raises the agent's version.

use ranka_battery::check_signatures;
use ranka_labyrinth::Labyrinth;

#[test]
fn signatures() {
    check_signatures::<Labyrinth>(
        "tests/signatures.txt",
        &[
            (
                "",
                &[
                    "random",
                    "flat-mc",
                    "uct",
                    "ismcts",
                    "random-original",
                    "saboteur",
                    "saboteur:factor=1,entries=legal",
                    "big-brain",
                    "big-brain:entries=legal",
                    "big-brain:preset=thesis,budget=30",
                    "big-brain:dedupe=transposition,entries=legal,budget=40",
                    "big-brain:fallback=explored-node,budget=2",
                    "inference",
                    "distance",
                    "distance:ties=random",
                    "static",
                    "hybrid",
                    "hybrid:entries=source8",
                    "slide",
                    "slide:target=turn-start",
                    "inference:ties=random,threshold=5,budget=9",
                    "champion",
                    "champion:playouts=200",
                    "level:rank=1",
                    "level",
                    "partner",
                ],
            ),
            // With all cards no playout ends, and what no playout tells apart is taken alike.
            ("cards-per-player=2", &["flat-mc", "uct"]),
            (
                "players=4,cards-per-player=3",
                &[
                    "random",
                    "uct:playouts=100",
                    "ismcts:playouts=200",
                    "saboteur",
                    "big-brain",
                    "inference",
                    "static",
                    "slide",
                    "champion:playouts=500",
                    "level",
                    "partner:person=3",
                ],
            ),
        ],
    );
}
