//! `__kmpc_fork_call`, and the calls that belong to it.

use crate::routines::error::{place, report, text};
use crate::shared::location::Ident;
use crate::shared::region::{BY_PROGRAM, BY_RUNTIME};
use core::ffi::{c_char, c_void};
use omphalos_engine::team::{self, Demands, Region};
use omphalos_engine::{Call, Caller, Thread, Unwatched, Work, caller, hooks};
use omphalos_settings::settings;
use omphalos_sys::fp_control::FpControl;

omphalos_sys::variadic_entry! {
    /// A parallel region (`fork`).
    __kmpc_fork_call => fork::<Unwatched>, fork::<Caller>;
}

unsafe extern "C" fn fork<C: Call>(
    _location: *const Ident,
    argc: i32,
    outlined: *const c_void,
    args: *const *mut c_void,
    call: C,
) {
    let work = Work::microtask(outlined, argc.max(0) as usize, args);
    // SAFETY: LLVM's code passes a function for exactly these arguments.
    unsafe { team::run(call.thread(), &region(work, false, call)) };
}

/// Returns the control words with which the threads of a construct begin: the calling thread's, if
/// the settings ask for that.
#[inline(always)]
pub(super) fn fp_control() -> FpControl {
    if settings().inherits_fp_control { FpControl::of_caller() } else { FpControl::NONE }
}

fn region<C: Call>(work: Work, serial: bool, caller: C) -> Region<'static, C> {
    let bind = caller.thread().pushed_bind.get();
    let fp_control = fp_control();
    let flags = BY_RUNTIME;
    Region { work, threads: 0, serial, bind, caller, fp_control, flags, prepare: None }
}

unsafe extern "C" fn fork_if<C: Call>(
    _location: *const Ident,
    argc: i32,
    outlined: *const c_void,
    condition: i32,
    argument: *mut c_void,
) {
    let call = C::here();
    let args = [argument];
    let argc = (argc.max(0) as usize).min(args.len());
    let work = Work::microtask(outlined, argc, args.as_ptr());
    // SAFETY: LLVM's code passes a function for exactly this argument.
    unsafe { team::run(call.thread(), &region(work, condition == 0, call)) };
}

unsafe extern "C" fn serialized_parallel<C: Call>(_location: *const Ident, _gtid: i32, call: C) {
    let mut region = region(Work::NONE, true, call);
    region.flags = BY_PROGRAM;
    let thread = call.thread();
    let outer = thread.task();
    team::begin(thread, &region);
    if call.may_be_watched() {
        // The program itself executes the region: user code begins in the frame that called.
        hooks::runs_in_line(&outer.tool, &thread.task().tool, call.caller());
    }
}

unsafe extern "C" fn end_serialized_parallel<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    call: C,
) {
    let thread = call.thread();
    hooks::ran_region_in_line(thread);
    team::end(thread, BY_PROGRAM, call);
}

omphalos_sys::quick_noted_entries! {
    /// `parallel if(condition)`; the outlined function takes `argument` if `argc` is not 0.
    __kmpc_fork_call_if => fork_if::<Unwatched>, fork_if::<Caller>;
}

omphalos_sys::quick_entries! {
    /// Begins a region of one thread; the caller runs it itself.
    __kmpc_serialized_parallel(location, gtid) =>
        serialized_parallel::<Unwatched>, serialized_parallel::<Caller>;
    /// Ends a region that `__kmpc_serialized_parallel` began.
    __kmpc_end_serialized_parallel(location, gtid) =>
        end_serialized_parallel::<Unwatched>, end_serialized_parallel::<Caller>;
}

omphalos_sys::exported_routines! {
    /// Notes the `num_threads` clause for the next region of the calling thread.
    __kmpc_push_num_threads(_location: *const Ident, _gtid: i32, threads: i32) = {
        if threads > 0 {
            Thread::current().note_threads(threads as u32);
        }
    };
}

/// A `strict` clause: the returned function is called if a team has fewer threads than asked for.
/// Severity 1 warns, any other ends the program.
fn strict(
    location: *const Ident,
    severity: i32,
    message: *const c_char,
    caller: Caller,
) -> Option<Box<dyn FnOnce(u32, u32)>> {
    Some(Box::new(move |wanted, got| {
        // SAFETY: LLVM's code passes a valid location and a message that is null or a constant.
        let (place, mut text) = unsafe { (place(location.cast()), text(message)) };
        if text.is_empty() {
            text = format!("{got} threads instead of the {wanted} of a strict num_threads clause");
        }
        report(&text, severity != 1, Some(&place), caller);
    }))
}

/// Notes a clause: its first number for the next region, the others for those nested inside.
fn push(numbers: &[i32], unmet: Option<Box<dyn FnOnce(u32, u32)>>) {
    let thread = Thread::current();
    let mut numbers = numbers.iter().map(|&number| number.max(0) as u32);
    let threads = numbers.next().unwrap_or(0);
    if threads > 0 {
        thread.note_threads(threads);
    }
    let nested: Vec<u32> = numbers.map(|number| number.max(1)).collect();
    let deeper = omphalos_settings::levels(&nested);
    thread.demand(Some(Demands { threads, deeper, unmet }));
}

/// # Safety
/// `numbers` is valid for `count` reads.
unsafe fn list<'a>(count: u32, numbers: *const i32) -> &'a [i32] {
    if numbers.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(numbers, count as usize) }
}

unsafe extern "C" fn push_strict(
    location: *const Ident,
    _gtid: i32,
    threads: i32,
    severity: i32,
    message: *const c_char,
) {
    let caller = caller();
    push(&[threads], strict(location, severity, message, caller));
}

unsafe extern "C" fn push_list(
    _location: *const Ident,
    _gtid: i32,
    count: u32,
    numbers: *const i32,
) {
    // SAFETY: LLVM's code passes `count` numbers.
    push(unsafe { list(count, numbers) }, None);
}

unsafe extern "C" fn push_list_strict(
    location: *const Ident,
    _gtid: i32,
    count: u32,
    numbers: *const i32,
    severity: i32,
    message: *const c_char,
) {
    let caller = caller();
    // SAFETY: LLVM's code passes `count` numbers.
    push(unsafe { list(count, numbers) }, strict(location, severity, message, caller));
}

omphalos_sys::entries! {
    /// `num_threads(strict: threads)`: as `__kmpc_push_num_threads`, and a smaller team is an error
    /// of this severity.
    __kmpc_push_num_threads_strict => push_strict;
    /// `num_threads` with a list: the next region's number and those of the regions nested inside.
    __kmpc_push_num_threads_list => push_list;
    /// `num_threads(strict: list)`: as the two above together.
    __kmpc_push_num_threads_list_strict => push_list_strict;
}

omphalos_sys::exported_routines! {
    /// Nothing to do: a region uses its own clause up.
    __kmpc_pop_num_threads(_location: *const Ident, _gtid: i32) = ();
    /// Notes the `proc_bind` clause for the next region of the calling thread.
    __kmpc_push_proc_bind(_location: *const Ident, _gtid: i32, bind: i32)
        = Thread::current().note_bind(bind);
    /// Whether a region may be forked here: always.
    __kmpc_ok_to_fork(_location: *const Ident) -> i32 = 1;
}
