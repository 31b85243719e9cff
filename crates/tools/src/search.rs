//! Finding a function that a tool defines: in the address space, or in a library by name.
//!
//! The runtime exports a weak definition of the same name, and glibc does not prefer a strong symbol
//! over a weak one across libraries: the first in the search order wins. So the own definition is
//! recognised by its address and stepped over.

use core::ffi::{CStr, c_void};
use omphalos_sync::process_lock::in_loader;
use std::ffi::CString;

/// The first definition of `name` in the address space that is not `own`: the program and the
/// libraries in the global scope, then those after the runtime in the scope it was loaded into.
pub fn in_address_space(name: &CStr, own: *const c_void) -> Option<*mut c_void> {
    [libc::RTLD_DEFAULT, libc::RTLD_NEXT].into_iter().find_map(|scope| {
        // SAFETY: the name is zero-terminated and the pseudo handles are always valid.
        let found = unsafe { libc::dlsym(scope, name.as_ptr()) };
        (!found.is_null() && found.cast_const() != own).then_some(found)
    })
}

/// Whether `own` is the only definition of `name` that the linker finds, and is in the global scope.
pub fn is_alone(name: &CStr, own: *const c_void) -> bool {
    // SAFETY: as in `in_address_space`.
    let found = |scope| unsafe { libc::dlsym(scope, name.as_ptr()) }.cast_const();
    found(libc::RTLD_DEFAULT) == own && {
        let next = found(libc::RTLD_NEXT);
        next.is_null() || next == own
    }
}

/// How many files were loaded into the process so far.
pub fn files_loaded() -> u64 {
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        count: *mut c_void,
    ) -> core::ffi::c_int {
        // SAFETY: the linker's description of a loaded file, and the number that was handed over.
        unsafe { *count.cast::<u64>() = (*info).dlpi_adds };
        1
    }
    let mut count = 0u64;
    // SAFETY: `first` gets the number it expects and calls nothing of the linker's.
    in_loader(|| unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut count).cast()) });
    count
}

/// A library that was loaded for its tool.
pub struct Library(*mut c_void);

impl Library {
    /// Loads a library as the program would.
    ///
    /// # Errors
    /// The dynamic linker's own words.
    pub fn load(name: &CStr) -> Result<Library, String> {
        // SAFETY: the name is zero-terminated; what the library's constructors do is its own affair.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if handle.is_null() { Err(linker_error()) } else { Ok(Library(handle)) }
    }

    /// The library's (or one of its dependencies') definition of `name`, unless that is `own`.
    pub fn find(&self, name: &CStr, own: *const c_void) -> Option<*mut c_void> {
        // SAFETY: the handle is open and the name zero-terminated.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!found.is_null() && found.cast_const() != own).then_some(found)
    }

    /// Lets the library go. Only for one that holds no tool: nothing may point into it.
    pub fn unload(self) {
        // SAFETY: the handle is open and not used again.
        unsafe { libc::dlclose(self.0) };
    }
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

/// The file that an address was loaded from, for messages.
pub fn file_of(address: *mut c_void) -> String {
    // SAFETY: all-zero is a valid value of this plain structure.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: dladdr takes any address and fills the structure.
    let known = unsafe { libc::dladdr(address, &mut info) } != 0 && !info.dli_fname.is_null();
    if !known {
        return String::from("an unknown file");
    }
    // SAFETY: the dynamic linker's own string, which lives while the file is loaded.
    unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy().into_owned()
}

/// A loaded file, and where it lies.
struct Object {
    /// As the dynamic linker knows it; empty for the program itself.
    name: CString,
    from: usize,
    to: usize,
}

/// Every loaded file's own definitions of `names`, in the order in which the files were loaded: the
/// program, what was preloaded, the other libraries. Files without any are left out, and so are other
/// OpenMP runtimes, whose definitions only look for somebody else's.
pub fn in_every_file<const N: usize>(names: [&CStr; N]) -> Vec<[*mut c_void; N]> {
    loaded()
        .iter()
        .filter_map(|object| {
            let own = |name: &CStr| object.own(name);
            if !own(c"__kmpc_fork_call").is_null() || !own(c"GOMP_parallel").is_null() {
                return None;
            }
            let found = names.map(own);
            found.iter().any(|address| !address.is_null()).then_some(found)
        })
        .collect()
}

impl Object {
    /// The file's own definition of `name`, null if it has none.
    fn own(&self, name: &CStr) -> *mut c_void {
        let file = if self.name.is_empty() { core::ptr::null() } else { self.name.as_ptr() };
        // SAFETY: a file that is loaded already, or null for the program.
        let handle = unsafe { libc::dlopen(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if handle.is_null() {
            return core::ptr::null_mut();
        }
        // SAFETY: the handle is open; the file stays loaded, as it was before.
        let found = unsafe {
            let found = libc::dlsym(handle, name.as_ptr());
            libc::dlclose(handle);
            found
        };
        // What was found may be a dependency's.
        let is_own = (self.from..self.to).contains(&(found as usize));
        if is_own { found } else { core::ptr::null_mut() }
    }
}

fn loaded() -> Vec<Object> {
    unsafe extern "C" fn note(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        objects: *mut c_void,
    ) -> core::ffi::c_int {
        // SAFETY: the linker's description of a loaded file, and the list that was handed over.
        let (info, objects) = unsafe { (&*info, &mut *objects.cast::<Vec<Object>>()) };
        // SAFETY: the file's program headers.
        let headers =
            unsafe { core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        let segments = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
        let (from, to) = segments.fold((usize::MAX, 0), |(from, to), segment| {
            let start = (info.dlpi_addr + segment.p_vaddr) as usize;
            (from.min(start), to.max(start + segment.p_memsz as usize))
        });
        let name = if info.dlpi_name.is_null() {
            CString::default()
        } else {
            // SAFETY: a zero-terminated string of the linker.
            unsafe { CStr::from_ptr(info.dlpi_name) }.to_owned()
        };
        objects.push(Object { name, from, to });
        0
    }
    let mut objects: Vec<Object> = Vec::new();
    // SAFETY: `note` gets the list it expects and calls nothing of the linker's.
    in_loader(|| unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut objects).cast()) });
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_knows_its_own_definitions() {
        let objects = loaded();
        assert!(objects[0].name.is_empty(), "the program comes first");
        let owners = objects.iter().filter(|object| !object.own(c"malloc").is_null());
        assert_eq!(owners.count(), 1);
        let found = in_every_file([c"malloc", c"omphalos_no_such_name"]);
        assert_eq!(found.len(), 1);
        assert!(!found[0][0].is_null() && found[0][1].is_null());
    }
}
