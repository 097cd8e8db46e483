//! `partner`: fits its strength to whoever plays it. It judges the others' decisions as it judges its own, believes in a
//! rank for each of them, and plays no better than keeps the game open and no worse than they do.

use crate::belief::{Belief, Seen};
use crate::judge::{Appointed, Judge, Verdict};
use crate::ladder::LADDER;
use crate::level::drawn;
use crate::method::{self, Method, Standing};
use crate::plain_win::plain_win;
use crate::{Ladder, Levelled};
use ranka_core::{
    Agent, AgentKind, Fault, Game, MAX_SEATS, Maker, Param, Params, Position as _, RestsOn, Rng, Seat, Seed,
    Thinking, Thought, Told, View as _, is_open,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Its entry in a roster.
pub fn kind<G: Levelled>() -> AgentKind<G> {
    AgentKind {
        name: "partner",
        version: G::ladder().version,
        summary: "Fits its strength to whoever plays it, so that the game stays open.",
        params: vec![
            Param::real(
                "opponent",
                0.0,
                100.0,
                "5",
                "the rank that the others are thought to have before the game",
            ),
            Param::real("doubt", 0.05, 100.0, "3", "how far off that may be, as a standard deviation"),
            Param::int(
                "person",
                0,
                MAX_SEATS as i64,
                "0",
                "the seat it fits itself to; 0 for the strongest other",
            ),
            Param::choice(
                "method",
                Method::WORDS,
                "how it keeps the game open: as the others err, by the score alone, or as the Kalah paper does",
            ),
            LADDER,
        ],
        build: |game, params| {
            let ladder = Ladder::named::<G>(params)?;
            let (judge, settings) = (Appointed::of(game, &ladder, params)?, Settings::of(params));
            Ok(Arc::new(PartnerMaker { game: game.clone(), judge, ladder, settings }))
        },
    }
}

#[derive(Clone, Copy)]
struct Settings {
    rank: f64,
    doubt: f64,
    person: Option<Seat>,
    method: Method,
}

impl Settings {
    fn of(params: &Params) -> Settings {
        let person = params.int("person") as usize;
        Settings {
            rank: params.real("opponent"),
            doubt: params.real("doubt"),
            person: person.checked_sub(1).map(Seat::new),
            method: Method::named(params.text("method")),
        }
    }
}

struct PartnerMaker<G: Levelled> {
    game: G,
    judge: Appointed<G>,
    ladder: Arc<Ladder>,
    settings: Settings,
}

impl<G: Levelled> Maker<G> for PartnerMaker<G> {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        let Settings { rank, doubt, .. } = self.settings;
        let seats = Seat::all(self.game.seats());
        let judges = seats.map(|at| Judge::seated(&self.judge, &self.ladder, at, seed.at(at.index() as u64)));
        let alpha = Rng::new(seed.child("alpha")).unit();
        let player = |_| Player {
            belief: Belief::new(&self.ladder, rank, doubt),
            alpha,
            decisions: 0,
            choices: 0,
            turns: 0,
            waiting: VecDeque::new(),
        };
        Ok(Box::new(Partner {
            game: self.game.clone(),
            ladder: Arc::clone(&self.ladder),
            settings: self.settings,
            seat,
            seed: seed.child("watch"),
            events: 0,
            last: None,
            judges: judges.collect::<Result<_, _>>()?,
            players: Seat::all(self.game.seats()).map(player).collect(),
        }))
    }

    fn rests_on(&self) -> Option<RestsOn> {
        self.judge.rests_on.clone()
    }
}

/// What is made of a player, itself included.
struct Player<G: Game> {
    belief: Belief,
    /// The paper's measure: 0 for the worst actions, 1 for the best.
    alpha: f64,
    /// How many of its decisions were seen.
    decisions: u32,
    /// How many of them were choices among several actions.
    choices: u32,
    /// How often it began to decide after somebody else had.
    turns: u32,
    /// What happened since, and is still to be looked at as this player saw it.
    waiting: VecDeque<Arc<Happened<G>>>,
}

/// Something that happened, as this seat saw it.
struct Happened<G: Game> {
    by: Option<Seat>,
    action: Option<G::Action>,
    before: G::View,
    after: G::View,
    /// All chance in looking at it comes from here, so that one who is told the same again sees the same again.
    seed: Seed,
}

