//! Adds up every table of a report: tables that divide the same time must agree.
//!
//! | tables | what must be the same |
//! |---|---|
//! | a thread's classes | add up to its life; Work and Wait are sums of them |
//! | threads, summary | each figure of the summary is the sum over the threads |
//! | regions, threads | work, waits and time without a CPU, summed over all regions. A region's work has the whole elapsed time of those inside it |
//! | constructs, regions | their waits are the region's barrier and mutex waits, and handing out is part of its overhead |
//! | tasks, regions | tasks and their work |
//! | mutexes, threads | the waits for them |
//! | call paths, threads | the whole, blocked time, and time without a CPU; the children of a node have no more than the node |
//! | lines, threads | no more than Work |

use serde_json::Value;

use super::figures::{rows, sum};

/// Tables that divide the same time at different events may differ by this share …
const SHARE: f64 = 0.01;
/// … waits and time without a CPU by this share, since a thread may lose its processor before it
/// tells of an end …
const SHARE_OF_WAITS: f64 = 0.06;
/// … plus so many seconds, since a thread may lose its processor between two events that a reader
/// takes for one.
const MOMENT: f64 = 0.002;
/// The error of a sum whose parts are each rounded down, seconds.
const ROUNDED: f64 = 0.00001;
/// The allowed error of estimates of tasks, in standard deviations.
const DEVIATIONS: f64 = 4.0;

/// Lists the contradictions between tables of a report, and of its other processes.
pub fn faults(report: &Value) -> Vec<String> {
    let mut sums = Sums { report, faults: Vec::new() };
    sums.threads();
    sums.summary();
    sums.regions();
    sums.constructs();
    sums.tasks();
    sums.paths();
    let mut faults = sums.faults;
    faults.extend(rows(report, "other_processes").flat_map(self::faults));
    faults
}

struct Sums<'a> {
    report: &'a Value,
    faults: Vec<String>,
}

/// The classes of a thread's time.
const CLASSES: [&str; 9] = [
    "parallel_work_ns", "serial_work_ns", "without_cpu_ns", "blocked_ns", "idle_ns",
    "barrier_wait_ns", "mutex_wait_ns", "task_wait_ns", "overhead_ns",
];
const WAITS: [&str; 5] =
    ["idle_ns", "barrier_wait_ns", "mutex_wait_ns", "task_wait_ns", "overhead_ns"];

/// Returns a figure in seconds. One that the report has as unknown counts as 0 in a sum.
fn of(row: &Value, field: &str) -> f64 {
    match &row[field] {
        Value::Null if row.get(field).is_some() => 0.0,
        value => value.as_f64().unwrap_or(f64::NAN) / 1e9,
    }
}

fn of_fields(row: &Value, fields: &[&str]) -> f64 {
    fields.iter().map(|field| of(row, field)).sum()
}

