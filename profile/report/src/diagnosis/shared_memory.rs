//! A cache line that threads write in turn: each write waits until the line comes from another
//! processor. No event tells of it; samples stand at the instructions that wait.

use std::rc::Rc;

use super::{Disease, Finding, SHARED_SHARE, duration, percent};
use crate::Analysis;
use crate::model::{SharedMemory, ratio};
use crate::visible::visible;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    // A lone processor never waits for another one's lines.
    if analysis.summary().usable_cpus < 2 {
        return Vec::new();
    }
    let rows = analysis.shared_memory().unwrap_or_default();
    rows.iter().filter_map(|row| finding(analysis, row)).collect()
}

fn finding(analysis: &Analysis, row: &SharedMemory) -> Option<Finding> {
    let share = ratio(row.time, analysis.summary().openmp_work);
    if share < SHARED_SHARE {
        return None;
    }
    let code = code_of(&row.file, row.line, &row.function);
    let place = match &row.name {
        Some(name) => format!("{} at {code}", visible(name)),
        None => format!("memory at {code}"),
    };
    let lines = match row.lines {
        1 => "a cache line of 64 bytes".to_owned(),
        lines => format!("each of {lines} cache lines of 64 bytes"),
    };
    let writes = match (row.is_apart, row.is_atomic) {
        (true, _) => format!("{} threads write bytes of their own in {lines}", row.threads),
        (false, true) => format!("{} threads change {lines} by atomic instructions", row.threads),
        (false, false) => format!("{} threads write to the same bytes of {lines}", row.threads),
    };
    Some(Finding {
        disease: if row.is_apart { Disease::FalseSharing } else { Disease::ContendedVariable },
        place: place.into(),
        file: row.file.clone(),
        line: row.line,
        cost: row.time / row.threads.max(1),
        evidence: format!(
            "{writes}, and take it from each other: {} at these instructions, {} of OpenMP Work, \
             by samples",
            duration(row.time as f64),
            percent(share),
        ),
        advice: if row.is_apart {
            "add up in a local variable and write it once, or give each thread's part a cache line \
             of its own (alignas(64), padding)"
        } else {
            "add up in a variable of each thread's own and combine at the end (reduction), or \
             change it less often"
        },
    })
}

/// `file.c:12 in f`, or `f` where no file is known.
pub(super) fn code_of(file: &Option<Rc<str>>, line: u32, function: &str) -> String {
    match file {
        Some(file) => {
            let file = file.rsplit('/').next().unwrap_or(file);
            format!("{}:{line} in {function}", visible(file))
        }
        None => function.to_owned(),
    }
}
