//! What the fuzzer throws at everything here that reads what outsiders send.

use super::message::ServerMessage;
use super::referee::Referee;
use super::{MAX_TURN, game, lines, read_log};
use crate::fuzz::{Parser, Reaction};
use ranka_core::Seat;

/// The lines of clients, of servers, and of logs.
pub const PARSER: Parser = Parser {
    name: "geister",
    read,
    samples: &[
        "SET:ABCD\r\n",
        "SET:EFGH\r\nSET:ABCD\r\nMOV:A,NORTH\r\nMOV:a,n\r\n",
        "SET:EFGH\r\nSET:ABCD\r\nMOV:A,W\r\nMOV:D,E\r\n",
        "SET?\r\nOK \r\nOKR\r\nNG \r\n",
        "MOV?14R24R34R99r15B25B35B99b44u31u21u11u40u30u20u10u\r\n",
        "WON:88b24B34B44B15R25R35R45R41r31r21r11r50b30b20b10b\r\n",
        "player=0,SET:EFGH\nplayer=1,SET:ABCD\nplayer=0,MOV:A,WEST\nplayer=1,MOV:E,W\nwinner=2\n",
        "player=1,SET:ABCD\nplayer=0,SET:EFGH\nplayer=0,MOV:A,N\nreason=timeout,player=1\nwinner=0\n",
    ],
};

fn read(input: &[u8]) -> Reaction {
    let mut lines = lines();
    lines.push(input);
    let Ok((rules, text)) = game(MAX_TURN) else { return Reaction::told(false, "no rules") };
    let mut referee = Referee::new(rules, text, false);
    // The seats speak in turn, so that what follows a good set-up is heard as moves.
    let seats = Seat::all(2).cycle();
    let mut parts = Vec::new();
    for (line, seat) in std::iter::from_fn(|| lines.line()).zip(seats) {
        parts.push(match line {
            Ok(line) => heard(&mut referee, &line, seat),
            Err(trouble) => Reaction::told(false, &trouble.to_string()),
        });
    }
    let log = Reaction::of(&read_log(&String::from_utf8_lossy(input)));
    // It is a log, or lines of either side.
    let taken = log.taken || (!parts.is_empty() && parts.iter().all(|part| part.taken));
    Reaction { taken, ..Reaction::all(parts.into_iter().chain([log])) }
}

/// A line as a server hears it, and as a client does.
fn heard(referee: &mut Referee, line: &str, seat: Seat) -> Reaction {
    let message = Reaction::of(&ServerMessage::parse(line, seat));
    let heard = referee.hear(seat, line);
    let replies: Vec<&str> =
        heard.replies.iter().map(|(_, line)| line.get(..3).unwrap_or_default()).collect();
    let command = Reaction::told(heard.accepted, &replies.join(" "));
    Reaction { taken: message.taken || command.taken, ..Reaction::all([message, command]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_makes_us_panic() {
        crate::fuzz::tests::stands(PARSER, 50_000);
    }
}
