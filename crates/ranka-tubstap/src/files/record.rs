//! Game records as the original program keeps them: the map, then every action with its damages.

use super::map::MapFile;
use super::segments::{Entry, Text, entries};
use crate::action::Action;
use crate::field::Place;
use crate::kinds::Team;
use crate::rules::Rules;
use crate::setup::MOST_TURNS;
use crate::state::State;
use ranka_core::{Error, Position};
use std::fmt;

/// The rule set that the original program names in its records.
const RULE_SET: &str = "rule_set_version_0100";

/// One action of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedAct {
    /// The side gives up.
    Surrender,
    /// An action, or the end of the turn.
    Taken(Taken),
}

/// An action with what the file tells of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// What was done.
    pub act: Action,
    /// Where the unit stood before.
    pub from: Place,
    /// Where the target stood; 0,0 without one.
    pub target_at: Place,
    /// Damage to the target.
    pub damage: u32,
    /// Damage in return.
    pub counter: u32,
}

/// One half-turn of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedTurn {
    /// Half-turns before it.
    pub index: u32,
    /// Whose it is.
    pub team: Team,
    /// What was done in it.
    pub acts: Vec<RecordedAct>,
}

/// A game on a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The map.
    pub map: MapFile,
    /// `PLAYEDDATE`
    pub date: Text,
    /// `PLAYEDRULE`
    pub rule: Text,
    /// `PLAYERRED` and `PLAYERBLUE`
    pub players: [Text; 2],
    /// The half-turns in order.
    pub turns: Vec<RecordedTurn>,
    /// `COM`: remarks, each with the number of actions before it.
    pub comments: Vec<(usize, Text)>,
}

impl GameRecord {
    /// The record of the game in which these actions were taken from the start on the map.
    ///
    /// # Panics
    /// If an action is not legal.
    pub fn of(map: &MapFile, start: &State, players: [&str; 2], date: &str, acts: &[Action]) -> GameRecord {
        let mut record = GameRecord {
            map: map.clone(),
            date: date.into(),
            rule: RULE_SET.into(),
            players: players.map(Text::from),
            turns: Vec::new(),
            comments: Vec::new(),
        };
        let mut state = start.clone();
        for &act in acts {
            assert!(state.is_legal(act), "{act} was taken in the game");
            record.tell(&state, RecordedAct::Taken(Taken::now(&state, act)));
            state.apply(act);
        }
        record
    }

    /// Adds that the side to move gave up in this position, to which the actions have led.
    pub fn surrender(&mut self, end: &State) {
        self.tell(end, RecordedAct::Surrender);
    }

    /// Adds an action in a position. Half-turns that passed without one are told too: the original counts them.
    fn tell(&mut self, state: &State, act: RecordedAct) {
        let (now, mover) = (state.turn(), state.mover());
        for index in self.turns.len() as u32..=now {
            let team = if (now - index).is_multiple_of(2) { mover } else { mover.other() };
            self.turns.push(RecordedTurn { index, team, acts: Vec::new() });
        }
        self.turns[now as usize].acts.push(act);
    }

    /// Where the game started. Sides are swapped in automatic matches: then blue moves first.
    pub fn start(&self, rules: Rules) -> Result<State, Error> {
        let first = self.turns.first().map_or(Team::Red, |turn| {
            if turn.index.is_multiple_of(2) { turn.team } else { turn.team.other() }
        });
        self.map.begun_by(first, rules)
    }

