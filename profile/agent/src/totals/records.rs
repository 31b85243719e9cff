//! Makes the record of a site from its key and counters.

use crate::accounting::pace::{SAMPLED, SPREAD_SHIFT};
use crate::accounting::{construct, mpi, region, sites, target};
use crate::clock::ns;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_profile_format::{
    ConstructTotal, MpiCallTotal, MutexSitePlace, MutexSiteSampling, MutexSiteSlept,
    MutexSiteTotal, RegionSiteOpen, RegionSiteQueued, RegionSiteTotal, TargetSiteTotal,
    TaskSiteSampling, TaskSiteTotal,
};

/// Makes the record of a region site, of how many of its instances are open, if any, and of the
/// part of its work without a processor.
pub fn of_region(
    key: [u64; 3],
    values: &[u64; region::site::COUNT],
) -> (RegionSiteTotal, Option<RegionSiteOpen>, Option<RegionSiteQueued>) {
    use region::site;
    let [codeptr_ra, parent_codeptr, level] = key;
    let level = level as u32;
    let instances = values[site::OPEN];
    let open = RegionSiteOpen { codeptr_ra, parent_codeptr, level, instances };
    let total = RegionSiteTotal {
        codeptr_ra,
        parent_codeptr,
        level,
        instances: values[site::INSTANCES],
        elapsed: ns(values[site::ELAPSED]),
        team_size_sum: values[site::TEAM],
        work: ns(values[site::WORK]),
        barrier_wait: ns(values[site::BARRIER]),
        mutex_wait: ns(values[site::MUTEX]),
        task_wait: ns(values[site::TASK_WAIT]),
        overhead: ns(values[site::OVERHEAD]),
        imbalance: ns(values[site::IMBALANCE]),
        gain: ns(values[site::GAIN]),
        tasks_created: values[site::CREATED],
        tasks_executed: values[site::EXECUTED],
        task_work: ns(values[site::TASK_WORK]),
        implementation_barriers: values[site::IMPLEMENTATION_BARRIERS],
    };
    let work = ns(values[site::QUEUED]);
    let queued = RegionSiteQueued { codeptr_ra, parent_codeptr, level, work };
    (total, (instances > 0).then_some(open), (work > 0).then_some(queued))
}

/// Makes the record of a construct.
pub fn of_construct(key: [u64; 3], values: &[u64; construct::site::COUNT]) -> ConstructTotal {
    use construct::site;
    let [region_codeptr, codeptr_ra, kind] = key;
    ConstructTotal {
        region_codeptr,
        region_level: (kind >> 32) as u32,
        codeptr_ra,
        construct_kind: kind as u32,
        instances: values[site::INSTANCES],
        entered: values[site::ENTERED],
        time: ns(values[site::TIME]),
        chunks: values[site::CHUNKS],
        iterations: values[site::ITERATIONS],
        counted_iterations: values[site::COUNTED],
        barrier_wait: ns(values[site::BARRIER]),
        end_codeptr: values[site::END],
        open_time: ns(values[site::OPEN]),
        open_barrier_wait: ns(values[site::OPEN_BARRIER]),
        open_instances: values[site::OPEN_INSTANCES],
        open_codeptr: values[site::AFTER],
    }
}

/// Makes the record of a target construct.
pub fn of_target(key: [u64; 3], values: &[u64; target::site::COUNT]) -> TargetSiteTotal {
    use target::site;
    let [codeptr_ra, kind, _] = key;
    let [to, from, within] = [site::TO, site::FROM, site::WITHIN]
        .map(|at| (values[at], values[at + 1], ns(values[at + 2])));
    TargetSiteTotal {
        codeptr_ra,
        target_kind: kind as u32,
        device: (kind >> 32) as u32,
        executions: values[site::EXECUTIONS],
        elapsed: ns(values[site::ELAPSED]),
        kernels: values[site::KERNELS],
        kernel_time: ns(values[site::KERNEL_TIME]),
        to_device: to.0,
        to_device_bytes: to.1,
        to_device_time: to.2,
        from_device: from.0,
        from_device_bytes: from.1,
        from_device_time: from.2,
        within: within.0,
        within_bytes: within.1,
        within_time: within.2,
        allocations: values[site::ALLOCATIONS],
        allocated_bytes: values[site::ALLOCATED],
        memory_time: ns(values[site::MEMORY_TIME]),
        host_wait: ns(values[site::WAITED]),
        overlap: ns(values[site::OVERLAP]),
    }
}

