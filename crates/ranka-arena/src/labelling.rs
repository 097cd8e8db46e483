//! Teaching TUBSTAP's fuzzy evaluation: people judge what an agent plays.

use crate::hall::Hall;
use crate::opening::Opening;
use ranka_core::{AgentSpec, AnyAgent, AnyGame, Error, Game as _, Notation as _, Param, Params};
use ranka_lab::LabelledAction;
use ranka_tubstap::Tubstap;
use ranka_tubstap::fuzzy::{Features, Label, MembershipTable};

/// Whether a game's agents can be taught.
pub(crate) fn teachable(game: &str) -> bool {
    game == Tubstap::INFO.name
}

fn tubstap(rules: &str) -> Result<Tubstap, Error> {
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
) -> Result<(), Error> {
    let Some(collection) = &opening.teaches else {
        return Err(Error::input("nobody is taught at this table"));
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
    hall.write(|store| store.add_labels(Tubstap::INFO.name, collection, &[labelled]))
}

/// The table of the labels of a collection, and how many labels of each kind it has.
pub(crate) fn taught(hall: &Hall, collection: &str) -> Result<(MembershipTable, [usize; 3]), Error> {
    let labels = hall.read(|store| store.labels(Tubstap::INFO.name, collection))?;
    let count = |kind: Label| labels.iter().filter(|l| l.label == kind.name()).count();
    Ok((table_of(&labels)?, Label::ALL.map(count)))
}

fn table_of(labels: &[LabelledAction]) -> Result<MembershipTable, Error> {
    MembershipTable::taught(
        labels.iter().map(|l| [&l.rules, &l.position, &l.action, &l.label].map(String::as_str)),
    )
}

/// What stands before a collection's name where an agent could name a file.
const TAUGHT: &str = "taught:";

/// The parameters of an agent that plays by what was taught.
pub(crate) fn params_of(collection: &str) -> String {
    format!("prune={TAUGHT}{collection}")
}

/// Whether a value names a collection. No file is called like this.
pub(crate) fn names_collection(value: &str) -> bool {
    value.strip_prefix(TAUGHT).is_some_and(|name| name.split('@').all(is_name))
}

/// Whether a collection can be called like this.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// An agent, whose parameters may name what people taught instead of a file: `prune=taught:NAME`. How many labels there
/// are becomes part of its name, so that it stays the same whatever is taught later.
pub(crate) fn agent(hall: &Hall, game: &dyn AnyGame, spec: &str) -> Result<AnyAgent, Error> {
    let AgentSpec { name, params } = AgentSpec::parse(spec);
    let agents = ranka_games::game(game.info().name)?.agents();
    let declared = agents.into_iter().find(|known| known.name == name).map(|known| known.params);
    let Some(Ok(given)) = declared.clone().map(|declared| Params::parse(&params, declared)) else {
        return game.agent(spec);
    };
    let (mut named, mut meant) = (Vec::new(), Vec::new());
    for Param { key, .. } in declared.into_iter().flatten() {
        let value = given.text(key);
        if teachable(game.info().name) && names_collection(value) {
            let (name, table) = lessons(hall, value).map_err(|e| e.at(format!("{key}={value}")))?;
            named.push((key, name));
            meant.push((key, table.write_csv()));
        }
    }
    let spec = |params: String| AgentSpec { name: name.clone(), params }.to_string();
    let mut agent = game.agent(&spec(given.with(&meant)?.short()))?;
    let named = given.with(&named)?;
    (agent.full, agent.short) = (spec(named.full()), spec(named.short()));
    Ok(agent)
}

/// The table that `taught:NAME`, or `taught:NAME@COUNT` for the first labels only, means, and its name with the count.
fn lessons(hall: &Hall, value: &str) -> Result<(String, MembershipTable), Error> {
    let name = value.strip_prefix(TAUGHT).unwrap_or(value);
    let (name, count) = name.split_once('@').map_or((name, None), |(name, count)| (name, Some(count)));
    let labels = hall.read(|store| store.labels(Tubstap::INFO.name, name))?;
    let count = match count {
        None => labels.len(),
        Some(count) => count.parse().unwrap_or(0),
    };
    match labels.get(..count).filter(|labels| !labels.is_empty()) {
        Some(labels) => Ok((format!("{TAUGHT}{name}@{count}"), table_of(labels)?)),
        None if labels.is_empty() => Err(Error::input("nothing was taught yet")),
        None => Err(Error::input(format!("the collection has {} labels", labels.len()))),
    }
}

/// The name of a kind of unit by its number in a table; nobody for −1.
pub(crate) fn kind_name(number: i8) -> &'static str {
    let kind = usize::try_from(number).ok().and_then(|number| ranka_tubstap::Kind::ALL.get(number).copied());
    kind.map_or("nobody", ranka_tubstap::Kind::name)
}
