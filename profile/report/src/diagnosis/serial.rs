//! Serial time: outside regions one thread works, and the others have nothing to do (Amdahl).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use super::{
    Disease, Finding, SERIAL_SHARE, company, duration, mpi, one_thread, own_code, percent,
};
use crate::Analysis;
use crate::join::{LabelKind, NOT_SAMPLED};
use crate::model::{CallNode, HotLine, ThreadRow, add, ratio};
use crate::ompt::THREAD_INITIAL;

/// If a thread ran for less than this share of its serial time, the report says that it lacked a
/// processor.
const RAN_NEARLY_ALL: f64 = 0.9;

/// Returns the finding; or a doubt in its place, if other threads of the program may have been at
/// work meanwhile.
pub(super) fn find(analysis: &Analysis) -> (Option<Finding>, Option<String>) {
    let Some(finding) = serial_time(analysis) else { return (None, None) };
    let summary = analysis.summary();
    let serial = analysis.threads().iter().map(ThreadRow::serial).max().unwrap_or(0);
    if ratio(serial.saturating_sub(company(analysis)), summary.elapsed) >= SERIAL_SHARE {
        return (Some(finding), None);
    }
    let doubt = format!(
        "{} of {} elapsed are outside parallel regions, but threads of the program that use no \
         OpenMP compute {}, which may be meanwhile",
        duration(serial as f64),
        duration(summary.elapsed as f64),
        duration(summary.others as f64),
    );
    (None, Some(doubt))
}

fn serial_time(analysis: &Analysis) -> Option<Finding> {
    let summary = analysis.summary();
    // Only the longest serial thread counts: several of the program's own threads may run serial
    // code side by side.
    let initial = analysis.threads().iter().filter(|thread| thread.kind == THREAD_INITIAL);
    let longest = initial.max_by_key(|thread| thread.serial())?;
    let (serial, ran) = (longest.serial(), longest.serial_work);
    let share = ratio(serial, summary.elapsed);
    let largest = analysis.regions().iter().map(|row| row.team_size()).fold(0.0, f64::max);
    // The program asked for no team, which says nothing about possible teams.
    let has_no_team = largest < 1.05;
    let team = match has_no_team {
        true if largest > 0.0 => one_thread::possible_team(analysis),
        _ => largest,
    };
    if share < SERIAL_SHARE || team <= 1.0 {
        return None;
    }
    // Parallel code is taken to scale perfectly; threads' waits are no work.
    let outermost = analysis.regions().iter().filter(|row| row.level == 1);
    let parallel: f64 = outermost.map(|row| row.work as f64).sum();
    let bound = (ran as f64 + parallel) / ran.max(1) as f64;
    let mut evidence = format!(
        "{} of {} elapsed ({}) are outside parallel regions",
        duration(serial as f64),
        duration(summary.elapsed as f64),
        percent(share),
    );
    if ratio(ran, serial) < RAN_NEARLY_ALL {
        let ran = duration(ran as f64);
        let _ = write!(evidence, ", and the thread had a processor for {ran} of it");
    }
    let calls = mpi::calls(analysis.serial_tree()).filter(|calls| calls.share >= WORTH_SAYING);
    let waits = calls.as_ref().is_some_and(|calls| calls.share >= 0.5);
    if !waits {
        let bound = above(bound);
        let _ = write!(evidence, ": on any number of threads the speedup stays below {bound}");
    }
    let path = own_code::heaviest_path(analysis.serial_tree());
    let hot = hottest_code(analysis, &path);
    let interpreter = hot.as_ref().filter(|hot| is_interpreter(&hot.function));
    // Code that an interpreter executes has no line here.
    let own = own_code::nearest(&path).filter(|_| interpreter.is_none());
    if let Some(calls) = &calls {
        let _ = write!(
            evidence,
            "; {} of it in calls of MPI ({} {}), which is communication or waiting for other \
             processes",
            percent(calls.share),
            calls.most.0,
            percent(calls.most.1),
        );
    }
    if let Some(hot) = interpreter {
        evidence.push_str(&inside(analysis.serial_tree(), &hot.function));
    } else if let Some(hot) = &hot {
        evidence.push_str(&format!("; {} of it in {}", percent(hot.share), hot.function));
        if let Some(place) = hot.line.and_then(HotLine::place) {
            evidence.push_str(&format!(" (hottest line {place})"));
        }
        let called = own.as_ref().and_then(|own| Some((own, own_code::called_by(own, &path)?)));
        if let Some((own, called)) = called.filter(|(own, _)| **own.function != *hot.function) {
            let _ = write!(evidence, ", as {} calls {called}", own.function);
        }
    }
    if let Some(said) = one_thread::summary_line(analysis).filter(|_| has_no_team) {
        evidence.push_str(&format!("; {said}"));
    }
    let root = analysis.serial_tree();
    let unseen = root.children.iter().find(|child| &*child.text == NOT_SAMPLED);
    let unseen = ratio(unseen.map_or(0, |child| child.total), root.total);
    if unseen >= SERIAL_SHARE {
        evidence.push_str(&format!(
            "; {} of it was not sampled: it came before the program used OpenMP, or was in the \
             system (page faults)",
            percent(unseen)
        ));
    }
    let line = own.as_ref().and_then(|own| own.line);
    let place = match (&own, &hot) {
        _ if waits => calls.map_or_else(String::new, |calls| calls.most.0.to_string()),
        (Some(own), _) => own.place(),
        (None, Some(hot)) => hot.function.to_string(),
        (None, None) => "outside parallel regions".to_owned(),
    };
    Some(Finding {
        disease: if waits { Disease::Mpi } else { Disease::SerialTime },
        place: place.into(),
        file: line.map(|line| line.file.clone()),
        line: line.map_or(0, |line| line.line),
        cost: (serial as f64 * (1.0 - 1.0 / team)) as u64,
        advice: if waits {
            "give all processes the same work, or let communication go on beside work (calls that \
             do not wait, tasks); the profiles of the other ranks show who is late"
        } else if interpreter.is_some() {
            "see with the interpreter's own profiler which of its code that is; do it in a library \
             that works in parallel, or less of it"
        } else {
            "make the serial work parallel too, or overlap it with parallel work (tasks)"
        },
        evidence,
    })
}

