//! The CPUs of threads and of the process, and the machine's.

use serde_json::{Value, json};

use crate::Analysis;
use crate::placement::list;

/// Returns a thread's CPUs; null where the profile does not say.
pub(super) fn place(analysis: &Analysis, thread: u32) -> Value {
    let Some(place) = analysis.placement().threads.get(&thread) else { return Value::Null };
    let ran = place.ran.iter().map(|(cpu, time)| {
        let cpu = Some(cpu).filter(|cpu| **cpu != u32::MAX);
        json!({ "cpu": cpu, "running_ns": time })
    });
    json!({
        "allowed_cpus": list(&place.allowed),
        "migrations": place.migrations,
        "ran_on": ran.collect::<Vec<_>>(),
    })
}

/// Returns the CPUs that the process may use, and their machine.
pub(super) fn placement(analysis: &Analysis) -> Value {
    let placement = analysis.placement();
    let group = placement.group.as_ref().map(|group| {
        json!({
            "path": group.path,
            "quota_us": group.quota,
            "period_us": group.period,
            "periods": group.periods,
            "throttled_periods": group.throttled_periods,
            "throttled_ns": group.throttled,
        })
    });
    let known = |figure: u32| Some(figure).filter(|figure| *figure > 0);
    let cpus = placement.machine.values().map(|cpu| {
        json!({
            "cpu": cpu.cpu,
            "core": cpu.core,
            "package": cpu.package,
            "node": cpu.node,
            "capacity": known(cpu.capacity),
            "frequency_khz": known(cpu.frequency),
        })
    });
    let memory = analysis.memory_nodes().times.iter();
    let memory = memory.map(
        |((from, node), time)| json!({"thread_node": from, "memory_node": node, "work_ns": time}),
    );
    json!({
        "process_cpus": list(&placement.allowed),
        "online_cpus": list(&placement.online),
        "cpuset_cpus": list(&placement.cpuset),
        "launcher": placement.launcher,
        "control_group": group,
        "cpus": cpus.collect::<Vec<_>>(),
        "memory": memory.collect::<Vec<_>>(),
    })
}
