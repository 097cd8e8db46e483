//! The specification's worked dialogues, byte for byte.

use crate::house::{options, serve};
use crate::little_client::{Little, set_up};
use ranka_bots::geister::Options;
use ranka_core::{Seat, WdlCounts};

#[test]
fn an_escape() {
    let left = serve(options(), |ports| {
        let [mut one, mut two] = ports.map(Little::join);
        one.hears("SET?");
        two.hears("SET?");
        one.moves("SET:EFGH", "OK ");
        two.moves("SET:ABCD", "OK ");
        one.hears("MOV?14B24B34B44B15R25R35R45R41u31u21u11u40u30u20u10u");
        one.moves("MOV:A,WEST", "OK ");
        two.hears("MOV?14R24R34R44R15B25B35B45B51u31u21u11u40u30u20u10u");
        two.moves("MOV:E,W", "OK ");
        one.hears("MOV?04B24B34B44B15R25R35R45R41u31u21u11u50u30u20u10u");
        for (row, (theirs, place)) in
            [("E,E", "40"), ("E,W", "50"), ("E,E", "40"), ("E,W", "50")].iter().enumerate()
        {
            one.moves("MOV:A,N", "OK ");
            let own = if *place == "40" { "05" } else { "15" };
            two.hears(&format!("MOV?14R24R34R44R{own}B25B35B45B5{}u31u21u11u40u30u20u10u", row + 2));
            two.moves(&format!("MOV:{theirs}"), "OK ");
            one.hears(&format!("MOV?0{}B24B34B44B15R25R35R45R41u31u21u11u{place}u30u20u10u", 3 - row));
        }
        one.moves("MOV:A,W", "OK ");
        one.hears("WON:88b24B34B44B15R25R35R45R41r31r21r11r50b30b20b10b");
        two.hears("LST:14R24R34R44R05B25B35B45B88b31b21b11b40r30r20r10r");
        one.leaves_having_heard_all();
        two.leaves_having_heard_all();
    });
    assert_eq!(left.ends(), [("rules", None)]);
    assert_eq!(left.summary.results, WdlCounts::new(1, 0, 0));
    assert_eq!(left.records[0].actions.split(' ').next_back(), Some("a1out"));
}

#[test]
fn captures() {
    let left = serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        one.hears("MOV?14B24B34B44B15R25R35R45R41u31u21u11u40u30u20u10u");
        one.moves("MOV:A,N", "OK ");
        two.hears("MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
        two.moves("MOV:D,N", "OK ");
        one.hears("MOV?13B24B34B44B15R25R35R45R41u31u21u12u40u30u20u10u");
        one.moves("MOV:A,N", "OKR");
        two.hears("MOV?14R24R34R99r15B25B35B45B43u31u21u11u40u30u20u10u");
        two.moves("MOV:H,N", "OK ");
        one.hears("MOV?12B24B34B44B15R25R35R45R41u31u21u99r40u30u20u11u");
        one.moves("MOV:A,N", "OKB");
        two.hears("MOV?14R24R34R99r15B25B35B99b44u31u21u11u40u30u20u10u");
        two.moves("MOV:C,E", "OKB");
        one.hears("MOV?99b24B34B44B15R25R35R45R41u31u11u99r40u30u20u99b");
    });
    // Both clients leave when the test does; which of them the server notices first is not told.
    assert_eq!(left.records[0].plies, 8);
}

#[test]
fn an_illegal_first_move() {
    let left = serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["ABCD", "ABCD"]);
        one.hears("MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
        one.moves("MOV:A,S", "NG ");
        one.hears("LST:14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b");
        two.hears("WON:14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b");
        // What is said after the end is refused, and that is all.
        one.moves("MOV:A,N", "NG ");
        two.moves("MOV:A,N", "NG ");
        one.leaves_having_heard_all();
        two.leaves_having_heard_all();
    });
    assert_eq!(left.ends(), [("illegal", Some(Seat::FIRST))]);
    assert!(left.log.contains("the second player wins"), "{}", left.log);
}

/// Both walk one ghost to and fro for so many moves.
fn shuffle(ports: [u16; 2], moves: usize) -> [Little; 2] {
    let mut players = set_up(ports, ["EFGH", "ABCD"]);
    for ply in 0..moves {
        let away = |player: usize| (ply + 1 - player) / 2 % 2 == 1;
        let (colours, place) = (["BR", "RB"][ply % 2], |player: usize| if away(player) { 0 } else { 1 });
        let (front, back) = colours.split_at(1);
        let [own, other] = [place(ply % 2), place(1 - ply % 2)];
        let mover = &mut players[ply % 2];
        mover.hears(&format!(
            "MOV?{own}4{front}24{front}34{front}44{front}15{back}25{back}35{back}45{back}{}1u31u21u11u40u30u20u10u",
            5 - other
        ));
        mover.moves(if own == 1 { "MOV:A,W" } else { "MOV:A,E" }, "OK ");
    }
    players
}

