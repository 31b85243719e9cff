//! Binding, in a process whose environment asks for it.

use core::ffi::{c_char, c_int, c_void};
use omphalos_capi as _;
use std::sync::Mutex;

unsafe extern "C" {
    fn GOMP_parallel(work: extern "C" fn(*mut c_void), data: *mut c_void, threads: u32, flags: u32);
    fn omp_get_thread_num() -> c_int;
    fn omp_get_num_places() -> c_int;
    fn omp_get_place_num() -> c_int;
    fn omp_get_place_num_procs(place: c_int) -> c_int;
    fn omp_get_place_proc_ids(place: c_int, ids: *mut c_int);
    fn omp_get_partition_num_places() -> c_int;
    fn omp_get_partition_place_nums_8_(nums: *mut i64);
    fn omp_get_proc_bind() -> c_int;
    fn omp_capture_affinity(buffer: *mut c_char, size: usize, text: *const c_char) -> usize;
    fn sched_getaffinity(process: c_int, size: usize, mask: *mut c_void) -> c_int;
}

/// One thread's view: number, place, its mask, its partition's size, bind-var.
type View = (c_int, c_int, Vec<c_int>, c_int, c_int);

static VIEWS: Mutex<Vec<View>> = Mutex::new(Vec::new());

fn my_mask() -> Vec<c_int> {
    let mut mask = [0u64; 16];
    // SAFETY: the mask is as long as is said.
    let error = unsafe { sched_getaffinity(0, 128, mask.as_mut_ptr().cast()) };
    assert_eq!(error, 0);
    (0..1024).filter(|&cpu| mask[cpu as usize / 64] >> (cpu % 64) & 1 == 1).collect()
}

extern "C" fn look(_: *mut c_void) {
    // SAFETY: queries.
    let view = unsafe {
        let partition = omp_get_partition_num_places();
        (omp_get_thread_num(), omp_get_place_num(), my_mask(), partition, omp_get_proc_bind())
    };
    VIEWS.lock().unwrap().push(view);
}

#[test]
fn threads_sit_on_their_places() {
    let own = my_mask();
    // SAFETY: nothing else runs in this process yet.
    unsafe {
        std::env::set_var("OMP_PLACES", "threads");
        std::env::set_var("OMP_PROC_BIND", "spread,close");
    }
    let count = own.len() as c_int;
    // SAFETY: the routines take these arguments.
    unsafe {
        assert_eq!((omp_get_num_places(), omp_get_partition_num_places()), (count, count));
        for (place, &cpu) in own.iter().enumerate() {
            let mut id = -1;
            assert_eq!(omp_get_place_num_procs(place as c_int), 1);
            omp_get_place_proc_ids(place as c_int, &mut id);
            assert_eq!(id, cpu);
        }
        assert_eq!(omp_get_place_num_procs(count), 0);
        assert_eq!(omp_get_proc_bind(), 4);
        let mut nums = vec![-1; own.len()];
        omp_get_partition_place_nums_8_(nums.as_mut_ptr());
        assert_eq!(nums, (0..i64::from(count)).collect::<Vec<_>>());
        // As many threads as places: each has one of its own, and a partition of just that.
        GOMP_parallel(look, core::ptr::null_mut(), count as u32, 0);
        assert!(omp_capture_affinity(core::ptr::null_mut(), 0, c"%A".as_ptr()) >= 1);
    }
    let mut views = VIEWS.lock().unwrap();
    views.sort_unstable();
    assert_eq!(views.len(), own.len());
    let mut taken: Vec<c_int> = views.iter().map(|view| view.1).collect();
    taken.sort_unstable();
    assert_eq!(taken, (0..count).collect::<Vec<_>>());
    for (_, place, mask, partition, bind) in views.iter() {
        assert_eq!(mask, &[own[*place as usize]]);
        assert_eq!((*partition, *bind), (1, 3));
    }
}
