//! Start and end; processes, core files and devices (OpenMP 6.0, section 41.1 and 41.2).

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Space, memory};

use crate::debugger::{self, Process};
use crate::{HANDLES, code};

/// The debugger begins: its version and its callbacks, which are copied.
///
/// # Safety
/// `callbacks` is null or points to a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_initialize(
    api_version: ompd_word_t,
    callbacks: *const ompd_callbacks_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(debugger::take(api_version, unsafe { callbacks.as_ref() }))
}

/// The version of the interface.
///
/// # Safety
/// `version` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_api_version(version: *mut ompd_word_t) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(version, debugger::API_VERSION) })
}

/// What this library is. The text is the library's.
///
/// # Safety
/// As [`ompd_get_api_version`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version_string(string: *mut *const c_char) -> ompd_rc_t {
    const TEXT: &str =
        concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of OpenMP 5.0 to 6.0\0");
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(string, TEXT.as_ptr().cast()) })
}

/// The debugger is done with the library: every handle is stale.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_finalize() -> ompd_rc_t {
    HANDLES.clear();
    code(debugger::forget())
}

/// A process or a core file.
///
/// # Safety
/// `host_handle` is null or points to a place for the handle; `context` is one that the callbacks
/// take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_process_initialize(
    context: *mut ompd_address_space_context_t,
    host_handle: *mut *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    let open = || {
        let callbacks = debugger::callbacks().ok_or(Code::Error)?;
        if context.is_null() {
            return Err(Code::BadInput);
        }
        let process = Box::new(Process { callbacks, context });
        Ok(Held::space(Space::open(process, context as usize)?))
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(host_handle, open) })
}

/// A device: the host, or one that it plays (`OMPHALOS_DEVICES`), whose code and memory are the
/// process's own too. A debugger that asks for one gets a further handle of the process. `id` is
/// the device's number, an `int` or 8 bytes; without one it is the host. Code for other devices is
/// executed by them as their own library says, with no OpenMP threads there.
///
/// # Safety
/// As [`ompd_process_initialize`]; `id` points to `sizeof_id` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_device_initialize(
    host_handle: *mut ompd_address_space_handle_t,
    _device_context: *mut ompd_address_space_context_t,
    kind: ompd_device_t,
    sizeof_id: ompd_size_t,
    id: *mut c_void,
    device_handle: *mut *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    let open = || {
        let host = HANDLES.held(Kind::Space, host_handle)?;
        if id.is_null() && sizeof_id != 0 {
            return Err(Code::BadInput);
        }
        if kind != OMPD_DEVICE_KIND_HOST {
            return Err(Code::Unsupported);
        }
        // SAFETY: the caller's promise.
        let number = unsafe {
            match sizeof_id {
                0 => None,
                4 => Some(i64::from(id.cast::<i32>().read_unaligned())),
                8 => Some(id.cast::<i64>().read_unaligned()),
                _ => return Err(Code::BadInput),
            }
        };
        // The host comes behind the others.
        let of_host = host.number_of_host()? as i64;
        let number = number.unwrap_or(of_host);
        if (0..=of_host).contains(&number) {
            Ok(Held::device(host.space, number as u64))
        } else {
            Err(Code::BadInput)
        }
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(device_handle, open) })
}

/// Gives a process or device back; with a process go all handles in it.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_address_space_handle(
    handle: *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    code(HANDLES.release(Kind::Space, handle as u64))
}

/// How native threads of a device are named: by `pthread_t` and by the kernel's number. The lists
/// are the debugger's to free.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_device_thread_id_kinds(
    device_handle: *mut ompd_address_space_handle_t,
    kinds: *mut *mut ompd_thread_id_t,
    thread_id_sizes: *mut *mut ompd_size_t,
    count: *mut c_int,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let device = HANDLES.held(Kind::Space, device_handle)?;
        memory::wanted(kinds)?;
        memory::wanted(thread_id_sizes)?;
        memory::wanted(count)?;
        let debugger = device.space.debugger();
        let list = memory::words(debugger, &[OMPD_THREAD_ID_PTHREAD, OMPD_THREAD_ID_LWP])?;
        let sizes = match memory::words(debugger, &[8, 4]) {
            Ok(sizes) => sizes,
            Err(fault) => {
                // SAFETY: allocated above, and nobody has it.
                let _ = unsafe { debugger.free(list.cast()) };
                return Err(fault);
            }
        };
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(kinds, list)?;
            memory::put(thread_id_sizes, sizes)?;
            memory::put(count, 2)
        }
    };
    code(answer())
}

/// The version of OpenMP that the runtime offers, as `_OPENMP` has it.
///
/// # Safety
/// `omp_version` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_omp_version(
    address_space: *mut ompd_address_space_handle_t,
    omp_version: *mut ompd_word_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let space = HANDLES.held(Kind::Space, address_space)?;
        memory::wanted(omp_version)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(omp_version, space.openmp()?) }
    };
    code(answer())
}

/// The same with the runtime's name, as a text that is the debugger's to free.
///
/// # Safety
/// `string` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_omp_version_string(
    address_space: *mut ompd_address_space_handle_t,
    string: *mut *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let space = HANDLES.held(Kind::Space, address_space)?;
        memory::wanted(string)?;
        let text = format!("{} (OpenMP {})", space.runtime_name(), space.openmp()?);
        // SAFETY: the caller's promise.
        unsafe { memory::put(string, memory::text(space.space.debugger(), &text)?) }
    };
    code(answer())
}
