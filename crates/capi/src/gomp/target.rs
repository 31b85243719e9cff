//! `target` in GCC's interface, without a device: regions run on the host, data stays where it is.

use core::ffi::{c_int, c_uint, c_ushort, c_void};
use omphalos_engine::target::{self, Construct, construct};
use omphalos_engine::{Caller, Thread, Work, caller};
use omphalos_events::{MapFlags, MapItems, TargetKind};

type Region = Option<unsafe extern "C" fn(*mut c_void)>;

/// `GOMP_MAP_FIRSTPRIVATE` (two special bits, kind 0) in the low byte of a map kind; the
/// alignment's logarithm is above it. The next number, for values in place of addresses, needs no
/// copy.
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

/// Flags of the constructs' last arguments.
const NOWAIT: c_uint = 1;
const EXIT_DATA: c_uint = 2;

/// A construct's list items as GCC describes them: addresses, sizes, kinds.
#[derive(Clone, Copy)]
struct Items {
    count: usize,
    addresses: *const *mut c_void,
    sizes: *const usize,
    kinds: *const c_ushort,
}

/// What a map kind of GCC's is to tools; `None` for entries that only help others.
fn map_flags(kind: c_ushort) -> Option<u32> {
    let always = if kind & 0x10 != 0 { MapFlags::ALWAYS } else { 0 };
    Some(match kind & 0xff {
        0x00 | 0x80 => MapFlags::ALLOC,
        0x01 | 0x81 | 0x11 => MapFlags::TO | always,
        0x02 | 0x82 | 0x12 => MapFlags::FROM | always,
        0x03 | 0x83 | 0x13 => MapFlags::TO | MapFlags::FROM | always,
        0x07 => MapFlags::DELETE,
        0x17 => MapFlags::RELEASE,
        FIRSTPRIVATE => MapFlags::TO | MapFlags::IMPLICIT,
        _ => return None,
    })
}

