//! What a position of thought keeps up to date is what it would be if it were made anew.

use crate::common::{game, midgames};
use ranka_core::{Actor, Game, Keyed, Position, Rng, Seed};
use ranka_geister::duel::{Coloured, Duel, Ghosts, Judged, Purple};

fn walk<E: Ghosts>(start: Duel<E>, blues: impl Fn(&E) -> u32, rng: &mut Rng) {
    let (mut duel, mut scratch) = (start, Vec::new());
    for _ in 0..60 {
        let Actor::Seat(mover) = duel.actor() else { return };
        let anew = Duel::new(*duel.own(), *duel.enemy(), blues(duel.enemy()), mover);
        assert_eq!(duel, anew);
        assert_eq!(duel.key(), anew.key());
        duel.apply(duel.random_action(rng, &mut scratch));
    }
}

#[test]
fn counts_and_distances_are_kept_through_random_play() {
    let game = game();
    let mut rng = Rng::new(Seed::new(4));
    for state in midgames(300, 5) {
        let seat = state.actor().seat().unwrap();
        let view = game.view(&state, seat);
        let some = rng.bits() & rng.bits();
        walk(Duel::purple(&view), |_: &Purple| 0, &mut rng);
        walk(Duel::coloured(&view, rng.bits()), |enemy: &Coloured| enemy.blues.count_ones(), &mut rng);
        walk(Duel::judged(&view, 0, some), |enemy: &Judged| enemy.blues.count_ones(), &mut rng);
    }
}
