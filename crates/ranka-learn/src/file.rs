//! Network files: a line of JSON that says what it is, the weights, and a checksum.

use ranka_core::{Encoding, Error, Layout};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a file of a network says that it is.
pub(crate) const KIND: &str = "network";

/// The form that this code reads and writes.
pub(crate) const FORM: u32 = 1;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 32;

/// A header longer than this is none.
const LONGEST_HEADER: usize = 64 * 1024;

/// With more the sums of a convolution could overflow: 9 · 224 · 127 · 8191 is just below 2³¹.
const MOST_CHANNELS: usize = 224;

/// What a network file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always `network`, so that whoever opens the file knows.
    pub ranka: String,
    /// The form of the file.
    pub form: u32,
    /// The game.
    pub game: String,
    /// The version of the game's encoding.
    pub encoding: u32,
    /// The sizes.
    pub shape: NetworkShape,
    /// What one step of the tower's whole numbers is worth.
    pub step: f32,
    /// What one step of the quantised observation is worth.
    pub input_step: f32,
    /// How it was trained.
    pub trained: Trained,
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// Planes of an observation.
    pub planes: usize,
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Planes of actions.
    pub action_planes: usize,
    /// Actions beyond.
    pub loose_actions: usize,
    /// Seats of the game.
    pub seats: usize,
    /// Channels of the tower.
    pub channels: usize,
    /// Residual blocks of the tower.
    pub blocks: usize,
    /// Planes of beliefs about what is hidden.
    pub beliefs: usize,
}

impl NetworkShape {
    /// Cells of the board.
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// How many actions have a logit.
    pub fn actions(&self) -> usize {
        self.action_planes * self.cells() + self.loose_actions
    }

    /// Categories of an outcome: win, draw and loss for two seats, who wins for more.
    pub fn outcomes(&self) -> usize {
        if self.seats == 2 { 3 } else { self.seats }
    }

    /// Why nobody can mean this, if nobody can. Also bounds what a foreign file makes us allocate.
    fn nonsense(&self) -> Option<&'static str> {
        let NetworkShape {
            planes,
            height,
            width,
            action_planes,
            loose_actions,
            seats,
            channels,
            blocks,
            beliefs,
        } = *self;
        let sizes = [planes, height, width, channels];
        match () {
            () if sizes.contains(&0) => Some("a size of 0"),
            () if planes > MOST_CHANNELS || channels > MOST_CHANNELS || blocks > 64 => {
                Some("a tower of that size")
            }
            () if height > 64 || width > 64 => Some("a board of that size"),
            () if action_planes > 4096 || loose_actions > 65_536 || beliefs > 64 => {
                Some("heads of that size")
            }
            () if !(2..=4).contains(&seats) => Some("that many seats"),
            () => None,
        }
    }
}

/// Where the weights come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trained {
    /// The command.
    pub command: String,
    /// Its seed.
    pub seed: u64,
    /// Decisions that were learned from.
    pub decisions: u64,
    /// The hardware.
    pub hardware: String,
    /// Wall-clock minutes.
    pub minutes: f64,
}

/// A file taken apart: what it says, and its weights.
pub(crate) struct Opened<'a> {
    pub(crate) header: Header,
    pub(crate) body: &'a [u8],
}

/// Takes a network file apart. `place` is how messages call it.
pub(crate) fn open<'a>(bytes: &'a [u8], place: &str) -> Result<Opened<'a>, Error> {
    let refuse = |why: &str| Error::input(format!("{place}: {why}"));
    let (header, body): (Header, _) = unsealed(bytes, place, "network file")?;
    if header.ranka != KIND {
        return Err(refuse(&format!("a file of kind {:?}, not a network", header.ranka)));
    }
    if header.form != FORM {
        return Err(refuse(&format!("written in form {}, and this program reads form {FORM}", header.form)));
    }
    if let Some(what) = header.shape.nonsense() {
        return Err(refuse(&format!("its header asks for {what}")));
    }
    let steps = [header.step, header.input_step];
    if !steps.iter().all(|step| step.is_finite() && *step > 0.0) {
        return Err(refuse("its header has a step that is no positive number"));
    }
    Ok(Opened { header, body })
}

/// A header as a line of JSON, a body, and the checksum of both.
pub(crate) fn sealed(header: &impl Serialize, body: &[u8]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(header).expect("headers are plain data");
    bytes.push(b'\n');
    bytes.extend_from_slice(body);
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// Header and body of a file, if it is whole; `kind` is what messages say it should be.
pub(crate) fn unsealed<'a, H: DeserializeOwned>(
    bytes: &'a [u8],
    place: &str,
    kind: &str,
) -> Result<(H, &'a [u8]), Error> {
    let refuse = |why: &str| Error::input(format!("{place}: {why}"));
    let line = bytes.iter().take(LONGEST_HEADER).position(|&byte| byte == b'\n');
    let line = line.ok_or_else(|| refuse(&format!("no {kind}: it does not begin with a line of JSON")))?;
    let header: H = serde_json::from_slice(&bytes[..line])
        .map_err(|error| refuse(&format!("no {kind}: its first line is no header ({error})")))?;
    let Some(end) = bytes.len().checked_sub(CHECKSUM).filter(|&end| end > line) else {
        return Err(refuse("it ends too early"));
    };
    if Sha256::digest(&bytes[..end])[..] != bytes[end..] {
        return Err(refuse("its checksum is wrong: the file is damaged or was cut short"));
    }
    Ok((header, &bytes[line + 1..end]))
}

/// Why a network cannot play this game, if it cannot.
pub(crate) fn misfit<G: Encoding>(header: &Header, game: &G, place: &str) -> Result<(), Error> {
    let refuse = |why: String| Err(Error::input(format!("{place}: {why}")));
    if header.game != G::INFO.name {
        return refuse(format!("a network for {}, not for {}", header.game, G::INFO.name));
    }
    let Layout { version, planes, height, width, action_planes, loose_actions } = game.layout();
    if header.encoding != version {
        return refuse(format!(
            "made for version {} of the encoding, which is {version} now",
            header.encoding
        ));
    }
    let asked = [planes.len(), height, width, action_planes, loose_actions, game.seats()];
    let shape = &header.shape;
    let made =
        [shape.planes, shape.height, shape.width, shape.action_planes, shape.loose_actions, shape.seats];
    if asked != made {
        return refuse(format!(
            "made for other rules: planes, height, width, planes of actions, other actions and seats are {made:?}, \
             and these rules have {asked:?}"
        ));
    }
    Ok(())
}
