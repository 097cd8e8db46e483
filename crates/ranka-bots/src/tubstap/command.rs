//! What a server asks for.

use super::wire::read_action;
use ranka_core::{Error, unknown};
use ranka_tubstap::{MapFile, RecordedAct, Team};

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you?
    Name,
    /// That is whom you play.
    Opponent(String),
    /// That is the map.
    Map(Box<MapFile>),
    /// That is your side.
    Color(Team),
    /// Act with one unit.
    Genmove,
    /// The other side did this.
    Play(RecordedAct),
    /// How do you see the game?
    Status,
    /// It is over.
    Gameover,
}

const NAMES: [&str; 8] = ["name", "opponent", "MAP", "Color", "Genmove", "play", "status", "gameover"];

impl Command {
    /// Reads a line without its ending. Whether letters are capital does not matter.
    pub fn read(line: &str) -> Result<Command, Error> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let place = |error: Error| error.at(format!("command {name}"));
        match name.to_ascii_lowercase().as_str() {
            "name" => Ok(Command::Name),
            "opponent" => Ok(Command::Opponent(rest.to_owned())),
            "map" => MapFile::read(rest.as_bytes()).map(|map| Command::Map(Box::new(map))).map_err(place),
            "color" => match rest {
                "0" => Ok(Command::Color(Team::Red)),
                "1" => Ok(Command::Color(Team::Blue)),
                _ => Err(place(Error::input(format!("{rest:?} is neither 0 (red) nor 1 (blue)")))),
            },
            "genmove" => Ok(Command::Genmove),
            "play" => read_action(rest).map(Command::Play).map_err(place),
            "status" => Ok(Command::Status),
            "gameover" => Ok(Command::Gameover),
            _ => {
                let shown: String = name.chars().take(40).collect();
                Err(Error::input(unknown("command", &shown, &NAMES)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_others_told() {
        assert_eq!(Command::read("name"), Ok(Command::Name));
        assert_eq!(Command::read("opponent M-UCT 2"), Ok(Command::Opponent("M-UCT 2".to_owned())));
        assert_eq!(Command::read("Color 1 "), Ok(Command::Color(Team::Blue)));
        assert_eq!(Command::read("genmove"), Ok(Command::Genmove));
        assert_eq!(
            Command::read("play -1,-1,-1,0,0,-1,0,0,0,0,0"),
            Ok(Command::Play(RecordedAct::Surrender))
        );
        let told = |line| Command::read(line).unwrap_err().to_string();
        assert!(told("genmov").contains("did you mean Genmove"));
        assert!(told("Color 2").starts_with("command Color: \"2\" is neither"));
        assert!(told("MAP SIZEX[3];").starts_with("command MAP: SIZEY[…] is missing"));
        assert!(told("play 1").starts_with("command play: action \"1\": expected 11 numbers"));
    }
}
