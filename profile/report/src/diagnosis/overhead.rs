//! Finds regions in which the runtime's own work takes much of the threads' time: it hands out
//! chunks of a loop, makes tasks, enters constructs. `diagnosis` calls it as one of its rules.

use super::{CHUNKS_SHARE, MANY_CHUNKS, OVERHEAD_SHARE, profiling};
use super::{Disease, Finding, JOINING, count, duration, is_kept_from_running, percent};
use crate::Analysis;
use crate::model::{ConstructRow, RegionRow, ThreadRow, ratio, total};

const ADVICE: &str =
    "larger chunks (schedule(dynamic, N) or static), and fewer constructs inside of loops";

pub(super) fn find(analysis: &Analysis, is_explained: &dyn Fn(&RegionRow) -> bool) -> Vec<Finding> {
    let is_busy = is_kept_from_running(analysis);
    let rows = analysis.regions().iter().filter(|row| !is_explained(row));
    let late = overhead_without_cpu(analysis);
    let all = |row| small_chunks(row).or_else(|| all_of_it(analysis, row, (is_busy, late)));
    rows.filter_map(all).collect()
}

/// Finds a loop with many small chunks, if it costs much to hand them out. Larger chunks save most
/// of that time.
fn small_chunks(row: &RegionRow) -> Option<Finding> {
    let chunks = |inner: &ConstructRow| inner.chunks.unwrap_or(0);
    let has_many = |inner: &&ConstructRow| {
        let all_threads = inner.instances.saturating_mul(row.team_size() as u64);
        chunks(inner) >= all_threads.saturating_mul(MANY_CHUNKS).max(1)
    };
    let costliest = row.constructs.iter().filter(has_many).max_by_key(|inner| inner.handing_out)?;
    let share = ratio(costliest.handing_out, row.thread_time());
    if share < CHUNKS_SHARE {
        return None;
    }
    let chunks = chunks(costliest);
    let work = costliest.time.unwrap_or(row.work).saturating_sub(costliest.handing_out);
    let evidence = format!(
        "{} {} hands out {} chunks: {} of work for {} of handing out each; {} of its threads' time \
         in the region goes there ({})",
        costliest.name,
        costliest.place(row),
        count(chunks),
        duration(work as f64 / chunks as f64),
        duration(costliest.handing_out as f64 / chunks as f64),
        duration(costliest.handing_out as f64),
        percent(share),
    );
    Some(finding(row, costliest.handing_out, evidence))
}

/// Returns the share of all overhead in which threads waited for a processor.
fn overhead_without_cpu(analysis: &Analysis) -> f64 {
    let threads = || analysis.threads().iter();
    let late = total(threads().map(ThreadRow::overhead_without_cpu));
    ratio(late, total(threads().map(|row| row.overhead)))
}

fn all_of_it(
    analysis: &Analysis,
    row: &RegionRow,
    (is_busy, without_cpu): (bool, f64),
) -> Option<Finding> {
    // A thread that gets no processor comes late to a region. This time is no work of the runtime.
    let late = match is_busy {
        true => row
            .overhead
            .saturating_sub(row.handing_out)
            .saturating_sub(row.team_size_sum.saturating_mul(JOINING)),
        false => 0,
    };
    let late = late.max((row.overhead as f64 * without_cpu.min(1.0)) as u64);
    let own = (row.overhead - late).saturating_sub(profiling(analysis, row));
    let share = ratio(own, row.thread_time());
    if ratio(own, row.thread_time() - late) < OVERHEAD_SHARE {
        return None;
    }
    let evidence = format!(
        "the runtime itself has {} of the {} that threads spend in the region ({}): it hands out \
         chunks of a loop, makes tasks, or enters and leaves other constructs",
        duration(own as f64),
        duration(row.thread_time() as f64),
        percent(share),
    );
    Some(finding(row, own, evidence))
}

/// Makes the finding; `lost`: time of all threads, ns.
fn finding(row: &RegionRow, lost: u64, evidence: String) -> Finding {
    Finding {
        disease: Disease::Overhead,
        place: row.construct.label.clone(),
        file: row.construct.file.clone(),
        line: row.construct.line,
        cost: (lost as f64 / row.team_size().max(1.0)) as u64,
        evidence,
        advice: ADVICE,
    }
}
