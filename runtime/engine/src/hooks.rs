//! Tells the tools about threads, regions and leagues.
//!
//! Most functions stay out of line: only programs with a tool run them. The caller, or the
//! function's first line, asks whether a tool wants the event: one load and one branch.

use crate::records::{Team, Thread, Work};
use core::sync::atomic::Ordering;
use omphalos_events::{
    Endpoint, Event, Frame, Identity, Kind, TaskFlags, TaskTool, ThreadKind, dispatch, dispatch_to,
    frames, tell_tools, wants,
};
use omphalos_sys::entry::Caller;

/// `ompt_parallel_team`.
const PARALLEL_TEAM: u32 = 0x8000_0000;

/// Gives ids to an initial thread, its region and its initial task, if a tool is attached or may
/// start now: its initializer may ask for the ids. Returns whether it did.
#[cold]
pub(crate) fn name_initial_thread(thread: &'static Thread) -> bool {
    let is_named = omphalos_events::active();
    if is_named {
        thread.identity.renew(thread.unique_id());
        thread.team().identity.renew(thread.unique_id() | Identity::INITIAL_REGION);
        thread.task().tool.identity.renew(thread.unique_id());
    }
    is_named
}

/// Tells that an initial thread begins, with its initial task. Both have ids already.
#[cold]
pub(crate) fn initial_thread_begin(thread: &'static Thread) {
    tell_thread_begin(thread, thread.kind.get());
    tell_tools::implicit_task(
        Endpoint::Begin,
        &thread.team().identity,
        &thread.task().tool,
        1,
        1,
        TaskFlags::INITIAL,
    );
}

/// Tells that an initial thread and its initial task end.
#[cold]
pub(crate) fn initial_thread_end(thread: &'static Thread) {
    tell_tools::implicit_task(
        Endpoint::End,
        &thread.team().identity,
        &thread.task().tool,
        1,
        1,
        TaskFlags::INITIAL,
    );
    if wants(Kind::ThreadEnd) {
        dispatch(&Event::ThreadEnd { thread: &thread.identity, kind: thread.kind.get() });
    }
}

/// Tells that a thread has become an OpenMP thread.
#[cold]
pub(crate) fn thread_begin(thread: &'static Thread, kind: ThreadKind) {
    if omphalos_events::active() {
        thread.identity.renew(thread.unique_id());
    }
    tell_thread_begin(thread, kind);
}

fn tell_thread_begin(thread: &'static Thread, kind: ThreadKind) {
    if wants(Kind::ThreadBegin) {
        dispatch(&Event::ThreadBegin { thread: &thread.identity, kind });
    }
}

/// Tells that a worker begins or ends its wait for a region. Tools to which it has said farewell
/// (`threads::ending`) are told nothing: they know its end already.
#[inline(always)]
pub(crate) fn idle(thread: &'static Thread, endpoint: Endpoint) {
    if wants(Kind::Idle) {
        let others = !thread.farewells.load(Ordering::Relaxed);
        dispatch_to(others, &Event::Idle { thread: &thread.identity, endpoint });
    }
}

/// Tells that a region begins. The thread is still in the encountering task.
#[cold]
pub(crate) fn parallel_begin(
    thread: &'static Thread,
    team: &Team,
    requested: u32,
    work: &Work,
    flags: u32,
    caller: Caller,
) {
    team.identity.renew(thread.unique_id());
    let task = thread.task();
    task.tool.frame.enter.store(entered(caller), Ordering::Relaxed);
    tell_tools::parallel_begin(
        &task.tool,
        &team.identity,
        requested,
        flags | PARALLEL_TEAM,
        || work.code(),
        caller.address(),
    );
}

