//! Tells a program that watches this process from outside (`omphalos check --mapping`) of
//! everything that devices do. That program finds faults in the mapping. `docs/devices.md` explains
//! it.
//!
//! The words of each message are in the order in which `omphalos-check` reads them
//! (`lab/check/src/runtime_message.rs`); both come from one build.
//!
//! While another program watches, blocks of a device's memory have pages of their own, far from
//! each other, and stay where they are when they are freed. So the watcher sees each access beyond
//! a block, and each use of a freed block. Regions run on a stack of their own, so the watcher sees
//! each access to the host's stack. Without a watcher, each function costs one load.

use super::rests;
use crate::target::Ends;
use core::cell::Cell;
use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicU8, Ordering};
use omphalos_events::{TargetKind, TargetOp};
use omphalos_mapping::{Fault, Item, Kind, Map, Note, Release, Section};
use omphalos_sys::entry::Caller;
use omphalos_sys::memory::PAGE;
use omphalos_sys::{environment, memory, process, watch};

/// The variable in which the watcher writes its process id.
const VARIABLE: &[u8] = b"OMPHALOS_MAPPING_WATCHER";

/// The least distance between two blocks.
const GAP: usize = 16 * PAGE;
/// The greatest distance. A block's distance is its own length, between these two bounds.
const WIDEST_GAP: usize = 4096 * PAGE;
/// The size of a region's stack. The other threads of the region's teams have their own.
const STACK: usize = 16 << 20;

const UNKNOWN: u8 = 0;
const NOBODY: u8 = 1;
const SOMEBODY: u8 = 2;

static WATCHED: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether another program watches this process.
#[inline(always)]
pub fn is_watched() -> bool {
    match WATCHED.load(Ordering::Relaxed) {
        UNKNOWN => find_out(),
        known => known == SOMEBODY,
    }
}

#[cold]
fn find_out() -> bool {
    let mut watcher = None;
    environment::each(b"O", |name, value| {
        if name == VARIABLE {
            watcher = core::str::from_utf8(value).ok().and_then(|pid| pid.parse().ok());
        }
    });
    let is_there = watcher.is_some() && watcher == process::tracer();
    WATCHED.store(if is_there { SOMEBODY } else { NOBODY }, Ordering::Relaxed);
    is_there
}

/// The first word of a message.
#[derive(Clone, Copy)]
enum Told {
    Construct = 1,
    ConstructEnds = 2,
    Kernel = 3,
    KernelEnds = 4,
    Block = 5,
    Released = 6,
    ToDevice = 7,
    ToHost = 8,
    CopiedToHost = 9,
    Fresh = 10,
    Wrote = 11,
    Item = 12,
    Came = 13,
    Goes = 14,
    Private = 15,
    Fault = 16,
    Routine = 17,
    RoutineEnds = 18,
    Located = 19,
    Linked = 20,
    Left = 21,
    LeftItem = 22,
    NoDevice = 23,
    SharedMemory = 24,
    Called = 25,
    Rests = 26,
}

fn write_message<const N: usize>(what: Told, words: [u64; N]) {
    let mut all = [0; watch::WORDS];
    all[0] = what as u64;
    all[1..=N].copy_from_slice(&words);
    watch::write_message(&all);
}

/// Executes a construct on a device, and tells of its begin and its end.
#[inline(always)]
pub(super) fn construct<R>(
    kind: TargetKind,
    device: i32,
    caller: Caller,
    body: impl FnOnce() -> R,
) -> R {
    if !is_watched() {
        return body();
    }
    let border = caller.border();
    write_message(Told::Construct, [kind as u64, device as u64, caller.address(), border]);
    let result = body();
    rests::done(kind);
    write_message(Told::ConstructEnds, []);
    result
}

/// Tells that a construct with this list is left to a task, which does not know the variables'
/// names.
#[cold]
pub fn left(code: u64, list: &[Item]) {
    write_message(Told::Left, [code]);
    for (number, item) in list.iter().enumerate() {
        write_message(Told::LeftItem, [code, number as u64, item.address as u64]);
    }
}

/// Tells that all work of this thread's construct is done, and that its end is not told for a
/// while.
pub(super) fn rests() {
    write_message(Told::Rests, []);
}

