//! Serial time: outside of regions one thread works and the others have nothing to do (Amdahl).

use super::{Disease, Finding, SERIAL_SHARE, duration, percent};
use crate::Analysis;
use crate::model::{HotLine, ratio};
use crate::ompt::THREAD_INITIAL;

pub(super) fn find(analysis: &Analysis) -> Option<Finding> {
    let summary = analysis.summary();
    // Only the longest serial thread counts: several threads of the program's own may each run
    // serial code side by side.
    let initial = analysis.threads().iter().filter(|thread| thread.kind == THREAD_INITIAL);
    let serial = initial.map(|thread| thread.serial_work).max()?;
    let share = ratio(serial, summary.elapsed);
    let team = analysis.regions().iter().map(|row| row.team_size()).fold(1.0, f64::max);
    if share < SERIAL_SHARE || team <= 1.0 {
        return None;
    }
    let parallel: f64 = summary.elapsed.saturating_sub(serial) as f64;
    // Parallel code is taken to scale perfectly; `team` threads already share it.
    let bound = (serial as f64 + parallel * team) / serial as f64;
    let mut evidence = format!(
        "{} of {} elapsed ({}) are outside parallel regions: on any number of threads the speedup \
         stays below {bound:.1}",
        duration(serial as f64),
        duration(summary.elapsed as f64),
        percent(share),
    );
    let hottest = hottest_function(analysis);
    if let Some((function, lines, part)) = &hottest {
        evidence.push_str(&format!("; {} of it in {function}", percent(*part)));
        if let Some(place) = lines.place() {
            evidence.push_str(&format!(" (hottest line {place})"));
        }
    }
    let line = hottest.as_ref().map(|(_, line, _)| line);
    let place = match line {
        Some(line) => match line.place() {
            Some(place) => format!("{place} in {}", line.function),
            None => line.function.to_string(),
        },
        None => "outside parallel regions".to_owned(),
    };
    Some(Finding {
        disease: Disease::SerialTime,
        place: place.into(),
        file: line.and_then(|line| line.file.clone()),
        line: line.map_or(0, |line| line.line),
        cost: (serial as f64 * (1.0 - 1.0 / team)) as u64,
        evidence,
        advice: "make the serial work parallel too, or overlap it with parallel work (tasks)",
    })
}

/// The function with the most serial time, its hottest line, and its share.
fn hottest_function(analysis: &Analysis) -> Option<(String, &HotLine, f64)> {
    let lines = analysis.serial_lines();
    let total: u64 = lines.iter().map(|line| line.time).sum();
    let of = |function: &str| -> u64 {
        lines.iter().filter(|line| &*line.function == function).map(|line| line.time).sum()
    };
    // Lines are sorted by time, so the first of the function is its hottest.
    let best = lines.iter().max_by_key(|line| of(&line.function))?;
    let first = lines.iter().find(|line| line.function == best.function)?;
    Some((first.function.to_string(), first, ratio(of(&first.function), total)))
}
