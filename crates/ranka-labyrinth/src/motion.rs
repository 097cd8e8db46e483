//! How a row slides with what stands on it, and how a pawn follows its path.

use crate::action::{Action, Push};
use crate::foresight;
use crate::maze::{Cell, cells};
use crate::picture::{aside, cell_id, outside_id, pawn_id, piece_name};
use crate::rules::Labyrinth;
use crate::state::State;
use crate::view::View;
use ranka_core::{Motion, Position, Seat, Step};

impl Motion for Labyrinth {
    fn motion(&self, view: &View, action: Action) -> Vec<Step> {
        let state = view.shown();
        if !state.is_legal(action) {
            return Vec::new();
        }
        let mut steps = match action {
            Action::Push(way) => push(view, way),
            Action::Move(cell) => walk(state, cell).into_iter().collect(),
        };
        make_room(state, action, &mut steps);
        if let Action::Move(_) = action {
            let found = foresight::foresee(view, action).marks;
            steps.extend(found.into_iter().map(|(at, text)| Step::Tell { at, text }));
        }
        steps
    }
}

/// Pawns step aside for treasures and for each other. One that has walked stands in the middle of its cell.
fn make_room(before: &State, action: Action, steps: &mut Vec<Step>) {
    let mut after = *before;
    after.apply(action);
    for seat in Seat::all(before.seats()) {
        let piece = pawn_id(seat);
        let walked =
            steps.iter().any(|step| matches!(step, Step::Walk { piece: walker, .. } if *walker == piece));
        let (was, is) = (if walked { (0, 0) } else { aside(before, seat) }, aside(&after, seat));
        if is != was {
            steps.push(Step::Aside { piece, by: (is.0 - was.0, is.1 - was.1) });
        }
    }
}

/// The extra tile is turned and laid at the entry; with it the tiles of the line and the pawns on them go one cell on.
/// Who falls out at the end comes in again at the entry.
fn push(view: &View, Push { entry, rotation }: Push) -> Vec<Step> {
    let state = view.shown();
    let tile = state.board().extra();
    let extra = piece_name(state, tile, None);
    let line = cells(entry.cells());
    let mut pieces: Vec<String> = line
        .filter(|cell| !cell.is_static())
        .map(|cell| piece_name(state, state.board().tile(cell), Some(cell)))
        .collect();
    let on_line = |seat: &Seat| entry.cells() & state.pawn(*seat).bit() != 0;
    let (around, along): (Vec<Seat>, Vec<Seat>) =
        Seat::all(state.seats()).filter(on_line).partition(|&seat| state.pawn(seat) == entry.far());
    pieces.push(extra.clone());
    pieces.extend(along.into_iter().map(pawn_id));
    let from = entry.cell();
    let to = entry.carried(from).unwrap_or(from);
    let ways = tile.shape().rotations();
    let quarters = (rotation + ways - tile.rotation() % ways) % ways;
    let mut steps = Vec::new();
    if quarters > 0 {
        steps.push(Step::Turn { piece: extra.clone(), degrees: 90 * u32::from(quarters) });
    }
    steps.push(Step::Walk { piece: extra, over: vec![outside_id(entry)] });
    steps.push(Step::Slide { pieces, from: cell_id(from), to: cell_id(to) });
    steps.extend(
        around.into_iter().map(|seat| Step::Walk { piece: pawn_id(seat), over: vec![cell_id(from)] }),
    );
    steps
}

/// The shortest way of the pawn, cell by cell.
fn walk(state: &State, to: Cell) -> Option<Step> {
    let (seat, paths) = (state.mover(), state.board().paths());
    let from = state.pawn(seat);
    // From the end: each cell before is a neighbour that is nearer to the beginning.
    let mut layers = vec![from.bit()];
    while layers.last().is_some_and(|reached| reached & to.bit() == 0) {
        let reached = layers.last().copied().unwrap_or(0);
        let next = paths.step(reached);
        if next == reached {
            return None;
        }
        layers.push(next);
    }
    let (mut over, mut at) = (Vec::new(), to);
    for reached in layers.iter().rev().skip(1) {
        over.push(cell_id(at));
        at = cells(paths.step(at.bit()) & reached).next()?;
    }
    over.reverse();
    (!over.is_empty()).then(|| Step::Walk { piece: pawn_id(seat), over })
}
