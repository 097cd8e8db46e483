//! A night: what is missing is played, the most informative pairing first.

use crate::history::Playing;
use crate::schedule::information;
use crate::standings::{Player, Standings};
use crate::{Contender, League, LeagueGame};
use ranka_bots::stdio::{by_the_wall_clock_alone, sandbox::SandboxKind};
use ranka_core::{EndReason, Error, Finished, Seed};
use ranka_lab::{Pairing, PairingKey, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// How a night is played.
#[derive(Clone, Copy)]
pub struct NightPlan<'a> {
    /// How many games at a time.
    pub threads: usize,
    /// When to begin no more.
    pub until: Option<Instant>,
    /// What holds the bots; nothing if they are trusted.
    pub means: Option<SandboxKind>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
}

/// What was just played.
pub struct NightProgress<'a> {
    /// Of which game.
    pub game: &'a str,
    /// Who.
    pub players: [&'a Player; 2],
    /// The last game of the two.
    pub finished: &'a Finished,
    /// How many were played this night.
    pub played: u64,
}

/// What a night brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NightSummary {
    /// Entrants that came in a new version.
    pub new: Vec<(String, u32)>,
    /// Entrants that cannot play as they are, and why.
    pub broken: BTreeMap<String, String>,
    /// How many games were played.
    pub played: u64,
    /// How many are missing still; games of those who sit out are not.
    pub missing: u64,
    /// How many were played again after a forfeit by the wall clock alone.
    pub again: u64,
    /// Who only ever fails and sits out until it is changed, and at which games.
    pub hopeless: BTreeMap<String, Vec<&'static str>>,
}

impl League {
    /// Plays what is missing. What was played is kept as it comes; a night that was cut off is gone on with by the next.
    pub fn run(
        &self,
        night: &NightPlan<'_>,
        store: &mut Store,
        each: &mut (dyn FnMut(&NightProgress<'_>) + Send),
    ) -> Result<NightSummary, Error> {
        if store.is_read_only() {
            return Err(Error::storage(self.store_path(), "it cannot be written, so no game could be kept"));
        }
        let (new, mut broken) = self.take_in();
        let mut fields = Vec::new();
        for game in self.games() {
            let contenders = self.contenders(game, night.means, &mut broken);
            let today: Vec<Player> = contenders.iter().map(|contender| contender.player.clone()).collect();
            // Of a night that was cut off.
            self.remember(game, store, &today)?;
            fields.push(Field::new(self, game, contenders, store)?);
        }
        let summary = NightSummary { new, broken, ..NightSummary::default() };
        let hall = Mutex::new(Hall { store, fields, each, summary, failed: None });
        let changed = Condvar::new();
        std::thread::scope(|scope| {
            for _ in 0..night.threads.max(1) {
                scope.spawn(|| work(self, night, &hall, &changed));
            }
        });
        let Hall { store, fields, failed, mut summary, .. } =
            hall.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failed {
            return Err(error);
        }
        for field in &fields {
            summary.missing += field.open().map(|(_, fixture)| fixture.missing.len() as u64).sum::<u64>();
            for player in field.hopeless() {
                let games = summary.hopeless.entry(player.name.clone()).or_default();
                games.push(field.game.game.info().title);
            }
            self.remember(field.game, store, &field.today())?;
        }
        Ok(summary)
    }
}

/// What the threads of a night share.
struct Hall<'a> {
    store: &'a mut Store,
    fields: Vec<Field<'a>>,
    each: &'a mut (dyn FnMut(&NightProgress<'_>) + Send),
    summary: NightSummary,
    failed: Option<Error>,
}

/// A game with everybody who plays it.
struct Field<'a> {
    game: &'a LeagueGame,
    contenders: Vec<Contender>,
    /// Everybody's place in the standings.
    seats: Vec<usize>,
    fixtures: Vec<Fixture>,
    standings: Standings,
}

