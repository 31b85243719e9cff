//! Each thread's time, the odd ones first.

use omphalos_report::ThreadRow;
use omphalos_report::digest::ms;
use serde_json::{Value, json};

use super::{PROFILE, Tool, analysis};
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "threads",
    description: "How each thread of a profile spent its time: work, waits by kind, blocked, \
        without a CPU. Of many threads those whose work differs the most from the median.",
    arguments: &[PROFILE],
    answer,
};

/// How many threads are shown.
const MOST: usize = 16;

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let analysis = analysis(host, arguments)?;
    let rows = analysis.threads();
    let mut work: Vec<u64> = rows.iter().map(ThreadRow::openmp_work).collect();
    work.sort_unstable();
    let median = work.get(work.len() / 2).copied().unwrap_or(0);
    let mut order: Vec<&ThreadRow> = rows.iter().collect();
    order.sort_by_key(|row| std::cmp::Reverse(row.openmp_work().abs_diff(median)));
    order.truncate(MOST);
    order.sort_by_key(|row| row.thread);
    let row = |row: &&ThreadRow| {
        let mut value = json!({
            "thread": row.thread,
            "alive_ms": ms(row.alive),
            "work_ms": ms(row.openmp_work()),
        });
        let parts = [
            ("barrier_wait_ms", row.barrier_wait),
            ("lock_wait_ms", row.mutex_wait),
            ("task_wait_ms", row.task_wait),
            ("idle_ms", row.idle),
            ("blocked_in_calls_ms", row.blocked),
            ("without_cpu_ms", row.without_cpu),
            ("runtime_overhead_ms", row.overhead),
        ];
        for (name, time) in parts.into_iter().filter(|(_, time)| *time > 0) {
            value[name] = json!(ms(time));
        }
        value
    };
    Ok(json!({
        "threads": order.iter().map(row).collect::<Vec<_>>(),
        "threads_in_all": rows.len(),
        "median_work_ms": ms(median),
    }))
}