/// How fast the paper's measure follows.
const BETA: f64 = 0.1;

/// How many worlds are tried until one fits what was revealed since.
const TRIES: usize = 20;

/// In how many worlds a seat must see the same to be taken to have seen that.
const CERTAIN: usize = 24;

struct Partner<G: Levelled> {
    game: G,
    ladder: Arc<Ladder>,
    settings: Settings,
    seat: Seat,
    /// All chance in watching comes from here.
    seed: Seed,
    events: u64,
    /// Who decided last.
    last: Option<Seat>,
    /// A judge at every seat. That of another seat is told what its seat would know, were some possible world the true one.
    judges: Vec<Judge<G>>,
    players: Vec<Player<G>>,
}

impl<G: Levelled> Agent<G> for Partner<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let (looking, budget) = (Rng::new(Seed::new(thinking.rng.bits())), thinking.budget);
        let verdict = self.judges[self.seat.index()].look(view, looking, budget, thinking.cancel_flag())?;
        let person = self.person();
        let (rank, doubt) = self.players[person.index()].belief.estimate();
        let theirs = self.gave_each(person, |player| player.decisions);
        let mut notes = vec![("opponent".into(), rank), ("doubt".into(), doubt), ("theirs".into(), theirs)];
        if verdict.losses.is_empty() {
            return Ok(Thought { notes, ..verdict.thought });
        }
        notes.push(("chance".into(), verdict.best));
        let win = plain_win(view, self.seat, &verdict.thought.candidates, &mut thinking.rng);
        let place = win.unwrap_or_else(|| self.choose(&verdict, person, (rank, doubt), &mut thinking.rng));
        Ok(verdict.choosing(place, notes))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        let seed = self.seed.at(self.events);
        self.events += 1;
        if let Some(by) = event.by.filter(|_| event.by != self.last) {
            self.players[by.index()].turns += 1;
            self.last = event.by;
        }
        let (before, after) = (event.before.clone(), event.after.clone());
        let happened = Arc::new(Happened { by: event.by, action: event.action, before, after, seed });
        for seat in Seat::all(self.players.len()) {
            self.players[seat.index()].waiting.push_back(Arc::clone(&happened));
            while let Some(next) = self.next_to_look_at(seat, event.after) {
                self.watch(seat, &next, event.after);
                self.tell(seat, &next, event.after);
            }
        }
    }
}

impl<G: Levelled> Partner<G> {
    /// Whom it fits itself to.
    fn person(&self) -> Seat {
        let others = || Seat::all(self.players.len()).filter(|&seat| seat != self.seat);
        let rank = |seat: Seat| self.players[seat.index()].belief.estimate().0;
        let strongest = || others().reduce(|best, next| if rank(next) > rank(best) { next } else { best });
        let person = self.settings.person.filter(|&person| others().any(|seat| seat == person));
        person.or_else(strongest).unwrap_or(self.seat)
    }

    /// What a player gave away, for each of so many.
    fn gave_each(&self, seat: Seat, of: impl Fn(&Player<G>) -> u32) -> f64 {
        let player = &self.players[seat.index()];
        player.belief.gave() / f64::from(of(player).max(1))
    }

    fn choose(
        &self,
        verdict: &Verdict<G::Action>,
        person: Seat,
        (rank, doubt): (f64, f64),
        rng: &mut Rng,
    ) -> usize {
        let (losses, even) = (&verdict.losses, 1.0 / self.players.len() as f64);
        // Whoever has nothing to choose gives nothing away, and neither owes nor is owed for that.
        let [choice, own] = [person, self.seat].map(|seat| self.gave_each(seat, |player| player.choices));
        let credit = f64::from(self.players[self.seat.index()].choices) * (choice - own);
        let turn = self.gave_each(person, |player| player.turns);
        let (best, open) = (verdict.best, is_open::<G>());
        let standing = Standing { losses, best, open, even, rank, doubt, credit, choice, turn };
        match self.settings.method {
            Method::Partner => drawn(&method::partner(&self.ladder, &standing), rng),
            Method::Score => drawn(&method::by_score(&standing), rng),
            Method::Select | Method::SelectLiteral => {
                let literal = self.settings.method == Method::SelectLiteral;
                method::selected(literal, self.players[person.index()].alpha, &values(verdict))
            }
        }
    }

