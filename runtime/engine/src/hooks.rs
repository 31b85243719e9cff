//! Hooks: here the engine tells the tools about threads, regions and leagues.
//!
//! Most functions stay out of line: only programs with a tool run them. Their callers, or the first
//! line of the function, ask whether a tool wants the event: one load and one branch.

use crate::records::{Team, Thread, Work};
use core::sync::atomic::Ordering;
use omphalos_events::{
    Endpoint, Event, Frame, Identity, Kind, TaskFlags, TaskTool, ThreadKind, dispatch, dispatch_to,
    frames, tell_tools, wants,
};
use omphalos_sys::entry::Caller;

/// `ompt_parallel_team`.
const PARALLEL_TEAM: u32 = 0x8000_0000;

/// Gives names to an initial thread and its initial task, if a tool is attached or may start now:
/// its initializer asks for the names. Returns whether it did.
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

/// An initial thread begins, with its initial task. Both have names already.
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

/// The end of an initial thread.
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

/// A thread became an OpenMP thread.
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

/// A worker begins or ends its wait for a region. Tools to which it has said farewell
/// (`threads::ending`) are told nothing: they know its end already.
#[inline(always)]
pub(crate) fn idle(thread: &'static Thread, endpoint: Endpoint) {
    if wants(Kind::Idle) {
        let others = !thread.farewells.load(Ordering::Relaxed);
        dispatch_to(others, &Event::Idle { thread: &thread.identity, endpoint });
    }
}

/// A region begins; on the encountering thread, still in the encountering task.
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

/// A region has ended; back in the encountering task.
#[cold]
pub(crate) fn parallel_end(thread: &'static Thread, team: &Team, flags: u32) {
    let task = thread.task();
    tell_tools::parallel_end(&task.tool, &team.identity, flags | PARALLEL_TEAM, team.codeptr.get());
    task.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// `ompt_parallel_league`, and that the runtime calls the region's code.
const LEAGUE: u32 = 0x4000_0000 | 2;

/// A league begins, whose teams will be `league`. The thread is still in the encountering task.
#[cold]
pub(crate) fn league_begin(thread: &'static Thread, league: &Team, teams: u32, caller: Caller) {
    let task = thread.task();
    league.identity.renew(thread.unique_id());
    task.tool.frame.enter.store(entered(caller), Ordering::Relaxed);
    tell_tools::parallel_begin(&task.tool, &league.identity, teams, LEAGUE, || 0, caller.address());
}

/// A league has ended. The thread is back in the encountering task.
#[cold]
pub(crate) fn league_end(thread: &'static Thread, league: &Team, caller: Caller) {
    let task = thread.task();
    tell_tools::parallel_end(&task.tool, &league.identity, LEAGUE, caller.address());
    task.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// The calling thread's initial task of team `number` in a league of `teams` begins or ends.
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

/// The initial task of a `target` region begins or ends on the calling thread, inside an implicit
/// region that no construct began.
#[cold]
pub(crate) fn target_task(thread: &'static Thread, endpoint: Endpoint) {
    if endpoint == Endpoint::Begin {
        thread.team().identity.renew(thread.unique_id() | Identity::INITIAL_REGION);
    }
    initial_task(thread, endpoint, 1, 1);
}

/// The initial task on which a free-agent thread executes other tasks begins or ends. Only tools
/// see it.
#[cold]
pub(crate) fn agent_task(thread: &'static Thread, endpoint: Endpoint) {
    target_task(thread, endpoint);
}

/// The region of one thread that each team of a league is, to tools, begins. The thread is still in
/// the team's initial task.
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

/// The region that `inner_begin` told of has ended. The thread is back in the initial task.
#[cold]
pub(crate) fn inner_end(thread: &'static Thread, inner: &Team) {
    parallel_end(thread, inner, 2);
}

/// The calling thread's implicit task begins.
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

/// The calling thread's implicit task ends.
#[cold]
#[inline(never)]
pub(crate) fn implicit_task_ends(thread: &'static Thread) {
    implicit_task(thread, Endpoint::End);
    // Until the next region begins here, an inquiry finds this record: with no ended task's word.
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

/// The program itself goes on with the code of `task`, which was made in `outer`; the runtime does
/// not call that code. So user code begins in the frame that called the runtime. A program with
/// frame pointers is shown that frame, as other runtimes show it. A program without them is shown
/// the frame's end, which belongs to the program.
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

/// The program has left the code of the task.
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

/// As [`ran_in_line`], of the code of a region.
#[inline]
pub fn ran_region_in_line(thread: &Thread) {
    let task = &thread.task().tool;
    let exit = task.frame.exit.load(Ordering::Relaxed);
    if exit != 0 {
        thread.slot().left.store(exit, Ordering::Relaxed);
        left_line(&task.frame);
    }
}

/// The calling thread's implicit task has left the program's code for good. For tools of 2013 the
/// exit frame stays. By the enter frame at the same place they see that no frame of the program's
/// lies below it.
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

/// The enter frame of a task that `caller` leaves for the runtime, 0 if unknown.
#[inline]
pub(crate) fn entered(caller: Caller) -> u64 {
    let own = if frames::are_callers() { caller.frame_pointer() } else { None };
    own.unwrap_or_else(|| caller.border())
}
