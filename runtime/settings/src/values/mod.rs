//! Parsers of the environment's values: pure functions, one a kind of value.
//!
//! Each returns the value or, in a few words, the values that it accepts. White space around every
//! part and letter case do not matter (OpenMP 5.2, chapter 21).

use super::meeting::Shape;
use super::schedules::{OMP_SCHED_MONOTONIC, RunSched};
use super::waits::Library;

/// `target-offload-var`, with the numbers of LLVM's `__kmpc_get_target_offload`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum TargetOffload {
    /// The host only.
    Disabled = 0,
    /// Devices if there are any.
    Default = 1,
    /// Devices or an error.
    Mandatory = 2,
}

/// The result of a parser: the value, or the form that it should have had.
pub type Parsed<T> = Result<T, &'static str>;

/// Reads `true` or `false`, also spelled 1, 0, on, off, yes, no.
pub fn boolean(text: &str) -> Parsed<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Ok(true),
        "false" | "0" | "off" | "no" => Ok(false),
        _ => Err("true or false"),
    }
}

/// Reads a number of at least 1 that fits `int`.
pub fn positive(text: &str) -> Parsed<u32> {
    number(text).ok().filter(|&n| n >= 1).ok_or("a whole number of at least 1")
}

/// Reads a number of at least 0 that fits `int`.
pub fn number(text: &str) -> Parsed<u32> {
    match text.trim().parse::<u32>() {
        Ok(n) if n <= i32::MAX as u32 => Ok(n),
        _ => Err("a whole number from 0 to 2147483647"),
    }
}

/// `OMP_THREADS_RESERVE`: threads of each contention group that are kept for one use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserve {
    /// For the threads of teams.
    pub structured: u32,
    /// For free-agent threads.
    pub free_agents: u32,
}

impl Reserve {
    /// The default.
    pub const NONE: Reserve = Reserve { structured: 1, free_agents: 0 };
}

/// Reads a number (of structured threads), or a list of `structured(n)` and `free_agent(n)`; a name
/// alone reserves one.
pub fn threads_reserve(text: &str) -> Parsed<Reserve> {
    const WANTED: &str = "a whole number, or a list with commas of structured(n) and free_agent(n)";
    let mut reserve = Reserve::NONE;
    if let Ok(structured) = number(text) {
        reserve.structured = structured;
        return Ok(reserve);
    }
    for part in text.split(',') {
        let part = part.trim().to_ascii_lowercase();
        let (name, count) = match part.split_once('(') {
            None => (part.as_str(), 1),
            Some((name, rest)) => {
                let inside = rest.trim_end().strip_suffix(')').ok_or(WANTED)?;
                (name.trim_end(), number(inside).map_err(|_| WANTED)?)
            }
        };
        match name {
            "structured" => reserve.structured = count,
            "free_agent" => reserve.free_agents = count,
            _ => return Err(WANTED),
        }
    }
    Ok(reserve)
}

/// Reads a list of positive numbers, one for each nesting level.
pub fn positive_list(text: &str) -> Parsed<Vec<u32>> {
    let list: Result<Vec<u32>, _> = text.split(',').map(positive).collect();
    list.map_err(|_| "a whole number of at least 1, or a list of them with commas")
}

/// Reads `[modifier:]kind[,chunk]`: `omp_sched_t` and the chunk, 0 if none was given.
pub fn schedule(text: &str) -> Parsed<(u32, u32)> {
    const WANTED: &str = "[monotonic:|nonmonotonic:]static, dynamic, guided or auto, and a chunk \
                          size of at least 1 after a comma if wanted";
    let text = text.trim().to_ascii_lowercase();
    let (modifier, rest) = match text.split_once(':') {
        Some((modifier, rest)) => (modifier.trim(), rest),
        None => ("", text.as_str()),
    };
    let flag = match modifier {
        "" | "nonmonotonic" => 0,
        "monotonic" => OMP_SCHED_MONOTONIC,
        _ => return Err(WANTED),
    };
    let (kind, chunk) = match rest.split_once(',') {
        Some((kind, chunk)) => (kind.trim(), positive(chunk).map_err(|_| WANTED)?),
        None => (rest.trim(), 0),
    };
    let kind = RunSched::named(kind).ok_or(WANTED)?;
    // As in GCC's and LLVM's runtimes.
    let chunk = if kind == RunSched::Auto { chunk.max(1) } else { chunk };
    Ok((kind as u32 | flag, chunk))
}

