//! What one seat is sent. Everything that leaves the server about a game in progress is put together here, from what
//! the table shows that seat and nothing else.

use crate::believes::Believes;
use crate::hall::NOT_KEPT;
use crate::opening::Sitter;
use crate::play::{ONLOOKERS, Play};
use crate::room::Room;
use crate::visit::Visit;
use crate::words::Language;
use ranka_core::{Actor, Candidate, EndReason, Message, Offer, Seat, Step, TableTruth, Thought};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// A person at a seat.
    Seat(Seat),
    /// Somebody who only watches.
    Onlooker,
}

impl Viewer {
    /// From whose side the board is looked at.
    pub(crate) const fn side(self) -> Seat {
        match self {
            Viewer::Seat(seat) => seat,
            Viewer::Onlooker => Seat::FIRST,
        }
    }
}

/// A game as somebody may see it.
#[derive(Serialize)]
pub(crate) struct Seen {
    kind: &'static str,
    /// How many actions have happened: an action is only taken by who has seen them all.
    pub(crate) at: usize,
    pub(crate) picture: String,
    /// Whose turn it is; nobody when it is over or chance's.
    turn: Option<usize>,
    /// Whether the viewer is to act.
    mine: bool,
    /// What is asked for, after so many touches.
    asks: Vec<String>,
    offers: Vec<SeenOffer>,
    players: Vec<Player>,
    /// What happened, from line `from` on: a page that keeps what it was sent is not sent it again.
    log: Vec<Line>,
    from: usize,
    /// How the last actions happened, for the eye.
    motion: Vec<Moved>,
    /// Who is awaited, while it is not the viewer.
    waits: String,
    pub(crate) result: Option<SeenResult>,
    /// Whether lines of play may be stepped through: they show the whole truth.
    lines: bool,
    can_take_back: bool,
    can_resign: bool,
    /// Whether hints are given at this table.
    hints: bool,
    /// What the agent that acted last thought, where everybody may know.
    thought: Option<SeenThought>,
    /// How strong an agent that adapts takes its opponent to be.
    believes: Option<Believes>,
    judge: Option<ToJudge>,
    /// Where the other people are still to sit down, for who laid the table.
    invitations: Vec<Invitation>,
    /// Where the same players play on.
    rematch: Option<SeenRematch>,
    /// What is wrong with the table, as long as it is.
    trouble: Option<String>,
}

/// What can be done, as the page needs it.
#[derive(Serialize)]
pub(crate) struct SeenOffer {
    action: String,
    path: Vec<String>,
    says: String,
    marks: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Player {
    seat: usize,
    name: String,
    /// What the board calls the seat.
    side: String,
    /// Which agent it is, where the name does not say.
    about: String,
    /// As on the board.
    colour: &'static str,
    agent: bool,
    you: bool,
    thinks: bool,
    /// How much time is left, in milliseconds, where there is a clock.
    left: Option<u64>,
    /// Whether it runs now.
    runs: bool,
}

#[derive(Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Line {
    /// Who acted; nobody is chance.
    by: Option<usize>,
    action: String,
    says: String,
}

/// How an action happened.
#[derive(Serialize)]
struct Moved {
    /// How many actions there are with it.
    at: usize,
    steps: Vec<Step>,
}

/// How it ended.
#[derive(Serialize)]
pub(crate) struct SeenResult {
    scores: Vec<f64>,
    pub(crate) text: String,
    /// Whether the viewer has won or lost; nothing for a draw and for who has no seat.
    won: Option<bool>,
    /// Why, by the rules or for whose fault.
    pub(crate) reason: String,
    /// What is known beyond that of an agent's fault.
    detail: Option<String>,
}

/// What an agent thought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeenThought {
    pub(crate) at: usize,
    seat: usize,
    /// Its [`Thought<String>`], in a form that the store can give back.
    #[serde(flatten)]
    thought: Map<String, Value>,
    /// What is touched to take each candidate, in their order.
    paths: Vec<Vec<String>>,
    /// The winning chance of each, where the agent's values can be read as such.
    #[serde(default)]
    chances: Option<Vec<f64>>,
    /// What comes of each, as patterns with their words: kept so, and said in the reader's language when it is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    told: Vec<(String, Vec<String>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    says: Vec<String>,
}

