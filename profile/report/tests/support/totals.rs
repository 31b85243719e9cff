//! Totals with the figures that a test names, and no others.

use omphalos_profile_format::{
    ConstructTotal, RegionSiteTotal, TargetEvent, TargetSiteTotal, ThreadTotal,
};

use super::{PERIOD, START};

/// A thread's exact total with work and barrier wait only.
pub fn thread_total(thread: u32, work: u64, barrier_wait: u64) -> ThreadTotal {
    ThreadTotal {
        thread,
        time: START + work + barrier_wait,
        alive: work + barrier_wait,
        work,
        barrier_wait,
        samples: (work + barrier_wait) / PERIOD,
        agent: 1_000,
        ..ThreadTotal::default()
    }
}

/// A region's exact total without any time.
pub fn region_total(codeptr_ra: u64, instances: u64) -> RegionSiteTotal {
    RegionSiteTotal {
        codeptr_ra,
        level: 1,
        instances,
        team_size_sum: 2 * instances,
        ..RegionSiteTotal::default()
    }
}

/// A construct's total with instances only.
pub fn construct_total(
    region_codeptr: u64,
    codeptr_ra: u64,
    construct_kind: u32,
    instances: u64,
) -> ConstructTotal {
    ConstructTotal {
        region_codeptr,
        region_level: 1,
        codeptr_ra,
        construct_kind,
        instances,
        entered: 2 * instances,
        ..ConstructTotal::default()
    }
}

/// A target construct's total, with a kernel and a copy each way.
pub fn target_total(codeptr_ra: u64, target_kind: u32, executions: u64) -> TargetSiteTotal {
    TargetSiteTotal {
        codeptr_ra,
        target_kind,
        executions,
        elapsed: 50 * PERIOD,
        kernels: executions,
        kernel_time: 30 * PERIOD,
        to_device: executions,
        to_device_bytes: 4096,
        to_device_time: 2 * PERIOD,
        from_device: executions,
        from_device_bytes: 512,
        from_device_time: PERIOD,
        allocations: 1,
        allocated_bytes: 4096,
        memory_time: PERIOD,
        host_wait: 50 * PERIOD,
        ..TargetSiteTotal::default()
    }
}

/// An event of a device's timeline.
pub fn target_event(codeptr_ra: u64, event_kind: u32, time: u64, bytes: u64) -> TargetEvent {
    let (thread, device, duration) = (0, 0, PERIOD);
    TargetEvent { thread, time: START + time, duration, event_kind, device, bytes, codeptr_ra }
}