/// Tells that a region has ended. The thread is back in the encountering task.
#[cold]
pub(crate) fn parallel_end(thread: &'static Thread, team: &Team, flags: u32) {
    let task = thread.task();
    tell_tools::parallel_end(&task.tool, &team.identity, flags | PARALLEL_TEAM, team.codeptr.get());
    task.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// `ompt_parallel_league`, and that the runtime calls the region's code.
const LEAGUE: u32 = 0x4000_0000 | 2;

/// Tells that a league begins; `league` has its identity. The thread is still in the encountering
/// task.
#[cold]
pub(crate) fn league_begin(thread: &'static Thread, league: &Team, teams: u32, caller: Caller) {
    let task = thread.task();
    league.identity.renew(thread.unique_id());
    task.tool.frame.enter.store(entered(caller), Ordering::Relaxed);
    tell_tools::parallel_begin(&task.tool, &league.identity, teams, LEAGUE, || 0, caller.address());
}

/// Tells that a league has ended. The thread is back in the encountering task.
#[cold]
pub(crate) fn league_end(thread: &'static Thread, league: &Team, caller: Caller) {
    let task = thread.task();
    tell_tools::parallel_end(&task.tool, &league.identity, LEAGUE, caller.address());
    task.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// Tells that the calling thread's initial task of team `number` in a league of `teams` begins or
/// ends.
#[cold]
pub(crate) fn league_task(thread: &'static Thread, endpoint: Endpoint, teams: u32, number: u32) {
    initial_task(thread, endpoint, teams, number);
}

fn initial_task(thread: &'static Thread, endpoint: Endpoint, parallelism: u32, index: u32) {
    let (team, task) = (thread.team(), thread.task());
    if endpoint == Endpoint::Begin {
        let own = thread.as_owner().task();
        task.flags.set(own, TaskFlags::INITIAL);
        task.tool.identity.renew(thread.unique_id());
    }
    tell_tools::implicit_task(
        endpoint,
        team.shown_identity(),
        &task.tool,
        parallelism,
        index,
        TaskFlags::INITIAL,
    );
}

/// Tells that the initial task of a `target` region begins or ends on the calling thread, inside an
/// implicit region that no construct began.
#[cold]
pub(crate) fn target_task(thread: &'static Thread, endpoint: Endpoint) {
    if endpoint == Endpoint::Begin {
        thread.team().identity.renew(thread.unique_id() | Identity::INITIAL_REGION);
    }
    initial_task(thread, endpoint, 1, 1);
}

/// Tells that the initial task on which a free-agent thread executes other tasks begins or ends.
/// Only tools see this task.
#[cold]
pub(crate) fn agent_task(thread: &'static Thread, endpoint: Endpoint) {
    target_task(thread, endpoint);
}

/// Tells that a team's region of one thread begins: tools are shown such a region in each team of a
/// league. The thread is still in the team's initial task.
#[cold]
pub(crate) fn inner_begin(thread: &'static Thread, inner: &Team, caller: Caller) {
    inner.identity.renew(thread.unique_id());
    let encountering = &thread.task().tool;
    encountering.frame.enter.store(entered(caller), Ordering::Relaxed);
    tell_tools::parallel_begin(
        encountering,
        &inner.identity,
        1,
        PARALLEL_TEAM | 2,
        || 0,
        caller.address(),
    );
}

/// Tells that the region of [`inner_begin`] has ended. The thread is back in the initial task.
#[cold]
pub(crate) fn inner_end(thread: &'static Thread, inner: &Team) {
    parallel_end(thread, inner, 2);
}

/// Tells that the calling thread's implicit task begins.
#[cold]
#[inline(never)]
pub(crate) fn implicit_task_begins(thread: &'static Thread) {
    let task = &thread.task().tool;
    task.identity.renew(thread.unique_id());
    if frames::keep_exits() {
        keep_frames(task, 0);
    }
    implicit_task(thread, Endpoint::Begin);
}

/// Tells that the calling thread's implicit task ends.
#[cold]
#[inline(never)]
pub(crate) fn implicit_task_ends(thread: &'static Thread) {
    implicit_task(thread, Endpoint::End);
    // Until the next region begins on this thread, an inquiry finds this record. It must not find
    // the words that tools gave the ended task.
    thread.task().tool.identity.clear_words();
}

#[inline(always)]
fn implicit_task(thread: &'static Thread, endpoint: Endpoint) {
    let (team, task) = (thread.team(), thread.task());
    tell_tools::implicit_task(
        endpoint,
        &team.identity,
        &task.tool,
        team.size.get(),
        thread.num.get(),
        TaskFlags::IMPLICIT,
    );
}

/// Notes that the program itself goes on with the code of `task`, which was made in `outer`; the
/// runtime does not call that code. So user code begins in the frame that called the runtime. A
/// program with frame pointers is shown that frame, as other runtimes show it. A program without
/// them is shown the frame's end, which belongs to the program.
#[inline]
pub fn runs_in_line(outer: &TaskTool, task: &TaskTool, caller: Caller) {
    if omphalos_events::active() {
        in_line(&outer.frame, &task.frame, caller);
    }
}

#[cold]
fn in_line(outer: &Frame, frame: &Frame, caller: Caller) {
    let (exit, flags) = match caller.frame_pointer() {
        Some(pointer) => (pointer, Frame::CFA_RUNTIME),
        None => {
            // By this address tools see that no frame of the runtime lies between the two.
            let end = caller.stack_pointer();
            if outer.enter.load(Ordering::Relaxed) != 0 {
                outer.enter.store(end, Ordering::Relaxed);
            }
            (end, Frame::CFA_APPLICATION)
        }
    };
    frame.exit_flags.store(flags, Ordering::Relaxed);
    frame.exit.store(exit, Ordering::Relaxed);
}

/// Notes that the program has left the code of the task.
#[inline]
pub fn ran_in_line(task: &TaskTool) {
    if task.frame.exit.load(Ordering::Relaxed) != 0 {
        left_line(&task.frame);
    }
}

#[cold]
fn left_line(frame: &Frame) {
    frame.exit.store(0, Ordering::Relaxed);
    frame.exit_flags.store(Frame::CFA_RUNTIME, Ordering::Relaxed);
}

/// Does what [`ran_in_line`] does, for the code of a region.
#[inline]
pub fn ran_region_in_line(thread: &Thread) {
    let task = &thread.task().tool;
    let exit = task.frame.exit.load(Ordering::Relaxed);
    if exit != 0 {
        thread.slot().left.store(exit, Ordering::Relaxed);
        left_line(&task.frame);
    }
}

/// Notes that the calling thread's implicit task has left the program's code for good. For tools of
/// 2013 the exit frame stays, and the enter frame gets the same address. So these tools see that no
/// frame of the program's lies below it.
#[inline]
pub(crate) fn has_left(thread: &Thread) {
    if frames::keep_exits() {
        keep_frames(&thread.task().tool, thread.slot().left.load(Ordering::Relaxed));
    }
}

#[cold]
fn keep_frames(task: &TaskTool, both: u64) {
    task.frame.exit.store(both, Ordering::Relaxed);
    task.frame.enter.store(both, Ordering::Relaxed);
}

/// Returns the enter frame of a task that leaves for the runtime at `caller`, 0 if unknown.
#[inline]
pub(crate) fn entered(caller: Caller) -> u64 {
    let own = if frames::are_callers() { caller.frame_pointer() } else { None };
    own.unwrap_or_else(|| caller.border())
}