/// So many candidates are listed.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Invitation {
    says: String,
    /// Nothing once somebody has taken it.
    link: Option<String>,
}

#[derive(Serialize)]
struct SeenRematch {
    says: String,
    link: String,
}

#[derive(Serialize)]
struct ToJudge {
    at: usize,
    action: String,
    question: String,
}

impl Seen {
    /// What `viewer` sees now.
    pub(crate) fn of(room: &Room, viewer: Viewer, visit: Visit) -> Seen {
        let language = visit.language;
        let play = room.play();
        let table = &play.table;
        let over = table.result().is_some();
        let from = viewer.side();
        // Who has no seat sees what is hidden from the seats only when nobody can be helped by it.
        let everything = over || (viewer == Viewer::Onlooker && room.opening.people() == 0);
        let onlooks = viewer == Viewer::Onlooker && !everything;
        let picture = match (everything, onlooks) {
            (true, _) => table.unveiled(&language.look(from)),
            (false, true) => table.onlooker(&language.look(from)).unwrap_or_default(),
            (false, false) => table.picture(&language.look(from)),
        };
        let mine = matches!(viewer, Viewer::Seat(seat) if table.actor() == Actor::Seat(seat))
            && play.aside.to_judge.is_none();
        let offers = if mine { table.offers(from) } else { Vec::new() };
        let log = if onlooks {
            lines(&play, table.heard_by_all(), ONLOOKERS, language)
        } else {
            lines(&play, heard(table.as_ref(), from, over), from.index(), language)
        };
        let waits = waits(room, &play, viewer, onlooks, visit);
        let thoughts_open = over || room.game.open_information();
        let thought = play.aside.thoughts.last().filter(|_| thoughts_open);
        let taking_back = match viewer {
            Viewer::Seat(seat) => room.can_take_back(&play, seat).is_some(),
            Viewer::Onlooker => false,
        };
        Seen {
            kind: "game",
            at: play.said.len(),
            picture,
            turn: table.actor().seat().map(Seat::index),
            mine,
            asks: if mine {
                table.asks(from).into_iter().map(|ask| language.say(ask).to_owned()).collect()
            } else {
                Vec::new()
            },
            offers: offered(offers, language),
            players: players(room, &play, viewer, visit),
            waits,
            motion: motion(&play, if onlooks { ONLOOKERS } else { from.index() }),
            log,
            from: 0,
            result: result(room, &play, viewer, visit),
            lines: thoughts_open,
            can_take_back: taking_back,
            can_resign: viewer != Viewer::Onlooker && !over,
            hints: room.opening.gives_hints(),
            thought: thought.cloned().map(|thought| thought.speaking(language)),
            believes: Believes::of(&play.aside.beliefs, room.opening.people() > 0, language)
                .filter(|_| thoughts_open),
            judge: play.aside.to_judge.filter(|_| viewer != Viewer::Onlooker).map(|at| {
                let action = table.actions().get(at).cloned().unwrap_or_default();
                let says = play.said[at][from.index()]
                    .as_ref()
                    .map_or_else(|| action.clone(), |says| said(says, &action, language));
                ToJudge { at, action, question: says }
            }),
            invitations: invitations(room, &play, viewer, language),
            rematch: rematch(&play, viewer, language),
            trouble: play.troubled.then(|| language.say(NOT_KEPT).to_owned()),
        }
    }
}

impl Seen {
    /// The same for who keeps the lines of the log that were sent before, as long as they still hold: some are taken
    /// back, and some are told anew after the end.
    pub(crate) fn since(mut self, sent: &mut Vec<Line>) -> Seen {
        self.from = sent.iter().zip(&self.log).take_while(|(before, now)| before == now).count();
        sent.truncate(self.from);
        self.log.drain(..self.from);
        sent.extend_from_slice(&self.log);
        self
    }
}

