//! `ranka games`

use super::agents::param_json;
use crate::failure::Done;
use crate::print;
use ranka_core::GameEntry;
use serde_json::{Value, json};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a list of JSON objects
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let games = ranka_games::catalogue();
    if args.json {
        let games: Vec<Value> = games.iter().map(|entry| game_json(entry.as_ref())).collect();
        return print::json(&games);
    }
    let mut table = print::TextTable::headed(["game", "title", "", "players", "what makes it hard"]);
    for info in games.iter().map(|entry| entry.info()) {
        let players = match info.seats {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least}–{most}"),
        };
        let [name, title, japanese, summary] =
            [info.name, info.title, info.japanese, info.summary].map(str::to_owned);
        table.row([name, title, japanese, players, summary]);
    }
    print::text(&table.render(""))
}

fn game_json(entry: &dyn GameEntry) -> Value {
    let info = entry.info();
    let agents: Vec<&str> = entry.agents().iter().map(|agent| agent.name).collect();
    json!({
        "name": info.name,
        "title": info.title,
        "japanese": info.japanese,
        "summary": info.summary,
        "seats": info.seats,
        "version": info.version,
        "options": entry.options().iter().map(param_json).collect::<Vec<_>>(),
        "agents": agents,
    })
}
