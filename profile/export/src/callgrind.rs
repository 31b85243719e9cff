//! Callgrind's format, for `callgrind_annotate` and KCachegrind: the own time of each line of each
//! function, and the time of the functions that it calls. Times are in nanoseconds, with one event
//! for each kind of time.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::rc::Rc;

use omphalos_report::{Analysis, PlacedFrame, TimeKind};

use crate::stacks::{Stacks, program};

/// The format's word for an unknown name.
const UNKNOWN: &str = "???";

/// Time of each kind, ns.
type Cost = [u64; TimeKind::ALL.len()];

/// File and name.
type Function = (Rc<str>, Rc<str>);

#[derive(Default)]
struct Body {
    /// By line.
    own: BTreeMap<u32, Cost>,
    /// By line and called function.
    calls: BTreeMap<(u32, Function), Cost>,
}

/// The profile as text.
pub fn render(processes: &[&Analysis]) -> String {
    let Stacks { frames, rows } = Stacks::of(processes);
    let mut bodies: BTreeMap<Function, Body> = BTreeMap::new();
    let mut all = Cost::default();
    for stack in &rows {
        let Some(innermost) = stack.frames.last() else { continue };
        let mut cost = Cost::default();
        cost[stack.kind as usize] = stack.time;
        add(&mut all, &cost);
        let innermost = &frames[*innermost];
        let body = bodies.entry(function(innermost)).or_default();
        add(body.own.entry(innermost.line).or_default(), &cost);
        // A call that a recursion makes again is inside the first one, and counts once.
        let mut seen = HashSet::new();
        for call in stack.frames.windows(2) {
            let (caller, callee) = (&frames[call[0]], &frames[call[1]]);
            if seen.insert((call[0], function(callee))) {
                let body = bodies.entry(function(caller)).or_default();
                add(body.calls.entry((caller.line, function(callee))).or_default(), &cost);
            }
        }
    }
    let mut out = String::from("# callgrind format\nversion: 1\n");
    let _ = writeln!(out, "creator: omphalos {}", env!("CARGO_PKG_VERSION"));
    if let Some(first) = processes.first() {
        let command = first.command();
        let command = if command.is_empty() { program(first) } else { &command };
        let _ = writeln!(out, "cmd: {}", one_line(command));
    }
    out.push_str("desc: Unit: nanoseconds\npositions: line\n");
    out.push_str("events: Work Wait Blocked Without_CPU Not_sampled\n");
    let _ = writeln!(out, "summary:{}", Costs(&all));
    for ((file, name), body) in &bodies {
        let _ = writeln!(out, "\nfl={file}\nfn={name}");
        for (line, cost) in &body.own {
            let _ = writeln!(out, "{line}{}", Costs(cost));
        }
        for ((line, (file, name)), cost) in &body.calls {
            let _ = writeln!(out, "cfi={file}\ncfn={name}\ncalls=1 0\n{line}{}", Costs(cost));
        }
    }
    let _ = writeln!(out, "\ntotals:{}", Costs(&all));
    out
}

fn function(frame: &PlacedFrame) -> Function {
    let file = frame.file.as_deref().unwrap_or(UNKNOWN);
    (one_line(file).into(), one_line(&frame.text).into())
}

/// Returns a name on one line, since the format ends it there.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn add(sum: &mut Cost, cost: &Cost) {
    sum.iter_mut().zip(cost).for_each(|(sum, cost)| *sum = sum.saturating_add(*cost));
}

struct Costs<'a>(&'a Cost);

impl std::fmt::Display for Costs<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|cost| write!(to, " {cost}"))
    }
}
