//! `ranka fuzzy label`: a person plays against an agent and teaches by it.

use super::RulesArgs;
use crate::failure::{Done, Failure};
use crate::game_args::BudgetArgs;
use crate::lab_args::StoreArgs;
use crate::{interrupt, terminal};
use owo_colors::OwoColorize;
use ranka_core::{
    Actor, AgentSpec, Error, Game as _, GameSeeds, LONG_LINE, Lines, Notation as _, Picture as _,
    Position as _, Rng, Roster as _, Seat, Seed, Settings, Table as Board,
};
use ranka_lab::{LabelledAction, Store};
use ranka_tubstap::fuzzy::{Features, Label, MembershipTable};
use ranka_tubstap::{Action, PowerTable, State, Tubstap};
use std::io::{self, BufRead, Write};

/// Which labels.
#[derive(clap::Args)]
pub(crate) struct CollectionArgs {
    /// The collection that labels belong to
    #[arg(long, value_name = "NAME", default_value = "mine")]
    collection: String,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    labels: CollectionArgs,
    /// Who you play against, name:key=value,…
    #[arg(long, value_name = "AGENT", default_value = "uct")]
    with: String,
    /// Your seat: 0 is red, 1 is blue
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..2))]
    seat: u8,
    #[command(flatten)]
    rules: RulesArgs,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// The name under which the store keeps our labels.
fn game_name() -> &'static str {
    Tubstap::INFO.name
}

/// The table of the labels given so far.
pub(super) fn table(args: &CollectionArgs) -> Result<MembershipTable, Error> {
    let store = args.store.open()?;
    let labels = store.labels(game_name(), &args.collection)?;
    if labels.is_empty() {
        let known = store.label_collections(game_name())?;
        let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        let others = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Error::not_found(format!(
            "no labels in collection {:?}; there are: {others}",
            args.collection
        )));
    }
    MembershipTable::taught(
        labels.iter().map(|l| [&l.rules, &l.position, &l.action, &l.label].map(String::as_str)),
    )
}

pub(super) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let game = args.rules.game()?;
    let seeds = GameSeeds::of(Seed::new(args.seed), 0, 0);
    let person = Seat::new(args.seat.into());
    let agent = person.other();
    let (_, maker) = game.recruit(&AgentSpec::parse(&args.with))?;
    let start = game.start(&mut Rng::new(seeds.deal));
    let power = if start.rules().power == PowerTable::Paper { "power=paper" } else { "" };
    let mut board = Board::new(game.clone(), start, seeds.chance);
    let seed = seeds.agent(agent.index());
    let player = maker.seat(agent, seed);
    board.sit(agent, player.map_err(|fault| Error::internal(format!("{}: {fault}", args.with)))?, seed);
    let mut session = Session {
        game,
        board,
        person,
        opponent: args.with.clone(),
        settings: args.budget.settings(),
        rules: power.to_owned(),
        store: args.labels.store.open()?,
        collection: args.labels.collection.clone(),
        last: None,
        given: [0; 3],
        input: Lines::new(io::stdin().lock(), "standard input", LONG_LINE),
        out: terminal::stdout(),
    };
    session.greet()?;
    session.play()?;
    session.finish()
}

/// A lesson at the terminal. The last label waits until the next is given, so that it can be taken back.
struct Session<I, O> {
    game: Tubstap,
    board: Board<Tubstap>,
    person: Seat,
    opponent: String,
    settings: Settings<'static>,
    rules: String,
    store: Store,
    collection: String,
    last: Option<(LabelledAction, Label)>,
    /// How many labels of each kind were kept.
    given: [u64; 3],
    input: Lines<I>,
    out: O,
}

/// What the person said.
enum Typed {
    Line(String),
    Quit,
}

impl<I: BufRead, O: Write> Session<I, O> {
    fn greet(&mut self) -> Done {
        let sides = if self.person == Seat::FIRST { ["red", "blue"] } else { ["blue", "red"] };
        writeln!(self.out, "You are {}, {} is {}.", sides[0], self.opponent, sides[1])?;
        writeln!(
            self.out,
            "What you play counts as good. Of each of its actions say good, bad or unsure (g, b, u). \
             Type help for what else can be typed."
        )?;
        Ok(())
    }

    fn play(&mut self) -> Done {
        while let Actor::Seat(seat) = self.board.actor() {
            self.show()?;
            let goes_on = if seat == self.person { self.turn_of_person()? } else { self.turn_of_agent()? };
            if !goes_on {
                return Ok(());
            }
        }
        self.show()?;
        let score = self.board.end().map_or(0.5, |(_, outcome)| outcome.score(self.person));
        let verdict = if score > 0.5 {
            "You win."
        } else if score < 0.5 {
            "You lose."
        } else {
            "A draw."
        };
        Ok(writeln!(self.out, "{}", verdict.bold())?)
    }

    fn show(&mut self) -> Done {
        let sketch = self.game.sketch(self.board.state(), self.person);
        Ok(writeln!(self.out, "\n{}", sketch.trim_end())?)
    }

