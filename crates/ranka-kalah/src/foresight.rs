//! What comes of a sowing, told before it is made.

use crate::action::House;
use crate::notation::side_name;
use crate::picture::{house_id, store_id};
use crate::rules::Capture;
use crate::state::State;
use ranka_core::{Foresight, Message, Position, Seat};

/// Written at the place of the last seed.
const LANDING: &str = "◎";

/// What comes of `action`; nothing if it is not legal.
pub(crate) fn foresee(view: &State, action: House) -> Foresight {
    if !view.is_legal(action) {
        return Foresight::default();
    }
    let Some(house) = action.index() else {
        return Foresight { message: Message::new("Takes over the other side", [""; 0]), marks: Vec::new() };
    };
    let sowing = Sowing::of(view, house);
    Foresight { message: sowing.says(view), marks: sowing.marks(view) }
}

/// Where the seeds of a house fall. The ring runs over the own houses, the own store and the other's houses.
pub(crate) struct Sowing {
    house: usize,
    pub(crate) seeds: u32,
    /// The seeds that each place of the ring is given.
    pub(crate) given: Vec<u32>,
    /// The place of the last one.
    pub(crate) last: usize,
    /// What the opposite house loses; nothing where the last seed stays.
    pub(crate) prize: Option<u32>,
}

impl Sowing {
    pub(crate) fn of(view: &State, house: usize) -> Sowing {
        let (houses, mover) = (view.houses(), view.mover);
        let seeds = view.seeds(mover, house);
        let mut given = vec![0; 2 * houses + 1];
        let mut last = house;
        for _ in 0..seeds {
            last = (last + 1) % given.len();
            given[last] += 1;
        }
        let before = if last == house { 0 } else { view.seeds(mover, last.min(houses - 1)) };
        let alone = last < houses && before + given[last] == 1;
        let prize = alone.then(|| {
            let opposite = houses - 1 - last;
            view.seeds(mover.other(), opposite) + given[houses + 1 + opposite]
        });
        let banked = |&prize: &u32| prize > 0 || view.rules.capture == Capture::Always;
        Sowing { house, seeds, given, last, prize: prize.filter(banked) }
    }

    /// What the own store is given.
    pub(crate) fn gain(&self, view: &State) -> u32 {
        self.given[view.houses()] + self.prize.map_or(0, |prize| prize + 1)
    }

    fn says(&self, view: &State) -> Message {
        let (house, seeds, houses) = (self.house as u32 + 1, self.seeds, view.houses());
        let mut after = *view;
        after.apply(House::new(self.house));
        if after.actor().is_over() {
            return self.says_at_the_end(view, &after);
        }
        let place = (self.last % (houses + 1)) as u32 + 1;
        match self.prize {
            Some(0) => Message::new(
                "House {0}: sows {1}, ends in its own empty house {2} and banks that seed",
                [house, seeds, place],
            ),
            Some(prize) => Message::new(
                "House {0}: sows {1}, ends in its own empty house {2} and captures {3}",
                [house, seeds, place, prize],
            ),
            None if self.last == houses => {
                Message::new("House {0}: sows {1}, ends in the store and moves again", [house, seeds])
            }
            None if self.last < houses => {
                Message::new("House {0}: sows {1}, ends in its own house {2}", [house, seeds, place])
            }
            None => Message::new("House {0}: sows {1}, ends in the other's house {2}", [house, seeds, place]),
        }
    }

    /// Where both sides sweep something (a majority ends the game early), the scores say enough.
    fn says_at_the_end(&self, view: &State, after: &State) -> Message {
        let gain = |seat: Seat| if seat == view.mover { self.gain(view) } else { 0 };
        let swept = |seat: Seat| after.store(seat) - view.store(seat) - gain(seat);
        let mut words = vec![(self.house + 1).to_string(), self.seeds.to_string()];
        let captured = self.prize.filter(|&prize| prize > 0);
        words.extend(captured.map(|prize| prize.to_string()));
        let sweepers: Vec<Seat> = Seat::all(2).filter(|&seat| swept(seat) > 0).collect();
        if let [sweeper] = sweepers[..] {
            words.extend([side_name(sweeper).to_owned(), swept(sweeper).to_string()]);
            return Message::new(
                if captured.is_some() {
                    "House {0}: sows {1}, captures {2} and ends the game; {3} sweeps {4}"
                } else {
                    "House {0}: sows {1} and ends the game; {2} sweeps {3}"
                },
                words,
            );
        }
        Message::new(
            if captured.is_some() {
                "House {0}: sows {1}, captures {2} and ends the game"
            } else {
                "House {0}: sows {1} and ends the game"
            },
            words,
        )
    }

    /// How many seeds each place is given, where the last one falls, and what is taken.
    fn marks(&self, view: &State) -> Vec<(String, String)> {
        let (houses, mover) = (view.houses(), view.mover);
        let mut marks = Vec::new();
        for (place, &given) in self.given.iter().enumerate() {
            let (id, change) = match place {
                place if place == houses => (store_id(mover), self.gain(view) as i32),
                place if place < houses => {
                    let taken = place == self.last && self.prize.is_some();
                    (house_id(mover, place), if taken { 0 } else { given as i32 })
                }
                place => {
                    let house = place - houses - 1;
                    let prize = self.prize.filter(|_| house + self.last == houses - 1);
                    (house_id(mover.other(), house), prize.map_or(given as i32, |prize| -(prize as i32)))
                }
            };
            let change = match change {
                0 => String::new(),
                1.. => format!("+{change}"),
                _ => format!("−{}", -change),
            };
            let landing = if place == self.last { LANDING } else { "" };
            let mark = format!("{change} {landing}").trim().to_owned();
            if !mark.is_empty() {
                marks.push((id, mark));
            }
        }
        marks
    }
}

/// Who has more seeds, and why there are no more to come. The winner is told so before.
pub(crate) fn verdict(view: &State, to: Option<Seat>) -> Message {
    let winner = Seat::all(2).find(|&seat| view.margin(seat) > 0);
    let Some(winner) = winner else {
        return Message::new("A draw, {0} seeds each: a row is empty", [view.store(Seat::FIRST)]);
    };
    // Who has more than half has won by that, whether or not a row is empty as well.
    let majority = view.rules.early_majority && view.has_majority();
    let pattern = match (to == Some(winner), majority) {
        (true, false) => "{0} to {1} seeds: a row is empty",
        (true, true) => "{0} to {1} seeds: more than half of all",
        (false, false) => "{2} wins by {0} to {1} seeds: a row is empty",
        (false, true) => "{2} wins by {0} to {1} seeds: more than half of all",
    };
    let [own, other] = [winner, winner.other()].map(|seat| view.store(seat).to_string());
    Message::new(pattern, [own, other, side_name(winner).to_owned()])
}
