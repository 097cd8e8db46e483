//! Veil, a toy with all that is hard: hidden cards, hidden actions, chance, a seat that acts twice, an
//! unlisted action. It exists to test the battery, so it can be played with one flaw of your choice.
//!
//! Each of 2 or 3 seats is dealt a card from 1 to 5 and secretly marks it (`+0` to `+2`). Then, twice: chance
//! flips a coin, heads (`H`) with probability ⅔, and each seat in turn passes (`p`), or bets (`b`) and at
//! once shows its card (`s`) or hides it (`h`). Whoever has shown can bet no more. Instead of hiding one may
//! concede (`c`), which ends the game but is nothing that a random player should do. Each bet is worth card
//! and mark on heads, and as much below zero on tails. The end reveals everything.
//!
//! A state is the cards and all actions so far, `35/+1,+0,H,b,s,p`; a view has `?` for what is hidden.

mod encoding;

use ranka_core::{
    Actor, Agent, AgentKind, Bench, Candidate, Error, Fault, Foresight, Game, GameInfo, Keyed, Lesson,
    Lessons, Look, Maker, Measured, Message, Motion, Notation, NotationError, Outcome, Param, Params,
    Picture, Position, Proof, Puzzles, Rng, Roster, RuleStep, Scanner, Seat, Seed, Speed, Step, Svg,
    Thinking, Thought, View,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is wrong with the game; the first is nothing.
pub(crate) const FLAWS: &[&str] = &[
    "none",
    "probabilities",
    "loaded-coin",
    "illegal-listed",
    "biased-random",
    "short-playout",
    "lost-mark",
    "reader-panics",
    "leak-picture",
    "leak-foresight",
    "leak-motion",
    "leak-view",
    "leak-onlooker",
    "leak-agent",
    "leak-told",
    "moody-told",
    "wrong-sample",
    "biased-sample",
    "missing-world",
    "prefix-clicks",
    "twice-id",
    "broken-svg",
    "twice-piece",
    "mark-nowhere",
    "moves-nothing",
    "word-missing",
    "asks-nothing",
    "stale-array",
    "same-number",
    "leak-encoding",
    "forbids-truth",
    "bad-key",
    "shared-copy",
    "endless",
    "keeps-stream",
    "bad-candidates",
];

const ROUNDS: usize = 2;
const CARDS: u8 = 5;

#[derive(Clone, Debug)]
pub(crate) struct Veil {
    seats: usize,
    flaw: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Act {
    Mark(u8),
    Heads,
    Tails,
    Pass,
    Bet,
    Show,
    Hide,
    Concede,
}

use Act::{Bet, Concede, Heads, Hide, Mark, Pass, Show, Tails};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Truth {
    cards: Vec<u8>,
    log: Vec<Act>,
    flaw: &'static str,
    tally: Tally,
}

/// A count that copies share, as a careless cache might be. Nobody counts in the sound game.
#[derive(Clone, Default, Debug)]
struct Tally(Arc<AtomicU32>);

impl Tally {
    fn value(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Tally {
    fn eq(&self, other: &Tally) -> bool {
        self.value() == other.value()
    }
}

impl Eq for Tally {}

impl Hash for Tally {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.value().hash(hasher);
    }
}

/// Who acts next, and who began to bet just now.
struct Turn {
    actor: Actor,
    betting: bool,
}

impl Truth {
    pub(crate) fn cards(&self) -> &[u8] {
        &self.cards
    }

    fn turn(&self) -> Turn {
        let seats = self.cards.len();
        let turn = |actor, betting| Turn { actor, betting };
        if self.log.last() == Some(&Concede) {
            return turn(Actor::Over, false);
        }
        if self.log.len() < seats {
            return turn(Actor::Seat(Seat::new(self.log.len())), false);
        }
        let mut log = self.log[seats..].iter().peekable();
        for _ in 0..ROUNDS {
            if log.next().is_none() {
                return turn(Actor::Chance, false);
            }
            for seat in Seat::all(seats) {
                match log.next() {
                    None => return turn(Actor::Seat(seat), false),
                    Some(Bet) if log.next().is_none() => return turn(Actor::Seat(seat), true),
                    _ => {}
                }
            }
        }
        let endless = self.flaw == "endless";
        turn(if endless { Actor::Chance } else { Actor::Over }, false)
    }

    /// The actions after the marks, each with the seat that took it.
    fn by_seat(&self) -> impl Iterator<Item = (Option<Seat>, Act)> {
        let mut seat = 0;
        self.log.iter().skip(self.cards.len()).map(move |&act| {
            if matches!(act, Heads | Tails) {
                seat = 0;
                return (None, act);
            }
            let by = Seat::new(seat);
            seat += usize::from(act != Bet);
            (Some(by), act)
        })
    }

    fn has_shown(&self, seat: Seat) -> bool {
        self.by_seat().any(|entry| entry == (Some(seat), Show))
    }

    fn points(&self) -> Vec<i32> {
        let mut points = vec![0; self.cards.len()];
        let mut heads = true;
        for (by, act) in self.by_seat() {
            match (by, act, self.log.get(by.map_or(0, Seat::index))) {
                (None, coin, _) => heads = coin == Heads,
                (Some(seat), Bet, Some(&Mark(mark))) => {
                    let stake = i32::from(self.cards[seat.index()] + mark);
                    points[seat.index()] += if heads { stake } else { -stake };
                }
                (Some(seat), Concede, _) => points[seat.index()] = i32::MIN,
                _ => {}
            }
        }
        points
    }
}

impl Position for Truth {
    type Action = Act;

    fn seats(&self) -> usize {
        self.cards.len()
    }

    fn actor(&self) -> Actor {
        self.turn().actor
    }

    fn actions(&self, out: &mut Vec<Act>) {
        match self.turn() {
            Turn { actor: Actor::Over, .. } => {}
            Turn { actor: Actor::Chance, .. } => out.extend([Heads, Tails]),
            Turn { betting: true, .. } => out.extend([Show, Hide]),
            _ if self.log.len() < self.cards.len() => out.extend((0..=2).map(Mark)),
            Turn { actor: Actor::Seat(seat), .. } => {
                out.push(Pass);
                if self.flaw == "illegal-listed" || !self.has_shown(seat) {
                    out.push(Bet);
                }
            }
        }
    }

    fn unlisted(&self, out: &mut Vec<Act>) {
        if self.turn().betting {
            out.push(Concede);
        }
    }

    fn is_legal(&self, action: Act) -> bool {
        let mut legal = Vec::new();
        self.actions(&mut legal);
        self.unlisted(&mut legal);
        let refused = action == Bet && self.actor().seat().is_some_and(|seat| self.has_shown(seat));
        legal.contains(&action) && !refused
    }

    fn apply(&mut self, action: Act) {
        self.log.push(action);
        self.tally.0.fetch_add(u32::from(self.flaw == "shared-copy"), Ordering::Relaxed);
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&self.points())
    }

    fn probability(&self, action: Act) -> f64 {
        match (action, self.flaw) {
            (Heads, _) => 2.0 / 3.0,
            (_, "probabilities") => 0.3,
            _ => 1.0 / 3.0,
        }
    }

    fn draw(&self, rng: &mut Rng) -> Act {
        let heads = if self.flaw == "loaded-coin" { 0.5 } else { 2.0 / 3.0 };
        if rng.chance(heads) { Heads } else { Tails }
    }

    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Act>) -> Act {
        scratch.clear();
        self.actions(scratch);
        if self.flaw == "biased-random" && rng.chance(0.3) {
            return scratch[0];
        }
        rng.pick(scratch)
    }

    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<Act>) -> u32 {
        let mut plies = 0;
        while !self.actor().is_over() {
            let chance = self.actor() == Actor::Chance;
            let action = if chance { self.draw(rng) } else { self.random_action(rng, scratch) };
            self.apply(action);
            plies += 1;
        }
        if self.flaw == "short-playout" { plies - 1 } else { plies }
    }
}

