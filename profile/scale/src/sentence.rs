//! The sentence on top of a scaling: how much faster the program is with more threads, and what
//! limits that.
//!
//! `Scaling` calls this, and keeps the sentence for text, JSON and page. The rows of causes use
//! words from here too.

use omphalos_report::words::{duration, percent};

use crate::causes::Cause;
use crate::limit::Limit;
use crate::rows::OUTSIDE;
use crate::scaling::Scaling;
use crate::size::Size;

pub(crate) fn of(scaling: &Scaling) -> String {
    let size = scaling.judged();
    let mut text = match (scaling.limit, scaling.causes.first()) {
        (Limit::Oversubscription, cause)
            if cause.is_none_or(|cause| cause.limit != Limit::Oversubscription) =>
        {
            let most = scaling.sizes.last().unwrap_or(size);
            let up_to = match size.threads == scaling.sizes[0].threads {
                true => String::new(),
                false => format!("{}, but ", fast(scaling, size)),
            };
            format!(
                "Oversubscription limits it: {up_to}{}, and the program may use {}",
                fast(scaling, most),
                scaling.machine.in_words()
            )
        }
        (Limit::None, _) if scaling.sizes.len() == 1 => {
            let bound = scaling.amdahl_bound.map_or_else(String::new, |bound| {
                format!(
                    "; {} of the time is outside of parallel regions, so that on any number of \
                     threads it stays below {} times",
                    percent(scaling.serial_share),
                    times(bound)
                )
            });
            format!("One size alone tells no limit: {}{bound}", fast(scaling, size))
        }
        (Limit::None, Some(cause)) => {
            format!(
                "Scales well: {}; what it loses most is {}",
                fast(scaling, size),
                lowered(&loss(scaling, cause))
            )
        }
        (Limit::None, None) => format!("Scales well: {}", fast(scaling, size)),
        (limit, Some(cause)) => {
            let grows = if cause.grows && limit == Limit::Imbalance {
                " that grows with the threads"
            } else {
                ""
            };
            format!(
                "{}{grows} limits it: {}; {}",
                limit.name(),
                fast(scaling, size),
                cause_words(scaling, cause)
            )
        }
        (limit, None) => format!("{} limits it: {}", limit.name(), fast(scaling, size)),
    };
    if let Some(knee) = scaling.knee_threads {
        text.push_str(&format!("; beyond {} more bring little", threads(knee)));
    }
    if size.is_busy || scaling.sizes[0].is_busy {
        text.push_str("; other programs used the machine, so that these times say little");
    }
    text + "."
}

/// Returns `8 threads are 4.7 times as fast as 1 (59 % of what they could be)`.
fn fast(scaling: &Scaling, size: &Size) -> String {
    let first = &scaling.sizes[0];
    if first.threads == size.threads {
        let (work, with) = (percent(size.factors.parallel), threads(size.threads));
        return format!("{work} of the threads' time is work with {with}");
    }
    format!(
        "{} are {} times as fast as {} ({} of what they could be)",
        threads(size.threads),
        times(size.speedup),
        first.threads,
        percent(size.efficiency)
    )
}

pub(crate) fn threads(number: u32) -> String {
    if number == 1 { "1 thread".to_owned() } else { format!("{number} threads") }
}

/// Returns a factor: with two decimals, or with one from 10 on.
pub(crate) fn times(number: f64) -> String {
    if number < 9.95 { format!("{number:.2}") } else { format!("{number:.1}") }
}

fn loss(scaling: &Scaling, cause: &Cause) -> String {
    format!("{}: {}", cause.limit.name(), cause_words(scaling, cause))
}

fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// Returns ` in CONSTRUCT`, to follow the words for an event there.
fn within(construct: &str) -> String {
    if construct == OUTSIDE { format!(" {construct}") } else { format!(" in {construct}") }
}

/// Returns what happens in the cause's construct, and how much time that takes.
pub(crate) fn cause_words(scaling: &Scaling, cause: &Cause) -> String {
    let size = scaling.judged();
    let construct = &cause.construct;
    let place = cause.place.as_deref();
    let lost = duration(cause.lost_ns);
    let of_elapsed = format!("{lost} of {}", duration(size.elapsed_ns));
    let at = || place.map_or_else(String::new, |place| format!(", in {place}"));
    match cause.limit {
        Limit::None | Limit::SerialTime => {
            let most = scaling.amdahl_bound.map_or_else(String::new, |bound| {
                format!("; on any number of threads it stays below {} times", times(bound))
            });
            format!(
                "outside of parallel regions one thread works and the others have nothing to do{}, \
                 which takes {of_elapsed}{most}",
                at()
            )
        }
        Limit::Lock => format!(
            "the threads of {construct} wait for {}, which takes {of_elapsed}",
            place.unwrap_or("locks")
        ),
        Limit::WorkAdded => format!(
            "the threads of {construct} compute longer in all than {} for the same work, which \
             takes {of_elapsed}: memory bandwidth, shared caches, a slower clock, or work that \
             each thread does again",
            threads(scaling.sizes[0].threads)
        ),
        Limit::FalseSharing => format!(
            "the threads of {construct} take cache lines from each other although each writes \
             bytes of its own{}, which takes {of_elapsed}",
            at()
        ),
        Limit::ContendedVariable => format!(
            "the threads of {construct} take the cache line of what they all write from each \
             other{}, which takes {of_elapsed}",
            at()
        ),
        Limit::SharedCores => format!(
            "{} have {} cores, so that those of {construct} that share one compute longer, which \
             takes {of_elapsed}",
            threads(size.threads),
            scaling.machine.cores()
        ),
        Limit::UnequalCores => format!(
            "{} of {} cores are fast ones, so that threads of {construct} with equal shares of the \
             work end at different times, which takes {of_elapsed}: share it out as it is done \
             (schedule(dynamic)), or use the fast ones alone",
            scaling.machine.fast_cores(),
            scaling.machine.cores()
        ),
        Limit::Imbalance => {
            let earlier = cause.share_earlier.zip(scaling.sizes.iter().find(|s| s.threads > 1));
            let grew = earlier.map_or_else(String::new, |(share, size)| {
                format!(
                    " ({} of their time, {} with {})",
                    percent(cause.share_of_construct),
                    percent(share),
                    threads(size.threads)
                )
            });
            format!(
                "the threads of {construct} wait for each other at barriers{grew}, which takes \
                 {of_elapsed}"
            )
        }
        Limit::Tasks => format!(
            "the threads of {construct} wait for tasks{}, which takes {of_elapsed}",
            place.filter(|place| place != construct).map_or_else(String::new, |p| format!(", {p}"))
        ),
        Limit::Overhead => {
            format!("the runtime's own doing{} takes {of_elapsed}", within(construct))
        }
        Limit::Blocked => format!(
            "threads sleep in calls of the program's own{}, for {of_elapsed}",
            within(construct)
        ),
        Limit::FixedTeam => format!(
            "{construct} has its own number of threads, whatever is asked for, and takes {} with \
             {}",
            duration(size.elapsed_ns),
            threads(size.threads)
        ),
        Limit::Oversubscription => format!(
            "{construct} has more threads than the {} CPUs that the program may use, and threads \
             without one take {of_elapsed}",
            scaling.machine.processors()
        ),
        Limit::BusyMachine => {
            format!("threads of {construct} that could run had no CPU for {of_elapsed}")
        }
    }
}
