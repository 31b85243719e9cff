//! A `libompd.so`, and its functions by name.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;

macro_rules! functions {
    ($($(#[$meta:meta])* $field:ident: $name:literal ($($argument:ty),*),)*) => {
        /// The functions of a library; those that it lacks are empty.
        #[derive(Clone, Copy, Default)]
        pub(crate) struct Functions {
            $($(#[$meta])* pub $field: Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,)*
        }

        impl Functions {
            fn of(library: *mut c_void) -> Functions {
                $(
                    // SAFETY: the name ends with a zero; the function's type is the
                    // specification's.
                    let $field = unsafe {
                        let found = libc::dlsym(library, concat!($name, "\0").as_ptr().cast());
                        core::mem::transmute::<
                            *mut c_void,
                            Option<unsafe extern "C" fn($($argument),*) -> ompd_rc_t>,
                        >(found)
                    };
                )*
                Functions { $($field,)* }
            }
        }
    };
}

type Space = *mut ompd_address_space_handle_t;
type Thread = *mut ompd_thread_handle_t;
type Parallel = *mut ompd_parallel_handle_t;
type Task = *mut ompd_task_handle_t;
type Word = *mut ompd_word_t;

functions! {
    initialize: "ompd_initialize"(ompd_word_t, *const ompd_callbacks_t),
    api_version: "ompd_get_api_version"(Word),
    version_string: "ompd_get_version_string"(*mut *const c_char),
    process_initialize: "ompd_process_initialize"(*mut ompd_address_space_context_t, *mut Space),
    omp_version: "ompd_get_omp_version"(Space, Word),
    release_space: "ompd_rel_address_space_handle"(Space),
    thread: "ompd_get_thread_handle"(
        Space, ompd_thread_id_t, ompd_size_t, *const c_void, *mut Thread
    ),
    thread_id: "ompd_get_thread_id"(Thread, ompd_thread_id_t, ompd_size_t, *mut c_void),
    thread_in_parallel: "ompd_get_thread_in_parallel"(Parallel, c_int, *mut Thread),
    release_thread: "ompd_rel_thread_handle"(Thread),
    state: "ompd_get_state"(Thread, Word, *mut ompd_wait_id_t),
    states: "ompd_enumerate_states"(Space, ompd_word_t, Word, *mut *const c_char, Word),
    parallel: "ompd_get_curr_parallel_handle"(Thread, *mut Parallel),
    enclosing: "ompd_get_enclosing_parallel_handle"(Parallel, *mut Parallel),
    parallel_of_task: "ompd_get_task_parallel_handle"(Task, *mut Parallel),
    compare_parallels: "ompd_parallel_handle_compare"(Parallel, Parallel, *mut c_int),
    release_parallel: "ompd_rel_parallel_handle"(Parallel),
    task: "ompd_get_curr_task_handle"(Thread, *mut Task),
    generating: "ompd_get_generating_task_handle"(Task, *mut Task),
    scheduling: "ompd_get_scheduling_task_handle"(Task, *mut Task),
    task_in_parallel: "ompd_get_task_in_parallel"(Parallel, c_int, *mut Task),
    compare_tasks: "ompd_task_handle_compare"(Task, Task, *mut c_int),
    release_task: "ompd_rel_task_handle"(Task),
    frames: "ompd_get_task_frame"(Task, *mut ompd_frame_info_t, *mut ompd_frame_info_t),
    function: "ompd_get_task_function"(Task, *mut ompd_address_t),
    icvs: "ompd_enumerate_icvs"(
        Space, ompd_icv_id_t, *mut ompd_icv_id_t, *mut *const c_char, *mut ompd_scope_t, *mut c_int
    ),
    icv: "ompd_get_icv_from_scope"(*mut c_void, ompd_scope_t, ompd_icv_id_t, Word),
    tool_data: "ompd_get_tool_data"(*mut c_void, ompd_scope_t, Word, *mut ompd_address_t),
}

/// A loaded library. It stays loaded: its threads, if it has any, may be in it.
pub struct Library {
    pub(crate) functions: Functions,
    api_version: ompd_word_t,
}

impl Library {
    /// Loads the library and gives it this debugger's callbacks. What the file holds is executed:
    /// the caller trusts it.
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
        let (Some(initialize), Some(_)) = (functions.initialize, functions.process_initialize)
        else {
            return Err(not("it lacks ompd_initialize or ompd_process_initialize"));
        };
        let mut api_version = 0;
        if let Some(ask) = functions.api_version {
            // SAFETY: a place for the result.
            unsafe { ask(&mut api_version) };
        }
        // SAFETY: the table lives as long as the process.
        match unsafe { initialize(api_version, &crate::callbacks::TABLE) } {
            ompd_rc_ok => Ok(Library { functions, api_version }),
            code => Err(not(&format!("ompd_initialize answered {}", code_name(code)))),
        }
    }

    /// The version of the interface that it speaks, such as 201811.
    pub fn api_version(&self) -> i64 {
        self.api_version
    }

    /// What it calls itself.
    pub fn name(&self) -> String {
        let mut text = core::ptr::null();
        // SAFETY: a place for the result, which is a text of the library's own.
        match self.functions.version_string.map(|ask| unsafe { ask(&mut text) }) {
            Some(ompd_rc_ok) if !text.is_null() => {
                // SAFETY: the library's promise.
                unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
            }
            _ => String::new(),
        }
    }
}

/// The name of a code, for messages.
pub(crate) fn code_name(code: ompd_rc_t) -> String {
    const NAMES: [&str; 14] = [
        "ok",
        "unavailable",
        "stale_handle",
        "bad_input",
        "error",
        "unsupported",
        "needs_state_tracking",
        "incompatible",
        "device_read_error",
        "device_write_error",
        "nomem",
        "incomplete",
        "callback_error",
        "incompatible_handle",
    ];
    match usize::try_from(code).ok().and_then(|at| NAMES.get(at)) {
        Some(name) => format!("ompd_rc_{name}"),
        None => format!("the unknown code {code}"),
    }
}
