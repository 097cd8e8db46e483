// Nim with one heap: take one, two or three stones; whoever takes the last one wins.
#![allow(clippy::print_stdout)] // it shows the game

use ranka_core::*;

/// A position: the whole truth, and here also what either seat sees.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Heap {
    stones: u32,
    mover: Seat,
}

impl Position for Heap {
    type Action = u32;
    fn seats(&self) -> usize {
        2
    }
    fn actor(&self) -> Actor {
        if self.stones == 0 { Actor::Over } else { Actor::Seat(self.mover) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend(1..=self.stones.min(3));
    }
    fn apply(&mut self, taken: u32) {
        *self = Heap { stones: self.stones - taken, mover: self.mover.other() };
    }
    fn outcome(&self) -> Outcome {
        Outcome::win(self.mover.other(), 2)
    }
}

/// The game with its options chosen.
#[derive(Clone, Debug)]
struct Nim {
    stones: u32,
}

impl Game for Nim {
    type Action = u32;
    type State = Heap;
    type View = Heap; // nothing is hidden
    const INFO: GameInfo = GameInfo {
        name: "nim",
        title: "Nim",
        japanese: "ニム",
        summary: "Who looks ahead wins.",
        how: "Take one, two or three stones. Whoever takes the last one wins.",
        seats: (2, 2),
        minutes: 1,
        sparring: "random",
        adaptive: None,
        version: 1,
    };
    fn options() -> Vec<Param> {
        vec![Param::int("stones", 1, 1000, "21", "stones at the start")]
    }
    fn new(options: &Params) -> Result<Nim, Error> {
        Ok(Nim { stones: options.int("stones") as u32 })
    }
    fn seats(&self) -> usize {
        2
    }
    fn start(&self, _deal: &mut Rng) -> Heap {
        Heap { stones: self.stones, mover: Seat::FIRST }
    }
    fn view(&self, heap: &Heap, _seat: Seat) -> Heap {
        heap.clone()
    }
}

impl Notation for Nim {
    fn write_state(&self, heap: &Heap) -> String {
        format!("{} {}", heap.stones, heap.mover)
    }
    fn read_state(&self, text: &str) -> Result<Heap, NotationError> {
        let mut scan = Scanner::new(text);
        let stones = scan.number("the stones", 0, 1000)?;
        scan.expect(" ")?;
        let mover = Seat::new(scan.number("the seat to move", 0, 1)? as usize);
        scan.end()?;
        Ok(Heap { stones, mover })
    }
    fn write_view(&self, heap: &Heap, _seat: Seat) -> String {
        self.write_state(heap)
    }
    fn read_view(&self, text: &str, _seat: Seat) -> Result<Heap, NotationError> {
        self.read_state(text)
    }
    fn write_action(&self, taken: u32) -> String {
        taken.to_string()
    }
    fn read_action(&self, text: &str) -> Result<u32, NotationError> {
        let mut scan = Scanner::new(text);
        let taken = scan.number("the stones taken", 1, 3)?;
        scan.end()?;
        Ok(taken)
    }
}

/// An agent: it leaves a multiple of four whenever it can.
struct Fours;

impl Agent<Nim> for Fours {
    fn think(&mut self, heap: &Heap, _: &mut Thinking<'_, u32>) -> Result<Thought<u32>, Fault> {
        Ok(Thought::plain((heap.stones % 4).max(1)))
    }
}

fn main() -> Result<(), Error> {
    let nim = Nim::new(&Params::parse("stones=10", Nim::options())?)?;
    let agents: Vec<(Box<dyn Agent<Nim>>, usize)> = vec![(Box::new(Fours), 0), (Box::new(Random), 1)];
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let played = play(&nim, &seeds, agents, &Settings::default(), &mut |heap, thought| {
        println!("{} stones: seat {} takes {}", heap.stones, heap.mover, thought.choice);
    });
    assert_eq!(played.end.reason, EndReason::Rules);
    assert_eq!(played.outcome.scores(), [1.0, 0.0]); // who leaves fours to the other cannot lose
    Ok(())
}
