//! Signatures: whoever changes how an agent plays raises its version.

use crate::battery::open;
use ranka_core::{AgentSpec, Complete, Signature};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The heading of a file of signatures.
const HEADING: &str = "\
# How every agent plays in fixed positions: rules | agent | version | nodes | hash of choices and nodes.
# `RANKA_BLESS=1 cargo test signatures` writes this file anew, but refuses where play changed and the version did not rise.
";

const HOW: &str = "`RANKA_BLESS=1 cargo test signatures` writes the file anew";

/// The rules and the agent of a line.
type Name = (String, String);

/// What a line tells of its agent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    version: u32,
    nodes: u64,
    hash: String,
}

/// Compares how agents play under some rules with the file in which that was kept. Where one plays otherwise, its version
/// must have been raised; then `RANKA_BLESS=1` writes the file anew. Every agent of the game must be there with its
/// defaults, and two that look at positions must be told apart: a signature that another agent has too would not tell if
/// one became the other. A path is relative to the folder of the crate that is tested.
///
/// # Panics
/// If they differ, naming every agent that does and what to do; if an agent is missing, cannot be prepared or gives no
/// answer; or if the file cannot be read or written.
pub fn check_signatures<G: Complete>(path: impl AsRef<Path>, agents: &[(&str, &[&str])]) {
    let path = path.as_ref();
    every_agent_is_there::<G>(agents);
    let now = signatures::<G>(agents);
    let bless = std::env::var_os("RANKA_BLESS").is_some_and(|bless| bless == "1");
    let kept = match std::fs::read_to_string(path) {
        Ok(text) => read(&text).unwrap_or_else(|problem| panic!("{}, {problem}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && bless => BTreeMap::new(),
        Err(error) => panic!("{} cannot be read: {error}; {HOW}", path.display()),
    };
    let mut problems = if bless { not_raised(&kept, &now) } else { differences(&kept, &now) };
    problems.extend(not_told_apart(&now));
    assert!(problems.is_empty(), "{}:\n  {}", path.display(), problems.join("\n  "));
    if bless {
        let written = std::fs::write(path, write(&now));
        written.unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
    }
}

fn every_agent_is_there<G: Complete>(agents: &[(&str, &[&str])]) {
    let missing: Vec<&str> = G::roster()
        .iter()
        .filter(|kind| kind.has_defaults())
        .map(|kind| kind.name)
        .filter(|name| !agents.iter().any(|(_, specs)| specs.contains(name)))
        .collect();
    let missing = missing.join(", ");
    assert!(missing.is_empty(), "{}: no signature is asked for of {missing} with its defaults", G::INFO.name);
}

/// Agents know nothing of each other, so they are looked at on all processors.
fn signatures<G: Complete>(agents: &[(&str, &[&str])]) -> Vec<(Name, Line)> {
    let asked: Vec<(&str, &str)> =
        agents.iter().flat_map(|&(rules, specs)| specs.iter().map(move |&spec| (rules, spec))).collect();
    let line = |&(rules, spec): &(&str, &str)| {
        let (game, _) = open::<G>(rules);
        let place = || format!("{} ({rules}), {spec}", G::INFO.name);
        let parsed = AgentSpec::parse(spec);
        let (_, maker) = game.recruit(&parsed).unwrap_or_else(|error| panic!("{}: {error}", place()));
        let Signature { nodes, hash, .. } =
            Signature::of(&game, maker.as_ref()).unwrap_or_else(|fault| panic!("{}: {fault}", place()));
        let version = G::roster().iter().find(|kind| kind.name == parsed.name).map_or(0, |kind| kind.version);
        ((rules.to_owned(), spec.to_owned()), Line { version, nodes, hash })
    };
    asked.par_iter().with_max_len(1).map(line).collect()
}

/// Every way in which what is now differs from what was kept.
fn differences(kept: &BTreeMap<Name, Line>, now: &[(Name, Line)]) -> Vec<String> {
    let mut problems = not_raised(kept, now);
    for (name, line) in now {
        match kept.get(name) {
            None => problems.push(format!("{} has no signature yet: {HOW}", called(name))),
            Some(old) if old.version < line.version => problems.push(format!(
                "{} is now of version {}, the file has version {}: {HOW}",
                called(name),
                line.version,
                old.version
            )),
            Some(_) => {}
        }
    }
    let gone = kept.keys().filter(|name| !now.iter().any(|(of, _)| of == *name));
    problems
        .extend(gone.map(|name| format!("{} is in the file, but nobody asks for it: {HOW}", called(name))));
    problems
}

/// Agents that play otherwise than before under the same version, or went back to an older one.
fn not_raised(kept: &BTreeMap<Name, Line>, now: &[(Name, Line)]) -> Vec<String> {
    let known = now.iter().filter_map(|(name, line)| Some((name, line, kept.get(name)?)));
    let changed = known.filter(|(_, line, old)| line.version <= old.version && line != old);
    changed
        .map(|(name, line, old)| {
            let Line { version, nodes, hash } = old;
            let told = if line.version < *version {
                format!("is of version {}, but was of version {version}: versions only rise", line.version)
            } else {
                format!(
                    "plays otherwise than version {version} did ({} nodes, {}; was {nodes} nodes, {hash}). Results of both \
                     must not be mixed: raise `version` of its AgentKind, then {HOW}",
                    line.nodes, line.hash
                )
            };
            format!("{} {told}", called(name))
        })
        .collect()
}

/// Agents that play alike wherever they are asked. Two kinds may, where everything is proved, as long as there are other
/// rules under which they do not.
fn not_told_apart(now: &[(Name, Line)]) -> Vec<String> {
    let kind = |(_, agent): &Name| AgentSpec::parse(agent).name;
    let alike = |one: &(Name, Line), two: &(Name, Line)| {
        one.0.0 == two.0.0 && one.1.nodes > 0 && one.1.hash == two.1.hash
    };
    let differ_under = |rules: &str, kinds: [&str; 2]| {
        let of = |name: &str| -> Vec<&(Name, Line)> {
            now.iter().filter(|(of, _)| of.0 == rules && kind(of) == name).collect()
        };
        let [ones, twos] = kinds.map(of);
        let apart = ones.iter().all(|one| twos.iter().all(|two| !alike(one, two)));
        apart && !ones.is_empty() && !twos.is_empty()
    };
    let mut problems = Vec::new();
    for (place, two) in now.iter().enumerate() {
        for one in now[..place].iter().filter(|one| alike(one, two)) {
            let (first, second) = (kind(&one.0), kind(&two.0));
            let elsewhere = || now.iter().any(|(name, _)| differ_under(&name.0, [&first, &second]));
            if first == second || !elsewhere() {
                problems.push(format!(
                    "{} and {} have the same signature, so neither could be seen to become the other: ask both under rules \
                     or with parameters with which they differ",
                    called(&one.0),
                    called(&two.0)
                ));
            }
        }
    }
    problems
}

fn called((rules, agent): &Name) -> String {
    if rules.is_empty() { agent.clone() } else { format!("{agent} ({rules})") }
}

fn write(lines: &[(Name, Line)]) -> String {
    let mut out = HEADING.to_owned();
    for ((rules, agent), Line { version, nodes, hash }) in lines {
        let _ = writeln!(out, "{rules} | {agent} | {version} | {nodes} | {hash}");
    }
    out
}

fn read(text: &str) -> Result<BTreeMap<Name, Line>, String> {
    let mut lines = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        let refuse = || format!("line {number}, {line:?}: expected: rules | agent | version | nodes | hash");
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [rules, agent, version, nodes, hash] = fields.as_slice() else { return Err(refuse()) };
        let version = version.parse().map_err(|_| refuse())?;
        let nodes = nodes.parse().map_err(|_| refuse())?;
        let name = ((*rules).to_owned(), (*agent).to_owned());
        if lines.insert(name, Line { version, nodes, hash: (*hash).to_owned() }).is_some() {
            return Err(format!("line {number}, {line:?}: it is there twice"));
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(agent: &str, version: u32, nodes: u64, hash: &str) -> (Name, Line) {
        ((String::new(), agent.to_owned()), Line { version, nodes, hash: hash.to_owned() })
    }

    #[test]
    fn what_is_written_is_read() {
        let mut lines = vec![line("random", 1, 0, "ab"), line("minimax:depth=3,ties=last", 2, 77, "cd")];
        lines[1].0.0 = "houses=3,seeds=3".to_owned();
        assert_eq!(read(&write(&lines)), Ok(lines.into_iter().collect()));
        let refused =
            "line 2, \" | random | one | 0 | ab\": expected: rules | agent | version | nodes | hash";
        assert_eq!(read("# heading\n | random | one | 0 | ab\n"), Err(refused.to_owned()));
        let twice = " | random | 1 | 0 | ab\n".repeat(2);
        assert_eq!(read(&twice), Err("line 2, \" | random | 1 | 0 | ab\": it is there twice".to_owned()));
    }

    #[test]
    fn agents_that_play_alike_everywhere_are_not_told_apart() {
        let under = |rules: &str, mut line: (Name, Line)| {
            line.0.0 = rules.to_owned();
            line
        };
        let proved = [line("strong", 1, 70, "ab"), line("champion", 1, 70, "ab"), line("uct", 1, 9, "ef")];
        let told = not_told_apart(&proved);
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("strong and champion have the same signature"), "{told:?}");
        let large = [
            under("seeds=6", line("strong:nodes=9", 1, 9, "cd")),
            under("seeds=6", line("champion:nodes=9", 1, 9, "dc")),
        ];
        assert_eq!(not_told_apart(&[&proved[..], &large].concat()), [""; 0], "elsewhere they differ");
        assert_eq!(not_told_apart(&[&proved[..], &large[..1]].concat()).len(), 1, "only one was asked there");
        let same = [line("uct", 1, 9, "ef"), line("uct:c=2", 1, 9, "ef")];
        assert_eq!(not_told_apart(&same).len(), 1, "a parameter that changes nothing");
        let rules_of_thumb = [line("rush", 1, 0, "ef"), line("run", 1, 0, "ef")];
        assert_eq!(not_told_apart(&rules_of_thumb), [""; 0], "who counts nothing may agree");
    }

    #[test]
    fn changed_play_needs_a_higher_version() {
        let kept: BTreeMap<Name, Line> = [line("uct", 2, 70, "ab")].into();
        let problems = |now: &[(Name, Line)]| (differences(&kept, now).len(), not_raised(&kept, now).len());
        assert_eq!(problems(&[line("uct", 2, 70, "ab")]), (0, 0));
        for changed in [line("uct", 2, 71, "ab"), line("uct", 2, 70, "cd"), line("uct", 1, 70, "ab")] {
            assert_eq!(problems(&[changed]), (1, 1), "even who asks for it does not get it");
        }
        for raised in [line("uct", 3, 70, "ab"), line("uct", 3, 71, "cd")] {
            assert_eq!(problems(&[raised]), (1, 0), "the file is to be written anew, and may be");
        }
        assert_eq!(problems(&[line("uct", 2, 70, "ab"), line("new", 1, 1, "ef")]), (1, 0));
        assert_eq!(problems(&[]), (1, 0), "what is gone is told");
        let told = differences(&kept, &[line("uct", 2, 71, "cd")]).join("");
        assert!(
            told.starts_with("uct plays otherwise than version 2 did (71 nodes, cd; was 70 nodes, ab)."),
            "{told}"
        );
        assert!(told.contains("raise `version` of its AgentKind"), "{told}");
    }
}
