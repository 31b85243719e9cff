//! Describes a worksharing construct, and the end of a loop that waits, in a few words.

use omphalos_ompd_view::snapshot::{Compared, Loop};

/// "a loop with schedule(dynamic, 10): 1000 iterations, 20 of them not taken yet", "2 sections, all
/// taken".
pub fn of_loop(of: &Loop) -> String {
    let left = match of.left {
        Some(0) => ", all taken".to_owned(),
        Some(left) => format!(", {left} of them not taken yet"),
        None => String::new(),
    };
    if of.construct == "sections" {
        return format!("{} sections{left}", of.iterations);
    }
    let chunk = of.chunk.map_or_else(String::new, |chunk| format!(", {chunk}"));
    let ordered = if of.ordered { ", ordered" } else { "" };
    let (what, how) = (&of.construct, &of.schedule);
    format!("a {what} with schedule({how}{chunk}){ordered}: {} iterations{left}", of.iterations)
}

/// "Its loop looks at 'head' (8 now, written at a.c:3) and at 'tail' (0 now)."
pub fn compared(all: &[Compared]) -> Option<String> {
    let one = |it: &Compared| {
        let now = it.now.map(|now| format!("{now} now"));
        let by = if it.alike { "such members are written" } else { "written" };
        let places = (!it.written.is_empty()).then(|| it.written.join(" and "));
        let written = places.map(|places| format!("{by} at {places}"));
        let facts: Vec<String> = now.into_iter().chain(written).collect();
        let facts =
            if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        format!("at '{}'{facts}", it.name)
    };
    let each: Vec<String> = all.iter().map(one).collect();
    (!each.is_empty()).then(|| format!("Its loop looks {}.", each.join(" and ")))
}
