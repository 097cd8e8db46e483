//! What the two sides say.

use super::board::{Direction, Sight, letter};
use ranka_core::{Error, Seat};
use ranka_geister::SetUp;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `SET:ABCD`: these ghosts are red, or why that is no set-up.
    SetUp(Result<SetUp, String>),
    /// `MOV:A,NORTH`: this ghost (A is 0) goes there; nothing for a ghost or direction that does not exist.
    Move(Option<(usize, Direction)>),
}

impl Command {
    /// Reads a line as the original server does: words of letters, digits and `_` to the end of the line; of
    /// the ghost's word only the first letter counts; small letters are as good as capitals. Nothing if the
    /// line is no command at all.
    pub fn parse(line: &str) -> Option<Command> {
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(letters) = line.strip_prefix("SET:").filter(|letters| is_word(letters)) {
            return Some(Command::SetUp(SetUp::of(&letters.to_ascii_uppercase())));
        }
        let (ghost, direction) = line.strip_prefix("MOV:")?.split_once(',')?;
        if !is_word(ghost) || !is_word(direction) {
            return None;
        }
        let number = |first: u8| matches!(first, b'A'..=b'H').then(|| usize::from(first - b'A'));
        let ghost = number(ghost.bytes().next()?.to_ascii_uppercase());
        Some(Command::Move(ghost.zip(Direction::named(direction))))
    }

    /// The set-up as a line without its ending.
    pub fn set_up(set_up: SetUp) -> String {
        format!("SET:{set_up}")
    }

    /// The move as a line without its ending.
    pub fn going(ghost: usize, direction: Direction) -> String {
        format!("MOV:{},{}", letter(ghost), direction.name())
    }
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerMessage {
    /// `SET?`: which ghosts are red?
    AskSetUp,
    /// `MOV?`: your turn.
    AskMove(Sight),
    /// `OK`: accepted; perhaps with the colour of what was taken, but that is not to be relied on.
    Accepted,
    /// `NG`: refused.
    Refused,
    /// `WON:`
    Won(Sight),
    /// `LST:`
    Lost(Sight),
    /// `DRW:`
    Drawn(Sight),
}

impl ServerMessage {
    /// Reads a line that the server has sent to `seat`.
    pub fn parse(line: &str, seat: Seat) -> Result<ServerMessage, Error> {
        // A line that is not ASCII may not be cut at the fourth byte.
        match line.split_at_checked(4) {
            Some(("SET?", "")) => Ok(ServerMessage::AskSetUp),
            Some(("MOV?", board)) => Sight::read(board, seat).map(ServerMessage::AskMove),
            Some(("WON:", board)) => Sight::read(board, seat).map(ServerMessage::Won),
            Some(("LST:", board)) => Sight::read(board, seat).map(ServerMessage::Lost),
            Some(("DRW:", board)) => Sight::read(board, seat).map(ServerMessage::Drawn),
            _ => match line.trim_end() {
                "OK" | "OKR" | "OKB" => Ok(ServerMessage::Accepted),
                "NG" => Ok(ServerMessage::Refused),
                _ => Err(Error::outside(format!("the server said {line:?}, which is no message"))),
            },
        }
    }
}
