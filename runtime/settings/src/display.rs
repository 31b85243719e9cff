//! Shows the settings by the names of their variables: `OMP_DISPLAY_ENV`, `omp_display_env` and
//! LLVM's `KMP_SETTINGS`.

use super::affinity_format;
use super::of_devices::OfDevice;
use super::schedules::{OMP_SCHED_MONOTONIC, RunSched};
use super::settings::Settings;
use super::values::TargetOffload;
use core::fmt::Write;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_sys::{environment, stderr};

/// Writes the settings to standard error in one piece. `verbose` adds those that the standard does
/// not name.
pub fn show(settings: &Settings, verbose: bool) {
    stderr::raw(text(settings, verbose).as_bytes());
}

/// Writes the settings to standard error as LLVM's `KMP_SETTINGS` does: the user's values, and
/// those that hold.
pub fn list(settings: &Settings) {
    let mut out = String::from("\nUser settings:\n\n");
    let mut user: Vec<(String, String)> = Vec::new();
    environment::each(b"OKGL", |name, value| {
        if ["OMP_", "KMP_", "GOMP_", "LIBOMP_"].iter().any(|p| name.starts_with(p.as_bytes())) {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            let set = (text(name), text(value));
            // An ordered insertion is enough for a few: the library's sort would be 10 kB of code.
            user.insert(user.partition_point(|known| *known < set), set);
        }
    });
    for (name, value) in user {
        let _ = writeln!(out, "   {name}={value}");
    }
    out.push_str("\nEffective settings:\n\n");
    for (name, value) in lines(settings, true) {
        let value = match (name, &settings.places) {
            ("OMP_PLACES", Some(places)) => places.named(),
            _ => value,
        };
        let _ = writeln!(out, "   {name}={value}");
    }
    out.push('\n');
    stderr::raw(out.as_bytes());
}

fn text(settings: &Settings, verbose: bool) -> String {
    let mut out = String::from("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n");
    for (name, value) in lines(settings, verbose) {
        let _ = writeln!(out, "  [host] {name} = '{value}'");
    }
    for (device, own) in settings.of_devices.iter().enumerate() {
        for (name, value) in of_device(own) {
            let _ = writeln!(out, "  [device {device}] {name} = '{value}'");
        }
    }
    out.push_str("OPENMP DISPLAY ENVIRONMENT END\n");
    out
}

