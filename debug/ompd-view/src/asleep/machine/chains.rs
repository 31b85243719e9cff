//! Follows waits from process to process: a process waits for its child, or at a pipe that another
//! process has the other end of, and that process waits in its turn.

use super::ends::{Ends, process};
use super::process_of;
use super::prospects::{children, threads};
use crate::Registers;
use crate::asleep::calls;
use crate::snapshot::InheritedEnd;

/// The most processes that are followed from one to the next.
const MOST_STEPS: usize = 8;

/// A process of one thread that waits for another process.
struct Link {
    at: u32,
    /// The process that it waits for.
    next: Option<u32>,
    /// The call's name and its descriptor, if it waits at a descriptor.
    end: Option<(String, i32)>,
}

/// Follows the waits that begin with the one of the process `first`, until a process runs, waits
/// for several others, or waits for `this`.
fn links(this: u32, first: u32, ends: &Ends) -> Vec<Link> {
    let mut found: Vec<Link> = Vec::new();
    let mut at = first;
    while found.len() < MOST_STEPS && found.iter().all(|known| known.at != at) {
        let Some((name, registers)) = call(at) else { break };
        let (next, end) = match awaited(at, &name, &registers) {
            Some(child) => (Some(child), None),
            None => match calls::descriptor(&registers, &name) {
                Some(number) => (other_end(at, number, ends), Some((name, number))),
                None => break,
            },
        };
        found.push(Link { at, next, end });
        match next {
            Some(next) if next != this => at = next,
            _ => break,
        }
    }
    found
}

/// The only other process that has the other end of what a process waits at.
fn other_end(at: u32, number: i32, ends: &Ends) -> Option<u32> {
    // A process that also has the other end brings nothing while it waits.
    let mut others = ends.holders(at, number);
    others.retain(|other| *other != at);
    if let [only] = others[..] { Some(only) } else { None }
}

/// Says what the process `first` waits for, in words that follow its name: ", which waits for
/// process 7 ('cat'), which is in the system call read (its file descriptor 0, written by process 8
/// ('sh'))". Of a process with several threads, it names only a thread that waits for something
/// that `this` may bring. Empty if the process runs. `this`: the process that is asked about.
pub fn of(this: u32, first: u32, ends: &Ends) -> String {
    let links = links(this, first, ends);
    let mut said = String::new();
    for Link { at, next, end } in &links {
        let is_circle = *next == Some(this);
        let circle = if is_circle { ": a circle" } else { "" };
        match (end, next) {
            (Some((name, number)), _) => {
                let Some(other) = ends.seen_from(this, *at, *number) else { break };
                said += &format!(
                    ", which is in the system call {name} (its file descriptor {number}, \
                     {other}{circle})"
                );
            }
            (None, Some(_)) if is_circle => said += ", which waits for this process: a circle",
            (None, Some(child)) => said += &format!(", which waits for {}", process(*child)),
            (None, None) => {}
        }
    }
    let last = links.last().map_or(Some(first), |link| link.next);
    match last.filter(|last| *last != this && links.iter().all(|link| link.at != *last)) {
        Some(last) => said + &at_end_of(this, last, ends),
        None => said,
    }
}

/// The ends of pipes, in children of `this`, that keep the processes which `first` waits for from
/// the end of what they read.
pub fn inherited(this: u32, first: u32, ends: &Ends) -> Vec<InheritedEnd> {
    let program = |pid: u32| std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    let end = |link: Link| {
        let (name, number) = link.end?;
        let keeper = link.next.filter(|next| *next != this && calls::is_read(&name))?;
        // The first three are what a program was started with.
        let mut far = ends.far_ends(link.at, number).into_iter();
        let (_, descriptor) = far.find(|(of, end)| *of == keeper && *end > 2)?;
        let is_child = |pid: u32| children(this).contains(&pid);
        (is_child(keeper) && is_child(link.at)).then(|| InheritedEnd {
            reader: process(link.at),
            keeper: process(keeper),
            descriptor,
            executes: program(keeper) != program(this),
            made_at: Vec::new(),
        })
    };
    links(this, first, ends).into_iter().filter_map(end).collect()
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
