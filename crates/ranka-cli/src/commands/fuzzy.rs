//! `ranka fuzzy`

mod label;

use crate::failure::{Done, Failure};
use crate::game_args::with_map;
use crate::print;
use clap::Subcommand;
use owo_colors::OwoColorize;
use ranka_core::{Error, Game as _, Notation as _, Params, Position as _, Rng, Seed};
use ranka_lab::NewFile;
use ranka_tubstap::fuzzy::{self, Decided, Features, MembershipTable, Synthetic, synthetic};
use ranka_tubstap::{Action, State, Tubstap};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
A table is a CSV file v0,v1,v2,v3,v4,labelsum,count: who acts (0 fighter … 5 infantry), its HP after, whom it attacks \
(-1 nobody), the damage, what it can lose next; then the labels of such examples added up (good 1, unsure ½, \
bad 0), and how many. Tables that come with Ranka go by their names: synthetic-440, synthetic-1246.

Examples:
  ranka fuzzy label --rules map=crossing          play, and judge what the agent plays
  ranka fuzzy export table.csv                    the labels given so far as a table
  ranka fuzzy synthetic table.csv --examples 440  a table without a person
  ranka fuzzy show table.csv
  ranka fuzzy explain table.csv start --rules map=crossing
  ranka match tubstap uct:prune=table.csv uct")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Show the entries of a table
    Show {
        /// The table: a CSV file, or one that comes with Ranka
        table: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Tell the membership of each action in a position, and which entry decided it
    Explain {
        /// The table: a CSV file, or one that comes with Ranka
        table: String,
        /// The position, a .tbsmap file, or `start`
        position: String,
        /// Only this action
        action: Option<String>,
        #[command(flatten)]
        rules: RulesArgs,
        /// Actions below this are pruned
        #[arg(long, value_name = "SHARE", default_value_t = 0.75, value_parser = share)]
        threshold: f64,
        /// Shuffle the memberships with this seed first
        #[arg(long, value_name = "SEED")]
        shuffle: Option<u64>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Play against an agent and judge its actions: what you play is good, of each of its actions you say good, bad or unsure
    Label(label::Args),
    /// Write the labels that were given as a table
    Export {
        /// Where to write the table
        table: PathBuf,
        #[command(flatten)]
        labels: label::CollectionArgs,
    },
    /// Make a table without a person: a strong search plays and judges in the person's place
    Synthetic {
        /// Where to write the table
        table: PathBuf,
        /// How many examples
        #[arg(long, value_name = "N", default_value_t = 440, value_parser = clap::value_parser!(u32).range(1..))]
        examples: u32,
        /// Playouts of the judge for each action
        #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
        teacher: u64,
        /// Playouts of its opponent
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
        pupil: u64,
        /// The share of actions that are good
        #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
        good: f64,
        /// The share of actions that are bad
        #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
        bad: f64,
        #[command(flatten)]
        rules: RulesArgs,
        /// What all randomness follows from
        #[arg(long, value_name = "S", default_value_t = 0)]
        seed: u64,
    },
}

/// The rules of the game, which is always the same.
#[derive(clap::Args)]
struct RulesArgs {
    /// Options of the rules, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// The map to play on, a name or a .tbsmap file: short for --rules map=…
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
}

impl RulesArgs {
    fn game(&self) -> Result<Tubstap, Error> {
        game(&with_map(&self.rules, self.map.as_deref()))
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share 0 to 1".to_owned())
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::Show { table, json } => show(&fuzzy::table(table)?, *json),
        What::Explain { table, position, action, rules, threshold, shuffle, json } => {
            let mut table = fuzzy::table(table)?;
            if let Some(seed) = shuffle {
                table = table.shuffled(Seed::new(*seed));
            }
            let game = rules.game()?;
            let state = match position.trim() {
                "start" => game.start(&mut Rng::new(Seed::new(0))),
                text => game.read_state(text).map_err(Error::from)?,
            };
            let acts = acts(&game, &state, action.as_deref())?;
            explain(&table, &state, &acts, *threshold, *json)
        }
        What::Label(args) => label::run(args),
        What::Export { table, labels } => export(table, &label::table(labels)?),
        What::Synthetic { table, examples, teacher, pupil, good, bad, rules, seed } => {
            if good + bad > 1.0 {
                let problem = format!("--good {good} --bad {bad}: together they are more than all actions");
                return Err(Failure::usage(&problem));
            }
            let (teacher, pupil, good, bad, seed) = (*teacher, *pupil, *good, *bad, Seed::new(*seed));
            let config = Synthetic { examples: *examples as usize, teacher, pupil, good, bad, seed };
            make(table, &rules.game()?, &config)
        }
    }
}

fn game(rules: &str) -> Result<Tubstap, Error> {
    let place = "rules of tubstap";
    let options = Params::parse(rules, Tubstap::options()).map_err(|e| e.at(place))?;
    Tubstap::new(&options).map_err(|e| e.at(place))
}

/// The action that is asked for, or all.
fn acts(game: &Tubstap, state: &State, action: Option<&str>) -> Result<Vec<Action>, Error> {
    let Some(text) = action else {
        let mut acts = Vec::new();
        state.actions(&mut acts);
        return Ok(acts);
    };
    let act = game.read_action(text)?;
    if state.is_legal(act) {
        return Ok(vec![act]);
    }
    Err(Error::input(format!("{text} is not legal: {}", game.refusal(state, act))))
}

fn show(table: &MembershipTable, as_json: bool) -> Done {
    let (entries, examples) = table.size();
    if as_json {
        let entries: Vec<Value> = table
            .entries()
            .map(|(features, sum, count, membership)| {
                json!({ "features": features.numbers(), "labelsum": sum, "count": count, "membership": membership })
            })
            .collect();
        return print::json(&json!({ "examples": examples, "entries": entries }));
    }
    let mut rows = print::TextTable::headed(["features", "in words", "examples", "membership"]).right([2, 3]);
    for (features, _, count, membership) in table.entries() {
        rows.row([vector(features), features.to_string(), count.to_string(), format!("{membership:.2}")]);
    }
    print::text(&format!("{examples} examples, {entries} entries\n\n{}", rows.render("  ")))
}

fn explain(table: &MembershipTable, state: &State, acts: &[Action], threshold: f64, as_json: bool) -> Done {
    let explained = acts.iter().map(|&act| (act, Features::of(state, act), table.explain(state, act)));
    let mut explained: Vec<_> = explained.collect();
    explained.sort_by(|a, b| b.2.value.total_cmp(&a.2.value));
    let most = explained.iter().map(|(_, _, membership)| membership.value).fold(0.0, f64::max);
    let pruned = |value: f64| value < threshold.min(most);
    if as_json {
        let actions: Vec<Value> = explained
            .iter()
            .map(|(act, features, membership)| {
                json!({
                    "action": act.to_string(),
                    "features": features.map(Features::numbers),
                    "membership": membership.value,
                    "because": because(&membership.because),
                    "pruned": pruned(membership.value),
                })
            })
            .collect();
        return print::json(
            &json!({ "position": format!("{state:?}"), "threshold": threshold, "actions": actions }),
        );
    }
    let mut rows = print::TextTable::headed(["action", "membership", "", "features", "because"]).right([1]);
    for (act, features, membership) in &explained {
        rows.row([
            act.to_string(),
            format!("{:.2}", membership.value),
            if pruned(membership.value) { "pruned".red().to_string() } else { String::new() },
            features.map_or(String::new(), vector),
            because(&membership.because),
        ]);
    }
    print::text(&rows.render("  "))
}

fn vector(features: Features) -> String {
    features.numbers().map(|n| n.to_string()).join(",")
}

fn because(decided: &Decided) -> String {
    match decided {
        Decided::Stays => "who stays and attacks nobody does nothing wrong".to_owned(),
        Decided::Dies => "the unit dies".to_owned(),
        Decided::Seen(count) => format!("seen {count} times"),
        Decided::Near(entries, squared) => {
            let mut out = format!("nearest, {:.2} away:", f64::from(*squared).sqrt());
            entries.iter().for_each(|&entry| {
                let _ = write!(out, " {}", vector(entry));
            });
            out
        }
        Decided::Unknown => "no example of this kind of unit".to_owned(),
    }
}

fn make(path: &Path, game: &Tubstap, config: &Synthetic) -> Done {
    let bar = indicatif::ProgressBar::new(config.examples as u64);
    let table = synthetic(game, config, &mut |examples| bar.set_position(examples as u64));
    bar.finish_and_clear();
    export(path, &table)
}

fn export(path: &Path, table: &MembershipTable) -> Done {
    let mut file = NewFile::create(path)?;
    file.write_all(table.write_csv().as_bytes()).map_err(|error| file.failed(error))?;
    file.finish()?;
    let (entries, examples) = table.size();
    print::text(&format!("{examples} examples in {entries} entries: {}\n", path.display()))
}
