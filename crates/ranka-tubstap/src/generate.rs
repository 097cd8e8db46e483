//! New maps: terrain and armies at random, fair by symmetry if wanted.

use crate::cells::MOST_CELLS;
use crate::field::{MOST_SIDE, Place};
use crate::files::MapFile;
use crate::kinds::{Kind, MovementType, Team, Terrain};
use crate::rules::Rules;
use crate::setup::{MOST_HP, Unit};
use crate::state::MOST_UNITS;
use ranka_core::{Error, Rng, Seed};
use std::collections::BTreeSet;

/// How the second half of a map follows from the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapSymmetry {
    /// Not at all.
    None,
    /// Turned by half a circle.
    Turned,
    /// Mirrored left to right.
    Mirrored,
}

/// What a generated map should be like.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Columns and rows, the ring of walls included.
    pub size: (usize, usize),
    /// The kinds and HP of each side's units.
    pub armies: [Vec<(Kind, u8)>; 2],
    /// How often each terrain comes, in proportion, by its number.
    pub mix: [u32; 7],
    /// How the halves are related. With a symmetry blue's army is red's.
    pub symmetry: MapSymmetry,
    /// `TURNLIMIT`
    pub limit: u32,
    /// `HPTHRESHOLD`
    pub threshold: u32,
    /// Where all randomness comes from: the same plan always gives the same map.
    pub seed: Seed,
}

impl Default for Plan {
    /// About as map01 is: 6 by 6 cells, three infantry, two panzers and a cannon a side.
    fn default() -> Plan {
        let army = "I10 I10 I10 P5 P5 U10";
        let army = read_army(army).expect("the default army is sound");
        Plan {
            size: (8, 8),
            armies: [army.clone(), army],
            mix: [0, 60, 5, 18, 8, 6, 3],
            symmetry: MapSymmetry::Turned,
            limit: 29,
            threshold: 10,
            seed: Seed::new(0),
        }
    }
}

/// Reads an army: `I10 P5 U`, kinds by their letters with their HP, which are 10 if left out.
pub fn read_army(text: &str) -> Result<Vec<(Kind, u8)>, Error> {
    let units = text.split_whitespace().map(|word| {
        let bad = || Error::input(format!("army {text:?}: {word:?} is no unit such as I10, P5 or U"));
        let mut letters = word.chars();
        let kind = letters.next().and_then(Kind::of_letter).ok_or_else(bad)?;
        let hp = match letters.as_str() {
            "" => MOST_HP as u8,
            digits => digits.parse().ok().filter(|hp| (1..=MOST_HP as u8).contains(hp)).ok_or_else(bad)?,
        };
        Ok((kind, hp))
    });
    units.collect()
}

/// How often each kind comes in a drawn army, in proportion.
const KINDS: [u32; 6] = [2, 2, 5, 3, 3, 6];

/// A map of some size, fair by symmetry, with some of everything: what `map=random` deals. Maps of the competitions are
/// of this kind: 5 to 8 cells a side, up to eight units.
pub(crate) fn drawn(rng: &mut Rng) -> MapFile {
    let between = |rng: &mut Rng, least: u32, most: u32| least + rng.below(most + 1 - least);
    loop {
        let size = (between(rng, 7, 10) as usize, between(rng, 7, 10) as usize);
        // Half of its third of the board stays free.
        let room = (size.0 - 2) / 3 * (size.1 - 2) / 2;
        let units = between(rng, 2, room.clamp(2, 8) as u32);
        let army: Vec<(Kind, u8)> = (0..units)
            .map(|_| {
                let kind = Kind::ALL[weighted(rng, &KINDS)];
                let hp = if rng.chance(0.6) { MOST_HP } else { between(rng, 3, MOST_HP) };
                (kind, hp as u8)
            })
            .collect();
        let mut mix = [0, 60, 0, 0, 0, 0, 0];
        for (share, most) in mix[2..].iter_mut().zip([20, 40, 20, 20, 8]) {
            *share = rng.below(most + 1);
        }
        let plan = Plan {
            size,
            armies: [army.clone(), army],
            mix,
            symmetry: if rng.chance(0.5) { MapSymmetry::Turned } else { MapSymmetry::Mirrored },
            limit: between(rng, 12, 40),
            threshold: between(rng, 1, 10),
            seed: Seed::new(rng.bits()),
        };
        if let Ok(map) = plan.map() {
            return map;
        }
    }
}

