//! A hot critical, lock or ordered region: threads spend much of their lives waiting for it.

use super::{Disease, Finding, MUTEX_SHARE, OF_MUTEX, blocked, count, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio};

/// Whether a finding about a mutex explains the waits of this region. A thread that waits for the
/// mutex works for less time than the one that has it: that is no second loss. (Turns in `ordered`
/// are unequal work.)
pub(super) fn explains(findings: &[Finding], row: &RegionRow) -> bool {
    let is_named = |place: &str| {
        let mut of_mutexes = findings.iter().filter(|found| found.disease == Disease::HotMutex);
        of_mutexes.any(|found| found.place.contains(place))
    };
    let mut mutexes = row.constructs.iter().filter(|inner| inner.is_mutex());
    ratio(row.mutex_wait, row.mutex_wait.saturating_add(row.barrier_wait)) >= OF_MUTEX
        && mutexes.any(|inner| inner.name != "ordered" && is_named(&inner.construct.label))
}

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let summary = analysis.summary();
    let mut findings = Vec::new();
    // A lone thread waits for nobody: an apparent wait is time without a processor.
    if summary.threads < 2 {
        return findings;
    }
    for row in analysis.mutexes() {
        let share = ratio(row.wait, summary.alive);
        let Some((site, _)) = row.sites.first() else { continue };
        if share < MUTEX_SHARE {
            continue;
        }
        let waits = match row.only_waits {
            true => format!("{} acquisitions had to wait", count(row.contended)),
            false => format!(
                "{} of {} acquisitions had to wait ({})",
                count(row.contended),
                count(row.acquisitions),
                percent(ratio(row.contended, row.acquisitions)),
            ),
        };
        let is_reduction = row.name.starts_with("reduction");
        // Each thread adds its copy to the variable while it holds it.
        let adding = if is_reduction { row.hold } else { 0 };
        let sleeps = ratio(row.slept, row.hold) >= 0.5;
        let held = match adding {
            0 if sleeps => format!(
                "; who holds it sleeps in calls for {} of {}",
                duration(row.slept as f64),
                duration(row.hold as f64),
            ),
            0 => String::new(),
            _ => format!("; they added their copies up for {}", duration(adding as f64)),
        };
        let evidence = format!(
            "threads waited {}{} for it, {} of all their time; {waits}, {} on average{held}",
            if row.timed < row.acquisitions { "about " } else { "" },
            duration(row.wait as f64),
            percent(share),
            duration(ratio(row.wait, row.contended)),
        );
        findings.push(Finding {
            disease: Disease::HotMutex,
            place: if row.name.contains(&*site.label) {
                row.name.as_str().into()
            } else {
                format!("{} at {}", row.name, site.label).into()
            },
            file: site.file.clone(),
            line: site.line,
            // Without the waits, all threads would work in that time.
            cost: row.wait.saturating_add(adding) / summary.threads.max(1),
            evidence,
            advice: if row.name == "ordered" || row.name.starts_with("ordered at") {
                "do less inside it, or leave it out where the order is not needed"
            } else if sleeps {
                blocked::NOT_WITH_LOCK
            } else if is_reduction {
                "each thread has a copy of the whole variable, clears it and adds it in turn: \
                 reduce a smaller one, enter the construct less often, or add to the variable \
                 itself (atomic) where few elements change"
            } else {
                "do less inside it, keep a copy per thread and combine at the end (reduction), or \
                 split it into several"
            },
        });
    }
    findings
}
