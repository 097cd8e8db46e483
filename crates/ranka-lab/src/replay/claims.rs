//! What a record from elsewhere claims beside its moves: who played, which limits there were, how it ended. Whatever of it
//! can be held against what is known of this program's agents and referees is; `docs/contract.md` tells what cannot.

use ranka_core::{
    AgentInfo, AgentSpec, AnyGame, End, EndReason, Error, ParamKind, Params, RECORD_FORMAT, Record, Seat,
    unknown,
};

/// Refuses what cannot have been. The record must replay.
pub(super) fn check(record: &Record, game: &dyn AnyGame) -> Result<(), Error> {
    readable(record)?;
    let reason = record.end.reason;
    if reason == EndReason::Cancelled {
        return Err(Error::input("the game was stopped and has no result"));
    }
    if record.format < 2 && reason == EndReason::PlyCap {
        let why = "record: ended by ply-cap, but form 1 does not tell the cap, so that nothing shows it";
        return Err(Error::input(why));
    }
    let known = ranka_games::game(&record.game)?.agents();
    let now = (record.format < 2).then(|| as_now(record, &known));
    if let Some(now) = &now {
        game.replay(now)?;
    }
    let record = now.as_ref().unwrap_or(record);
    for seat in Seat::all(record.agents.len()).filter(|&seat| record.version_of(seat) > 0) {
        let name = &record.agents[seat.index()];
        let refuse = |error: Error| error.at(format!("record, agent {name}"));
        let agent = agent(name, record.version_of(seat), &known, &record.game).map_err(refuse)?;
        if record.end.seat == Some(seat) {
            blamed(record, seat, agent).map_err(refuse)?;
        }
    }
    Ok(())
}

/// A record of form 1, which knew no versions, as it would be written now: who is called as an agent of ours was ours.
fn as_now(record: &Record, known: &[AgentInfo]) -> Record {
    let ours = |name: &String| known.iter().any(|agent| agent.name == AgentSpec::parse(name).name);
    let versions = record.agents.iter().map(|name| u32::from(ours(name))).collect();
    // Limits are not known, so whether an agent was late is not either.
    let move_limit = (record.end.reason == EndReason::Timeout).then_some(0);
    Record { format: RECORD_FORMAT, versions, move_limit, ..record.clone() }
}

/// Nothing in it may control a terminal; a bot's last words have lines.
fn readable(record: &Record) -> Result<(), Error> {
    let End { answer, detail, .. } = &record.end;
    let control = |text: &str| text.chars().find(|c| c.is_control());
    let texts = [("rules", &record.rules), ("start", &record.start), ("actions", &record.actions)];
    let agents = record.agents.iter().map(|agent| ("agents", agent));
    let mut found = texts.into_iter().chain(agents).chain(answer.iter().map(|answer| ("answer", answer)));
    let found = found.find_map(|(what, text)| Some((what, control(text)?)));
    let in_detail = || detail.as_ref()?.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    match found.or_else(|| Some(("detail", in_detail()?))) {
        Some((what, c)) => Err(Error::input(format!("record, {what}: {c:?} is no character of a text"))),
        None => Ok(()),
    }
}

/// The agent that is meant, if there is or was one like that.
fn agent<'a>(name: &str, version: u32, known: &'a [AgentInfo], game: &str) -> Result<&'a AgentInfo, Error> {
    let spec = AgentSpec::parse(name);
    let Some(agent) = known.iter().find(|agent| agent.name == spec.name) else {
        let names: Vec<&str> = known.iter().map(|agent| agent.name).collect();
        let why = unknown(&format!("{game} agent"), &spec.name, &names);
        return Err(Error::input(format!("{why}; whoever is none of this program's is of version 0")));
    };
    if version > agent.version {
        return Err(Error::input(format!("version {version}, but there are {} so far", agent.version)));
    }
    // Earlier versions may have had other parameters.
    if version == agent.version {
        Params::parse(&spec.params, agent.params.clone())?;
    }
    Ok(agent)
}

/// Whether an agent of this program can be to blame like that. It is asked when it is to act and at no other time; it
/// cannot be late where there is no limit; and only a program outside can leave, resign or talk nonsense.
fn blamed(record: &Record, seat: Seat, agent: &AgentInfo) -> Result<(), Error> {
    let reason = record.end.reason;
    let outside = agent.params.iter().any(|param| param.kind == ParamKind::Program);
    let refuse = |why: &str| Err(Error::input(format!("ended by {} of seat {seat}, {why}", reason.name())));
    match reason {
        EndReason::Timeout if !outside && record.move_limit.is_none() => refuse("but there is no move_limit"),
        EndReason::Resigned if !outside => refuse("which never resigns"),
        EndReason::Disconnected | EndReason::Protocol if !outside => {
            refuse("which is no program outside, so that nothing can come between")
        }
        _ => Ok(()),
    }
}
