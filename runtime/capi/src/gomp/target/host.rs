//! Constructs on the host: regions run here, and data stays where it is.

use super::kinds::{Items, kind_of};
use core::ffi::{c_ushort, c_void};
use omphalos_engine::target::played::Limits;
use omphalos_engine::target::{self, Construct, construct};
use omphalos_engine::{Caller, Thread, Work};
use omphalos_events::{MapFlags, TargetKind};

/// `GOMP_MAP_FIRSTPRIVATE` (two special bits, kind 0) in the low byte of a map kind; the
/// alignment's logarithm is above it. An item of the next number has a value in place of an
/// address, and needs no copy.
const FIRSTPRIVATE: c_ushort = 0x0c;

/// The array that a region on the host gets: the construct's own array, or one with the addresses
/// of private copies in place of those of firstprivate list items.
struct HostArguments {
    place: *mut *mut c_void,
    addresses: Vec<*mut c_void>,
    copies: Vec<Vec<u8>>,
}

/// # Safety
/// The three arrays hold `count` elements; each firstprivate address is valid for its size.
unsafe fn host_arguments(items: Items) -> HostArguments {
    let place = items.addresses.cast_mut();
    let mut own = HostArguments { place, addresses: Vec::new(), copies: Vec::new() };
    for at in 0..items.count {
        // SAFETY: the caller's promise.
        unsafe {
            if is_private(items, at) && !(*items.addresses.add(at)).is_null() {
                own.copy(items, at);
            }
        }
    }
    own
}

/// # Safety
/// The arrays hold more than `at` elements.
#[inline(always)]
unsafe fn is_private(items: Items, at: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { *items.kinds.add(at) & 0xff == FIRSTPRIVATE }
}

/// Runs a region, which gets its own copies of firstprivate list items.
///
/// # Safety
/// As [`host_arguments`] and [`run`].
#[inline(always)]
pub unsafe fn run_with(
    kind: TargetKind,
    caller: Caller,
    limits: Limits,
    body: unsafe extern "C" fn(*mut c_void),
    items: Items,
) {
    let tell = |construct: &Construct, ends| {
        // SAFETY: the caller's promise.
        unsafe { super::device::tell_copies(construct, items, None, ends) }
    };
    // SAFETY: the caller's promise.
    unsafe {
        if (0..items.count).any(|at| is_private(items, at)) {
            return run_with_copies(items, |place| {
                run(kind, caller, limits, tell, body, place);
            });
        }
        run(kind, caller, limits, tell, body, items.addresses.cast_mut());
    }
}

/// # Safety
/// As [`host_arguments`].
#[cold]
#[inline(never)]
unsafe fn run_with_copies(items: Items, run: impl FnOnce(*mut *mut c_void)) {
    // SAFETY: the caller's promise.
    let own = unsafe { host_arguments(items) };
    run(own.place);
}

impl HostArguments {
    /// # Safety
    /// As [`host_arguments`]; the item is firstprivate.
    unsafe fn copy(&mut self, items: Items, at: usize) {
        // SAFETY: the caller's promise.
        let (address, size, kind) = unsafe { items.get(at) };
        if self.addresses.is_empty() {
            // SAFETY: the caller's promise.
            self.addresses =
                unsafe { core::slice::from_raw_parts(items.addresses, items.count) }.to_vec();
            self.place = self.addresses.as_mut_ptr();
        }
        let align = 1usize << (kind >> 8).min(12);
        let mut copy = vec![0u8; size + align];
        let shift = copy.as_ptr().align_offset(align).min(align);
        // SAFETY: the copy has room for `size` bytes behind `shift`; the source is valid.
        unsafe {
            let place = copy.as_mut_ptr().add(shift);
            core::ptr::copy_nonoverlapping(address.cast::<u8>(), place, size);
            *self.place.add(at) = place.cast();
        }
        self.copies.push(copy);
    }
}