/// Tells that a construct asks for a device that does not exist. It is executed on the host.
#[cold]
pub fn no_device(number: i32) {
    if is_watched() {
        write_message(Told::NoDevice, [number as u64]);
    }
}

/// Tells that the program requires devices to use the host's memory.
#[cold]
pub fn shares_memory() {
    if is_watched() {
        write_message(Told::SharedMemory, []);
    }
}

/// Tells the place of the construct that comes next on this thread, as LLVM's compilers give it:
/// null, or four numbers of four bytes and a text.
#[inline(always)]
pub fn located(location: *const c_void) {
    if is_watched() {
        write_message(Told::Located, [location as u64]);
    }
}

/// Tells the name of list item `number` of the next construct on this thread, as LLVM's compilers
/// give it.
pub fn called(number: usize, name: *const c_char) {
    write_message(Told::Called, [number as u64, name as u64]);
}

/// Runs a region's code.
#[inline(always)]
pub(super) fn kernel(device: i32, region: impl FnOnce()) {
    if is_watched() { on_own_stack(device, region) } else { region() }
}

#[cold]
fn on_own_stack<F: FnOnce()>(device: i32, region: F) {
    extern "C" fn call<F: FnOnce()>(region: *mut c_void) {
        // SAFETY: `on_own_stack` passes the address of such a cell, for this call alone.
        if let Some(region) = unsafe { &*region.cast::<Cell<Option<F>>>() }.take() {
            region();
        }
    }
    let region = Cell::new(Some(region));
    let stack = memory::map(STACK);
    let base = stack.map_or(0, |stack| stack as u64);
    write_message(Told::Kernel, [device as u64, base, STACK as u64]);
    rests::begun();
    match stack {
        // SAFETY: new pages, in use until the call returns; `call` gets its arguments.
        Some(stack) => unsafe {
            watch::on_stack(stack + STACK, call::<F>, (&raw const region).cast_mut().cast());
        },
        None => call::<F>((&raw const region).cast_mut().cast()),
    }
    write_message(Told::KernelEnds, [base]);
    if let Some(stack) = stack {
        // SAFETY: no code runs on it any more.
        unsafe { memory::unmap(stack, STACK) };
    }
}

/// Returns a block in pages of its own, with unused pages before and after it.
#[cold]
pub(super) fn block(device: i32, bytes: usize, align: usize) -> Option<usize> {
    let align = align.max(1);
    let room = bytes.max(1).checked_next_multiple_of(align)?.checked_next_multiple_of(PAGE)?;
    let gap = room.clamp(GAP, WIDEST_GAP);
    let all = room.checked_add(2 * gap + align)?;
    let pages = memory::map(all)?;
    let first = (pages + gap).checked_next_multiple_of(align)? / PAGE * PAGE;
    // The block ends at the end of a page, if its alignment allows that, so that the watcher sees
    // an access beyond it.
    let block = (first + room - bytes.max(1)) / align * align;
    // SAFETY: the pages were just made. All bytes in the block's pages are filled as unwritten
    // ones.
    unsafe { (first as *mut u8).write_bytes(super::memory::POISON, room) };
    write_message(
        Told::Block,
        [device as u64, pages as u64, all as u64, block as u64, bytes as u64],
    );
    Some(block)
}

/// Tells that a block is freed: from then on the watcher keeps the program from using it.
#[cold]
pub(super) fn release(block: usize) {
    write_message(Told::Released, [block as u64]);
}

macro_rules! messages {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),*) => $told:ident;)*) => { $(
        $(#[$meta])*
        #[inline(always)]
        pub(super) fn $name($($argument: usize),*) {
            if is_watched() {
                write_message(Told::$told, [$($argument as u64),*]);
            }
        }
    )* };
}

messages! {
    /// Tells of a variable that functions know by the host's address, although it is mapped as any
    /// other.
    linked(start, bytes) => Linked;
    /// Tells that nothing is written in these bytes of the device.
    fresh(device, bytes) => Fresh;
    /// Tells that the runtime wrote these bytes of the device.
    wrote(device, bytes) => Wrote;
    /// Tells that these bytes were copied to the device.
    to_device(device, host, bytes) => ToDevice;
    /// Tells that these bytes are about to be copied from the device.
    to_host(host, device, bytes) => ToHost;
    /// Tells that these bytes were copied from the device.
    copied_to_host(host, device, bytes) => CopiedToHost;
}

