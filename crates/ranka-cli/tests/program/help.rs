//! The examples of every `--help` run: they name agents, files, options and rules that are there.
#![cfg(unix)]

use crate::docs::Place;
use crate::run::ranka;
use std::collections::BTreeMap;

/// What would wait for people, for clients or for servers, or work for minutes: of these only the options are read.
const NOT_RUN: [&str; 19] = [
    "ranka bench",
    "ranka bot fuzz stdio",
    "ranka bot geister",
    "ranka bot kgp",
    "ranka bot tubstap",
    "ranka fuzzy export",
    "ranka fuzzy label",
    "ranka match geister network:file=mine.net",
    "ranka play kalah",
    "ranka play tubstap",
    "ranka reproduce --full",
    "ranka reproduce geister-2021 --quick",
    "ranka reproduce kalah",
    "ranka serve",
    "ranka solve kalah --book",
    "ranka solve kalah --rules seeds=5",
    "ranka solve kalah --value",
    "ranka sprt kalah minimax:depth=4,unit=turn",
    "ranka train geister",
];

/// Files and games that examples take for granted.
const GIVEN: &str = "\
ranka bot new python made && cp made/bot.py my_bot.py
printf '#!/bin/sh\\nexec python3 my_bot.py\\n' > my-bot-program && chmod +x my-bot-program
ranka tournament tubstap random standard --rules map=duel --games 14
ranka tournament tantrix random greedy --games 2
ranka tournament geister random blue-rush --games 2";

/// Every page of the help: the words of its command.
fn pages() -> Vec<Vec<String>> {
    let mut pages = vec![Vec::new()];
    let mut at = 0;
    while at < pages.len() {
        let help = help(&pages[at]);
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| line.starts_with("  ")) {
            let name = line.split_whitespace().next().filter(|_| !line.starts_with("   "));
            if let Some(name) = name.filter(|name| *name != "help") {
                pages.push([&pages[at][..], &[name.to_owned()]].concat());
            }
        }
        at += 1;
    }
    pages
}

fn help(page: &[String]) -> String {
    let words: Vec<&str> = page.iter().map(String::as_str).chain(["--help"]).collect();
    ranka(&words).done()
}

/// The examples of a page, without what is said beside them.
fn examples(page: &[String]) -> Vec<String> {
    let help = help(page);
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let examples = lines.filter_map(|line| line.strip_prefix("  "));
    let examples = examples.filter(|line| line.starts_with("ranka") || line.starts_with("echo "));
    examples.map(|line| line.split("  ").next().unwrap_or(line).trim_end().to_owned()).collect()
}

#[test]
fn every_example_of_the_help_runs() {
    let place = Place::new();
    for line in GIVEN.lines() {
        let said = place.run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.err);
    }
    // The name of a pairing in the examples stands for one of the game that they speak of.
    let list: serde_json::Value = serde_json::from_str(&place.run("ranka record list --json").out).unwrap();
    let pairings = list.as_array().unwrap();
    let name = |pairing: &serde_json::Value| {
        (pairing["game"].as_str().unwrap().to_owned(), pairing["pairing"].as_str().unwrap()[..12].to_owned())
    };
    let of: BTreeMap<String, String> = pairings.iter().map(name).collect();
    let made = [
        format!("ranka record export {}/0 --format tubstap --to game.txt", of["tubstap"]),
        format!(
            "ranka record export {}/0 --format geister-log --to log-2026-01-09-14-05-31-007.txt",
            of["geister"]
        ),
        format!("ranka record export {} > games.jsonl && ranka record import games.jsonl", of["geister"]),
    ];
    for line in &made {
        let said = place.run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.err);
    }
    let (mut wrong, mut run) = (Vec::new(), 0);
    for page in pages() {
        for example in examples(&page) {
            let game = if example.contains("tantrix") { "tantrix" } else { "tubstap" };
            let command = example.replace("3fa4", &of[game]).replace("./my-bot ", "./my-bot-program ");
            let waits = command == "ranka" || NOT_RUN.iter().any(|with| command.starts_with(with));
            let said = if waits {
                place.run(&format!("{command} --help"))
            } else {
                run += 1;
                let tidy = if command.starts_with("ranka bot new") { "rm -rf my-bot; " } else { "" };
                // Two games are enough to see that an example works.
                let plays = command.starts_with("ranka match") || command.starts_with("ranka tournament");
                let numbered = ["--games", "--exact"].iter().any(|option| command.contains(option));
                let few = if plays && !numbered { " --games 2" } else { "" };
                place.run(&format!("{tidy}{command}{few}"))
            };
            // A sequential test tells its verdict by its exit code.
            let good = said.code == 0 || (example.starts_with("ranka sprt") && [10, 11].contains(&said.code));
            if !good {
                wrong.push(format!("{}: {example}\nexit code {}: {}", page.join(" "), said.code, said.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(run > 50, "{run}");
}
