//! Memory spaces of devices: of those that another library (a device library) offers, or of those
//! that the host plays (`played.rs`).
//!
//! LLVM 21 and later ask such a library for three functions: the resources that a list of devices
//! has for a memory space; to allocate with an allocator; to free. Both libraries read the records
//! here; their first fields are those of LLVM's. There is one space for each set of resources, and
//! it is never freed.

use crate::played;
use core::ffi::{CStr, c_int, c_void};
use omphalos_sync::process_lock::{Guard, ProcessLock, in_loader, rank};
use omphalos_sync::settled::Settled;
use omphalos_sys::dynamic::nobody_else_defines;
use omphalos_sys::library;
use std::collections::BinaryHeap;

type Resources = unsafe extern "C" fn(c_int, *const c_int, c_int, usize, *mut c_int) -> c_int;
/// A function that allocates with an allocator's record, whose first fields the library reads.
type Allocate = unsafe extern "C" fn(usize, *const c_void) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void, *const c_void);

/// The functions that a library of devices offers.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    resources: Resources,
    pub(crate) allocate: Allocate,
    pub(crate) free: Free,
}

/// Returns the library, which may be loaded at any time.
pub(crate) fn offered() -> Option<Library> {
    static FOUND: Settled<Library> = Settled::new();
    if played::are_there() {
        let (resources, allocate, free) = (played::resources, played::allocate, played::free);
        return Some(Library { resources, allocate, free });
    }
    if let Some(library) = FOUND.get() {
        return Some(*library);
    }
    // A library whose constructor waits for the caller holds the dynamic linker's lock: it is asked
    // only if a library has these functions.
    const NAMES: [&CStr; 3] = [c"__tgt_get_mem_resources", c"__tgt_omp_alloc", c"__tgt_omp_free"];
    if in_loader(|| nobody_else_defines(&NAMES)) {
        return None;
    }
    let [Some(resources), Some(allocate), Some(free)] = NAMES.map(library::find) else {
        return None;
    };
    // SAFETY: the names have only this meaning.
    let library = unsafe {
        Library {
            resources: core::mem::transmute::<*mut c_void, Resources>(resources),
            allocate: core::mem::transmute::<*mut c_void, Allocate>(allocate),
            free: core::mem::transmute::<*mut c_void, Free>(free),
        }
    };
    Some(*FOUND.get_or(|| library))
}

/// A memory space of devices; its address is the handle.
#[repr(C)]
struct Space {
    /// The predefined memory space that it is a part of.
    kind: usize,
    count: c_int,
    /// The resources, in ascending order.
    resources: *const c_int,
    next: *const Space,
}

// SAFETY: never written after it was made; its targets live to the end.
unsafe impl Send for Space {}
// SAFETY: as above.
unsafe impl Sync for Space {}

impl Space {
    fn resources(&self) -> &'static [c_int] {
        // SAFETY: made from a slice of that length, which is never freed.
        unsafe { core::slice::from_raw_parts(self.resources, self.count as usize) }
    }
}

fn spaces() -> Guard<'static, Vec<&'static Space>, { rank::SPACES }> {
    static SPACES: ProcessLock<Vec<&'static Space>, { rank::SPACES }> =
        ProcessLock::new(Vec::new());
    SPACES.lock()
}

fn of_handle(handle: usize) -> Option<&'static Space> {
    spaces().iter().copied().find(|&space| core::ptr::eq(space, handle as *const Space))
}

/// Returns the one space of these resources.
fn space_of(kind: usize, resources: Vec<c_int>) -> usize {
    // Sorted by a heap: a tenth of the code of `sort_unstable`.
    let resources = BinaryHeap::from(resources).into_sorted_vec();
    let mut spaces = spaces();
    let same = |space: &&&Space| space.kind == kind && space.resources() == resources;
    let known = spaces.iter().find(same).copied();
    let space = known.unwrap_or_else(|| {
        let resources: &'static [c_int] = Vec::leak(resources);
        let next = spaces.last().map_or(core::ptr::null(), |&last| core::ptr::from_ref(last));
        let count = resources.len() as c_int;
        let made = Box::leak(Box::new(Space { kind, count, resources: resources.as_ptr(), next }));
        spaces.push(made);
        made
    });
    core::ptr::from_ref(space) as usize
}

/// Returns the memory of these devices (with `host`, also the host's) in the predefined space
/// `kind`; `None` if there is no library, or it has no such memory.
pub(crate) fn space(devices: &[c_int], host: bool, kind: usize) -> Option<usize> {
    let library = offered()?;
    let count = c_int::try_from(devices.len()).ok()?;
    let ask = |to: *mut c_int| {
        // SAFETY: the library's interface: null asks how many there are, then there is room for
        // them.
        unsafe { (library.resources)(count, devices.as_ptr(), host.into(), kind, to) }
    };
    let room = usize::try_from(ask(core::ptr::null_mut())).ok().filter(|&room| room > 0)?;
    let mut resources = vec![0; room];
    let written = usize::try_from(ask(resources.as_mut_ptr())).ok()?;
    resources.truncate(written);
    (written > 0).then(|| space_of(kind, resources))
}

/// Returns how many resources a space of devices has; `None` for other handles.
pub(crate) fn resource_count(handle: usize) -> Option<c_int> {
    of_handle(handle).map(|space| space.count)
}

/// Returns the part of a space of devices with the resources at these places; `None` for other
/// handles; `Some(None)` if there is no such part.
pub(crate) fn part(handle: usize, places: &[c_int]) -> Option<Option<usize>> {
    let space = of_handle(handle)?;
    let all = space.resources();
    let at = |&place: &c_int| all.get(usize::try_from(place).ok()?).copied();
    let resources: Option<Vec<c_int>> = places.iter().map(at).collect();
    let resources = resources.filter(|resources| (1..=all.len()).contains(&resources.len()));
    Some(resources.map(|resources| space_of(space.kind, resources)))
}

/// Whether this is a space of devices.
pub(crate) fn is_space(handle: usize) -> bool {
    of_handle(handle).is_some()
}
