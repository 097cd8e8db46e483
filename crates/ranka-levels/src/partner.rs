//! `partner`: fits its strength to whoever plays it. It judges the others' decisions as it judges its own, believes in a
//! rank for each of them, and plays no better than keeps the game open and no worse than they do.

use crate::belief::{Belief, Eyes, Seen};
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

struct PartnerMaker<G: Game> {
    game: G,
    judge: Appointed<G>,
    ladder: Arc<Ladder>,
    settings: Settings,
}

impl<G: Game> Maker<G> for PartnerMaker<G> {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        let Settings { rank, doubt, .. } = self.settings;
        let seats = Seat::all(self.game.seats());
        let judges = seats.map(|at| Judge::seated(&self.judge, &self.ladder, at, seed.at(at.index() as u64)));
        let alpha = Rng::new(seed.child("alpha")).unit();
        let player = Player {
            belief: Belief::new(&self.ladder, rank, doubt),
            alpha,
            decisions: 0,
            turn: Turn::default(),
        };
        Ok(Box::new(Partner {
            game: self.game.clone(),
            ladder: Arc::clone(&self.ladder),
            settings: self.settings,
            seat,
            open: is_open::<G>(),
            seed: seed.child("watch"),
            events: 0,
            last: None,
            judges: judges.collect::<Result<_, _>>()?,
            players: vec![player; self.game.seats()],
        }))
    }

    fn rests_on(&self) -> Option<RestsOn> {
        self.judge.rests_on.clone()
    }
}

/// What is made of a player, itself included.
#[derive(Clone)]
struct Player {
    belief: Belief,
    /// The paper's measure: 0 for the worst actions, 1 for the best.
    alpha: f64,
    /// How many of its decisions were seen.
    decisions: u32,
    /// Its winning chances at the decisions of its last turn.
    turn: Turn,
}

/// The winning chances at decisions one after the other.
#[derive(Clone, Copy, Default)]
struct Turn {
    sum: f64,
    decisions: u32,
}

impl Turn {
    fn mean(self) -> Option<f64> {
        (self.decisions > 0).then(|| self.sum / f64::from(self.decisions))
    }
}

/// How fast the paper's measure follows.
const BETA: f64 = 0.1;

/// How many worlds are tried until one fits what was revealed since.
const TRIES: usize = 20;

struct Partner<G: Game> {
    game: G,
    ladder: Arc<Ladder>,
    settings: Settings,
    seat: Seat,
    /// Whether everybody sees everything.
    open: bool,
    /// All chance in watching comes from here, so that the same is seen again by one who is told the same again.
    seed: Seed,
    events: u64,
    /// Whose decision was seen last.
    last: Option<Seat>,
    /// A judge at every seat. That of another seat is told what its seat would know, were some possible world the true one.
    judges: Vec<Judge<G>>,
    players: Vec<Player>,
}

impl<G: Game> Agent<G> for Partner<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let (looking, budget) = (Rng::new(Seed::new(thinking.rng.bits())), thinking.budget);
        let verdict = self.judges[self.seat.index()].look(view, looking, budget, thinking.cancel_flag())?;
        let person = self.person();
        let (rank, doubt) = self.players[person.index()].belief.estimate();
        let theirs = self.a_decision(person, Belief::gave);
        let mut notes = vec![("opponent", rank), ("doubt", doubt), ("theirs", theirs)];
        if verdict.losses.is_empty() {
            return Ok(Thought { notes, ..verdict.thought });
        }
        notes.push(("chance", verdict.best));
        let win = plain_win(view, self.seat, &verdict.thought.candidates, &mut thinking.rng);
        let place = win.unwrap_or_else(|| self.choose(&verdict, person, (rank, doubt), &mut thinking.rng));
        Ok(verdict.choosing(place, notes))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        let seed = self.seed.at(self.events);
        self.events += 1;
        if let (Some(by), Some(action)) = (event.by, event.action) {
            self.watch(by, action, event, seed);
        }
        self.judges[self.seat.index()].told(event);
        self.tell_the_others(event, seed.child("tell"));
    }
}

impl<G: Game> Partner<G> {
    /// Whom it fits itself to.
    fn person(&self) -> Seat {
        let others = || Seat::all(self.players.len()).filter(|&seat| seat != self.seat);
        let rank = |seat: Seat| self.players[seat.index()].belief.estimate().0;
        let strongest = || others().reduce(|best, next| if rank(next) > rank(best) { next } else { best });
        let person = self.settings.person.filter(|&person| others().any(|seat| seat == person));
        person.or_else(strongest).unwrap_or(self.seat)
    }

