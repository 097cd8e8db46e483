//! Counting: the first question to ask of new rules.

use crate::Position;

/// The number of different sequences of exactly `depth` actions. Every action is made, the last ones too;
/// a sequence that ends earlier does not count.
///
/// Chance counts like any actor: each of its outcomes is a sequence of its own.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new())
}

/// All levels share one list: each appends its own actions and takes them away again.
fn count<P: Position>(position: &P, depth: u32, list: &mut Vec<P::Action>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let start = list.len();
    position.actions(list);
    let mut sum = 0;
    for i in start..list.len() {
        let mut next = position.clone();
        next.apply(list[i]);
        sum += count(&next, depth - 1, list);
    }
    list.truncate(start);
    sum
}
