//! Functions of OMPD that a debugger calls first and last: start and end of the library, handles of
//! processes, core files and devices, and versions (OpenMP 6.0, section 41.1 and 41.2).

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, memory};

use crate::{HANDLES, code, debugger, held};

/// Starts the library for a debugger that expects this version. The library copies the callbacks.
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

/// Ends the debugger's use of the library: every handle becomes stale.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_finalize() -> ompd_rc_t {
    HANDLES.clear();
    code(debugger::forget())
}

/// Gives the handle of a process or device back. With a process's handle, all handles in that
/// process become stale.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_address_space_handle(
    handle: *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    code(HANDLES.release(Kind::Space, handle as u64))
}

/// The name of this library.
const TEXT: &str = concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of OpenMP 5.0 to 6.0\0");

omphalos_ompd_answers::answered! {
    /// The version of the interface.
    ompd_get_api_version(; version: ompd_word_t) = Ok(debugger::API_VERSION);
    /// The name of this library. The text belongs to the library.
    ompd_get_version_string(; string: *const c_char) = Ok(TEXT.as_ptr().cast());
    /// Opens a process or a core file. `context` is a context for the callbacks.
    ompd_process_initialize(
        context: *mut ompd_address_space_context_t; host_handle: *mut ompd_address_space_handle_t
    ) = HANDLES.handle(debugger::open(context));
    /// Opens a device: the host, or a device that the host plays (`OMPHALOS_DEVICES`). A played
    /// device's code and memory are the process's own, so the debugger gets a further handle of the
    /// process. `id` is the device's number, an `int` or 8 bytes; without an id, the device is the
    /// host. Devices of other kinds have no OpenMP threads of this runtime: `ompd_rc_unsupported`.
    ompd_device_initialize(
        [Space] host_handle: *mut ompd_address_space_handle_t,
        _device_context: *mut ompd_address_space_context_t, kind: ompd_device_t,
        sizeof_id: ompd_size_t, id: *mut c_void; device_handle: *mut ompd_address_space_handle_t
    ) = {
        // SAFETY: the caller's promise.
        HANDLES.handle(unsafe { device(host_handle, kind, sizeof_id, id) })
    };
    /// The kinds of names for native threads of a device: `pthread_t`, and the kernel's number. The
    /// debugger frees the lists.
    ompd_get_device_thread_id_kinds(
        [Space] device_handle: *mut ompd_address_space_handle_t;
        kinds: *mut ompd_thread_id_t, thread_id_sizes: *mut ompd_size_t, count: c_int
    ) = {
        let debugger = device_handle.space.debugger();
        let list = memory::words(debugger, &[OMPD_THREAD_ID_PTHREAD, OMPD_THREAD_ID_LWP])?;
        let sizes = memory::words(debugger, &[8, 4]).inspect_err(|_| {
            // SAFETY: allocated above, and nobody has it.
            let _ = unsafe { debugger.free(list.cast()) };
        });
        sizes.map(|sizes| (list, sizes, 2))
    };
    /// The version of OpenMP that the runtime offers, as `_OPENMP` has it.
    ompd_get_omp_version(
        [Space] address_space: *mut ompd_address_space_handle_t; omp_version: ompd_word_t
    ) = address_space.openmp();
    /// The runtime's name and its version of OpenMP, as a text. The debugger frees the text.
    ompd_get_omp_version_string(
        [Space] address_space: *mut ompd_address_space_handle_t; string: *const c_char
    ) = {
        let name = address_space.runtime_name();
        let text = format!("{name} (OpenMP {})", address_space.openmp()?);
        memory::text(address_space.space.debugger(), &text)
    };
}

/// Finds the device with this id; see [`ompd_device_initialize`].
///
/// # Safety
/// `id` points to `size` bytes.
unsafe fn device(host: Held, kind: ompd_device_t, size: u64, id: *mut c_void) -> Answer<Held> {
    if id.is_null() && size != 0 {
        return Err(Code::BadInput);
    }
    if kind != OMPD_DEVICE_KIND_HOST {
        return Err(Code::Unsupported);
    }
    // The host's number follows those of the other devices.
    let of_host = host.number_of_host()? as i64;
    // SAFETY: the caller's promise.
    let number = unsafe {
        match size {
            0 => of_host,
            4 => i64::from(id.cast::<i32>().read_unaligned()),
            8 => id.cast::<i64>().read_unaligned(),
            _ => return Err(Code::BadInput),
        }
    };
    let is_one = (0..=of_host).contains(&number);
    if is_one { Ok(Held::device(host.space, number as u64)) } else { Err(Code::BadInput) }
}
