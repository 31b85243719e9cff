//! `target` in GCC's interface, without a device: regions run on the host, data stays where it is.

use core::ffi::{c_int, c_uint, c_ushort, c_void};
use omphalos_engine::{Caller, Thread, target};

type Region = Option<unsafe extern "C" fn(*mut c_void)>;

/// `GOMP_MAP_FIRSTPRIVATE` (two special bits, kind 0) in the low byte of a map kind; the alignment's
/// logarithm is above it. The next number, for values in place of addresses, needs no copy.
const FIRSTPRIVATE: c_ushort = 0x0c;

/// Private copies of the firstprivate list items, and the addresses with those in place.
struct HostArguments {
    addresses: Vec<*mut c_void>,
    _copies: Vec<Vec<u8>>,
}

/// # Safety
/// The three arrays hold `count` elements; each firstprivate address is valid for its size.
unsafe fn host_arguments(
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *const usize,
    kinds: *const c_ushort,
) -> HostArguments {
    let mut copies = Vec::new();
    let mut own = Vec::with_capacity(count);
    for item in 0..count {
        // SAFETY: the caller's promise.
        let (address, size, kind) =
            unsafe { (*addresses.add(item), *sizes.add(item), *kinds.add(item)) };
        if kind & 0xff != FIRSTPRIVATE || address.is_null() {
            own.push(address);
            continue;
        }
        let align = 1usize << (kind >> 8).min(12);
        let mut copy = vec![0u8; size + align];
        let shift = copy.as_ptr().align_offset(align).min(align);
        // SAFETY: the copy has room for `size` bytes behind `shift`; the source is valid.
        unsafe {
            let place = copy.as_mut_ptr().add(shift);
            core::ptr::copy_nonoverlapping(address.cast::<u8>(), place, size);
            own.push(place.cast());
        }
        copies.push(copy);
    }
    HostArguments { addresses: own, _copies: copies }
}

/// A `target` region (GOMP_4.0).
///
/// # Safety
/// GCC's code passes a function that may be called with the addresses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target(
    _device: c_int,
    body: Region,
    _unused: *const c_void,
    _count: usize,
    addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
    if let Some(body) = body {
        // SAFETY: the caller's promise.
        let region = || unsafe { body(addresses.cast()) };
        target::run(Thread::current(), 0, Caller::NONE, region);
    }
}

/// A word of a `target` region's arguments: what it is about in bits 8 to 15, its value above bit 15,
/// or, with bit 7, in the next word.
const ABOUT: usize = 0xff00;
const THREAD_LIMIT: usize = 2 << 8;
const NEXT_WORD: usize = 1 << 7;

/// The `thread_limit` among a `target` region's arguments, 0 if there is none.
///
/// # Safety
/// `words` is null or ends with a null word.
unsafe fn thread_limit(words: *mut *mut c_void) -> u32 {
    let mut at = words;
    // SAFETY: the caller's promise.
    while let Some(word) = unsafe { at.as_ref() }.map(|word| *word as usize).filter(|&w| w != 0) {
        let follows = word & NEXT_WORD != 0;
        if word & ABOUT == THREAD_LIMIT {
            // SAFETY: the value follows.
            let value = if follows { unsafe { *at.add(1) as usize } } else { word >> 16 };
            return u32::try_from(value as isize).unwrap_or(0);
        }
        at = at.wrapping_add(if follows { 2 } else { 1 });
    }
    0
}

/// A `target` region (GOMP_4.5). Its dependences are waited for; with `nowait` it still runs here
/// and now, as an undeferred task may.
///
/// # Safety
/// GCC's code passes a function that may be called with the addresses, arrays of `count` elements,
/// dependences in libgomp's form or null, and arguments that end with a null word, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_ext(
    _device: c_int,
    body: Region,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    _flags: c_uint,
    dependences: *mut *mut c_void,
    arguments: *mut *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe {
        wait_for(dependences);
        if let Some(body) = body {
            let mut own = host_arguments(count, addresses, sizes, kinds);
            let region = || body(own.addresses.as_mut_ptr().cast());
            target::run(Thread::current(), thread_limit(arguments), Caller::NONE, region);
        }
    }
}

/// # Safety
/// `dependences` is null or in libgomp's form.
unsafe fn wait_for(dependences: *mut *mut c_void) {
    if !dependences.is_null() {
        // SAFETY: the caller's promise.
        unsafe { super::task::wait_on(dependences) };
    }
}

/// Begins `target data` (GOMP_4.0): nothing to move.
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_data(
    _device: c_int,
    _unused: *const c_void,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
}

/// Begins `target data` (GOMP_4.5): nothing to move.
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_data_ext(
    _device: c_int,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut c_ushort,
) {
}

/// Ends `target data` (GOMP_4.0).
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_end_data() {}

/// `target update` (GOMP_4.0): nothing to move.
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_update(
    _device: c_int,
    _unused: *const c_void,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
}

/// `target update` (GOMP_4.5): waits for its dependences; nothing to move.
///
/// # Safety
/// `dependences` is null or in libgomp's form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_update_ext(
    _device: c_int,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut c_ushort,
    _flags: c_uint,
    dependences: *mut *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe { wait_for(dependences) };
}

/// `target enter data` and `target exit data` (GOMP_4.5): wait for their dependences.
///
/// # Safety
/// `dependences` is null or in libgomp's form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_target_enter_exit_data(
    _device: c_int,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut c_ushort,
    _flags: c_uint,
    dependences: *mut *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe { wait_for(dependences) };
}