/// Reads a size in bytes: a number and a unit. Without a unit it counts `unit` bytes.
pub fn size(text: &str, unit: usize) -> Parsed<usize> {
    const WANTED: &str = "a size such as 512K, 16M or 1G";
    let text = text.trim().to_ascii_lowercase();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let unit = match suffix.trim() {
        "" => unit,
        "b" => 1,
        "k" | "kb" => 1 << 10,
        "m" | "mb" => 1 << 20,
        "g" | "gb" => 1 << 30,
        "t" | "tb" => 1 << 40,
        _ => return Err(WANTED),
    };
    let number: usize = number.parse().map_err(|_| WANTED)?;
    number.checked_mul(unit).filter(|&n| n <= 1 << 46).ok_or(WANTED)
}

/// Reads `active` (true) or `passive`.
pub fn wait_policy(text: &str) -> Parsed<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "active" => Ok(true),
        "passive" => Ok(false),
        _ => Err("active or passive"),
    }
}

/// Reads `KMP_LIBRARY`.
pub fn library(text: &str) -> Parsed<Library> {
    match text.trim().to_ascii_lowercase().as_str() {
        "serial" => Ok(Library::Serial),
        "turnaround" => Ok(Library::Turnaround),
        "throughput" => Ok(Library::Throughput),
        _ => Err("serial, turnaround or throughput"),
    }
}

/// `true`, `false`, or a list of policies, one for each nesting level: `omp_proc_bind_t`.
pub fn proc_bind(text: &str) -> Parsed<Vec<u32>> {
    const WANTED: &str = "true, false, or a list of primary, close and spread with commas";
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "false" => return Ok(vec![0]),
        "true" => return Ok(vec![1]),
        _ => {}
    }
    let policy = |part: &str| match part.trim() {
        "primary" | "master" => Ok(2),
        "close" => Ok(3),
        "spread" => Ok(4),
        _ => Err(WANTED),
    };
    text.split(',').map(policy).collect()
}

/// Reads `flat`, `tree` or `central`: how teams meet.
pub fn meeting(text: &str) -> Parsed<Shape> {
    match text.trim().to_ascii_lowercase().as_str() {
        "flat" => Ok(Shape::Flat),
        "tree" => Ok(Shape::Tree),
        "central" => Ok(Shape::Central),
        _ => Err("flat, tree or central"),
    }
}

/// Reads `default`, `mandatory` or `disabled`.
pub fn target_offload(text: &str) -> Parsed<TargetOffload> {
    match text.trim().to_ascii_lowercase().as_str() {
        "default" => Ok(TargetOffload::Default),
        "mandatory" => Ok(TargetOffload::Mandatory),
        "disabled" => Ok(TargetOffload::Disabled),
        _ => Err("default, mandatory or disabled"),
    }
}

/// Reads `true`, `false` or `verbose`: whether to show the settings, and whether all of them.
pub fn display(text: &str) -> Parsed<Option<bool>> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(Some(false)),
        "false" | "0" => Ok(None),
        "verbose" => Ok(Some(true)),
        _ => Err("true, false or verbose"),
    }
}

/// Reads `OMP_DEBUG`: `enabled` or `disabled`; `on` and `off` in OMPD of 2016.
pub fn debug(text: &str) -> Parsed<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "enabled" | "on" => Ok(true),
        "disabled" | "off" => Ok(false),
        _ => Err("enabled or disabled"),
    }
}

/// Reads a time to wait: the number that programs are told, in milliseconds, or in microseconds if
/// it is given so; and its length in microseconds. A number, with or without `ms`, `us`, `s`; or
/// `infinite`, the largest of each.
pub fn blocktime(text: &str) -> Parsed<(u32, u64)> {
    const WANTED: &str = "milliseconds, 0 to 2147483647, or infinite";
    let text = text.trim().to_ascii_lowercase();
    if text == "infinite" || text == "infinity" {
        return Ok((u32::MAX, u64::MAX));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (digits, unit) = text.split_at(digits);
    let count = number(digits).map_err(|_| WANTED)?;
    let milliseconds = match unit.trim() {
        "" | "ms" => count,
        "us" => return Ok((count, u64::from(count))),
        "s" => count.checked_mul(1000).ok_or(WANTED)?,
        _ => return Err(WANTED),
    };
    Ok((milliseconds, u64::from(milliseconds) * 1000))
}

#[cfg(test)]
mod tests;
