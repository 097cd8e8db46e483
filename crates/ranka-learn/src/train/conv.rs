//! The one kernel of training: a convolution over boards, its gradients being convolutions again.
//!
//! Activations lie as `[board][cell][channel]`, the cells of a board in rows with a ring of zeros around it, so that no
//! neighbour has to be asked whether it is there. A layer over whole boards is a convolution of boards of one cell. Sums are
//! made in a fixed order and products are rounded before they are added, so every machine finds the same numbers.

use pulp::Arch;

/// Channels that are worked on together. Outputs are filled up to a multiple of it.
pub(crate) const LANES: usize = 16;

/// Cells that are worked on together.
const RUN: usize = 3;

/// Inputs whose weights' gradients are worked on together.
const GROUP: usize = 4;

/// Boards of one size, with a ring around them or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    height: usize,
    width: usize,
    ring: usize,
}

impl Geometry {
    /// Boards for 3×3 convolutions.
    pub(crate) fn ringed(height: usize, width: usize) -> Geometry {
        Geometry { height, width, ring: 1 }
    }

    /// Boards of one cell.
    pub(crate) const SINGLE: Geometry = Geometry { height: 1, width: 1, ring: 0 };

    /// Cells of a board, the ring's with them.
    pub(crate) fn area(&self) -> usize {
        (self.height + 2 * self.ring) * self.stride()
    }

    fn stride(&self) -> usize {
        self.width + 2 * self.ring
    }

    /// Where the board's cell is.
    #[inline(always)]
    pub(crate) fn at(&self, row: usize, column: usize) -> usize {
        (row + self.ring) * self.stride() + column + self.ring
    }

    /// The places of the board's own cells, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.height * self.width).map(move |cell| self.at(cell / self.width, cell % self.width))
    }

    /// How far from a cell the neighbours of a kernel are, in its order: 3×3 of them, or the cell alone.
    fn neighbours(&self, taps: usize) -> impl Iterator<Item = isize> {
        let stride = self.stride() as isize;
        (0..taps as isize).map(move |tap| if taps == 1 { 0 } else { (tap / 3 - 1) * stride + tap % 3 - 1 })
    }
}

/// One layer: where its numbers are among all of the network's. Weights lie as `[tap][input][output]`, and the biases follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) start: usize,
    pub(crate) taps: usize,
    pub(crate) inputs: usize,
    /// Filled up.
    pub(crate) outputs: usize,
}

impl Layer {
    pub(crate) fn new(start: usize, taps: usize, inputs: usize, outputs: usize) -> Layer {
        Layer { start, taps, inputs, outputs: outputs.next_multiple_of(LANES) }
    }

    pub(crate) fn end(&self) -> usize {
        self.bias() + self.outputs
    }

    pub(crate) fn bias(&self) -> usize {
        self.start + self.taps * self.inputs * self.outputs
    }

    pub(crate) fn weight(&self, tap: usize, input: usize, output: usize) -> usize {
        self.start + (tap * self.inputs + input) * self.outputs + output
    }

    /// What comes out of boards that come in.
    pub(crate) fn forward(
        &self,
        numbers: &[f32],
        geometry: Geometry,
        boards: usize,
        x: &[f32],
        y: &mut [f32],
    ) {
        let kernel = Kernel {
            taps: self.taps,
            turned: false,
            inputs: self.inputs,
            outputs: self.outputs,
            weights: &numbers[self.start..self.bias()],
            biases: &numbers[self.bias()..self.end()],
        };
        Arch::new().dispatch(
            #[inline(always)]
            || kernel.run(geometry, boards, x, y),
        );
    }

    /// What the gradient of what came out makes of what came in. `turned` holds the weights as [`Layer::turn`] wrote them.
    pub(crate) fn backward(
        &self,
        turned: &[f32],
        geometry: Geometry,
        boards: usize,
        dy: &[f32],
        dx: &mut [f32],
    ) {
        let kernel = Kernel {
            taps: self.taps,
            turned: true,
            inputs: self.outputs,
            outputs: self.inputs,
            weights: &turned[self.start..self.bias()],
            biases: &[],
        };
        Arch::new().dispatch(
            #[inline(always)]
            || kernel.run(geometry, boards, dy, dx),
        );
    }

    /// Writes the weights as the way back reads them, inputs last.
    pub(crate) fn turn(&self, numbers: &[f32], turned: &mut [f32]) {
        for tap in 0..self.taps {
            for input in 0..self.inputs {
                for output in 0..self.outputs {
                    turned[self.start + (tap * self.outputs + output) * self.inputs + input] =
                        numbers[self.weight(tap, input, output)];
                }
            }
        }
    }

    /// Adds to the gradients of the weights and biases.
    pub(crate) fn gradients(
        &self,
        gradients: &mut [f32],
        geometry: Geometry,
        boards: usize,
        x: &[f32],
        dy: &[f32],
    ) {
        let layer = *self;
        Arch::new().dispatch(
            #[inline(always)]
            || layer.add_gradients(gradients, geometry, boards, x, dy),
        );
    }

