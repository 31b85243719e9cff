//! Records what a task does with other tasks in a taskgraph region, and repeats it.
//!
//! Who calls: `capi`, for compilers that have taskgraph regions. The first execution of a region is
//! recorded: each step that the encountering task takes with tasks. A later execution repeats these
//! steps and skips the region's code. Child tasks make their own children as usual, because their
//! code runs again.
//!
//! If a step cannot be repeated, the region is executed anew each time; OpenMP allows that. While
//! no region is recorded, a tasking construct pays one load and one branch for all this.

use crate::records::Thread;
use crate::tasks::{self, Depend};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use omphalos_index::Index;
use omphalos_sync::process_lock::{Guard, ProcessLock, rank};
use omphalos_sys::entry::Caller;
use std::sync::Arc;

/// A step whose data only the compiler's interface can read.
pub trait Repeat: Send + Sync {
    /// Does the recorded step again.
    ///
    /// # Safety
    /// The data that the region's tasks refer to exists.
    unsafe fn repeat(&self, thread: &'static Thread, caller: Caller);
}

enum Step {
    /// Makes a task, or registers something for tasks: the compiler's interface repeats it.
    OfInterface(Box<dyn Repeat>),
    /// A taskwait.
    Wait,
    /// A taskwait with dependences.
    WaitFor {
        depends: Vec<Depend>,
        no_wait: bool,
    },
    BeginGroup,
    EndGroup,
}

impl Step {
    /// # Safety
    /// As for [`Repeat::repeat`].
    unsafe fn take(&self, thread: &'static Thread, caller: Caller) {
        match self {
            // SAFETY: the caller's promise.
            Step::OfInterface(step) => unsafe { step.repeat(thread, caller) },
            Step::Wait => tasks::taskwait(thread, caller),
            Step::WaitFor { depends, no_wait: true } => {
                tasks::spawn_empty(thread, depends, caller);
            }
            Step::WaitFor { depends, no_wait: false } => tasks::wait_for(thread, depends, caller),
            Step::BeginGroup => tasks::begin_group(thread, caller),
            Step::EndGroup => tasks::end_group(thread, caller),
        }
    }
}

/// The steps of a region that is being recorded.
struct Record {
    /// The address of the record of the task that executes the region.
    recorder: usize,
    steps: Vec<Step>,
    /// The number of tasks that were allocated and not made yet.
    open: usize,
    /// Whether every step so far can be repeated.
    whole: bool,
}

impl Record {
    /// Notes that an allocated task was made by `step`. `None`: the step cannot be repeated.
    fn close(&mut self, step: Option<Box<dyn Repeat>>) {
        self.open = self.open.saturating_sub(1);
        match step {
            Some(step) => self.steps.push(Step::OfInterface(step)),
            None => self.whole = false,
        }
    }
}

enum Graph {
    /// The region is being recorded.
    Open(Record),
    /// The region's steps are to be repeated.
    Whole(Arc<Vec<Step>>),
    /// The region is to be executed anew each time.
    Unfit,
}

/// The graphs by the numbers of their regions, which compilers count from 0.
type Graphs = Index<Graph>;

/// The number of regions that are being recorded, and the bit [`WAITS`]. Public, because a macro
/// needs its address.
pub static RECORDERS: AtomicU64 = AtomicU64::new(0);
static GRAPHS: ProcessLock<Graphs, { rank::GRAPHS }> = ProcessLock::new(Index::new());

fn graphs() -> Guard<'static, Graphs, { rank::GRAPHS }> {
    GRAPHS.lock()
}

/// A bit of [`RECORDERS`]: some thread has waited for dependences while a tool was attached. If
/// such a thread then allocates a task, these dependences are not the task's.
const WAITS: u64 = 1 << 63;

/// Makes [`allocated`] forget, from this call on, the dependences that the thread waited for.
pub fn forget_waits() {
    RECORDERS.fetch_or(WAITS, Relaxed);
}

#[inline(always)]
fn is_recording() -> bool {
    // SAFETY: a word of eight bytes.
    unsafe { omphalos_sys::if_static_is_set!(RECORDERS, { return true }) };
    false
}

