//! Answers to tools' questions: the engine's table of functions, which `omphalos_events::inquiry`
//! gives to the dialects in `tools`. `process/start.rs` installs it before any tool starts.
//!
//! What must hold: every function but `tool_leaves` is async-signal-safe. It takes no lock and
//! allocates nothing; most only read words of the calling thread. `num_procs` asks the kernel for
//! the processors if no thread has asked; `place_num` binds no thread, unlike the program's
//! routine. `tool_leaves` tells a tool of the ends of threads and devices, and takes a lock.

use crate::affinity;
use crate::records::{Task, Team, Thread};
use core::ffi::CStr;
use core::mem::offset_of;
use core::sync::atomic::Ordering;
use omphalos_events::{Identity, Inquiry, RegionInfo, State, TaskFlags, TaskInfo};
use omphalos_settings::settings;

static TABLE: Inquiry = Inquiry {
    thread,
    state,
    task: |level| task_above(level, Above::Interrupted),
    making_task: |level| task_above(level, Above::Maker),
    region,
    task_memory,
    target: || crate::target::current(Thread::known()?),
    on_device: || Thread::known()?.device_and_construct(),
    num_devices: crate::target::devices,
    played_devices: crate::target::played::known_count,
    tool_leaves: |slot| {
        // The devices' own threads first, as at the end of the process.
        crate::threads::ending::tool_leaves(slot);
        crate::target::played::tool_leaves(slot);
    },
    idle_frame: || Thread::known().map_or(0, |thread| thread.idle_frame.get()),
    summed: crate::team::summed,
    notes: || Thread::known().map(|thread| &thread.notes),
    unique_id: || Thread::known().map_or(0, Thread::tool_id),
    num_procs: || settings().processors.count() as i32,
    num_places: affinity::num_places,
    place_proc_ids: affinity::place_proc_ids,
    place_num: affinity::known_place,
    partition_place_nums: affinity::partition_place_nums,
    proc_id: omphalos_sys::cpus::current,
    omp_version: 202_111,
    runtime_version: VERSION,
};

/// The runtime's name and the part of its version that changes with its behaviour.
const VERSION: &CStr = {
    const TEXT: &str = concat!(
        "Omphalos ",
        env!("CARGO_PKG_VERSION_MAJOR"),
        ".",
        env!("CARGO_PKG_VERSION_MINOR"),
        "\0"
    );
    match CStr::from_bytes_with_nul(TEXT.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!(),
    }
};

/// Installs the table.
pub(crate) fn install() {
    omphalos_events::install_inquiry(&TABLE);
}

fn thread() -> *const Identity {
    Thread::known().map_or(core::ptr::null(), |thread| &thread.identity)
}

fn state() -> (State, u64) {
    match Thread::known() {
        Some(thread) => {
            let (state, wait_id) = thread.state();
            // These are OMPT's states from `WAIT_MUTEX` to the one before `WAIT_TARGET`. The bits
            // above the low 16 tell apart states that have one number in OMPT.
            let mutex = (0x40..0x80).contains(&(state.0 & 0xffff));
            (state, if mutex { wait_id } else { 0 })
        }
        None => (State::UNDEFINED, 0),
    }
}

/// Returns the calling thread if it is in some task: an idle worker is in none.
fn working() -> Option<&'static Thread> {
    let thread = Thread::known()?;
    let idle = thread.state().0 == State::IDLE;
    (!idle && !thread.task.get().is_null() && !thread.team.get().is_null()).then_some(thread)
}

/// The two relations by which a task is one level above another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    /// The task that the thread interrupted: the next one on the thread's stack of tasks.
    Interrupted,
    /// The task that made the other one.
    Maker,
}

/// Returns the task `level` levels above the current one. As with OMPT's `ompt_get_task_info`, 2
/// comes with an answer, and 0 says that there is no such level.
fn task_above(level: u32, above: Above) -> (i32, Option<TaskInfo>) {
    let Some(thread) = working() else { return (0, None) };
    let mut task: *mut Task = thread.task.get();
    let mut num = thread.team().shown_num(thread.num.get());
    let mut running = thread.tasks.running.get();
    let exiting = thread.notes.exiting.load(Ordering::Relaxed);
    if above == Above::Maker && !exiting.is_null() {
        // SAFETY: `exiting` points to the part that tools see of a task's record, and the task is
        // not complete yet.
        task = unsafe { (*exiting.byte_sub(offset_of!(Task, tool)).cast::<Task>()).parent.get() };
    }
    for _ in 0..level {
        // SAFETY: a task's parents live as long as it does.
        let current = unsafe { &*task };
        // SAFETY: null, or an entry on the calling thread's own stack.
        let entry = unsafe { running.as_ref() };
        if above == Above::Interrupted
            && let Some(entry) = entry
            && core::ptr::eq(entry.task, current)
        {
            // Below an explicit task lies the task that it interrupted. Another task may have made
            // it.
            task = entry.prior.cast_mut();
            running = entry.below;
            continue;
        }
        if current.flags.get() & TaskFlags::IMPLICIT != 0 {
            // SAFETY: the team of a live task is valid.
            let team = unsafe { &*current.team.get() };
            num = team.parent_num.get();
            num = team.parent().map_or(num, |parent| parent.shown_num(num));
        }
        task = current.parent.get();
        if task.is_null() {
            return (0, None);
        }
    }
    // SAFETY: as above.
    let current = unsafe { &*task };
    // SAFETY: as above.
    let team: &Team = unsafe { &*current.team.get() };
    let info = TaskInfo {
        flags: current.shown_flags(),
        task: &current.tool,
        region: &team.shown().identity,
        thread_num: num as i32,
        function: current.function(),
    };
    (2, Some(info))
}

/// Returns address and size of a block of the current task's data. An explicit task has one block,
/// right behind its record; others have none.
fn task_memory(block: i32) -> (u64, usize, bool) {
    match working().map(Thread::task) {
        Some(task) if block == 0 && task.is_explicit() && task.payload_size() != 0 => {
            (task.payload() as u64, task.payload_size(), false)
        }
        _ => (0, 0, false),
    }
}

/// Returns the region `level` levels around the current one; numbers as for [`task_above`].
fn region(level: u32) -> (i32, Option<RegionInfo>) {
    let Some(thread) = working() else { return (0, None) };
    let mut team = thread.team().shown();
    for _ in 0..level {
        match team.parent() {
            Some(parent) => team = parent.shown(),
            None => return (0, None),
        }
    }
    let team_size = team.size.get() as i32;
    let (function, codeptr) = (team.function.get(), team.codeptr.get());
    (2, Some(RegionInfo { region: team.shown_identity(), team_size, function, codeptr }))
}