    /// What a decision of a player gave away on average, as its belief tells it.
    fn a_decision(&self, seat: Seat, gave: impl Fn(&Belief, Eyes) -> f64) -> f64 {
        let player = &self.players[seat.index()];
        gave(&player.belief, self.eyes(seat)) / f64::from(player.decisions.max(1))
    }

    /// How well a player's decisions are seen.
    fn eyes(&self, seat: Seat) -> Eyes {
        match self.open {
            true => Eyes::Open,
            false if seat == self.seat => Eyes::Sure,
            false => Eyes::Guessing,
        }
    }

    /// How far it is ahead of another at a decision with this winning chance. Before the other's first decision the game is
    /// taken to be even.
    fn lead(&self, person: Seat, best: f64) -> f64 {
        self.players[person.index()].turn.mean().map_or(0.0, |theirs| (best - theirs) / 2.0)
    }

    fn choose(
        &self,
        verdict: &Verdict<G::Action>,
        person: Seat,
        (rank, doubt): (f64, f64),
        rng: &mut Rng,
    ) -> usize {
        let (losses, even) = (&verdict.losses, 1.0 / self.players.len() as f64);
        let decisions = f64::from(self.players[self.seat.index()].decisions);
        let gave = |seat: Seat| self.a_decision(seat, Belief::surely_gave);
        let credit = decisions * (gave(person) - gave(self.seat));
        let (best, lead, eyes) = (verdict.best, self.lead(person, verdict.best), self.eyes(person));
        let standing = Standing { losses, best, lead, eyes, even, rank, doubt, credit };
        match self.settings.method {
            Method::Partner => drawn(&method::partner(&self.ladder, &standing), rng),
            Method::Score => drawn(&method::by_score(&standing), rng),
            Method::Select | Method::SelectLiteral => {
                let literal = self.settings.method == Method::SelectLiteral;
                method::selected(literal, self.players[person.index()].alpha, &values(verdict))
            }
        }
    }

    /// Judges a decision as whoever took it could have judged it: of another in some of the worlds that are possible. Own
    /// decisions are judged anew, too, so that both sides' errors are seen by the same eyes.
    fn watch(&mut self, by: Seat, action: G::Action, event: &Told<'_, G>, seed: Seed) {
        let never = AtomicBool::new(false);
        let mut rng = Rng::new(seed);
        let known = by == self.seat || event.before.worlds().is_some_and(|worlds| worlds.len() == 1);
        let worlds = if known { 1 } else { self.ladder.worlds };
        let (mut seen, mut bests) = (Vec::new(), 0.0);
        for world in 0..worlds {
            let view = match by == self.seat {
                true => event.before.clone(),
                false => self.game.view(&event.before.sample(&mut rng), by),
            };
            let looking = Rng::new(seed.at(world as u64));
            let Ok(verdict) = self.judges[by.index()].look(&view, looking, None, &never) else { continue };
            let Some(place) = verdict.place(action) else { continue };
            let player = &mut self.players[by.index()];
            if let Some(shown) = method::shown(&values(&verdict), place).filter(|_| world == 0) {
                player.alpha = (1.0 - BETA) * player.alpha + BETA * shown;
            }
            bests += verdict.best;
            seen.push(Seen { losses: verdict.losses, place });
        }
        let player = &mut self.players[by.index()];
        player.belief.learn(&seen);
        if !seen.is_empty() {
            player.decisions += 1;
            let turn = if self.last == Some(by) { player.turn } else { Turn::default() };
            player.turn = Turn { sum: turn.sum + bests / seen.len() as f64, decisions: turn.decisions + 1 };
            self.last = Some(by);
        }
    }

    /// Tells the judges at the other seats what these would know in a world that fits all that is known here.
    fn tell_the_others(&mut self, event: &Told<'_, G>, seed: Seed) {
        let mut rng = Rng::new(seed);
        let mut fitting = || {
            let before = event.before.sample(&mut rng);
            let mut after = before.clone();
            let action = event.action.filter(|&action| before.is_legal(action))?;
            after.apply(action);
            (self.game.view(&after, self.seat) == *event.after).then_some((before, after, action))
        };
        let Some((before, after, action)) = (0..TRIES).find_map(|_| fitting()) else { return };
        for seat in Seat::all(self.players.len()).filter(|&seat| seat != self.seat) {
            self.judges[seat.index()].told(&Told {
                by: event.by,
                action: self.game.seen(&before, action, seat),
                before: &self.game.view(&before, seat),
                after: &self.game.view(&after, seat),
            });
        }
    }
}

/// Winning chances as the values that the paper's formulas speak of, from −1 for lost to 1 for won.
fn values<A>(verdict: &Verdict<A>) -> Vec<f64> {
    verdict.thought.candidates.iter().map(|candidate| 2.0 * candidate.value - 1.0).collect()
}
