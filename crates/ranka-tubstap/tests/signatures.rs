//! How every agent plays: who changes it raises the agent's version.

use ranka_battery::check_signatures;
use ranka_tubstap::Tubstap;

#[test]
fn signatures() {
    check_signatures::<Tubstap>(
        "tests/signatures.txt",
        &[
            (
                "map=crossing",
                &[
                    "random",
                    "flat-mc",
                    "plain-uct",
                    "standard",
                    "pair",
                    "dlmc:m=20,n=10",
                    "uct",
                    "uct:playouts=500,expand=3,opponent=max,final=visits,total=parent,score=ge",
                    "uct-fpu",
                    "champion",
                    "champion:nodes=100,playouts=0",
                    "level:rank=1",
                    "level",
                    "partner",
                ],
            ),
            (
                "map=citadel",
                &[
                    "standard",
                    "pair",
                    "dlmc:m=10,n=5,policy=mix70",
                    "uct:playouts=300",
                    "uct-fpu:playouts=300",
                    "champion:nodes=50",
                ],
            ),
            (
                "map=duel,noise=both",
                &[
                    "dlmc",
                    "dlmc:m=10,n=5,policy=uniform,eval=weighted",
                    "uct:playouts=500,prune=synthetic-440",
                ],
            ),
        ],
    );
}
