//! A `libompd.so`, and its functions by name.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;

use crate::refusal::{call, code_name};

/// A handle of the library's, of any kind.
pub(crate) type Raw = *mut c_void;

macro_rules! functions {
    ($($name:ident($($argument:ty),*);)*) => {
        /// The functions of a library; those that it lacks are empty.
        #[derive(Clone, Copy, Default)]
        pub(crate) struct Functions {
            $(pub $name: Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,)*
        }

        impl Functions {
            fn of(library: *mut c_void) -> Functions {
                $(
                    let name = concat!(stringify!($name), "\0");
                    // SAFETY: the name ends with a zero; the function's type is the
                    // specification's, whose handles are all pointers.
                    let $name = unsafe {
                        core::mem::transmute::<
                            *mut c_void,
                            Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,
                        >(libc::dlsym(library, name.as_ptr().cast()))
                    };
                )*
                Functions { $($name,)* }
            }
        }
    };
}

type Word = *mut ompd_word_t;

functions! {
    ompd_initialize(ompd_word_t, *const ompd_callbacks_t);
    ompd_get_api_version(Word);
    ompd_get_version_string(*mut *const c_char);
    ompd_process_initialize(*mut ompd_address_space_context_t, *mut Raw);
    ompd_get_omp_version(Raw, Word);
    ompd_rel_address_space_handle(Raw);
    ompd_get_thread_handle(Raw, ompd_thread_id_t, ompd_size_t, *const c_void, *mut Raw);
    ompd_get_thread_id(Raw, ompd_thread_id_t, ompd_size_t, *mut c_void);
    ompd_get_thread_in_parallel(Raw, c_int, *mut Raw);
    ompd_thread_handle_compare(Raw, Raw, *mut c_int);
    ompd_rel_thread_handle(Raw);
    ompd_get_state(Raw, Word, *mut ompd_wait_id_t);
    ompd_enumerate_states(Raw, ompd_word_t, Word, *mut *const c_char, Word);
    ompd_get_curr_parallel_handle(Raw, *mut Raw);
    ompd_get_enclosing_parallel_handle(Raw, *mut Raw);
    ompd_get_task_parallel_handle(Raw, *mut Raw);
    ompd_parallel_handle_compare(Raw, Raw, *mut c_int);
    ompd_rel_parallel_handle(Raw);
    ompd_get_curr_task_handle(Raw, *mut Raw);
    ompd_get_generating_task_handle(Raw, *mut Raw);
    ompd_get_scheduling_task_handle(Raw, *mut Raw);
    ompd_get_task_in_parallel(Raw, c_int, *mut Raw);
    ompd_task_handle_compare(Raw, Raw, *mut c_int);
    ompd_rel_task_handle(Raw);
    ompd_get_task_frame(Raw, *mut ompd_frame_info_t, *mut ompd_frame_info_t);
    ompd_get_task_function(Raw, *mut ompd_address_t);
    ompd_enumerate_icvs(
        Raw, ompd_icv_id_t, *mut ompd_icv_id_t, *mut *const c_char, *mut ompd_scope_t, *mut c_int
    );
    ompd_get_icv_from_scope(Raw, ompd_scope_t, ompd_icv_id_t, Word);
    ompd_get_icv_string_from_scope(Raw, ompd_scope_t, ompd_icv_id_t, *mut *const c_char);
    ompd_get_tool_data(Raw, ompd_scope_t, Word, *mut ompd_address_t);
}

/// A loaded library. It stays loaded: its threads, if it has any, may be in it.
pub struct Library {
    pub(crate) functions: Functions,
    api_version: ompd_word_t,
}

impl Library {
    /// Loads the library and gives it this debugger's callbacks. Loading executes code of the file,
    /// so the caller must trust it.
    pub fn open(path: &Path) -> Result<Library, Fault> {
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| Fault::Unknown(format!("file {}", path.display())))?;
        // SAFETY: loads a library that the caller trusts.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: the text that belongs to the failure; valid until the next call.
            let text = unsafe { libc::dlerror() };
            let why = match text.is_null() {
                true => "unknown reason".into(),
                // SAFETY: not null, and a C string.
                false => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
            };
            return Err(Fault::Unknown(format!("use of {}: {why}", path.display())));
        }
        let functions = Functions::of(library);
        let not = |what: &str| Fault::Unknown(format!("libompd in {}: {what}", path.display()));
        if functions.ompd_initialize.is_none() || functions.ompd_process_initialize.is_none() {
            return Err(not("it lacks ompd_initialize or ompd_process_initialize"));
        }
        let mut api_version = 0;
        // A library without this function speaks 5.0.
        let _ = call!(functions, ompd_get_api_version(&mut api_version));
        // The table lives as long as the process.
        match call!(functions, ompd_initialize(api_version, &crate::callbacks::TABLE)) {
            Ok(()) => Ok(Library { functions, api_version }),
            Err(refusal) => {
                Err(not(&format!("ompd_initialize answered {}", code_name(refusal.code))))
            }
        }
    }

    /// The version of the interface that it speaks, such as 201811.
    pub fn api_version(&self) -> i64 {
        self.api_version
    }

    /// The library's own name.
    pub fn name(&self) -> String {
        let mut text = core::ptr::null();
        match call!(self.functions, ompd_get_version_string(&mut text)) {
            Ok(()) if !text.is_null() => {
                // SAFETY: the library's promise: a text of its own.
                unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
            }
            _ => String::new(),
        }
    }
}
