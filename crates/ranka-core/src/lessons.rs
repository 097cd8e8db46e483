//! Lessons: a game's rules in a few pictures, and a first lesson of prepared positions.

use crate::{
    Actor, Complete, Error, Game, Locale, Look, Message, Offer, Params, Position, Seat, Seed, Step, Table,
    TableDisplay,
};

/// One step of the rules: a short text beside a picture.
#[derive(Clone, Debug)]
pub struct RuleStep {
    /// The text, in English; other languages have it by that.
    pub text: &'static str,
    /// What is drawn; nothing where words are enough.
    pub board: Option<RuleBoard>,
    /// Figures that belong to it, the first line being the heading; empty for most.
    pub table: Vec<Vec<String>>,
}

/// A board that explains something.
#[derive(Clone, Debug)]
pub struct RuleBoard {
    /// The options that differ from the defaults.
    pub rules: &'static str,
    /// The position, in notation.
    pub position: &'static str,
    /// From whose side it is seen.
    pub viewer: Seat,
    /// What is written at elements, by their ids.
    pub marks: Vec<(&'static str, &'static str)>,
    /// An action whose marks are drawn too: where the seeds fall, what is captured.
    pub action: Option<&'static str>,
}

impl RuleStep {
    /// Words alone.
    pub fn words(text: &'static str) -> RuleStep {
        RuleStep { text, board: None, table: Vec::new() }
    }

    /// Words beside a position under the usual rules, from the first seat's side.
    pub fn shown(
        text: &'static str,
        position: &'static str,
        marks: &[(&'static str, &'static str)],
    ) -> RuleStep {
        let marks = marks.to_vec();
        let board = RuleBoard { rules: "", position, viewer: Seat::FIRST, marks, action: None };
        RuleStep { board: Some(board), ..RuleStep::words(text) }
    }

    /// With what comes of an action written on the board.
    pub fn foreseeing(mut self, action: &'static str) -> RuleStep {
        self.board = self.board.map(|board| RuleBoard { action: Some(action), ..board });
        self
    }

    /// Under other rules.
    pub fn under(mut self, rules: &'static str) -> RuleStep {
        self.board = self.board.map(|board| RuleBoard { rules, ..board });
        self
    }

    /// With figures.
    pub fn with_table(self, table: Vec<Vec<String>>) -> RuleStep {
        RuleStep { table, ..self }
    }
}

/// A prepared position in which the learner is asked for one thing.
pub struct Lesson<G: Game> {
    /// What is asked for.
    pub task: &'static str,
    /// What is said when it is done.
    pub praise: &'static str,
    /// What is said when it was missed: why, and what to look for.
    pub advice: &'static str,
    /// The options that differ from the defaults.
    pub rules: &'static str,
    /// Where it begins, in notation; the learner is to act.
    pub position: &'static str,
    /// How many actions the learner has for it.
    pub within: usize,
    /// Whether it is done, once the learner has taken an action: by the position before the first one and the present one.
    pub is_done: fn(before: &G::State, after: &G::State) -> bool,
}

/// What is taught of a game.
pub trait Lessons: Game {
    /// The rules in at most [`MOST_STEPS`] steps.
    fn rule_steps() -> Vec<RuleStep>;

    /// The first lesson: three to six positions.
    fn lessons() -> Vec<Lesson<Self>>;
}

/// More steps nobody reads.
pub const MOST_STEPS: usize = 7;

/// A lesson as far as the learner has come.
#[derive(Clone, Debug)]
pub struct Taught {
    /// What is asked for.
    pub task: &'static str,
    /// What is said now: praise, advice, or nothing while it goes on.
    pub says: &'static str,
    /// Whether it is done; nothing while it goes on.
    pub done: Option<bool>,
    /// What the learner sees.
    pub picture: String,
    /// What the learner can do.
    pub offers: Vec<Offer>,
    /// What the learner is asked for, by how many elements were touched.
    pub asks: Vec<&'static str>,
    /// What the last action did, in words.
    pub told: Message,
    /// And for the eye.
    pub motion: Vec<Step>,
}

/// Lesson `number` of a game after the learner's actions; what chance does in between comes from a fixed seed.
pub(crate) fn teach<G: Complete>(number: usize, actions: &[String], locale: Locale) -> Result<Taught, Error> {
    let lessons = G::lessons();
    let count = lessons.len();
    let lesson = lessons.into_iter().nth(number);
    let lesson = lesson.ok_or_else(|| Error::not_found(format!("{} has {count} lessons", G::INFO.name)))?;
    let game = G::new(&Params::parse(lesson.rules, G::options())?)?;
    let start = game.read_state(lesson.position).map_err(Error::from)?;
    let learner = start.actor().seat().ok_or_else(|| Error::internal("in a lesson somebody is to act"))?;
    let mut table = Table::new(game, start, Seed::new(0));
    let (mut told, mut motion, mut done) = (Message::default(), Vec::new(), None);
    for action in actions.iter().take(lesson.within) {
        let legal = table.offers(learner).into_iter().any(|offer| offer.action == action.trim());
        if done.is_some() || !legal {
            return Err(Error::input(format!("{action}: this cannot be done here")));
        }
        told = table.message(learner, action).unwrap_or_default();
        motion = TableDisplay::motion(&table, learner, action);
        let taken = table.game().read_action(action.trim()).map_err(Error::from)?;
        table.act(taken).map_err(|_| Error::input(format!("{action}: this cannot be done here")))?;
        if (lesson.is_done)(table.start(), table.state()) {
            done = Some(true);
            break;
        }
        while table.actor() == Actor::Chance {
            table.draw();
        }
        if table.actor() != Actor::Seat(learner) {
            done = Some(false);
        }
    }
    if done.is_none() && actions.len() >= lesson.within {
        done = Some(false);
    }
    let look = Look::from(learner).speaking(locale);
    let goes_on = done.is_none();
    Ok(Taught {
        task: lesson.task,
        says: match done {
            None => "",
            Some(true) => lesson.praise,
            Some(false) => lesson.advice,
        },
        done,
        picture: table.picture(&look),
        offers: if goes_on { table.offers(learner) } else { Vec::new() },
        asks: if goes_on { table.asks(learner) } else { Vec::new() },
        told,
        motion,
    })
}

/// The picture of a step of the rules, and what is written on it; nothing where words are enough.
pub(crate) fn rule_picture<G: Complete>(
    step: &RuleStep,
    locale: Locale,
) -> Option<Result<Illustration, Error>> {
    let board = step.board.as_ref()?;
    let draw = || {
        let game = G::new(&Params::parse(board.rules, G::options())?)?;
        let state = game.read_state(board.position).map_err(Error::from)?;
        let view = game.view(&state, board.viewer);
        let mut marks: Vec<(String, String)> =
            board.marks.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        if let Some(action) = board.action {
            let action = game.read_action(action).map_err(Error::from)?;
            marks.extend(game.foresee(&view, action).marks);
        }
        Ok((game.picture(&view, &Look::from(board.viewer).speaking(locale), None), marks))
    };
    Some(draw())
}

/// A picture, and what is written at its elements by their ids.
pub type Illustration = (String, Vec<(String, String)>);