/// Changes the record that the calling thread's current task makes, if it makes one.
#[cold]
#[inline(never)]
fn note(thread: &Thread, change: &mut dyn FnMut(&mut Record)) {
    if RECORDERS.load(Relaxed) & !WAITS == 0 {
        return;
    }
    let me = thread.task.get() as usize;
    for graph in graphs().values_mut() {
        match graph {
            Graph::Open(record) if record.recorder == me => return change(record),
            _ => {}
        }
    }
}

/// Notes that a task was allocated. For each allocated task, [`made`] or [`begun`] must be called.
#[inline(always)]
pub fn allocated(thread: &Thread) {
    if is_recording() {
        thread.notes.note_awaited(&[]);
        note(thread, &mut |record| record.open += 1);
    }
}

/// Notes that the current task makes a task that it allocated, by a `step`. `None`: the step cannot
/// be repeated.
#[inline(always)]
pub fn made(thread: &Thread, step: impl FnOnce() -> Option<Box<dyn Repeat>>) {
    if is_recording() {
        let mut step = Some(step);
        note(thread, &mut |record| record.close(step.take().and_then(|step| step())));
    }
}

/// Does what [`made`] does, for a task whose body the program calls. This function asks by a plain
/// load: after [`is_recording`] the compiler would save registers on the common way too, which is
/// short.
#[inline(always)]
pub fn begun(thread: &Thread, step: impl FnOnce() -> Option<Box<dyn Repeat>>) {
    // SAFETY: a word of eight bytes.
    if unsafe { omphalos_sys::load_static!(RECORDERS, 0, u64) } != 0 {
        let mut step = Some(step);
        note(thread, &mut |record| record.close(step.take().and_then(|step| step())));
    }
}

/// Notes another step with tasks that the current task takes.
#[inline(always)]
pub fn done(step: impl FnOnce() -> Box<dyn Repeat>) {
    push(|| Step::OfInterface(step()));
}

/// Notes that the current task waits for its children.
#[inline(always)]
pub fn waited() {
    push(|| Step::Wait);
}

/// Notes that the current task waits for these dependences, or (`no_wait`) makes an empty task with
/// them.
#[inline(always)]
pub fn waited_for(depends: &[Depend], no_wait: bool) {
    push(|| Step::WaitFor { depends: depends.to_vec(), no_wait });
}

/// Notes that the current task begins a taskgroup.
#[inline(always)]
pub fn group_begun() {
    push(|| Step::BeginGroup);
}

/// Notes that the current task ends a taskgroup.
#[inline(always)]
pub fn group_ended() {
    push(|| Step::EndGroup);
}

#[inline(always)]
fn push(step: impl FnOnce() -> Step) {
    if is_recording()
        && let Some(thread) = Thread::known()
    {
        let mut step = Some(step);
        note(thread, &mut |record| record.steps.extend(step.take().map(|step| step())));
    }
}

/// Begins the region with this number. Returns true if the program has to execute the region's
/// code; false if the recorded steps were repeated. `anew` asks for a new record.
pub fn begin(thread: &'static Thread, id: i32, anew: bool, caller: Caller) -> bool {
    let (recorder, key) = (thread.task.get() as usize, id as usize);
    let mut graphs = graphs();
    if anew && !matches!(graphs.get(key), Some(Graph::Open(_))) {
        graphs.remove(key);
    }
    match graphs.get(key) {
        None => {
            let record = Record { recorder, steps: Vec::new(), open: 0, whole: true };
            graphs.insert(key, Graph::Open(record));
            RECORDERS.fetch_add(1, Relaxed);
            true
        }
        Some(Graph::Whole(steps)) => {
            let steps = Arc::clone(steps);
            drop(graphs);
            for step in steps.iter() {
                // SAFETY: the program says that the region is executed again, so the data of its
                // tasks exists.
                unsafe { step.take(thread, caller) };
            }
            false
        }
        // Another task records it at this moment, or it cannot be repeated.
        Some(_) => true,
    }
}

/// Ends the region with this number.
pub fn end(thread: &Thread, id: i32) {
    let me = thread.task.get() as usize;
    let mut graphs = graphs();
    if let Some(graph) = graphs.get_mut(id as usize)
        && let Graph::Open(record) = graph
        && record.recorder == me
    {
        let whole = record.whole && record.open == 0;
        let steps = core::mem::take(&mut record.steps);
        *graph = if whole { Graph::Whole(Arc::new(steps)) } else { Graph::Unfit };
        RECORDERS.fetch_sub(1, Relaxed);
    }
}