    /// Reads a record.
    pub fn read(bytes: &[u8]) -> Result<GameRecord, Error> {
        let entries = entries(bytes)?;
        let map = MapFile::from_entries(&entries)?;
        let tagged = |tag: &str| {
            let found = entries.iter().find(|entry| entry.tag == tag);
            found.ok_or_else(|| Error::input(format!("{tag}[…] is missing")))
        };
        let text = |tag: &str| tagged(tag).map(|entry| entry.text.clone());
        let rule = tagged("PLAYEDRULE")?;
        if rule.text.bytes() != RULE_SET.as_bytes() {
            return Err(rule.error(format!("other rules than {RULE_SET} are not known")));
        }
        let mut actions = 0;
        let mut turns: Vec<(RecordedTurn, &Entry, usize)> = Vec::new();
        let mut comments = Vec::new();
        for entry in &entries {
            match entry.tag.as_str() {
                "TURNINFO" => turns.push(read_turn(entry)?),
                "ACTION" => {
                    let Some((turn, _, _)) = turns.last_mut() else {
                        return Err(entry.error("an action before the first TURNINFO[…]"));
                    };
                    turn.acts.push(read_act(entry)?);
                    actions += 1;
                }
                "COM" => comments.push((actions, entry.text.clone())),
                _ => {}
            }
        }
        for (turn, entry, announced) in &turns {
            if turn.acts.len() != *announced {
                return Err(entry.error(format!("{} ACTION[…] follow", turn.acts.len())));
            }
        }
        Ok(GameRecord {
            map,
            date: text("PLAYEDDATE")?,
            rule: rule.text.clone(),
            players: [text("PLAYERRED")?, text("PLAYERBLUE")?],
            turns: turns.into_iter().map(|(turn, _, _)| turn).collect(),
            comments,
        })
    }

    /// Plays the game again and gives its actions and where they lead. Every action must be legal and do
    /// the damage that the record tells. Who surrendered, if anybody did, comes last.
    pub fn replay(&self, rules: Rules) -> Result<(Vec<Action>, State, Option<Team>), Error> {
        let mut state = self.start(rules)?;
        let mut acts = Vec::new();
        let mut surrendered = None;
        for turn in &self.turns {
            for (i, recorded) in turn.acts.iter().enumerate() {
                let wrong = |problem: String| {
                    Err(Error::input(format!("half-turn {}, action {}: {problem}", turn.index, i + 1)))
                };
                if surrendered.is_some() {
                    return wrong("an action after a surrender".to_owned());
                }
                if state.is_over() {
                    return wrong("the game is over".to_owned());
                }
                if (turn.index, turn.team) != (state.turn(), state.mover()) {
                    let (now, team) = (state.turn(), state.mover().name());
                    return wrong(format!("it is half-turn {now} and {team} is to move"));
                }
                let RecordedAct::Taken(told) = *recorded else {
                    surrendered = Some(turn.team);
                    continue;
                };
                let act = told.act;
                if let Some(problem) = crate::refusal::refusal(&state, act) {
                    return wrong(format!("{act} is not legal: {problem}"));
                }
                let found = Taken::now(&state, act);
                if found != told {
                    return wrong(format!("the record tells {told}, but the rules say {found}"));
                }
                state.apply(act);
                acts.push(act);
            }
        }
        Ok((acts, state, surrendered))
    }

    /// The bytes of a file that the original program loads.
    pub fn write(&self) -> Vec<u8> {
        let mut out = self.map.write();
        let mut line = |parts: &[&[u8]]| parts.iter().for_each(|part| out.extend_from_slice(part));
        line(&[b"PLAYEDDATE[", self.date.bytes(), b"];\n"]);
        line(&[b"PLAYEDRULE[", self.rule.bytes(), b"];\n"]);
        let [red, blue] = &self.players;
        line(&[b"PLAYERRED[", red.bytes(), b"]PLAYERBLUE[", blue.bytes(), b"];\n"]);
        let mut comments = self.comments.iter().peekable();
        let mut actions = 0;
        for turn in &self.turns {
            let (index, team, count) = (turn.index, turn.team as u8, turn.acts.len());
            line(&[format!("TURNINFO[{index},{team},{count}];\n").as_bytes()]);
            for act in &turn.acts {
                let numbers: Vec<String> = act.numbers().iter().map(i64::to_string).collect();
                line(&[format!("ACTION[{}];\n", numbers.join(",")).as_bytes()]);
                actions += 1;
                while let Some((_, comment)) = comments.next_if(|(before, _)| *before <= actions) {
                    line(&[b"COM[", comment.bytes(), b"];\n"]);
                }
            }
        }
        for (_, comment) in comments {
            line(&[b"COM[", comment.bytes(), b"];\n"]);
        }
        out
    }
}

