//! Memory that all threads use and that lies on one NUMA node: one thread was the first to touch
//! it. Threads of other nodes wait longer for it, and all of them for one node's memory.
//!
//! Memory that lies on all nodes alike, as `numactl --interleave` spreads it, is no finding: some
//! of it is always far.

use super::shared_memory::code_of;
use super::{Disease, FAR_SHARE, Finding, ONE_NODE, duration, percent};
use crate::Analysis;
use crate::model::{FarMemory, ratio};
use crate::visible::visible;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    analysis.memory_nodes().far.iter().filter_map(|row| finding(analysis, row)).collect()
}

fn finding(analysis: &Analysis, row: &FarMemory) -> Option<Finding> {
    let (time, work) = (row.time(), analysis.summary().openmp_work);
    let (node, most) = row.times.iter().max_by_key(|(_, time)| **time)?;
    if ratio(time, work) < FAR_SHARE || ratio(*most, time) < ONE_NODE {
        return None;
    }
    let code = code_of(&row.file, row.line, &row.function);
    let place = match &row.name {
        Some(name) => format!("{} at {code}", visible(name)),
        None => format!("memory at {code}"),
    };
    Some(Finding {
        disease: Disease::FarMemory,
        place: place.into(),
        file: row.file.clone(),
        line: row.line,
        cost: time / row.threads.max(1),
        evidence: format!(
            "{} of OpenMP Work, {}, is at instructions of threads that run on one NUMA node and \
             use memory of another, by samples: {} of that memory lies on node {node}",
            percent(ratio(time, work)),
            duration(time as f64),
            percent(ratio(*most, time)),
        ),
        advice: "let each thread be the first to write the part that it uses later (initialise in \
                 a parallel loop with the same static schedule, OMP_PROC_BIND=true), or spread the \
                 memory: numactl --interleave=all",
    })
}