    #[inline(always)]
    fn add_gradients(self, gradients: &mut [f32], geometry: Geometry, boards: usize, x: &[f32], dy: &[f32]) {
        let cells: Vec<usize> = geometry.cells().collect();
        for first in (0..self.outputs).step_by(LANES) {
            for (tap, offset) in geometry.neighbours(self.taps).enumerate() {
                let mut input = 0;
                while input < self.inputs {
                    let place = Place { geometry, boards, cells: &cells, offset, input, first };
                    if self.inputs - input >= GROUP {
                        self.add_group::<GROUP>(gradients, tap, &place, x, dy);
                        input += GROUP;
                    } else {
                        self.add_group::<1>(gradients, tap, &place, x, dy);
                        input += 1;
                    }
                }
            }
            let mut sum = [0.0; LANES];
            for board in 0..boards {
                for cell in &cells {
                    let at = (board * geometry.area() + cell) * self.outputs + first;
                    add(&mut sum, &dy[at..at + LANES]);
                }
            }
            let at = self.bias() + first;
            add_to(&mut gradients[at..at + LANES], &sum);
        }
    }

    /// The gradients of some inputs' weights at one tap for some outputs, kept in registers over all boards.
    #[inline(always)]
    fn add_group<const N: usize>(
        self,
        gradients: &mut [f32],
        tap: usize,
        place: &Place<'_>,
        x: &[f32],
        dy: &[f32],
    ) {
        let mut sums = [[0.0f32; LANES]; N];
        for board in 0..place.boards {
            let base = board * place.geometry.area();
            for &cell in place.cells {
                let from = (base + cell).wrapping_add_signed(place.offset) * self.inputs + place.input;
                let at = (base + cell) * self.outputs + place.first;
                let (x, dy) = (&x[from..from + N], &dy[at..at + LANES]);
                for (sum, &x) in sums.iter_mut().zip(x) {
                    for (sum, &dy) in sum.iter_mut().zip(dy) {
                        *sum += x * dy;
                    }
                }
            }
        }
        for (i, sum) in sums.iter().enumerate() {
            let at = self.weight(tap, place.input + i, place.first);
            add_to(&mut gradients[at..at + LANES], sum);
        }
    }
}

/// What a group of gradients is summed over.
struct Place<'a> {
    geometry: Geometry,
    boards: usize,
    cells: &'a [usize],
    offset: isize,
    input: usize,
    first: usize,
}

#[inline(always)]
fn add(sum: &mut [f32; LANES], terms: &[f32]) {
    add_to(sum, terms);
}

#[inline(always)]
fn add_to(sum: &mut [f32], terms: &[f32]) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += term;
    }
}

struct Kernel<'a> {
    taps: usize,
    /// Whether neighbours are looked for on the opposite side, as the way back does.
    turned: bool,
    inputs: usize,
    outputs: usize,
    weights: &'a [f32],
    /// None on the way back.
    biases: &'a [f32],
}

impl Kernel<'_> {
    #[inline(always)]
    fn run(&self, geometry: Geometry, boards: usize, x: &[f32], y: &mut [f32]) {
        let sign = if self.turned { -1 } else { 1 };
        for board in 0..boards {
            for row in 0..geometry.height {
                let mut column = 0;
                while column < geometry.width {
                    let cell = board * geometry.area() + geometry.at(row, column);
                    if geometry.width - column >= RUN {
                        self.cells::<RUN>(geometry, sign, cell, x, y);
                        column += RUN;
                    } else {
                        self.cells::<1>(geometry, sign, cell, x, y);
                        column += 1;
                    }
                }
            }
        }
    }

    /// All outputs of some cells in a row.
    #[inline(always)]
    fn cells<const N: usize>(&self, geometry: Geometry, sign: isize, cell: usize, x: &[f32], y: &mut [f32]) {
        for first in (0..self.outputs).step_by(LANES) {
            let mut sums = [[0.0f32; LANES]; N];
            if !self.biases.is_empty() {
                for sum in &mut sums {
                    sum.copy_from_slice(&self.biases[first..first + LANES]);
                }
            }
            for (tap, offset) in geometry.neighbours(self.taps).enumerate() {
                let from = cell.wrapping_add_signed(sign * offset) * self.inputs;
                let x = &x[from..from + N * self.inputs];
                let weights = &self.weights[tap * self.inputs * self.outputs..];
                for (input, weights) in weights.chunks_exact(self.outputs).take(self.inputs).enumerate() {
                    let weights = &weights[first..first + LANES];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let x = x[i * self.inputs + input];
                        for (sum, &weight) in sum.iter_mut().zip(weights) {
                            *sum += x * weight;
                        }
                    }
                }
            }
            for (i, sum) in sums.iter().enumerate() {
                let at = (cell + i) * self.outputs + first;
                y[at..at + LANES].copy_from_slice(sum);
            }
        }
    }
}