/// Tells of a step of a device's table.
pub(super) fn note(what: Note<'_>) {
    if !is_watched() {
        return;
    }
    let ends = |section: Section| [section.start as u64, section.end as u64];
    match what {
        Note::Item { number, item, present } => {
            let [start, end] = present.map_or([0, 0], ends);
            let (address, size) = (item.address as u64, item.size as u64);
            write_message(Told::Item, [number as u64, address, size, code(item), start, end]);
        }
        Note::Came { number, section, device } => {
            let [start, end] = ends(section);
            write_message(Told::Came, [number as u64, start, end, device as u64]);
        }
        Note::Goes(section) => write_message(Told::Goes, ends(section)),
        Note::Private { number, section, device } => {
            let [start, end] = ends(section);
            write_message(Told::Private, [number as u64, start, end, device as u64]);
        }
    }
}

/// Returns the request of an item as one word: a number in the first byte, and bits above it.
fn code(item: &Item) -> u64 {
    let bits = |bits: [bool; 6]| (0..).zip(bits).map(|(at, bit)| u64::from(bit) << (8 + at)).sum();
    let of_map = |Map { to, from, always, present, implicit, .. }: Map| {
        bits([to, from, always, present, implicit, false])
    };
    let (number, bits): (u64, u64) = match item.kind {
        Kind::Map(map) => (1, of_map(map)),
        Kind::NoLength { .. } => (2, 0),
        Kind::Release(release) => {
            let Release { from, always, present, implicit, delete, .. } = release;
            (3, bits([false, from, always, present, implicit, delete]))
        }
        Kind::Attach { .. } => (4, 0),
        Kind::Firstprivate => (5, 0),
        Kind::Value => (6, 0),
        Kind::IfPresent => (7, 0),
        Kind::Translate { .. } => (8, 0),
        Kind::PrivatePointer { .. } => (9, 0),
        Kind::Pointer { .. } | Kind::AlwaysPointer | Kind::Bind { .. } => (10, 0),
        Kind::Members => (11, 0),
        Kind::Detach { .. } => (12, 0),
        Kind::Descriptor => (13, 0),
        Kind::Private | Kind::Captured { .. } | Kind::Nothing => (0, 0),
    };
    number | bits
}

/// Tells of a map that cannot be carried out. The program ends then.
pub fn fault(fault: &Fault) {
    if !is_watched() {
        return;
    }
    let (code, [a, b, c, d]) = match *fault {
        Fault::Overlaps { section, present, .. } => {
            (1, [section.start, section.end, present.start, present.end])
        }
        Fault::Absent { section, .. } => (2, [section.start, section.end, 0, 0]),
        Fault::Dangling { pointer, target, .. } => (3, [pointer, pointer + 8, target, 0]),
        Fault::Null { pointer, .. } => (4, [pointer, pointer + 8, 0, 0]),
        Fault::Member { section, .. } => (5, [section.start, section.end, 0, 0]),
        Fault::NoMemory { bytes, .. } => (6, [0, bytes, 0, 0]),
    };
    let [a, b, c, d] = [a, b, c, d].map(|word| word as u64);
    write_message(Told::Fault, [code, fault.item() as u64, a, b, c, d]);
}

/// Tells that a routine that works on devices' memory begins. `on`: the devices of source and
/// destination.
#[cold]
pub fn routine(op: TargetOp, ends: &Ends, on: (i32, i32), caller: Caller) {
    if !is_watched() {
        return;
    }
    let devices = on.0 as u32 as u64 | (on.1 as u32 as u64) << 32;
    let (source, destination) = (ends.source as u64, ends.destination as u64);
    let bytes = ends.bytes as u64;
    let words = [op as u64, source, destination, bytes, caller.address(), devices];
    write_message(Told::Routine, words);
}

/// Tells that the routine is done.
#[cold]
pub fn routine_ends() {
    if is_watched() {
        write_message(Told::RoutineEnds, []);
    }
}
