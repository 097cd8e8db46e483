//! Teaching TUBSTAP's fuzzy evaluation: people judge what an agent plays.

use crate::hall::Hall;
use crate::opening::Opening;
use ranka_core::{Game as _, InputError, Notation as _, Params};
use ranka_lab::LabelledAction;
use ranka_tubstap::Tubstap;
use ranka_tubstap::fuzzy::{Features, Label, Table};

/// Whether a game's agents can be taught.
pub(crate) fn teachable(game: &str) -> bool {
    game == Tubstap::INFO.name
}

fn tubstap(rules: &str) -> Result<Tubstap, InputError> {
    Tubstap::new(&Params::parse(rules, Tubstap::options())?)
}

/// Whether something can be learned from an action: the end of a turn teaches nothing.
pub(crate) fn is_lesson(opening: &Opening, position: &str, action: &str) -> bool {
    let features = || {
        let game = tubstap(&opening.rules).ok()?;
        Features::of(&game.read_state(position).ok()?, game.read_action(action).ok()?)
    };
    teachable(&opening.game) && features().is_some()
}

/// Keeps what somebody thinks of an action.
pub(crate) fn keep(
    hall: &Hall,
    opening: &Opening,
    position: &str,
    action: &str,
    label: &str,
) -> Result<(), InputError> {
    let Some(collection) = &opening.teaches else {
        return Err(InputError::new("nobody is taught at this table"));
    };
    let label = Label::read(label)?;
    if !is_lesson(opening, position, action) {
        return Ok(());
    }
    // Of all options only this one is not in the position.
    let options = Params::parse(&opening.rules, Tubstap::options())?;
    let rules = if options.text("power") == "paper" { "power=paper" } else { "" };
    let labelled = LabelledAction {
        rules: rules.to_owned(),
        position: position.to_owned(),
        action: action.to_owned(),
        label: label.name().to_owned(),
    };
    hall.store().add_labels(Tubstap::INFO.name, collection, &[labelled])
}

/// The table of the labels of a collection, and how many labels of each kind it has.
pub(crate) fn taught(hall: &Hall, collection: &str) -> Result<(Table, [usize; 3]), InputError> {
    let labels = hall.store().labels(Tubstap::INFO.name, collection)?;
    let written = labels.iter().map(|l| [&l.rules, &l.position, &l.action, &l.label].map(String::as_str));
    let table = Table::taught(written)?;
    let count = |kind: Label| labels.iter().filter(|l| l.label == kind.name()).count();
    Ok((table, Label::ALL.map(count)))
}

/// The parameters of an agent that plays by what was taught: its table is written beside the store.
pub(crate) fn agent(hall: &Hall, collection: &str, table: &Table) -> Result<String, InputError> {
    if table.size().1 == 0 {
        return Err(InputError::new("nothing was taught yet"));
    }
    let path = hall.store().path().with_extension(format!("{collection}.csv"));
    let refuse = |e| InputError::new(format!("cannot write {}: {e}", path.display()));
    std::fs::write(&path, table.write_csv()).map_err(refuse)?;
    let path = std::path::absolute(&path).map_err(refuse)?;
    Ok(format!("prune=\"{}\"", path.display()))
}

/// The name of a kind of unit by its number in a table; nobody for −1.
pub(crate) fn kind_name(number: i8) -> &'static str {
    let kind = usize::try_from(number).ok().and_then(|number| ranka_tubstap::Kind::ALL.get(number).copied());
    kind.map_or("nobody", ranka_tubstap::Kind::name)
}