    /// The first that waits to be looked at as a seat saw it. A decision waits until it is known what the seat knew, or until
    /// too many others wait behind it.
    fn next_to_look_at(&mut self, seat: Seat, now: &G::View) -> Option<Arc<Happened<G>>> {
        let waiting = &self.players[seat.index()].waiting;
        let first = waiting.front()?;
        let decides = |happened: &Happened<G>| happened.by == Some(seat);
        let too_many = || waiting.iter().filter(|happened| decides(happened)).count() > self.ladder.patience;
        let ripe = !decides(first) || too_many() || self.views(seat, first, now).len() == 1;
        ripe.then(|| self.players[seat.index()].waiting.pop_front())?
    }

    /// What a seat may have seen before something happened, as far as is known now: one view if that is certain.
    fn views(&self, seat: Seat, happened: &Happened<G>, now: &G::View) -> Vec<G::View> {
        if seat == self.seat || is_open::<G>() {
            return vec![happened.before.clone()];
        }
        let mut rng = Rng::new(happened.seed);
        let before = G::in_hindsight(&happened.before, now);
        let mut views = Vec::new();
        views.resize_with(CERTAIN, || self.game.view(&before.sample(&mut rng), seat));
        let certain = views.iter().all(|view| *view == views[0]);
        views.truncate(if certain { 1 } else { self.ladder.worlds.clamp(2, CERTAIN) });
        views
    }

    /// Judges a seat's decision as the seat could have judged it: in some of the worlds that are possible. Own decisions are
    /// judged anew, too, so that both sides' errors are seen by the same eyes.
    fn watch(&mut self, seat: Seat, happened: &Happened<G>, now: &G::View) {
        let Some(action) = happened.action.filter(|_| happened.by == Some(seat)) else { return };
        let never = AtomicBool::new(false);
        let views = self.views(seat, happened, now);
        let mut seen = Vec::new();
        for (world, view) in views.iter().enumerate() {
            let looking = Rng::new(happened.seed.at(world as u64));
            let Ok(verdict) = self.judges[seat.index()].look(view, looking, None, &never) else { continue };
            let Some(place) = verdict.place(action) else { continue };
            let player = &mut self.players[seat.index()];
            if let Some(shown) = method::shown(&values(&verdict), place).filter(|_| world == 0) {
                player.alpha = (1.0 - BETA) * player.alpha + BETA * shown;
            }
            seen.push(Seen { losses: verdict.losses, place });
        }
        let player = &mut self.players[seat.index()];
        player.belief.learn(&seen, views.len() == 1);
        player.decisions += u32::from(!seen.is_empty());
        player.choices += u32::from(seen.iter().any(|seen| seen.losses.len() > 1));
    }

    /// Tells the judge at a seat what that seat would know: at another in a world that fits all that is known now.
    fn tell(&mut self, seat: Seat, happened: &Happened<G>, now: &G::View) {
        let Happened { by, action, before, after, seed } = happened;
        if seat == self.seat {
            return self.judges[seat.index()].told(&Told { by: *by, action: *action, before, after });
        }
        let mut rng = Rng::new(seed.child("tell"));
        let known = G::in_hindsight(before, now);
        let mut fitting = || {
            let before = known.sample(&mut rng);
            let mut next = before.clone();
            let action = action.filter(|&action| before.is_legal(action))?;
            next.apply(action);
            (self.game.view(&next, self.seat) == *after).then_some((before, next, action))
        };
        let Some((before, after, action)) = (0..TRIES).find_map(|_| fitting()) else { return };
        self.judges[seat.index()].told(&Told {
            by: *by,
            action: self.game.seen(&before, action, seat),
            before: &self.game.view(&before, seat),
            after: &self.game.view(&after, seat),
        });
    }
}

/// Winning chances as the values that the paper's formulas speak of, from −1 for lost to 1 for won.
fn values<A>(verdict: &Verdict<A>) -> Vec<f64> {
    verdict.thought.candidates.iter().map(|candidate| 2.0 * candidate.value - 1.0).collect()
}
