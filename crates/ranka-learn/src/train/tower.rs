//! The network in real numbers: what comes out, and the gradients of all its numbers.

use super::conv::{Geometry, Layer};
use crate::file::NetworkShape;
use ranka_core::{Rng, Seed};

/// Where everything is among the network's numbers.
pub(crate) struct Tower {
    pub(crate) shape: NetworkShape,
    pub(crate) stem: Layer,
    pub(crate) blocks: Vec<[Layer; 2]>,
    pub(crate) cells: Layer,
    pub(crate) loose: Layer,
    pub(crate) hidden: Layer,
    pub(crate) value: Layer,
    /// How many numbers there are.
    pub(crate) len: usize,
    geometry: Geometry,
}

impl Tower {
    pub(crate) fn new(shape: NetworkShape) -> Tower {
        let mut len = 0;
        let mut layer = |taps, inputs, outputs| {
            let layer = Layer::new(len, taps, inputs, outputs);
            len = layer.end();
            layer
        };
        let channels = shape.channels;
        Tower {
            stem: layer(9, shape.planes, channels),
            blocks: (0..shape.blocks).map(|_| [0, 1].map(|_| layer(9, channels, channels))).collect(),
            cells: layer(1, channels, shape.action_planes),
            loose: layer(1, channels, shape.loose_actions),
            hidden: layer(1, channels, channels),
            value: layer(1, channels, shape.outcomes()),
            len,
            geometry: Geometry::ringed(shape.height, shape.width),
            shape,
        }
    }

    /// Numbers to begin with: small and random, but blocks that change nothing and an even judgement.
    pub(crate) fn first(&self, seed: Seed) -> Vec<f32> {
        let mut rng = Rng::new(seed);
        let mut numbers = vec![0.0; self.len];
        let mut spread = |layer: &Layer, outputs: usize| {
            let most = 1.0 / libm::sqrt((layer.taps * layer.inputs) as f64);
            let mut draw = || ((2.0 * rng.unit() - 1.0) * most) as f32;
            for tap in 0..layer.taps {
                for input in 0..layer.inputs {
                    (0..outputs).for_each(|output| numbers[layer.weight(tap, input, output)] = draw());
                }
            }
            (0..outputs).for_each(|output| numbers[layer.bias() + output] = draw());
        };
        let shape = &self.shape;
        spread(&self.stem, shape.channels);
        self.blocks.iter().for_each(|[first, _]| spread(first, shape.channels));
        spread(&self.cells, shape.action_planes);
        spread(&self.loose, shape.loose_actions);
        spread(&self.hidden, shape.channels);
        numbers
    }

    /// The layers through which a gradient goes back to what came in.
    fn inner(&self) -> impl Iterator<Item = &Layer> {
        self.blocks.iter().flatten().chain([&self.cells, &self.loose, &self.hidden, &self.value])
    }

    /// The weights as the way back reads them.
    pub(crate) fn turned(&self, numbers: &[f32]) -> Vec<f32> {
        let mut turned = vec![0.0; self.len];
        self.inner().for_each(|layer| layer.turn(numbers, &mut turned));
        turned
    }
}

/// Room for the activations of some boards, and for the gradients that come back.
pub(crate) struct Pass<'t> {
    tower: &'t Tower,
    boards: usize,
    input: Vec<f32>,
    /// After the stem and after each block.
    levels: Vec<Vec<f32>>,
    /// Inside each block.
    inner: Vec<Vec<f32>>,
    pool: Vec<f32>,
    hidden: Vec<f32>,
    /// Logits of actions of cells, `[board][cell with ring][plane]`, and of the others.
    pub(crate) cells: Vec<f32>,
    pub(crate) loose: Vec<f32>,
    /// Logits of outcomes, `[board][filled up]`.
    pub(crate) value: Vec<f32>,
    level: Vec<f32>,
    between: Vec<f32>,
    back: Vec<f32>,
}

