//! Finding a function that a tool defines: in the address space, or in a library by name.
//!
//! The runtime exports a weak definition of the same name, and glibc does not prefer a strong symbol
//! over a weak one across libraries: the first in the search order wins. So the own definition is
//! recognised by its address and stepped over.

use core::ffi::{CStr, c_void};

/// The first definition of `name` in the address space that is not `own`: the program and the
/// libraries in the global scope, then those after the runtime in the scope it was loaded into.
pub fn in_address_space(name: &CStr, own: *const c_void) -> Option<*mut c_void> {
    [libc::RTLD_DEFAULT, libc::RTLD_NEXT].into_iter().find_map(|scope| {
        // SAFETY: the name is zero-terminated and the pseudo handles are always valid.
        let found = unsafe { libc::dlsym(scope, name.as_ptr()) };
        (!found.is_null() && found.cast_const() != own).then_some(found)
    })
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
