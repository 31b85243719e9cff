//! Blocked: threads sleep in calls of the program's own, as for files, sockets, locks of POSIX
//! threads.

use std::rc::Rc;

use omphalos_profile_format::UNSEEN_SLEEP;

use super::{BLOCKED_SHARE, Disease, Finding, duration, library_locks, own_code, percent};
use crate::Analysis;
use crate::model::{MutexRow, ratio, total};
use crate::ompt::THREAD_INITIAL;

const ADVICE: &str = "overlap it with work (a task, a thread of its own), ask for less or in \
                      larger pieces, or wait outside of the region";

/// The advice about sleep until another thread or process has done something.
const FOR_OTHERS: &str = "see what the thread or process does that it waits for (another process \
                          has a profile of its own): share that work, or let it begin earlier";

/// The names under which sleep for a lock of the C library is recorded: the system call's, or the
/// name for calls that nothing saw.
const OF_LOCKS: [&str; 2] = ["futex", UNSEEN_SLEEP];

/// The calls that wait for another thread or process.
const WAITS_FOR_OTHERS: [&str; 7] = [
    "futex", "sem_wait", "sem_timedwait", "sem_clockwait", "pthread_cond_wait",
    "pthread_cond_timedwait", "pthread_cond_clockwait",
];

/// The advice about sleep that makes others wait for a lock.
pub(super) const NOT_WITH_LOCK: &str = "sleep, read or write before the lock is taken or after it \
                                        is given back: others wait for it meanwhile";

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let mut findings = in_regions(analysis);
    findings.extend(outside(analysis));
    findings
}

fn in_regions(analysis: &Analysis) -> Vec<Finding> {
    let rows = analysis.regions().iter();
    let mut of_locks = library_locks::waited(analysis);
    rows.filter_map(|row| {
        // The sleep of a nested region's threads is named at that region.
        let calls = without_locks(&row.calls, &mut of_locks);
        let blocked = total(calls.iter().map(|(_, _, time)| *time)).min(row.blocked);
        let share = ratio(blocked, row.thread_time());
        if share < BLOCKED_SHARE {
            return None;
        }
        let held = while_held(analysis, blocked);
        let evidence = format!(
            "its threads sleep {} of the {} that they spend in the region ({}): {}{}",
            duration(blocked as f64),
            duration(row.thread_time() as f64),
            percent(share),
            longest(&calls),
            held.map_or_else(String::new, |held| asleep_with(analysis, held, &calls)),
        );
        // One sleeping thread delays those that wait for it at the end.
        let mean = blocked as f64 / row.team_size().max(1.0);
        let cost = (mean as u64).saturating_add(row.gain.min(blocked));
        let cost = cost.min(blocked).min(row.elapsed);
        Some(Finding {
            disease: Disease::Blocked,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost,
            evidence,
            advice: if held.is_some() { NOT_WITH_LOCK } else { ADVICE },
        })
    })
    .collect()
}

/// Returns the mutex that threads hold during at least half of their sleep (`blocked`, ns), if
/// others wait for it meanwhile.
fn while_held(analysis: &Analysis, blocked: u64) -> Option<&MutexRow> {
    let most = analysis.mutexes().iter().max_by_key(|row| row.slept)?;
    (most.slept.saturating_mul(2) >= blocked && most.contended > 0).then_some(most)
}

/// Says where a thread sleeps while it holds the mutex, and where it took the mutex.
fn asleep_with(analysis: &Analysis, row: &MutexRow, calls: &[Call]) -> String {
    let call = calls.first().map(|(name, _, _)| format!("<blocked in {name}>"));
    let own = call.and_then(|call| own_code::caller_of(analysis.tree(), &call));
    let at = own.map_or_else(String::new, |own| format!(" at {}", own.place()));
    let taken = row.sites.first().filter(|(site, _)| !row.name.contains(&*site.label));
    let taken = taken.map_or_else(String::new, |(site, _)| format!(" (taken at {})", site.label));
    let (slept, name) = (duration(row.slept as f64), &row.name);
    format!("; for {slept} a thread sleeps{at} while it holds {name}{taken}")
}

/// A call's name, how often it was made, and how long threads slept in it.
type Call = (Rc<str>, u64, u64);

