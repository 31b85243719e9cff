//! Reads the environment, once: OpenMP's variables, and those of GCC's and LLVM's runtimes that
//! mean something here.
//!
//! A value that cannot be used is said in one line (variable, value, what is done instead, how to
//! mend it) and never ends the program.

use super::settings::Settings;
use super::values::{self, Parsed};
use crate::affinity::{self, Places, Wish};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_sys::{cpus, message};
use std::ffi::CString;

/// What the environment says.
pub struct Environment {
    /// The settings.
    pub settings: Settings,
    /// `OMP_DISPLAY_ENV`: whether to show them, and whether all.
    pub display: Option<bool>,
}

/// Time-stamp cycles that one round of `GOMP_SPINCOUNT` takes, roughly (one pause).
const CYCLES_PER_ROUND: u64 = 40;

/// Reads everything.
pub fn read() -> Environment {
    let mut settings = Settings::new();
    let own = cpus::affinity();
    settings.cpus = cpus::quota().map_or(own.len(), |quota| quota.min(own.len())).max(1);
    settings.initial.nthreads = settings.cpus as u32;
    threads(&mut settings);
    waiting(&mut settings);
    binding(&mut settings, &own);
    others(&mut settings);
    let display = take("OMP_DISPLAY_ENV", values::display, "showing nothing").flatten();
    Environment { settings, display }
}

/// Team sizes, nesting, loops, stacks.
fn threads(settings: &mut Settings) {
    let cpus = settings.cpus;
    let fallback = format!("using {cpus}, the number of processors");
    let nthreads = take("OMP_NUM_THREADS", values::positive_list, &fallback).unwrap_or_default();
    if let Some(&first) = nthreads.first() {
        settings.initial.nthreads = first;
    }
    let mut nested = nthreads.len() > 1;
    if nested {
        settings.deeper_nthreads = nthreads;
    }
    let icvs = &mut settings.initial;
    if let Some(dynamic) = take("OMP_DYNAMIC", values::boolean, "using false") {
        icvs.dynamic = dynamic;
    }
    let bind = take("OMP_PROC_BIND", values::proc_bind, "threads stay unbound").unwrap_or_default();
    nested |= bind.len() > 1;
    if let Some(on) = take("OMP_NESTED", values::boolean, "using false") {
        nested = on;
    }
    if nested {
        icvs.max_active_levels = i32::MAX as u32;
    }
    let fallback = format!("using {}", icvs.max_active_levels);
    if let Some(levels) = take("OMP_MAX_ACTIVE_LEVELS", values::number, &fallback) {
        icvs.max_active_levels = levels;
    }
    let limit = take("OMP_THREAD_LIMIT", values::positive, "using no limit")
        .or_else(|| take("KMP_DEVICE_THREAD_LIMIT", values::positive, "using no limit"));
    if let Some(limit) = limit {
        icvs.thread_limit = limit;
    }
    if let Some(schedule) = take("OMP_SCHEDULE", values::schedule, "using static") {
        icvs.schedule = schedule;
    }
    let stack = |name: &str, unit: usize| {
        take(name, |text| values::size(text, unit), "using the system's default")
    };
    let size = stack("OMP_STACKSIZE", 1024)
        .or_else(|| stack("KMP_STACKSIZE", 1))
        .or_else(|| stack("GOMP_STACKSIZE", 1024));
    settings.stack_size.store(size.unwrap_or(0), Relaxed);
}

/// How long waits spin. `OMP_WAIT_POLICY` says roughly, the older variables exactly.
fn waiting(settings: &mut Settings) {
    settings.wait_policy = take("OMP_WAIT_POLICY", values::wait_policy, "using the default");
    match settings.wait_policy {
        Some(true) => settings.set_spin(u64::MAX),
        Some(false) => settings.set_spin(0),
        None => {}
    }
    if let Some(blocktime) = take("KMP_BLOCKTIME", values::milliseconds, "using the default") {
        settings.set_blocktime(blocktime);
    }
    if let Some(rounds) = take("GOMP_SPINCOUNT", spin_count, "using the default") {
        settings.set_spin(rounds.saturating_mul(CYCLES_PER_ROUND));
    }
}

