//! Threads.

use core::ffi::c_int;

use omphalos_abi::earlier::ompd2013::*;
use omphalos_abi::earlier::ompt2013::ompt_state_t;
use omphalos_ompd_answers::memory::Places;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Native, thread};

use crate::{HANDLES, code, debugger, held, state, tell_all};

omphalos_ompd_answers::answered! {
    /// All OpenMP threads.
    ompd_get_threads(
        context: *mut ompd_context_t, thread_handle_array: *mut *mut ompd_thread_handle_t;
        num_handles: c_int
    ) = {
        let all = thread::all(&debugger::process(context)?);
        // SAFETY: the caller's promise.
        unsafe { tell_all(context, all, thread_handle_array) }
    };
    /// The threads of a region, by their numbers in it.
    ompd_get_thread_in_parallel(
        {context: *mut ompd_context_t} [Parallel] parallel_handle: ompd_parallel_handle_t,
        thread_handle_array: *mut *mut ompd_thread_handle_t; num_handles: c_int
    ) = {
        let all = parallel_handle.members(Held::thread_in);
        // SAFETY: the caller's promise.
        unsafe { tell_all(context, all, thread_handle_array) }
    };
    /// The OpenMP thread of a native one; unavailable if the native thread is not OpenMP's.
    ompd_get_thread_handle(
        context: *mut ompd_context_t, os_thread: *mut ompd_osthread_t;
        thread_handle: ompd_thread_handle_t
    ) = {
        let space = debugger::process(context)?;
        os_thread.wanted()?;
        // SAFETY: the caller's promise.
        let asked = unsafe { os_thread.read_unaligned() };
        let native = match asked.kind {
            ompd_osthread_pthread => Native::Pthread(asked.data as u64),
            ompd_osthread_lwp => Native::Lwp(asked.data as u64),
            _ => return Err(Code::Unsupported),
        };
        HANDLES.constant(thread::by_native(&space, native)?)
    };
}

/// The C library's name for the thread, or the kernel's number if `os_thread` asks for that kind.
///
/// # Safety
/// `os_thread` is null or points to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_osthread(
    context: *mut ompd_context_t,
    thread_handle: ompd_thread_handle_t,
    os_thread: *mut ompd_osthread_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(context, Kind::Thread, thread_handle)?;
        os_thread.wanted()?;
        // SAFETY: the caller's promise.
        let is_lwp = unsafe { os_thread.read_unaligned() }.kind == ompd_osthread_lwp;
        let (kind, data) = match thread.native(is_lwp)? {
            Native::Lwp(lwp) => (ompd_osthread_lwp, lwp as i64),
            Native::Pthread(pthread) => (ompd_osthread_pthread, pthread as i64),
        };
        // SAFETY: the caller's promise.
        unsafe { os_thread.put(ompd_osthread_t { kind, data }) }
    };
    code(answer())
}

/// The thread's state, and the id of the object that it waits for. `wait_id` may be null.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_state(
    context: *mut ompd_context_t,
    thread_handle: ompd_thread_handle_t,
    state: *mut ompt_state_t,
    wait_id: *mut u64,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(context, Kind::Thread, thread_handle)?;
        state.wanted()?;
        let (found, id) = thread.state()?;
        // SAFETY: the caller's promise.
        unsafe {
            if !wait_id.is_null() {
                wait_id.put(id)?;
            }
            state.put(state::of(found))
        }
    };
    code(answer())
}
