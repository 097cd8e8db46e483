//! `ranka agents`

use crate::failure::{Done, Failure};
use crate::print;
use owo_colors::OwoColorize;
use ranka_core::{AgentInfo, Param, ParamKind, unknown};
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka agents kalah
  ranka agents kalah random --json")]
pub(crate) struct Args {
    /// The game, by the name that `ranka games` tells
    game: String,
    /// Tell only of this agent
    name: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let entry = ranka_games::game(&args.game)?;
    let mut agents = entry.agents();
    if let Some(name) = &args.name {
        let known: Vec<&str> = agents.iter().map(|known| known.name).collect();
        if !known.contains(&name.as_str()) {
            return Err(Failure::usage(&unknown(&format!("{} agent", args.game), name, &known)));
        }
        agents.retain(|known| known.name == name);
    }
    let (measures, computed) = (entry.measures(), entry.computed_tables());
    if args.json {
        let agents: Vec<Value> = agents
            .iter()
            .map(|AgentInfo { name, version, summary, params }| {
                json!({ "name": name, "version": version, "summary": summary, "params": params_json(params) })
            })
            .collect();
        return print::json(&json!({
            "game": args.game, "agents": agents, "options": params_json(&entry.options()),
            "measures": measures.iter().map(|(name, help, per)| json!({ "name": name, "help": help, "per": per })).collect::<Vec<_>>(),
            "computed": computed.iter().map(|(name, help)| json!({ "name": name, "help": help })).collect::<Vec<_>>(),
        }));
    }
    let mut out = String::new();
    for AgentInfo { name, version, summary, params } in &agents {
        let version = if *version == 1 { String::new() } else { format!(" (version {version})") };
        let _ = writeln!(out, "{}{version}  {summary}", name.bold());
        out += &params_table(params);
    }
    if args.name.is_none() {
        let _ = writeln!(out, "\n{}  for --rules key=value,…", "options of the rules".bold());
        out += &params_table(&entry.options());
        let _ = writeln!(out, "\n{}  of each game, for experiments", "measures".bold());
        let mut table = print::TextTable::plain();
        for (name, help, per) in measures {
            table.row([name.to_owned(), format!("per {}", per.name()), help.to_owned()]);
        }
        out += &table.render("    ");
        if !computed.is_empty() {
            let _ = writeln!(out, "\n{}  for experiments", "computed tables".bold());
            let mut table = print::TextTable::plain();
            for (name, help) in computed {
                table.row([name.to_owned(), help.to_owned()]);
            }
            out += &table.render("    ");
        }
    }
    print::text(&out)
}

fn params_table(params: &[Param]) -> String {
    let mut table = print::TextTable::plain();
    for param in params {
        let default = if param.default.is_empty() { "\"\"" } else { param.default };
        table.row([format!("{}={default}", param.key), param.range(), param.help.to_owned()]);
    }
    table.render("    ")
}

fn params_json(params: &[Param]) -> Vec<Value> {
    params.iter().map(param_json).collect()
}

/// A declared parameter, for programs that build a form from it.
pub(crate) fn param_json(param: &Param) -> Value {
    let mut object = json!({ "key": param.key, "kind": param.kind_name() });
    match param.kind {
        ParamKind::Int { min, max } => (object["min"], object["max"]) = (json!(min), json!(max)),
        ParamKind::Real { min, max } => (object["min"], object["max"]) = (json!(min), json!(max)),
        ParamKind::Choice(words) | ParamKind::File(words) => object["choices"] = json!(words),
        ParamKind::Text | ParamKind::Program => {}
    }
    object["default"] = json!(param.default);
    object["help"] = json!(param.help);
    object
}
