//! `GOMP_task`. The files of this folder have the rest of tasking in GCC's interface.

mod at_once;
mod dependences;
mod make;
mod reductions;
mod split;
mod taskloop;
mod waiting;

pub use waiting::wait_on;

use core::ffi::{c_int, c_long, c_uint, c_void};
use core::mem::offset_of;
use make::{plain, rare};
use omphalos_engine::tasks::{self, Spec, Traits};
use omphalos_engine::{Caller, Thread, caller};
use omphalos_events::TaskFlags;
use omphalos_sys::entry::stack_arguments;

/// A task's body.
pub type Body = Option<unsafe extern "C" fn(*mut c_void)>;
/// Copies a task's data: `copy(to, from)`.
pub type Copy = Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>;

/// Bits of the `flags` argument (libgomp, `gomp-constants.h`).
pub struct Flag;
#[allow(missing_docs)]
impl Flag {
    pub const UNTIED: c_uint = 1;
    pub const FINAL: c_uint = 1 << 1;
    pub const MERGEABLE: c_uint = 1 << 2;
    pub const DEPEND: c_uint = 1 << 3;
    pub const PRIORITY: c_uint = 1 << 4;
    pub const UP: c_uint = 1 << 8;
    pub const GRAINSIZE: c_uint = 1 << 9;
    pub const IF: c_uint = 1 << 10;
    pub const NOGROUP: c_uint = 1 << 11;
    pub const REDUCTION: c_uint = 1 << 12;
    pub const DETACH: c_uint = 1 << 13;
    pub const STRICT: c_uint = 1 << 14;
}

/// Returns GCC's flags as bits of `ompt_task_flag_t`: the same three, at higher positions.
#[inline(always)]
fn ompt_flags(flags: c_uint) -> u32 {
    const UP: u32 = 28;
    const _: () = assert!(Flag::UNTIED << UP == TaskFlags::UNTIED);
    const _: () = assert!(Flag::FINAL << UP == TaskFlags::FINAL);
    const _: () = assert!(Flag::MERGEABLE << UP == TaskFlags::MERGEABLE);
    (flags & (Flag::UNTIED | Flag::FINAL | Flag::MERGEABLE)) << UP
}

/// Returns the flags, besides "explicit", that tools are told of a task that is executed at once.
#[inline(always)]
fn shown_flags(thread: &Thread, flags: c_uint, if_clause: bool) -> u32 {
    let included = !if_clause || tasks::includes(thread);
    ompt_flags(flags) | if included { TaskFlags::UNDEFERRED } else { 0 }
}

/// Makes a task, while no tool is attached.
///
/// The shortest task, which is executed at once, ends here: this function calls its body by a jump,
/// and notes whether the entry stub may do the same for the next tasks. All other tasks go to
/// `any_task`, which reads the arguments on the stack itself.
unsafe extern "C" fn task(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    if_clause: bool,
    flags: c_uint,
) {
    if flags & !(PLAIN | Flag::DEPEND | Flag::FINAL) == 0
        && copy.is_none()
        && let Some(function) = body
        && let Some(thread) = Thread::known()
    {
        if if_clause && !tasks::all_go_first(thread) {
            // SAFETY: the same arguments.
            return unsafe { task_of_many(body, data, copy, size, align, if_clause) };
        }
        if let Some(prepared) = prepared(thread, flags) {
            // SAFETY: GCC's code passes a body and the data that it takes.
            return unsafe { tasks::call_unseen(thread, function, data, prepared) };
        }
    }
    // SAFETY: the same arguments.
    unsafe { any_task(body, data, copy, size, align, if_clause) }
}

/// Returns the record on which a task with these flags may be executed unseen, if it may.
#[inline(always)]
fn prepared(thread: &Thread, flags: c_uint) -> Option<&'static tasks::Task> {
    tasks::prepared(thread).filter(|_| flags & !PLAIN == 0 || is_plain_here(thread, flags))
}

/// As [`task`], for a task that may have to be queued. A function of its own, so that [`task`]
/// saves no registers.
#[inline(never)]
unsafe extern "C" fn task_of_many(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    if_clause: bool,
) {
    // SAFETY: the entry stub noted where the arguments stand; there are flags among them.
    let flags = unsafe { (&raw const (*stack_arguments().cast::<OnStack>()).flags).read() };
    if let Some(function) = body
        && let Some(thread) = Thread::known()
        // SAFETY: the stub of a task with these flags came here.
        && unsafe { goes_first(thread, flags) }
        && let Some(prepared) = prepared(thread, flags)
    {
        // SAFETY: GCC's code passes a body and the data that it takes.
        return unsafe { tasks::call_unseen(thread, function, data, prepared) };
    }
    // SAFETY: the same arguments.
    unsafe { any_task(body, data, copy, size, align, if_clause) }
}

/// As [`task`] while a tool is attached. A function of its own, so that its shortest way saves no
/// registers.
unsafe extern "C" fn watched_task(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    if_clause: bool,
    flags: c_uint,
) {
    if flags & !PLAIN == 0
        && copy.is_none()
        && let Some(body) = body
        && let Some(thread) = Thread::known()
        && (tasks::still_goes_first(thread) || !if_clause)
        && tasks::may_prepare()
    {
        // SAFETY: GCC's code passes a body and the data that it takes.
        return unsafe { watched_first(thread, body, data, flags, if_clause) };
    }
    // SAFETY: the same arguments.
    unsafe { any_task(body, data, copy, size, align, if_clause) }
}