/// The games of two.
struct Fixture {
    who: [usize; 2],
    pairing: Pairing,
    key: PairingKey,
    missing: BTreeSet<u64>,
    busy: bool,
}

impl<'a> Field<'a> {
    fn new(
        league: &League,
        game: &'a LeagueGame,
        contenders: Vec<Contender>,
        store: &Store,
    ) -> Result<Field<'a>, Error> {
        let players: Vec<Player> = contenders.iter().map(|contender| contender.player.clone()).collect();
        let standings = league.standings(game, store, &players)?;
        let mut fixtures = Vec::new();
        for other in 0..contenders.len() {
            for one in 0..other {
                let both = [&contenders[one], &contenders[other]];
                let seed = league.seed(game, both.map(|contender| &contender.player));
                let pairing = league.pairing(game, both, seed)?;
                let key = store.key(&pairing)?;
                let mut missing: BTreeSet<u64> =
                    store.missing(key, game.games)?.into_iter().flatten().collect();
                // Once all pairings had the league's own seed. What two have played of those games is not missing.
                let once = league.pairing(game, both, Seed::new(league.config.seed))?;
                if let Some(once) = standings.pairings.iter().find(|known| known.identity == once.identity())
                {
                    let lacked: Vec<_> = store.missing(once.key, game.games)?;
                    missing.retain(|number| lacked.iter().any(|range| range.contains(number)));
                }
                fixtures.push(Fixture { who: [one, other], pairing, key, missing, busy: false });
            }
        }
        let seat = |player: &Player| standings.places.iter().position(|place| place.player == *player);
        let seats = players.iter().filter_map(seat).collect();
        Ok(Field { game, contenders, seats, fixtures, standings })
    }

    fn today(&self) -> Vec<Player> {
        self.contenders.iter().map(|contender| contender.player.clone()).collect()
    }

    /// Bots that only ever fail; an agent of ours does not.
    fn hopeless(&self) -> impl Iterator<Item = &Player> {
        let players = self.contenders.iter().map(|contender| &contender.player);
        players.filter(|player| self.standings.sits_out(player))
    }

    /// The fixtures in which nobody sits out, by their numbers.
    fn open(&self) -> impl Iterator<Item = (usize, &Fixture)> {
        let hopeless: Vec<&Player> = self.hopeless().collect();
        let sits_out = move |who: &usize| hopeless.contains(&&self.contenders[*who].player);
        self.fixtures.iter().enumerate().filter(move |(_, fixture)| !fixture.who.iter().any(&sits_out))
    }

    /// The fixture that tells most of those that nobody plays just now.
    fn best(&self) -> Option<(usize, f64)> {
        let worth = |(number, fixture): (usize, &Fixture)| {
            let [one, other] = fixture.who.map(|who| self.seats[who]);
            if fixture.busy || fixture.missing.is_empty() {
                return None;
            }
            Some((number, information(&self.standings, one, other), fixture.missing.len()))
        };
        let open = self.open().filter_map(worth);
        // Of two that tell as much the one that has played less; then as they were named.
        let best = open.max_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)).then(b.0.cmp(&a.0)));
        best.map(|(number, worth, _)| (number, worth))
    }
}

