//! Records in the form of the original TUBSTAP program.

use ranka_core::{
    End, EndReason, Game as _, InputError, Notation as _, Params, Position as _, RECORD_FORMAT, Record,
};
use ranka_lab::Replayer;
use ranka_tubstap::{Act, GameRecord, MapFile, RecordedAct, ResultRow, State, Team, Tubstap, results_csv};
use std::path::Path;

/// The game of a record, where it starts, and its actions; all of it checked.
fn replayed(record: &Record) -> Result<(Tubstap, State, Vec<Act>), InputError> {
    if record.game != Tubstap::INFO.name {
        return Err(InputError::new(format!("a game of {} cannot be told as one of TUBSTAP", record.game)));
    }
    Replayer::default().check(record)?;
    let game = Tubstap::new(&Params::parse(&record.rules, Tubstap::options())?)?;
    let start = game.read_state(&record.start)?;
    let acts = record.actions.split_whitespace().map(|text| game.read_action(text));
    let acts = acts.collect::<Result<_, _>>()?;
    Ok((game, start, acts))
}

/// The file of a game.
pub(super) fn write(record: &Record) -> Result<Vec<u8>, InputError> {
    let (_, start, acts) = replayed(record)?;
    let setup = start.setup();
    let numbered = setup.units.iter().enumerate().all(|(id, unit)| usize::from(unit.id) == id);
    if !numbered || setup.turn != 0 || setup.first != Team::Red {
        return Err(InputError::new("the original program's maps cannot tell where this game starts"));
    }
    let count = |team| setup.units.iter().filter(|unit| unit.team == team).count() as u32;
    let announced = [count(Team::Red), count(Team::Blue)];
    let map = MapFile {
        rows: setup.rows,
        units: setup.units,
        limit: setup.limit,
        threshold: setup.threshold,
        announced,
        author: None,
        comment: None,
    };
    let players = [0, 1].map(|seat| record.agents[seat].as_str());
    // When it was played is nowhere kept: a record is the same whenever it is made.
    let mut game = GameRecord::of(&map, start.rules(), players, "-", &acts);
    if record.end.reason == EndReason::Resigned
        && let Some(turn) = game.turns.last_mut()
    {
        turn.acts.push(RecordedAct::Surrender);
    }
    Ok(game.write())
}

/// Reads the file of a game.
pub(super) fn read(path: &Path) -> Result<Record, InputError> {
    let bytes = std::fs::read(path).map_err(|e| InputError::new(e.to_string()).at(path.display()))?;
    record_of(&bytes).map_err(|e| e.at(path.display()))
}

fn record_of(bytes: &[u8]) -> Result<Record, InputError> {
    let file = GameRecord::read(bytes)?;
    let options = Params::defaults(Tubstap::options());
    let game = Tubstap::new(&options)?;
    let rules = ranka_tubstap::Rules::default();
    let (acts, end, surrendered) = file.replay(rules)?;
    let (reason, outcome) = match surrendered {
        Some(team) => (EndReason::Resigned, Team::BOTH.map(|of| if of == team { 0.0 } else { 1.0 }).to_vec()),
        None if end.actor().is_over() => (EndReason::Rules, end.outcome().scores().to_vec()),
        None => return Err(InputError::new("the game is not over after its last action")),
    };
    let record = Record {
        format: RECORD_FORMAT,
        game: Tubstap::INFO.name.to_owned(),
        version: Tubstap::INFO.version,
        rules: options.full(),
        seed: (0, 0, 0),
        agents: file.players.iter().map(ToString::to_string).collect(),
        numbers: vec![0, 1],
        budget: None,
        start: game.write_state(&file.map.state(rules)?),
        actions: acts.iter().map(|&act| game.write_action(act)).collect::<Vec<_>>().join(" "),
        plies: acts.len() as u32,
        end: End { reason, seat: surrendered.map(|team| team.seat().index()), detail: None },
        outcome,
    };
    Replayer::default().check(&record)?;
    Ok(record)
}

/// Results as the original program counts them: by who played red.
#[derive(Default)]
pub(super) struct Results {
    rows: Vec<ResultRow>,
}

impl Results {
    /// Counts a game.
    pub(super) fn count(&mut self, record: &Record) -> Result<(), InputError> {
        let (_, mut state, acts) = replayed(record)?;
        acts.into_iter().for_each(|act| state.apply(act));
        if record.end.reason != EndReason::Rules {
            let reason = record.end.reason.name();
            return Err(InputError::new(format!(
                "ended by {reason}: the original program has no column for it"
            )));
        }
        let options = Params::parse(&record.rules, Tubstap::options())?;
        let (map, noise) = (options.text("map").to_owned(), options.text("noise"));
        let players = [0, 1].map(|seat| record.agents[seat].clone());
        let place = self.rows.iter().position(|row| (&row.map, &row.players) == (&map, &players));
        let place = place.unwrap_or_else(|| {
            let (hp_noise, place_noise) =
                (["hp", "both"].contains(&noise), ["places", "both"].contains(&noise));
            self.rows.push(ResultRow { map, players, hp_noise, place_noise, ..ResultRow::default() });
            self.rows.len() - 1
        });
        self.rows[place].count(&state);
        Ok(())
    }

    /// The rows.
    pub(super) fn csv(&self) -> String {
        results_csv(&self.rows)
    }
}