fn is_interpreter(function: &str) -> bool {
    function.ends_with(" interpreter>")
}

/// Says which share of the serial time the interpreter itself has, and which share the function
/// has that it calls for the longest.
fn inside(root: &CallNode, interpreter: &str) -> String {
    let (mut own, mut called): (u64, HashMap<&str, u64>) = (0, HashMap::new());
    let mut todo: Vec<&CallNode> = root.children.iter().collect();
    while let Some(node) = todo.pop() {
        if *node.text != *interpreter {
            todo.extend(&node.children);
            continue;
        }
        add(&mut own, node.own);
        for child in &node.children {
            add(called.entry(&child.text).or_default(), child.total);
        }
    }
    let mut text = format!("; {} of it in {interpreter} itself", percent(ratio(own, root.total)));
    let most = called.into_iter().max_by_key(|(name, time)| (*time, *name));
    if let Some((name, time)) = most
        && ratio(time, root.total) >= WORTH_SAYING
    {
        let _ = write!(text, ", {} in {name}, which it calls", percent(ratio(time, root.total)));
    }
    text
}

/// A figure is named beside the place if it has at least this share of the serial time.
const WORTH_SAYING: f64 = 0.1;

/// Returns a bound of a speedup, rounded up, so that the speedup stays below it: with two decimals
/// where one would round a small gain up too far.
fn above(bound: f64) -> String {
    let rounded = |by: f64| (bound * by).ceil() / by;
    if bound < 1.095 { format!("{:.2}", rounded(100.0)) } else { format!("{:.1}", rounded(10.0)) }
}

/// The code in which most of the serial time is spent.
struct HotCode<'a> {
    function: Rc<str>,
    line: Option<&'a HotLine>,
    share: f64,
}

/// Returns the innermost function with at least half of the serial time: one of the user's source
/// if there is one, else one that has a name.
fn hottest_code<'a>(analysis: &'a Analysis, path: &[&CallNode]) -> Option<HotCode<'a>> {
    let root = analysis.serial_tree();
    let mut best: Option<HotCode<'_>> = None;
    for at in path {
        let named = !at.text.contains("+0x");
        // Lines are sorted by time, so the first of the function is its hottest.
        let mut lines = analysis.serial_lines().iter();
        let line = lines.find(|line| line.function == at.text && line.line > 0);
        let better = match &best {
            None => named,
            Some(known) => line.is_some() || (named && known.line.is_none()),
        };
        let is_code = at.kind == LabelKind::Function || is_interpreter(&at.text);
        if is_code && better {
            let function = at.text.clone();
            best = Some(HotCode { function, line, share: ratio(at.total, root.total) });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn a_bound_is_none_that_is_reached() {
        assert_eq!([1.048, 1.091, 1.5, 2.04].map(above), ["1.05", "1.10", "1.5", "2.1"]);
    }
}
