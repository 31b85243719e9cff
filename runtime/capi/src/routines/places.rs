//! The `omp_*` routines about places: how many there are, their processors, and the calling
//! thread's place.
//!
//! Who calls: programs, by the C and Fortran names. The engine has the answers
//! (`affinity/inquire.rs`); it writes to a slice, so this copies from a buffer on the stack to the
//! program's memory, and converts for 8-byte Fortran integers.

use super::names::{narrow, queries, with_integer};
use omphalos_engine::{Thread, affinity};

/// How many processors of a place, or places of a partition, fit the buffer on the stack. Further
/// ones are left out.
const PROCESSORS_IN_A_BUFFER: usize = 8192;

fn known() {
    // The places are there once the runtime has started.
    Thread::current();
}

queries! {
    /// How many places the initial task has, 0 without binding.
    omp_get_num_places, omp_get_num_places_ -> i32 = {
        known();
        affinity::num_places()
    };
    /// The place that the calling thread is bound to, -1 for none.
    omp_get_place_num, omp_get_place_num_ -> i32 = {
        known();
        affinity::place_num()
    };
    /// Places of the current task's partition.
    omp_get_partition_num_places, omp_get_partition_num_places_ -> i32 = {
        known();
        affinity::partition_place_nums(&mut [])
    };
}

fn place_num_procs(place: i32) -> i32 {
    known();
    affinity::place_proc_ids(place, &mut [])
}

with_integer! {
    /// How many processors a place has.
    omp_get_place_num_procs, omp_get_place_num_procs_, omp_get_place_num_procs_8_
        => place_num_procs, i32;
}

/// Writes the values that `ask` puts into a buffer to `into`. `ask` returns how many values there
/// are; the program must have made room for as many.
///
/// # Safety
/// `into` must be valid for as many writes as `ask` says there are.
unsafe fn fill<T: From<i32>>(into: *mut T, ask: impl Fn(&mut [i32]) -> i32) {
    known();
    let mut buffer = [0; PROCESSORS_IN_A_BUFFER];
    let count = (ask(&mut buffer).max(0) as usize).min(PROCESSORS_IN_A_BUFFER);
    for (i, &value) in buffer[..count].iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { into.add(i).write(T::from(value)) };
    }
}

omphalos_sys::exported_routines! {
    /// Writes the processors of a place.
    omp_get_place_proc_ids(place: i32, ids: *mut i32)
        = fill(ids, |buffer| affinity::place_proc_ids(place, buffer));
    /// The Fortran name.
    omp_get_place_proc_ids_(place: *const i32, ids: *mut i32) = omp_get_place_proc_ids(*place, ids);
    /// The Fortran name for 8-byte integers.
    omp_get_place_proc_ids_8_(place: *const i64, ids: *mut i64)
        = fill(ids, |buffer| affinity::place_proc_ids(narrow(*place), buffer));
    /// Writes the places of the current task's partition.
    omp_get_partition_place_nums(nums: *mut i32) = fill(nums, affinity::partition_place_nums);
    /// The Fortran name.
    omp_get_partition_place_nums_(nums: *mut i32) = fill(nums, affinity::partition_place_nums);
    /// The Fortran name for 8-byte integers.
    omp_get_partition_place_nums_8_(nums: *mut i64) = fill(nums, affinity::partition_place_nums);
}
