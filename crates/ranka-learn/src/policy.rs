//! A network's view of a decision, kept up with what its seat is told.

use crate::eval::Answer;
use crate::evaluator::Evaluator;
use ranka_core::{Encoding, Observer, Rng, Seat, Told, View};

/// A choice with what the network thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed<A> {
    /// The choice.
    pub action: A,
    /// How often the policy would take it.
    pub probability: f32,
}

/// A network at a seat: it listens, observes and weighs.
pub struct NetworkPlayer<G: Encoding> {
    evaluator: Box<dyn Evaluator>,
    game: G,
    seat: Seat,
    past: G::Observer,
    observation: Vec<f32>,
    choices: Vec<G::Action>,
    legal: Vec<f32>,
    weighed: Vec<Weighed<G::Action>>,
}

impl<G: Encoding> NetworkPlayer<G> {
    /// A network that was [read](crate::Network::read_for) for this game, at a seat at the start of a game.
    pub fn new(evaluator: Box<dyn Evaluator>, game: G, seat: Seat) -> NetworkPlayer<G> {
        NetworkPlayer {
            past: G::Observer::new(&game, seat),
            observation: vec![0.0; game.layout().observation_len()],
            choices: Vec::new(),
            legal: Vec::new(),
            weighed: Vec::new(),
            evaluator,
            game,
            seat,
        }
    }

    /// Hears what its seat is told.
    pub fn told(&mut self, event: &Told<'_, G>) {
        self.past.told(event);
    }

    /// What the seat remembers.
    pub fn past(&self) -> &G::Observer {
        &self.past
    }

    /// What the network says of a view, and the choices with their probabilities, most likely first. Choices without a
    /// number are left out.
    pub fn weigh(&mut self, view: &G::View) -> (&Answer, &[Weighed<G::Action>]) {
        self.game.observe(view, self.seat, &self.past, &mut self.observation);
        let answer = self.evaluator.evaluate(&self.observation);
        self.choices.clear();
        view.choices(&mut self.choices);
        self.weighed.clear();
        self.legal.clear();
        for &action in &self.choices {
            if let Some(index) = self.game.action_index(view, self.seat, action) {
                self.legal.push(answer.logits[index]);
                self.weighed.push(Weighed { action, probability: 0.0 });
            }
        }
        softmax(&mut self.legal);
        for (choice, &probability) in self.weighed.iter_mut().zip(&self.legal) {
            choice.probability = probability;
        }
        self.weighed.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.action.cmp(&b.action)));
        (answer, &self.weighed)
    }
}

/// Turns logits into probabilities.
pub fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = libm::expf(*logit - most);
        sum += *logit;
    }
    logits.iter_mut().for_each(|logit| *logit /= sum);
}

impl<A: Copy> Weighed<A> {
    /// Draws one of the choices as the policy would, with its differences sharpened (below 1) or flattened (above 1) by
    /// `temperature`; 0 takes the first.
    pub fn draw(choices: &[Weighed<A>], temperature: f64, rng: &mut Rng) -> Option<A> {
        let weight = |choice: &Weighed<A>| libm::pow(f64::from(choice.probability), 1.0 / temperature);
        if temperature <= 0.0 {
            return choices.first().map(|choice| choice.action);
        }
        let mut rest = rng.unit() * choices.iter().map(weight).sum::<f64>();
        for choice in choices {
            rest -= weight(choice);
            if rest < 0.0 {
                return Some(choice.action);
            }
        }
        choices.first().map(|choice| choice.action)
    }
}
