//! What the columns mean, written from the columns themselves: `docs/experiments.md` holds it.

use super::columns::{Field, OF_A_SEAT, OF_AN_AGENT, OF_THE_END, OF_THE_PAIRING, by_agent};
use ranka_core::Per;
use std::fmt::Write as _;

/// Every column of an export of games, as Markdown.
pub fn dictionary() -> String {
    let mut out =
        String::from("### Columns of games\n\nOne row is one game. Agents and seats are counted from 0.\n\n");
    let (pairing, rest) = OF_THE_PAIRING.split_at(2);
    let mut fields = pairing.to_vec();
    fields.push(Field::Sweep("KEY".to_owned(), true));
    fields.extend_from_slice(rest);
    fields.extend(OF_AN_AGENT.map(|of| of(0)));
    fields.extend(OF_A_SEAT.map(|of| of(0)));
    fields.extend(OF_THE_END);
    out.push_str("| column | | type | what |\n|---|---|---|---|\n");
    for field in fields {
        let kind = match field {
            Field::Sweep(..) => "number, or text where a value is a word",
            ref other => other.type_words(),
        };
        let name = field.name();
        let many = match name.split('.').next() {
            Some("agent0") => "for each agent",
            Some("seat0") => "for each seat",
            Some("sweep") => "for each key",
            _ => "",
        };
        let _ = writeln!(out, "| `{name}` | {many} | {kind} | {} |", field.meaning(""));
    }
    out.push_str(
        "\n### Columns of measures\n\n\
         What an experiment records under `measures`. Measures of an agent have a column for each, and follow the agent \
         wherever it sits; lists by ply are JSON, with null for plies of others.\n\n\
         | game | column | type | what |\n|---|---|---|---|\n",
    );
    for entry in ranka_games::catalogue() {
        // `plies` is there in any case.
        for (name, _, per) in entry.measures().into_iter().filter(|(name, ..)| *name != "plies") {
            let field = Field::Measure(name.to_owned(), per, 0);
            measure(&mut out, entry.info().name, &field, per);
        }
    }
    measure(&mut out, "any", &Field::Measure("note:NAME".to_owned(), Per::PlySeat, 0), Per::PlySeat);
    out
}

fn measure(out: &mut String, game: &str, field: &Field, per: Per) {
    debug_assert_eq!(by_agent(per), field.name().starts_with("agent0."), "whose it is stands in the name");
    let what = field.meaning(game);
    let what = what.trim_start_matches("measure: ").replace('|', "\\|");
    let _ = writeln!(out, "| {game} | `{}` | {} | {what} |", field.name(), field.type_words());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A measure that is called like a column would be lost without a word.
    #[test]
    fn no_measure_takes_the_name_of_a_column() {
        let agent = OF_AN_AGENT.map(|of| of(0).name());
        let fixed: BTreeSet<String> =
            OF_THE_PAIRING.iter().chain(&OF_THE_END).map(Field::name).chain(agent).collect();
        for entry in ranka_games::catalogue() {
            for (name, _, per) in entry.measures() {
                let column = Field::Measure(name.to_owned(), per, 0).name();
                assert!(name == "plies" || !fixed.contains(&column), "{}: {column}", entry.info().name);
            }
        }
    }
}