impl Items {
    /// Tells tools of the items.
    ///
    /// # Safety
    /// The three arrays hold `count` elements.
    #[cold]
    unsafe fn tell(&self, construct: &Construct) {
        let (mut addresses, mut sizes, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        for item in 0..self.count {
            // SAFETY: the caller's promise.
            let (address, size, kind) = unsafe {
                (*self.addresses.add(item), *self.sizes.add(item), *self.kinds.add(item))
            };
            if let Some(flag) = map_flags(kind) {
                addresses.push(address);
                sizes.push(size);
                flags.push(flag);
            }
        }
        construct.map(MapItems { addresses: &addresses, sizes: &sizes, flags: &flags });
    }
}

/// A `target` region of GCC's older interface, which has no kinds that tools could read.
unsafe extern "C" fn target(
    _device: c_int,
    body: Region,
    _unused: *const c_void,
    _count: usize,
    addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
    let caller = caller();
    let Some(body) = body else { return };
    // SAFETY: GCC's code passes a function that may be called with the addresses.
    unsafe { run(TargetKind::Target, caller, 0, |_| {}, body, addresses) };
}

/// A construct with a region.
///
/// # Safety
/// The function may be called with the addresses.
unsafe fn run(
    kind: TargetKind,
    caller: Caller,
    thread_limit: u32,
    tell: impl FnOnce(&Construct),
    body: unsafe extern "C" fn(*mut c_void),
    addresses: *mut *mut c_void,
) {
    let thread = Thread::current();
    let work = Work::with_data(body as *const c_void, addresses.cast());
    let region = || {
        target::run(thread, thread_limit, caller, || {
            let exit_frame = thread.task().tool.frame.exit.as_ptr();
            // SAFETY: the caller's promise.
            unsafe { work.run(thread.gtid, 0, exit_frame) };
        });
    };
    construct(thread, kind, caller, |shown| match shown {
        None => region(),
        Some(construct) => {
            tell(construct);
            construct.submit(thread, 0, region);
        }
    });
}

/// A word of a `target` region's arguments: what it is about in bits 8 to 15, its value above bit
/// 15, or, with bit 7, in the next word.
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

/// A `target` region. Its dependences are waited for; with `nowait` it still runs here and now, as
/// an undeferred task may.
unsafe extern "C" fn target_ext(
    _device: c_int,
    body: Region,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
    arguments: *mut *mut c_void,
) {
    let caller = caller();
    let kind = if flags & NOWAIT != 0 { TargetKind::TargetNowait } else { TargetKind::Target };
    let items = Items { count, addresses, sizes, kinds };
    // SAFETY: GCC's code passes a function that may be called with the addresses, arrays of `count`
    // elements, and dependences in libgomp's form or null.
    unsafe {
        wait_for(dependences, caller);
        let Some(body) = body else { return };
        let limit = thread_limit(arguments);
        let mut own = host_arguments(count, addresses, sizes, kinds);
        let place = own.addresses.as_mut_ptr();
        run(kind, caller, limit, |construct| items.tell(construct), body, place);
    }
}

/// # Safety
/// `dependences` is null or in libgomp's form.
unsafe fn wait_for(dependences: *mut *mut c_void, caller: Caller) {
    if !dependences.is_null() {
        // SAFETY: the caller's promise.
        unsafe { super::task::wait_on(dependences, caller) };
    }
}

/// A construct without a region: nothing to move.
///
/// # Safety
/// The arrays hold `count` elements.
unsafe fn data(kind: TargetKind, items: Items, caller: Caller) {
    construct(Thread::current(), kind, caller, |shown| {
        if let Some(construct) = shown {
            // SAFETY: the caller's promise.
            unsafe { items.tell(construct) };
        }
    });
}

const NOTHING: Items = Items {
    count: 0,
    addresses: core::ptr::null(),
    sizes: core::ptr::null(),
    kinds: core::ptr::null(),
};

unsafe extern "C" fn target_data(
    _device: c_int,
    _unused: *const c_void,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
    let caller = caller();
    // SAFETY: no items.
    unsafe { data(TargetKind::EnterData, NOTHING, caller) };
}

unsafe extern "C" fn target_data_ext(
    _device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
) {
    let caller = caller();
    // SAFETY: GCC's code passes arrays of `count` elements.
    unsafe { data(TargetKind::EnterData, Items { count, addresses, sizes, kinds }, caller) };
}

unsafe extern "C" fn target_end_data() {
    let caller = caller();
    // SAFETY: no items.
    unsafe { data(TargetKind::ExitData, NOTHING, caller) };
}

unsafe extern "C" fn target_update(
    _device: c_int,
    _unused: *const c_void,
    _count: usize,
    _addresses: *mut *mut c_void,
    _sizes: *mut usize,
    _kinds: *mut u8,
) {
    let caller = caller();
    // SAFETY: no items.
    unsafe { data(TargetKind::Update, NOTHING, caller) };
}

unsafe extern "C" fn target_update_ext(
    _device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
) {
    let caller = caller();
    let kind = if flags & NOWAIT != 0 { TargetKind::UpdateNowait } else { TargetKind::Update };
    // SAFETY: GCC's code passes arrays of `count` elements and dependences in libgomp's form or
    // null.
    unsafe {
        wait_for(dependences, caller);
        data(kind, Items { count, addresses, sizes, kinds }, caller);
    }
}

unsafe extern "C" fn target_enter_exit_data(
    _device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
) {
    let caller = caller();
    let kind = match (flags & EXIT_DATA != 0, flags & NOWAIT != 0) {
        (false, false) => TargetKind::EnterData,
        (false, true) => TargetKind::EnterDataNowait,
        (true, false) => TargetKind::ExitData,
        (true, true) => TargetKind::ExitDataNowait,
    };
    // SAFETY: as above.
    unsafe {
        wait_for(dependences, caller);
        data(kind, Items { count, addresses, sizes, kinds }, caller);
    }
}

omphalos_sys::entries! {
    /// A `target` region (GOMP_4.0).
    GOMP_target => target;
    /// A `target` region (GOMP_4.5).
    GOMP_target_ext => target_ext;
    /// Begins `target data` (GOMP_4.0): nothing to move.
    GOMP_target_data => target_data;
    /// Begins `target data` (GOMP_4.5): nothing to move.
    GOMP_target_data_ext => target_data_ext;
    /// Ends `target data` (GOMP_4.0).
    GOMP_target_end_data => target_end_data;
    /// `target update` (GOMP_4.0): nothing to move.
    GOMP_target_update => target_update;
    /// `target update` (GOMP_4.5): waits for its dependences; nothing to move.
    GOMP_target_update_ext => target_update_ext;
    /// `target enter data` and `target exit data` (GOMP_4.5): wait for their dependences.
    GOMP_target_enter_exit_data => target_enter_exit_data;
}
