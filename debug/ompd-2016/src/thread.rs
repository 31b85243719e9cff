//! Threads.

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::memory::Places;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Native, thread};

use crate::{HANDLES, code, hand_out_all, held, name, state};

fn is_lwp(kind: ompd_osthread_kind_t) -> Answer<bool> {
    match kind {
        ompd_osthread_pthread => Ok(false),
        ompd_osthread_lwp => Ok(true),
        _ => Err(Code::Unsupported),
    }
}

omphalos_ompd_answers::answered! {
    /// All OpenMP threads of a process.
    ompd_get_threads(
        [Space] handle: *mut ompd_address_space_handle_t,
        thread_handle_vector: *mut *mut *mut ompd_thread_handle_t; num_handles: c_int
    ) = {
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(&handle, thread::all(&handle.space), thread_handle_vector) }
    };
    /// The threads of a region, by their numbers in it.
    ompd_get_thread_in_parallel(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t,
        thread_handle_vector: *mut *mut *mut ompd_thread_handle_t; num_handles: c_int
    ) = {
        let all = parallel_handle.members(Held::thread_in);
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(&parallel_handle, all, thread_handle_vector) }
    };
    /// The primary thread of a region.
    ompd_get_master_thread_in_parallel(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t;
        thread_handle: *mut ompd_thread_handle_t
    ) = HANDLES.handle(parallel_handle.thread_in(0));
    /// A text that is the same for the same thread.
    ompd_get_thread_handle_string_id(
        [Thread] thread_handle: *mut ompd_thread_handle_t; string_id: *mut c_char
    ) = name(&thread_handle);
    /// `omp_get_thread_num` of a thread.
    ompd_get_thread_num([Thread] thread_handle: *const ompd_thread_handle_t; val: ompd_tword_t)
        = thread_handle.thread_num().map(Into::into);
    /// `omp_get_max_active_levels` in the task that a thread executes.
    ompd_get_max_active_levels(
        [Thread] thread_handle: *const ompd_thread_handle_t; val: ompd_tword_t
    ) = thread_handle.number("max-active-levels-var");
    /// The OpenMP thread of a native thread, whose id has `sizeof_osthread` bytes; unavailable if
    /// the native thread is not OpenMP's.
    ompd_get_thread_handle(
        [Space] handle: *mut ompd_address_space_handle_t,
        kind: ompd_osthread_kind_t, sizeof_osthread: ompd_size_t, osthread: *const c_void;
        thread_handle: *mut ompd_thread_handle_t
    ) = {
        // SAFETY: the caller's promise.
        let native = unsafe { Native::read(is_lwp(kind)?, sizeof_osthread, osthread.cast()) }?;
        HANDLES.handle(thread::by_native(&handle.space, native))
    };
}

omphalos_ompd_answers::given_back!(
    Thread ompd_thread_handle_t: ompd_release_thread_handle(thread_handle),
    ompd_thread_handle_compare(thread_handle_1, thread_handle_2)
);

/// The C library's or the kernel's name for the thread.
///
/// # Safety
/// `osthread` is null or points to so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_osthread(
    thread_handle: *mut ompd_thread_handle_t,
    kind: ompd_osthread_kind_t,
    sizeof_osthread: ompd_size_t,
    osthread: *mut c_void,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(Kind::Thread, thread_handle)?;
        let native = thread.native(is_lwp(kind)?)?;
        // SAFETY: the caller's promise.
        unsafe { native.write(sizeof_osthread, osthread.cast()) }
    };
    code(answer())
}

/// The thread's state, and the id of the object that it waits for. `wait_id` may be null.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_state(
    thread_handle: *mut ompd_thread_handle_t,
    state: *mut ompd_state_t,
    wait_id: *mut ompd_wait_id_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(Kind::Thread, thread_handle)?;
        state.wanted()?;
        let (found, id) = thread.state()?;
        // SAFETY: the caller's promise.
        unsafe {
            state.put(state::of(found))?;
            if wait_id.is_null() { Ok(()) } else { wait_id.put(id) }
        }
    };
    code(answer())
}
