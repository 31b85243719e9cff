//! The mapped objects: their places, and those of their unwind information.
//!
//! What must hold: a list is made outside handlers and never changed. Handlers take the newest by
//! one load and are counted while they use it, so an old list is freed only when no handler walks.
//! A handler that finds an address in no module asks for a newer list, which the next callback
//! makes. Before objects are unmapped ([`frozen`]), handlers stop reading them; objects that are
//! still read after some time stay mapped.

use super::object::describe;
use super::{depth, newcomer, vacated};
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use core::time::Duration;
use gimli::{BaseAddresses, EndianSlice, LittleEndian, ParsedEhFrameHdr};
use omphalos_sync::process_lock::in_loader;
use std::time::Instant;

/// One mapped object.
pub struct Module {
    /// The first mapped address.
    pub start: u64,
    /// The address one past the last mapped one.
    pub end: u64,
    /// The offset in the file of the byte at `start`.
    pub file_offset: u64,
    /// The executable parts.
    pub code: Vec<(u64, u64)>,
    /// The path that the loader has; the executable's own path is filled in.
    pub path: Vec<u8>,
    /// The note's bytes, empty if there is none.
    pub build_id: Vec<u8>,
    /// `module_flag`s.
    pub flags: u32,
    /// True for the code that the kernel maps into each process (the vDSO): it is in no file.
    pub is_kernels: bool,
    /// The memory from `.eh_frame` to the end of its segment.
    pub eh_frame: &'static [u8],
    /// The search table.
    pub header: Option<ParsedEhFrameHdr<EndianSlice<'static, LittleEndian>>>,
    /// The addresses that the information is relative to.
    pub bases: BaseAddresses,
}

/// All objects at one time, by address.
pub struct Modules {
    /// A number that differs from list to list.
    pub generation: u32,
    /// The modules, ordered by `start`.
    pub list: Vec<Module>,
    changes: (u64, u64),
}

static NEWEST: AtomicPtr<Modules> = AtomicPtr::new(core::ptr::null_mut());
static GENERATION: AtomicU32 = AtomicU32::new(0);
static STALE: AtomicBool = AtomicBool::new(false);
static LAST_LOOK: AtomicU64 = AtomicU64::new(0);
static FROZEN: AtomicUsize = AtomicUsize::new(0);
static WALKING: AtomicUsize = AtomicUsize::new(0);

impl Modules {
    /// Returns the module that `address` is in. Async-signal-safe.
    pub fn find(&self, address: u64) -> Option<&Module> {
        let after = self.list.partition_point(|module| module.start <= address);
        self.list.get(after.checked_sub(1)?).filter(|module| address < module.end)
    }

    /// Returns the range of each module: first address, one past the last.
    fn places(&self) -> Vec<(u64, u64)> {
        self.list.iter().map(|module| (module.start, module.end)).collect()
    }

    /// Asks for a newer list. Async-signal-safe.
    pub fn note_unknown(&self) {
        STALE.store(true, Relaxed);
    }
}

/// Gives `use_it` the newest list, which it must not keep, and whether the objects may be read:
/// while some are being unmapped only the list itself may. `None` before there is a list.
/// Async-signal-safe.
pub fn with_newest<R>(use_it: impl FnOnce(&Modules, bool) -> R) -> Option<R> {
    WALKING.fetch_add(1, SeqCst);
    // SAFETY: null or a list, which is not freed while any handler is counted here.
    let newest = unsafe { NEWEST.load(SeqCst).as_ref() };
    let readable = FROZEN.load(SeqCst) == 0;
    let result = newest.map(|modules| use_it(modules, readable));
    WALKING.fetch_sub(1, SeqCst);
    result
}

/// The longest wait for walks to end. A walk takes microseconds of processor time: a longer one was
/// stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest wait before an old list is freed: if walks go on, only its memory is lost.
const SOME: Duration = Duration::from_millis(50);

/// Runs `unmap` while no handler reads any module, then makes a new list if objects went. Returns
/// `None`, and unmaps nothing, if a handler does not stop reading.
pub fn frozen<R>(unmap: impl FnOnce() -> R) -> Option<R> {
    frozen_within(PATIENCE, unmap)
}

fn frozen_within<R>(patience: Duration, unmap: impl FnOnce() -> R) -> Option<R> {
    FROZEN.fetch_add(1, SeqCst);
    let result = nobody_walks(patience).then(|| {
        let before = changes();
        let places = || with_newest(|modules, _| modules.places()).unwrap_or_default();
        let known = places();
        let result = unmap();
        if changes() != before {
            make();
            let still = places();
            known.into_iter().filter(|gone| !still.contains(gone)).for_each(vacated::keep);
        }
        result
    });
    FROZEN.fetch_sub(1, SeqCst);
    result
}

