//! The other end: an agent of ours that speaks the protocol, as any bot would.

use super::VERSION;
use ranka_core::{
    AnyGame, Budget, Candidate, Error, Fault, LONG_LINE, Lines, MAX_SEATS, Rng, Seat, Seed, TextAgent,
    TextTold, Thinking, Thought,
};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Opens a game by its name and rules.
type Open<'a> = &'a dyn Fn(&str, &str) -> Result<Arc<dyn AnyGame>, Error>;

/// Plays as a bot: reads lines from `input` and answers on `output`, until `quit` or the end of the input. `agent` is
/// prepared anew for each game; without one the game's usual sparring partner plays. `name` is what the bot is called,
/// where it is not one of ours.
pub fn serve(
    open: Open<'_>,
    agent: Option<&str>,
    name: Option<&str>,
    input: impl BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let mut server = Server {
        open,
        agent,
        name,
        output,
        told: Introduction::to(""),
        player: None,
        view: String::new(),
        did: None,
    };
    let mut lines = Lines::new(input, "standard input", LONG_LINE);
    while let Some(line) = lines.read()? {
        let line =
            str::from_utf8(line).map_err(|error| Error::input(format!("the line is not UTF-8: {error}")))?;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "quit" {
            break;
        }
        server.hear(word, rest.trim()).map_err(|error| error.at(format!("{line:?}")))?;
    }
    Ok(())
}

struct Introduction {
    game: String,
    rules: String,
    seat: Seat,
    seed: u64,
}

impl Introduction {
    /// To this game; the rest is told afterwards, where it is not the usual.
    fn to(game: &str) -> Introduction {
        Introduction { game: game.to_owned(), rules: String::new(), seat: Seat::FIRST, seed: 0 }
    }
}

struct Server<'a> {
    open: Open<'a>,
    agent: Option<&'a str>,
    name: Option<&'a str>,
    output: &'a mut dyn Write,
    told: Introduction,
    player: Option<Box<dyn TextAgent>>,
    view: String,
    /// Who did what, until the view after it is told too.
    did: Option<(Option<Seat>, Option<String>)>,
}

impl Server<'_> {
    fn hear(&mut self, word: &str, rest: &str) -> Result<(), Error> {
        match word {
            "ranka" => {
                let agent = self.agent.unwrap_or("sparring partner");
                let ours = || format!("name Ranka's {agent}\nauthor the Ranka authors");
                self.say(&self.name.map_or_else(ours, |name| format!("name {name}")))?;
                if rest != VERSION.to_string() {
                    return Err(Error::input(format!("this program speaks version {VERSION}")));
                }
            }
            "newgame" => {
                self.told = Introduction::to(rest.split(' ').next().unwrap_or_default());
                self.player = None;
            }
            "rules" => rest.clone_into(&mut self.told.rules),
            "seat" => self.told.seat = seat(rest)?,
            "seed" => self.told.seed = number(rest)?,
            "isready" => {
                if self.player.is_none() && !self.told.game.is_empty() {
                    self.player = Some(self.sit()?);
                }
                self.say("ready")?;
            }
            "did" => {
                let (by, action) = rest.split_once(' ').ok_or_else(|| Error::input("who did what?"))?;
                let by = if by == "chance" { None } else { Some(seat(by)?) };
                self.did = Some((by, Some(action.to_owned()).filter(|action| action != "?")));
            }
            "view" => {
                if let (Some((by, action)), Some(player)) = (self.did.take(), &mut self.player) {
                    let (action, before) = (action.as_deref(), self.view.as_str());
                    player.told(&TextTold { by, action, before, after: rest });
                }
                rest.clone_into(&mut self.view);
            }
            "go" => self.go(rest)?,
            "over" => self.player = None,
            _ => {}
        }
        Ok(())
    }

    fn sit(&self) -> Result<Box<dyn TextAgent>, Error> {
        let game = (self.open)(&self.told.game, &self.told.rules)?;
        let agent = game.agent(self.agent.unwrap_or(game.info().sparring))?;
        if self.told.seat.index() >= game.seats() {
            return Err(Error::input(format!("there is no seat {}", self.told.seat)));
        }
        Ok(game.host(&agent, self.told.seat, Seed::new(self.told.seed)))
    }
}

impl Server<'_> {
    fn go(&mut self, circumstances: &str) -> Result<(), Error> {
        let Some(player) = &mut self.player else { return Err(Error::input("no game was begun")) };
        let mut budget = None;
        let mut words = circumstances.split_whitespace();
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            budget = match key {
                "nodes" => Some(Budget::Nodes(number(value)?)),
                "playouts" => Some(Budget::Playouts(number(value)?)),
                "ms" => Some(Budget::Millis(number(value)?)),
                _ => budget,
            };
        }
        let never = AtomicBool::new(false);
        // A host's agents draw from the seed that they were seated with.
        let mut thinking = Thinking::new(Rng::new(Seed::new(0)), budget, &never);
        match player.think(&self.view, &[], &mut thinking) {
            Ok(thought) => self.say(&aloud(&thought)),
            Err(Fault::Resigned) => self.say("resign"),
            Err(fault) => Err(Error::input(format!("the agent gives no answer: {fault}"))),
        }
    }

    fn say(&mut self, lines: &str) -> Result<(), Error> {
        let mut write = || -> io::Result<()> {
            writeln!(self.output, "{lines}")?;
            self.output.flush()
        };
        write().map_err(|error| Error::writing("standard output", error))
    }
}

/// A thought as `info` lines and the action.
fn aloud(thought: &Thought<String>) -> String {
    let Thought { choice, scale, nodes, depth, .. } = thought;
    let mut lines = format!("info nodes {nodes} depth {depth} scale {}\n", scale.name());
    // The protocol has no word for bounds.
    let told = |candidate: &&Candidate<String>| candidate.value.is_finite() && !candidate.at_most;
    for candidate in thought.candidates.iter().filter(told) {
        let _ = write!(lines, "info action {} value {}", candidate.action, candidate.value);
        if let Some(visits) = candidate.visits {
            let _ = write!(lines, " visits {visits}");
        }
        if !candidate.pv.is_empty() {
            let _ = write!(lines, " pv {}", candidate.pv.join(" "));
        }
        lines.push('\n');
    }
    lines + "action " + choice
}

fn number<N: FromStr>(text: &str) -> Result<N, Error> {
    text.parse().map_err(|_| Error::input(format!("{text:?} is no whole number")))
}

fn seat(text: &str) -> Result<Seat, Error> {
    let index = number(text)?;
    if index < MAX_SEATS {
        Ok(Seat::new(index))
    } else {
        Err(Error::input(format!("there is no seat {index}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::CatalogueEntry;
    use ranka_geister::Geister;

    /// What a bot of ours makes of being asked to act at a view of its seat.
    fn asked(seat: &str, view: &str) -> Result<(), Error> {
        let lines = format!("newgame geister 1\nseat {seat}\nisready\nview {view}\ngo nodes 20\n");
        let open = |_: &str, rules: &str| CatalogueEntry::<Geister>::with(&[]).open(rules);
        serve(&open, Some("random"), None, lines.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn who_is_asked_out_of_turn_says_so() {
        let game = CatalogueEntry::<Geister>::with(&[]).open("").unwrap();
        let start = game.start(Seed::new(1));
        let table = game.table(Some(&start), &[None, None], Seed::new(1)).unwrap();
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| table.view(seat));
        assert_eq!(asked("0", &first), Ok(()), "it is its turn");
        let said = asked("1", &second).unwrap_err().to_string();
        assert!(said.contains("it is asked to act where it is not to act"), "{said}");
    }
}
