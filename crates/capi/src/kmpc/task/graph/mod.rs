//! Taskgraphs: `__kmpc_start_record_task` and `__kmpc_end_record_task`.
//!
//! The first execution of a region is recorded: what the encountering task does with tasks in it, step
//! by step (`steps.rs`). Later executions take these steps again without running the region's code.
//! Child tasks come by themselves, since their parents' code runs again.
//!
//! A region is executed anew each time, as OpenMP allows, if something in it cannot be done twice: a
//! detachable task, private data with destructors. While nobody records, the tasks of LLVM's
//! interface pay one load and one branch.

mod steps;

use super::taskloop::Construct;
use crate::shared::location::Ident;
use crate::shared::waiting::{begin_group, end_group};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use omphalos_engine::tasks::{Depend, Task};
use omphalos_engine::{Thread, caller};
use omphalos_sync::process_lock::{Guard, ProcessLock, rank};
use std::collections::BTreeMap;
use std::sync::Arc;
pub use steps::Registration;
use steps::{Pattern, Step};

/// The flag that asks for a new record (`re_record`).
const ANEW: i32 = 2;

/// A record in the making.
struct Record {
    /// The task that makes it (its record's address).
    recorder: usize,
    steps: Vec<Step>,
    /// Task structures that were asked for and of which nothing was made yet.
    open: usize,
    /// Nothing was lost so far.
    whole: bool,
}

enum Graph {
    /// Being recorded.
    Open(Record),
    /// To be taken again.
    Whole(Arc<Vec<Step>>),
    /// To be executed anew each time.
    Unfit,
}

/// How many regions are being recorded.
static RECORDERS: AtomicU32 = AtomicU32::new(0);
static GRAPHS: ProcessLock<BTreeMap<i32, Graph>, { rank::GRAPHS }> =
    ProcessLock::new(BTreeMap::new());

fn graphs() -> Guard<'static, BTreeMap<i32, Graph>, { rank::GRAPHS }> {
    GRAPHS.lock()
}

/// Changes the record that the calling thread's current task makes, if it makes one.
#[cold]
#[inline(never)]
fn note(thread: &Thread, change: impl FnOnce(&mut Record)) {
    let me = thread.task.get() as usize;
    for graph in graphs().values_mut() {
        match graph {
            Graph::Open(record) if record.recorder == me => return change(record),
            _ => {}
        }
    }
}

#[inline(always)]
fn is_recording() -> bool {
    RECORDERS.load(Relaxed) != 0
}

impl Record {
    /// A task structure that was asked for comes back as `step`; `None`: it cannot be made twice.
    fn close(&mut self, step: Option<Step>) {
        self.open = self.open.saturating_sub(1);
        match step {
            Some(step) => self.steps.push(step),
            None => self.whole = false,
        }
    }
}

/// A task structure was asked for: every one must come back through one of the next three.
#[inline(always)]
pub fn allocated(thread: &Thread) {
    if is_recording() {
        note(thread, |record| record.open += 1);
    }
}

/// The current task makes `task`.
#[inline(always)]
pub fn made(thread: &Thread, task: &Task, depends: &[Depend]) {
    if is_recording() {
        note(thread, |record| {
            let step = |pattern| Step::Task { pattern, depends: depends.to_vec() };
            record.close(Pattern::of(task).map(step));
        });
    }
}

/// The current task begins the undeferred `task`, whose body the program calls.
#[inline(always)]
pub fn begun(thread: &Thread, task: &Task) {
    if is_recording() {
        note(thread, |record| record.close(Pattern::of(task).map(Step::Undeferred)));
    }
}

/// The current task comes to a taskloop with the pattern `task`.
#[inline(always)]
pub fn looped(thread: &Thread, task: &Task, construct: &Construct) {
    if is_recording() {
        note(thread, |record| {
            let step = |pattern| Step::Loop { pattern, construct: *construct };
            record.close(Pattern::of(task).map(step));
        });
    }
}

/// The current task waits for its children.
#[inline(always)]
pub fn waited() {
    step(|| Step::Wait);
}

/// The current task waits for what the dependences say, or (`no_wait`) makes an empty task with them.
#[inline(always)]
pub fn waited_for(depends: &[Depend], no_wait: bool) {
    step(|| Step::WaitFor { depends: depends.to_vec(), no_wait });
}

/// The current task begins a taskgroup.
#[inline(always)]
pub fn group_begun() {
    step(|| Step::Begin);
}

/// The current task ends a taskgroup.
#[inline(always)]
pub fn group_ended() {
    step(|| Step::End);
}

/// The current task registers reductions with its taskgroup.
#[inline(always)]
pub fn reduced(registration: impl FnOnce() -> Registration) {
    step(|| Step::Reduce(registration()));
}

#[inline(always)]
fn step(step: impl FnOnce() -> Step) {
    if is_recording()
        && let Some(thread) = Thread::known()
    {
        note(thread, |record| record.steps.push(step()));
    }
}

/// 1: the region's code is to be executed; 0: its steps were taken again.
unsafe extern "C" fn start(_location: *const Ident, _gtid: i32, flags: i32, id: i32) -> i32 {
    let caller = caller();
    begin_group(caller);
    let thread = Thread::current();
    let recorder = thread.task.get() as usize;
    let mut graphs = graphs();
    if flags & ANEW != 0 && !matches!(graphs.get(&id), Some(Graph::Open(_))) {
        graphs.remove(&id);
    }
    match graphs.get(&id) {
        None => {
            let record = Record { recorder, steps: Vec::new(), open: 0, whole: true };
            graphs.insert(id, Graph::Open(record));
            RECORDERS.fetch_add(1, Relaxed);
            1
        }
        Some(Graph::Whole(steps)) => {
            let steps = Arc::clone(steps);
            drop(graphs);
            for step in steps.iter() {
                // SAFETY: the program says that the region is executed again, so what its tasks
                // refer to is there.
                unsafe { step.take(thread, caller) };
            }
            0
        }
        // Another task records it just now, or it is not fit for that.
        Some(_) => 1,
    }
}

unsafe extern "C" fn end(_location: *const Ident, _gtid: i32, _flags: i32, id: i32) {
    let caller = caller();
    let me = Thread::current().task.get() as usize;
    let mut graphs = graphs();
    if let Some(graph) = graphs.get_mut(&id)
        && let Graph::Open(record) = graph
        && record.recorder == me
    {
        let whole = record.whole && record.open == 0;
        let steps = core::mem::take(&mut record.steps);
        *graph = if whole { Graph::Whole(Arc::new(steps)) } else { Graph::Unfit };
        RECORDERS.fetch_sub(1, Relaxed);
    }
    drop(graphs);
    end_group(caller);
}

omphalos_sys::entries! {
    /// Begins a taskgraph region: location, thread, flags, number of the graph.
    __kmpc_start_record_task => start;
    /// Ends it, and waits for its tasks.
    __kmpc_end_record_task => end;
}
