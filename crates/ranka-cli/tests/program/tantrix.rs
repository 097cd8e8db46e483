//! Pictures of Tantrix.

use crate::run::ranka;

/// Position A of the specification with so many hands. Tiles 1, 6, 9 and 12 fit its forced space.
fn position(hands: &str, colours: &str, phase: &str) -> String {
    format!(
        "board=4@0,0/0;17@1,0/1;28@2,0/0;36@3,0/0;2@-1,1/0 hands={hands} bag=6,7,9,12,48 colours={colours} \
         mover=0 freed=0 phase={phase}"
    )
}

#[test]
fn forced_spaces_are_counted_on_demand() {
    let picture =
        |position: &str, more: &[&str]| ranka(&[&["picture", "tantrix", position][..], more].concat()).done();
    let held = position("1,8,20,33,41,56;3,14,23,26,47,55", "R,B", "forced");
    let nobodys = position("8,20,33,41,56;3,14,23,26,47,55", "R,B", "free");
    let count = |fill: &str, count: &str| format!("fill=\"{fill}\" font-weight=\"600\">{count}</text>");
    let marked = picture(&held, &["--marks", "counts"]);
    assert!(marked.contains(&count("#c8432b", "4")), "{marked}");
    let grey = picture(&nobodys, &["--marks", "counts"]);
    assert!(grey.contains(&count("#6f6a5e", "3")), "{grey}");
    let usual = picture(&held, &[]);
    assert!(!usual.contains("font-weight=\"600\"") && usual.contains(">0,1</text>"), "{usual}");
    let said = ranka(&["picture", "tantrix", &held, "--marks", "count"]).refused();
    assert!(said.contains("unknown mark \"count\": did you mean counts?"), "{said}");
    let said = ranka(&["picture", "kalah", "start", "--marks", "counts"]).refused();
    assert!(said.contains("unknown mark \"counts\" (there are none)"), "{said}");
}

/// The position says how many play, whatever the rules say.
#[test]
fn every_hand_of_a_position_has_its_side() {
    let four = position("1,8,20;33,41,56;3,14,23;26,47,55", "R,B,G,Y", "forced");
    let side = |seat: &str| ranka(&["picture", "tantrix", &four, "--seat", seat]);
    assert_ne!(side("2").done(), side("3").done());
    let two = position("1,8,20,33,41,56;3,14,23,26,47,55", "R,B", "forced");
    let said = ranka(&["picture", "tantrix", &two, "--seat", "2"]).refused();
    assert!(said.contains("seat 2: this position has 2 seats"), "{said}");
}