    /// Asks until there is an action; false if the person leaves.
    fn turn_of_person(&mut self) -> Result<bool, Failure> {
        loop {
            let Typed::Line(typed) = self.ask("your action")? else { return Ok(false) };
            let state = self.board.state().clone();
            match typed.as_str() {
                "help" | "?" => writeln!(
                    self.out,
                    "An action makes it: 2@4,3 moves unit 2, 2@4,3>7 attacks unit 7 from there, end ends the turn.\n\
                     moves: all actions  board: the board  undo: take the last label back  quit: leave"
                )?,
                "moves" => {
                    let mut acts = Vec::new();
                    state.actions(&mut acts);
                    let acts: Vec<String> = acts.iter().map(Action::to_string).collect();
                    writeln!(self.out, "{}", acts.join(" "))?;
                }
                "board" => self.show()?,
                text => match self.game.read_action(text) {
                    Ok(act) if state.is_legal(act) => {
                        self.keep(&state, act, Label::Good)?;
                        self.act(act)?;
                        return Ok(true);
                    }
                    Ok(act) => {
                        let why = self.game.refusal(&state, act);
                        writeln!(self.out, "{text} is not legal: {why}")?;
                    }
                    Err(error) => writeln!(self.out, "{error} (type help for help)")?,
                },
            }
        }
    }

    /// Lets the agent act and asks what to think of it; false if the person leaves.
    fn turn_of_agent(&mut self) -> Result<bool, Failure> {
        let thought = self
            .board
            .think(&self.settings, None)
            .map_err(|fault| Error::internal(format!("{} gave no answer: {fault}", self.opponent)))?;
        let state = self.board.state().clone();
        let act = thought.choice;
        let told = act.to_string();
        let Some(features) = Features::of(&state, act) else {
            writeln!(self.out, "{} plays {}", self.opponent, told.bold())?;
            self.act(act)?;
            return Ok(true);
        };
        writeln!(self.out, "{} plays {}: {features}", self.opponent, told.bold())?;
        loop {
            let Typed::Line(typed) = self.ask("good, bad or unsure")? else { return Ok(false) };
            match typed.as_str() {
                "help" | "?" => writeln!(
                    self.out,
                    "good: you would have played it  bad: it is clearly bad  unsure: you cannot tell  skip: say nothing\n\
                     board: the board  undo: take the label before back  quit: leave"
                )?,
                "board" => self.show()?,
                "skip" => break,
                text => match Label::read(text) {
                    Ok(label) => {
                        self.keep(&state, act, label)?;
                        break;
                    }
                    Err(error) => writeln!(self.out, "{error} (type help for help)")?,
                },
            }
        }
        self.act(act)?;
        Ok(true)
    }

    /// A line that is no word common to all questions.
    fn ask(&mut self, question: &str) -> Result<Typed, Failure> {
        loop {
            write!(self.out, "{question}> ")?;
            self.out.flush()?;
            let Some(line) = self.input.read()? else {
                writeln!(self.out)?;
                return Ok(Typed::Quit);
            };
            match String::from_utf8_lossy(line).trim() {
                "" => {}
                "quit" | "exit" => return Ok(Typed::Quit),
                "undo" => match self.last.take() {
                    Some((taken, label)) => {
                        writeln!(self.out, "{} is no longer {}", taken.action, label.name())?;
                    }
                    None => writeln!(self.out, "there is no label to take back")?,
                },
                other => return Ok(Typed::Line(other.to_owned())),
            }
        }
    }

    fn act(&mut self, act: Action) -> Done {
        self.board.act(act).map_err(|_| {
            Error::internal(format!("{} played {act}, which is not legal", self.opponent)).into()
        })
    }

    /// Remembers what is to be thought of an action. The end of a turn teaches nothing.
    fn keep(&mut self, state: &State, act: Action, label: Label) -> Done {
        if Features::of(state, act).is_none() {
            return Ok(());
        }
        self.store_last()?;
        let labelled = LabelledAction {
            rules: self.rules.clone(),
            position: self.game.write_state(state),
            action: self.game.write_action(act),
            label: label.name().to_owned(),
        };
        self.last = Some((labelled, label));
        Ok(())
    }

    fn store_last(&mut self) -> Done {
        if let Some((labelled, label)) = self.last.take() {
            self.store.add_labels(game_name(), &self.collection, &[labelled])?;
            let place = Label::ALL.iter().position(|&of| of == label).unwrap_or(0);
            self.given[place] += 1;
        }
        Ok(())
    }

    fn finish(&mut self) -> Done {
        self.store_last()?;
        let all = self.store.label_collections(game_name())?;
        let count = all.iter().find(|(name, _)| *name == self.collection).map_or(0, |(_, count)| *count);
        let [good, unsure, bad] = self.given;
        Ok(writeln!(
            self.out,
            "labels given: {} ({good} good, {unsure} unsure, {bad} bad); collection {:?} has {count}.",
            good + unsure + bad,
            self.collection,
        )?)
    }
}
