//! A game in progress, with its players around it.

use crate::agent::Told;
use crate::guard::{guarded, within};
use crate::record::End;
use crate::{
    Actor, Agent, Effort, EndReason, Fault, Game, MAX_SEATS, Outcome, Played, Position, Rng, Seat, Seed,
    Settings, Thinking, Thought,
};
use std::any::TypeId;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// One game from its start to its end: the truth, what each seat sees of it, and the agents that play.
///
/// The match loop, the terminal and the browser all drive this. A seat without an agent belongs to a person.
pub struct Table<G: Game> {
    game: G,
    start: G::State,
    state: G::State,
    views: Vec<G::View>,
    players: Vec<Option<(Box<dyn Agent<G>>, Seed)>>,
    chance: Seed,
    actions: Vec<G::Action>,
    heard: Vec<(Option<Seat>, [Option<G::Action>; MAX_SEATS])>,
    plies: u32,
    efforts: [Effort; MAX_SEATS],
    end: Option<(End, Outcome)>,
}

impl<G: Game> Table<G> {
    /// A table at `start`; chance draws from `chance`.
    pub fn new(game: G, start: G::State, chance: Seed) -> Table<G> {
        let seats = start.seats();
        let views = Seat::all(seats).map(|seat| game.view(&start, seat)).collect();
        let mut table = Table {
            game,
            state: start.clone(),
            start,
            views,
            players: (0..seats).map(|_| None).collect(),
            chance,
            actions: Vec::new(),
            heard: Vec::new(),
            plies: 0,
            efforts: [Effort::default(); MAX_SEATS],
            end: None,
        };
        table.settle();
        table
    }

    /// Gives `seat` to an agent; its decisions draw from `seed`. An agent that joins late must be told the
    /// history first: rebuild the table from its start instead.
    pub fn sit(&mut self, seat: Seat, agent: Box<dyn Agent<G>>, seed: Seed) {
        self.players[seat.index()] = Some((agent, seed));
    }

    /// The game that is played.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position at which the table began.
    pub fn start(&self) -> &G::State {
        &self.start
    }

    /// The whole truth. Not for agents.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What a seat sees.
    pub fn view(&self, seat: Seat) -> &G::View {
        &self.views[seat.index()]
    }

    /// Every action so far, chance's included.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// The last action of a seat, as `viewer` saw it.
    pub fn last_seen(&self, viewer: Seat) -> Option<(Seat, G::Action)> {
        let (by, seen) = self.heard.iter().rev().find_map(|(by, seen)| Some(((*by)?, seen)))?;
        seen[viewer.index()].map(|action| (by, action))
    }

    /// How many actions the seats have taken.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// What happened, as a seat may see it: who acted (nobody is chance) and, unless hidden, how.
    pub fn heard(&self, seat: Seat) -> impl ExactSizeIterator<Item = (Option<Seat>, Option<G::Action>)> {
        self.heard.iter().map(move |(by, seen)| (*by, seen[seat.index()]))
    }

    /// What happened, as far as all seats have seen it.
    pub fn heard_by_all(&self) -> impl DoubleEndedIterator<Item = (Option<Seat>, Option<G::Action>)> {
        let seats = self.views.len();
        self.heard.iter().map(move |(by, seen)| {
            let seen = &seen[..seats];
            (*by, seen[0].filter(|_| seen.iter().all(|other| *other == seen[0])))
        })
    }

    /// What somebody without a seat may know.
    pub fn onlooker(&self) -> Option<G::View> {
        // Where a view is the state, everybody knows everything.
        let open = || is_open::<G>().then(|| self.view(Seat::FIRST).clone());
        self.game.onlooker(&self.state).or_else(open)
    }

    /// What a seat's agent has spent so far.
    pub fn effort(&self, seat: Seat) -> Effort {
        self.efforts[seat.index()]
    }

    /// Who acts next; nobody once the game has ended for any reason.
    pub fn actor(&self) -> Actor {
        if self.end.is_some() { Actor::Over } else { self.state.actor() }
    }

    /// How it ended, and the scores.
    pub fn end(&self) -> Option<&(End, Outcome)> {
        self.end.as_ref()
    }

    /// Ends the game for a reason outside its rules. `to_blame` loses; without one everybody draws.
    pub fn stop(&mut self, reason: EndReason, to_blame: Option<Seat>, detail: Option<String>) {
        let seats = self.state.seats();
        let outcome = to_blame.map_or(Outcome::draw(seats), |seat| Outcome::loss(seat, seats));
        self.finish(End { reason, seat: to_blame, answer: None, detail }, outcome);
    }

