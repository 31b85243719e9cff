//! The cost floor of each bench row: the least that any runtime must spend on the operation. It
//! counts cache lines that go from core to core, atomic read-modify-writes and other instructions,
//! each at its price on this machine (`bench/floor.c`, in the same run).
//!
//! Only costs that delay the operation's end count: two lines that travel at the same time are one.
//! Rows that wait for a scheduler, the loader or the program's own work have no floor.

use crate::compiler::Compiler;
use crate::{exec, paths};
use std::process::Command;

/// The lines, atomics and instructions of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Floor {
    lines: f64,
    atomics: f64,
    instructions: f64,
}

/// The time of each of the three on this machine, ns.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    line: f64,
    atomic: f64,
    instruction: f64,
}

/// Returns the floor of a row with `threads` threads, and the reason for it.
fn floor(row: &str, threads: u32) -> Option<(Floor, &'static str)> {
    let several = threads > 1;
    let team = f64::from(threads.max(1));
    // The depth of a tree that reaches the team: its levels follow one another in fork, join and
    // barrier.
    let depth = f64::from(threads.max(1)).log2().ceil();
    let of = |lines: f64, atomics: f64, instructions: f64, why| {
        let lines = if several { lines } else { 0.0 };
        Some((Floor { lines, atomics, instructions }, why))
    };
    match row {
        "parallel_empty" | "parallel_args" | "parallel_for" | "reduction1" | "reduction8" => {
            of(2.0 * depth, 0.0, 60.0, "orders out, arrivals back")
        }
        "parallel_if0" | "nested_serial" => of(0.0, 0.0, 40.0, "a task's record"),
        "parallel_resize" => of(depth, 0.0, 80.0, "every other region is a thread smaller"),
        "barrier" => of(depth, 0.0, 15.0, "arrivals cross"),
        "single" | "single_copyprivate" => of(1.0 + depth, 1.0, 25.0, "one claim, a barrier"),
        "single_nowait" => of(1.0, 1.0, 15.0, "one claim on a line of all"),
        "masked" | "for_static_nowait" => of(0.0, 0.0, 10.0, "nothing shared"),
        // With GCC's code libgomp's taskyield is this call and nothing else.
        "taskwait_empty" | "taskyield" => of(0.0, 0.0, 10.0, "a call, a look"),
        "taskgroup_empty" => of(0.0, 0.0, 25.0, "a record"),
        "sections4" | "for_dynamic_short" => of(1.0 + depth, 4.0, 60.0, "claims, a barrier"),
        "for_static" | "reduction_in_region" => of(depth, 0.0, 25.0, "a barrier"),
        "for_dynamic1" | "for_dynamic1_ull" | "for_runtime_dynamic" => {
            of(0.0, 1.0 / team, 10.0 / team, "each thread takes its share by itself")
        }
        "for_ordered_static1" | "for_ordered_dynamic1" => of(1.0, 0.0, 15.0, "the turn goes on"),
        // Threads take one chunk at a time from a shared counter: the order must hold.
        "for_dynamic1_monotonic" => of(0.0, 1.0, 10.0 / team, "one addition after the other"),
        "doacross_static1" | "doacross_dynamic1" => of(1.0, 0.0, 20.0, "the turn goes on"),
        "doacross_static" => of(0.0, 0.0, 30.0, "a look, a note"),
        "for_dynamic4_nowait" => of(0.0, 2.0, 60.0, "a record, shares taken"),
        "get_max_threads" | "set_num_threads" | "get_thread_num" => of(0.0, 0.0, 6.0, "a call"),
        "init_lock" => of(0.0, 0.0, 10.0, "two calls"),
        "task_handoff" | "task_handoff_work" => of(2.0, 0.0, 60.0, "a word says so, a task goes"),
        "critical" | "lock_contended" => of(0.0, 1.0, 10.0, "who has it may keep it"),
        "critical_free" | "lock_free" | "nest_lock_free" => of(0.0, 1.0, 8.0, "taken and left"),
        "nest_lock_held" => of(0.0, 0.0, 14.0, "a count goes up and down"),
        "task_producer" | "task_all" | "task_serial" | "task_if0" | "taskloop" | "fib_tasks"
        | "task_copied" | "task_copied_final" | "task_args" | "task_priority" | "task_final" => {
            of(0.0, 0.0, 15.0 / if row == "task_all" { team } else { 1.0 }, "a call")
        }
        "task_priorities" => of(0.0, 0.0, 75.0 / team, "a call, its work"),
        "task_barrier" => of(depth, 0.0, 30.0, "a call, arrivals cross"),
        "task_taskwait" | "depend_chain" | "depend_wide" | "depend_readers" | "depend_mutex" => {
            of(0.0, 0.0, 30.0, "a call, its address")
        }
        "taskloop_default" => of(0.0, 0.0, 30.0 + 15.0 * team, "a group, a task each"),
        "taskloop_num_tasks" => of(0.0, 0.0, 30.0 + 15.0 * 8.0, "a group, eight tasks"),
        _ => None,
    }
}

impl Prices {
    /// Measures the prices. The least of several runs counts, since disturbances only add time.
    pub fn measure() -> Result<Prices, String> {
        let source = paths::repository().join("bench/floor.c");
        let program = Compiler::Gcc.compile_with(&source, &["-O2", "-pthread"])?;
        let mut prices =
            Prices { line: f64::INFINITY, atomic: f64::INFINITY, instruction: f64::INFINITY };
        for _ in 0..3 {
            let outcome = exec::run(&mut Command::new(&program))?;
            for line in outcome.stdout.lines() {
                let mut words = line.split_whitespace();
                let (name, _, value) = (words.next(), words.next(), words.next());
                let value = value.and_then(|value| value.parse().ok()).unwrap_or(f64::INFINITY);
                match name {
                    Some("transfer") => prices.line = prices.line.min(value),
                    Some("atomic") => prices.atomic = prices.atomic.min(value),
                    Some("instruction") => prices.instruction = prices.instruction.min(value),
                    _ => {}
                }
            }
        }
        Ok(prices)
    }

    /// Returns the floor of a row, ns; `None` if it has none.
    pub fn of(&self, row: &str, threads: u32) -> Option<f64> {
        let (floor, _) = floor(row, threads)?;
        Some(
            floor.lines * self.line
                + floor.atomics * self.atomic
                + floor.instructions * self.instruction,
        )
    }

    /// Writes the prices in one line.
    pub fn describe(&self) -> String {
        format!(
            "floors count lines between cores at {:.0} ns, atomics at {:.1} ns, instructions at \
             {:.2} ns",
            self.line, self.atomic, self.instruction
        )
    }
}

/// Writes the floors with their reasons, for `--floors`.
pub fn explain(rows: &[String], threads: u32) -> String {
    let mut text = String::new();
    for row in rows {
        let line = match floor(row, threads) {
            Some((floor, why)) => format!(
                "{row:<22} {:>5.1} lines {:>5.2} atomics {:>5.0} instructions: {why}\n",
                floor.lines, floor.atomics, floor.instructions
            ),
            None => format!("{row:<22} none\n"),
        };
        text.push_str(&line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_moves_no_line() {
        let prices = Prices { line: 50.0, atomic: 5.0, instruction: 0.25 };
        assert_eq!(prices.of("parallel_empty", 1), Some(15.0));
        assert_eq!(prices.of("parallel_empty", 2), Some(115.0));
        assert_eq!(prices.of("first_region", 2), None);
    }
}