/// Waits until no walk is under way. Returns false if that does not happen.
fn nobody_walks(patience: Duration) -> bool {
    let start = Instant::now();
    let mut looks = 0;
    while WALKING.load(SeqCst) != 0 {
        if start.elapsed() > patience {
            return false;
        }
        // A walk may need this processor.
        looks += 1;
        if looks < 1000 {
            omphalos_sys::thread::give_way();
        } else {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
    true
}

/// Resets the counts in a forked child, which has no other thread that could walk.
pub fn reset_in_child() {
    WALKING.store(0, SeqCst);
    FROZEN.store(0, SeqCst);
}

/// Makes a newer list if a handler found an unknown address, at most ten times a second; returns
/// whether there is a new one. `now` is in ns. Callbacks call it; a signal handler must not.
#[inline]
pub fn refresh(now: impl FnOnce() -> u64) -> bool {
    if !STALE.load(Relaxed) {
        return false;
    }
    depth::prepare();
    let now = now();
    if now.saturating_sub(LAST_LOOK.load(Relaxed)) < 100_000_000 {
        return false;
    }
    LAST_LOOK.store(now, Relaxed);
    STALE.store(false, Relaxed);
    renew()
}

/// Makes a newer list if objects came or went; returns whether there is a new one. Allocates.
pub fn renew() -> bool {
    with_newest(|modules, _| modules.changes) != Some(changes()) && make()
}

/// Makes a list and puts it in place. Returns true if it could. Allocates.
pub fn make() -> bool {
    newcomer::prepare();
    let mut list: Vec<Module> = Vec::with_capacity(64);
    let before = changes();
    // SAFETY: the callback gets the vector that lives here, and its own arguments are the loader's.
    in_loader(|| unsafe {
        libc::dl_iterate_phdr(Some(add), core::ptr::from_mut(&mut list).cast())
    });
    list.sort_by_key(|module| module.start);
    let generation = GENERATION.fetch_add(1, Relaxed) + 1;
    let modules = Box::new(Modules { generation, list, changes: before });
    let old = NEWEST.swap(Box::into_raw(modules), SeqCst);
    if !old.is_null() && nobody_walks(SOME) {
        // SAFETY: made by `Box::into_raw` in an earlier call; a handler that begins to walk from
        // now on finds the new list, and none was walking a moment ago.
        drop(unsafe { Box::from_raw(old) });
    }
    true
}

/// Returns the numbers of times that objects came and went.
fn changes() -> (u64, u64) {
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        out: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: `out` is the pair below; the loader's structure is valid for the call.
        unsafe { *out.cast::<(u64, u64)>() = ((*info).dlpi_adds, (*info).dlpi_subs) };
        1
    }
    let mut counts = (0u64, 0u64);
    // SAFETY: as said in the callback.
    in_loader(|| unsafe {
        libc::dl_iterate_phdr(Some(first), core::ptr::from_mut(&mut counts).cast())
    });
    counts
}

unsafe extern "C" fn add(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    list: *mut libc::c_void,
) -> libc::c_int {
    // SAFETY: `list` is the vector of `make`; the loader's structure and its headers are valid.
    unsafe {
        let list = &mut *list.cast::<Vec<Module>>();
        if let Some(module) = describe(&*info) {
            list.push(module);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_information() {
        assert!(make());
        let address = this_program_has_information as *const () as u64;
        let found = with_newest(|modules, _| {
            modules.find(address).map(|module| (module.header.is_some(), module.eh_frame.len()))
        });
        assert!(matches!(found, Some(Some((true, 1000..)))), "{found:?}");
    }

    #[test]
    fn nothing_is_unmapped_under_who_reads_it() {
        use std::sync::mpsc::channel;
        assert!(make());
        let ((began, is_walking), (end, may_end)) = (channel(), channel::<()>());
        let walker = std::thread::spawn(move || {
            with_newest(|_, readable| {
                began.send(readable).unwrap();
                may_end.recv().unwrap();
            });
        });
        assert!(is_walking.recv().unwrap());
        let mut unmapped = false;
        assert_eq!(frozen_within(Duration::from_millis(20), || unmapped = true), None);
        assert!(!unmapped);
        end.send(()).unwrap();
        walker.join().unwrap();
        let readable = || with_newest(|_, readable| readable);
        assert_eq!(frozen(readable), Some(Some(false)));
        assert_eq!(readable(), Some(true));
    }
}