#[test]
fn a_draw_after_three_hundred_moves() {
    let left = serve(options(), |ports| {
        let [mut one, mut two] = shuffle(ports, 300);
        one.hears("DRW:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
        two.hears("DRW:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
        one.leaves_having_heard_all();
        two.leaves_having_heard_all();
    });
    assert_eq!(left.summary.results, WdlCounts::new(0, 1, 0));
    assert_eq!((left.ends(), left.records[0].plies), (vec![("rules", None)], 302));
}

#[test]
fn the_limit_on_moves_works() {
    let left = serve(Options { max_turn: 20, ..options() }, |ports| {
        let [mut one, mut two] = shuffle(ports, 20);
        one.hears("DRW:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
        two.hears("DRW:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
    });
    assert_eq!((left.ends(), left.records[0].rules.as_str()), (vec![("rules", None)], "plies=20"));
}

#[test]
fn an_escape_repeats_what_the_ghost_took_before() {
    serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        one.hears("MOV?14B24B34B44B15R25R35R45R41u31u21u11u40u30u20u10u");
        let script = ["A,W", "H,E", "A,N", "A,W", "A,N", "A,E", "A,N", "A,W"];
        for pair in script.chunks(2) {
            one.moves(&format!("MOV:{}", pair[0]), "OK ");
            let _ = two.hears_board();
            two.moves(&format!("MOV:{}", pair[1]), "OK ");
            let _ = one.hears_board();
        }
        one.moves("MOV:A,N", "OKB");
        two.hears("MOV?04R24R34R44R15B25B35B99b55u31u21u11u40u30u20u10u");
        two.moves("MOV:A,E", "OK ");
        one.hears("MOV?00B24B34B44B15R25R35R45R41u31u21u11u40u30u20u99b");
        one.moves("MOV:A,N", "OKB");
        one.hears("WON:88b24B34B44B15R25R35R45R41r31r21r11r40b30b20b99b");
        two.hears("LST:14R24R34R44R15B25B35B99b88b31b21b11b40r30r20r10r");
    });
}

#[test]
fn set_ups_may_come_in_any_order_and_are_refused_as_often_as_need_be() {
    let left = serve(options(), |ports| {
        let mut two = Little::join(ports[1]);
        two.hears("SET?");
        for bad in
            ["SET:ABC", "SET:ABCDE", "SET:AAAA", "SET:ABCA", "SET:WXYZ", "SET:", "SET:ABC ", "SET", "MOV:A,N"]
        {
            two.moves(bad, "NG ");
        }
        two.moves("SET:abcd", "OK ");
        two.moves("SET:EFGH", "NG ");
        let mut one = Little::join(ports[0]);
        one.hears("SET?");
        two.moves("MOV:A,N", "NG ");
        one.moves("SET:HGFE", "OK ");
        one.hears("MOV?14B24B34B44B15R25R35R45R41u31u21u11u40u30u20u10u");
        two.moves("MOV:A,N", "NG ");
        one.moves("MOV:a,north", "OK ");
        two.hears("MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
        two.moves("MOV:Abc_1,s", "NG ");
        two.hears("LST:14R24R34R44R15B25B35B45B42b31b21b11b40r30r20r10r");
        one.hears("WON:13B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
    });
    assert_eq!(left.ends(), [("illegal", Some(Seat::SECOND))]);
}

#[test]
fn of_the_ghosts_word_only_the_first_letter_counts() {
    serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        let _ = one.hears_board();
        one.moves("MOV:AB,NORTH", "OK ");
        two.hears("MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
    });
}

#[test]
fn whatever_is_no_move_loses_in_turn() {
    for (bad, reason) in [
        ("MOV:A,N ", "protocol"),
        ("MOV:A,N,N", "protocol"),
        ("MOV:,N", "protocol"),
        ("MOV:A N", "protocol"),
        ("mov:A,N", "protocol"),
        ("hello", "protocol"),
        ("SET:ABCD", "protocol"),
        ("MOV:Z,N", "illegal"),
        ("MOV:A,UP", "illegal"),
        ("MOV:A,", "illegal"),
        ("MOV:E,N", "illegal"),
        ("MOV:E,S", "illegal"),
    ] {
        let left = serve(options(), |ports| {
            let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
            let _ = one.hears_board();
            one.moves(bad, "NG ");
            one.hears("LST:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
            two.hears("WON:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
        });
        assert_eq!(left.ends(), [(reason, Some(Seat::FIRST))], "{bad}");
    }
}

#[test]
fn an_illegal_move_may_be_tried_again_if_the_server_is_told_so() {
    let left = serve(Options { ng_terminate: false, ..options() }, |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        let _ = one.hears_board();
        for bad in ["MOV:A,S", "nonsense", "MOV:A,N "] {
            one.moves(bad, "NG ");
        }
        one.sends(b"\xff\xfe\r\n");
        one.hears("NG ");
        one.moves("MOV:A,N", "OK ");
        two.hears("MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
    });
    assert_eq!(left.records[0].actions, "set:EFGH set:ABCD b5b4");
}

#[test]
fn a_line_ends_with_cr_lf_however_it_arrives() {
    serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        let _ = one.hears_board();
        for byte in b"MOV:A,NORTH\r\n" {
            one.sends(&[*byte]);
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        one.hears("OK ");
        let _ = two.hears_board();
        // A lone LF ends nothing, so this is one line, and nonsense; an empty line is none.
        two.sends(b"\r\n\r\nMOV:A,N\nMOV:A,N\r\n");
        two.hears("NG ");
        let _ = two.hears_board();
    });
}
