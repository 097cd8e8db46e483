//! Actions and maps as lines.

use ranka_core::Error;
use ranka_tubstap::{MapFile, RecordedAct, State, Team, Text};

/// An action as it is sent: eleven numbers.
pub fn write_action(act: RecordedAct) -> String {
    act.numbers().map(|number| number.to_string()).join(",")
}

/// Reads an action. Only what was chosen counts: unit, destination, target and type. What follows from it (where the unit and its
/// target stood, the damages) many programs leave open, and we know it ourselves.
pub fn read_action(text: &str) -> Result<RecordedAct, Error> {
    let place = || format!("action {:?}", text.chars().take(80).collect::<String>());
    let inner = text.trim().trim_end_matches(';').trim_end_matches(']');
    let inner = inner.strip_prefix("ACTION[").unwrap_or(inner);
    let number = |word: &str| {
        let word = word.trim();
        word.parse::<i64>().map_err(|_| Error::input(format!("{word:?} is no whole number")).at(place()))
    };
    let mut numbers = inner.split(',').take(12).map(number).collect::<Result<Vec<i64>, _>>()?;
    for open in [3, 4, 6, 7, 9, 10] {
        if let Some(number) = numbers.get_mut(open) {
            *number = 0;
        }
    }
    RecordedAct::of_numbers(&numbers).map_err(|error| error.at(place()))
}

/// The map of a game that starts at `state`, in one line. It is the map's own, unless options of the rules have changed it.
pub fn map_line(map: &MapFile, state: &State) -> String {
    let setup = state.setup();
    let count = |team: Team| setup.units.iter().filter(|unit| unit.team == team).count() as u32;
    let text = |text: &Option<Text>| text.as_ref().map(|text| Text::from(text.to_string().as_str()));
    let sent = MapFile {
        announced: Team::BOTH.map(count),
        rows: setup.rows,
        units: setup.units,
        limit: setup.limit,
        threshold: setup.threshold,
        author: text(&map.author),
        comment: text(&map.comment),
    };
    String::from_utf8_lossy(&sent.write()).replace(['\r', '\n'], "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_tubstap::{Action, Place, Rules, Taken, maps};

    #[test]
    fn actions_of_the_original_program_are_read() {
        let act = |text: &str| match read_action(text).unwrap() {
            RecordedAct::Taken(Taken { act, .. }) => Some(act),
            RecordedAct::Surrender => None,
        };
        assert_eq!(act("0,2,3,1,3,-1,0,0,1,0,0"), Some(Action::go(0, Place::new(2, 3))));
        assert_eq!(act(" 1, 3,3,2,4,2,4,3,2,5,3 "), Some(Action::attack(1, Place::new(3, 3), 2)));
        assert_eq!(act("ACTION[1,3,3,-1,-1,2,-1,-1,2,0,0];"), Some(Action::attack(1, Place::new(3, 3), 2)));
        // The end of a turn and a surrender name no unit.
        assert_eq!(act("-1,-1,-1,0,0,-1,0,0,3,0,0"), Some(Action::END));
        assert_eq!(act("-1,-1,-1,0,0,-1,0,0,0,0,0"), None);
        for text in [
            "",
            "1,2,3",
            "0,2,3,1,3,-1,0,0,1,0,0,0",
            "0,2,x,1,3,-1,0,0,1,0,0",
            "0,999,3,1,3,-1,0,0,1,0,0",
            "0,2,3,1,3,-1,0,0,2,0,0",
            "0,2,3,1,3,-1,0,0,4,0,0",
        ] {
            let error = read_action(text).unwrap_err().to_string();
            assert!(error.starts_with("action \""), "{error}");
        }
    }

    #[test]
    fn a_map_in_one_line_is_the_same_map() {
        for name in maps::names() {
            let map = maps::find(name).unwrap();
            let state = map.state(Rules::default()).unwrap();
            let line = map_line(&map, &state);
            assert!(!line.contains(['\r', '\n']));
            let read = MapFile::read(line.as_bytes()).unwrap();
            assert_eq!(read.state(Rules::default()).unwrap(), state);
            assert_eq!(read.comment, map.comment);
        }
    }
}
