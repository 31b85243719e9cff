//! Waits for a lock inside the C library, as of `malloc`, `rand` or a stream: no event tells of
//! such a lock, but samples are in the library's own wait for it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Disease, Finding, MUTEX_SHARE, duration, own_code, percent};
use crate::Analysis;
use crate::model::{CallNode, LineTime, add, ratio};

/// The functions in which glibc waits for a lock of its own, and wakes a thread that waits for it.
/// A `pthread_mutex_t` of the program's has others.
const WAITS: [&str; 2] = ["__lll_lock_wait_private", "__lll_lock_wake_private"];

/// The library functions that one caller in the program called, with their waits.
#[derive(Default)]
struct Caller<'a> {
    line: Option<&'a LineTime>,
    waits: BTreeMap<Rc<str>, u64>,
}

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let mut callers: BTreeMap<Rc<str>, Caller<'_>> = BTreeMap::new();
    // The nodes still to visit, and how many are above each; `path`: those above the current one.
    let mut todo: Vec<(&CallNode, usize)> = vec![(analysis.tree(), 0)];
    let mut path: Vec<&CallNode> = Vec::new();
    while let Some((node, depth)) = todo.pop() {
        path.truncate(depth);
        if !WAITS.contains(&&*node.text) {
            path.push(node);
            todo.extend(node.children.iter().map(|child| (child, depth + 1)));
        } else if let Some(own) = own_code::nearest(&path)
            && let Some(called) = own_code::library_call(&own, &path)
        {
            let of = callers.entry(own.function.clone()).or_default();
            of.line = of.line.or(own.line);
            add(of.waits.entry(called.clone()).or_default(), node.total);
        }
    }
    callers.iter().filter_map(|(name, caller)| finding(analysis, name, caller)).collect()
}

/// Returns how long the threads waited in all for locks of the C library.
pub(super) fn waited(analysis: &Analysis) -> u64 {
    let (mut sum, mut todo) = (0, vec![analysis.tree()]);
    while let Some(node) = todo.pop() {
        match *node.text == *WAITS[0] {
            true => add(&mut sum, node.total),
            false => todo.extend(&node.children),
        }
    }
    sum
}

fn finding(analysis: &Analysis, name: &str, caller: &Caller<'_>) -> Option<Finding> {
    let summary = analysis.summary();
    let mut waited = 0;
    caller.waits.values().for_each(|time| add(&mut waited, *time));
    let share = ratio(waited, summary.alive);
    if share < MUTEX_SHARE || summary.threads < 2 {
        return None;
    }
    let mut functions: Vec<(&Rc<str>, &u64)> = caller.waits.iter().collect();
    functions.sort_by_key(|(_, time)| std::cmp::Reverse(**time));
    let functions: Vec<&str> = functions.iter().take(3).map(|(name, _)| &***name).collect();
    let allocates = |name: &&str| {
        ["malloc", "free", "calloc", "realloc", "operator new", "operator delete", "memalign"]
            .iter()
            .any(|one| name.contains(one))
    };
    let place = match caller.line {
        Some(line) => format!("{} in {name}", line.place()),
        None => name.to_owned(),
    };
    Some(Finding {
        disease: Disease::HotMutex,
        place: format!("a lock of the C library in {} at {place}", functions.join(", ")).into(),
        file: caller.line.map(|line| line.file.clone()),
        line: caller.line.map_or(0, |line| line.line),
        // Without the waits, no more threads run at a time than there are CPUs.
        cost: waited / summary.threads.min(u64::from(summary.usable_cpus)).max(1),
        evidence: format!(
            "threads spent {} waiting for it and waking each other, {} of all their time, by \
             samples",
            duration(waited as f64),
            percent(share),
        ),
        advice: if functions.iter().any(allocates) {
            "allocate less often inside of regions: reuse memory of each thread's own, or take an \
             allocator with a heap for each thread"
        } else {
            "call it less often inside of regions, or take a variant without a lock that all \
             threads share (rand_r, fwrite_unlocked)"
        },
    })
}