/// Returns the settings by the names of their variables.
fn lines(settings: &Settings, verbose: bool) -> Vec<(&'static str, String)> {
    let icvs = &settings.initial;
    let mut lines = Vec::new();
    let mut line = |name: &'static str, value: String| lines.push((name, value));
    let flag = |on: bool| if on { "TRUE" } else { "FALSE" }.to_owned();
    let list = |list: &[u32], one: u32, shown: fn(u32) -> String| match list {
        [] => shown(one),
        some => some.iter().map(|&n| shown(n)).collect::<Vec<_>>().join(","),
    };
    line("OMP_DYNAMIC", flag(icvs.dynamic));
    line("OMP_NESTED", flag(icvs.max_active_levels > 1));
    line("OMP_NUM_THREADS", list(&settings.deeper_nthreads, icvs.nthreads, |n| n.to_string()));
    line("OMP_SCHEDULE", schedule(icvs.schedule));
    line("OMP_PROC_BIND", list(&settings.deeper_bind, icvs.bind, policy));
    line("OMP_PLACES", settings.places.as_ref().map_or(String::new(), |places| places.shown()));
    line("OMP_STACKSIZE", settings.stack_size().to_string());
    let waiting = match settings.wait_policy {
        Some(true) => "ACTIVE",
        _ => "PASSIVE",
    };
    line("OMP_WAIT_POLICY", waiting.to_owned());
    line("OMP_THREAD_LIMIT", icvs.thread_limit.to_string());
    line("OMP_MAX_ACTIVE_LEVELS", icvs.max_active_levels.to_string());
    line("OMP_NUM_TEAMS", settings.num_teams.load(Relaxed).to_string());
    line("OMP_TEAMS_THREAD_LIMIT", settings.teams_thread_limit.load(Relaxed).to_string());
    line("OMP_CANCELLATION", flag(settings.cancellation));
    line("OMP_DEFAULT_DEVICE", icvs.default_device.to_string());
    line("OMP_MAX_TASK_PRIORITY", settings.max_task_priority.to_string());
    line("OMP_DISPLAY_AFFINITY", flag(settings.display_affinity));
    line("OMP_AFFINITY_FORMAT", affinity_format::get());
    let usual = || super::allocator::name(icvs.allocator).unwrap_or_default().to_owned();
    line("OMP_ALLOCATOR", settings.allocator_text.clone().unwrap_or_else(usual));
    let reserve = settings.reserve;
    let (teams, agents) = (reserve.structured, reserve.free_agents);
    line("OMP_THREADS_RESERVE", format!("structured({teams}),free_agent({agents})"));
    let offload = match settings.target_offload() {
        TargetOffload::Default => "DEFAULT",
        TargetOffload::Mandatory => "MANDATORY",
        TargetOffload::Disabled => "DISABLED",
    };
    line("OMP_TARGET_OFFLOAD", offload.to_owned());
    if verbose {
        line("LIBOMP_NUM_HIDDEN_HELPER_THREADS", settings.helpers.most().to_string());
        line("KMP_SCHEDULE", settings.loop_kinds.shown());
        line("KMP_BLOCKTIME", settings.blocktime.load(Relaxed).to_string());
        line("KMP_INHERIT_FP_CONTROL", flag(settings.inherits_fp_control));
        line("OMPHALOS_PROCESSORS", settings.processors.count().to_string());
    }
    lines
}

/// Returns the values that a device has of its own.
fn of_device(own: &OfDevice) -> [(&'static str, String); 6] {
    let icvs = &own.icvs;
    [
        ("OMP_DYNAMIC", if icvs.dynamic { "TRUE" } else { "FALSE" }.to_owned()),
        ("OMP_NUM_THREADS", icvs.nthreads.to_string()),
        ("OMP_SCHEDULE", schedule(icvs.schedule)),
        ("OMP_THREAD_LIMIT", icvs.thread_limit.to_string()),
        ("OMP_NUM_TEAMS", own.num_teams.load(Relaxed).to_string()),
        ("OMP_TEAMS_THREAD_LIMIT", own.teams_thread_limit.load(Relaxed).to_string()),
    ]
}

fn schedule((kind, chunk): (u32, u32)) -> String {
    let known = RunSched::of(kind).unwrap_or(RunSched::Static);
    let name = known.word().to_ascii_uppercase();
    let modifier = if kind & OMP_SCHED_MONOTONIC != 0 { "MONOTONIC:" } else { "" };
    let has_none = chunk == 0 || known == RunSched::Auto;
    let chunk = if has_none { String::new() } else { format!(",{chunk}") };
    format!("{modifier}{name}{chunk}")
}

fn policy(bind: u32) -> String {
    match bind {
        0 => "FALSE",
        1 => "TRUE",
        2 => "PRIMARY",
        3 => "CLOSE",
        _ => "SPREAD",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_there() {
        let shown = text(&Settings::new(), true);
        assert!(shown.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n"));
        assert!(shown.contains("[host] OMP_SCHEDULE = 'STATIC'\n"));
        let reserve = "[host] OMP_THREADS_RESERVE = 'structured(1),free_agent(0)'\n";
        assert!(shown.contains(reserve));
        assert!(shown.ends_with("OPENMP DISPLAY ENVIRONMENT END\n"));
        assert_eq!(schedule((2 | OMP_SCHED_MONOTONIC, 4)), "MONOTONIC:DYNAMIC,4");
    }
}
