//! How every agent plays: who changes it raises the agent's version.

use ranka_battery::check_signatures;
use ranka_geister::Geister;

#[test]
fn signatures() {
    check_signatures::<Geister>(
        "tests/signatures.txt",
        &[
            (
                "",
                &[
                    "random",
                    "random:setup=BCFG,dfpn=7",
                    "flat-mc",
                    "uct",
                    "uct:playouts=300,c=1.4,worlds=3",
                    "ismcts",
                    "ismcts:playouts=300,c=1.4",
                    "blue-rush",
                    "red-rush",
                    "purple-dfpn",
                    "naotti-1.0",
                    "naotti-1.1",
                    "naotti-1.1:depth=4,ties=uniform",
                    "purple-max",
                    "purple-max:depth=6,ties=uniform",
                    "purple-max:explain=on,static-exit=off",
                    "suspicion",
                    "suspicion:threshold=2",
                    "purple-suspicion",
                    "purple-suspicion:depth=4,explain=on",
                    "puct",
                    "puct:playouts=50,c=2,belief=off,dfpn=0",
                    "champion",
                    "champion:worlds=0,temperature=0",
                    "level:rank=1",
                    "level",
                    "partner",
                ],
            ),
            ("plies=40", &["purple-max", "purple-suspicion"]),
        ],
    );
}