impl Keyed for Truth {
    fn key(&self) -> u64 {
        let forgotten = if self.flaw == "bad-key" { 1 } else { 0 };
        let acts = self.log.iter().skip(forgotten).map(|act| word(*act)).collect::<String>();
        let mut key = Seed::new(self.log.len() as u64).child(&acts);
        for &card in &self.cards {
            key = key.at(card.into());
        }
        key.value()
    }
}

/// What a seat knows. `peek` should not be there: only the leaks look at it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Seen {
    seat: Seat,
    cards: Vec<Option<u8>>,
    log: Vec<Option<Act>>,
    flaw: &'static str,
    peek: Peek,
}

/// Smuggled past equality and `Debug`.
#[derive(Clone)]
struct Peek(Vec<u8>);

impl PartialEq for Peek {
    fn eq(&self, _: &Peek) -> bool {
        true
    }
}

impl Eq for Peek {}

impl Hash for Peek {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Peek {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Peek")
    }
}

impl Seen {
    /// The state with the hidden things filled in, one after the other, by `card` and `mark`.
    fn filled(&self, mut card: impl FnMut(&[u8]) -> u8, mut mark: impl FnMut() -> u8) -> Truth {
        let mut free: Vec<u8> = (1..=CARDS).filter(|&card| !self.cards.contains(&Some(card))).collect();
        let mut take = || {
            let card = card(&free);
            free.retain(|&other| other != card);
            card
        };
        Truth {
            cards: self.cards.iter().map(|card| card.unwrap_or_else(&mut take)).collect(),
            log: self.log.iter().map(|act| act.unwrap_or_else(|| Mark(mark()))).collect(),
            flaw: self.flaw,
            tally: Tally::default(),
        }
    }

