//! Collapsed stacks: `outermost;…;innermost microseconds`, one line a stack, as flame graph
//! programs read them.

use std::fmt::Write;

use crate::Analysis;

/// All user-model stacks with their time in microseconds; lines are sorted.
pub fn render(analysis: &Analysis) -> String {
    let mut lines: Vec<(String, u64)> = analysis
        .stack_times
        .iter()
        .map(|&(node, time)| {
            let mut path = String::new();
            for label in analysis.stacks.path(node) {
                if !path.is_empty() {
                    path.push(';');
                }
                // The separators of the format cannot be part of a name.
                path.extend(label.text.chars().map(|c| match c {
                    ';' => ':',
                    '\n' => ' ',
                    c => c,
                }));
            }
            if path.is_empty() {
                path.push_str("(no stack)");
            }
            (path, time / 1000)
        })
        .collect();
    lines.sort();
    let mut out = String::new();
    for (path, microseconds) in lines {
        let _ = writeln!(out, "{path} {microseconds}");
    }
    out
}