/// A place of the list, as often as its share says.
fn weighted(rng: &mut Rng, shares: &[u32]) -> usize {
    let mut drawn = rng.below(shares.iter().sum());
    let found = shares.iter().position(|&share| {
        let here = drawn < share;
        drawn = drawn.saturating_sub(share);
        here
    });
    found.expect("the shares add up to the total")
}

/// How often another terrain is drawn before the plan is given up.
const TRIES: u64 = 200;

impl Plan {
    /// The map that the plan gives. Units stand in their side's third of the board, on ground that they can enter,
    /// and everything that can be entered on foot hangs together.
    pub fn map(&self) -> Result<MapFile, Error> {
        let refuse = |problem: String| Err(Error::input(format!("no map by this plan: {problem}")));
        let (width, height) = self.size;
        if width < 5 || height < 5 {
            return refuse(format!("{width} by {height} is too small, 5 by 5 is the least"));
        }
        if width > MOST_SIDE || height > MOST_SIDE || (width - 2) * (height - 2) > MOST_CELLS {
            return refuse(format!(
                "{width} by {height} is too large: both sides are at most {MOST_SIDE}, with at most {MOST_CELLS} \
                 cells inside the ring"
            ));
        }
        if self.mix.iter().sum::<u32>() == 0 {
            return refuse("the mix names no terrain".to_owned());
        }
        let [red, blue] = &self.armies;
        if red.is_empty() || blue.is_empty() || red.len() + blue.len() > MOST_UNITS {
            return refuse(format!("armies of {} and {} units", red.len(), blue.len()));
        }
        if self.symmetry != MapSymmetry::None && red != blue {
            return refuse("with a symmetry both armies are the same".to_owned());
        }
        for number in 0..TRIES {
            let mut rng = Rng::new(self.seed.child("map").at(number));
            let rows = self.terrain(&mut rng);
            if !hangs_together(&rows) {
                continue;
            }
            if let Some(units) = self.units(&rows, &mut rng) {
                let map = MapFile {
                    rows,
                    announced: [red.len() as u32, blue.len() as u32],
                    units,
                    limit: self.limit,
                    threshold: self.threshold,
                    author: Some("Ranka".into()),
                    comment: Some(format!("generated, seed {}", self.seed.value()).as_str().into()),
                };
                return map.state(Rules::default()).map(|_| map);
            }
        }
        refuse(format!("in {TRIES} tries the ground did not hang together or held no room for the armies"))
    }

    /// The cell that mirrors this one.
    fn twin(&self, x: usize, y: usize) -> (usize, usize) {
        let (width, height) = self.size;
        match self.symmetry {
            MapSymmetry::None => (x, y),
            MapSymmetry::Turned => (width - 1 - x, height - 1 - y),
            MapSymmetry::Mirrored => (width - 1 - x, y),
        }
    }

    fn terrain(&self, rng: &mut Rng) -> Vec<Vec<Terrain>> {
        let (width, height) = self.size;
        let mut rows = vec![vec![Terrain::Wall; width]; height];
        for (x, y) in (1..width - 1).flat_map(|x| (1..height - 1).map(move |y| (x, y))) {
            let terrain = Terrain::ALL[weighted(rng, &self.mix)];
            rows[y][x] = terrain;
            let (x, y) = self.twin(x, y);
            rows[y][x] = terrain;
        }
        rows
    }