/// Returns the calls without the sleep in waits for locks of the C library, `left` of it in all:
/// that has a finding of its own, at the lock's caller.
fn without_locks(calls: &[Call], left: &mut u64) -> Vec<Call> {
    let slept = |(name, count, time): &Call| {
        let of_locks = if OF_LOCKS.contains(&&**name) { (*time).min(*left) } else { 0 };
        *left -= of_locks;
        (*time > of_locks).then(|| (name.clone(), *count, time - of_locks))
    };
    calls.iter().filter_map(slept).collect()
}

/// Finds sleep outside regions, of the initial thread that sleeps most, unless it waits for another
/// thread or process that works for it.
fn outside(analysis: &Analysis) -> Option<Finding> {
    const FOR_PROCESSES: [&str; 5] = ["wait", "wait3", "wait4", "waitpid", "waitid"];
    const FOR_THREADS: [&str; 4] =
        ["pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"];
    let summary = analysis.summary();
    let is_of = |names: &[&str], name: &Rc<str>| names.contains(&&**name);
    // The kernel calls a wait for a thread's end like one for a lock: a process that was watched
    // from outside has no other name for it.
    let is_for_threads =
        |name: &Rc<str>| is_of(&FOR_THREADS, name) || analysis.is_attached() && **name == *"futex";
    let joins = summary.serial_calls.iter().filter(|(name, _, _)| is_for_threads(name));
    let is_alone = joined_one_alone(analysis, total(joins.map(|(_, _, time)| *time)));
    let counts =
        |name: &Rc<str>| !is_of(&FOR_PROCESSES, name) && (is_alone || !is_for_threads(name));
    let calls: Vec<_> =
        summary.serial_calls.iter().filter(|(name, _, _)| counts(name)).cloned().collect();
    let sum = total(calls.iter().map(|(_, _, time)| *time));
    let initial = analysis.threads().iter().filter(|thread| thread.kind == THREAD_INITIAL);
    let cost = initial.map(|thread| thread.blocked_serial).max()?.min(sum);
    if ratio(cost, summary.elapsed) < BLOCKED_SHARE {
        return None;
    }
    let evidence = format!(
        "a thread sleeps {} of the {} elapsed ({}) in calls outside of parallel regions: {}",
        duration(cost as f64),
        duration(summary.elapsed as f64),
        percent(ratio(cost, summary.elapsed)),
        longest(&calls),
    );
    let path = own_code::heaviest_path(analysis.blocked_tree());
    // The innermost frame is the call.
    let is_counted = path.last().is_some_and(|last| {
        let call = last.text.strip_prefix("<blocked in ").and_then(|end| end.strip_suffix('>'));
        call.is_none_or(|call| counts(&call.into()))
    });
    let own = own_code::nearest(&path).filter(|_| is_counted);
    let waits = calls.first().is_some_and(|(name, _, _)| is_of(&WAITS_FOR_OTHERS, name));
    let line = own.as_ref().and_then(|own| own.line);
    Some(Finding {
        disease: Disease::Blocked,
        place: own.as_ref().map_or("outside parallel regions".into(), |own| own.place().into()),
        file: line.map(|line| line.file.clone()),
        line: line.map_or(0, |line| line.line),
        cost,
        evidence,
        advice: if waits { FOR_OTHERS } else { ADVICE },
    })
}

/// Whether the initial thread's waits for the ends of threads (`joins`, ns) are a serial part:
/// those threads worked one after the other, and no other thread's region was under way meanwhile.
fn joined_one_alone(analysis: &Analysis, joins: u64) -> bool {
    let summary = analysis.summary();
    let initial = analysis.threads().iter().filter(|thread| thread.kind == THREAD_INITIAL);
    let own = initial.map(|thread| thread.serial_work + thread.blocked_serial).max().unwrap_or(0);
    let regions = total(analysis.regions().iter().filter(|row| row.level == 1).map(|r| r.elapsed));
    let one_after_the_other = ratio(own.saturating_add(regions), summary.elapsed) < 1.05;
    one_after_the_other && ratio(summary.others, joins) < 1.25
}

fn longest(calls: &[Call]) -> String {
    let first: Vec<String> = calls
        .iter()
        .take(3)
        .map(|(name, count, time)| match count {
            0 => format!("{name} {}", duration(*time as f64)),
            _ => format!("{name} {} ({count})", duration(*time as f64)),
        })
        .collect();
    first.join(", ")
}
