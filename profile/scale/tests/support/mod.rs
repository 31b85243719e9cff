//! Makes reports in the form of `omphalos report --json`, of programs whose times are known for
//! each number of threads.

#![allow(dead_code)] // each test program uses its part

use omphalos_diff::Side;
use omphalos_scale::{Cpu, Machine, Outputs, Runs, Scaling};
use serde_json::{Value, json};

/// The advice of the made findings.
pub const ADVICE: &str = "give the threads equal work: schedule(dynamic) or schedule(guided)";

/// 1 ms, ns.
pub const MS: f64 = 1e6;

/// A region with so many threads: ms of all of them together.
#[derive(Clone, Default)]
pub struct Region {
    pub line: u32,
    pub team: Option<u32>,
    pub work: f64,
    pub barrier: f64,
    pub mutex: f64,
    pub task: f64,
    pub overhead: f64,
    pub without_cpu: f64,
}

/// A program with so many threads.
#[derive(Clone, Default)]
pub struct Program {
    /// ms outside of regions.
    pub serial: f64,
    pub regions: Vec<Region>,
    /// `hot-mutex`, and where.
    pub findings: Vec<(&'static str, String)>,
    /// ms that a lock is held.
    pub held: f64,
    pub is_busy: bool,
}

pub fn label(line: u32) -> String {
    format!("region at app.c:{line} in sweep")
}

impl Program {
    pub fn report(&self, threads: u32) -> Value {
        let whole = |ms: f64| (ms * MS) as u64;
        let row = |region: &Region| {
            let team = region.team.unwrap_or(threads);
            let sum = region.work
                + region.barrier
                + region.mutex
                + region.task
                + region.overhead
                + region.without_cpu;
            let elapsed = sum / f64::from(team);
            (
                elapsed,
                json!({
                    "construct": { "label": label(region.line), "line": region.line,
                        "function": "sweep", "file": "/src/app.c" },
                    "level": 1, "elapsed_ns": whole(elapsed), "team_size": f64::from(team),
                    "work_ns": whole(region.work), "barrier_wait_ns": whole(region.barrier),
                    "mutex_wait_ns": whole(region.mutex), "task_wait_ns": whole(region.task),
                    "overhead_ns": whole(region.overhead),
                    "without_cpu_ns": whole(region.without_cpu),
                }),
            )
        };
        let rows: Vec<(f64, Value)> = self.regions.iter().map(row).collect();
        let elapsed = self.serial + rows.iter().map(|(elapsed, _)| elapsed).sum::<f64>();
        let lacked: f64 = self.regions.iter().map(|region| region.without_cpu).sum();
        json!({
            "format": 1,
            "program": { "command": ["./app"], "usable_cpus": 64 },
            "summary": { "elapsed_ns": whole(elapsed), "serial_ns": whole(self.serial),
                "threads": threads, "cpu_share": if self.is_busy { 0.3 } else { 1.0 },
                "without_cpu_ns": whole(lacked) },
            "regions": rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>(),
            "diagnosis": self.findings.iter().map(|(disease, place)| json!({
                "disease": disease, "place": place, "evidence": "", "advice": ADVICE
            })).collect::<Vec<_>>(),
            "mutexes": [{ "name": "critical (table)", "hold_ns": whole(self.held) }],
        })
    }
}

/// So many cores, each with a CPU.
pub fn machine(cores: u32) -> Machine {
    let cpu = |number| Cpu { number, core: number, capacity: None };
    Machine { cpus: (0..cores).map(cpu).collect(), quota: None }
}

pub fn scaling_on(machine: Machine, sizes: &[u32], of: impl Fn(u32) -> Program) -> Scaling {
    let runs = |threads: &u32| Runs {
        threads: *threads,
        side: Side::of("runs", &[of(*threads).report(*threads)]).unwrap(),
    };
    Scaling::of(sizes.iter().map(runs).collect(), machine, Outputs::default()).unwrap()
}

pub fn scaling(sizes: &[u32], of: impl Fn(u32) -> Program) -> Scaling {
    scaling_on(machine(64), sizes, of)
}
