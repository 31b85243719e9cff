//! Follows waits from process to process: a process waits for its child, or at a pipe that another
//! process has the other end of, and that process waits in its turn.

use super::ends::{Ends, process};
use super::process_of;
use super::prospects::{children, threads};
use crate::Registers;
use crate::asleep::calls;

/// The most processes that are followed from one to the next.
const MOST_STEPS: usize = 8;

/// Says what the process `first` waits for, in words that follow its name: ", which waits for
/// process 7 ('cat'), which is in the system call read (file descriptor 0, written by process 8
/// ('sh'))". Of a process with several threads, it names only a thread that waits for something
/// that `this` may bring. Empty if the process runs. `this`: the process that is asked about.
pub fn of(this: u32, first: u32, ends: &Ends) -> String {
    let mut said = String::new();
    let mut at = first;
    for _ in 0..MOST_STEPS {
        let Some((name, registers)) = call(at) else {
            said += &at_end_of(this, at, ends);
            break;
        };
        if let Some(child) = awaited(at, &name, &registers) {
            if child == this {
                said += ", which waits for this process: a circle";
                break;
            }
            said += &format!(", which waits for {}", process(child));
            at = child;
            continue;
        }
        if let Some(number) = calls::descriptor(&registers, &name)
            && let Some(other) = ends.seen_from(this, at, number)
        {
            said += &format!(
                ", which is in the system call {name} (its file descriptor {number}, {other})"
            );
        }
        break;
    }
    said
}

/// The call of a process that has one thread, which sleeps in it.
fn call(pid: u32) -> Option<(String, Registers)> {
    let all: Vec<Registers> = threads(pid)?.collect::<Option<_>>()?;
    let [registers] = all[..] else { return None };
    Some((calls::name(calls::in_call(&registers)?), registers))
}

/// If all threads of a process sleep, finds one that waits at a pipe or a socket that process
/// `this` has the other end of.
fn at_end_of(this: u32, pid: u32, ends: &Ends) -> String {
    let all = threads(pid).and_then(|all| all.collect::<Option<Vec<Registers>>>());
    let said = all.unwrap_or_default().iter().find_map(|registers| {
        let name = calls::name(calls::in_call(registers)?);
        let number = calls::descriptor(registers, &name)?;
        let is_ours = ends.far_ends(pid, number).iter().any(|(of, _)| *of == this);
        let other = ends.seen_from(this, pid, number).filter(|_| is_ours)?;
        Some(format!(
            ", a thread of which is in the system call {name} (its file descriptor {number}, \
             {other})"
        ))
    });
    said.unwrap_or_default()
}

/// Returns the child whose end the call waits for: the one that it names, or the only one.
fn awaited(pid: u32, name: &str, registers: &Registers) -> Option<u32> {
    let [_, _, first, ..] = registers.call;
    match name {
        "wait4" if first as i32 > 0 => Some(process_of(pid, first as u32).unwrap_or(first as u32)),
        "wait4" | "waitid" => match children(pid)[..] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}
