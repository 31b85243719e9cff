//! More threads than CPUs: by regions inside regions, or by teams that are too large.

use super::{BUSY, Disease, Finding, NESTED_SHARE, WORTH_WAKING, beside, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio, total};

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let cpus = f64::from(analysis.summary().usable_cpus);
    let elapsed = analysis.summary().covered;
    let left = beside::left(analysis);
    if cpus == 0.0 {
        return Vec::new();
    }
    let in_use = ratio(total(analysis.threads().iter().map(|thread| thread.running)), elapsed);
    let mut findings: Vec<Finding> = Vec::new();
    for row in analysis.regions().iter().filter(|row| row.team_size() > 1.25) {
        let around = teams_around(analysis, row);
        let threads = around * row.team_size();
        // Instances of one nested construct run side by side.
        let span = (row.elapsed as f64 / around.max(1.0)) as u64;
        // A thread that waits for others needs no CPU. So threads lack CPUs only where all CPUs
        // that other programs leave are in use: by threads at work, or by threads that run, which
        // includes waking and changing threads.
        let at_work = ratio(row.work + row.without_cpu, span).max(in_use);
        let is_crowded =
            threads > cpus + 0.5 && (at_work >= BUSY * left || row.level == 1 && meets_often(row));
        if !is_crowded || ratio(span, elapsed) < NESTED_SHARE {
            continue;
        }
        let nested = row.level > 1;
        let inside = match &row.parent {
            Some(parent) if nested => format!(" inside {}", parent.label),
            _ => String::new(),
        };
        let evidence = format!(
            "{:.0} threads{inside} on {cpus:.0} CPU{} ({}); they spend {} of their time in \
             barriers and overhead; {} of the run",
            threads,
            if cpus > 1.0 { "s" } else { "" },
            if nested {
                format!("teams of {:.1} in teams of {around:.1}", row.team_size())
            } else {
                format!("teams of {:.1}", row.team_size())
            },
            percent(ratio(row.barrier_wait + row.overhead, row.thread_time())),
            duration(span as f64),
        );
        // The threads are bound to few of the machine's CPUs: on more, they would wait for none.
        let is_bound = !nested && analysis.summary().usable_cpus < analysis.summary().cpus;
        let in_line = if is_bound { row.without_cpu } else { 0 };
        let lost = row.barrier_wait.saturating_add(row.overhead).saturating_add(in_line);
        // Instances that do not run side by side all the time take longer than `span`.
        let longest = row.elapsed.min(elapsed);
        let lost = (longest as f64 * ratio(lost, row.thread_time()).min(1.0)) as u64;
        // With fewer threads the work is the same, on the same CPUs.
        let for_all = if is_bound { f64::from(analysis.summary().cpus) } else { left };
        let ran = row.work.min(analysis.summary().openmp_work);
        let least = ran as f64 / for_all.max(1.0);
        findings.push(Finding {
            disease: if nested { Disease::NestedParallelism } else { Disease::Oversubscription },
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost: lost.min(longest.saturating_sub(least as u64)),
            evidence,
            advice: if nested {
                "let one level have the threads: num_threads on each level, or collapse the loops; \
                 OMP_MAX_ACTIVE_LEVELS=1, if the program does not set the levels itself"
            } else if is_bound {
                "bind the threads to more CPUs, or not at all: OMP_PLACES, OMP_PROC_BIND"
            } else if asked(&analysis.summary().environment).is_some_and(|asked| asked <= cpus) {
                "the program asks for more threads than OMP_NUM_THREADS says (num_threads, \
                 omp_set_num_threads): OMP_THREAD_LIMIT holds for those, too"
            } else {
                "ask for as many threads as there are CPUs: OMP_NUM_THREADS, num_threads"
            },
        });
    }
    // Where the nest is the cause, the outer region's own team is no second finding.
    let nested = findings.iter().any(|f| f.disease == Disease::NestedParallelism);
    if nested {
        findings.retain(|finding| finding.disease == Disease::NestedParallelism);
    }
    findings
}

/// Returns the size of an outermost team that `OMP_NUM_THREADS` asks for.
fn asked(environment: &[String]) -> Option<f64> {
    let mut values = environment.iter().filter_map(|set| set.strip_prefix("OMP_NUM_THREADS="));
    values.next_back()?.split(',').next()?.trim().parse().ok()
}

/// Returns how many teams of `row`'s construct may run at once: the product of the teams around it.
fn teams_around(analysis: &Analysis, row: &RegionRow) -> f64 {
    let mut product = 1.0;
    let mut inner = row;
    while inner.level > 1 {
        let outer = analysis.regions().iter().find(|outer| {
            outer.level + 1 == inner.level
                && inner.parent.as_ref().is_some_and(|p| p.label == outer.construct.label)
        });
        let Some(outer) = outer else { break };
        product *= outer.team_size().max(1.0);
        inner = outer;
    }
    product
}

/// Whether the threads have so little to do between two barriers that waking each other and taking
/// turns on a CPU take most of the region's time.
pub(super) fn meets_often(row: &RegionRow) -> bool {
    let barriers = row.constructs.iter().filter(|inner| !inner.is_mutex() && inner.wait.is_some());
    let meetings = barriers.map(|inner| inner.instances).sum::<u64>() as f64 + row.instances as f64;
    let each = (row.work + row.without_cpu) as f64 / row.team_size() / meetings.max(1.0);
    each < WORTH_WAKING && ratio(row.barrier_wait, row.thread_time()) >= 0.5
}
