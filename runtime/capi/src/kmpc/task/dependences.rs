//! Dependences in LLVM's interface: `kmp_depend_info_t`.

use super::layout::AllocFlags;
use super::{ELSEWHERE, elsewhere_traits, graph, spawn_elsewhere, spec};
use crate::shared::dependences::DependList;
use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::target::played::rests;
use omphalos_engine::tasks::{self, Depend, DependKind, Spec, Task, Traits};
use omphalos_engine::{Call, Caller, Thread, Unwatched, Watched, caller};
use omphalos_events::TaskFlags;

/// `kmp_depend_info_t`.
#[repr(C)]
pub struct DependInfo {
    address: usize,
    length: usize,
    /// 1 in, 2 out, 4 mutexinoutset, 8 inoutset, 0x80 all memory.
    flags: u8,
}

const _: () = assert!(core::mem::size_of::<DependInfo>() == 24);

/// The flag of `omp_all_memory`, which older compilers write as the address -1. The compilers do
/// not distinguish `out` from `inout` there. LLVM's runtime tells tools `out` for both.
const ALL_MEMORY: u8 = 0x80;

/// Reads two lists: one whose addresses may repeat, one whose addresses do not.
#[inline(always)]
unsafe fn read(list: &mut DependList, lists: [(i32, *const DependInfo); 2]) {
    for (count, infos) in lists {
        for at in 0..usize::try_from(count).unwrap_or(0) {
            if infos.is_null() {
                break;
            }
            // SAFETY: LLVM's code passes that many entries.
            let info = unsafe { &*infos.add(at) };
            let kind = match info.flags {
                flags if flags & ALL_MEMORY != 0 => DependKind::OutAll,
                _ if info.address == usize::MAX => DependKind::OutAll,
                flags if flags & 4 != 0 => DependKind::MutexInoutset,
                flags if flags & 8 != 0 => DependKind::Inoutset,
                flags if flags & 3 == 3 => DependKind::Inout,
                flags if flags & 2 != 0 => DependKind::Out,
                _ => DependKind::In,
            };
            list.push(if kind == DependKind::OutAll { 0 } else { info.address }, kind);
        }
    }
}

extern "C" fn empty(_gtid: i32, _task: *mut c_void) -> i32 {
    0
}

/// Makes a task with dependences, or with an empty list of them.
///
/// # Safety
/// The record's payload is a task structure, and filled.
pub unsafe fn make(
    thread: &'static Thread,
    task: &'static Task,
    list: &[Depend],
    caller: impl Call,
) {
    let (mut spec, data) = (spec(task), task.payload());
    if spec.code.is_null() {
        // `taskwait depend nowait` may be a task without a routine.
        spec.code = empty as *const c_void;
        spec.flags |= TaskFlags::TASKWAIT;
    }
    let flags = AllocFlags(task.flags.get());
    let elsewhere = flags.has(ELSEWHERE);
    let alone = list.is_empty() && spec.traits & Traits::TRANSPARENT == 0;
    // SAFETY: the caller's promise.
    unsafe {
        if alone && elsewhere {
            spawn_elsewhere(thread, task, spec, data, caller.caller());
        } else if alone {
            tasks::spawn_rarely(thread, task, spec, data, caller.caller());
        } else if elsewhere {
            make_rarely(thread, task, spec, list, caller.caller());
        } else {
            tasks::spawn_after_as(thread, task, spec, data, list, true, caller);
        }
    }
}

/// As [`make`], for a task that is seldom made: one with the flags [`ELSEWHERE`], or a transparent
/// one without dependences.
///
/// # Safety
/// As [`make`].
pub(super) unsafe fn make_rarely(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    list: &[Depend],
    caller: Caller,
) {
    let flags = AllocFlags(task.flags.get());
    if flags.has(ELSEWHERE) {
        spec.traits |= elsewhere_traits(thread, flags, spec.traits);
    }
    let is_left = flags.has(AllocFlags::HIDDEN_HELPER);
    let leaving = if is_left { rests::leaving() } else { None };
    // SAFETY: the caller's promise.
    unsafe { tasks::spawn_after(thread, task, spec, task.payload(), list, true, caller) };
    if let Some(leaving) = leaving {
        leaving.left(true);
    }
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn task_with_deps<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    count: i32,
    list: *const DependInfo,
    count_noalias: i32,
    list_noalias: *const DependInfo,
) -> i32 {
    let call = C::here();
    let thread = call.thread();
    // SAFETY: LLVM's code passes a task that `alloc` gave and two lists.
    unsafe {
        let task = Task::of_payload(task);
        let lists = [(count, list), (count_noalias, list_noalias)];
        let mut list = DependList::new();
        read(&mut list, lists);
        graph::made(thread, task, &list);
        make(thread, task, &list, call);
    }
    0
}

unsafe extern "C" fn wait_deps(
    _location: *const Ident,
    _gtid: i32,
    count: i32,
    list: *const DependInfo,
    count_noalias: i32,
    list_noalias: *const DependInfo,
) {
    // SAFETY: LLVM's code passes two lists.
    unsafe { wait_on([(count, list), (count_noalias, list_noalias)], caller()) };
}

/// Waits for the dependences in the lists.
///
/// # Safety
/// Each has as many elements as said.
pub unsafe fn wait_on(lists: [(i32, *const DependInfo); 2], caller: Caller) {
    let mut list = DependList::new();
    // SAFETY: the caller's promise.
    unsafe { read(&mut list, lists) };
    wait_and_note(&list, caller);
}

fn wait_and_note(list: &[Depend], caller: Caller) {
    let thread = Thread::current();
    graph::waited_for(list, false);
    tasks::wait_for(thread, list, caller);
    // This comes after the wait: during it, the thread may execute tasks that wait and note, too.
    tasks::note_wait(thread, list);
    if !list.is_empty() && omphalos_events::active() {
        graph::forget_waits();
    }
}

unsafe extern "C" fn taskwait_deps(
    _location: *const Ident,
    _gtid: i32,
    count: i32,
    list: *const DependInfo,
    count_noalias: i32,
    list_noalias: *const DependInfo,
    no_wait: i32,
) {
    let caller = caller();
    let lists = [(count, list), (count_noalias, list_noalias)];
    let mut list = DependList::new();
    // SAFETY: LLVM's code passes two lists.
    unsafe { read(&mut list, lists) };
    if no_wait != 0 {
        graph::waited_for(&list, true);
        tasks::spawn_empty(Thread::current(), &list, caller);
    } else {
        wait_and_note(&list, caller);
    }
}

omphalos_sys::exported_routines! {
    /// The node that stands for a task among its dependent siblings; null if it has none. It begins
    /// with the list that [`__kmpc_task_get_successors`] returns.
    __kmpc_task_get_depnode(task: *mut c_void) -> *const c_void
        = tasks::node_of(Task::of_payload(task));
    /// The nodes of the tasks that wait for a task: a list of entries, each a node and the next
    /// entry; null if no task waits.
    __kmpc_task_get_successors(task: *mut c_void) -> *const c_void
        = tasks::successors_of(Task::of_payload(task));
}

omphalos_sys::quick_noted_entries! {
    /// Makes a task with dependences; 0.
    __kmpc_omp_task_with_deps => task_with_deps::<Unwatched>, task_with_deps::<Watched>;
}

omphalos_sys::entries! {
    /// Waits for the dependences of an undeferred task.
    __kmpc_omp_wait_deps => wait_deps;
    /// `taskwait depend`, with or without `nowait` (LLVM 15 and later).
    __kmpc_omp_taskwait_deps_51 => taskwait_deps;
}
