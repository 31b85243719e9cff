//! Any `libompd.so`, as a debugger loads it: its functions, found by their names.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use omphalos_abi::ompd::*;

/// A handle of the library's, of whatever kind.
pub type Raw = *mut c_void;

macro_rules! functions {
    ($($name:ident: ($($argument:ty),*);)*) => {
        /// The functions that the library has.
        #[derive(Default)]
        pub struct Library {
            $(pub $name: Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,)*
        }

        impl Library {
            /// Loads a library; why that does not go.
            pub fn load(path: &CStr) -> Result<Library, String> {
                // SAFETY: the library's constructors run: it is the one that is under test.
                let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
                if handle.is_null() {
                    return Err(last_error(path));
                }
                Ok(Library {$(
                    $name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: a C string; the library stays loaded. What it has under this name
                        // is of this type.
                        unsafe {
                            let found = libc::dlsym(handle, name.as_ptr().cast());
                            core::mem::transmute::<
                                *mut c_void,
                                Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,
                            >(found)
                        }
                    },
                )*})
            }
        }
    };
}

functions! {
    ompd_initialize: (ompd_word_t, *const ompd_callbacks_t);
    ompd_get_api_version: (*mut ompd_word_t);
    ompd_process_initialize: (*mut ompd_address_space_context_t, *mut Raw);
    ompd_rel_address_space_handle: (Raw);
    ompd_get_thread_handle: (Raw, ompd_thread_id_t, ompd_size_t, *const c_void, *mut Raw);
    ompd_get_thread_in_parallel: (Raw, c_int, *mut Raw);
    ompd_rel_thread_handle: (Raw);
    ompd_thread_handle_compare: (Raw, Raw, *mut c_int);
    ompd_get_thread_id: (Raw, ompd_thread_id_t, ompd_size_t, *mut c_void);
    ompd_get_curr_parallel_handle: (Raw, *mut Raw);
    ompd_get_enclosing_parallel_handle: (Raw, *mut Raw);
    ompd_get_task_parallel_handle: (Raw, *mut Raw);
    ompd_rel_parallel_handle: (Raw);
    ompd_get_curr_task_handle: (Raw, *mut Raw);
    ompd_get_generating_task_handle: (Raw, *mut Raw);
    ompd_get_scheduling_task_handle: (Raw, *mut Raw);
    ompd_get_task_in_parallel: (Raw, c_int, *mut Raw);
    ompd_rel_task_handle: (Raw);
    ompd_get_task_frame: (Raw, *mut ompd_frame_info_t, *mut ompd_frame_info_t);
    ompd_get_state: (Raw, *mut ompd_word_t, *mut ompd_wait_id_t);
    ompd_enumerate_icvs: (
        Raw, ompd_icv_id_t, *mut ompd_icv_id_t, *mut *const c_char, *mut ompd_scope_t, *mut c_int
    );
    ompd_get_icv_from_scope: (Raw, ompd_scope_t, ompd_icv_id_t, *mut ompd_word_t);
    ompd_get_icv_string_from_scope: (Raw, ompd_scope_t, ompd_icv_id_t, *mut *const c_char);
    ompd_get_tool_data: (Raw, ompd_scope_t, *mut ompd_word_t, *mut ompd_address_t);
}

fn last_error(path: &CStr) -> String {
    // SAFETY: null, or a text of the loader's that lasts until its next call.
    let said = unsafe { libc::dlerror() };
    if said.is_null() {
        return format!("{}: cannot be loaded", path.to_string_lossy());
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(said) }.to_string_lossy().into_owned()
}

/// The first of the libraries that speaks OMPD of OpenMP 5.0 or later; why each of the others does
/// not.
pub fn first(paths: &[String]) -> Result<Library, String> {
    let mut why = Vec::new();
    for path in paths {
        let Ok(name) = CString::new(path.as_str()) else { continue };
        match Library::load(&name) {
            Ok(library) if library.ompd_get_api_version.is_some() => return Ok(library),
            Ok(_) => why.push(format!("{path}: has no ompd_get_api_version")),
            Err(fault) => why.push(fault),
        }
    }
    Err(why.into_iter().next().unwrap_or_else(|| "the runtime names no libompd".into()))
}
