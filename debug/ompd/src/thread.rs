//! Threads (OpenMP 6.0, section 41.3 and 41.7).

use core::ffi::{c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::memory::Places;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Native, thread};

use crate::{HANDLES, code, held};

/// Whether this kind of thread id is the kernel's number; unsupported for a kind that Linux lacks.
fn is_lwp(kind: ompd_thread_id_t) -> Answer<bool> {
    match kind {
        OMPD_THREAD_ID_PTHREAD => Ok(false),
        OMPD_THREAD_ID_LWP => Ok(true),
        _ => Err(Code::Unsupported),
    }
}

omphalos_ompd_answers::answered! {
    /// The thread with a number in a region.
    ompd_get_thread_in_parallel(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t, thread_num: c_int;
        thread_handle: *mut ompd_thread_handle_t
    ) = HANDLES.handle(parallel_handle.thread_in(thread_num));
    /// The OpenMP thread of a native thread, whose id has `sizeof_thread_id` bytes; unavailable if
    /// the native thread is not OpenMP's.
    ompd_get_thread_handle(
        [Space] handle: *mut ompd_address_space_handle_t,
        kind: ompd_thread_id_t, sizeof_thread_id: ompd_size_t, thread_id: *const c_void;
        thread_handle: *mut ompd_thread_handle_t
    ) = {
        // SAFETY: the caller's promise.
        let native = unsafe { Native::read(is_lwp(kind)?, sizeof_thread_id, thread_id.cast()) }?;
        HANDLES.handle(thread::by_native(&handle.space, native))
    };
    /// The device whose region the thread executes, or to which it belongs otherwise: the host, or
    /// a device that the host plays.
    ompd_get_device_from_thread(
        [Thread] thread_handle: *mut ompd_thread_handle_t; device: *mut ompd_address_space_handle_t
    ) = {
        let device = thread_handle.ask_runtime(|runtime, at| runtime.thread(at).device())?;
        let number = device.map_or_else(|| thread_handle.number_of_host(), Ok)?;
        HANDLES.handle(Ok(Held::device(thread_handle.space, number)))
    };
}

omphalos_ompd_answers::given_back!(
    Thread ompd_thread_handle_t: ompd_rel_thread_handle(thread_handle),
    ompd_thread_handle_compare(thread_handle_1, thread_handle_2)
);

/// The C library's or the kernel's name for the thread.
///
/// # Safety
/// `thread_id` is null or points to `sizeof_thread_id` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_id(
    thread_handle: *mut ompd_thread_handle_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *mut c_void,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(Kind::Thread, thread_handle)?;
        let is_lwp = is_lwp(kind)?;
        thread_id.wanted()?;
        let native = thread.native(is_lwp)?;
        // SAFETY: the caller's promise.
        unsafe { native.write(sizeof_thread_id, thread_id.cast()) }
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
    state: *mut ompd_word_t,
    wait_id: *mut ompd_wait_id_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = held(Kind::Thread, thread_handle)?;
        state.wanted()?;
        let (found, id) = thread.state()?;
        // SAFETY: the caller's promise.
        unsafe {
            state.put(found.into())?;
            if wait_id.is_null() { Ok(()) } else { wait_id.put(id) }
        }
    };
    code(answer())
}