/// Executes a task at once on a prepared record, while a tool is attached. A function of its own,
/// so that [`watched_task`] saves no registers.
///
/// # Safety
/// GCC's code passes a body and the data that it takes.
#[inline(never)]
unsafe fn watched_first(
    thread: &'static Thread,
    body: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
    flags: c_uint,
    if_clause: bool,
) {
    let caller = caller();
    // SAFETY: the caller's promise.
    unsafe {
        match tasks::counted(thread, caller) {
            Some(task) => tasks::call_counted(thread, body, data, task),
            None => {
                let flags = shown_flags(thread, flags, if_clause);
                tasks::call_shown(thread, body, data, flags, caller);
            }
        }
    }
}

/// Whether a task is executed at once because enough tasks of its priority are queued.
///
/// # Safety
/// Called behind the entry stub of a task with these flags.
#[inline(always)]
unsafe fn goes_first(thread: &Thread, flags: c_uint) -> bool {
    let priority = if flags & Flag::PRIORITY == 0 {
        0
    } else {
        // SAFETY: the entry stub noted the address of the arguments; the flags say that the
        // priority is there.
        unsafe { (*stack_arguments().cast::<OnStack>()).priority }
    };
    tasks::goes_first(thread, priority)
}

/// Whether the other flags change nothing either. A `final` task in a final task is final anyway,
/// and a task with dependences may have no predecessor.
#[inline(always)]
fn is_plain_here(thread: &Thread, flags: c_uint) -> bool {
    (flags & Flag::FINAL == 0 || tasks::includes(thread))
        && (flags & Flag::DEPEND == 0 || tasks::is_first_dependent(thread))
}

/// Flags that change nothing for a task that is executed at once.
const PLAIN: c_uint = Flag::UNTIED | Flag::MERGEABLE | Flag::PRIORITY;

/// The arguments that [`task`] finds on the stack, above the return address. Older code passes
/// fewer; the flags say which arguments are there.
#[repr(C)]
struct OnStack {
    flags: c_uint,
    depend: *const *mut c_void,
    priority: c_int,
    detach: *mut c_void,
}

#[inline(never)]
unsafe extern "C" fn any_task(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    if_clause: bool,
) {
    // Only tools ask for the caller. A tool that attaches at this moment is not told of it.
    let watched = omphalos_events::active();
    let caller = if watched { caller() } else { Caller::NONE };
    // SAFETY: the entry stub noted the address of the arguments. Code of this interface passes the
    // flags, and the arguments that they name.
    let (flags, depend, priority, detach) = unsafe {
        let more = stack_arguments().cast::<OnStack>();
        let flags = (&raw const (*more).flags).read();
        let has = |flag| flags & flag != 0;
        (
            flags,
            if has(Flag::DEPEND) { (*more).depend } else { core::ptr::null() },
            if has(Flag::PRIORITY) { (*more).priority } else { 0 },
            if has(Flag::DETACH) { (*more).detach } else { core::ptr::null_mut() },
        )
    };
    let code = body.map_or(core::ptr::null(), |f| f as *const c_void);
    let thread = Thread::current();
    let spec = Spec { code, flags: ompt_flags(flags), traits: traits(copy), priority };
    // SAFETY: GCC's code passes the arguments that the flags name.
    unsafe {
        if let Some(body) = body
            && flags & !(PLAIN | Flag::DEPEND | Flag::FINAL) == 0
            && (copy.is_none() || at_once::has_room(size as usize, align as usize))
            && is_plain_here(thread, flags)
            && (!if_clause || first(thread, priority, watched, copy))
            && tasks::may_prepare()
            && (flags & Flag::DEPEND == 0 || !watched)
        {
            let (how, watched) = ((flags, if_clause), watched.then_some(caller));
            match copy {
                None => at_once::run(thread, body, data, how, watched),
                Some(copy) => at_once::run_on_copy(thread, body, data, copy, how, watched),
            }
        } else if depend.is_null() && detach.is_null() {
            plain(thread, spec, data, copy, (size, align), if_clause, caller);
        } else {
            rare(thread, spec, data, copy, (size, align), if_clause, depend, detach, caller);
        }
    }
}

/// Whether a task is executed at once although its construct does not ask for that.
#[inline(always)]
fn first(thread: &Thread, priority: c_int, watched: bool, copy: Copy) -> bool {
    // `goes_first` also records for how many more tasks its answer holds. Without a copy, and
    // without a tool, the entry stub has asked already.
    if copy.is_some() {
        tasks::still_goes_first(thread) || tasks::goes_first(thread, priority)
    } else if watched {
        tasks::goes_first(thread, priority)
    } else {
        !tasks::may_queue(thread, priority)
    }
}

/// Returns the traits that follow from the copy function of a task's data.
#[inline(always)]
pub(super) fn traits(copy: Copy) -> u32 {
    if copy.is_some() { Traits::COPIED } else { 0 }
}

omphalos_sys::exported_routines! {
    /// Fulfils a task's event. Both interfaces call it.
    omp_fulfill_event(event: usize) = tasks::fulfil(event);
    /// The Fortran name of [`omp_fulfill_event`]; its argument has the VALUE attribute.
    omp_fulfill_event_(event: usize) = tasks::fulfil(event);
}

omphalos_sys::entry_of_task! {
    /// Makes a task (GOMP_2.0).
    GOMP_task => tasks::call_unseen, watched_task, task;
    attached: omphalos_events::MASK,
    prepared: offset_of!(Thread, tasks.prepared),
    ready: offset_of!(Thread, tasks.ready),
    plain: PLAIN
}
