//! A stand-in for the engine: it has one thread, one region and two tasks, and says about them
//! whatever a real one could say, in an order that a test knows.

use omphalos_events::*;
// Linked, it is the tools' side, which `start` starts.
use omphalos_tools as _;
use std::cell::Cell;
use std::ffi::c_void;

static THREAD: Identity = Identity::new();
static OUTER: Identity = Identity::new();
static REGION: Identity = Identity::new();
static INITIAL: TaskTool = TaskTool::new();
static IMPLICIT: TaskTool = TaskTool::new();
static EXPLICIT: TaskTool = TaskTool::new();

static TABLE: Inquiry = Inquiry {
    thread: || &THREAD,
    state: || (State::WAIT_NEST_LOCK, 0x1234),
    task: |level| match level {
        0 => answer(TaskFlags::IMPLICIT, &IMPLICIT, &REGION, 1),
        1 => (1, None),
        2 => answer(TaskFlags::INITIAL, &INITIAL, &OUTER, 0),
        _ => (0, None),
    },
    making_task: |_| (0, None),
    region: |level| match level {
        0 => (
            2,
            Some(RegionInfo {
                region: &raw const REGION,
                team_size: 2,
                function: 0xf00,
                codeptr: 0xc0de,
            }),
        ),
        1 => (
            2,
            Some(RegionInfo { region: &raw const OUTER, team_size: 1, function: 0, codeptr: 0 }),
        ),
        _ => (0, None),
    },
    task_memory: |block| (0x1000, 64, block == 0),
    target: || None,
    on_device: || None,
    num_devices: || 0,
    played_devices: || 0,
    tool_leaves: |_| {},
    idle_frame: || 0,
    summed: || (0, 0),
    notes: || {
        static NOTES: Notes = Notes::new();
        Some(&NOTES)
    },
    unique_id: || {
        static LAST: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1
    },
    num_procs: || 4,
    num_places: || 2,
    place_proc_ids: |_, ids| fill(ids, &[5, 6, 7]),
    place_num: || 1,
    partition_place_nums: |nums| fill(nums, &[0, 1]),
    proc_id: || 3,
    omp_version: 202411,
    runtime_version: c"A stand-in 1.0",
};

fn answer(
    flags: u32,
    task: &'static TaskTool,
    region: &'static Identity,
    thread_num: i32,
) -> (i32, Option<TaskInfo>) {
    (2, Some(TaskInfo { flags, task, region, thread_num, function: 0xf02 }))
}

fn fill(to: &mut [i32], from: &[i32]) -> i32 {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    from.len() as i32
}

/// As in the engine's hooks, nothing is built that no tool wants.
fn tell(event: Event<'_>) {
    if wants(event.kind()) {
        dispatch(&event);
    }
}

fn control(command: u64, modifier: u64) -> i32 {
    let result = Cell::new(-1);
    let arg = std::ptr::dangling_mut::<c_void>();
    tell(Event::Control { command, modifier, arg, codeptr: 0x10, result: &result });
    result.get()
}

/// Starts the tools.
pub fn begin() {
    install_inquiry(&TABLE);
    search_tools();
    start();
}