impl Hall<'_> {
    /// Takes the fixture that tells most, with the numbers of its next deal.
    fn take(&mut self) -> Option<(usize, usize, Vec<u64>)> {
        let open = self.fields.iter().enumerate().filter_map(|(at, field)| Some((at, field.best()?)));
        let (field, (fixture, _)) = open.max_by(|a, b| a.1.1.total_cmp(&b.1.1).then(b.0.cmp(&a.0)))?;
        let taken = &mut self.fields[field].fixtures[fixture];
        taken.busy = true;
        let first = *taken.missing.first()?;
        let (deal, _) = taken.pairing.deal(first);
        let numbers = taken.missing.iter().copied().filter(|&number| taken.pairing.deal(number).0 == deal);
        Some((field, fixture, numbers.collect()))
    }

    /// Who plays at present.
    fn playing(&self) -> Vec<Playing> {
        let of_field = |field: &Field<'_>| {
            let busy = field.fixtures.iter().filter(|fixture| fixture.busy);
            let playing = |fixture: &Fixture| Playing {
                game: field.game.game.info().name.to_owned(),
                players: fixture.who.map(|who| field.contenders[who].player.clone()),
            };
            busy.map(playing).collect::<Vec<_>>()
        };
        self.fields.iter().flat_map(of_field).collect()
    }

    /// Keeps a game, and tells of it.
    fn keep(
        &mut self,
        place: (usize, usize),
        number: u64,
        game: &Finished,
        again: bool,
    ) -> Result<(), Error> {
        let field = &mut self.fields[place.0];
        let fixture = &mut field.fixtures[place.1];
        self.store.add([(fixture.key, number, game)])?;
        fixture.missing.remove(&number);
        self.summary.played += 1;
        self.summary.again += u64::from(again);
        let [one, other] = fixture.who.map(|who| &field.contenders[who].player);
        let game_name = field.game.game.info().name;
        let played = self.summary.played;
        (self.each)(&NightProgress { game: game_name, players: [one, other], finished: game, played });
        Ok(())
    }
}

/// One thread's night.
fn work(league: &League, night: &NightPlan<'_>, hall: &Mutex<Hall<'_>>, changed: &Condvar) {
    let enter = || hall.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let mut held = enter();
        let (field, fixture, numbers) = loop {
            let late = night.until.is_some_and(|until| Instant::now() >= until);
            if late || held.failed.is_some() || night.cancel.load(Ordering::Relaxed) {
                return;
            }
            if let Some(found) = held.take() {
                break found;
            }
            if !held.fields.iter().any(|field| field.fixtures.iter().any(|fixture| fixture.busy)) {
                return;
            }
            // What the others play may open another pairing.
            held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        };
        let pairing = held.fields[field].fixtures[fixture].pairing.clone();
        league.tell_playing(&held.playing());
        drop(held);
        let mut kept = Ok(());
        for number in numbers {
            let Some((game, again)) = once_more_if_late(|| pairing.play(number, night.cancel)) else { break };
            kept = enter().keep((field, fixture), number, &game, again);
            if kept.is_err() {
                break;
            }
        }
        let mut held = enter();
        held.fields[field].fixtures[fixture].busy = false;
        let players = held.fields[field].today();
        let rated = kept.and_then(|()| league.standings(held.fields[field].game, held.store, &players));
        match rated {
            Ok(standings) => held.fields[field].standings = standings,
            Err(error) => held.failed = Some(error),
        }
        drop(held);
        changed.notify_all();
    }
}

