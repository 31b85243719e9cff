//! `kmp_*`: routines that LLVM's and Intel's runtimes offer beyond the standard.

use super::names::queries;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_engine::threads;
use omphalos_engine::{Thread, icv};
use omphalos_settings::Library;
use omphalos_sys::thread::LEAST_STACK;
use omphalos_sys::{heap, message};

fn settings() -> &'static omphalos_settings::Settings {
    omphalos_settings::ensure();
    omphalos_settings::settings()
}

fn blocktime() -> i32 {
    i32::try_from(settings().blocktime.load(Relaxed)).unwrap_or(i32::MAX)
}

fn set_library(kind: i32) {
    let library = match kind {
        1 => Library::Serial,
        2 => Library::Turnaround,
        3 => Library::Throughput,
        _ => return,
    };
    if library == Library::Serial {
        icv::change(Thread::current(), |icvs| icvs.nthreads = 1);
    }
    settings().set_library(library);
}

fn set_blocktime(milliseconds: i32) {
    let value = match milliseconds {
        i32::MAX => u32::MAX,
        some => some.max(0) as u32,
    };
    settings().change_blocktime(value);
}

fn set_stack_size(bytes: usize) {
    // Existing workers keep their stacks.
    settings().stack_size.store(bytes.max(LEAST_STACK), Relaxed);
}

queries! {
    /// Bytes of a worker's stack, as far as an `int` goes.
    kmp_get_stacksize, kmp_get_stacksize_ -> c_int =
        i32::try_from(settings().next_stack()).unwrap_or(i32::MAX);
    /// Bytes of a worker's stack.
    kmp_get_stacksize_s, kmp_get_stacksize_s_ -> usize = settings().next_stack();
    /// Milliseconds that a waiting thread spins before it sleeps.
    kmp_get_blocktime, kmp_get_blocktime_ -> c_int = blocktime();
    /// 1 serial, 2 turnaround, 3 throughput.
    kmp_get_library, kmp_get_library_ -> c_int = settings().library() as c_int;
    /// How many OpenMP threads there are.
    kmp_get_num_known_threads, kmp_get_num_known_threads_ -> c_int = threads::live() as i32;
}

omphalos_sys::exported_routines! {
    /// Sets the stack of workers that are yet to be made, in bytes.
    kmp_set_stacksize(size: c_int) = set_stack_size(size.max(0) as usize);
    /// The second C name.
    kmpc_set_stacksize(size: c_int) = set_stack_size(size.max(0) as usize);
    /// The Fortran name.
    kmp_set_stacksize_(size: *const c_int) = set_stack_size((*size).max(0) as usize);
    /// Sets the stack of workers that are yet to be made, in bytes.
    kmp_set_stacksize_s(size: usize) = set_stack_size(size);
    /// The second C name.
    kmpc_set_stacksize_s(size: usize) = set_stack_size(size);
    /// The Fortran name.
    kmp_set_stacksize_s_(size: *const usize) = set_stack_size(*size);
    /// Sets how many milliseconds a waiting thread spins before it sleeps; `INT_MAX`: always.
    kmp_set_blocktime(milliseconds: c_int) = set_blocktime(milliseconds);
    /// The second C name.
    kmpc_set_blocktime(milliseconds: c_int) = set_blocktime(milliseconds);
    /// The Fortran name.
    kmp_set_blocktime_(milliseconds: *const c_int) = set_blocktime(*milliseconds);
    /// Sets 1 serial, 2 turnaround (always spin) or 3 throughput (sleep).
    kmp_set_library(kind: c_int) = set_library(kind);
    /// The second C name.
    kmpc_set_library(kind: c_int) = set_library(kind);
    /// The Fortran name.
    kmp_set_library_(kind: *const c_int) = set_library(*kind);
    /// Loops under way at once are not limited by a number of buffers: nothing to set.
    kmp_set_disp_num_buffers(_count: c_int) = ();
    /// The second C name.
    kmpc_set_disp_num_buffers(_count: c_int) = ();
    /// The Fortran name.
    kmp_set_disp_num_buffers_(_count: *const c_int) = ();
    /// One thread only.
    kmp_set_library_serial() = set_library(1);
    /// The Fortran name.
    kmp_set_library_serial_() = set_library(1);
    /// Waiting threads always spin.
    kmp_set_library_turnaround() = set_library(2);
    /// The Fortran name.
    kmp_set_library_turnaround_() = set_library(2);
    /// Waiting threads sleep, after a time.
    kmp_set_library_throughput() = set_library(3);
    /// The Fortran name.
    kmp_set_library_throughput_() = set_library(3);
    /// Warnings are on.
    kmp_set_warnings_on() = omphalos_sys::stderr::quiet(false);
    /// The Fortran name.
    kmp_set_warnings_on_() = omphalos_sys::stderr::quiet(false);
    /// Warnings are off.
    kmp_set_warnings_off() = omphalos_sys::stderr::quiet(true);
    /// The Fortran name.
    kmp_set_warnings_off_() = omphalos_sys::stderr::quiet(true);
}

