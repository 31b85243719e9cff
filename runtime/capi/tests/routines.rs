//! The routines through their C and Fortran names, in one process.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;
use omphalos_capi as _;
use std::sync::Mutex;

unsafe extern "C" {
    fn GOMP_parallel(work: extern "C" fn(*mut c_void), data: *mut c_void, threads: u32, flags: u32);
    fn omp_get_thread_num() -> c_int;
    fn omp_get_num_threads_() -> c_int;
    fn omp_get_level() -> c_int;
    fn omp_get_max_threads() -> c_int;
    fn omp_set_num_threads(count: c_int);
    fn omp_set_num_threads_(count: *const i32);
    fn omp_set_num_threads_8_(count: *const i64);
    fn omp_get_ancestor_thread_num_8_(level: *const i64) -> c_int;
    fn omp_get_team_size(level: c_int) -> c_int;
    fn omp_set_schedule_8_(kind: *const i32, chunk: *const i64);
    fn omp_get_schedule(kind: *mut c_int, chunk: *mut c_int);
    fn omp_set_max_active_levels(levels: c_int);
    fn omp_get_nested_() -> c_int;
    fn omp_set_affinity_format_(text: *const c_char, length: usize);
    fn omp_get_affinity_format_(buffer: *mut c_char, size: usize) -> c_int;
    fn ompc_capture_affinity(buffer: *mut c_char, size: usize, text: *const c_char) -> usize;
    fn omp_get_num_places() -> c_int;
    fn omp_get_place_num_procs_8_(place: *const i64) -> c_int;
    fn kmp_create_affinity_mask(mask: *mut *mut c_void);
    fn kmp_destroy_affinity_mask(mask: *mut *mut c_void);
    fn kmp_get_affinity(mask: *mut *mut c_void) -> c_int;
    fn kmp_set_affinity(mask: *mut *mut c_void) -> c_int;
    fn kmp_get_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int;
    fn kmp_get_affinity_max_proc() -> c_int;
    fn kmp_malloc_(size: *const usize) -> *mut c_void;
    fn kmp_free(memory: *mut c_void);
    fn omp_control_tool(command: c_int, modifier: c_int, arg: *mut c_void) -> c_int;
    fn omp_pause_resource_(kind: *const i32, device: *const i32) -> c_int;
    fn omp_get_interop_int(object: *const c_void, of: c_int, code: *mut c_int) -> isize;
    fn omp_get_interop_name(object: *const c_void, of: c_int) -> *const c_char;
    fn omp_get_uid_from_device(device: c_int) -> *const c_char;
    fn omp_get_device_from_uid(uid: *const c_char) -> c_int;
}

/// Runs `work` in a region of `threads` threads.
fn region<F: Fn() + Sync>(threads: u32, work: F) {
    extern "C" fn run<F: Fn() + Sync>(data: *mut c_void) {
        // SAFETY: `region` hands over a closure that outlives the region.
        unsafe { (*data.cast::<F>())() }
    }
    // SAFETY: the closure may be called from every thread.
    unsafe { GOMP_parallel(run::<F>, (&raw const work).cast_mut().cast(), threads, 0) }
}

#[test]
fn icvs_belong_to_tasks() {
    // SAFETY: the routines take these arguments.
    unsafe {
        omp_set_num_threads_(&3);
        assert_eq!(omp_get_max_threads(), 3);
        omp_set_num_threads_8_(&5_000_000_000);
        assert_eq!(omp_get_max_threads(), i32::MAX);
        omp_set_num_threads(-1);
        assert_eq!(omp_get_max_threads(), 1);
        omp_set_num_threads(2);
        omp_set_max_active_levels(3);
        assert_eq!(omp_get_nested_(), 1);
        let seen = Mutex::new(Vec::new());
        region(2, || {
            let me = omp_get_thread_num();
            omp_set_num_threads(me + 2);
            region(0, || {
                let mine = (me, omp_get_thread_num(), omp_get_num_threads_());
                assert_eq!(omp_get_ancestor_thread_num_8_(&1), me);
                assert_eq!((omp_get_team_size(1), omp_get_level()), (2, 2));
                seen.lock().unwrap().push(mine);
            });
            assert_eq!(omp_get_max_threads(), me + 2);
        });
        assert_eq!(omp_get_max_threads(), 2);
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, [(0, 0, 2), (0, 1, 2), (1, 0, 3), (1, 1, 3), (1, 2, 3)]);
    }
}