impl Sums<'_> {
    fn all(&self, table: &str, field: &str) -> f64 {
        sum(rows(self.report, table), field).unwrap_or(0.0)
    }

    fn same(&mut self, what: &str, one: f64, other: f64, allowed: f64) {
        if (one - other).abs() > allowed || one.is_nan() || other.is_nan() {
            self.faults.push(format!("{what}: {one:.6} and {other:.6}"));
        }
    }

    fn at_most(&mut self, what: &str, part: f64, whole: f64, allowed: f64) {
        self.same(what, part.max(whole), whole, allowed);
    }

    fn threads(&mut self) {
        for row in rows(self.report, "threads") {
            let name = format!("thread {}", row["thread"]);
            let alive = of(row, "alive_ns");
            self.same(&format!("{name}: classes, life"), of_fields(row, &CLASSES), alive, ROUNDED);
            let work = of_fields(row, &["parallel_work_ns", "serial_work_ns"]);
            self.same(&format!("{name}: Work"), work, of(row, "openmp_work_ns"), ROUNDED);
            let wait = of_fields(row, &WAITS);
            self.same(&format!("{name}: Wait"), wait, of(row, "openmp_wait_ns"), ROUNDED);
        }
    }

    fn summary(&mut self) {
        let summary = &self.report["summary"];
        for (whole, field) in [
            ("threads_alive_ns", "alive_ns"),
            ("openmp_work_ns", "openmp_work_ns"),
            ("openmp_wait_ns", "openmp_wait_ns"),
            ("serial_ns", "serial_work_ns"),
            ("blocked_ns", "blocked_ns"),
            ("without_cpu_ns", "without_cpu_ns"),
        ] {
            self.same(whole, of(summary, whole), self.all("threads", field), ROUNDED);
        }
        let elapsed = of(summary, "elapsed_ns");
        for finding in rows(self.report, "diagnosis") {
            let cost = of(finding, "cost_ns");
            self.at_most(&format!("cost of {}", finding["name"]), cost, elapsed, ROUNDED);
        }
    }

    /// Compares regions with threads. It compares nothing where they need not agree: other threads
    /// than the program's do work outside of regions; an end in the middle of a region leaves open
    /// which time belongs to it; and the Collector API does not say which barrier is a region's
    /// last, so that the time between that barrier and idling is the thread's work and not the
    /// region's.
    fn regions(&mut self) {
        let (report, summary) = (self.report, &self.report["summary"]);
        let are_known = rows(report, "threads")
            .all(|row| ["initial", "worker"].contains(&row["kind"].as_str().unwrap_or_default()));
        let is_whole = ["exact", "complete", "knows_tasks"].iter().all(|is| summary[is] == true);
        if !are_known || !is_whole || rows(report, "targets").count() > 0 {
            return;
        }
        let nested = rows(report, "regions").filter(|row| !row["parent"].is_null());
        let inside = sum(nested, "elapsed_ns").unwrap_or(0.0);
        let blocked = self.all("threads", "blocked_ns") - self.all("threads", "blocked_serial_ns");
        let at_work = self.all("regions", "work_ns")
            + self.all("regions", "without_cpu_ns")
            + self.all("regions", "blocked_ns");
        let of_threads = self.all("threads", "parallel_work_ns")
            + self.all("threads", "without_cpu_ns")
            - self.all("threads", "without_cpu_serial_ns")
            + blocked;
        let allowed = |time: f64| SHARE * time + MOMENT;
        let what = "work of threads, in regions";
        self.same(what, of_threads, at_work - inside, allowed(at_work));
        if inside == 0.0 {
            let queued = of_threads - self.all("threads", "parallel_work_ns") - blocked;
            let in_regions = self.all("regions", "without_cpu_ns");
            let allowed = SHARE_OF_WAITS * queued + MOMENT;
            self.same("without a CPU in regions, of threads", in_regions, queued, allowed);
            let in_regions = self.all("regions", "blocked_ns");
            let allowed = SHARE_OF_WAITS * blocked + MOMENT;
            self.same("blocked in regions, of threads", in_regions, blocked, allowed);
        }
        for field in ["mutex_wait_ns", "task_wait_ns"] {
            let (regions, threads) = (self.all("regions", field), self.all("threads", field));
            let what = format!("{field} of regions, threads");
            self.same(&what, regions, threads, SHARE_OF_WAITS * threads + MOMENT);
        }
        // A worker may learn late of its region's end, or may pass the barrier before the first
        // thread tells of it. Meanwhile the worker is idle, but the region counts the time as its
        // own.
        let barrier = ("barrier_wait_ns", "overhead_ns");
        let [regions, threads] = ["regions", "threads"]
            .map(|table| (self.all(table, barrier.0), self.all(table, barrier.1)));
        let allowed = SHARE_OF_WAITS * (threads.0 + threads.1) + MOMENT;
        self.at_most("barrier waits of threads, in regions", threads.0, regions.0, allowed);
        let most = threads.0 + threads.1 + self.all("threads", "idle_ns");
        let what = "barrier waits and overhead in regions, of threads";
        self.at_most(what, regions.0 + regions.1, most, allowed);
        let waited = self.all("threads", "mutex_wait_ns");
        let mutexes = self.all("mutexes", "wait_ns");
        self.at_most("waits for mutexes, of threads", mutexes, waited, SHARE * waited + MOMENT);
    }

    fn constructs(&mut self) {
        for row in rows(self.report, "regions") {
            let name = format!("{}", row["construct"]["label"]);
            let constructs = || rows(row, "constructs");
            let allowed = |time: f64| SHARE * time + MOMENT;
            let is_mutex = |row: &&Value| row["name"] == "critical" || row["name"] == "ordered";
            if constructs().count() > 0 {
                let waits = sum(constructs().filter(|row| !is_mutex(row)), "wait_ns");
                let barrier = of(row, "barrier_wait_ns");
                let what = format!("{name}: waits of constructs, of it");
                self.same(&what, waits.unwrap_or(0.0), barrier, allowed(barrier));
            }
            let handing = sum(constructs(), "handing_out_ns").unwrap_or(0.0);
            let overhead = of(row, "overhead_ns");
            self.at_most(&format!("{name}: handing out"), handing, overhead, ROUNDED);
            let (tasks, work) = (of(row, "task_work_ns"), of(row, "work_ns"));
            self.at_most(&format!("{name}: work of tasks"), tasks, work, ROUNDED);
        }
    }

    fn tasks(&mut self) {
        let are_all = self.report["summary"]["complete"] == true
            && rows(self.report, "targets").count() == 0
            && rows(self.report, "tasks").count() > 0;
        if !are_all {
            return;
        }
        let work = self.all("tasks", "work_ns");
        let deviations = rows(self.report, "tasks").map(|row| of(row, "work_deviation_ns").powi(2));
        let allowed = DEVIATIONS * deviations.sum::<f64>().sqrt() + SHARE * work + MOMENT;
        let in_regions = self.all("regions", "task_work_ns");
        self.at_most("work of tasks in regions, of tasks", in_regions, work, allowed);
    }

    fn paths(&mut self) {
        let tree = &self.report["call_tree"];
        let alive = self.all("threads", "alive_ns");
        self.same("call paths, life", of(tree, "total_ns"), alive, SHARE * alive + ROUNDED);
        let queued = self.all("threads", "without_cpu_ns");
        // The report leaves out nodes of less than 0.05 %.
        let left_out = 0.0006 * alive + ROUNDED;
        let found = of_kind(tree, "queued");
        self.same("<without a CPU>", found, queued, left_out);
        self.at_most(
            "blocked",
            of_kind(tree, "blocked"),
            self.all("threads", "blocked_ns"),
            left_out,
        );
        self.below(tree);
        for (lines, work) in [
            ("hot_lines", self.all("threads", "openmp_work_ns")),
            ("serial_lines", self.all("threads", "serial_work_ns")),
        ] {
            let time = self.all(lines, "time_ns");
            self.at_most(&format!("{lines}, Work"), time, work, ROUNDED);
        }
    }

    fn below(&mut self, node: &Value) {
        let parts = of(node, "self_ns") + sum(rows(node, "children"), "total_ns").unwrap_or(0.0);
        let name = node["name"].as_str().unwrap_or_default();
        self.at_most(&format!("below {name:?}"), parts, of(node, "total_ns"), ROUNDED);
        rows(node, "children").for_each(|child| self.below(child));
    }
}

/// Adds up the time of all nodes of a kind, wherever they stand.
fn of_kind(node: &Value, kind: &str) -> f64 {
    let own = if node["kind"] == kind { of(node, "self_ns") } else { 0.0 };
    own + rows(node, "children").map(|child| of_kind(child, kind)).sum::<f64>()
}