impl Taken {
    /// What the rules say of an action about to be taken.
    fn now(state: &State, act: Action) -> Taken {
        let nowhere = Place::new(0, 0);
        let stands = |id: Option<u8>| id.and_then(|id| state.unit(id)).map_or(nowhere, |unit| unit.place);
        let (damage, counter) = state.preview(act).unwrap_or((0, 0));
        Taken { act, from: stands(act.unit()), target_at: stands(act.target()), damage, counter }
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Taken { act, from, target_at, damage, counter } = self;
        write!(f, "{act} from {from} on {target_at} with damage {damage} and {counter}")
    }
}

impl RecordedAct {
    /// What is told of an action that is about to be taken.
    pub fn now(state: &State, act: Action) -> RecordedAct {
        RecordedAct::Taken(Taken::now(state, act))
    }

    /// The eleven numbers of an `ACTION`.
    pub fn numbers(&self) -> [i64; 11] {
        let RecordedAct::Taken(Taken { act, from, target_at, damage, counter }) = *self else {
            return [0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0];
        };
        let Some(unit) = act.unit() else { return [0, 0, 0, 0, 0, -1, 0, 0, 3, 0, 0] };
        let (to, target) = (act.to(), act.target());
        let kind = if target.is_some() { 2 } else { 1 };
        let [unit, to_x, to_y, from_x, from_y, at_x, at_y] =
            [unit, to.x, to.y, from.x, from.y, target_at.x, target_at.y].map(i64::from);
        let target = target.map_or(-1, i64::from);
        [unit, to_x, to_y, from_x, from_y, target, at_x, at_y, kind, damage.into(), counter.into()]
    }

    /// The action that the eleven numbers of an `ACTION` tell.
    pub fn of_numbers(numbers: &[i64]) -> Result<RecordedAct, Error> {
        let [unit, to_x, to_y, from_x, from_y, target, at_x, at_y, kind, damage, counter] = *numbers else {
            return Err(Error::input(format!("expected 11 numbers, found {}", numbers.len())));
        };
        let small = |n: i64| {
            let small = u8::try_from(n).ok().filter(|&n| n < 128);
            small.ok_or_else(|| Error::input(format!("{n} is out of range")))
        };
        let place = |x, y| Ok::<_, Error>(Place::new(small(x)?, small(y)?));
        let nowhere = Place::new(0, 0);
        let act = match kind {
            0 => return Ok(RecordedAct::Surrender),
            1 => Action::go(small(unit)?, place(to_x, to_y)?),
            2 => Action::attack(small(unit)?, place(to_x, to_y)?, small(target)?),
            3 => {
                let (act, from, target_at) = (Action::END, nowhere, nowhere);
                return Ok(RecordedAct::Taken(Taken { act, from, target_at, damage: 0, counter: 0 }));
            }
            _ => return Err(Error::input(format!("{kind} is no type of action; they are 0 to 3"))),
        };
        let target_at = if kind == 2 { place(at_x, at_y)? } else { nowhere };
        let (from, damage, counter) = (place(from_x, from_y)?, small(damage)?.into(), small(counter)?.into());
        Ok(RecordedAct::Taken(Taken { act, from, target_at, damage, counter }))
    }
}

/// Reads a `TURNINFO`; how many actions it announces comes last.
fn read_turn(entry: &Entry) -> Result<(RecordedTurn, &Entry, usize), Error> {
    match entry.numbers()?[..] {
        [index, team @ 0..=1, count] if index >= 0 && index <= MOST_TURNS.into() && count >= 0 => {
            let turn =
                RecordedTurn { index: index as u32, team: Team::BOTH[team as usize], acts: Vec::new() };
            Ok((turn, entry, count as usize))
        }
        _ => Err(entry.error("expected TURNINFO[index,team,number of actions]")),
    }
}

fn read_act(entry: &Entry) -> Result<RecordedAct, Error> {
    RecordedAct::of_numbers(&entry.numbers()?).map_err(|error| entry.error(error))
}
