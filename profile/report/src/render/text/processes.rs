//! The processes of one command, where several of them used OpenMP.

use super::TextOptions;
use super::commands::shortened;
use super::page::{Page, Table};
use crate::Analysis;
use crate::diagnosis::{duration, percent};
use crate::model::{ratio, total};

/// Columns of the page that the numbers take.
const NUMBERS: usize = 48;
/// A command line is not cut below this length.
const LEAST_COMMAND: usize = 32;

/// Shows a table of processes in the order given; `files` are the names of their profiles.
pub fn render(processes: &[(&Analysis, String)], options: &TextOptions) -> String {
    let mut page = Page::new(options);
    let work = |analysis: &Analysis| analysis.summary().openmp_work;
    let all = total(processes.iter().map(|(analysis, _)| work(analysis)));
    page.heading(&format!("{} processes used OpenMP, the costliest first", processes.len()));
    let columns = ["pid", "elapsed", "threads", "Work", "%"];
    let mut table = Table::new("command", &columns);
    let shown = &processes[..processes.len().min(options.top.max(10))];
    let commands: Vec<String> = shown.iter().map(|(analysis, _)| analysis.command()).collect();
    // On a narrow page each command has a line of its own.
    let beside = page.width.saturating_sub(NUMBERS);
    let room = if beside < LEAST_COMMAND { page.width - 2 } else { beside };
    for ((analysis, _), command) in shown.iter().zip(shortened(&commands, room)) {
        let summary = analysis.summary();
        table.row(
            command,
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
    if processes.len() > shown.len() {
        page.text(2, &format!("and {} more", processes.len() - shown.len()));
    }
    for (analysis, file) in shown {
        page.line(&format!("  the profile of {} is {file}", analysis.summary().pid));
    }
    if !options.all {
        page.line("  below is the first one's report; name another profile for its own");
    }
    page.line("");
    page.finish()
}