    /// Ends the game because the seat that is to act answered with an action that is not legal, in these words.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn refuse(&mut self, answer: String) {
        let (seat, seats) = (self.actor().seat().expect("a seat answers"), self.state.seats());
        let end = End { reason: EndReason::Illegal, seat: Some(seat), answer: Some(answer), detail: None };
        self.finish(end, Outcome::loss(seat, seats));
    }

    /// What the agent of a seat has to say when all is over, or to a fault of its own.
    pub fn last_words(&mut self, seat: Seat) -> Option<String> {
        let (agent, _) = self.players[seat.index()].as_mut()?;
        guarded(|| agent.last_words()).ok().flatten()
    }

    /// Takes an action for the seat that is to act, if it is legal, and tells everybody.
    pub fn act(&mut self, action: G::Action) -> Result<(), Illegal> {
        let Actor::Seat(seat) = self.actor() else { return Err(Illegal) };
        if !self.state.is_legal(action) {
            return Err(Illegal);
        }
        self.plies += 1;
        self.advance(action, Some(seat));
        Ok(())
    }

    /// Takes another state for the truth, one that looks the same to every seat with an agent. For a table that mirrors a
    /// game elsewhere, whose hidden part comes to light bit by bit; its start and its actions then tell nothing of it.
    pub fn suppose(&mut self, state: G::State) -> Result<(), Illegal> {
        let views: Vec<G::View> = Seat::all(state.seats()).map(|seat| self.game.view(&state, seat)).collect();
        let same = |((old, new), player): ((&G::View, &G::View), &Option<_>)| player.is_none() || old == new;
        if views.len() != self.views.len() || !self.views.iter().zip(&views).zip(&self.players).all(same) {
            return Err(Illegal);
        }
        (self.state, self.views) = (state, views);
        Ok(())
    }

    /// Lets chance act. Its stream depends on how many actions it has taken, on nothing else, so that games
    /// of a pair draw the same.
    ///
    /// # Panics
    /// If chance is not to act.
    pub fn draw(&mut self) {
        assert_eq!(self.actor(), Actor::Chance, "chance acts when it is its turn");
        self.advance(self.next_draw(), None);
    }

    /// What chance, which is to act, does.
    pub(crate) fn next_draw(&self) -> G::Action {
        let drawn = self.actions.len() as u64 - u64::from(self.plies);
        self.state.draw(&mut Rng::new(self.chance.at(drawn)))
    }

    /// Replays a recorded action, whoever it belongs to.
    pub fn replay(&mut self, action: G::Action) -> Result<(), Illegal> {
        match self.actor() {
            Actor::Seat(_) => self.act(action),
            Actor::Chance if self.state.is_legal(action) => {
                self.advance(action, None);
                Ok(())
            }
            _ => Err(Illegal),
        }
    }

    /// Asks the agent of the seat that is to act. A panic inside it is its own fault, not ours.
    ///
    /// # Panics
    /// If no seat is to act, or it has no agent.
    pub fn think(
        &mut self,
        settings: &Settings<'_>,
        report: Option<&mut dyn FnMut(&Thought<G::Action>)>,
    ) -> Result<Thought<G::Action>, Fault> {
        let mut thinker = self.lend().expect("a seat with an agent is to act");
        let answer = thinker.think(settings, report);
        self.welcome(thinker);
        answer
    }

    /// Lends the agent of the seat that is to act, so that it can think while others look at the table. Nothing
    /// may happen at the table before it is [back](Table::welcome), or it misses that.
    pub fn lend(&mut self) -> Option<Thinker<G>> {
        let seat = self.actor().seat()?;
        let (agent, seed) = self.players[seat.index()].take()?;
        let view = self.views[seat.index()].clone();
        Some(Thinker::new(seat, agent, seed, view, self.plies))
    }

    /// Takes a lent agent back.
    pub fn welcome(&mut self, thinker: Thinker<G>) {
        let Thinker { seat, agent, seed, effort, .. } = thinker;
        self.players[seat.index()] = Some((agent, seed));
        self.efforts[seat.index()].decisions += effort.decisions;
        self.efforts[seat.index()].time += effort.time;
    }

    /// The game as it was played, once it has ended.
    ///
    /// # Panics
    /// While the game goes on.
    pub fn into_played(self) -> Played<G> {
        let (end, outcome) = self.end.expect("the game has ended");
        Played {
            start: self.start,
            last: self.state,
            actions: self.actions,
            plies: self.plies,
            end,
            outcome,
            efforts: self.efforts,
        }
    }

    fn advance(&mut self, action: G::Action, by: Option<Seat>) {
        let mut seen = [None; MAX_SEATS];
        for seat in Seat::all(self.views.len()) {
            seen[seat.index()] = self.game.seen(&self.state, action, seat);
        }
        self.state.apply(action);
        self.actions.push(action);
        self.heard.push((by, seen));
        let mut crashed = None;
        for seat in Seat::all(self.views.len()) {
            let after = self.game.view(&self.state, seat);
            if let Some((agent, _)) = &mut self.players[seat.index()] {
                let before = &self.views[seat.index()];
                let told = Told { by, action: seen[seat.index()], before, after: &after };
                if let Err(Fault::Crash(why)) = guarded(|| agent.told(&told)) {
                    crashed = crashed.or(Some((seat, why)));
                }
            }
            self.views[seat.index()] = after;
        }
        self.settle();
        if let Some((seat, why)) = crashed.filter(|_| self.end.is_none()) {
            self.stop(EndReason::Crash, Some(seat), Some(why));
        }
    }

    fn settle(&mut self) {
        if self.end.is_none() && self.state.actor().is_over() {
            self.finish(End::rules(), self.state.outcome());
        }
    }

    /// Tells everybody that it is over, and puts what they have to say to it into the record, first what the one to blame
    /// says: what others say could be mistaken for it.
    fn finish(&mut self, mut end: End, outcome: Outcome) {
        for (agent, _) in self.players.iter_mut().flatten() {
            // The game is over: what breaks now breaks nothing.
            let _ = guarded(|| agent.over(&end, &outcome));
        }
        let to_blame = end.seat;
        let others = Seat::all(self.players.len()).filter(|&seat| to_blame != Some(seat));
        for seat in to_blame.into_iter().chain(others) {
            let Some(words) = self.last_words(seat) else { continue };
            let words = if to_blame == Some(seat) { words } else { format!("seat {seat}: {words}") };
            end.detail = Some(end.detail.map_or(words.clone(), |detail| format!("{detail}\n{words}")));
        }
        self.end = Some((end, outcome));
    }
}

