//! Threads (OpenMP 6.0, section 41.3 and 41.7).

use core::ffi::{c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Native, memory, thread};

use crate::{HANDLES, code};

/// Whether this kind of thread id is the kernel's; unsupported if Linux does not have the kind.
fn is_lwp(kind: ompd_thread_id_t) -> Answer<bool> {
    match kind {
        OMPD_THREAD_ID_PTHREAD => Ok(false),
        OMPD_THREAD_ID_LWP => Ok(true),
        _ => Err(Code::Unsupported),
    }
}

/// The thread with a number in a region.
///
/// # Safety
/// `thread_handle` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_num: c_int,
    thread_handle: *mut *mut ompd_thread_handle_t,
) -> ompd_rc_t {
    let answer = || HANDLES.held(Kind::Parallel, parallel_handle)?.thread_in(thread_num);
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(thread_handle, answer) })
}

/// The OpenMP thread of a native one; unavailable if the native thread is not OpenMP's.
///
/// # Safety
/// As above; `thread_id` points to so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_handle(
    handle: *mut ompd_address_space_handle_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *const c_void,
    thread_handle: *mut *mut ompd_thread_handle_t,
) -> ompd_rc_t {
    let answer = || -> Answer<Held> {
        let space = HANDLES.held(Kind::Space, handle)?.space;
        // SAFETY: the caller's promise.
        let native = unsafe { Native::read(is_lwp(kind)?, sizeof_thread_id, thread_id.cast()) }?;
        thread::by_native(&space, native)
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(thread_handle, answer) })
}

omphalos_ompd_answers::given_back!(
    Thread ompd_thread_handle_t: ompd_rel_thread_handle(thread_handle),
    ompd_thread_handle_compare(thread_handle_1, thread_handle_2)
);

/// What the C library or the kernel calls the thread.
///
/// # Safety
/// `thread_id` is null or points to so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_id(
    thread_handle: *mut ompd_thread_handle_t,
    kind: ompd_thread_id_t,
    sizeof_thread_id: ompd_size_t,
    thread_id: *mut c_void,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let thread = HANDLES.held(Kind::Thread, thread_handle)?;
        let is_lwp = is_lwp(kind)?;
        memory::wanted(thread_id)?;
        let native = thread.native(is_lwp)?;
        // SAFETY: the caller's promise.
        unsafe { native.write(sizeof_thread_id, thread_id.cast()) }
    };
    code(answer())
}

/// The device that the thread runs on, or belongs to: the host, or one that it plays.
///
/// # Safety
/// `device` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_device_from_thread(
    thread_handle: *mut ompd_thread_handle_t,
    device: *mut *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    let answer = || {
        let thread = HANDLES.held(Kind::Thread, thread_handle)?;
        let device = thread.ask(|runtime, at| runtime.thread(at).device())?;
        let number = match device {
            Some(number) => number,
            None => thread.number_of_host()?,
        };
        Ok(Held::device(thread.space, number))
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(device, answer) })
}

/// The thread's state, and the id of what it waits for; the id may be left out.
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
        let thread = HANDLES.held(Kind::Thread, thread_handle)?;
        memory::wanted(state)?;
        let (found, id) = thread.state()?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(state, found.into())?;
            if wait_id.is_null() { Ok(()) } else { memory::put(wait_id, id) }
        }
    };
    code(answer())
}
