//! Finds what a system call waits for.

use super::super::{Holder, Kernel, Wanted};
use super::{OF_DESCRIPTORS, descriptors};
use crate::target::{half, text, word};
use crate::{Registers, Target};

/// Says what the call with this name waits for, as far as its arguments tell.
pub fn about(
    target: &dyn Target,
    kernel: &dyn Kernel,
    registers: &Registers,
    name: &str,
) -> String {
    let first = registers.call[2];
    if OF_DESCRIPTORS.contains(&name) {
        let number = first as i32;
        let of = match kernel.descriptor(number) {
            Some(what) => format!("file descriptor {number} ({what})"),
            None => format!("file descriptor {number}"),
        };
        let wanted = wanted_lock(target, registers, name);
        let holder = wanted.and_then(|wanted| kernel.file_lock_holder(number, &wanted));
        return of + &holder.map_or_else(String::new, |holder| held_by(kernel, &holder));
    }
    match name {
        // P_ALL, P_PID, P_PGID.
        "waitid" if first != 1 => any_child(kernel),
        "wait4" | "waitid" => match registers.call[if name == "waitid" { 3 } else { 2 }] as i32 {
            pid if pid > 0 => {
                let pid = kernel.process_of(pid as u32).unwrap_or(pid as u32);
                process(kernel, pid) + &kernel.waits_for(pid)
            }
            _ => any_child(kernel),
        },
        // struct sembuf: the semaphore's number in the set comes first.
        "semop" | "semtimedop" => match half(target, registers.call[3]) {
            Ok(wants) => {
                let (set, number) = (first as i32, wants as u16);
                let known = kernel.semaphore(set, number).unwrap_or_default();
                format!("semaphore {number} of the set {set}{known}")
            }
            Err(_) => format!("the set of semaphores {}", first as i32),
        },
        "open" | "openat" => {
            let (path, flags) = opened_file(registers, name).unwrap_or_default();
            opened(kernel, &text(target, path), flags)
        }
        "msgsnd" | "msgrcv" => {
            let queue = first as i32;
            let known = kernel.message_queue(queue).unwrap_or_default();
            let of_type = wanted_type(target, registers, name);
            format!("{of_type}the message queue {queue}{known}")
        }
        // A sender sleeps while the queue is full, a receiver while it is empty.
        "mq_timedsend" => posix_queue(kernel, first as i32, "full"),
        "mq_timedreceive" => posix_queue(kernel, first as i32, "empty"),
        "poll" | "ppoll" | "select" | "pselect6" => {
            let mut all = descriptors(target, registers, name);
            all.sort_unstable();
            all.dedup();
            let each = all.into_iter().take(MOST_DESCRIPTORS).map(|number| {
                match kernel.descriptor(number) {
                    Some(what) => format!("file descriptor {number} ({what})"),
                    None => format!("file descriptor {number}"),
                }
            });
            each.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Returns "a message of type 7 of ", "room for a message of type 7 in ", and nothing for a call
/// that takes a message of any type.
fn wanted_type(target: &dyn Target, registers: &Registers, name: &str) -> String {
    let [_, _, _, message, _, kind, ..] = registers.call;
    match (name, kind as i64) {
        ("msgsnd", _) => match word(target, message) {
            Ok(kind) => format!("room for a message of type {kind} in "),
            Err(_) => String::new(),
        },
        (_, 0) => String::new(),
        (_, kind @ 1..) => format!("a message of type {kind} of "),
        (_, most) => format!("a message of a type up to {} of ", most.unsigned_abs()),
    }
}

/// Returns "the message queue '/orders', which is full". A queue that is unlinked is shown under
/// the name that it had.
fn posix_queue(kernel: &dyn Kernel, number: i32, state: &str) -> String {
    let of = match kernel.descriptor(number) {
        Some(name) => format!("'{}'", name.trim_end_matches(UNLINKED)),
        None => format!("of file descriptor {number}"),
    };
    format!("the message queue {of}, which is {state}")
}

/// The kernel's mark behind a name that is unlinked.
pub const UNLINKED: &str = " (deleted)";

/// Returns the lock of a file that the call with this name waits for; `None` if it waits for none.
pub fn wanted_lock(target: &dyn Target, registers: &Registers, name: &str) -> Option<Wanted> {
    // LOCK_EX; F_SETLKW, F_OFD_SETLKW; F_WRLCK.
    const FOR_ONE_ALONE: u64 = 2;
    const OF_FILE: u64 = 38;
    const WAITING: [u64; 2] = [7, OF_FILE];
    const WRITES: u16 = 1;
    let [_, _, _, second, third, ..] = registers.call;
    match name {
        "flock" => Some(Wanted::Whole { writes: second & FOR_ONE_ALONE != 0 }),
        "fcntl" if WAITING.contains(&second) => {
            let kinds = half(target, third).ok()?;
            let number = |at: u64| Some(word(target, third.wrapping_add(at)).ok()? as i64);
            Some(Wanted::Record {
                writes: kinds as u16 == WRITES,
                of_file: second == OF_FILE,
                whence: (kinds >> 16) as u16,
                start: number(8)?,
                length: number(16)?,
            })
        }
        _ => None,
    }
}

/// ", its lock held by …".
fn held_by(kernel: &dyn Kernel, holder: &Holder) -> String {
    let others: Vec<String> = holder.processes.iter().map(|pid| process(kernel, *pid)).collect();
    let others = others.join(", ");
    match holder.descriptor {
        None => format!(", its lock held by {others}"),
        Some(own) if others.is_empty() => {
            format!(", its lock held by this process, by file descriptor {own}")
        }
        Some(own) => format!(
            ", its lock held by this process, by file descriptor {own}, which it shares with \
             {others}"
        ),
    }
}

/// "a child process (process 12 ('app'), process 13 ('app'))": the wait is for any of them.
fn any_child(kernel: &dyn Kernel) -> String {
    let all = kernel.children();
    let each = all.iter().take(MOST_CHILDREN).map(|pid| process(kernel, *pid));
    let each = each.collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(MOST_CHILDREN) {
        _ if all.is_empty() => "a child process".to_owned(),
        0 => format!("a child process ({each})"),
        more => format!("a child process ({each} and {more} more)"),
    }
}

/// The descriptors of one call that are named.
const MOST_DESCRIPTORS: usize = 8;
/// The children that are named.
const MOST_CHILDREN: usize = 4;

/// Another process: its name, and whether a signal has stopped it.
fn process(kernel: &dyn Kernel, pid: u32) -> String {
    let stopped = if kernel.is_stopped(pid) { ", which a signal has stopped" } else { "" };
    match kernel.process_name(pid) {
        Some(name) => format!("process {pid} ('{name}'){stopped}"),
        None => format!("process {pid}{stopped}"),
    }
}

/// Returns the address of the path that a call opens, and the call's flags; `None` if the call
/// opens no file.
pub fn opened_file(registers: &Registers, name: &str) -> Option<(u64, u64)> {
    let [_, _, first, second, third, ..] = registers.call;
    match name {
        "open" => Some((first, second)),
        "openat" => Some((second, third)),
        _ => None,
    }
}

/// The file that the call opens. A FIFO waits until somebody opens its other end. Another process
/// that waits to open one may be the one that would do that.
fn opened(kernel: &dyn Kernel, path: &str, flags: u64) -> String {
    let fifo = |path: &str, flags: u64| {
        // O_RDONLY is 0, O_WRONLY 1; O_RDWR waits for nobody.
        let does = ["write", "read"].get((flags & 3) as usize)?;
        Some(format!("'{path}', a FIFO that nobody has opened to {does}"))
    };
    match fifo(path, flags).filter(|_| kernel.is_fifo(path)) {
        Some(of) => {
            let others = kernel.fifo_openers().into_iter().filter_map(|(pid, path, flags)| {
                let of = fifo(&path, flags)?;
                Some(format!("; {} waits too, to open {of}", process(kernel, pid)))
            });
            others.take(MOST_OPENERS).fold(of, |of, other| of + &other)
        }
        None if path.is_empty() => String::new(),
        None => format!("'{path}'"),
    }
}

/// The most other processes that are named.
const MOST_OPENERS: usize = 2;