impl SeenThought {
    /// A thought of an agent at `seat`, which was offered these actions of a game.
    pub(crate) fn of(
        (at, seat): (usize, Seat),
        (game, agent): (&str, &str),
        thought: &Thought<String>,
        offers: &[Offer],
    ) -> SeenThought {
        let listed = listed(thought);
        let chances = ranka_games::chances(game, agent, thought)
            .map(|chances| listed.iter().map(|&number| chances[number]).collect());
        let thought = Thought {
            candidates: listed.iter().map(|&number| thought.candidates[number].clone()).collect(),
            ..thought.clone()
        };
        let offer =
            |candidate: &Candidate<String>| offers.iter().find(|offer| offer.action == candidate.action);
        let path = |candidate| offer(candidate).map_or_else(Vec::new, |offer| offer.clicks.clone());
        let told = |candidate| {
            let message = offer(candidate).map(|offer| offer.message.clone()).unwrap_or_default();
            (message.pattern.to_owned(), message.words)
        };
        SeenThought {
            at,
            seat: seat.index(),
            paths: thought.candidates.iter().map(path).collect(),
            told: thought.candidates.iter().map(told).collect(),
            says: Vec::new(),
            thought: serde_json::to_value(&thought)
                .ok()
                .and_then(|told| told.as_object().cloned())
                .unwrap_or_default(),
            chances,
        }
    }

    /// The same as it is sent to who reads this language.
    pub(crate) fn speaking(mut self, language: Language) -> SeenThought {
        let say = |(pattern, words): (String, Vec<String>)| {
            let words = words.iter().map(|word| language.say(word).to_owned()).collect();
            Message { pattern: "", words }.by(language.say(&pattern))
        };
        self.says = std::mem::take(&mut self.told).into_iter().map(say).collect();
        self
    }
}

/// The candidates that a page lists: what was chosen, and the best of the others. Hundreds would be too many to read and
/// to send.
fn listed(thought: &Thought<String>) -> Vec<usize> {
    let candidates = &thought.candidates;
    let mut listed: Vec<usize> = (0..candidates.len()).collect();
    listed.sort_by(|&a, &b| {
        let chosen = |number: usize| candidates[number].action == thought.choice;
        chosen(b).cmp(&chosen(a)).then(candidates[b].value.total_cmp(&candidates[a].value))
    });
    listed.truncate(LISTED);
    listed.sort_unstable();
    listed
}

/// What is offered, in the reader's language.
pub(crate) fn offered(offers: Vec<Offer>, language: Language) -> Vec<SeenOffer> {
    let mark = |(id, text): (String, String)| (id, language.say(&text).to_owned());
    let seen = |offer: Offer| SeenOffer {
        says: said(&offer.message, &offer.action, language),
        action: offer.action,
        path: offer.clicks,
        marks: offer.marks.into_iter().map(mark).collect(),
    };
    offers.into_iter().map(seen).collect()
}

/// A sentence, or the action's notation where that says enough.
pub(crate) fn said(message: &Message, action: &str, language: Language) -> String {
    if message.pattern.is_empty() { action.to_owned() } else { language.tell(message) }
}

/// Why a game ended, if not by its rules, and by whose fault.
pub(crate) fn ended(reason: EndReason, blamed: &str, language: Language) -> String {
    let english = match reason {
        EndReason::Rules => return String::new(),
        EndReason::PlyCap => "after as many actions as were allowed",
        EndReason::Illegal => "{0} chose an illegal action",
        EndReason::Crash => "{0} broke down",
        EndReason::Timeout => "on time",
        EndReason::Disconnected => "{0} has left",
        EndReason::Protocol => "{0} gave an answer that makes no sense",
        EndReason::Resigned => "by resignation",
        EndReason::Cancelled => "it was broken off",
    };
    language.literal_fill(english, [blamed])
}

/// What a seat has heard; after the end, what happened.
fn heard(table: &dyn TableTruth, seat: Seat, over: bool) -> Vec<(Option<Seat>, Option<String>)> {
    let heard = table.heard(seat, 0);
    if !over {
        return heard;
    }
    heard.into_iter().zip(table.actions()).map(|((by, _), action)| (by, Some(action))).collect()
}