#[test]
fn schedules() {
    let (mut kind, mut chunk) = (0, 0);
    // SAFETY: as above.
    unsafe {
        omp_set_schedule_8_(&2, &-4);
        omp_get_schedule(&mut kind, &mut chunk);
        assert_eq!((kind, chunk), (2, 1));
        omp_set_schedule_8_(&99, &7);
        omp_get_schedule(&mut kind, &mut chunk);
        assert_eq!((kind, chunk), (2, 1), "an unknown kind changes nothing");
        omp_set_schedule_8_(&1, &6);
        omp_get_schedule(&mut kind, &mut chunk);
        assert_eq!((kind, chunk), (1, 6));
    }
}

#[test]
fn affinity_text() {
    let mut buffer = [1 as c_char; 12];
    let text = b"%n of %N    ";
    // SAFETY: the buffers are as long as is said.
    unsafe {
        omp_set_affinity_format_(text.as_ptr().cast(), text.len());
        assert_eq!(omp_get_affinity_format_(buffer.as_mut_ptr(), 10), 8);
        let bytes: Vec<u8> = buffer.iter().map(|&c| c as u8).collect();
        assert_eq!(&bytes, b"%n of %N  \x01\x01");
        let length = ompc_capture_affinity(buffer.as_mut_ptr(), 5, c"team of %N".as_ptr());
        assert_eq!((length, CStr::from_ptr(buffer.as_ptr())), (9, c"team"));
        assert_eq!((omp_get_num_places(), omp_get_place_num_procs_8_(&0)), (0, 0));
    }
}

#[test]
fn masks() {
    let mut mask = null_mut();
    // SAFETY: the mask is made before and freed after its uses.
    unsafe {
        kmp_create_affinity_mask(&mut mask);
        assert_eq!(kmp_set_affinity(&mut mask), -1, "an empty mask binds nothing");
        assert_eq!(kmp_get_affinity(&mut mask), 0);
        let last = kmp_get_affinity_max_proc();
        let mine = (0..last).filter(|&cpu| kmp_get_affinity_mask_proc(cpu, &mut mask) == 1);
        assert!(mine.count() >= 1);
        assert_eq!(kmp_get_affinity_mask_proc(last, &mut mask), -1);
        assert_eq!(kmp_get_affinity_mask_proc(-1, &mut mask), -1);
        assert_eq!(kmp_set_affinity(&mut mask), 0);
        kmp_destroy_affinity_mask(&mut mask);
        assert!(mask.is_null());
        kmp_free(kmp_malloc_(&100));
    }
}

#[test]
fn nobody_and_nothing() {
    let mut code = 0;
    // SAFETY: as above.
    unsafe {
        assert_eq!(omp_control_tool(1, 0, null_mut()), -2, "there is no tool");
        assert_eq!(omp_pause_resource_(&1, &0), 0);
        assert_eq!(omp_pause_resource_(&1, &4), -1);
        assert_eq!(omp_get_interop_int(null_mut(), -5, &mut code), 0);
        assert_eq!(code, -1);
        omp_get_interop_int(null_mut(), -10, &mut code);
        assert_eq!(code, -2);
        assert_eq!(CStr::from_ptr(omp_get_interop_name(null_mut(), -1)), c"fr_id");
        assert!(omp_get_interop_name(null_mut(), 0).is_null());
        assert_eq!(omp_get_device_from_uid(omp_get_uid_from_device(0)), 0);
        assert_eq!(omp_get_device_from_uid(c"gpu".as_ptr()), -2);
    }
}
