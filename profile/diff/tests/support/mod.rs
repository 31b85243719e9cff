//! Makes reports in the form of `omphalos report --json`, of a program with one region or a few.

#![allow(dead_code)] // each test program uses its part

use omphalos_diff::{Comparison, Side};
use serde_json::{Value, json};

/// 1 ms, ns.
pub const MS: f64 = 1e6;

/// A region of two threads: the computing of its threads by function, and their waits.
#[derive(Clone)]
pub struct Region {
    pub function: &'static str,
    pub line: u32,
    pub threads: f64,
    pub instances: u64,
    pub iterations: Option<u64>,
    pub inner: &'static str,
    /// By function, ms of elapsed time.
    pub work: Vec<(&'static str, f64)>,
    pub barrier: f64,
    pub mutex: f64,
}

impl Region {
    pub fn at(line: u32, function: &'static str, work: &[(&'static str, f64)]) -> Region {
        Region {
            function,
            line,
            threads: 2.0,
            instances: 100,
            iterations: Some(10_000),
            inner: "for (static)",
            work: work.to_vec(),
            barrier: 0.0,
            mutex: 0.0,
        }
    }

    fn label(&self) -> String {
        format!("region at app.c:{} in {}", self.line, self.function)
    }

    fn construct(&self) -> Value {
        json!({ "label": self.label(), "file": "/src/app.c", "line": self.line,
            "function": self.function })
    }

    fn elapsed(&self) -> f64 {
        self.work.iter().map(|(_, ms)| ms).sum::<f64>() + self.barrier + self.mutex
    }

    fn row(&self) -> Value {
        let of_threads = |ms: f64| (ms * MS * self.threads) as u64;
        json!({
            "construct": self.construct(),
            "parent": null,
            "level": 1,
            "instances": self.instances,
            "elapsed_ns": (self.elapsed() * MS) as u64,
            "team_size": self.threads,
            "work_ns": of_threads(self.work.iter().map(|(_, ms)| ms).sum()),
            "without_cpu_ns": 0,
            "barrier_wait_ns": of_threads(self.barrier),
            "mutex_wait_ns": of_threads(self.mutex),
            "task_wait_ns": 0,
            "overhead_ns": 0,
            "blocked_ns": 0,
            "tasks_created": 0,
            "constructs": [{ "name": self.inner, "construct": self.construct(),
                "iterations": self.iterations }],
        })
    }

    fn node(&self) -> Value {
        let all: f64 = self.work.iter().map(|(_, ms)| ms).sum();
        let children: Vec<Value> =
            self.work.iter().map(|(name, ms)| leaf(name, *ms * self.threads)).collect();
        let total = (all * MS * self.threads) as u64;
        json!({ "name": self.label(), "kind": "region", "total_ns": total, "self_ns": 0,
            "children": children })
    }
}

fn leaf(name: &str, ms: f64) -> Value {
    let time = (ms * MS) as u64;
    json!({ "name": name, "kind": "function", "total_ns": time, "self_ns": time, "children": [] })
}

/// A run: its computing outside regions, by function, and its regions.
pub struct Program {
    pub serial: Vec<(&'static str, f64)>,
    pub regions: Vec<Region>,
    pub mutexes: Vec<(&'static str, f64)>,
    pub environment: Vec<&'static str>,
    pub compilers: Vec<&'static str>,
    pub threads: u64,
    pub cpu_share: f64,
}

impl Program {
    pub fn of(regions: &[Region]) -> Program {
        Program {
            serial: vec![("setup", 50.0)],
            regions: regions.to_vec(),
            mutexes: Vec::new(),
            environment: vec!["OMP_TOOL=enabled", "OMPHALOS_PROFILE_HZ=1000"],
            compilers: vec!["GNU C17 12.2.0 -O2"],
            threads: 2,
            cpu_share: 1.0,
        }
    }

    /// Returns the report of one run; all times are multiplied by `times`.
    pub fn report(&self, times: f64) -> Value {
        let mut regions = self.regions.clone();
        for region in &mut regions {
            region.work.iter_mut().for_each(|(_, ms)| *ms *= times);
            region.barrier *= times;
            region.mutex *= times;
        }
        let serial: f64 = self.serial.iter().map(|(_, ms)| ms * times).sum();
        let elapsed = serial + regions.iter().map(Region::elapsed).sum::<f64>();
        let mut children: Vec<Value> =
            self.serial.iter().map(|(name, ms)| leaf(name, ms * times)).collect();
        children.extend(regions.iter().map(Region::node));
        json!({
            "format": 1,
            "program": { "executable": "/src/app", "command": ["./app"], "host": "host",
                "runtime": "Omphalos", "environment": self.environment, "cpus": 2,
                "usable_cpus": 2, "processor": "a processor", "compilers": self.compilers },
            "summary": { "elapsed_ns": (elapsed * MS) as u64, "threads": self.threads,
                "cpu_share": self.cpu_share, "rate_hz": 250.0, "other_programs_share": 0.01,
                "complete": true },
            "regions": regions.iter().map(Region::row).collect::<Vec<_>>(),
            "tasks": [],
            "mutexes": self.mutexes.iter().map(|(name, ms)| json!({ "name": name,
                "acquisitions": 1000, "wait_ns": (ms * MS * times) as u64, "sites": [] }))
                .collect::<Vec<_>>(),
            "targets": [],
            "call_tree": { "name": "", "kind": "function", "total_ns": 1, "self_ns": 0,
                "children": [{ "name": "main", "kind": "function", "total_ns": 1, "self_ns": 0,
                    "children": children }] },
        })
    }

    /// Returns so many runs that differ by a hundredth, never in the same way.
    pub fn runs(&self, count: u64, seed: u64) -> Vec<Value> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 2001) as f64 / 1000.0 - 1.0
        };
        (0..count).map(|_| self.report(1.0 + 0.01 * next())).collect()
    }
}

pub fn compare(before: &Program, after: &Program) -> Comparison {
    compare_runs(&[before.report(1.0)], &[after.report(1.0)])
}

pub fn compare_runs(before: &[Value], after: &[Value]) -> Comparison {
    Comparison::of(Side::of("before", before).unwrap(), Side::of("after", after).unwrap())
}
