//! Finds a function that a tool defines: in the address space, or in a library by name.
//!
//! The runtime exports weak definitions of two of the names. Across libraries glibc does not prefer
//! a strong symbol to a weak one: the first in the search order wins. So the runtime's own
//! definitions are recognised by their addresses and skipped.

use core::ffi::{CStr, c_void};
use core::ops::Range;
use omphalos_sync::process_lock::in_loader;
use omphalos_sys::library::{self, Loaded};
use std::ffi::CString;

/// Returns the first definition of `name` in the address space that is not `own`. It looks in the
/// program and the libraries of the global scope, then in those after the runtime in the scope into
/// which the runtime was loaded.
pub fn in_address_space(name: &CStr, own: *const c_void) -> Option<*mut c_void> {
    let other = |found: &*mut c_void| found.cast_const() != own;
    library::find(name).filter(other).or_else(|| library::find_behind(name).filter(other))
}

/// A library that was loaded for its tool.
pub struct Library(Loaded);

impl Library {
    /// Loads a library as the program would.
    ///
    /// # Errors
    /// The dynamic linker's own words.
    pub fn load(name: &CStr) -> Result<Library, String> {
        Loaded::load(name).map(Library)
    }

    /// Returns the definition of `name` by the library (or one of its dependencies), unless that is
    /// `own`.
    pub fn find(&self, name: &CStr, own: *const c_void) -> Option<*mut c_void> {
        self.0.find(name).filter(|found| found.cast_const() != own)
    }

    /// Unloads the library. Only for one without a tool that runs: nothing may point into it.
    pub fn unload(self) {
        self.0.unload();
    }
}

/// Returns the file from which an address was loaded, for messages.
pub fn file_of(address: *mut c_void) -> String {
    match library::file_of(address) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => String::from("an unknown file"),
    }
}

/// A loaded file, and where it lies.
struct Object {
    /// The file's name, as the dynamic linker has it; empty for the program itself.
    name: CString,
    extent: Range<usize>,
}

/// Returns every loaded file's own definitions of `names`, in the order in which the files were
/// loaded: the program, preloaded libraries, the others. Leaves out files without any, and other
/// OpenMP runtimes, whose definitions only search for further ones.
pub fn in_every_file<const N: usize>(names: [&CStr; N]) -> Vec<[*mut c_void; N]> {
    loaded()
        .iter()
        .filter_map(|object| {
            let own = |name: &CStr| object.own_symbol(name);
            if !own(c"__kmpc_fork_call").is_null() || !own(c"GOMP_parallel").is_null() {
                return None;
            }
            let found = names.map(own);
            found.iter().any(|address| !address.is_null()).then_some(found)
        })
        .collect()
}

/// Returns the own definition of `name` of the file from which `address` was loaded; null if it has
/// none.
pub fn defined_beside(address: *const c_void, name: &CStr) -> *mut c_void {
    let objects = loaded();
    let here = objects.iter().find(|object| object.extent.contains(&(address as usize)));
    here.map_or(core::ptr::null_mut(), |object| object.own_symbol(name))
}

impl Object {
    /// Returns the file's own definition of `name`, null if it has none.
    fn own_symbol(&self, name: &CStr) -> *mut c_void {
        let found = library::find_in_loaded(&self.name, name);
        // The definition that was found may be a dependency's.
        let is_own = self.extent.contains(&(found as usize));
        if is_own { found } else { core::ptr::null_mut() }
    }
}

fn loaded() -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    let note = |info: &libc::dl_phdr_info| {
        let name = if info.dlpi_name.is_null() {
            CString::default()
        } else {
            // SAFETY: a zero-terminated string of the linker.
            unsafe { CStr::from_ptr(info.dlpi_name) }.to_owned()
        };
        objects.push(Object { name, extent: library::extent(info) });
        false
    };
    in_loader(|| library::each_file(note));
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_knows_its_own_definitions() {
        let objects = loaded();
        assert!(objects[0].name.is_empty(), "the program comes first");
        let owners = objects.iter().filter(|object| !object.own_symbol(c"malloc").is_null());
        assert_eq!(owners.count(), 1);
        let found = in_every_file([c"malloc", c"omphalos_no_such_name"]);
        assert_eq!(found.len(), 1);
        assert!(!found[0][0].is_null() && found[0][1].is_null());
    }
}
