//! The report for a terminal: what is wrong first, then the tables, then the paths.

mod callers;
mod commands;
mod constructs;
pub mod page;
mod paths;
mod processes;
mod tables;
mod targets;

use page::Page;
pub use processes::render as render_processes;

use crate::Analysis;
use crate::diagnosis::{self, BUSY, Disease, count, duration, is_kept_from_running, percent};
use crate::model::{ratio, total};

/// How to show it.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Columns of the terminal; below 60 is taken as 60.
    pub width: usize,
    /// Whether to use ANSI colours.
    pub color: bool,
    /// No name is cut to fit the width: for files, which are searched and not looked at.
    pub whole_names: bool,
    /// Rows of each table, and a measure for the length of the call tree.
    pub top: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { width: 100, color: false, whole_names: true, top: 10 }
    }
}

/// The whole report.
pub fn render(analysis: &Analysis, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    header(&mut page, analysis);
    diagnosis(&mut page, analysis, options.top);
    tables::threads(&mut page, analysis, options.top);
    tables::regions(&mut page, analysis, options.top);
    constructs::constructs(&mut page, analysis, options.top);
    tables::tasks(&mut page, analysis, options.top);
    targets::targets(&mut page, analysis, options.top);
    tables::mutexes(&mut page, analysis, options.top);
    paths::tree(&mut page, analysis, options.top);
    paths::functions(&mut page, analysis, options.top);
    paths::lines(&mut page, analysis, options.top);
    looked_for(&mut page, analysis);
    notes(&mut page, analysis);
    page.finish()
}

fn header(page: &mut Page, analysis: &Analysis) {
    let summary = analysis.summary();
    page.heading(&format!("Omphalos profile of {}", analysis.command()));
    let runtime = if summary.runtime.is_empty() { "unknown" } else { &summary.runtime };
    page.pair("runtime", runtime);
    let cpus = match (summary.usable_cpus, summary.cpus) {
        (_, 0) => "?".to_owned(),
        (usable, all) if usable < all => format!("{usable} of {all}"),
        (_, all) => all.to_string(),
    };
    // Several initial threads are outside of regions side by side.
    let serial = analysis.threads().iter().map(|row| row.serial_work).filter(|time| *time > 0);
    let (longest, several) = (serial.clone().max().unwrap_or(0), serial.count() > 1);
    let of_several = if several { " in one thread" } else { "" };
    page.pair(
        "elapsed",
        &format!(
            "{} with {} thread{} on {cpus} CPU{}; {} serial{of_several}",
            duration(summary.elapsed as f64),
            summary.threads,
            plural(summary.threads),
            plural(u64::from(summary.cpus)),
            duration(longest as f64),
        ),
    );
    page.pair(
        "samples",
        &format!(
            "{} ({:.0} per second and thread; at most {:.0} asked for; {} missed)",
            count(summary.samples),
            summary.rate,
            summary.rate_asked,
            count(summary.missed),
        ),
    );
    page.pair(
        "profiling",
        &format!(
            "cost {} of all threads' time ({})",
            duration(summary.agent as f64),
            percent(ratio(summary.agent, summary.alive)),
        ),
    );
    let untimed = total(analysis.threads().iter().map(|row| row.untimed));
    if ratio(untimed, summary.alive) >= 0.001 {
        page.pair(
            "estimated",
            &format!(
                "in {} of all threads' time events came too fast to time each: all were counted, \
                 and the time is split as that of the timed ones around it",
                percent(ratio(untimed, summary.alive)),
            ),
        );
    }
    if summary.damaged > 0 {
        page.pair(
            "note",
            &format!(
                "the profile is damaged: {} of its {} bytes could not be read, and the figures are \
                 of what is left",
                count(summary.damaged),
                count(summary.file_size),
            ),
        );
    }
    if !summary.complete {
        page.pair("note", "the program did not end in good order: this is what it had written");
    }
    if let Some(why) = &summary.stopped {
        page.pair("note", why);
    }
    if summary.cpu_share < BUSY {
        let why = match is_kept_from_running(analysis) {
            true => "other processes were running, the command's own or others",
            false => "there are more threads than CPUs, or other processes were running",
        };
        let lost = match summary.without_cpu {
            0 => "paths and lines count what was lost where it was lost",
            _ => {
                "paths and lines count what threads ran; what they lost at work is <without a CPU>"
            }
        };
        page.pair(
            "note",
            &format!(
                "threads that could run had a CPU only {} of the time: {why}; {lost}",
                percent(summary.cpu_share)
            ),
        );
    }
    if analysis.is_from_collector() {
        page.pair(
            "note",
            "the Collector API does not tell of tasks, chunks of loops, devices, mutexes that \
             nobody waits for, and how long one is held: such figures are left out. Making a team, \
             and waiting in taskwait or taskgroup or for an iteration that depend names, count as \
             Work",
        );
    }
    if !summary.exact {
        page.pair("note", "times of threads are estimates from samples");
    }
}

fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

fn diagnosis(page: &mut Page, analysis: &Analysis, top: usize) {
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
    for (number, finding) in (1..).zip(findings.iter().take(top.max(1))) {
        page.alarm(5, &format!("{number}. {}: {}", finding.disease, finding.place));
        page.text(5, &finding.evidence);
        let hint = format!(
            "up to {} of {} elapsed: {}",
            duration(finding.cost as f64),
            duration(elapsed as f64),
            finding.advice
        );
        page.text(5, &hint);
    }
    if findings.len() > top.max(1) {
        page.text(2, &format!("and {} more", findings.len() - top.max(1)));
    }
    for doubt in doubts.iter().take(top.max(1)) {
        page.text(2, &format!("inconclusive: {doubt}"));
    }
}

/// What was looked for and is not there, and what cannot be seen: an empty diagnosis is no praise.
fn looked_for(page: &mut Page, analysis: &Analysis) {
    if !analysis.used_openmp() {
        return;
    }
    let is_found =
        |disease: &Disease| analysis.findings().iter().any(|finding| finding.disease == *disease);
    let looked_for = diagnosis::looked_for(analysis);
    let absent: Vec<String> =
        looked_for.iter().filter(|one| !is_found(one)).map(Disease::to_string).collect();
    let unseen = match looked_for.contains(&Disease::FalseSharing) {
        true => "",
        false => "false sharing, contended variables, ",
    };
    page.heading("Looked for");
    let doubt = match analysis.doubts() {
        [] => "",
        _ => ", as far as this run can tell (see inconclusive)",
    };
    page.text(
        2,
        &format!(
            "not found{doubt}: {}. Not seen, and counted as Work: {unseen}memory bandwidth, pages \
             that lie at another processor",
            absent.join(", "),
        ),
    );
}

fn notes(page: &mut Page, analysis: &Analysis) {
    // The head has one of them.
    let stopped = analysis.summary().stopped.as_ref();
    let notes = || analysis.notes().iter().filter(|note| Some(*note) != stopped);
    if analysis.warnings().is_empty() && notes().next().is_none() {
        return;
    }
    page.heading("Notes");
    for warning in analysis.warnings() {
        page.text(2, &format!("warning: {warning}"));
    }
    for note in notes() {
        page.text(2, note);
    }
}
