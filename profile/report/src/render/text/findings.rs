//! The findings with their advice, the diseases that were looked for in vain, and the gaps of the
//! report.

use super::page::Page;
use crate::Analysis;
use crate::diagnosis::{self, Disease, duration};

/// Shows the costliest findings, and at most `most_doubts` doubts.
pub(super) fn diagnosis(page: &mut Page, analysis: &Analysis, most: usize, most_doubts: usize) {
    page.heading("Diagnosis");
    if !analysis.used_openmp() {
        let nothing = analysis.threads().is_empty() && !analysis.summary().complete;
        page.text(
            2,
            if nothing {
                "nothing was recorded: the program ended before it used OpenMP"
            } else {
                "no OpenMP was used"
            },
        );
        return;
    }
    let findings = analysis.findings();
    let doubts = analysis.doubts();
    if findings.is_empty() {
        match doubts {
            [] => page.good("  no OpenMP problem found"),
            _ => page.alarm(2, "nothing found that is sure"),
        }
    }
    let elapsed = analysis.summary().elapsed;
    for (number, finding) in (1..).zip(findings.iter().take(most.max(1))) {
        page.alarm(5, &format!("{number}. {}: {}", finding.disease, finding.place));
        page.text(5, &finding.evidence);
        let (up_to, or_more) = match finding.disease.has_bound() {
            true => ("up to", ""),
            false => ("about", ", or more"),
        };
        let hint = format!(
            "to do, to gain {up_to} {} of {} elapsed{or_more}: {}",
            duration(finding.cost as f64),
            duration(elapsed as f64),
            finding.advice
        );
        page.text(5, &hint);
    }
    let more = |all: usize, shown: usize| all.saturating_sub(shown.max(1));
    if more(findings.len(), most) > 0 {
        page.text(2, &format!("and {} more findings", more(findings.len(), most)));
    }
    for doubt in doubts.iter().take(most_doubts.max(1)) {
        page.text(2, &format!("inconclusive: {doubt}"));
    }
    if more(doubts.len(), most_doubts) > 0 {
        page.text(2, &format!("and {} more of the kind", more(doubts.len(), most_doubts)));
    }
}

/// Names the diseases that were looked for and not found, and those that cannot be seen: an empty
/// diagnosis is no praise.
pub(super) fn looked_for(page: &mut Page, analysis: &Analysis) {
    if !analysis.used_openmp() {
        return;
    }
    let absent: Vec<String> =
        diagnosis::ruled_out(analysis).iter().map(Disease::to_string).collect();
    page.heading("Looked for");
    let doubt = match analysis.doubts() {
        [] => "",
        _ => ", as far as this run can tell (see inconclusive)",
    };
    page.text(
        2,
        &format!(
            "not found{doubt}: {}. Not seen, and counted as Work: {}",
            absent.join(", "),
            diagnosis::unseen(analysis).join(", "),
        ),
    );
}

/// Shows warnings first, then other notes; at most `most` of both.
pub(super) fn notes(page: &mut Page, analysis: &Analysis, most: usize) {
    // The report's head already shows why recording stopped early.
    let stopped = analysis.summary().stopped.as_ref();
    let warnings = analysis.warnings().iter().map(|warning| format!("warning: {warning}"));
    let notes = analysis.notes().iter().filter(|note| Some(*note) != stopped).cloned();
    let all: Vec<String> = warnings.chain(notes).collect();
    if all.is_empty() {
        return;
    }
    page.heading("Notes");
    for note in all.iter().take(most) {
        page.text(2, note);
    }
    if all.len() > most {
        page.text(2, &format!("and {} more", all.len() - most));
    }
}
