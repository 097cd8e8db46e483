//! A network in memory: its weights, laid out as the evaluation reads them.

use crate::dots::LANES;
use crate::file::{self, Header, NetworkShape};
use ranka_core::{Encoding, Error, read_bytes};
use std::path::Path;

/// The largest file that is read: ten times what is sensible.
const LARGEST: u64 = 64 << 20;

/// How messages call a network whose file they name apart.
const PLACE: &str = "network";

/// A 3×3 convolution in whole numbers: for each output three rows of three cells of all inputs.
pub(crate) struct Conv {
    /// Channels that come in, filled up.
    pub(crate) inputs: usize,
    /// `[output][row][column][input]`.
    pub(crate) weights: Vec<i16>,
    /// What a sum is worth in steps of the output, by output.
    pub(crate) scales: Vec<f32>,
    /// What is added, in steps of the output.
    pub(crate) biases: Vec<f32>,
}

/// A head that looks at each cell by itself, in whole numbers.
pub(crate) struct Cells {
    /// `[output][input]`.
    pub(crate) weights: Vec<i16>,
    pub(crate) scales: Vec<f32>,
    pub(crate) biases: Vec<f32>,
}

/// A layer over the whole board, in real numbers.
pub(crate) struct Dense {
    /// `[output][input]`.
    pub(crate) weights: Vec<f32>,
    pub(crate) biases: Vec<f32>,
}

/// A network that is ready to be asked.
pub struct Network {
    pub(crate) header: Header,
    pub(crate) stem: Conv,
    pub(crate) blocks: Vec<[Conv; 2]>,
    pub(crate) cells: Cells,
    pub(crate) belief: Cells,
    pub(crate) loose: Dense,
    pub(crate) hidden: Dense,
    pub(crate) value: Dense,
}

/// Channels filled up to whole vectors.
pub(crate) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(LANES)
}

impl Network {
    /// Reads a network; `place` is how messages call it.
    pub fn parse(bytes: &[u8], place: &str) -> Result<Network, Error> {
        let file::Opened { header, body } = file::open(bytes, place)?;
        let mut reader = Reader { rest: body, place };
        let NetworkShape { planes, channels, blocks, action_planes, beliefs, loose_actions, .. } =
            header.shape;
        let network = Network {
            stem: reader.conv(planes, channels)?,
            blocks: (0..blocks)
                .map(|_| Ok([reader.conv(channels, channels)?, reader.conv(channels, channels)?]))
                .collect::<Result<_, Error>>()?,
            cells: reader.cells(channels, action_planes)?,
            belief: reader.cells(channels, beliefs)?,
            loose: reader.dense(channels, loose_actions)?,
            hidden: reader.dense(channels, channels)?,
            value: reader.dense(channels, header.shape.outcomes())?,
            header,
        };
        if reader.rest.is_empty() {
            Ok(network)
        } else {
            Err(reader.refuse("more weights than its header says"))
        }
    }

    /// Reads a network from a file.
    pub fn read(path: &Path) -> Result<Network, Error> {
        let bytes = read_bytes(path, LARGEST).map_err(|error| error.at(PLACE))?;
        Network::parse(&bytes, PLACE).map_err(|error| error.in_file(path))
    }

    /// Reads a network from a file, and refuses one that was not made for this game under these rules.
    pub fn read_for<G: Encoding>(path: &Path, game: &G) -> Result<Network, Error> {
        let network = Network::read(path)?;
        network.check(game).map_err(|error| error.in_file(path))?;
        Ok(network)
    }

    /// Refuses a network that was not made for this game under these rules.
    pub(crate) fn check<G: Encoding>(&self, game: &G) -> Result<(), Error> {
        file::misfit(&self.header, game, PLACE)
    }

    /// What the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The sizes.
    pub fn shape(&self) -> &NetworkShape {
        &self.header.shape
    }
}

/// Reads weights one after the other.
struct Reader<'a> {
    rest: &'a [u8],
    place: &'a str,
}

impl Reader<'_> {
    fn refuse(&self, why: &str) -> Error {
        Error::input(format!("{}: {why}", self.place))
    }

    fn bytes(&mut self, count: usize) -> Result<&[u8], Error> {
        if self.rest.len() < count {
            return Err(self.refuse("fewer weights than its header says"));
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    fn whole(&mut self, count: usize) -> Result<Vec<i16>, Error> {
        Ok(self.bytes(count)?.iter().map(|&byte| i16::from(byte as i8)).collect())
    }

    fn reals(&mut self, count: usize) -> Result<Vec<f32>, Error> {
        let reals: Vec<f32> = self
            .bytes(4 * count)?
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&bytes| f32::from_le_bytes(bytes))
            .collect();
        if reals.iter().all(|real| real.is_finite()) {
            Ok(reals)
        } else {
            Err(self.refuse("a weight is no number"))
        }
    }

    /// Rows of `inputs` weights, each filled up with zeros.
    fn rows(&mut self, rows: usize, inputs: usize) -> Result<Vec<i16>, Error> {
        let mut filled = vec![0; rows * padded(inputs)];
        let weights = self.whole(rows * inputs)?;
        for (to, from) in filled.chunks_exact_mut(padded(inputs)).zip(weights.chunks_exact(inputs)) {
            to[..inputs].copy_from_slice(from);
        }
        Ok(filled)
    }

    fn conv(&mut self, inputs: usize, outputs: usize) -> Result<Conv, Error> {
        Ok(Conv {
            inputs: padded(inputs),
            weights: self.rows(9 * outputs, inputs)?,
            scales: self.reals(outputs)?,
            biases: self.reals(outputs)?,
        })
    }

    fn cells(&mut self, inputs: usize, outputs: usize) -> Result<Cells, Error> {
        Ok(Cells {
            weights: self.rows(outputs, inputs)?,
            scales: self.reals(outputs)?,
            biases: self.reals(outputs)?,
        })
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Result<Dense, Error> {
        Ok(Dense { weights: self.reals(inputs * outputs)?, biases: self.reals(outputs)? })
    }
}
