//! Values, and their text as the environment variables write it.

use super::Value;

pub(super) fn whole(number: i64) -> Value {
    Value { number: Some(number), whole: true, text: number.to_string() }
}

pub(super) fn shown(number: i64, text: impl Into<String>) -> Value {
    Value { number: Some(number), whole: true, text: text.into() }
}

pub(super) fn flag(on: bool) -> Value {
    shown(i64::from(on), if on { "true" } else { "false" })
}

pub(super) fn text(text: impl Into<String>) -> Value {
    Value { number: None, whole: false, text: text.into() }
}

/// `omp_proc_bind_t` in the words of OMP_PROC_BIND.
pub(super) fn policy(bind: u32) -> &'static str {
    match bind {
        0 => "false",
        1 => "true",
        2 => "primary",
        3 => "close",
        _ => "spread",
    }
}

/// `omp_sched_t` and a chunk in the words of OMP_SCHEDULE.
pub(super) fn schedule(kind: u32, chunk: u32) -> String {
    let name = match kind & 0x7fff_ffff {
        0 | 1 => "static".to_owned(),
        2 => "dynamic".to_owned(),
        3 => "guided".to_owned(),
        4 => "auto".to_owned(),
        101 => "trapezoidal".to_owned(),
        other => format!("kind {other}"),
    };
    let monotonic = if kind >> 31 != 0 { "monotonic:" } else { "" };
    if chunk == 0 { format!("{monotonic}{name}") } else { format!("{monotonic}{name},{chunk}") }
}

pub(super) const ALLOCATORS: [&str; 8] = [
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc", "omp_thread_mem_alloc",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_written_as_they_are_read() {
        assert_eq!(schedule(2, 4), "dynamic,4");
        assert_eq!(schedule(0x8000_0003, 0), "monotonic:guided");
    }
}
