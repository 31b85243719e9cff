//! Memory that a program takes anew again and again: each page's first access waits for the system.

use super::shared_memory::code_of;
use super::{Disease, FAULTS_SHARE, Finding, duration, own_code, percent};
use crate::Analysis;
use crate::model::{PageFaults, is_users, ratio};
use std::fmt::Write as _;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let work = analysis.summary().openmp_work;
    let rows = analysis.page_faults().iter();
    let rows = rows.filter(|row| ratio(row.time, work) >= FAULTS_SHARE);
    rows.map(|row| finding(analysis, row)).collect()
}

fn finding(analysis: &Analysis, row: &PageFaults) -> Finding {
    let mut evidence = format!(
        "{} of OpenMP Work, {}, is at the first access to pages of memory that is new, while the \
         system makes them, by samples",
        percent(ratio(row.time, analysis.summary().openmp_work)),
        duration(row.time as f64),
    );
    let (mut file, mut line) = (row.file.clone(), row.line);
    let mut place = code_of(&row.file, row.line, &row.function);
    // A library touches the memory for the user's code: a container's constructor, say.
    if !row.file.as_deref().is_some_and(is_users)
        && let Some(own) = own_code::caller_of(analysis.tree(), &row.function)
        && let Some(at) = own.line
    {
        let _ = write!(evidence, ", in {place}");
        (file, line, place) = (Some(at.file.clone()), at.line, own.place());
    }
    Finding {
        disease: Disease::PageFaults,
        place: place.into(),
        file,
        line,
        cost: row.time / row.threads.max(1),
        evidence,
        advice: "allocate once and use the memory again (outside of the loop, one for each \
                 thread), or let malloc keep it (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)",
    }
}