impl<'t> Pass<'t> {
    pub(crate) fn new(tower: &'t Tower, boards: usize) -> Pass<'t> {
        let Tower { shape, geometry, .. } = tower;
        let board = |channels: usize| vec![0.0; boards * geometry.area() * channels];
        let single = |channels: usize| vec![0.0; boards * channels];
        Pass {
            boards,
            input: board(shape.planes),
            levels: (0..=shape.blocks).map(|_| board(shape.channels)).collect(),
            inner: (0..shape.blocks).map(|_| board(shape.channels)).collect(),
            pool: single(shape.channels),
            hidden: single(tower.hidden.outputs),
            cells: board(tower.cells.outputs),
            loose: single(tower.loose.outputs),
            value: single(tower.value.outputs),
            level: board(shape.channels),
            between: board(shape.channels),
            back: single(shape.channels),
            tower,
        }
    }

    /// How many boards it has room for.
    pub(crate) fn boards(&self) -> usize {
        self.boards
    }

    /// Puts an observation, planes of cells, in a board's place.
    pub(crate) fn put(&mut self, board: usize, observation: &[f32]) {
        let Tower { shape, geometry, .. } = self.tower;
        let base = board * geometry.area();
        for (cell, at) in geometry.cells().enumerate() {
            let to = (base + at) * shape.planes;
            let planes = observation.iter().skip(cell).step_by(shape.cells());
            self.input[to..to + shape.planes].iter_mut().zip(planes).for_each(|(to, &from)| *to = from);
        }
    }

    /// Where the logit of an action of a board is: among the cells', or among the others'.
    #[inline]
    pub(crate) fn logit(&self, board: usize, action: usize) -> Logit {
        let Tower { shape, geometry, cells, loose, .. } = self.tower;
        let of_cells = shape.action_planes * shape.cells();
        if action >= of_cells {
            return Logit::Loose(board * loose.outputs + action - of_cells);
        }
        let (plane, cell) = (action / shape.cells(), action % shape.cells());
        let at = board * geometry.area() + geometry.at(cell / shape.width, cell % shape.width);
        Logit::Cell(at * cells.outputs + plane)
    }

    pub(crate) fn logit_of(&self, logit: Logit) -> f32 {
        match logit {
            Logit::Cell(at) => self.cells[at],
            Logit::Loose(at) => self.loose[at],
        }
    }

    /// Computes everything that comes out of what was put in.
    pub(crate) fn forward(&mut self, numbers: &[f32]) {
        let Tower { stem, blocks, geometry, .. } = self.tower;
        let boards = self.boards;
        stem.forward(numbers, *geometry, boards, &self.input, &mut self.levels[0]);
        // The ring is written by nobody, and stays zero through all of this.
        rectify(&mut self.levels[0]);
        for (i, [first, second]) in blocks.iter().enumerate() {
            let (before, after) = self.levels.split_at_mut(i + 1);
            let (before, after, inner) = (&before[i], &mut after[0], &mut self.inner[i]);
            first.forward(numbers, *geometry, boards, before, inner);
            rectify(inner);
            second.forward(numbers, *geometry, boards, inner, after);
            after.iter_mut().zip(before).for_each(|(after, before)| *after = (*after + before).max(0.0));
        }
        self.heads(numbers);
    }

    fn heads(&mut self, numbers: &[f32]) {
        let Tower { shape, geometry, cells, loose, hidden, value, .. } = self.tower;
        let (boards, channels) = (self.boards, shape.channels);
        let top = &self.levels[shape.blocks];
        if shape.action_planes > 0 {
            cells.forward(numbers, *geometry, boards, top, &mut self.cells);
        }
        let share = 1.0 / shape.cells() as f32;
        for (pool, board) in
            self.pool.chunks_exact_mut(channels).zip(top.chunks_exact(geometry.area() * channels))
        {
            pool.fill(0.0);
            for cell in board.chunks_exact(channels) {
                pool.iter_mut().zip(cell).for_each(|(pool, x)| *pool += x);
            }
            pool.iter_mut().for_each(|pool| *pool *= share);
        }
        if shape.loose_actions > 0 {
            loose.forward(numbers, Geometry::SINGLE, boards, &self.pool, &mut self.loose);
        }
        hidden.forward(numbers, Geometry::SINGLE, boards, &self.pool, &mut self.hidden);
        rectify(&mut self.hidden);
        value.forward(numbers, Geometry::SINGLE, boards, &self.hidden, &mut self.value);
    }

    /// Adds the gradients of all numbers. The logits must have been replaced by their gradients.
    pub(crate) fn backward(&mut self, turned: &[f32], gradients: &mut [f32]) {
        let Tower { shape, stem, blocks, geometry, .. } = self.tower;
        let boards = self.boards;
        self.heads_back(turned, gradients);
        for (i, [first, second]) in blocks.iter().enumerate().rev() {
            stop(&mut self.level, &self.levels[i + 1]);
            second.gradients(gradients, *geometry, boards, &self.inner[i], &self.level);
            second.backward(turned, *geometry, boards, &self.level, &mut self.between);
            stop(&mut self.between, &self.inner[i]);
            first.gradients(gradients, *geometry, boards, &self.levels[i], &self.between);
            // What was inside is not needed any more, so its room takes what comes back.
            let back = &mut self.inner[i];
            first.backward(turned, *geometry, boards, &self.between, back);
            self.level.iter_mut().zip(&*back).for_each(|(level, back)| *level += back);
        }
        stop(&mut self.level, &self.levels[0]);
        stem.gradients(gradients, *geometry, boards, &self.input, &self.level);
        debug_assert_eq!(self.levels.len(), shape.blocks + 1);
    }

    /// What the heads' gradients make of the tower's top, in `level`.
    fn heads_back(&mut self, turned: &[f32], gradients: &mut [f32]) {
        let Tower { shape, geometry, cells, loose, hidden, value, .. } = self.tower;
        let (boards, channels, single) = (self.boards, shape.channels, Geometry::SINGLE);
        let top = &self.levels[shape.blocks];
        value.gradients(gradients, single, boards, &self.hidden, &self.value);
        let mut to_hidden = vec![0.0; self.hidden.len()];
        value.backward(turned, single, boards, &self.value, &mut to_hidden);
        stop(&mut to_hidden, &self.hidden);
        hidden.gradients(gradients, single, boards, &self.pool, &to_hidden);
        hidden.backward(turned, single, boards, &to_hidden, &mut self.back);
        if shape.loose_actions > 0 {
            loose.gradients(gradients, single, boards, &self.pool, &self.loose);
            let mut more = vec![0.0; self.back.len()];
            loose.backward(turned, single, boards, &self.loose, &mut more);
            self.back.iter_mut().zip(&more).for_each(|(back, more)| *back += more);
        }
        if shape.action_planes > 0 {
            cells.gradients(gradients, *geometry, boards, top, &self.cells);
            cells.backward(turned, *geometry, boards, &self.cells, &mut self.level);
        } else {
            self.level.fill(0.0);
        }
        let share = 1.0 / shape.cells() as f32;
        let area = geometry.area() * channels;
        for (level, back) in self.level.chunks_exact_mut(area).zip(self.back.chunks_exact(channels)) {
            for at in geometry.cells() {
                let cell = &mut level[at * channels..][..channels];
                cell.iter_mut().zip(back).for_each(|(level, back)| *level += back * share);
            }
        }
    }

    /// The largest number that the tower meets.
    pub(crate) fn largest(&self) -> f32 {
        self.levels.iter().chain(&self.inner).flatten().copied().fold(0.0, f32::max)
    }
}

/// Where an action's logit is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Logit {
    Cell(usize),
    Loose(usize),
}

