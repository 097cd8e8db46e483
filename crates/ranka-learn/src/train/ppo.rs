//! What the weights learn from a generation: proximal policy optimisation with a pull towards a slowly moving reference.

use super::adam::Adam;
use super::outcomes::Outcomes;
use super::self_play::{CHUNK, Experience, outcomes_of};
use super::tower::{Logit, Pass, Tower};
use crate::policy::softmax;
use ranka_core::{Rng, Seed};
use rayon::prelude::*;

/// How it learns; some of it changes with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) rate: f32,
    pub(crate) entropy: f32,
    /// How strongly it is pulled towards the reference.
    pub(crate) pull: f32,
    /// How far a likelihood may move in one step.
    pub(crate) clip: f32,
    pub(crate) minibatch: usize,
    /// How fast the reference follows.
    pub(crate) follow: f32,
}

/// What is told of a generation's learning, as means over its decisions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lesson {
    pub(crate) entropy: f64,
    pub(crate) value_loss: f64,
}

/// The weights that learn and those that follow.
pub(crate) struct Learner {
    pub(crate) numbers: Vec<f32>,
    pub(crate) reference: Vec<f32>,
    pub(crate) adam: Adam,
}

impl Learner {
    /// Learns from every decision once, in random order.
    pub(crate) fn learn(
        &mut self,
        tower: &Tower,
        experience: &Experience,
        pace: &Pace,
        seed: Seed,
    ) -> Lesson {
        let mut order: Vec<u32> = (0..experience.len() as u32).collect();
        Rng::new(seed).shuffle(&mut order);
        let mut lesson = Lesson::default();
        for minibatch in order.chunks(pace.minibatch) {
            // A small rest would count as much as a whole minibatch.
            if minibatch.len() * 2 < pace.minibatch && experience.len() >= pace.minibatch {
                break;
            }
            let turned = tower.turned(&self.numbers);
            let numbers = &self.numbers;
            let reference = &self.reference;
            let share = 1.0 / minibatch.len() as f32;
            let parts: Vec<(Vec<f32>, Lesson)> = minibatch
                .par_chunks(CHUNK)
                .map(|decisions| {
                    let mut gradients = vec![0.0; tower.len];
                    let part = Part { tower, experience, pace, decisions, share };
                    let lesson = part.gradients(numbers, reference, &turned, &mut gradients);
                    (gradients, lesson)
                })
                .collect();
            // In a fixed order, so that the number of threads does not matter.
            let mut parts = parts.into_iter();
            let (mut sum, first) = parts.next().unwrap_or_default();
            lesson.add(&first);
            for (gradients, part) in parts {
                sum.iter_mut().zip(&gradients).for_each(|(sum, gradient)| *sum += gradient);
                lesson.add(&part);
            }
            self.adam.step(&mut self.numbers, &mut sum, pace.rate);
            for (slow, fast) in self.reference.iter_mut().zip(&self.numbers) {
                *slow += pace.follow * (fast - *slow);
            }
        }
        let count = experience.len().max(1) as f64;
        Lesson { entropy: lesson.entropy / count, value_loss: lesson.value_loss / count }
    }
}

impl Lesson {
    fn add(&mut self, other: &Lesson) {
        self.entropy += other.entropy;
        self.value_loss += other.value_loss;
    }
}

/// The logarithm of a probability, which may have become too small to be told.
pub(super) fn log(probability: f32) -> f32 {
    libm::logf(probability.max(1e-30))
}

/// How many times.
const FAR_LIKELIER: f32 = 3.0;

/// Some decisions of a minibatch.
struct Part<'a> {
    tower: &'a Tower,
    experience: &'a Experience,
    pace: &'a Pace,
    decisions: &'a [u32],
    share: f32,
}

