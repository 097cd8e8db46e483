//! Why an action is not legal, in words that name the rule.

use crate::action::Action;
use crate::state::State;

/// The reason why `act` may not be taken now; nothing if it may.
pub(crate) fn refusal(state: &State, act: Action) -> Option<String> {
    if state.is_over() {
        return Some("the game is over".to_owned());
    }
    let id = act.unit()?;
    let mover = state.mover();
    let Some(unit) = state.unit(id) else { return Some(format!("there is no unit {id}")) };
    if unit.team != mover {
        return Some(format!("unit {id} is {}'s, and {} is to move", unit.team.name(), mover.name()));
    }
    if unit.acted {
        return Some(format!("unit {id} has acted in this turn"));
    }
    let to = act.to();
    let name = unit.kind.name();
    let Some(cell) = state.field.cell(to) else {
        return Some(format!("{to} is not inside the ring of walls"));
    };
    let id = usize::from(id);
    if !state.can(id, cell, None) {
        return Some(match state.unit_at(to) {
            Some(other) => format!("{to} is taken by unit {}", other.id),
            None => format!(
                "{to} is out of reach of the {name} at {} in {} points",
                unit.place,
                unit.kind.points()
            ),
        });
    }
    let target_id = act.target()?;
    let Some(target) = state.unit(target_id) else { return Some(format!("there is no unit {target_id}")) };
    if target.team == mover {
        return Some(format!("unit {target_id} is {}'s own", mover.name()));
    }
    if !unit.kind.is_direct() && to != unit.place {
        return Some("a cannon cannot move and fire in one action".to_owned());
    }
    let distance = to.distance(target.place);
    if !unit.kind.is_direct() && !(2..=3).contains(&distance) {
        return Some(format!("a cannon fires 2 or 3 cells far, and unit {target_id} is {distance} away"));
    }
    if unit.kind.is_direct() && distance != 1 {
        return Some(format!("{to} does not touch unit {target_id} at {}", target.place));
    }
    let idle = state.rules().effective_only && state.damage(id, usize::from(target_id)) == 0;
    idle.then(|| format!("the attack on unit {target_id} would do no damage (effective-only)"))
}