/// What was heard by who is at `place` in the lists of what was said.
fn lines(
    play: &Play,
    heard: Vec<(Option<Seat>, Option<String>)>,
    place: usize,
    language: Language,
) -> Vec<Line> {
    let over = play.table.result().is_some();
    let line = |((by, action), told): ((Option<Seat>, Option<String>), &Vec<Option<Message>>)| {
        let by = by.map(Seat::index);
        let Some(action) = action else {
            return Line { by, action: String::new(), says: language.say("chooses in secret").to_owned() };
        };
        let says = match by {
            None => said(&play.table.chance_message(&action), &action, language),
            // What was hidden is told after the end, in the words of whoever did it.
            Some(actor) => {
                let told = told[place].as_ref().or(told[actor].as_ref().filter(|_| over));
                told.map_or_else(|| action.clone(), |says| said(says, &action, language))
            }
        };
        Line { by, action, says }
    };
    heard.into_iter().zip(&play.said).map(line).collect()
}

/// The last actions as who is at `place` saw them happen.
fn motion(play: &Play, place: usize) -> Vec<Moved> {
    let first = play.said.len() + 1 - play.moved.len();
    let moved = play.moved.iter().enumerate();
    moved.map(|(number, steps)| Moved { at: first + number, steps: steps[place].clone() }).collect()
}

/// Why the game ended, in which whatever the game calls a seat stands beside who sat there.
fn verdict(room: &Room, play: &Play, viewer: Viewer, visit: Visit) -> String {
    let language = visit.language;
    let mut message = match viewer {
        Viewer::Onlooker => play.table.verdict_for_all(),
        Viewer::Seat(_) => play.table.verdict(viewer.side()),
    };
    let names = names(room, play, viewer, visit);
    for (number, name) in names.iter().enumerate() {
        let side = play.table.side(Seat::new(number));
        for word in message.words.iter_mut().filter(|word| !side.is_empty() && **word == side) {
            *word = format!("{name} ({})", language.say(&side));
        }
    }
    language.tell(&message)
}

/// What the page of a viewer calls whoever sits at each seat.
pub(crate) fn names(room: &Room, play: &Play, viewer: Viewer, visit: Visit) -> Vec<String> {
    players(room, play, viewer, visit).into_iter().map(|player| player.name).collect()
}

fn players(room: &Room, play: &Play, viewer: Viewer, visit: Visit) -> Vec<Player> {
    let language = visit.language;
    let people = room.opening.people();
    let from = viewer.side();
    let player = |(number, sitter): (usize, &Sitter)| {
        let seat = Seat::new(number);
        let you = viewer == Viewer::Seat(seat);
        let name = match sitter {
            Sitter::Agent(spec) => room.opening.agent_name(number, spec, visit),
            _ if you => language.say("You").to_owned(),
            _ if play.aside.names.contains_key(&number) => play.aside.names[&number].clone(),
            _ if people == 1 => language.say("Person").to_owned(),
            Sitter::Invited(_) if !play.aside.taken.contains_key(&number) => {
                language.fill("Seat {0} is still free", [&(number + 1).to_string()])
            }
            _ => language.fill("Person at seat {0}", [&(number + 1).to_string()]),
        };
        let agent = matches!(sitter, Sitter::Agent(_));
        let thinks = agent && play.thinks() && play.table.actor() == Actor::Seat(seat);
        let colour = play.table.colour(from, seat);
        let about = match sitter {
            Sitter::Agent(spec) => visit.policy().shown_agent(&room.opening.game, spec),
            _ => String::new(),
        };
        let side = language.say(&play.table.side(seat)).to_owned();
        let left = play.time_left(&room.opening, seat);
        let (left, runs) =
            (left.map(|(left, _)| left.as_millis() as u64), left.is_some_and(|(_, runs)| runs));
        Player { seat: number, name, side, about, colour, agent, you, thinks, left, runs }
    };
    room.opening.seats.iter().enumerate().map(player).collect()
}

