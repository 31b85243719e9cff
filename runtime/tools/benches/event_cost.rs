//! The cost of one event with a tool that registered everything: from the engine's hook through the
//! subscriber table and the translation into an empty C callback and back. Prints nanoseconds; no
//! limit is enforced here, as times depend on the machine.

#[path = "../tests/support/mod.rs"]
mod support;

use omphalos_events::*;
// Linked, so that `start` finds it and starts it.
use omphalos_tools as _;
use std::hint::black_box;
use std::time::Instant;

static REGION: Identity = Identity::new();
static TASK: TaskTool = TaskTool::new();
static TABLE: Inquiry = Inquiry {
    thread: || &REGION,
    state: || (State::WORK_PARALLEL, 0),
    task: |_| (0, None),
    making_task: |_| (0, None),
    region: |_| (0, None),
    task_memory: |_| (0, 0, false),
    target: || None,
    on_device: || None,
    num_devices: || 0,
    played_devices: || 0,
    tool_leaves: |_| {},
    idle_frame: || 0,
    summed: || (0, 0),
    notes: || None,
    unique_id: || 1,
    num_procs: || 1,
    num_places: || 0,
    place_proc_ids: |_, _| 0,
    place_num: || -1,
    partition_place_nums: |_| 0,
    proc_id: || 0,
    omp_version: 202411,
    runtime_version: c"bench",
};

fn measure(name: &str, event: &Event<'_>) {
    const ROUNDS: u32 = 5_000_000;
    let best = (0..5)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..ROUNDS {
                let event = black_box(event);
                if wants(event.kind()) {
                    dispatch(event);
                }
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name:<34} {best:6.2} ns");
}

fn all(title: &str) {
    println!("{title}");
    let (region, task, codeptr) = (&REGION, &TASK, 1);
    let endpoint = Endpoint::Begin;
    let kind = SyncKind::BarrierExplicit;
    measure("sync_region", &Event::SyncRegion { kind, endpoint, region, task, codeptr });
    let parallelism = 2;
    let flags = TaskFlags::IMPLICIT;
    measure(
        "implicit_task",
        &Event::ImplicitTask { endpoint, region, task, parallelism, index: 0, flags },
    );
    let requested = 2;
    let begin = Event::ParallelBegin {
        encountering: task,
        region,
        requested,
        flags: 1,
        function: 0,
        codeptr,
    };
    measure("parallel_begin", &begin);
    let status = TaskStatus::Switch;
    measure("task_schedule", &Event::TaskSchedule { prior: task, status, next: Some(task) });
    let (kind, wait_id) = (MutexKind::Critical, 1);
    measure("mutex_acquired", &Event::MutexAcquired { kind, wait_id, codeptr });
    let kind = DispatchKind::LoopChunk;
    measure("dispatch", &Event::Dispatch { kind, region, task, first: 0, count: 1 });
}

fn main() {
    let tool = support::tool("gcc", "empty_tool.c", "empty.so", &["-O2"]);
    // SAFETY: nothing else runs yet.
    unsafe { std::env::set_var("OMP_TOOL_LIBRARIES", tool) };
    install_inquiry(&TABLE);
    search_tools();
    start();
    all("a tool with every callback");
    finish();
    all("no tool: load and branch");
}
