//! Memory that is new again and again: each page's first access waits for the system.

use super::shared_memory::code_of;
use super::{Disease, FAULTS_SHARE, Finding, duration, percent};
use crate::Analysis;
use crate::model::ratio;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let work = analysis.summary().openmp_work;
    let rows = analysis.page_faults().iter();
    rows.filter(|row| ratio(row.time, work) >= FAULTS_SHARE)
        .map(|row| Finding {
            disease: Disease::PageFaults,
            place: code_of(&row.file, row.line, &row.function).into(),
            file: row.file.clone(),
            line: row.line,
            cost: row.time / row.threads.max(1),
            evidence: format!(
                "{} of OpenMP Work, {}, is at the first access to pages of memory that is new, \
                 while the system makes them, by samples",
                percent(ratio(row.time, work)),
                duration(row.time as f64),
            ),
            advice: "allocate once and use the memory again (outside of the loop, one for each \
                     thread), or let malloc keep it (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)",
        })
        .collect()
}
