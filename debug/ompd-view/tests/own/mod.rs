//! The test's own process as a target, with the installed runtime loaded: `OMPHALOS_LIB` names its
//! directory, `target/dist/lib` otherwise.

use core::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use omphalos_ompd_view::{Fault, Registers, Target};
use std::ffi::CString;
use std::path::Path;
use std::sync::OnceLock;

/// Reads this process's memory. A bad address gives an error, not a signal.
pub struct Own;

impl Target for Own {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let bytes = into.len();
        let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: bytes };
        let remote = libc::iovec { iov_base: address as *mut c_void, iov_len: bytes };
        // SAFETY: the local part is the caller's slice; the kernel checks the other one.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
        if read == bytes as isize { Ok(()) } else { Err(Fault::Unreadable { address, bytes }) }
    }

    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        let name = CString::new(name).map_err(|_| Fault::Unknown(name.into()))?;
        match look_up(&name) {
            None => Err(Fault::Unknown(name.to_string_lossy().into_owned())),
            Some(address) => Ok(address as u64),
        }
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Err(Fault::Unknown("threads".into()))
    }

    fn registers(&self, _lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Unknown("registers".into()))
    }
}

fn look_up(name: &CStr) -> Option<*mut c_void> {
    static LIBRARY: OnceLock<usize> = OnceLock::new();
    let library = *LIBRARY.get_or_init(|| {
        let folder = std::env::var_os("OMPHALOS_LIB").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dist/lib"),
            Into::into,
        );
        let path = folder.join("libomphalos.so").into_os_string().into_encoded_bytes();
        let path = CString::new(path).unwrap();
        // SAFETY: a library whose constructor starts nothing.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!library.is_null(), "{path:?} is not there: cargo xtask dist");
        library as usize
    });
    // SAFETY: a library that stays loaded, and a name.
    let found = unsafe { libc::dlsym(library as *mut c_void, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The outlined function of a construct.
pub type Body = unsafe extern "C" fn(*mut c_void);

macro_rules! routines {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[allow(non_snake_case, dead_code)]
            #[allow(clippy::missing_safety_doc, clippy::too_many_arguments)]
            #[allow(clippy::undocumented_unsafe_blocks, reason = "the comments stand in the macro")]
            pub unsafe fn $name($($argument: $type),*) $(-> $result)? {
                let name = CString::new(stringify!($name)).unwrap();
                let found = look_up(&name).expect(stringify!($name));
                // SAFETY: the routine's type.
                let call: unsafe extern "C" fn($($type),*) $(-> $result)? =
                    unsafe { core::mem::transmute(found) };
                // SAFETY: the caller's promise.
                unsafe { call($($argument),*) }
            }
        )*
    };
}

routines! {
    GOMP_parallel(body: Body, data: *mut c_void, threads: c_uint, flags: c_uint);
    GOMP_barrier();
    GOMP_taskwait();
    GOMP_taskwait_depend(depend: *mut *mut c_void);
    GOMP_taskgroup_start();
    GOMP_taskgroup_end();
    GOMP_loop_ordered_dynamic_start(
        start: c_long, end: c_long, step: c_long, chunk: c_long,
        first: *mut c_long, last: *mut c_long
    ) -> bool;
    __kmpc_dispatch_init_8(
        location: *mut c_void, thread: c_int, schedule: c_int,
        first: c_long, last: c_long, step: c_long, chunk: c_long
    );
    __kmpc_dispatch_next_8(
        location: *mut c_void, thread: c_int, ends: *mut c_int,
        first: *mut c_long, last: *mut c_long, step: *mut c_long
    ) -> c_int;
    GOMP_loop_end_nowait();
    GOMP_ordered_start();
    GOMP_ordered_end();
    GOMP_loop_doacross_dynamic_start(
        loops: c_uint, counts: *mut c_long, chunk: c_long, first: *mut c_long, last: *mut c_long
    ) -> bool;
    GOMP_loop_doacross_static_start(
        loops: c_uint, counts: *mut c_long, chunk: c_long, first: *mut c_long, last: *mut c_long
    ) -> bool;
    GOMP_doacross_wait(first: c_long, second: c_long);
    GOMP_doacross_post(counts: *mut c_long);
    GOMP_loop_end();
    GOMP_task(
        body: Body, data: *mut c_void, copy: *const c_void, size: c_long, align: c_long,
        now: bool, flags: c_uint, depend: *mut *mut c_void, priority: c_int, event: *mut c_void
    );
    omp_fulfill_event(event: usize);
    omp_init_lock(lock: *mut c_void);
    omp_set_lock(lock: *mut c_void);
    omp_unset_lock(lock: *mut c_void);
    omp_init_nest_lock(lock: *mut c_void);
    omp_set_nest_lock(lock: *mut c_void);
    omp_unset_nest_lock(lock: *mut c_void);
    omp_get_thread_num() -> c_int;
    omp_get_num_threads() -> c_int;
    omp_get_max_threads() -> c_int;
    omp_get_level() -> c_int;
    omp_get_thread_limit() -> c_int;
    omp_get_num_procs() -> c_int;
    omp_set_num_threads(threads: c_int);
    omp_set_schedule(kind: c_uint, chunk: c_int);
    omp_set_dynamic(on: c_int);
    omp_set_default_device(device: c_int);
    omp_set_max_active_levels(levels: c_int);
    omp_set_affinity_format(format: *const c_char);
}

/// Runs `body` in a region of this many threads, with the number of each.
pub fn parallel<F: Fn(i32) + Sync>(threads: u32, body: F) {
    unsafe extern "C" fn call<F: Fn(i32)>(data: *mut c_void) {
        // SAFETY: the closure below, which outlives the region.
        unsafe { (*data.cast::<F>())(omp_get_thread_num()) }
    }
    let data = core::ptr::from_ref(&body).cast_mut().cast();
    // SAFETY: the closure may be called by all at once.
    unsafe { GOMP_parallel(call::<F>, data, threads, 0) };
}

/// Waits until `ready` returns true, for a minute at most.
pub fn until(what: &str, mut ready: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !ready() {
        assert!(start.elapsed().as_secs() < 60, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