/// Whether nothing is ever hidden from anybody: the view is the state.
pub fn is_open<G: Game>() -> bool {
    TypeId::of::<G::View>() == TypeId::of::<G::State>()
}

/// An agent that was lent by its table to think about one decision.
pub struct Thinker<G: Game> {
    seat: Seat,
    agent: Box<dyn Agent<G>>,
    seed: Seed,
    view: G::View,
    plies: u32,
    effort: Effort,
}

impl<G: Game> Thinker<G> {
    /// An agent that thinks about a view of its seat, when the seats have taken so many actions.
    pub(crate) fn new(
        seat: Seat,
        agent: Box<dyn Agent<G>>,
        seed: Seed,
        view: G::View,
        plies: u32,
    ) -> Thinker<G> {
        Thinker { seat, agent, seed, view, plies, effort: Effort::default() }
    }

    /// The agent, when it has thought.
    pub(crate) fn into_agent(self) -> Box<dyn Agent<G>> {
        self.agent
    }

    /// What it has to say to a fault of its own.
    pub(crate) fn last_words(&mut self) -> Option<String> {
        guarded(|| self.agent.last_words()).ok().flatten()
    }

    /// What its seat should do. A panic inside it is its own fault, not ours.
    pub fn think(
        &mut self,
        settings: &Settings<'_>,
        report: Option<&mut dyn FnMut(&Thought<G::Action>)>,
    ) -> Result<Thought<G::Action>, Fault> {
        let rng = Rng::new(self.seed.ply(self.plies));
        let (agent, view) = (&mut self.agent, &self.view);
        let begun = Instant::now();
        let answer = within(settings.move_limit, settings.cancel, |stop| {
            let mut thinking = Thinking::new(rng, settings.budget, stop).limited(settings.move_limit);
            if let Some(report) = report {
                thinking = thinking.reporting(report);
            }
            guarded(|| agent.think(view, &mut thinking))
        });
        let took = begun.elapsed();
        self.effort.decisions += 1;
        self.effort.time += took;
        // An agent that is told to stop may answer with what it has. Nobody waits for that, and nothing may follow from it.
        if settings.cancel.load(Ordering::Relaxed) {
            return Err(Fault::Cancelled);
        }
        match answer? {
            Ok(_) | Err(Fault::Cancelled) if settings.move_limit.is_some_and(|limit| took > limit) => {
                Err(Fault::Timeout)
            }
            answer => answer,
        }
    }
}

/// An action that is not legal now. [`Notation::refusal`](crate::Notation::refusal) knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal;
