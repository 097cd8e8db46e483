//! How every agent plays: who changes it raises the agent's version.

use ranka_battery::check_signatures;
use ranka_tantrix::Tantrix;

#[test]
fn signatures() {
    check_signatures::<Tantrix>(
        "tests/signatures.txt",
        &[
            (
                "",
                &[
                    "random",
                    "plain-flat-mc",
                    "plain-uct",
                    "champion",
                    "champion:nodes=1000,c=1,temperature=0.05,trust=2,playouts=0,endgame=3",
                    "greedy",
                    "greedy:plies=2,by=own,endgame=4",
                    "flat-mc",
                    "flat-mc:playouts=300,rule=ucb,endgame=3",
                    "uct",
                    "uct:playouts=300,value=outcome,choice=mean,chance=nodes",
                    "uct:playouts=300,chance=ensemble,trees=3",
                    "darwin",
                    "darwin:playouts=300,playout=greedy,order=off,expand=3",
                    "darwin:playouts=300,decay=0.5",
                    "darwin:playouts=300,playout=uniform,endgame=4,endgame-nodes=5000",
                    "obstructor",
                    "obstructor:playouts=300,tested=child,ends=graded,several=any,shift=own",
                    "obstructor:playouts=300,tested=root,ends=both,several=first,loops=ignored,ply=root",
                    "obstructor:playouts=300,tested=playout,longest=tiles,count-forced=on",
                    "small-loop",
                    "counting",
                    "counting-obstructor",
                    "level:rank=1",
                    "level",
                    "partner",
                ],
            ),
            (
                "players=4",
                &[
                    "plain-uct:playouts=300",
                    "champion:nodes=1000",
                    "greedy",
                    "flat-mc:playouts=300",
                    "counting-obstructor:playouts=300,endgame=12",
                ],
            ),
        ],
    );
}
