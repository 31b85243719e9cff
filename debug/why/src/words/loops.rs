//! Describes a worksharing construct in a few words.

use omphalos_ompd_view::snapshot::Loop;

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
