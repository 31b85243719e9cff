//! An object that came after the newest list was made: a plug-in, or a library that the plug-in
//! needs.
//!
//! The C library (glibc since 2.35) finds the unwind information of an address without a lock, also
//! in handlers. That is enough to walk on through such an object; its name comes with the next
//! list.
//!
//! What must hold: nothing is allocated. Objects are asked for only while none is being unmapped
//! (`modules::frozen`), and none is kept.

use super::modules::Module;
use super::object::find_information;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use gimli::BaseAddresses;

/// The C library's answer about an object, as far as it is the same in all versions.
#[repr(C)]
struct Found {
    flags: u64,
    start: u64,
    end: u64,
    map: u64,
    eh_frame: u64,
    /// The fields of later versions, and room for further ones.
    room: [u64; 16],
}

type Find = unsafe extern "C" fn(*mut c_void, *mut Found) -> core::ffi::c_int;

static FIND: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

/// Looks the C library's function up. A signal handler must not call it.
pub fn prepare() {
    // SAFETY: a C string.
    let find = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_dl_find_object".as_ptr()) };
    FIND.store(find, Relaxed);
}

/// Returns the object that `address` is in, as far as a walk needs it. Async-signal-safe.
pub fn find(address: u64) -> Option<Module> {
    let find = FIND.load(Relaxed);
    if find.is_null() {
        return None;
    }
    let mut found = Found { flags: 0, start: 0, end: 0, map: 0, eh_frame: 0, room: [0; 16] };
    // SAFETY: the C library's function, which takes any address; the structure has room for all
    // that it writes.
    let code = unsafe {
        let find = core::mem::transmute::<*mut c_void, Find>(find);
        find(address as *mut c_void, &mut found)
    };
    // If a program's segments have gaps between them, the answer is a single segment, and the table
    // lies in another one. A walk does not ask for the program: each list has it.
    if code != 0 || !(found.start..found.end).contains(&found.eh_frame) {
        return None;
    }
    let mut module = Module {
        start: found.start,
        end: found.end,
        file_offset: 0,
        code: Vec::new(),
        path: Vec::new(),
        build_id: Vec::new(),
        flags: 0,
        is_kernels: false,
        eh_frame: &[],
        header: None,
        bases: BaseAddresses::default(),
    };
    // SAFETY: the C library's own unwinder reads there. A read of the table ends where the header
    // says, and one of the information where its length is zero.
    unsafe { find_information(&mut module, found.eh_frame, found.end) };
    Some(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_the_list_has() {
        assert!(super::super::modules::make());
        // The C library, because the linker leaves gaps between some programs' segments.
        let address = libc::qsort as *const () as u64;
        let found = find(address).expect("an object");
        let same = super::super::modules::with_newest(|modules, _| {
            let listed = modules.find(address).expect("a module");
            (listed.start, listed.eh_frame.as_ptr()) == (found.start, found.eh_frame.as_ptr())
        });
        assert_eq!(same, Some(true));
        assert!(found.header.is_some() && find(16).is_none());
    }
}