    /// Who acts and what can be done does not depend on what is hidden.
    fn any(&self) -> Truth {
        self.filled(|free| free[0], || 0)
    }
}

impl View for Seen {
    type State = Truth;

    fn turn(&self) -> Actor {
        self.any().actor()
    }

    fn choices(&self, out: &mut Vec<Act>) {
        if self.turn() == Actor::Seat(self.seat) {
            self.any().actions(out);
        }
    }

    fn sample(&self, rng: &mut Rng) -> Truth {
        let mut marks = Rng::new(Seed::new(rng.bits()));
        let biased = self.flaw == "biased-sample";
        let mut truth = self.filled(
            |free| if biased && rng.chance(0.2) { free[0] } else { rng.pick(free) },
            || marks.below(3) as u8,
        );
        if self.flaw == "wrong-sample" {
            truth.cards.rotate_left(1);
        }
        truth
    }

    fn worlds(&self) -> Option<Vec<Truth>> {
        let mut worlds = vec![self.any()];
        for (i, _) in self.cards.iter().enumerate().filter(|(_, card)| card.is_none()) {
            worlds = each(&worlds, 1..=CARDS, |world, card| world.cards[i] = card);
        }
        // A card that is known or was given to another seat is not free.
        worlds.retain(|world| {
            let mut cards = world.cards.clone();
            cards.sort();
            cards.dedup();
            cards.len() == world.cards.len()
        });
        for (i, _) in self.log.iter().enumerate().filter(|(_, act)| act.is_none()) {
            worlds = each(&worlds, 0..=2, |world, mark| world.log[i] = Mark(mark));
        }
        if self.flaw == "missing-world" {
            worlds.retain(|world| world.cards != self.peek.0);
        }
        Some(worlds)
    }
}

fn each(
    worlds: &[Truth],
    values: impl Iterator<Item = u8> + Clone,
    set: impl Fn(&mut Truth, u8),
) -> Vec<Truth> {
    let with = |(world, value): (&Truth, u8)| {
        let mut world = world.clone();
        set(&mut world, value);
        world
    };
    worlds.iter().flat_map(|world| values.clone().map(move |value| (world, value))).map(with).collect()
}

impl Game for Veil {
    type Action = Act;
    type State = Truth;
    type View = Seen;

    const INFO: GameInfo = GameInfo {
        name: "veil",
        title: "Veil",
        japanese: "帳",
        summary: "a toy that tests the battery",
        how: "as the tests like it",
        seats: (2, 3),
        minutes: 1,
        sparring: "random",
        adaptive: None,
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![
            Param::int("seats", 2, 3, "2", "how many play"),
            Param::choice("flaw", FLAWS, "what is wrong with the game"),
        ]
    }

