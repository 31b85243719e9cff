//! The names that debuggers look for in the library: those of the libraries that read it, one for
//! each generation.
//!
//! The names are complete before `ompd_dll_locations` is anything but null, and that is so before
//! `main`. They are paths beside this library first, then bare names, which the debugger's own
//! search path decides.

use core::ffi::{CStr, c_char, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_engine::enable;

/// OMPD of OpenMP 5.0 to 6.0, then that of 2016: a debugger distinguishes them by their exported
/// names.
const NAMES: [&CStr; 2] = [c"libompd.so", c"libompd-2016.so"];

/// The longest path that fits, in bytes; with a longer one there are the bare names.
const LONGEST: usize = 1024;

struct Places {
    paths: [[u8; LONGEST]; NAMES.len()],
    /// Ends with null.
    list: [*const c_char; 2 * NAMES.len() + 1],
}

static mut PLACES: Places =
    Places { paths: [[0; LONGEST]; NAMES.len()], list: [core::ptr::null(); 2 * NAMES.len() + 1] };

/// OMPD: a list of paths that ends with null; null until it is complete.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static ompd_dll_locations: AtomicPtr<*const c_char> = AtomicPtr::new(core::ptr::null_mut());

/// A C string that does not change.
#[repr(transparent)]
pub struct Text(*const c_char);
// SAFETY: it points to a constant.
unsafe impl Sync for Text {}

/// OMPD of 2013: the base name of the library, which the debugger looks for in `LD_LIBRARY_PATH`.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static ompt_debugger_plugin: Text = Text(c"libompd-2013.so".as_ptr());

/// OMPD: passed when `ompd_dll_locations` is complete.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn ompd_dll_locations_valid() {
    omphalos_sys::keep();
}

/// OMPD of 2016: the program asks for the state that debuggers need, as `OMP_DEBUG=enabled` does;
/// from its next construct on.
#[unsafe(no_mangle)]
pub extern "C" fn omp_debug_enable() {
    enable::enable();
}

/// As [`omp_debug_enable`], for Fortran.
#[unsafe(no_mangle)]
pub extern "C" fn omp_debug_enable_() {
    omp_debug_enable();
}

/// Writes the list. For the constructor, once; other threads may exist.
pub(crate) fn say_where() {
    let own =
        omphalos_sys::own_file::of(say_where as *const c_void).map_or(&b""[..], CStr::to_bytes);
    let folder = own.iter().rposition(|&c| c == b'/').map_or(0, |slash| slash + 1);
    let folder = own.get(..folder).unwrap_or(b"");
    // SAFETY: only the constructor is here, and no code reads it before the address is out.
    let places = unsafe { &mut *core::ptr::addr_of_mut!(PLACES) };
    let mut listed = 0;
    for (path, name) in places.paths.iter_mut().zip(NAMES) {
        let bytes = name.to_bytes_with_nul();
        let length = folder.len() + bytes.len();
        if let (false, Some(room)) = (folder.is_empty(), path.get_mut(..length)) {
            for (to, from) in room.iter_mut().zip(folder.iter().chain(bytes)) {
                *to = *from;
            }
            if let Some(entry) = places.list.get_mut(listed) {
                *entry = path.as_ptr().cast();
                listed += 1;
            }
        }
        if let Some(entry) = places.list.get_mut(listed) {
            *entry = name.as_ptr();
            listed += 1;
        }
    }
    ompd_dll_locations.store(places.list.as_mut_ptr(), Ordering::Release);
    ompd_dll_locations_valid();
}