/// Sets environment variables (`NAME=value`, several with `|`) before the runtime reads them.
///
/// # Safety
/// `text` must be null or a C string, and no other thread may use the environment.
unsafe fn set_defaults(text: *const c_char) {
    if text.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    let pairs = text.split('|').filter_map(|item| item.split_once('='));
    if omphalos_settings::are_read() {
        return pairs.for_each(|(name, value)| set_late(name, value));
    }
    for (name, value) in pairs {
        let known = ["OMP_", "KMP_", "GOMP_"].iter().any(|prefix| name.starts_with(prefix));
        if known && !value.contains('\0') {
            // SAFETY: the caller's promise.
            unsafe { std::env::set_var(name, value) };
        }
    }
}

/// Sets a variable that can still change once the runtime has read the environment.
fn set_late(name: &str, value: &str) {
    if name == "OMP_TARGET_OFFLOAD" {
        // An invalid value means the default, as at the start.
        let offload = omphalos_settings::parse_target_offload(value)
            .unwrap_or(omphalos_settings::TargetOffload::Default);
        return settings().set_target_offload(offload);
    }
    message!(
        "kmp_set_defaults: {name}={value:?} comes too late, nothing is changed: call it before any \
         other OpenMP routine or construct"
    );
}

omphalos_sys::exported_routines! {
    /// Sets environment variables before the runtime reads them.
    kmp_set_defaults(text: *const c_char) = set_defaults(text);
    /// The second C name.
    kmpc_set_defaults(text: *const c_char) = set_defaults(text);
}

/// Whether cancellation of a kind (0 any, 1 parallel, 2 loop, 3 sections, 4 taskgroup) is active.
#[unsafe(no_mangle)]
pub extern "C" fn kmp_get_cancellation_status(kind: c_int) -> c_int {
    let cancelled = Thread::current().team().cancelled.load(Relaxed);
    let mask = match kind {
        0 => u32::MAX,
        1 => omphalos_events::Cancel::PARALLEL,
        2 => omphalos_events::Cancel::LOOP,
        3 => omphalos_events::Cancel::SECTIONS,
        4 => omphalos_events::Cancel::TASKGROUP,
        _ => 0,
    };
    i32::from(cancelled & mask != 0)
}

omphalos_sys::exported_routines! {
    /// The Fortran name.
    kmp_get_cancellation_status_(kind: *const c_int) -> c_int = kmp_get_cancellation_status(*kind);
    /// The Fortran name: the text has its length as a hidden argument.
    kmp_set_defaults_(text: *const c_char, length: usize) = {
        let bytes = core::slice::from_raw_parts(text.cast::<u8>(), length);
        if let Ok(text) = std::ffi::CString::new(bytes.trim_ascii_end()) {
            set_defaults(text.as_ptr());
        }
    };
}

fn aligned(size: usize, alignment: usize) -> *mut c_void {
    heap::get_aligned(alignment.max(8), size)
}

omphalos_sys::exported_routines! {
    /// Memory from the C library.
    kmp_malloc(size: usize) -> *mut c_void = heap::get(size);
    /// The second C name.
    kmpc_malloc(size: usize) -> *mut c_void = heap::get(size);
    /// The Fortran name.
    kmp_malloc_(size: *const usize) -> *mut c_void = heap::get(*size);
    /// Zeroed memory from the C library.
    kmp_calloc(count: usize, size: usize) -> *mut c_void = heap::get_array(count, size);
    /// The second C name.
    kmpc_calloc(count: usize, size: usize) -> *mut c_void = heap::get_array(count, size);
    /// The Fortran name.
    kmp_calloc_(count: *const usize, size: *const usize) -> *mut c_void
        = heap::get_array(*count, *size);
    /// Resizes memory of `kmp_malloc`.
    kmp_realloc(memory: *mut c_void, size: usize) -> *mut c_void = heap::resize(memory, size);
    /// The second C name.
    kmpc_realloc(memory: *mut c_void, size: usize) -> *mut c_void = heap::resize(memory, size);
    /// The Fortran name.
    kmp_realloc_(memory: *const *mut c_void, size: *const usize) -> *mut c_void
        = heap::resize(*memory, *size);
    /// Frees memory of `kmp_malloc` and its kin.
    kmp_free(memory: *mut c_void) = heap::free(memory);
    /// The second C name.
    kmpc_free(memory: *mut c_void) = heap::free(memory);
    /// The Fortran name.
    kmp_free_(memory: *const *mut c_void) = heap::free(*memory);
    /// Aligned memory; null if `alignment` is no power of two.
    kmp_aligned_malloc(size: usize, alignment: usize) -> *mut c_void = aligned(size, alignment);
    /// The second C name.
    kmpc_aligned_malloc(size: usize, alignment: usize) -> *mut c_void = aligned(size, alignment);
    /// The Fortran name.
    kmp_aligned_malloc_(size: *const usize, alignment: *const usize) -> *mut c_void
        = aligned(*size, *alignment);
}
