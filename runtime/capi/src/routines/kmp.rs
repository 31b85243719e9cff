//! `kmp_*`: what LLVM's and Intel's runtimes offer beyond the standard.

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

/// Routines with one number: C name, LLVM's second C name, Fortran name.
macro_rules! setters {
    ($($(#[$doc:meta])* $c:ident, $second:ident, $f:ident ($type:ty) => $target:expr;)*) => { $(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $c(value: $type) {
            $target(value);
        }

        /// The second C name.
        #[unsafe(no_mangle)]
        pub extern "C" fn $second(value: $type) {
            $target(value);
        }

        /// The Fortran name.
        ///
        /// # Safety
        /// The argument must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $f(value: *const $type) {
            // SAFETY: the caller's promise.
            $target(unsafe { value.read() });
        }
    )* };
}

setters! {
    /// Sets the stack of workers that are yet to be made, in bytes.
    kmp_set_stacksize, kmpc_set_stacksize, kmp_set_stacksize_ (c_int)
        => |size: c_int| set_stack_size(size.max(0) as usize);
    /// Sets the stack of workers that are yet to be made, in bytes.
    kmp_set_stacksize_s, kmpc_set_stacksize_s, kmp_set_stacksize_s_ (usize) => set_stack_size;
    /// Sets how many milliseconds a waiting thread spins before it sleeps; `INT_MAX`: always.
    kmp_set_blocktime, kmpc_set_blocktime, kmp_set_blocktime_ (c_int) => set_blocktime;
    /// Sets 1 serial, 2 turnaround (always spin) or 3 throughput (sleep).
    kmp_set_library, kmpc_set_library, kmp_set_library_ (c_int) => set_library;
    /// Loops under way at once are not limited by a number of buffers: nothing to set.
    kmp_set_disp_num_buffers, kmpc_set_disp_num_buffers, kmp_set_disp_num_buffers_ (c_int)
        => |_| ();
}

/// Routines without an argument: C name and Fortran name.
macro_rules! actions {
    ($($(#[$doc:meta])* $c:ident, $f:ident => $body:expr;)*) => { $(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $c() {
            $body
        }

        /// The Fortran name.
        #[unsafe(no_mangle)]
        pub extern "C" fn $f() {
            $body
        }
    )* };
}

actions! {
    /// One thread only.
    kmp_set_library_serial, kmp_set_library_serial_ => set_library(1);
    /// Waiting threads always spin.
    kmp_set_library_turnaround, kmp_set_library_turnaround_ => set_library(2);
    /// Waiting threads sleep, after a time.
    kmp_set_library_throughput, kmp_set_library_throughput_ => set_library(3);
    /// Warnings are on.
    kmp_set_warnings_on, kmp_set_warnings_on_ => omphalos_sys::stderr::quiet(false);
    /// Warnings are off.
    kmp_set_warnings_off, kmp_set_warnings_off_ => omphalos_sys::stderr::quiet(true);
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

/// Sets what can still change once the runtime has read the environment.
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

/// Allocation: C name, second C name, Fortran name (arguments by address).
macro_rules! allocation {
    ($($(#[$doc:meta])* $c:ident, $second:ident, $f:ident ($($arg:ident: $type:ty),*) -> $ret:ty
        = $body:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// As for the C library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $c($($arg: $type),*) -> $ret {
            // SAFETY: the caller's promise.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }

        /// The second C name.
        ///
        /// # Safety
        /// As for the C library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $second($($arg: $type),*) -> $ret {
            // SAFETY: the caller's promise.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }

        /// The Fortran name.
        ///
        /// # Safety
        /// As for the C library's function; the arguments must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $f($($arg: *const $type),*) -> $ret {
            // SAFETY: the caller's promise.
            unsafe { $c($($arg.read()),*) }
        }
    )* };
}

allocation! {
    /// Memory from the C library.
    kmp_malloc, kmpc_malloc, kmp_malloc_(size: usize) -> *mut c_void = heap::get(size);
    /// Zeroed memory from the C library.
    kmp_calloc, kmpc_calloc, kmp_calloc_(count: usize, size: usize) -> *mut c_void =
        heap::get_array(count, size);
    /// Resizes memory of `kmp_malloc`.
    kmp_realloc, kmpc_realloc, kmp_realloc_(memory: *mut c_void, size: usize) -> *mut c_void =
        heap::resize(memory, size);
    /// Frees memory of `kmp_malloc` and its kin.
    kmp_free, kmpc_free, kmp_free_(memory: *mut c_void) -> () = heap::free(memory);
    /// Aligned memory; null if `alignment` is no power of two.
    kmp_aligned_malloc, kmpc_aligned_malloc,
    kmp_aligned_malloc_(size: usize, alignment: usize) -> *mut c_void =
        heap::get_aligned(alignment.max(8), size);
}
