//! Finds the branches of a function at which ways part, for `partings/mod.rs`. A side of a branch
//! is the code that one outcome of its condition leads to.

use iced_x86::FlowControl;

use super::Graph;

/// The instructions of a side that are returned, at most.
const MOST_CODE: usize = 256;

/// Returns branches on a way from `starts`, one side of which never comes to `to`: no way from that
/// side leads to `to`, but some way leads out of the function or to one of `ends`. With each branch
/// comes the code that only this side has.
pub(super) fn find(
    graph: &Graph<'_>,
    starts: &[usize],
    to: &[usize],
    ends: &[usize],
) -> Vec<(usize, Vec<usize>)> {
    let count = graph.next.len();
    let stops = |at: usize| to.contains(&at) || ends.contains(&at) && !starts.contains(&at);
    let forth = |from: &[usize]| {
        let mut seen = vec![false; count];
        let mut todo = from.to_vec();
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) || stops(at) {
                continue;
            }
            todo.extend(graph.next[at].iter().filter(|next| !ends.contains(next)));
        }
        seen
    };
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
    for at in 0..count {
        for next in graph.next[at].iter().filter(|_| !stops(at)) {
            if !ends.contains(next) {
                back[*next].push(at);
            }
        }
    }
    let behind = |from: Vec<usize>| {
        let mut seen = vec![false; count];
        let mut todo = from;
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&back[at]);
            }
        }
        seen
    };
    let comes = behind(to.to_vec());
    let is_end = |at: &usize| {
        graph.is_out[*at] && !to.contains(at) || graph.next[*at].iter().any(|to| ends.contains(to))
    };
    let leaves = behind((0..count).filter(is_end).collect());
    let on_way = forth(starts);
    let met: Vec<usize> = to.iter().flat_map(|at| graph.next[*at].clone()).collect();
    let after = forth(&met);
    let is_lost = |at: usize| ends.contains(&at) || !comes[at] && leaves[at];
    let mut found = Vec::new();
    for branch in (0..count).filter(|at| on_way[*at] && comes[*at] && !to.contains(at)) {
        let one = &graph.rounds.instructions[branch];
        if one.flow_control() != FlowControl::ConditionalBranch {
            continue;
        }
        for side in graph.next[branch].iter().filter(|side| is_lost(**side)) {
            let mut own: Vec<usize> = Vec::new();
            let mut todo = vec![*side];
            while let Some(at) = todo.pop() {
                let is_own = !after[at] && !stops(at) && !own.contains(&at);
                if is_own && own.len() < MOST_CODE {
                    own.push(at);
                    todo.extend(graph.next[at].iter().rev());
                }
            }
            found.push((branch, own));
        }
    }
    found
}
