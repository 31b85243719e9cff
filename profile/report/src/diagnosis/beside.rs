//! The users of the CPUs that OpenMP's threads lacked: other programs, or threads of the program
//! itself that use no OpenMP.

use super::{BUSY, Disease, Finding, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio};

/// Others are the reason if they had the CPUs for this share of the time in which threads waited
/// for one.
const REASON: f64 = 0.5;

/// Returns how many CPUs the threads lacked, on average, while they could run, if they should have
/// had one for the `expected` share of that time.
fn lacked(analysis: &Analysis, expected: f64) -> f64 {
    let summary = analysis.summary();
    let wanted = summary.threads.min(u64::from(summary.usable_cpus)) as f64;
    (1.0 - summary.cpu_share / expected).max(0.0) * wanted
}

/// Returns the CPUs that other programs had, on average.
fn had(analysis: &Analysis) -> Option<f64> {
    let all = analysis.placement().online.len().max(analysis.summary().cpus as usize);
    Some(analysis.summary().other_programs? * all as f64)
}

/// Returns the number of CPUs that other programs left for this one's threads, on average.
pub(super) fn left(analysis: &Analysis) -> f64 {
    let summary = analysis.summary();
    // Other programs may have had the CPUs that the process may not use.
    let elsewhere = summary.cpus.saturating_sub(summary.usable_cpus);
    let taken = had(analysis).map_or(0.0, |had| (had - f64::from(elsewhere)).max(0.0));
    (f64::from(summary.usable_cpus) - taken).max(0.0)
}

/// Whether other programs had CPUs for so long that they are a reason why threads had a CPU for
/// less than the `expected` share of the time; true also where that is not known.
pub(crate) fn had_by_others(analysis: &Analysis, expected: f64) -> bool {
    had(analysis).is_none_or(|others| others >= REASON * lacked(analysis, expected))
}

/// Returns for how long, at least, threads of the program that use no OpenMP computed while it was
/// in regions, ns. `None` unless they, more than other programs, are the reason why OpenMP's
/// threads lacked CPUs.
pub(crate) fn had_by_own(analysis: &Analysis) -> Option<u64> {
    let summary = analysis.summary();
    // Outside of regions they may have had the CPUs to themselves.
    let outside = summary.serial.saturating_mul(u64::from(summary.cpus.saturating_sub(1)));
    let own = summary.others.saturating_sub(outside);
    let cpus = ratio(own, summary.covered);
    let is_why = cpus >= REASON * lacked(analysis, 1.0) && cpus > had(analysis)?;
    (summary.cpu_share < BUSY && is_why).then_some(own)
}

/// Finds threads of the program that have a CPU that the team lacks.
pub(super) fn find(analysis: &Analysis) -> Option<Finding> {
    let own = had_by_own(analysis)?;
    let summary = analysis.summary();
    let is_team = |row: &&RegionRow| row.level == 1 && row.team_size() > 1.25;
    let longest = analysis.regions().iter().filter(is_team).max_by_key(|row| row.elapsed)?;
    let lost = (1.0 - summary.cpu_share) * longest.elapsed as f64;
    Some(Finding {
        disease: Disease::Oversubscription,
        place: longest.construct.label.clone(),
        file: longest.construct.file.clone(),
        line: longest.construct.line,
        cost: ((own as f64 / longest.team_size()).min(lost)) as u64,
        evidence: format!(
            "threads of the program that use no OpenMP compute for {} beside its teams of {:.1} on \
             {} CPUs: threads that could run had a CPU only {} of the time",
            duration(own as f64),
            longest.team_size(),
            summary.cpus,
            percent(summary.cpu_share),
        ),
        advice: "let those threads sleep while they have nothing to do, or leave them CPUs: fewer \
                 threads for OpenMP (OMP_NUM_THREADS)",
    })
}
