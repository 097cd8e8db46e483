//! How the errors of each rank look to somebody who watches them with the same judge, but looks anew and may not see all.

use super::adapt::Adapting;
use super::calibrate::rising;
use crate::Runner;
use ranka_core::{AnyGame, Error, Seed};
use ranka_levels::Ladder;
use serde::Serialize;
use std::sync::Arc;

/// How a rank looks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankLook {
    /// The rank.
    pub rank: u64,
    /// The temperature that was believed in after a game, as a geometric mean.
    pub seen: f64,
    /// By which factor one game's belief differs from that, as a standard deviation.
    pub spread: f64,
}

/// Lets a watcher that believes in many temperatures play games with each of `ranks` ranks. Ranks that look out of order by
/// chance look alike.
pub fn look_at_ranks(
    game: &Arc<dyn AnyGame>,
    ranks: u64,
    games: u64,
    seed: Seed,
    runner: &Runner<'_>,
) -> Result<Vec<RankLook>, Error> {
    let look = |rank: u64| {
        let adapting = Adapting {
            game: Arc::clone(game),
            partner: "partner:ladder=grid,opponent=11,doubt=100".to_owned(),
            opponents: vec![(0, format!("level:rank={rank}"))],
            length: 1,
            matches: games,
            seed: seed.at(rank),
        };
        let played = adapting.run(runner)?;
        let believed = || played.iter().flat_map(|game| &game.ranks).filter(|rank| rank.is_finite());
        let count = believed().count().max(1) as f64;
        let mean = believed().sum::<f64>() / count;
        let variance = believed().map(|rank| (rank - mean) * (rank - mean)).sum::<f64>() / count;
        let spread = Ladder::grid_temperature(1.0) / Ladder::grid_temperature(1.0 + variance.sqrt());
        Ok(RankLook { rank, seen: Ladder::grid_temperature(mean), spread })
    };
    let looks = (1..=ranks).map(look).collect::<Result<Vec<RankLook>, Error>>()?;
    let pooled = rising(looks.iter().map(|look| -look.seen.ln()));
    Ok(looks.into_iter().zip(pooled).map(|(look, cold)| RankLook { seen: (-cold).exp(), ..look }).collect())
}
