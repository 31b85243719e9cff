//! Hidden helper threads: threads outside all teams that execute the target tasks of LLVM's
//! compilers (`target nowait`), and nothing else.
//!
//! Such a task does not wait until a thread of its team has time, and a team of one thread
//! continues while the task is executed. All such tasks stand in one list for the whole process. A
//! helper is started when a task comes and no helper is idle, up to the number that the environment
//! allows. Helpers sleep while the list is empty. If the environment allows none (`helpers.rs` of
//! `omphalos_settings`), target tasks are tasks like others, and this file is not used. A helper
//! executes a task as a free agent does (`agents.rs`, `team/serve.rs`). What must hold: no helper
//! waits for a task that only another helper may execute, or all of them might wait. So helpers get
//! neither tasks that a helper's task makes, nor tasks of a region inside it.

use crate::affinity;
use crate::records::{Task, Team, Thread};
use crate::threads::{reserve, start_helper};
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_settings::settings;
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::futex;
use std::collections::VecDeque;

struct Helpers {
    /// Ready tasks, the oldest first.
    tasks: VecDeque<&'static Task>,
    /// The helpers that wait at their gates.
    idle: Vec<&'static Thread>,
    /// The numbers of the helpers that exist, as bits: no number may be given twice.
    present: u32,
}

static HELPERS: ProcessLock<Helpers, { rank::HELPERS }> =
    ProcessLock::new(Helpers { tasks: VecDeque::new(), idle: Vec::new(), present: 0 });

fn locked<R>(f: impl FnOnce(&mut Helpers) -> R) -> R {
    HELPERS.with(f)
}

/// Empties the list in a forked child, which has no helper. Returns the tasks that waited for one
/// and whose team `remains`: the child's only thread executes them. The parent executes all others.
pub(crate) fn after_fork_in_child(
    remains: impl Fn(*const Team) -> bool,
) -> VecDeque<&'static Task> {
    locked(|helpers| {
        let mut tasks = core::mem::take(&mut helpers.tasks);
        tasks.retain(|task| remains(task.team.get()));
        helpers.idle.clear();
        helpers.present = 0;
        tasks
    })
}

/// The step that follows once a task is in the list.
enum Next {
    Nothing,
    Wake(&'static Thread),
    /// Start these helpers, as bits. The flag says whether they are the first ones.
    Start(u32, bool),
}

/// Offers a ready task to helpers. The task stands in its team's census by itself. Returns the
/// tasks that no helper will ever execute, if the system refuses to make threads.
#[cold]
pub(super) fn offer(task: &'static Task) -> VecDeque<&'static Task> {
    let most = settings().helpers.most();
    let next = locked(|helpers| {
        helpers.tasks.push_back(task);
        if let Some(idle) = helpers.idle.pop() {
            return Next::Wake(idle);
        }
        let absent = !helpers.present & ((1 << most) - 1);
        if absent == 0 {
            return Next::Nothing;
        }
        let is_first = helpers.present == 0;
        let new = if all_at_once() { absent } else { 1 << absent.trailing_zeros() };
        helpers.present |= new;
        Next::Start(new, is_first)
    });
    match next {
        Next::Nothing => {}
        Next::Wake(helper) => helper.summon_as_helper(),
        Next::Start(new, is_first) => {
            if is_first {
                affinity::helpers::tell_range();
            }
            return start(new);
        }
    }
    VecDeque::new()
}

/// Whether all helpers start with the first one. They do if each has to print its processors.
fn all_at_once() -> bool {
    settings().helpers.places.as_ref().is_some_and(|places| places.verbose)
}

/// Starts the helpers of these bits. If no helper exists then, returns all tasks of the list.
fn start(new: u32) -> VecDeque<&'static Task> {
    let settled = SETTLED.load(Ordering::Relaxed);
    let (mut left, mut made) = (new, 0);
    while left != 0
        && let Ok(helper) = start_helper(left.trailing_zeros())
    {
        helper.summon_as_helper();
        left &= left - 1;
        made += 1;
    }
    if all_at_once() {
        // All of them print their processors before the program continues: it may end soon.
        wait_for_settling(settled, made);
    }
    if left == 0 {
        return VecDeque::new();
    }
    locked(|helpers| {
        helpers.present &= !left;
        let stranded = helpers.present == 0;
        if stranded { core::mem::take(&mut helpers.tasks) } else { VecDeque::new() }
    })
}

/// Returns a task for the calling helper. If there is none, the helper becomes idle. This happens
/// under the lock, so a thread that offers a task later finds one more idle helper.
pub(crate) fn next_hidden_or_idle(thread: &'static Thread) -> Option<&'static Task> {
    locked(|helpers| {
        let task = helpers.tasks.pop_front();
        if task.is_none() {
            helpers.idle.push(thread);
        }
        task
    })
}

/// Ends the idle helpers, because no thread of the program is left. A helper that is at work checks
/// this itself when it becomes idle.
#[cold]
pub(crate) fn end_idle() {
    let idle = locked(|helpers| {
        for helper in &helpers.idle {
            helpers.present &= !(1
                << (helper.gtid as u32).saturating_sub(omphalos_settings::Helpers::FIRST_NUMBER));
        }
        core::mem::take(&mut helpers.idle)
    });
    reserve::end(idle);
}

/// Binds the calling thread, a new helper, to the processors of the helpers.
pub(crate) fn settle(thread: &Thread) {
    let index = (thread.gtid as u32).saturating_sub(omphalos_settings::Helpers::FIRST_NUMBER);
    affinity::helpers::settle(thread, index);
    SETTLED.fetch_add(1, Ordering::Release);
    futex::wake(&SETTLED, u32::MAX);
}

/// The number of helpers that have called [`settle`], over the whole life of the process.
static SETTLED: AtomicU32 = AtomicU32::new(0);

/// Waits until `more` helpers have settled than the number `before`.
fn wait_for_settling(before: u32, more: u32) {
    loop {
        let now = SETTLED.load(Ordering::Acquire);
        if now.wrapping_sub(before) >= more {
            return;
        }
        futex::wait(&SETTLED, now, None);
    }
}
