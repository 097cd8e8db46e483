//! What the fuzzer throws at everything here that reads what outsiders send.

use super::message::Message;
use super::referee::Referee;
use super::{MAX_TURN, game, lines, read_log};
use crate::fuzz::Parser;
use ranka_core::Seat;

/// The lines of clients, of servers, and of logs.
pub const PARSER: Parser = Parser {
    name: "geister",
    read,
    samples: &[
        "SET:ABCD\r\n",
        "SET:EFGH\r\nMOV:A,NORTH\r\nMOV:h,w\r\n",
        "MOV:D,E\r\n",
        "SET?\r\nOK \r\nOKR\r\nNG \r\n",
        "MOV?14R24R34R99r15B25B35B99b44u31u21u11u40u30u20u10u\r\n",
        "WON:88b24B34B44B15R25R35R45R41r31r21r11r50b30b20b10b\r\n",
        "player=0,SET:EFGH\nplayer=1,SET:ABCD\nplayer=0,MOV:A,WEST\nplayer=1,MOV:E,W\nwinner=2\n",
        "player=1,SET:ABCD\nplayer=0,SET:EFGH\nplayer=0,MOV:A,N\nreason=timeout,player=1\nwinner=0\n",
    ],
};

fn read(input: &[u8]) {
    let mut lines = lines();
    lines.push(input);
    let Ok((rules, text)) = game(MAX_TURN) else { return };
    let mut referee = Referee::new(rules, text, false);
    // The seats speak in turn, so that what follows a good set-up is heard as moves.
    let seats = Seat::all(2).cycle();
    for (line, seat) in std::iter::from_fn(|| lines.line()).zip(seats) {
        let Ok(line) = line else { continue };
        let _ = Message::parse(&line, seat);
        referee.hear(seat, &line);
    }
    let _ = read_log(&String::from_utf8_lossy(input));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::fuzz;
    use ranka_core::Seed;

    #[test]
    fn no_line_makes_us_panic() {
        assert_eq!(fuzz(&PARSER, 50_000, Seed::new(1)), Ok(()));
    }
}
