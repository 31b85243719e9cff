//! The head of a report: the program, its run time, and the gaps of the figures.

use super::page::Page;
use crate::Analysis;
use crate::diagnosis::{BUSY, count, duration, had_by_others, had_by_own, percent};
use crate::diagnosis::{is_kept_from_running, is_throttled};
use crate::model::{Looks, Summary, ThreadRow, ratio, total};

/// Shows the program, its run time, and the cost of profiling.
pub(super) fn head(page: &mut Page, analysis: &Analysis) {
    let summary = analysis.summary();
    page.heading(&format!("Omphalos profile of {}", analysis.command()));
    let runtime = if summary.runtime.is_empty() { "unknown" } else { &summary.runtime };
    page.pair("runtime", runtime);
    let cpus = match (summary.usable_cpus, summary.cpus) {
        (_, 0) => "?".to_owned(),
        (usable, all) if usable < all => format!("{usable} of {all}"),
        (_, all) => all.to_string(),
    };
    // Several initial threads may be outside regions side by side.
    let serial = analysis.threads().iter().map(ThreadRow::serial).filter(|time| *time > 0);
    let (longest, several) = (serial.clone().max().unwrap_or(0), serial.count() > 1);
    let of_several = if several { " in one thread" } else { "" };
    page.pair(
        "elapsed",
        &format!(
            "{} with {} thread{} on {cpus} CPU{}; {} serial{of_several}, outside of regions",
            duration(summary.elapsed as f64),
            summary.threads,
            plural(summary.threads),
            plural(u64::from(summary.cpus)),
            duration(longest as f64),
        ),
    );
    if let Some(parts) = &summary.parts {
        const ONLY: &str = "OMPHALOS_PROFILE_ONLY=";
        let only = summary.environment.iter().find_map(|variable| variable.strip_prefix(ONLY));
        page.pair("measured", &measured(summary.run, parts, only));
    }
    if let Some(looks) = &summary.attached {
        return page.pair("profiling", &from_outside(looks, summary));
    }
    page.pair(
        "profiling",
        &format!(
            "cost {} of all threads' time ({})",
            duration(summary.agent as f64),
            percent(ratio(summary.agent, summary.alive)),
        ),
    );
}

/// Returns the cost of looks from outside.
fn from_outside(looks: &Looks, summary: &Summary) -> String {
    let mean = ratio(looks.stood, looks.stops);
    format!(
        "from outside, {} looks: a thread that ran stood still for {} each time ({} at most), {} \
         of all threads' time; omphalos took {} of a processor",
        count(looks.looks),
        duration(mean),
        duration(looks.longest as f64),
        percent(ratio(looks.stood, summary.alive)),
        percent(ratio(looks.own, summary.elapsed)),
    )
}

/// Returns the parts of the run that were measured. `only`: the regions that were asked for.
fn measured(run: u64, parts: &[(u64, u64)], only: Option<&str>) -> String {
    const MOST: usize = 5;
    let part = |(begin, end): &(u64, u64)| {
        format!("{} to {}", duration(*begin as f64), duration(*end as f64))
    };
    let mut named: Vec<String> = parts.iter().take(MOST).map(part).collect();
    if parts.len() > MOST {
        named.push(format!("{} more", parts.len() - MOST));
    }
    let run = duration(run as f64);
    if let Some(only) = only {
        let all = parts.iter().map(|(begin, end)| end.saturating_sub(*begin));
        let all = duration(total(all) as f64);
        return format!(
            "of the run's {run} only {all}, while regions of --only {only} ran ({} times); all \
             figures are of that",
            count(parts.len() as u64),
        );
    }
    match named.is_empty() {
        true => format!("nothing of the run's {run}"),
        false => format!("of the run's {run} only {}; all figures are of that", named.join(", ")),
    }
}

/// Shows how often threads were looked at.
pub(super) fn samples(page: &mut Page, analysis: &Analysis) {
    let summary = analysis.summary();
    if analysis.is_attached() {
        let (all, rate, asked) = (count(summary.samples), summary.rate, summary.rate_asked);
        let text = format!("{all}, {rate:.0} a second of each thread (--hz was {asked:.0})");
        return page.pair("samples", &text);
    }
    page.pair(
        "samples",
        &format!(
            "{}, {:.0} a second of each thread (threads that wait are not sampled; --hz was \
             {:.0}); {} missed",
            count(summary.samples),
            summary.rate,
            summary.rate_asked,
            count(summary.missed),
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
}

/// Shows the gaps of the figures.
pub(super) fn notes(page: &mut Page, analysis: &Analysis) {
    let summary = analysis.summary();
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
            _ if is_throttled(analysis).is_some() => "the control group stopped them",
            _ if had_by_own(analysis).is_some() => {
                "threads of the program itself that use no OpenMP were running"
            }
            true => "other processes were running, the command's own or others",
            false if had_by_others(analysis, 1.0) => {
                "there are more threads than CPUs, or other processes were running"
            }
            false => "its own threads took turns on the CPUs",
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
    if analysis.is_attached() {
        page.pair(
            "note",
            "the process ran already: how long a thread ran is the kernel's figure, what it did \
             meanwhile is by samples. How often something happened (entered: -), how long a single \
             wait took, and who held a lock is not known from outside",
        );
    }
    if !summary.exact {
        page.pair("note", "times of threads are estimates from samples");
    }
}

fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}