/// Reports every event once (both ends of those that have two); `control` runs the inquiries.
pub fn play() {
    let (region, task, codeptr) = (&REGION, &IMPLICIT, 0xabc);
    for identity in [&THREAD, &OUTER, &REGION, &INITIAL.identity, &IMPLICIT.identity] {
        identity.renew((TABLE.unique_id)());
    }
    EXPLICIT.identity.renew((TABLE.unique_id)());
    INITIAL.frame.enter.store(0x7000, std::sync::atomic::Ordering::Relaxed);
    tell(Event::ThreadBegin { thread: &THREAD, kind: ThreadKind::Initial });
    let initial = |endpoint| Event::ImplicitTask {
        endpoint,
        region: &OUTER,
        task: &INITIAL,
        parallelism: 1,
        index: 1,
        flags: TaskFlags::INITIAL,
    };
    tell(initial(Endpoint::Begin));
    tell(Event::ParallelBegin {
        encountering: &INITIAL,
        region,
        requested: 3,
        flags: 0x8000_0001,
        function: 0xf00,
        codeptr,
    });
    let implicit = |endpoint| Event::ImplicitTask {
        endpoint,
        region,
        task,
        parallelism: 2,
        index: 1,
        flags: TaskFlags::IMPLICIT,
    };
    tell(implicit(Endpoint::Begin));
    for endpoint in [Endpoint::Begin, Endpoint::End] {
        let kind = SyncKind::BarrierExplicit;
        tell(Event::SyncRegion { kind, endpoint, region, task, codeptr });
        tell(Event::SyncWait { kind, endpoint, region, task, codeptr });
        let kind = SyncKind::BarrierImplicitParallel;
        tell(Event::SyncRegion { kind, endpoint, region, task, codeptr });
        tell(Event::SyncWait { kind, endpoint, region, task, codeptr });
        tell(Event::Reduction { endpoint, region, task, codeptr });
        let kind = WorkKind::LoopStatic;
        tell(Event::Work { kind, endpoint, region, task, count: 100, codeptr });
        tell(Event::Masked { endpoint, region, task, codeptr });
        tell(Event::NestLock { endpoint, wait_id: 0x50, codeptr });
    }
    tell(Event::Dispatch { kind: DispatchKind::LoopChunk, region, task, first: 10, count: 5 });
    tell(Event::Dispatch { kind: DispatchKind::Section, region, task, first: 0x99, count: 1 });
    tell(Event::Dispatch { kind: DispatchKind::Iteration, region, task, first: 7, count: 1 });
    tell(Event::TaskCreate {
        encountering: task,
        task: &EXPLICIT,
        flags: TaskFlags::EXPLICIT | TaskFlags::UNTIED,
        has_dependences: true,
        function: 0xf01,
        codeptr,
    });
    let dependences = [Dependence { variable: 0x77, kind: 3 }, Dependence { variable: 1, kind: 1 }];
    tell(Event::Dependences { task: &EXPLICIT, dependences: &dependences });
    tell(Event::TaskDependence { source: task, sink: &EXPLICIT });
    let status = TaskStatus::Switch;
    tell(Event::TaskSchedule { prior: task, status, next: Some(&EXPLICIT) });
    tell(Event::TaskSchedule { prior: &EXPLICIT, status: TaskStatus::LateFulfill, next: None });
    let (kind, wait_id) = (MutexKind::Critical, 0x60);
    let (hint, implementation) = (2, 1);
    tell(Event::LockInit { kind, hint, implementation, wait_id, codeptr });
    tell(Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr });
    tell(Event::MutexWait { kind, wait_id, codeptr });
    tell(Event::MutexAcquired { kind, wait_id, codeptr });
    tell(Event::MutexReleased { kind, wait_id, codeptr });
    tell(Event::LockDestroy { kind, wait_id, codeptr });
    tell(Event::Flush { thread: &THREAD, codeptr });
    tell(Event::Cancel { task, flags: Cancel::LOOP | Cancel::DETECTED, codeptr });
    let severity = Severity::Fatal;
    tell(Event::Error { severity, message: c"out of luck", codeptr });
    tell(Event::Idle { thread: &THREAD, endpoint: Endpoint::Begin });
    println!("control={}", control(64, 5));
    tell(implicit(Endpoint::End));
    tell(Event::ParallelEnd { encountering: &INITIAL, region, flags: 0x8000_0001, codeptr });
    tell(initial(Endpoint::End));
    tell(Event::ThreadEnd { thread: &THREAD, kind: ThreadKind::Initial });
}

/// Lets the tool end itself; no event may reach it afterwards.
pub fn finalize_early() {
    println!("control={}", control(65, 6));
    println!("active={}", active());
    tell(Event::ThreadEnd { thread: &THREAD, kind: ThreadKind::Initial });
}

/// The runtime's end.
pub fn end() {
    tell(Event::Shutdown);
    finish();
    println!("ended");
}
