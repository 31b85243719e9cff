//! The OpenMP 6.1 routines by dimension, as GCC 17 has them. Teams and leagues have one dimension,
//! number 0, with the values of the routines without `_dim`; every other dimension has the extent
//! 1.

use core::ffi::c_int;
use omphalos_engine::target::devices::is_host;

/// Returns `value` in the one dimension there is, `otherwise` in the others.
fn of_dimension(dimension: c_int, otherwise: c_int, value: extern "C" fn() -> c_int) -> c_int {
    if dimension == 0 { value() } else { otherwise }
}

omphalos_sys::exported_routines! {
    /// Teams of the league in a dimension.
    omp_get_num_teams_dim(dimension: c_int) -> c_int
        = of_dimension(dimension, 1, super::teams::omp_get_num_teams);
    /// The current team's number in a dimension of the league.
    omp_get_team_num_dim(dimension: c_int) -> c_int
        = of_dimension(dimension, 0, super::teams::omp_get_team_num);
    /// Threads of the current team in a dimension.
    omp_get_num_threads_dim(dimension: c_int) -> c_int
        = of_dimension(dimension, 1, super::teams::omp_get_num_threads);
    /// The calling thread's number in a dimension of its team.
    omp_get_thread_num_dim(dimension: c_int) -> c_int
        = of_dimension(dimension, 0, super::teams::omp_get_thread_num);
    /// Most threads of the contention group in a dimension.
    omp_get_thread_limit_dim(dimension: c_int) -> c_int
        = of_dimension(dimension, 1, super::icvs::omp_get_thread_limit);
    /// Dimensions that a team may have on a device, whether natively or not; 0 if there is no such
    /// device.
    omp_get_supported_active_team_dims(device: c_int, _native: c_int) -> c_int
        = c_int::from(is_host(device));
    /// Dimensions that a league may have on a device, whether natively or not; 0 if there is no
    /// such device.
    omp_get_supported_active_league_dims(device: c_int, _native: c_int) -> c_int
        = c_int::from(is_host(device));
    /// The Fortran name. The answer is the same for every device there is: the arguments stay
    /// unread.
    omp_get_supported_active_team_dims_() -> c_int = 1;
    /// The Fortran name. The answer is the same for every device there is: the arguments stay
    /// unread.
    omp_get_supported_active_league_dims_() -> c_int = 1;
    /// Most teams in a dimension of a league on a device; 0 if there is no such device.
    omp_get_supported_teams_dim(device: c_int, dimension: c_int) -> c_int
        = match (is_host(device), dimension) {
            (true, 0) => c_int::MAX,
            (on_host, _) => c_int::from(on_host),
        };
    /// Most threads in a dimension of a team on a device; 0 if there is no such device.
    omp_get_supported_threads_dim(device: c_int, dimension: c_int) -> c_int
        = match is_host(device) {
            true => of_dimension(dimension, 1, super::icvs::omp_get_thread_limit),
            false => 0,
        };
    /// How far each of `count` devices is from the calling thread's: the host is at 0; -1 for
    /// numbers that no device has.
    omp_get_device_distances(count: c_int, devices: *const c_int, distances: *mut c_int) = {
        for at in 0..usize::try_from(count).unwrap_or(0) {
            let distance = if is_host(*devices.add(at)) { 0 } else { -1 };
            distances.add(at).write(distance);
        }
    };
}
