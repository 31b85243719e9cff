//! Threads.

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Native, memory, thread};

use crate::{HANDLES, code, hand_out_all, name, number, state};

fn is_lwp(kind: ompd_osthread_kind_t) -> Answer<bool> {
    match kind {
        ompd_osthread_pthread => Ok(false),
        ompd_osthread_lwp => Ok(true),
        _ => Err(Code::Unsupported),
    }
}

/// All OpenMP threads of a process.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_threads(
    handle: *mut ompd_address_space_handle_t,
    thread_handle_vector: *mut *mut *mut ompd_thread_handle_t,
    num_handles: *mut c_int,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let space = HANDLES.held(Kind::Space, handle)?.space;
        let all = thread::all(&space)?;
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(space.debugger(), all, thread_handle_vector, num_handles) }
    };
    code(answer())
}

/// The threads of a region, by their numbers in it.
///
/// # Safety
/// As [`ompd_get_threads`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_handle_vector: *mut *mut *mut ompd_thread_handle_t,
    num_handles: *mut c_int,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let region = HANDLES.held(Kind::Parallel, parallel_handle)?;
        let all = region.members(Held::thread_in)?;
        let debugger = region.space.debugger();
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(debugger, all, thread_handle_vector, num_handles) }
    };
    code(answer())
}

/// The primary thread of a region.
///
/// # Safety
/// `thread_handle` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_master_thread_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_handle: *mut *mut ompd_thread_handle_t,
) -> ompd_rc_t {
    let answer = || HANDLES.held(Kind::Parallel, parallel_handle)?.thread_in(0);
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(thread_handle, answer) })
}

omphalos_ompd_answers::given_back!(
    Thread ompd_thread_handle_t: ompd_release_thread_handle(thread_handle),
    ompd_thread_handle_compare(thread_handle_1, thread_handle_2)
);

/// A text that is the same for the same thread.
///
/// # Safety
/// `string_id` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_handle_string_id(
    thread_handle: *mut ompd_thread_handle_t,
    string_id: *mut *mut c_char,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { name(Kind::Thread, thread_handle, string_id) }
}

/// `omp_get_thread_num` of a thread.
///
/// # Safety
/// `val` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_num(
    thread_handle: *const ompd_thread_handle_t,
    val: *mut ompd_tword_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number(Kind::Thread, thread_handle, val, |thread| Ok(thread.thread_num()?.into())) }
}

/// `omp_get_max_active_levels` of what a thread executes.
///
/// # Safety
/// As [`ompd_get_thread_num`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_max_active_levels(
    thread_handle: *const ompd_thread_handle_t,
    val: *mut ompd_tword_t,
) -> ompd_rc_t {
    let ask = |thread: &Held| thread.number("max-active-levels-var");
    // SAFETY: the caller's promise.
    unsafe { number(Kind::Thread, thread_handle, val, ask) }
}

/// The OpenMP thread of a native one; unavailable if the native thread is not OpenMP's.
///
/// # Safety
/// `osthread` points to so many bytes; `thread_handle` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_handle(
    handle: *mut ompd_address_space_handle_t,
    kind: ompd_osthread_kind_t,
    sizeof_osthread: ompd_size_t,
    osthread: *const c_void,
    thread_handle: *mut *mut ompd_thread_handle_t,
) -> ompd_rc_t {
    let answer = || -> Answer<Held> {
        let space = HANDLES.held(Kind::Space, handle)?.space;
        // SAFETY: the caller's promise.
        let native = unsafe { Native::read(is_lwp(kind)?, sizeof_osthread, osthread.cast()) }?;
        thread::by_native(&space, native)
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(thread_handle, answer) })
}

/// What the C library or the kernel calls the thread.
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
        let thread = HANDLES.held(Kind::Thread, thread_handle)?;
        let native = thread.native(is_lwp(kind)?)?;
        // SAFETY: the caller's promise.
        unsafe { native.write(sizeof_osthread, osthread.cast()) }
    };
    code(answer())
}

/// The thread's state, and the id of what it waits for; the id may be left out.
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
        let thread = HANDLES.held(Kind::Thread, thread_handle)?;
        memory::wanted(state)?;
        let (found, id) = thread.state()?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(state, state::of(found))?;
            if wait_id.is_null() { Ok(()) } else { memory::put(wait_id, id) }
        }
    };
    code(answer())
}
