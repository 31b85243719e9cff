//! The forms of a comparison, each a pure function of it.

mod flamegraph;
mod folded;
mod json;
mod junit;
mod markdown;
mod text;

pub use flamegraph::{each_frame, render as flamegraph};
pub use folded::render as folded;
pub use json::render as json;
pub use junit::render as junit;
pub use markdown::render as markdown;
pub use text::{TextOptions, render as text, render_runs as text_of_runs};

use crate::compared_row::{Row, Status};

/// Milliseconds with a decimal.
fn ms(ns: f64) -> String {
    format!("{:.1}", ns / 1e6)
}

/// The same with its sign.
fn signed_ms(ns: f64) -> String {
    format!("{:+.1}", ns / 1e6)
}

/// `app.c:42` of `region at app.c:42 in main`.
fn place(label: &str) -> &str {
    let from = label.find(" at ").map_or(0, |at| at + 4);
    let rest = &label[from..];
    rest.find(" in ").map_or(rest, |end| &rest[..end])
}

/// Returns the fate of a row beyond its time, in a few words; empty if there is nothing to say.
fn remark(row: &Row) -> String {
    let mut words = Vec::new();
    match (row.status, &row.earlier) {
        (Status::New, _) => words.push("new".to_owned()),
        (Status::Gone, _) => words.push("gone".to_owned()),
        (Status::Moved, Some(earlier)) => words.push(format!("was at {}", place(earlier))),
        (Status::Renamed, Some(earlier)) => words.push(format!("was {earlier}")),
        _ => {}
    }
    words.extend(row.notes.iter().cloned());
    if let Some(work) = row.work.as_ref().filter(|work| work.is_other()) {
        words.push(format!(
            "{} {} instead of {}",
            work.what,
            crate::circumstances::whole(work.after),
            crate::circumstances::whole(work.before)
        ));
    }
    words.join(", ")
}