    fn new(options: &Params) -> Result<Veil, Error> {
        let flaw = FLAWS.iter().find(|&&flaw| flaw == options.text("flaw"));
        Ok(Veil { seats: options.int("seats") as usize, flaw: flaw.expect("a declared choice") })
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn start(&self, deal: &mut Rng) -> Truth {
        let mut deck: Vec<u8> = (1..=CARDS).collect();
        deal.shuffle(&mut deck);
        deck.truncate(self.seats);
        Truth { cards: deck, log: Vec::new(), flaw: self.flaw, tally: Tally::default() }
    }

    fn view(&self, state: &Truth, seat: Seat) -> Seen {
        let over = state.actor().is_over();
        let known = |other: Seat| over || other == seat || state.has_shown(other);
        let card = |(&card, other)| known(other).then_some(card);
        let hidden = |i: usize| i < self.seats && !over && i != seat.index();
        let seats = Seat::all(self.seats);
        Seen {
            seat,
            cards: state.cards.iter().zip(seats).map(card).collect(),
            log: state.log.iter().enumerate().map(|(i, &act)| (!hidden(i)).then_some(act)).collect(),
            flaw: self.flaw,
            peek: Peek(state.cards.clone()),
        }
    }

    fn onlooker(&self, state: &Truth) -> Option<Seen> {
        (self.flaw == "leak-onlooker").then(|| self.view(state, Seat::FIRST))
    }

    fn seen(&self, state: &Truth, action: Act, seat: Seat) -> Option<Act> {
        let secret = matches!(action, Mark(_)) && state.actor() != Actor::Seat(seat);
        let moody = self.flaw == "moody-told" && action == Pass && state.cards[0] % 2 == 1;
        (!(secret || moody) || self.flaw == "leak-told").then_some(action)
    }
}

fn word(act: Act) -> String {
    match act {
        Mark(mark) => format!("+{mark}"),
        Heads => "H".into(),
        Tails => "T".into(),
        Pass => "p".into(),
        Bet => "b".into(),
        Show => "s".into(),
        Hide => "h".into(),
        Concede => "c".into(),
    }
}

fn read_word(scan: &mut Scanner<'_>) -> Result<Act, NotationError> {
    if scan.accept("+") {
        return Ok(Mark(scan.number("a mark", 0, 2)? as u8));
    }
    let all = [Heads, Tails, Pass, Bet, Show, Hide, Concede];
    let found = all.into_iter().find(|&act| scan.accept(&word(act)));
    found.ok_or_else(|| scan.error("expected an action"))
}

impl Veil {
    /// Reads cards and actions; `?` stands for what is hidden, if `hidden` allows it.
    fn read(&self, text: &str, hidden: bool) -> Result<(Vec<Option<u8>>, Vec<Option<Act>>), NotationError> {
        let mut scan = Scanner::new(text);
        let (mut cards, mut log) = (Vec::new(), Vec::new());
        for _ in 0..self.seats {
            let place = scan.place();
            let card = match scan.peek() {
                Some('?') if hidden => None,
                Some(c @ '1'..='5') => Some(c as u8 - b'0'),
                _ => return Err(scan.error("expected a card, 1 to 5")),
            };
            scan.accept(&text[place..place + 1]);
            if card.is_some() && cards.contains(&card) {
                return Err(scan.error_at(place, "this card was dealt already"));
            }
            cards.push(card);
        }
        scan.expect("/")?;
        if self.flaw == "reader-panics" && scan.peek() == Some('9') {
            panic!("nobody expects a nine");
        }
        let mut state =
            Truth { cards: vec![0; self.seats], log: Vec::new(), flaw: self.flaw, tally: Tally::default() };
        while !scan.rest().is_empty() {
            if !log.is_empty() {
                scan.expect(",")?;
            }
            let place = scan.place();
            let act = if hidden && scan.accept("?") { None } else { Some(read_word(&mut scan)?) };
            if !state.is_legal(act.unwrap_or(Mark(0))) {
                return Err(scan.error_at(place, "this action is not legal here"));
            }
            state.apply(act.unwrap_or(Mark(0)));
            log.push(act);
        }
        Ok((cards, log))
    }
}

impl Notation for Veil {
    fn write_state(&self, state: &Truth) -> String {
        let lost = |act| if self.flaw == "lost-mark" && act == Mark(2) { Mark(1) } else { act };
        let cards: String = state.cards.iter().map(u8::to_string).collect();
        let log: Vec<String> = state.log.iter().map(|&act| word(lost(act))).collect();
        format!("{cards}/{}", log.join(","))
    }

