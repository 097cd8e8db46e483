//! The game with its options, and how it starts.

use crate::action::Action;
use crate::combat::PowerTable;
use crate::field::Place;
use crate::files::MapFile;
use crate::generate::{self, Plan};
use crate::maps;
use crate::setup::{MOST_TURNS, Setup};
use crate::state::State;
use ranka_core::{Error, Game, GameInfo, Param, Params, Rng, Seat};
use std::sync::Arc;

/// The options that a position does not show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// The table of attack power.
    pub power: PowerTable,
    /// Whether a lead that just reaches the threshold wins, as the paper has it; else it must exceed it.
    pub reaching_wins: bool,
    /// Whether attacks that do no damage are forbidden.
    pub effective_only: bool,
}

/// TUBSTAP with its options chosen.
#[derive(Clone, Debug)]
pub struct Tubstap {
    /// The options that a position does not show.
    pub rules: Rules,
    /// The map that games start on.
    pub map: Arc<MapFile>,
    /// What is changed at random before a game.
    pub noise: Noise,
    /// Whether every game has a new map; then `map` only stands for its size.
    pub(crate) random: bool,
    /// The turn limit, if it is not the map's own.
    limit: Option<u32>,
    pub(crate) start: State,
}

/// What is changed at random before a game, so that agents without randomness do not repeat one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Noise {
    /// Each unit takes a step in a random direction, if it can stand there.
    pub places: bool,
    /// Each unit has one HP more or less, if that is possible.
    pub hp: bool,
}

impl Tubstap {
    /// The game on this map.
    pub fn on(map: MapFile, rules: Rules) -> Result<Tubstap, Error> {
        let start = map.state(rules)?;
        Ok(Tubstap { rules, map: Arc::new(map), noise: Noise::default(), random: false, limit: None, start })
    }

    /// The start on another map, which stands for a position.
    pub(crate) fn start_on(&self, mut map: MapFile) -> Result<State, Error> {
        if self.noise != Noise::default() {
            let problem =
                "noise=: a map as a position is taken as it stands; name it by map= to deal from it";
            return Err(Error::input(problem));
        }
        map.limit = self.limit.unwrap_or(map.limit);
        map.state(self.rules)
    }

    /// Terrain and units of a game with the noise on them.
    fn dealt(&self, rng: &mut Rng) -> Setup {
        let mut setup = if self.random { generate::drawn(rng).setup() } else { self.map.setup() };
        setup.limit = self.limit.unwrap_or(setup.limit);
        for i in 0..setup.units.len() {
            let unit = setup.units[i];
            if self.noise.places {
                let (dx, dy) = rng.pick(&[(1, 0), (0, -1), (-1, 0), (0, 1)]);
                let Place { x, y } = unit.place;
                let place = Place::new(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let terrain = setup.rows[usize::from(place.y)][usize::from(place.x)];
                let free = setup.units.iter().all(|other| other.place != place);
                if free && terrain.cost(unit.kind.movement_type()).is_some() {
                    setup.units[i].place = place;
                }
            }
            if self.noise.hp {
                let more = rng.chance(0.5);
                setup.units[i].hp = match unit.hp {
                    hp @ 0..=9 if more => hp + 1,
                    hp @ 2.. if !more => hp - 1,
                    hp => hp,
                };
            }
        }
        setup
    }
}

impl Game for Tubstap {
    type Action = Action;
    type State = State;
    type View = State;

    const INFO: GameInfo = GameInfo {
        name: "tubstap",
        title: "TUBSTAP",
        japanese: "ターン制戦略ゲーム",
        summary: "One turn moves all units in any order: hundreds of actions, thousands of combinations.",
        how: "Each unit of yours may move and attack once a turn. Damage depends on kinds, HP and terrain, and whoever is attacked at close range strikes back. Destroy the enemy, or be ahead in HP when the turns run out.",
        seats: (2, 2),
        minutes: 15,
        sparring: "uct",
        adaptive: None,
        version: 1,
    };

    fn options() -> Vec<Param> {
        vec![
            Param::file(
                "map",
                maps::NAMES,
                "the name of a map that comes with Ranka, random for a new one every game, or a .tbsmap file",
            ),
            Param::choice("power", &["program", "paper"], "anti-air tanks hit infantry with 105, or 115"),
            Param::choice("judge", &["strict", "ge"], "a lead wins above the threshold, or from it on"),
            Param::text(
                "limit",
                "file",
                "half-turns after which the game is judged: as in the map, or a number",
            ),
            Param::switch("effective-only", false, "forbid attacks that do no damage").once_snake(),
            Param::choice(
                "noise",
                &["off", "places", "hp", "both"],
                "before a game, units take a random step, or have one HP more or less",
            ),
        ]
    }

    fn new(options: &Params) -> Result<Tubstap, Error> {
        let rules = Rules {
            power: if options.text("power") == "paper" { PowerTable::Paper } else { PowerTable::Program },
            reaching_wins: options.text("judge") == "ge",
            effective_only: options.on("effective-only"),
        };
        let random = options.text("map") == maps::RANDOM;
        let mut map = if random { Plan::default().map()? } else { maps::find(options.text("map"))? };
        let limit = match options.text("limit") {
            "file" => None,
            text => {
                let limit = text.parse().ok().filter(|limit| (1..=MOST_TURNS).contains(limit));
                Some(limit.ok_or_else(|| {
                    Error::input(format!("limit={text}: expected file or a number 1..{MOST_TURNS}"))
                })?)
            }
        };
        map.limit = limit.unwrap_or(map.limit);
        let noise = options.text("noise");
        let noise =
            Noise { places: ["places", "both"].contains(&noise), hp: ["hp", "both"].contains(&noise) };
        Ok(Tubstap { noise, random, limit, ..Tubstap::on(map, rules)? })
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, deal: &mut Rng) -> State {
        if self.random || self.noise != Noise::default() {
            return self.dealt(deal).state(self.rules).expect("noise keeps a map sound");
        }
        // Its own copy of the ground, so that games on different threads do not count the same references.
        self.start.with_rules(self.rules)
    }

    fn view(&self, state: &State, _seat: Seat) -> State {
        state.clone()
    }
}