    /// Units on their ground; nothing if there is no room.
    fn units(&self, rows: &[Vec<Terrain>], rng: &mut Rng) -> Option<Vec<Unit>> {
        let (width, height) = self.size;
        let third = ((width - 2) / 3).max(1);
        let mut taken: Vec<(usize, usize)> = Vec::new();
        let mut units = Vec::new();
        for team in Team::BOTH {
            let columns = if team == Team::Red { 1..1 + third } else { width - 1 - third..width - 1 };
            for (number, &(kind, hp)) in self.armies[team as usize].iter().enumerate() {
                let mirrored = team == Team::Blue && self.symmetry != MapSymmetry::None;
                let (x, y) = if mirrored {
                    let (x, y) = taken[number];
                    self.twin(x, y)
                } else {
                    let cells = columns.clone().flat_map(|x| (1..height - 1).map(move |y| (x, y)));
                    let free: Vec<(usize, usize)> = cells
                        .filter(|&(x, y)| {
                            rows[y][x].cost(kind.movement_type()).is_some() && !taken.contains(&(x, y))
                        })
                        .collect();
                    if free.is_empty() {
                        return None;
                    }
                    rng.pick(&free)
                };
                taken.push((x, y));
                let place = Place::new(x as u8, y as u8);
                units.push(Unit { id: units.len() as u8, kind, team, place, hp, acted: false });
            }
        }
        Some(units)
    }
}

/// Whether everything that can be entered on foot can be reached from everywhere there.
fn hangs_together(rows: &[Vec<Terrain>]) -> bool {
    let cells = || (0..rows.len()).flat_map(|y| (0..rows[y].len()).map(move |x| (x, y)));
    let open = |&(x, y): &(usize, usize)| rows[y][x].cost(MovementType::Feet).is_some();
    let Some(first) = cells().find(open) else { return false };
    let (mut seen, mut next) = (BTreeSet::from([first]), vec![first]);
    while let Some((x, y)) = next.pop() {
        for cell in [(x + 1, y), (x, y - 1), (x - 1, y), (x, y + 1)] {
            if open(&cell) && seen.insert(cell) {
                next.push(cell);
            }
        }
    }
    seen.len() == cells().filter(open).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_give_sound_maps() {
        for seed in 0..30 {
            for symmetry in [MapSymmetry::None, MapSymmetry::Turned, MapSymmetry::Mirrored] {
                let army = read_army("F A5 P U8 R I I7").unwrap();
                let size = (8 + seed as usize % 5, 12 - seed as usize % 4);
                let armies = [army.clone(), army];
                let plan = Plan { size, armies, symmetry, seed: Seed::new(seed), ..Plan::default() };
                let map = plan.map().unwrap();
                assert_eq!(map, plan.map().unwrap(), "the same plan gives the same map");
                assert_eq!(MapFile::read(&map.write()).unwrap(), map);
                for (y, row) in map.rows.iter().enumerate() {
                    for (x, &terrain) in row.iter().enumerate() {
                        let (twin_x, twin_y) = plan.twin(x, y);
                        assert_eq!(map.rows[twin_y][twin_x], terrain);
                    }
                }
                for unit in &map.units {
                    let terrain = map.rows[usize::from(unit.place.y)][usize::from(unit.place.x)];
                    assert!(terrain.cost(unit.kind.movement_type()).is_some());
                    let (x, y) = plan.twin(unit.place.x.into(), unit.place.y.into());
                    let there = map.units.iter().find(|other| other.place == Place::new(x as u8, y as u8));
                    assert!(there.is_some_and(|other| other.kind == unit.kind && other.hp == unit.hp));
                }
            }
        }
        assert_ne!(Plan::default().map(), Plan { seed: Seed::new(1), ..Plan::default() }.map());
    }

    #[test]
    fn impossible_plans_are_refused() {
        let sea = Plan { mix: [0, 0, 1, 0, 0, 0, 0], ..Plan::default() };
        let crowd = Plan { size: (6, 5), ..Plan::default() };
        let uneven = Plan { armies: [read_army("I").unwrap(), read_army("P").unwrap()], ..Plan::default() };
        let sizes = [(4, 9), (66, 5), (30, 30), (1000, 1000)].map(|size| Plan { size, ..Plan::default() });
        for plan in [sea, crowd, uneven].into_iter().chain(sizes) {
            assert!(plan.map().unwrap_err().to_string().starts_with("no map by this plan"));
        }
        for army in ["X", "I0", "I11", "10", "Ix"] {
            assert!(read_army(army).is_err(), "{army}");
        }
    }
}
