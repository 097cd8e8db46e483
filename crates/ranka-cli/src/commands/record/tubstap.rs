//! Records in the form of the original TUBSTAP program.

use ranka_core::{
    End, EndReason, Error, Game as _, Notation as _, Params, Position as _, RECORD_FORMAT, Record,
    SMALL_FILE, read_bytes,
};
use ranka_lab::Replayer;
use ranka_tubstap::{Action, GameRecord, MapFile, ResultRow, Rules, State, Team, Text, Tubstap, results_csv};
use std::path::Path;

/// The game of a record, where it starts, and its actions; all of it checked.
fn replayed(record: &Record) -> Result<(Tubstap, State, Vec<Action>), Error> {
    if record.game != Tubstap::INFO.name {
        return Err(Error::input(format!("a game of {} cannot be told as one of TUBSTAP", record.game)));
    }
    Replayer::default().check(record)?;
    let game = Tubstap::new(&Params::parse(&record.rules, Tubstap::options())?)?;
    let start = game.read_state(&record.start)?;
    let acts = record.actions.split_whitespace().map(|text| game.read_action(text));
    let acts = acts.collect::<Result<_, _>>()?;
    Ok((game, start, acts))
}

/// The map that the record's options name, if the game was played on it and did not come from elsewhere.
fn named_map<'a>(game: &'a Tubstap, start: &State) -> Option<&'a MapFile> {
    let setup = start.setup();
    let same = game.map.rows == setup.rows && game.map.units.len() == setup.units.len();
    same.then_some(game.map.as_ref())
}

/// The file of a game. It is an error if the original program's form or rules cannot tell it.
pub(super) fn write(record: &Record) -> Result<Vec<u8>, Error> {
    let (game, start, acts) = replayed(record)?;
    let mut map = MapFile::starting(&start)
        .ok_or_else(|| Error::input("the original program's maps cannot tell where this game starts"))?;
    if let Some(named) = named_map(&game, &start) {
        (map.author, map.comment) = (named.author.clone(), named.comment.clone());
    }
    let mut end = start.clone();
    acts.iter().for_each(|&act| end.apply(act));
    let players = [0, 1].map(|seat| record.agents[seat].as_str());
    // When it was played is nowhere kept: a record is the same whenever it is made.
    let mut file = GameRecord::of(&map, &start, players, "-", &acts);
    match (record.end.reason, record.end.seat) {
        (EndReason::Rules, _) => {}
        (EndReason::Resigned, seat) if seat == Some(end.mover().seat()) => file.surrender(&end),
        (EndReason::Resigned, _) => {
            let problem =
                "resigned in the other side's turn: the original program's records cannot tell that";
            return Err(Error::input(problem));
        }
        (reason, _) => {
            let problem =
                format!("ended by {}: the original program's records cannot tell that", reason.name());
            return Err(Error::input(problem));
        }
    }
    let by_its_rules = |e: Error| e.at("by the rules of the original program");
    let (_, end, surrendered) = file.replay(Rules::default()).map_err(by_its_rules)?;
    if surrendered.is_none() && end.outcome().scores() != record.outcome {
        return Err(by_its_rules(Error::input("this game has another outcome")));
    }
    Ok(file.write())
}

/// Reads the file of a game, and tells which of its texts have no place in a record of ours.
pub(super) fn read(path: &Path) -> Result<(Record, Vec<&'static str>), Error> {
    let bytes = read_bytes(path, SMALL_FILE)?;
    let file = GameRecord::read(&bytes).map_err(|e| e.in_file(path))?;
    let record = record_of(&file).map_err(|e| e.in_file(path))?;
    let says = |text: &Text| !["", "-"].contains(&text.to_string().trim());
    let texts = [
        ("PLAYEDDATE", says(&file.date)),
        ("AUTHOR", file.map.author.as_ref().is_some_and(says)),
        ("MAPCOM", file.map.comment.as_ref().is_some_and(says)),
        ("COM", !file.comments.is_empty()),
    ];
    Ok((record, texts.into_iter().filter(|(_, there)| *there).map(|(tag, _)| tag).collect()))
}

fn record_of(file: &GameRecord) -> Result<Record, Error> {
    let options = Params::defaults(Tubstap::options());
    let game = Tubstap::new(&options)?;
    let rules = Rules::default();
    let (acts, end, surrendered) = file.replay(rules)?;
    let (reason, outcome) = match surrendered {
        Some(team) => (EndReason::Resigned, Team::BOTH.map(|of| if of == team { 0.0 } else { 1.0 }).to_vec()),
        None if end.actor().is_over() => (EndReason::Rules, end.outcome().scores().to_vec()),
        None => return Err(Error::input("the game is not over after its last action")),
    };
    let record = Record {
        format: RECORD_FORMAT,
        game: Tubstap::INFO.name.to_owned(),
        version: Tubstap::INFO.version,
        rules: options.full(),
        seed: (0, 0, 0),
        agents: file.players.iter().map(ToString::to_string).collect(),
        numbers: vec![0, 1],
        versions: vec![0; 2],
        budget: None,
        ply_cap: None,
        move_limit: None,
        start: game.write_state(&file.start(rules)?),
        actions: acts.iter().map(|&act| game.write_action(act)).collect::<Vec<_>>().join(" "),
        plies: acts.len() as u32,
        end: End { reason, seat: surrendered.map(|team| team.seat()), answer: None, detail: None },
        outcome,
    };
    Replayer::default().check(&record)?;
    Ok(record)
}

/// Results as the original program counts them: by who played red.
#[derive(Default)]
pub(super) struct Results {
    /// The rows, each with its map as the rules name it: two files in different folders are two maps.
    rows: Vec<(String, ResultRow)>,
}

/// The map of games that came from elsewhere.
const UNNAMED: &str = "-";

impl Results {
    /// Counts a game.
    pub(super) fn count(&mut self, record: &Record) -> Result<(), Error> {
        let (game, start, acts) = replayed(record)?;
        let options = Params::parse(&record.rules, Tubstap::options())?;
        let map = if named_map(&game, &start).is_some() { options.text("map") } else { UNNAMED };
        let noise = options.text("noise");
        let players = [0, 1].map(|seat| record.agents[seat].clone());
        let same = |(of, row): &(String, ResultRow)| of == map && row.players == players;
        let place = self.rows.iter().position(same).unwrap_or_else(|| {
            let name = Path::new(map).file_name().map_or(map.into(), |name| name.to_string_lossy());
            let row = ResultRow {
                map: name.into_owned(),
                players,
                hp_noise: ["hp", "both"].contains(&noise),
                place_noise: ["places", "both"].contains(&noise),
                ..ResultRow::default()
            };
            self.rows.push((map.to_owned(), row));
            self.rows.len() - 1
        });
        let row = &mut self.rows[place].1;
        match (record.end.reason, record.end.seat) {
            (EndReason::Rules, _) => {
                let mut end = start;
                acts.into_iter().for_each(|act| end.apply(act));
                row.count(&end);
            }
            (EndReason::Resigned, Some(seat)) if seat.index() < 2 => {
                row.count_surrender(Team::BOTH[seat.index()]);
            }
            (reason, _) => {
                let problem =
                    format!("ended by {}: the original program has no column for it", reason.name());
                return Err(Error::input(problem));
            }
        }
        Ok(())
    }

    /// The rows.
    pub(super) fn csv(self) -> String {
        results_csv(&self.rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>())
    }
}
