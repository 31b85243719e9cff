//! The processes of one command, where several used OpenMP.

use super::TextOptions;
use super::page::{Page, Table};
use crate::Analysis;
use crate::diagnosis::{duration, percent};
use crate::model::{ratio, total};

/// A table of processes in the order given; `files` are the names of their profiles.
pub fn render(processes: &[(&Analysis, String)], options: &TextOptions) -> String {
    let mut page = Page::new(options);
    let work = |analysis: &Analysis| analysis.summary().openmp_work;
    let all = total(processes.iter().map(|(analysis, _)| work(analysis)));
    page.heading(&format!("{} processes used OpenMP, the costliest first", processes.len()));
    let columns = ["pid", "elapsed", "threads", "Work", "%"];
    let mut table = Table::new("command", &columns);
    for (analysis, _) in processes.iter().take(options.top.max(10)) {
        let summary = analysis.summary();
        table.row(
            analysis.command(),
            vec![
                summary.pid.to_string(),
                duration(summary.elapsed as f64),
                summary.threads.to_string(),
                duration(summary.openmp_work as f64),
                percent(ratio(summary.openmp_work, all)),
            ],
        );
    }
    table.print(&mut page);
    if processes.len() > options.top.max(10) {
        page.text(2, &format!("and {} more", processes.len() - options.top.max(10)));
    }
    for (analysis, file) in processes.iter().take(options.top.max(10)) {
        page.line(&format!("  the profile of {} is {file}", analysis.summary().pid));
    }
    page.line("");
    page.finish()
}