fn rectify(x: &mut [f32]) {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
}

/// Lets a gradient through only where something came through on the way there.
fn stop(gradient: &mut [f32], came: &[f32]) {
    gradient.iter_mut().zip(came).for_each(|(gradient, &came)| {
        if came <= 0.0 {
            *gradient = 0.0;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tower() -> Tower {
        Tower::new(NetworkShape {
            planes: 5,
            height: 3,
            width: 4,
            action_planes: 2,
            loose_actions: 3,
            seats: 2,
            channels: 16,
            blocks: 2,
            beliefs: 0,
        })
    }

    /// A sum of all that comes out, each with a weight of its own, and (with gradients asked for) its slopes.
    fn sum(tower: &Tower, numbers: &[f32], gradients: Option<&mut [f32]>) -> f64 {
        let mut rng = Rng::new(Seed::new(7));
        let mut pass = Pass::new(tower, 2);
        let length = tower.shape.planes * tower.shape.cells();
        for board in 0..2 {
            let observation: Vec<f32> = (0..length).map(|_| rng.unit() as f32).collect();
            pass.put(board, &observation);
        }
        pass.forward(numbers);
        let mut sum = 0.0;
        let mut weigh = |logit: &mut f32, sum: &mut f64| {
            let weight = rng.unit() - 0.5;
            *sum += weight * f64::from(*logit);
            *logit = weight as f32;
        };
        for board in 0..2 {
            for action in 0..tower.shape.actions() {
                match pass.logit(board, action) {
                    Logit::Cell(at) => weigh(&mut pass.cells[at], &mut sum),
                    Logit::Loose(at) => weigh(&mut pass.loose[at], &mut sum),
                }
            }
            for kind in 0..3 {
                weigh(&mut pass.value[board * tower.value.outputs + kind], &mut sum);
            }
        }
        if let Some(gradients) = gradients {
            // What belongs to nobody must not come back.
            let (cells, geometry) = (tower.cells.outputs, tower.geometry);
            let inside: Vec<usize> = geometry.cells().collect();
            for (i, logit) in pass.cells.iter_mut().enumerate() {
                let (cell, plane) = (i / cells % geometry.area(), i % cells);
                *logit *= f32::from(u8::from(plane < tower.shape.action_planes && inside.contains(&cell)));
            }
            for (i, logit) in pass.loose.iter_mut().enumerate() {
                *logit *= f32::from(u8::from(i % tower.loose.outputs < tower.shape.loose_actions));
            }
            for (i, logit) in pass.value.iter_mut().enumerate() {
                *logit *= f32::from(u8::from(i % tower.value.outputs < 3));
            }
            pass.backward(&tower.turned(numbers), gradients);
        }
        sum
    }

    #[test]
    fn gradients_are_the_slopes() {
        let tower = tower();
        let mut rng = Rng::new(Seed::new(3));
        // All layers random, also those that begin with zeros.
        let mut numbers: Vec<f32> = tower.first(Seed::new(1));
        numbers.iter_mut().for_each(|number| *number += 0.1 * (rng.unit() as f32 - 0.5));
        let mut gradients = vec![0.0; tower.len];
        sum(&tower, &numbers, Some(&mut gradients));
        let slope = |at: usize| {
            let step = 2e-3;
            let at_distance = |by: f32| {
                let mut moved = numbers.clone();
                moved[at] += by;
                sum(&tower, &moved, None)
            };
            (at_distance(step) - at_distance(-step)) / f64::from(2.0 * step)
        };
        let heads = [tower.stem, tower.cells, tower.loose, tower.hidden, tower.value];
        for layer in tower.blocks.iter().flatten().chain(&heads) {
            let numbers: Vec<usize> = (layer.start..layer.end()).step_by(7).collect();
            // Where a rectifier bends within the step, the slope is not the gradient: here and there.
            let differs = |&&at: &&usize| {
                let gradient = f64::from(gradients[at]);
                (slope(at) - gradient).abs() > 5e-3 + 0.02 * gradient.abs()
            };
            let (wrong, all) = (numbers.iter().filter(differs).count(), numbers.len());
            assert!(wrong * 20 < all, "{layer:?}: {wrong} of {all} differ");
            assert!(numbers.iter().any(|&at| gradients[at].abs() > 0.01), "{layer:?}: nothing comes back");
        }
    }
}