impl Part<'_> {
    fn gradients(&self, numbers: &[f32], reference: &[f32], turned: &[f32], gradients: &mut [f32]) -> Lesson {
        let mut pass = Pass::new(self.tower, self.decisions.len());
        let length = self.tower.shape.planes * self.tower.shape.cells();
        for (board, &decision) in self.decisions.iter().enumerate() {
            pass.put(board, &self.experience.observations[decision as usize * length..][..length]);
        }
        pass.forward(reference);
        let policies = |pass: &Pass<'_>| -> Vec<Vec<f32>> {
            (0..self.decisions.len()).map(|board| self.policy(pass, board)).collect()
        };
        let slow = policies(&pass);
        pass.forward(numbers);
        let fast = policies(&pass);
        let outcomes: Vec<Outcomes> =
            (0..pass.boards()).map(|board| outcomes_of(&pass, self.tower, board)).collect();
        pass.cells.fill(0.0);
        pass.loose.fill(0.0);
        pass.value.fill(0.0);
        let mut lesson = Lesson::default();
        for (board, &decision) in self.decisions.iter().enumerate() {
            let decision = decision as usize;
            let (slopes, entropy) = self.slopes(decision, &fast[board], &slow[board]);
            for (&action, slope) in self.experience.legal_of(decision).iter().zip(slopes) {
                match pass.logit(board, action as usize) {
                    Logit::Cell(at) => pass.cells[at] = slope * self.share,
                    Logit::Loose(at) => pass.loose[at] = slope * self.share,
                }
            }
            let kinds = self.tower.shape.outcomes();
            let target = &self.experience.target[decision];
            let value = &mut pass.value[board * self.tower.value.outputs..][..kinds];
            for (kind, value) in value.iter_mut().enumerate() {
                *value = (outcomes[board][kind] - target[kind]) * self.share;
                lesson.value_loss -=
                    f64::from(target[kind]) * libm::log(f64::from(outcomes[board][kind]).max(1e-9));
            }
            lesson.entropy += f64::from(entropy);
        }
        pass.backward(turned, gradients);
        lesson
    }

    fn policy(&self, pass: &Pass<'_>, board: usize) -> Vec<f32> {
        let legal = self.experience.legal_of(self.decisions[board] as usize);
        let mut policy: Vec<f32> =
            legal.iter().map(|&action| pass.logit_of(pass.logit(board, action as usize))).collect();
        softmax(&mut policy);
        policy
    }

    /// The loss's slopes over the logits of a decision, and the policy's entropy.
    fn slopes(&self, decision: usize, policy: &[f32], reference: &[f32]) -> (Vec<f32>, f32) {
        let Experience { chosen, log_likelihood, advantage, .. } = self.experience;
        let (chosen, advantage) = (chosen[decision] as usize, advantage[decision]);
        let ratio = libm::expf(log(policy[chosen]) - log_likelihood[decision]);
        // Beyond the clip in the direction it is pushed, it is pushed no further; nor is a bad action that has become far
        // likelier than it was when it was taken, for one such could undo everything.
        let Pace { clip, entropy: bonus, pull, .. } = *self.pace;
        let clipped = ratio * advantage > ratio.clamp(1.0 - clip, 1.0 + clip) * advantage
            || (advantage < 0.0 && ratio > FAR_LIKELIER);
        let push = if clipped { 0.0 } else { -advantage * ratio };
        let entropy: f32 = policy.iter().map(|&p| -p * log(p)).sum();
        let distance: f32 = policy.iter().zip(reference).map(|(&p, &q)| p * (log(p) - log(q))).sum();
        let slope = |(i, (&p, &q)): (usize, (&f32, &f32))| {
            let taken = if i == chosen { 1.0 } else { 0.0 };
            push * (taken - p) + bonus * p * (log(p) + entropy) + pull * p * (log(p) - log(q) - distance)
        };
        (policy.iter().zip(reference).enumerate().map(slope).collect(), entropy)
    }
}

#[cfg(test)]
mod tests {
    use super::super::self_play::draw;
    use super::*;
    use crate::file::NetworkShape;
    use ranka_core::MAX_SEATS;

    /// Three actions everywhere: of the first kind of board the first is good, of the second the last; the first kind
    /// is won and the second lost.
    fn experience(tower: &Tower, numbers: &[f32], rng: &mut Rng) -> Experience {
        let mut experience = Experience::default();
        let length = tower.shape.planes * tower.shape.cells();
        for kind in (0..256).map(|board| board % 2) {
            experience.observations.extend((0..length).map(|i| {
                let noise = rng.unit() as f32;
                if i % 2 == kind { 1.0 + noise } else { noise }
            }));
            experience.begins.push(experience.legal.len());
            experience.legal.extend([0, 5, 12]);
            let mut target = [0.0; MAX_SEATS];
            target[2 * kind] = 1.0;
            experience.target.push(target);
        }
        for (board, policy) in policies(tower, numbers, &experience).iter().enumerate() {
            let chosen = draw(policy, rng);
            let good = if board % 2 == 0 { 0 } else { 2 };
            experience.chosen.push(chosen as u32);
            experience.advantage.push(if chosen == good { 1.0 } else { -0.5 });
            experience.log_likelihood.push(log(policy[chosen]));
        }
        experience
    }

    fn policies(tower: &Tower, numbers: &[f32], experience: &Experience) -> Vec<Vec<f32>> {
        let length = tower.shape.planes * tower.shape.cells();
        let mut pass = Pass::new(tower, experience.begins.len());
        for board in 0..pass.boards() {
            pass.put(board, &experience.observations[board * length..][..length]);
        }
        pass.forward(numbers);
        let policy = |board: usize| {
            let legal = experience.legal_of(board).iter();
            let mut policy: Vec<f32> =
                legal.map(|&action| pass.logit_of(pass.logit(board, action as usize))).collect();
            softmax(&mut policy);
            policy
        };
        (0..pass.boards()).map(policy).collect()
    }

    #[test]
    fn what_went_well_is_done_more_often_and_what_comes_is_foreseen() {
        let tower = Tower::new(NetworkShape {
            planes: 2,
            height: 3,
            width: 2,
            action_planes: 2,
            loose_actions: 1,
            seats: 2,
            channels: 16,
            blocks: 1,
            beliefs: 0,
        });
        let numbers = tower.first(Seed::new(1));
        let mut learner = Learner { reference: numbers.clone(), adam: Adam::new(tower.len), numbers };
        let pace = Pace { rate: 3e-3, entropy: 0.001, pull: 0.001, clip: 0.2, minibatch: 64, follow: 0.01 };
        let mut rng = Rng::new(Seed::new(2));
        let mut lesson = Lesson::default();
        for round in 0..40 {
            let experience = experience(&tower, &learner.numbers, &mut rng);
            lesson = learner.learn(&tower, &experience, &pace, Seed::new(round));
        }
        let asked = experience(&tower, &learner.numbers, &mut rng);
        for (board, policy) in policies(&tower, &learner.numbers, &asked).iter().enumerate() {
            let good = if board % 2 == 0 { 0 } else { 2 };
            assert!(policy[good] > 0.8, "board {board}: {policy:?}");
        }
        assert!(lesson.value_loss < 0.2, "{lesson:?}");
    }
}