    fn read_state(&self, text: &str) -> Result<Truth, NotationError> {
        let (cards, log) = self.read(text, false)?;
        let (cards, log) = (cards.into_iter().flatten().collect(), log.into_iter().flatten().collect());
        Ok(Truth { cards, log, flaw: self.flaw, tally: Tally::default() })
    }

    fn write_view(&self, view: &Seen, _seat: Seat) -> String {
        let card = |(&card, peek): (&Option<u8>, &u8)| match card {
            Some(card) => card.to_string(),
            // A leak that reads back: a space for every odd card.
            None if self.flaw == "leak-view" && peek % 2 == 1 => "?".to_owned() + " ",
            None => "?".to_owned(),
        };
        let cards: String = view.cards.iter().zip(&view.peek.0).map(card).collect();
        let log: Vec<String> = view.log.iter().map(|act| act.map_or("?".to_owned(), word)).collect();
        format!("{cards}/{}", log.join(","))
    }

    fn read_view(&self, text: &str, seat: Seat) -> Result<Seen, NotationError> {
        let text = if self.flaw == "leak-view" { text.replace(' ', "") } else { text.to_owned() };
        let (cards, log) = self.read(&text, true)?;
        let seen = Seen { seat, cards, log, flaw: self.flaw, peek: Peek(vec![1; self.seats]) };
        // What is hidden must be exactly what this seat may not know.
        if self.view(&seen.any(), seat) != seen {
            return Err(Scanner::new(&text).error(format!("this is not what {seat:?} sees")));
        }
        Ok(seen)
    }

    fn write_action(&self, action: Act) -> String {
        word(action)
    }

    fn read_action(&self, text: &str) -> Result<Act, NotationError> {
        let mut scan = Scanner::new(text);
        let act = read_word(&mut scan)?;
        scan.end()?;
        Ok(act)
    }
}

impl Picture for Veil {
    fn picture(&self, view: &Seen, _look: &Look, last: Option<(Seat, Act)>) -> String {
        let peek = view.peek.0.iter().map(u8::to_string).collect::<String>();
        let last = last.map_or("nothing".to_owned(), |(_, act)| word(act));
        let told = if self.flaw == "leak-picture" { peek } else { format!("after {last}") };
        let mut svg = Svg::new(100.0, 20.0, "Veil", &told);
        for (i, card) in view.cards.iter().enumerate() {
            let id = if self.flaw == "twice-id" { 0 } else { i };
            let piece = if self.flaw == "twice-piece" { 0 } else { i };
            svg.group(&format!("id=\"card{id}\" data-piece=\"card{piece}\""));
            svg.text(10.0 * i as f64, 10.0, 8.0, "", &card.map_or("?".to_owned(), |c| c.to_string())).close();
        }
        for act in [Mark(0), Mark(1), Mark(2), Pass, Bet, Show, Hide] {
            svg.rect(0.0, 15.0, 5.0, 5.0, 1.0, &format!("id=\"{}\"", word(act)));
        }
        let out = svg.finish();
        if self.flaw == "broken-svg" { out.replace("</g>", "") } else { out }
    }

    fn clicks(&self, view: &Seen, action: Act) -> Vec<String> {
        let button = word(if self.flaw == "prefix-clicks" { Pass } else { action });
        let mut path = vec![format!("card{}", view.seat), button];
        if self.flaw == "prefix-clicks" && action == Bet {
            path.push("card1".to_owned());
        }
        path
    }

    fn sketch(&self, view: &Seen, viewer: Seat) -> String {
        self.write_view(view, viewer)
    }

    fn ask(&self, _view: &Seen, touched: usize) -> &'static str {
        match touched {
            0 => "Touch your card",
            _ if self.flaw == "asks-nothing" => "",
            _ => "Choose",
        }
    }

