//! The library of MPI that the process has loaded: the addresses of its functions, and its form of
//! a communicator.

use core::ffi::{CStr, c_int, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed};

/// Returns the real function behind the agent's of this name, null if there is none.
pub fn next(name: &CStr) -> *mut c_void {
    find(libc::RTLD_NEXT, name)
}

/// Returns a function or variable of the library. A library that the program opened for itself
/// alone, as an extension of Python's does, is found by its file's name.
fn find(from: *mut c_void, name: &CStr) -> *mut c_void {
    // SAFETY: a C string, and one of the handles that the loader has for this.
    let known = unsafe { libc::dlsym(from, name.as_ptr()) };
    if !known.is_null() {
        return known;
    }
    let mut search = Search { name, found: null_mut() };
    // SAFETY: the structure outlives the call, which alone has it.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search.found
}

struct Search<'a> {
    name: &'a CStr,
    found: *mut c_void,
}

/// Looks for the symbol in one mapped object.
unsafe extern "C" fn look(object: *mut libc::dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
    // SAFETY: the loader's structure, and the caller's.
    let (path, search) = unsafe { ((*object).dlpi_name, &mut *search.cast::<Search<'_>>()) };
    if path.is_null() {
        return 0;
    }
    // SAFETY: the loader's C string.
    let text = unsafe { CStr::from_ptr(path) }.to_bytes();
    let file = text.rsplit(|byte| *byte == b'/').next().unwrap_or(text);
    if !file.starts_with(b"libmpi") {
        return 0;
    }
    // SAFETY: a library that is loaded: the handle is given back at once.
    unsafe {
        let handle = libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if !handle.is_null() {
            search.found = libc::dlsym(handle, search.name.as_ptr());
            libc::dlclose(handle);
        }
    }
    c_int::from(!search.found.is_null())
}

/// A function of the library that the agent calls itself.
pub struct Own {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Own {
    const fn new(name: &'static CStr) -> Own {
        Own { name, address: AtomicPtr::new(null_mut()) }
    }

    fn address(&self) -> *mut c_void {
        let known = self.address.load(Relaxed);
        if !known.is_null() {
            return known;
        }
        // A variable of the library may be in the program's own file (a copy relocation).
        let found = find(libc::RTLD_DEFAULT, self.name);
        self.address.store(found, Relaxed);
        found
    }
}

static COMM_RANK: Own = Own::new(c"PMPI_Comm_rank");
static COMM_SIZE: Own = Own::new(c"PMPI_Comm_size");
static COMM_GROUP: Own = Own::new(c"PMPI_Comm_group");
static GROUP_FREE: Own = Own::new(c"PMPI_Group_free");
static TRANSLATE: Own = Own::new(c"PMPI_Group_translate_ranks");
static FROM_FORTRAN: Own = Own::new(c"PMPI_Comm_f2c");
static WINDOW_FROM_FORTRAN: Own = Own::new(c"PMPI_Win_f2c");
static VERSION: Own = Own::new(c"PMPI_Get_library_version");
/// A communicator of Open MPI is the address of a structure; one of MPICH and its kin is a number.
static OPEN_WORLD: Own = Own::new(c"ompi_mpi_comm_world");
static OPEN_SELF: Own = Own::new(c"ompi_mpi_comm_self");
static OPEN_NULL: Own = Own::new(c"ompi_mpi_comm_null");

static WAYS: AtomicU32 = AtomicU32::new(UNKNOWN);
const UNKNOWN: u32 = 0;
const NUMBERS: u32 = 1;
const ADDRESSES: u32 = 2;

fn has_addresses() -> bool {
    if WAYS.load(Relaxed) == UNKNOWN {
        let is_open = !OPEN_WORLD.address().is_null();
        WAYS.store(if is_open { ADDRESSES } else { NUMBERS }, Relaxed);
    }
    WAYS.load(Relaxed) == ADDRESSES
}

/// A request in the library's form. Fortran's numbers differ from C's addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Request(pub usize);

impl Request {
    /// Reads the `at`th request of the array at this address, which is the program's.
    pub fn read(place: usize, at: usize, is_fortran: bool) -> Option<Request> {
        let is_address = has_addresses() && !is_fortran;
        let size = if is_address { size_of::<usize>() } else { size_of::<c_int>() };
        let place = (place != 0).then(|| place.wrapping_add(at * size))?;
        // SAFETY: the program has a request there.
        Some(Request(unsafe {
            match is_address {
                true => *core::ptr::with_exposed_provenance::<usize>(place),
                false => *core::ptr::with_exposed_provenance::<u32>(place) as usize,
            }
        }))
    }
}

/// Returns how many integers of a status stand in front of the rank and the tag.
fn status_begin() -> usize {
    if has_addresses() { 0 } else { 2 }
}

/// Returns rank and tag of a received message, if the program has a status at this address.
pub fn received(status: usize) -> Option<(c_int, c_int)> {
    // `MPI_STATUS_IGNORE` is null, or a small number.
    let place = (status > 4096).then(|| status + status_begin() * size_of::<c_int>())?;
    let numbers = core::ptr::with_exposed_provenance::<c_int>(place);
    // SAFETY: the program's structure, which the library has filled.
    Some(unsafe { (*numbers, *numbers.add(1)) })
}

/// A communicator in the library's form in C.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Communicator(pub usize);

impl Communicator {
    /// Returns the communicator of all processes.
    pub fn world() -> Communicator {
        Communicator(if has_addresses() { OPEN_WORLD.address().addr() } else { 0x4400_0000 })
    }

    /// Reads the communicator from an argument in C.
    pub fn of_argument(word: usize) -> Communicator {
        Communicator(if has_addresses() { word } else { word as u32 as usize })
    }

    /// Reads a communicator that a call left at this address.
    ///
    /// # Safety
    /// `at` is where a function of C's put a communicator.
    pub unsafe fn read(at: usize) -> Communicator {
        // SAFETY: the caller's promise.
        Communicator(unsafe {
            match has_addresses() {
                true => *core::ptr::with_exposed_provenance::<usize>(at),
                false => *core::ptr::with_exposed_provenance::<u32>(at) as usize,
            }
        })
    }

    /// Finds the communicator of a Fortran number.
    pub fn of_fortran(number: c_int) -> Option<Communicator> {
        Communicator::from_fortran(number, &FROM_FORTRAN)
    }

    /// Finds the window of a Fortran number, for which the library has another function.
    pub fn of_window(number: c_int) -> Option<Communicator> {
        Communicator::from_fortran(number, &WINDOW_FROM_FORTRAN)
    }

    fn from_fortran(number: c_int, function: &Own) -> Option<Communicator> {
        if !has_addresses() {
            return Some(Communicator(number as u32 as usize));
        }
        let function = function.address();
        if function.is_null() {
            return None;
        }
        // SAFETY: the library's function, which has this type.
        let function: unsafe extern "C" fn(c_int) -> usize =
            unsafe { core::mem::transmute(function) };
        // SAFETY: any number may be asked for.
        Some(Communicator(unsafe { function(number) }))
    }

    /// Whether it is a communicator, and has other processes than this one.
    pub fn is_shared(self) -> bool {
        match has_addresses() {
            true => {
                let none = [OPEN_NULL.address().addr(), OPEN_SELF.address().addr(), 0];
                !none.contains(&self.0)
            }
            false => !matches!(self.0, 0x0400_0000 | 0x4400_0001 | 0),
        }
    }

    /// Returns the process's rank in it, and the number of its processes. The caller knows that MPI
    /// has begun, and not ended.
    pub fn place(self) -> Option<(u32, u32)> {
        Some((self.ask(&COMM_RANK)?, self.ask(&COMM_SIZE)?))
    }

    /// Returns the rank that its first process has in `parent`. The caller knows that MPI has
    /// begun, and not ended.
    pub fn leader(self, parent: Communicator) -> Option<u32> {
        let [group, free, translate] =
            [&COMM_GROUP, &GROUP_FREE, &TRANSLATE].map(|function| function.address());
        if group.is_null() || free.is_null() || translate.is_null() {
            return None;
        }
        // A group is one word, or half a word.
        type Group = unsafe extern "C" fn(usize, *mut usize) -> c_int;
        type Free = unsafe extern "C" fn(*mut usize) -> c_int;
        type Translate =
            unsafe extern "C" fn(usize, c_int, *const c_int, usize, *mut c_int) -> c_int;
        // SAFETY: the library's functions, which have these types on this processor.
        let (group, free, translate): (Group, Free, Translate) = unsafe {
            (
                core::mem::transmute::<*mut c_void, Group>(group),
                core::mem::transmute::<*mut c_void, Free>(free),
                core::mem::transmute::<*mut c_void, Translate>(translate),
            )
        };
        let (mut own, mut parents, mut rank) = (0usize, 0usize, -1);
        // SAFETY: the communicators exist; groups and numbers belong to this function.
        unsafe {
            if group(self.0, &mut own) == 0 {
                if group(parent.0, &mut parents) == 0 {
                    translate(own, 1, &0, parents, &mut rank);
                    free(&mut parents);
                }
                free(&mut own);
            }
        }
        u32::try_from(rank).ok()
    }

    fn ask(self, function: &Own) -> Option<u32> {
        let function = function.address();
        if function.is_null() {
            return None;
        }
        let mut answer: c_int = -1;
        // SAFETY: the library's function, which has this type on this processor: a communicator is
        // one word, or half a word.
        let function: unsafe extern "C" fn(usize, *mut c_int) -> c_int =
            unsafe { core::mem::transmute(function) };
        // SAFETY: the communicator exists, and the number belongs to this function.
        let refused = unsafe { function(self.0, &mut answer) };
        u32::try_from(answer).ok().filter(|_| refused == 0)
    }
}

/// Returns the library's name of itself and its version: the first line of it. Allocates.
pub fn version() -> Vec<u8> {
    /// The room for the text: no library has more.
    const LONGEST: usize = 1 << 14;
    let function = VERSION.address();
    if function.is_null() {
        return Vec::new();
    }
    let mut text = vec![0u8; LONGEST];
    let mut length: c_int = 0;
    // SAFETY: the library's function, which has this type.
    let function: unsafe extern "C" fn(*mut u8, *mut c_int) -> c_int =
        unsafe { core::mem::transmute(function) };
    // SAFETY: there is room for the longest text, and the number belongs to this function.
    unsafe { function(text.as_mut_ptr(), &mut length) };
    let end = text.iter().position(|byte| matches!(byte, 0 | b'\n' | b','));
    text.truncate(end.unwrap_or(0));
    text.iter_mut().filter(|byte| **byte == b'\t').for_each(|byte| *byte = b' ');
    text
}
