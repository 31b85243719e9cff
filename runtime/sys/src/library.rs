//! Libraries of the process: names looked up, files loaded.
//!
//! None of this is async-signal-safe: the dynamic linker takes locks. A caller that may run beside
//! a fork calls it through `omphalos_sync::process_lock::in_loader`, where the function says so.

use core::ffi::{CStr, c_int, c_void};
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};

fn look_up(scope: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends with a zero; the callers pass open handles or pseudo handles.
    let found = unsafe { libc::dlsym(scope, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Returns the first definition of `name` in the global scope: the program and the libraries loaded
/// with it.
pub fn find(name: &CStr) -> Option<*mut c_void> {
    look_up(libc::RTLD_DEFAULT, name)
}

/// Returns the first definition of `name` behind this library's in the scope that it was loaded
/// into.
pub fn find_behind(name: &CStr) -> Option<*mut c_void> {
    look_up(libc::RTLD_NEXT, name)
}

/// A library that was loaded by its name.
pub struct Loaded(*mut c_void);

// SAFETY: a handle is the process's, and any thread may use it.
unsafe impl Send for Loaded {}

impl Loaded {
    /// Loads a library as the program would.
    ///
    /// # Errors
    /// The dynamic linker's own words.
    pub fn load(name: &CStr) -> Result<Loaded, String> {
        // SAFETY: the name ends with a zero; the library answers for its own constructors.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if handle.is_null() { Err(linker_error()) } else { Ok(Loaded(handle)) }
    }

    /// Loads a library from the bytes of its file. Each call loads it anew, with data of its own.
    /// The library's own definitions come before the process's: the program may have variables and
    /// functions of the same names. `keep`: the file stays open, for a debugger to read.
    ///
    /// # Errors
    /// The dynamic linker's own words, or the system's.
    pub fn of_bytes(bytes: &[u8], keep: bool) -> Result<Loaded, String> {
        let file = memory_file(bytes).map_err(|error| error.to_string())?;
        // A name that the linker has not met: by the same name it would find the same file.
        static LOADED: AtomicUsize = AtomicUsize::new(0);
        let slashes = "/".repeat(LOADED.fetch_add(1, Ordering::Relaxed) % SLASHES);
        let path = format!("/proc/self/fd/{slashes}{}\0", file.as_raw_fd());
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
        // SAFETY: the path ends with a zero; the library answers for its own constructors.
        let handle = unsafe { libc::dlopen(path.as_ptr().cast(), flags) };
        if keep {
            core::mem::forget(file);
        }
        if handle.is_null() { Err(linker_error()) } else { Ok(Loaded(handle)) }
    }

    /// Returns the library's (or one of its dependencies') definition of `name`.
    pub fn find(&self, name: &CStr) -> Option<*mut c_void> {
        look_up(self.0, name)
    }

    /// Unloads the library. Nothing may point into it.
    pub fn unload(self) {
        // SAFETY: the handle is open and not used again.
        unsafe { libc::dlclose(self.0) };
    }
}

/// The longest run of slashes. The kernel takes paths of up to 4096 bytes.
const SLASHES: usize = 3000;

/// Makes a file without a name that holds these bytes.
fn memory_file(bytes: &[u8]) -> std::io::Result<File> {
    // SAFETY: the name ends with a zero.
    let file = unsafe { libc::memfd_create(c"omphalos-image".as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: just opened; no other code has it.
    let mut file = unsafe { File::from_raw_fd(file) };
    file.write_all(bytes)?;
    Ok(file)
}

fn linker_error() -> String {
    // SAFETY: dlerror gives null or a string of the calling thread, copied before the next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            return String::from("no reason given");
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

/// Returns the definition of `name` in a file that is loaded already (an empty path: the program)
/// and its dependencies; null if there is none.
pub fn find_in_loaded(file: &CStr, name: &CStr) -> *mut c_void {
    let path = if file.is_empty() { core::ptr::null() } else { file.as_ptr() };
    // SAFETY: a file that is loaded already, or null for the program.
    let handle = unsafe { libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the handle is open; the file stays loaded, as it was before.
    unsafe {
        let found = libc::dlsym(handle, name.as_ptr());
        libc::dlclose(handle);
        found
    }
}

fn known(address: *const c_void) -> Option<libc::Dl_info> {
    // SAFETY: all-zero is a valid value of this plain structure.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: takes any address and fills the structure.
    (unsafe { libc::dladdr(address, &mut info) } != 0).then_some(info)
}

/// Returns the path of the file that an address was loaded from, the program's own included. The
/// path stays as long as the file is loaded.
pub fn file_of(address: *const c_void) -> Option<&'static CStr> {
    let name = known(address)?.dli_fname;
    // SAFETY: the dynamic linker's own string.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}

/// Returns the address at which the file of an address was loaded.
pub fn base_of(address: *const c_void) -> Option<usize> {
    known(address).map(|info| info.dli_fbase as usize)
}

/// Shows `look` each loaded file, in the order in which they were loaded, until `look` returns
/// true. `look` may call nothing of the dynamic linker's.
pub fn each_file<F: FnMut(&libc::dl_phdr_info) -> bool>(mut look: F) {
    unsafe extern "C" fn call<F: FnMut(&libc::dl_phdr_info) -> bool>(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        look: *mut c_void,
    ) -> c_int {
        // SAFETY: the linker's description of a loaded file, and the closure that was handed over.
        let (info, look) = unsafe { (&*info, &mut *look.cast::<F>()) };
        c_int::from(look(info))
    }
    // SAFETY: `call` gets the closure that it expects.
    unsafe { libc::dl_iterate_phdr(Some(call::<F>), (&raw mut look).cast()) };
}

/// Returns the addresses from a loaded file's first segment to the end of its last.
pub fn extent(info: &libc::dl_phdr_info) -> Range<usize> {
    let segments = headers(info).iter().filter(|header| header.p_type == libc::PT_LOAD);
    let (from, to) = segments.fold((usize::MAX, 0), |(from, to), segment| {
        let start = (info.dlpi_addr + segment.p_vaddr) as usize;
        (from.min(start), to.max(start + segment.p_memsz as usize))
    });
    from..to
}

/// Returns a loaded file's program headers.
pub fn headers(info: &libc::dl_phdr_info) -> &[libc::Elf64_Phdr] {
    if info.dlpi_phdr.is_null() {
        return &[];
    }
    // SAFETY: the linker's description of a file that is loaded.
    unsafe { core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) }
}
