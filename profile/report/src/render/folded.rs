//! Collapsed stacks: `outermost;…;innermost microseconds`, one line for each stack, the input of
//! flame graph programs.

use std::fmt::Write;

use crate::Analysis;

/// Returns all user-model stacks with their time in microseconds; lines are sorted.
pub fn render(analysis: &Analysis) -> String {
    render_all(&[analysis])
}

/// Returns the same for several processes: of more than one, each is the outermost frame of its
/// stacks.
pub fn render_all(processes: &[&Analysis]) -> String {
    let mut lines = Vec::new();
    for analysis in processes {
        let outermost = (processes.len() > 1).then(|| super::process(analysis));
        lines.extend(analysis.stack_times.iter().map(|&(node, time)| {
            let labels = analysis.stacks.path(node);
            let frames = outermost.as_deref().into_iter().chain(labels.iter().map(|l| &*l.text));
            (path(frames), time / 1000)
        }));
    }
    lines.sort();
    let mut out = String::new();
    for (path, microseconds) in lines {
        let _ = writeln!(out, "{path} {microseconds}");
    }
    out
}

fn path<'a>(frames: impl Iterator<Item = &'a str>) -> String {
    let mut path = String::new();
    for frame in frames {
        if !path.is_empty() {
            path.push(';');
        }
        // The separators of the format cannot be part of a name.
        path.extend(frame.chars().map(|c| match c {
            ';' => ':',
            '\n' => ' ',
            c => c,
        }));
    }
    if path.is_empty() {
        path.push_str("(no stack)");
    }
    path
}