/// Returns the flags that tools are told for a map kind of GCC's; `None` for an item that only
/// helps another one.
pub fn map_flags(kind: c_ushort) -> Option<u32> {
    let (kind, implicit) = kind_of(kind);
    let always = if kind & 0x10 != 0 { MapFlags::ALWAYS } else { 0 };
    let implicit = if implicit { MapFlags::IMPLICIT } else { 0 };
    let flags = match kind {
        0x00 | 0x80 => MapFlags::ALLOC,
        0x01 | 0x81 | 0x11 => MapFlags::TO | always,
        0x02 | 0x82 | 0x12 => MapFlags::FROM | always,
        0x03 | 0x83 | 0x13 => MapFlags::TO | MapFlags::FROM | always,
        0x06 | 0x84 => MapFlags::ALLOC | MapFlags::PRESENT,
        0x85 | 0x95 => MapFlags::TO | MapFlags::PRESENT | always,
        0x86 | 0x96 => MapFlags::FROM | MapFlags::PRESENT | always,
        0x87 | 0x97 => MapFlags::TO | MapFlags::FROM | MapFlags::PRESENT | always,
        0x07 => MapFlags::DELETE,
        0x17 => MapFlags::RELEASE,
        // A private copy, `FIRSTPRIVATE`, is no map.
        _ => return None,
    };
    Some(flags | implicit)
}

/// Executes a construct with a region.
///
/// # Safety
/// The function may be called with the addresses.
pub unsafe fn run(
    kind: TargetKind,
    caller: Caller,
    limits: Limits,
    tell: impl Fn(&Construct, bool),
    body: unsafe extern "C" fn(*mut c_void),
    addresses: *mut *mut c_void,
) {
    let thread = Thread::current();
    let work = Work::with_data(body as *const c_void, addresses.cast());
    let region = || {
        target::run(thread, limits.threads, caller, || {
            let exit_frame = thread.task().tool.frame.exit.as_ptr();
            // SAFETY: the caller's promise.
            unsafe { work.run(thread.gtid, 0, exit_frame) };
        });
    };
    construct(thread, kind, caller, |shown| match shown {
        None => region(),
        Some(construct) => {
            tell(construct, false);
            construct.submit(thread, limits.teams, region);
            tell(construct, true);
        }
    });
}

/// A word of a `target` region's arguments. Bits 8 to 15 say what it is about. Its value is above
/// bit 15 or, if bit 7 is set, in the next word.
const ABOUT: usize = 0xff00;
const NUM_TEAMS: usize = 1 << 8;
const THREAD_LIMIT: usize = 2 << 8;
const NEXT_WORD: usize = 1 << 7;

/// Returns the limits that a `target` region's arguments set.
///
/// # Safety
/// `words` is null or ends with a null word.
pub unsafe fn limits(words: *mut *mut c_void) -> Limits {
    let (mut at, mut limits) = (words, Limits::default());
    // SAFETY: the caller's promise.
    while let Some(word) = unsafe { at.as_ref() }.map(|word| *word as usize).filter(|&w| w != 0) {
        let follows = word & NEXT_WORD != 0;
        // SAFETY: the value follows.
        let value = if follows { unsafe { *at.add(1) as usize } } else { word >> 16 };
        let value = u32::try_from(value as isize).unwrap_or(0);
        match word & ABOUT {
            NUM_TEAMS => limits.teams = value,
            THREAD_LIMIT => limits.threads = value,
            _ => {}
        }
        at = at.wrapping_add(if follows { 2 } else { 1 });
    }
    limits
}

/// Returns the limits as words again, for a plugin.
pub fn words(limits: Limits) -> [usize; 5] {
    let Limits { teams, threads } = limits;
    [NUM_TEAMS | NEXT_WORD, teams as usize, THREAD_LIMIT | NEXT_WORD, threads as usize, 0]
}

/// Executes a construct without a region: there is nothing to move.
///
/// # Safety
/// The arrays hold `count` elements.
pub unsafe fn data(kind: TargetKind, items: Items, caller: Caller) {
    construct(Thread::current(), kind, caller, |shown| {
        if let Some(construct) = shown {
            // SAFETY: the caller's promise.
            unsafe { super::device::tell_copies(construct, items, None, false) };
        }
    });
}

pub const NOTHING: Items = Items {
    count: 0,
    addresses: core::ptr::null(),
    sizes: core::ptr::null(),
    kinds: core::ptr::null(),
};
