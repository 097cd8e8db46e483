//! Where a training stands, as a file from which it goes on as if it had not been stopped.

use super::TrainingOptions;
use super::adam::Adam;
use super::ppo::Learner;
use crate::file;
use ranka_core::Error;
use serde::{Deserialize, Serialize};

const KIND: &str = "training";
const FORM: u32 = 1;

/// What a checkpoint says of itself.
#[derive(Serialize, Deserialize)]
struct Head {
    ranka: String,
    form: u32,
    game: String,
    rules: String,
    encoding: u32,
    settings: TrainingOptions,
    generation: u64,
    decisions: u64,
    minutes: f64,
    steps: u64,
}

/// What is kept beside the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) generation: u64,
    pub(crate) decisions: u64,
    pub(crate) minutes: f64,
}

/// Of what the training is.
pub(crate) struct Subject<'a> {
    pub(crate) game: &'a str,
    pub(crate) rules: &'a str,
    pub(crate) encoding: u32,
    pub(crate) settings: &'a TrainingOptions,
}

pub(crate) fn written(subject: &Subject<'_>, progress: Progress, learner: &Learner) -> Vec<u8> {
    let head = Head {
        ranka: KIND.to_owned(),
        form: FORM,
        game: subject.game.to_owned(),
        rules: subject.rules.to_owned(),
        encoding: subject.encoding,
        settings: subject.settings.clone(),
        generation: progress.generation,
        decisions: progress.decisions,
        minutes: progress.minutes,
        steps: learner.adam.steps,
    };
    let parts = [&learner.numbers, &learner.reference, &learner.adam.means, &learner.adam.squares];
    let body: Vec<u8> = parts.into_iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    file::sealed(&head, &body)
}

/// Reads a checkpoint of this very training; `len` is how many numbers its network has.
pub(crate) fn read(
    bytes: &[u8],
    place: &str,
    subject: &Subject<'_>,
    len: usize,
) -> Result<(Progress, Learner), Error> {
    let refuse = |why: &str| Error::input(format!("{place}: {why}"));
    let (head, body): (Head, _) = file::unsealed(bytes, place, "checkpoint")?;
    if head.ranka != KIND || head.form != FORM {
        return Err(refuse("a file of another kind or form than a training's checkpoint"));
    }
    if (head.game.as_str(), head.rules.as_str(), head.encoding)
        != (subject.game, subject.rules, subject.encoding)
    {
        return Err(refuse("a training of another game, with other rules or in another encoding"));
    }
    if head.settings != *subject.settings {
        return Err(refuse(
            "a training with other settings; give the same ones, or remove the file to begin anew",
        ));
    }
    let numbers: Vec<f32> = body.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let mut parts = numbers.chunks_exact(len.max(1)).map(<[f32]>::to_vec);
    let next = |parts: &mut dyn Iterator<Item = Vec<f32>>| {
        parts.next().ok_or_else(|| refuse("fewer numbers than it should have"))
    };
    let (numbers, reference) = (next(&mut parts)?, next(&mut parts)?);
    let adam = Adam { means: next(&mut parts)?, squares: next(&mut parts)?, steps: head.steps };
    let progress = Progress { generation: head.generation, decisions: head.decisions, minutes: head.minutes };
    Ok((progress, Learner { numbers, reference, adam }))
}