/// Makes the record of a function of MPI at one place.
pub fn of_mpi(key: [u64; 3], values: &[u64; mpi::site::COUNTERS]) -> MpiCallTotal {
    let [call, codeptr_ra, region_codeptr] = key;
    MpiCallTotal {
        call: call as u32,
        codeptr_ra,
        region_codeptr,
        count: values[mpi::site::COUNT],
        elapsed: ns(values[mpi::site::ELAPSED]),
        longest: ns(values[mpi::site::LONGEST]),
    }
}

/// Makes the record of the region in which a mutex is asked for.
pub fn place_of_mutex(
    key: [u64; 3],
    values: &[u64; sites::mutex::COUNT],
) -> Option<MutexSitePlace> {
    let [wait_id, kind, codeptr_ra] = key;
    let region_codeptr = values[sites::mutex::REGION];
    (region_codeptr != 0).then_some(MutexSitePlace {
        wait_id,
        mutex_kind: kind as u32,
        codeptr_ra,
        region_codeptr,
    })
}

/// Returns how long threads slept while they held a mutex; `None` if they did not.
pub fn sleep_with_mutex(
    key: [u64; 3],
    values: &[u64; sites::mutex::COUNT],
) -> Option<MutexSiteSlept> {
    let [wait_id, kind, codeptr_ra] = key;
    let (mutex_kind, slept) = (kind as u32, ns(values[sites::mutex::SLEPT]));
    (slept > 0).then_some(MutexSiteSlept { wait_id, mutex_kind, codeptr_ra, slept })
}

/// Returns `part` of `seen`, scaled up to `all`.
fn scaled(part: u64, seen: u64, all: u64) -> u64 {
    if seen == 0 || seen == all {
        part
    } else {
        (u128::from(part) * u128::from(all) / u128::from(seen)) as u64
    }
}

/// Makes the record of a mutex site, and of how much of it was timed if not all was.
pub fn of_mutex(
    key: [u64; 3],
    values: &[u64; sites::mutex::COUNT],
) -> (MutexSiteTotal, Option<MutexSiteSampling>) {
    use sites::mutex as site;
    let [wait_id, kind, codeptr_ra] = key;
    let mutex_kind = kind as u32;
    let (acquisitions, timed) = (values[site::ACQUISITIONS], values[site::TIMED]);
    let is_sampled = SAMPLED.load(Relaxed) && timed < acquisitions;
    let seen = if is_sampled { timed } else { acquisitions };
    let total = MutexSiteTotal {
        wait_id,
        mutex_kind,
        codeptr_ra,
        acquisitions,
        contended: scaled(values[site::CONTENDED], seen, acquisitions) + values[site::FOUND],
        wait: ns(values[site::WAIT]),
        longest_wait: ns(values[site::LONGEST]),
        hold: ns(values[site::HOLD]),
    };
    let sampling = MutexSiteSampling { wait_id, mutex_kind, codeptr_ra, timed };
    (total, is_sampled.then_some(sampling))
}

/// The possible error of the time of a task that stands for others, ns: the cost of the clock reads
/// and of the callbacks around it is subtracted by its mean.
const UNSURE: f64 = 30.0;

/// Makes the record of a task site, and of how much of it was seen if not all was.
pub fn of_task(
    key: [u64; 3],
    values: &[u64; sites::task::COUNT],
) -> (TaskSiteTotal, Option<TaskSiteSampling>) {
    use sites::task as site;
    let shortest = match values[site::SHORTEST] {
        0 => 0,
        inverted => ns(u64::MAX - inverted),
    };
    let (created, seen) = (values[site::CREATED], values[site::EXECUTED]);
    // Every created task is executed, sooner or later, but the agent need not have seen it.
    let is_sampled = SAMPLED.load(Relaxed) && seen < created;
    let executed = if is_sampled { created } else { seen };
    let total = TaskSiteTotal {
        codeptr_ra: key[0],
        created,
        executed,
        stolen: values[site::STOLEN],
        work: ns(values[site::WORK]),
        shortest,
        longest: ns(values[site::LONGEST]),
    };
    let spread = (values[site::SPREAD] as f64).sqrt() * f64::from(1u32 << SPREAD_SHIFT);
    let unsure = (executed - seen.min(executed)) as f64 * UNSURE;
    let deviation = (ns(spread as u64) as f64).hypot(unsure) as u64;
    let sampling = TaskSiteSampling { codeptr_ra: key[0], seen, deviation };
    (total, is_sampled.then_some(sampling))
}
