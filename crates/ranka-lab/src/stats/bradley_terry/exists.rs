//! Which ratings can be compared, and whether the likelihood has a maximum.

use super::Crosstable;

/// The group of each agent: those who met, directly or through others, are in the same.
pub(super) fn groups(table: &Crosstable) -> Vec<usize> {
    let edges: Vec<[usize; 2]> =
        table.meetings.iter().flat_map(|m| [m.agents, [m.agents[1], m.agents[0]]]).collect();
    let mut groups = vec![None; table.agents];
    let mut next = 0;
    for agent in 0..table.agents {
        if groups[agent].is_none() {
            for (other, reached) in reachable(table.agents, &edges, agent).into_iter().enumerate() {
                if reached {
                    groups[other] = Some(next);
                }
            }
            next += 1;
        }
    }
    groups.into_iter().flatten().collect()
}

/// Whether the likelihood has a maximum, the draws' parameter included (which has none but at "never" if
/// nothing was drawn, and is then left out).
///
/// It has one unless there is a direction in which strengths `u` and the logarithm `c` of ν can go on for
/// ever while every game that was played grows or stays as probable:
/// - with `c = 0`, nobody ever scores against someone stronger, so some agents never scored against others;
/// - with `c = 1`, winners are at least 2 stronger and those who drew at most 2 apart.
pub(super) fn has_maximum(table: &Crosstable, groups: &[usize]) -> bool {
    let drawn = table.meetings.iter().any(|m| m.draws > 0.0);
    everyone_scores(table, groups) && !(drawn && draws_can_grow(table))
}

/// Whether within every group there is a way from everyone to everyone along "scored against".
fn everyone_scores(table: &Crosstable, groups: &[usize]) -> bool {
    let mut forward = Vec::new();
    for meeting in &table.meetings {
        let [one, other] = meeting.agents;
        if meeting.wins + meeting.draws > 0.0 {
            forward.push([one, other]);
        }
        if meeting.losses + meeting.draws > 0.0 {
            forward.push([other, one]);
        }
    }
    let backward: Vec<[usize; 2]> = forward.iter().map(|[a, b]| [*b, *a]).collect();
    let whole_group = |edges: &[[usize; 2]], agent: usize| {
        let reached = reachable(table.agents, edges, agent);
        (0..table.agents).all(|other| reached[other] || groups[other] != groups[agent])
    };
    (0..table.agents)
        .filter(|&agent| groups.iter().position(|group| *group == groups[agent]) == Some(agent))
        .all(|agent| whole_group(&forward, agent) && whole_group(&backward, agent))
}

/// Whether the strengths of the second direction exist. Such differences exist unless their bounds add up to
/// something negative around a circle (Bellman and Ford).
fn draws_can_grow(table: &Crosstable) -> bool {
    // `(a, b, x)` says that b is at most x stronger than a.
    let mut bounds = Vec::new();
    for meeting in &table.meetings {
        let [one, other] = meeting.agents;
        if meeting.wins > 0.0 {
            bounds.push((one, other, -2));
        }
        if meeting.losses > 0.0 {
            bounds.push((other, one, -2));
        }
        if meeting.draws > 0.0 {
            bounds.extend([(one, other, 2), (other, one, 2)]);
        }
    }
    let mut strengths = vec![0i64; table.agents];
    for _ in 0..=table.agents {
        let mut changed = false;
        for &(a, b, most) in &bounds {
            if strengths[b] > strengths[a] + most {
                strengths[b] = strengths[a] + most;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// Who can be reached from `start`.
fn reachable(agents: usize, edges: &[[usize; 2]], start: usize) -> Vec<bool> {
    let mut neighbours = vec![Vec::new(); agents];
    edges.iter().for_each(|[from, to]| neighbours[*from].push(*to));
    let mut reached = vec![false; agents];
    let mut open = vec![start];
    while let Some(agent) = open.pop() {
        if !reached[agent] {
            reached[agent] = true;
            open.extend(&neighbours[agent]);
        }
    }
    reached
}