fn spin_count(text: &str) -> Parsed<u64> {
    let text = text.trim().to_ascii_lowercase();
    if text == "infinite" || text == "infinity" {
        return Ok(u64::MAX);
    }
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k') => (&text[..text.len() - 1], 1_000),
        Some(b'm') => (&text[..text.len() - 1], 1_000_000),
        Some(b'g') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text.as_str(), 1),
    };
    let count = digits.trim().parse::<u64>().map_err(|_| "a number of rounds or infinite")?;
    Ok(count.saturating_mul(factor))
}

/// Places and binding: nobody is bound unless one of these variables asks for it.
fn binding(settings: &mut Settings, own: &[usize]) {
    let bind = lookup("OMP_PROC_BIND").and_then(|text| values::proc_bind(&text).ok());
    if bind.as_deref() == Some(&[0]) {
        return;
    }
    let unbound = "threads stay unbound";
    let instead = if bind.is_some() { "using the cores" } else { unbound };
    let places = take("OMP_PLACES", |text| affinity::places(text, own), instead);
    let cpu_list = |text: &str| affinity::cpu_list(text, own);
    let wish = match (&places, &bind) {
        (Some(_), _) | (None, Some(_)) => {
            let places = places.unwrap_or_else(|| affinity::cores(own));
            Some(Wish { places, policy: 1 })
        }
        (None, None) => take("GOMP_CPU_AFFINITY", cpu_list, unbound)
            .map(|places| Wish { places, policy: 3 })
            .or_else(|| take("KMP_AFFINITY", |text| affinity::kmp(text, own), unbound).flatten()),
    };
    let Some(wish) = wish.filter(|wish| !wish.places.is_empty()) else { return };
    settings.initial.bind = wish.policy;
    if let Some(list) = bind {
        settings.initial.bind = list.first().copied().unwrap_or(wish.policy);
        if list.len() > 1 {
            settings.deeper_bind = list;
        }
    }
    settings.places = Some(Places::new(wish.places));
}

/// What is left.
fn others(settings: &mut Settings) {
    if let Some(on) = take("OMP_CANCELLATION", values::boolean, "using false") {
        settings.cancellation = on;
    }
    if let Some(device) = take("OMP_DEFAULT_DEVICE", values::number, "using 0") {
        settings.initial.default_device = device as i32;
    }
    if let Some(priority) = take("OMP_MAX_TASK_PRIORITY", values::number, "using 0") {
        settings.max_task_priority = priority;
    }
    if let Some(on) = take("OMP_DISPLAY_AFFINITY", values::boolean, "using false") {
        settings.display_affinity = on;
    }
    settings.affinity_format = lookup("OMP_AFFINITY_FORMAT").and_then(|t| CString::new(t).ok());
    if let Some(teams) = take("OMP_NUM_TEAMS", values::positive, "using the default") {
        settings.num_teams.store(teams, Relaxed);
    }
    if let Some(limit) = take("OMP_TEAMS_THREAD_LIMIT", values::positive, "using no limit") {
        settings.teams_thread_limit.store(limit, Relaxed);
    }
    if let Some(offload) = take("OMP_TARGET_OFFLOAD", values::target_offload, "using default") {
        settings.target_offload = offload;
    }
    let fallback = "using omp_default_mem_alloc";
    if let Some(allocator) = take("OMP_ALLOCATOR", values::allocator, fallback) {
        settings.initial.allocator = allocator;
    }
}

/// The variable's value; for an `OMP_` variable also the one that counts for all devices. Empty is
/// as good as unset.
fn lookup(name: &str) -> Option<String> {
    let get = |name: &str| {
        let value = std::env::var_os(name)?.to_string_lossy().into_owned();
        (!value.trim().is_empty()).then_some(value)
    };
    get(name).or_else(|| if name.starts_with("OMP_") { get(&format!("{name}_ALL")) } else { None })
}

/// The variable's value as `parse` reads it; says what is wrong with it and what is done `instead`.
fn take<T>(name: &str, parse: impl Fn(&str) -> Parsed<T>, instead: &str) -> Option<T> {
    let text = lookup(name)?;
    match parse(&text) {
        Ok(value) => Some(value),
        Err(wanted) => {
            message!("{name}={text:?} is ignored, {instead}; it should be {wanted}");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spin_counts() {
        assert_eq!(spin_count("300k"), Ok(300_000));
        assert_eq!(spin_count("INFINITE"), Ok(u64::MAX));
        assert_eq!(spin_count("99999999999g"), Ok(u64::MAX));
        assert!(spin_count("k").is_err());
        assert!(spin_count("ä").is_err());
    }
}