/// Only who has a seat without having been invited gives invitations.
fn invitations(room: &Room, play: &Play, viewer: Viewer, language: Language) -> Vec<Invitation> {
    let Viewer::Seat(own) = viewer else { return Vec::new() };
    if !matches!(room.opening.seats[own.index()], Sitter::Person(_)) {
        return Vec::new();
    }
    let invitation = |(seat, sitter): (usize, &Sitter)| {
        let Sitter::Invited(token) = sitter else { return None };
        let number = (seat + 1).to_string();
        Some(if play.aside.taken.contains_key(&seat) {
            Invitation { says: language.fill("Seat {0} is taken", [&number]), link: None }
        } else {
            let says = language.fill("Invitation to seat {0}", [&number]);
            Invitation { says, link: Some(format!("/join/{}/{token}", room.id)) }
        })
    };
    room.opening.seats.iter().enumerate().filter_map(invitation).collect()
}

/// Each is led to the own seat, and who only watches to none.
fn rematch(play: &Play, viewer: Viewer, language: Language) -> Option<SeenRematch> {
    let rematch = play.aside.rematch.as_ref()?;
    let next = language.say("To the next game").to_owned();
    Some(match viewer {
        Viewer::Onlooker => SeenRematch { says: next, link: format!("/t/{}", rematch.table) },
        Viewer::Seat(seat) => {
            let asked = rematch.by != Some(seat.index());
            let says =
                if asked { language.say("You are asked to play again: sit down").to_owned() } else { next };
            SeenRematch { says, link: rematch.links.get(seat.index())?.clone() }
        }
    })
}

/// For whom everybody else waits.
fn waits(room: &Room, play: &Play, viewer: Viewer, onlooks: bool, visit: Visit) -> String {
    let language = visit.language;
    let Some(seat) = play.table.actor().seat() else { return String::new() };
    if viewer == Viewer::Seat(seat) {
        return String::new();
    }
    let waiting = match &room.opening.seats[seat.index()] {
        Sitter::Agent(spec) => {
            language.fill("{0} is thinking…", [&room.opening.agent_name(seat.index(), spec, visit)])
        }
        _ if play.aside.names.contains_key(&seat.index()) => {
            language.fill("Waiting for {0}", [&play.aside.names[&seat.index()]])
        }
        _ => language.fill("Waiting for the person at seat {0}", [&(seat.index() + 1).to_string()]),
    };
    if !onlooks || room.game.open_information() {
        return waiting;
    }
    let hidden = language.say("What is hidden from the players is shown to onlookers after the end.");
    format!("{waiting} · {hidden}")
}

pub(crate) fn result(room: &Room, play: &Play, viewer: Viewer, visit: Visit) -> Option<SeenResult> {
    let language = visit.language;
    let (scores, reason) = play.table.result()?;
    let winners: Vec<usize> = (0..scores.len()).filter(|&seat| scores[seat] >= 1.0).collect();
    let name = |seat: usize| match &room.opening.seats[seat] {
        Sitter::Agent(spec) => room.opening.agent_name(seat, spec, visit),
        _ if play.aside.names.contains_key(&seat) => play.aside.names[&seat].clone(),
        _ if room.opening.people() == 1 => language.say("Person").to_owned(),
        _ => language.fill("Person at seat {0}", [&(seat + 1).to_string()]),
    };
    let text = match (viewer, winners.first()) {
        (Viewer::Seat(seat), _) if scores[seat.index()] >= 1.0 => language.say("You win").to_owned(),
        (Viewer::Seat(seat), _) if scores[seat.index()] <= 0.0 => language.say("You lose").to_owned(),
        (_, Some(&winner)) => language.fill("{0} wins", [&name(winner)]),
        (_, None) => language.say("A draw").to_owned(),
    };
    let ending = play.ending.as_ref();
    let blamed = ending.and_then(|ending| ending.seat).map(|seat| name(seat.index())).unwrap_or_default();
    let reason = match EndReason::named(reason) {
        None | Some(EndReason::Rules) => verdict(room, play, viewer, visit),
        Some(reason) => ended(reason, &blamed, language),
    };
    let won = match viewer {
        Viewer::Seat(seat) if scores[seat.index()] >= 1.0 => Some(true),
        Viewer::Seat(seat) if scores[seat.index()] <= 0.0 => Some(false),
        _ => None,
    };
    // What a broken agent or its program has to say may tell of this machine, so it is for those who sit at it.
    let detail = ending.filter(|_| visit.trusted).and_then(|ending| ending.detail.clone());
    Some(SeenResult { scores, text, won, reason, detail })
}
