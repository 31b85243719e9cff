//! Taskgraphs: `__kmpc_start_record_task` and `__kmpc_end_record_task`.
//!
//! The first execution of a region is recorded: each task that the encountering task makes in it,
//! with its private data and its dependences as they were when it was made. Later executions make
//! these tasks again without running the region's code. Child tasks come by themselves, since their
//! parents' code runs again.
//!
//! A region is executed anew each time, as OpenMP allows, if something in it would be lost: an
//! undeferred task, a taskwait, taskgroup or taskloop, a detachable task, private data with
//! destructors. While nobody records, the tasks of LLVM's interface pay one load and one branch.

use super::layout::{AllocFlags, KmpTask};
use super::spec;
use crate::gomp::task::{begin_group, end_group};
use crate::kmpc::ident::Ident;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use omphalos_engine::tasks::{self, Depend, Task};
use omphalos_engine::{Caller, Thread, caller};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The flag that asks for a new record (`re_record`).
const ANEW: i32 = 2;

/// A task as it was made.
struct Node {
    flags: u32,
    /// The task structure and what follows it.
    payload: Vec<u64>,
    /// Where in it the shared variables' addresses are.
    shareds: Option<usize>,
    depends: Vec<Depend>,
}

// SAFETY: plain values; addresses in them are the program's to use.
unsafe impl Send for Node {}
// SAFETY: as above.
unsafe impl Sync for Node {}

enum Graph {
    /// Being recorded by a task (its record's address).
    Open { recorder: usize, nodes: Vec<Node>, allocated: usize, whole: bool },
    /// To be made again.
    Whole(Arc<Vec<Node>>),
    /// To be executed anew each time.
    Unfit,
}

/// How many regions are being recorded.
static RECORDERS: AtomicU32 = AtomicU32::new(0);
static GRAPHS: Mutex<BTreeMap<i32, Graph>> = Mutex::new(BTreeMap::new());

fn graphs() -> MutexGuard<'static, BTreeMap<i32, Graph>> {
    GRAPHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Changes the record that the calling thread's current task makes, if it makes one.
#[cold]
#[inline(never)]
fn note(thread: &Thread, change: impl FnOnce(&mut Vec<Node>, &mut usize, &mut bool)) {
    let me = thread.task.get() as usize;
    for graph in graphs().values_mut() {
        match graph {
            Graph::Open { recorder, nodes, allocated, whole } if *recorder == me => {
                return change(nodes, allocated, whole);
            }
            _ => {}
        }
    }
}

/// A task structure was asked for: every one must come back through [`made`].
#[inline(always)]
pub fn allocated(thread: &Thread) {
    if RECORDERS.load(Relaxed) != 0 {
        note(thread, |_, allocated, _| *allocated += 1);
    }
}

/// The current task makes `task`.
#[inline(always)]
pub fn made(thread: &Thread, task: &Task, depends: &[Depend]) {
    if RECORDERS.load(Relaxed) != 0 {
        note(thread, |nodes, _, whole| match node(task, depends) {
            Some(node) => nodes.push(node),
            None => *whole = false,
        });
    }
}

/// The current task does something that a record does not hold.
#[inline(always)]
pub fn unfit() {
    if RECORDERS.load(Relaxed) != 0 {
        note(Thread::current(), |_, _, whole| *whole = false);
    }
}

fn node(task: &Task, depends: &[Depend]) -> Option<Node> {
    let flags = task.flags.get();
    let kept = AllocFlags::DESTRUCTORS | AllocFlags::PROXY | AllocFlags::DETACHABLE;
    if AllocFlags(flags).has(kept) {
        return None;
    }
    let (payload, size) = (task.payload(), task.payload_size());
    let mut copy = vec![0u64; size.div_ceil(8)];
    // SAFETY: the payload of a task of this interface is a task structure with what follows it.
    let shareds = unsafe {
        core::ptr::copy_nonoverlapping(payload.cast::<u8>(), copy.as_mut_ptr().cast(), size);
        (*payload.cast::<KmpTask>()).shareds as usize
    };
    let shareds = shareds.checked_sub(payload as usize).filter(|&offset| offset < size);
    Some(Node { flags, payload: copy, shareds, depends: depends.to_vec() })
}

fn make_again(thread: &'static Thread, nodes: &[Node], caller: Caller) {
    for node in nodes {
        let task = tasks::allocate(thread, node.payload.len() * 8);
        task.flags.set(node.flags);
        let payload = task.payload();
        // SAFETY: the new payload has room for the old one; both are task structures.
        unsafe {
            let words = node.payload.len();
            core::ptr::copy_nonoverlapping(node.payload.as_ptr(), payload.cast::<u64>(), words);
            if let Some(offset) = node.shareds {
                (*payload.cast::<KmpTask>()).shareds = payload.wrapping_byte_add(offset);
            }
            if node.depends.is_empty() {
                tasks::spawn(thread, task, spec(task), payload, caller);
            } else {
                let list = &node.depends;
                tasks::spawn_after(thread, task, spec(task), payload, list, true, caller);
            }
        }
    }
}

/// 1: the region's code is to be executed; 0: its tasks were made again.
unsafe extern "C" fn start(_location: *const Ident, _gtid: i32, flags: i32, id: i32) -> i32 {
    let caller = caller();
    begin_group();
    let thread = Thread::current();
    let recorder = thread.task.get() as usize;
    let mut graphs = graphs();
    if flags & ANEW != 0 && !matches!(graphs.get(&id), Some(Graph::Open { .. })) {
        graphs.remove(&id);
    }
    match graphs.get(&id) {
        None => {
            let open = Graph::Open { recorder, nodes: Vec::new(), allocated: 0, whole: true };
            graphs.insert(id, open);
            RECORDERS.fetch_add(1, Relaxed);
            1
        }
        Some(Graph::Whole(nodes)) => {
            let nodes = Arc::clone(nodes);
            drop(graphs);
            make_again(thread, &nodes, caller);
            0
        }
        // Another task records it just now, or it is not fit for that.
        Some(_) => 1,
    }
}

unsafe extern "C" fn end(_location: *const Ident, _gtid: i32, _flags: i32, id: i32) {
    let me = Thread::current().task.get() as usize;
    let mut graphs = graphs();
    if let Some(graph) = graphs.get_mut(&id)
        && let Graph::Open { recorder, nodes, allocated, whole } = graph
        && *recorder == me
    {
        let whole = *whole && *allocated == nodes.len();
        let nodes = core::mem::take(nodes);
        *graph = if whole { Graph::Whole(Arc::new(nodes)) } else { Graph::Unfit };
        RECORDERS.fetch_sub(1, Relaxed);
    }
    drop(graphs);
    end_group();
}

omphalos_sys::entries! {
    /// Begins a taskgraph region: location, thread, flags, number of the graph.
    __kmpc_start_record_task => start;
    /// Ends it, and waits for its tasks.
    __kmpc_end_record_task => end;
}