/// Plays a game, and once more if it was forfeited by the wall clock alone; nothing if it was cut off.
fn once_more_if_late(mut game: impl FnMut() -> Finished) -> Option<(Finished, bool)> {
    let mut whole = || Some(game()).filter(|game| game.record.end.reason != EndReason::Cancelled);
    let first = whole()?;
    if !by_the_wall_clock_alone(&first.record) {
        return Some((first, false));
    }
    let mut second = whole()?;
    let told = "played again after a forfeit by the wall clock alone";
    let detail = second.record.end.detail.take();
    second.record.end.detail = Some(detail.map_or(told.to_owned(), |detail| format!("{detail}\n{told}")));
    Some((second, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{End, Outcome, Seat};
    use ranka_lab::{GameLimits, Seating};

    #[test]
    fn a_forfeit_by_the_wall_clock_alone_is_played_once_more() {
        let game = ranka_games::game("kalah").expect("a game").open("houses=3,seeds=3").expect("its rules");
        let agents = vec![game.agent("random").expect("an agent"); 2];
        let limits = GameLimits::default();
        let pairing =
            Pairing::new(game, agents, Seating::Swapped, Seed::new(5), limits, &[]).expect("a pairing");
        let cancel = AtomicBool::new(false);
        let whole = pairing.play(3, &cancel);
        let ended = |reason: EndReason, detail: &str| {
            let mut game = whole.clone();
            let detail = Some(detail.to_owned());
            game.record.end = End { reason, seat: Some(Seat::FIRST), detail, ..game.record.end };
            game.record.outcome = Outcome::loss(Seat::FIRST, 2).scores().to_vec();
            game
        };
        let late =
            "it used 10 ms of a processor and waited 2900 ms for one, so by the wall clock alone\nstderr: hm";
        let slow = "it used 290 ms of a processor and waited 10 ms for one\nso by the wall clock alone";
        let told = "played again after a forfeit by the wall clock alone";
        let of = |games: &[&Finished]| {
            let mut left = games.iter();
            let found = once_more_if_late(|| (*left.next().expect("not so often")).clone());
            (found, left.count())
        };
        let first = ended(EndReason::Timeout, late);
        let (found, left) = of(&[&first, &whole]);
        let (found, again) = found.expect("a game");
        assert!(again && left == 0);
        assert_eq!(
            (&found.record.actions, &found.record.outcome),
            (&whole.record.actions, &whole.record.outcome)
        );
        assert_eq!(found.record.end.detail.as_deref(), Some(told));
        // What is late a second time counts, and says both.
        let (found, again) = of(&[&first, &first]).0.expect("a game");
        assert!(again && found.record.end.reason == EndReason::Timeout);
        assert_eq!(found.record.end.detail, Some(format!("{late}\n{told}")));
        // Whoever was slow itself, or lost by anything else, has no second game.
        for game in [whole.clone(), ended(EndReason::Timeout, slow), ended(EndReason::Crash, late)] {
            let (found, left) = of(&[&game, &whole]);
            let (found, again) = found.expect("a game");
            assert!(!again && left == 1 && found.record == game.record);
        }
        // What was cut off is no game, the first time and the second.
        let cut = ended(EndReason::Cancelled, "");
        assert!(of(&[&cut]).0.is_none() && of(&[&first, &cut]).0.is_none());
    }

    #[test]
    fn games_of_a_league_whose_pairings_all_had_its_own_seed_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |games: u64| {
            let text = format!(
                "title = \"Old\"\nseed = 5\n[[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = {games}\n\
                 [[entrant]]\nname = \"a\"\nagent = \"random\"\n[[entrant]]\nname = \"b\"\nagent = \"minimax:depth=1\"\n"
            );
            std::fs::write(folder.path().join("league.toml"), text).expect("it is written");
            League::open(folder.path()).expect("a league")
        };
        let cancel = AtomicBool::new(false);
        let night = NightPlan { threads: 1, until: None, means: None, cancel: &cancel };
        let league = write(4);
        let game = &league.games()[0];
        assert!(league.take_in().1.is_empty());
        let contenders = league.contenders(game, None, &mut BTreeMap::new());
        let old = league.pairing(game, [&contenders[0], &contenders[1]], Seed::new(5)).expect("a pairing");
        let mut store = league.store().expect("a store");
        let key = store.key(&old).expect("its place");
        for number in 0..4 {
            store.add([(key, number, &old.play(number, &cancel))]).expect("it is kept");
        }
        assert_eq!(league.run(&night, &mut store, &mut |_| {}).expect("a night").played, 0);
        let league = write(6);
        assert_eq!(league.run(&night, &mut store, &mut |_| {}).expect("a night").played, 2);
        let standings = league.standings(&league.games()[0], &store, &[]).expect("standings");
        assert_eq!(standings.places.iter().map(|place| place.games()).collect::<Vec<_>>(), [6, 6]);
        let seeds: Vec<u64> = standings.pairings.iter().map(|pairing| pairing.seed).collect();
        assert!(seeds[0] == 5 && seeds[1] != 5, "{seeds:?}");
    }
}
