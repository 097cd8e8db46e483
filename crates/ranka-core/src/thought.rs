//! What an agent answers: its choice, and as far as it has them the reasons.

/// An agent's answer. The analysis overlay, the logs, the adaptive player and `ranka analyse` all read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The action chosen.
    pub choice: A,
    /// What was considered, in the game's canonical order; empty for an agent that does not compare.
    pub candidates: Vec<Candidate<A>>,
    /// What the candidates' values mean.
    pub scale: Scale,
    /// What a sure win is worth on the agent's own scale, less the actions until it if it counts them; a sure loss is
    /// worth as much below zero. Nothing for an agent that is never sure.
    pub win: Option<f64>,
    /// Figures worth showing beside the choice, by name: what the agent believes of its opponent, say.
    pub notes: Vec<(&'static str, f64)>,
    /// Positions or playouts looked at.
    pub nodes: u64,
    /// How far the search looked, in actions; 0 without search.
    pub depth: u32,
}

/// One action that was considered.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Its value for the seat that thinks, more is better, on the thought's [`Scale`].
    pub value: f64,
    /// How often it was tried, for agents that sample.
    pub visits: Option<u64>,
    /// The expected continuation, starting with the action itself; may be empty.
    pub pv: Vec<A>,
}

/// What a value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The expected score, 0 to 1.
    Score,
    /// The expected final margin in the game's points.
    Margin,
    /// The agent's own evaluation, comparable only with itself.
    Own,
}

impl Scale {
    /// As `--json` names it.
    pub const fn name(self) -> &'static str {
        match self {
            Scale::Score => "score",
            Scale::Margin => "margin",
            Scale::Own => "own",
        }
    }
}

impl<A> Thought<A> {
    /// A choice without reasons.
    pub const fn plain(choice: A) -> Thought<A> {
        Thought {
            choice,
            candidates: Vec::new(),
            scale: Scale::Own,
            win: None,
            notes: Vec::new(),
            nodes: 0,
            depth: 0,
        }
    }
}

impl<A> Candidate<A> {
    /// A candidate of which only the value is known.
    pub const fn valued(action: A, value: f64) -> Candidate<A> {
        Candidate { action, value, visits: None, pv: Vec::new() }
    }
}
