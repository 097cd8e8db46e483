//! The protocols of bots and communities: lines, and the state machines behind them.

use crate::engine::Target;
use ranka_bots::{geister, kgp, stdio, tubstap};

pub(crate) fn targets() -> Vec<Target> {
    [stdio::PARSER, geister::PARSER, kgp::PARSER, tubstap::PARSER]
        .into_iter()
        .map(|parser| {
            Target::new(format!("protocol {}", parser.name), parser.samples, move |input| {
                (parser.read)(input);
                0
            })
        })
        .collect()
}