    fn foresee(&self, view: &Seen, action: Act) -> Foresight {
        let mut words = vec![word(action), view.seat.to_string()];
        match self.flaw {
            "leak-foresight" => words[1] = format!("{:?}", view.peek.0),
            "word-missing" => words.truncate(1),
            _ => {}
        }
        let at = if self.flaw == "mark-nowhere" { "card9" } else { "card0" };
        Foresight {
            message: Message::new("{0} is heard by {1}", words),
            marks: vec![(at.to_owned(), word(action))],
        }
    }
}

impl Lessons for Veil {
    fn rule_steps() -> Vec<RuleStep> {
        let step = |text| RuleStep::shown(text, "35/", &[("card0", "!")]);
        vec![step("Mark your card"), step("Bet or pass"), RuleStep::words("High cards win")]
    }

    fn lessons() -> Vec<Lesson<Veil>> {
        let lesson = |task, is_done: fn(&Truth, &Truth) -> bool| Lesson {
            task,
            praise: "Well done",
            advice: "Look again",
            rules: "",
            position: "35/",
            within: 1,
            is_done,
        };
        vec![
            lesson("Mark with two", |_, after| after.log.last() == Some(&Mark(2))),
            lesson("Mark with one", |_, after| after.log.last() == Some(&Mark(1))),
            lesson("Do something", |_, _| true),
        ]
    }
}

impl Puzzles for Veil {
    const TASK: &'static str = "Mark with two";
    const PUZZLES: &'static str = "";

    fn prove(&self, state: &Truth, _: u64) -> Option<Proof<Act>> {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let right = vec![Mark(2)];
        let says = Message::new("Two is what was asked for", [0; 0]);
        actions.contains(&Mark(2)).then(|| Proof { line: right.clone(), right, says, nodes: 1 })
    }
}

impl Motion for Veil {
    fn motion(&self, view: &Seen, action: Act) -> Vec<Step> {
        let text = if self.flaw == "leak-motion" { format!("{:?}", view.peek.0) } else { word(action) };
        let piece = if self.flaw == "moves-nothing" { "card9" } else { "card0" };
        let walk = Step::Walk { piece: piece.to_owned(), over: vec!["card1".to_owned()] };
        vec![walk, Step::Tell { at: "card0".to_owned(), text }]
    }
}

/// Likes to bet on high cards; with the flaws it also peeks, keeps its random stream, or forgets its manners.
struct Gambler {
    flaw: &'static str,
    stream: Rng,
}

impl Agent<Veil> for Gambler {
    fn think(&mut self, view: &Seen, thinking: &mut Thinking<'_, Act>) -> Result<Thought<Act>, Fault> {
        let mut choices = Vec::new();
        view.choices(&mut choices);
        let own = view.cards[view.seat.index()].unwrap_or(0);
        let peek = if self.flaw == "leak-agent" { view.peek.0.iter().sum() } else { 0 };
        let mut candidates = Vec::new();
        for action in choices {
            let own = if action == Bet { f64::from(own) } else { 2.5 };
            let noise =
                thinking.rng.unit() + if self.flaw == "keeps-stream" { self.stream.unit() } else { 0.0 };
            candidates.push(Candidate::valued(action, own + noise + f64::from(peek)));
        }
        let best = candidates.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let choice = best.expect("called when there is a choice").action;
        if self.flaw == "bad-candidates" {
            candidates.reverse();
        }
        Ok(Thought { candidates, nodes: 1, depth: 1, ..Thought::plain(choice) })
    }
}

impl Roster for Veil {
    fn agents() -> Vec<AgentKind<Veil>> {
        let build = |game: &Veil, _: &Params| {
            let flaw = game.flaw;
            let maker: Arc<dyn Maker<Veil>> =
                Arc::new(move |_, seed| Gambler { flaw, stream: Rng::new(seed) });
            Ok(maker)
        };
        vec![AgentKind {
            name: "gambler",
            version: 1,
            summary: "likes high cards",
            params: Vec::new(),
            build,
        }]
    }
}

impl Measured for Veil {}

impl Speed for Veil {
    fn benches() -> Vec<Bench> {
        Vec::new()
    }
}
