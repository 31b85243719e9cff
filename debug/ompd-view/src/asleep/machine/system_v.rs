//! The kernel's figures of System V semaphores and message queues: their contents, and the process
//! that used them last.

use std::fs;
use std::mem::MaybeUninit;

use super::ends;

/// Whether the numbers of such objects mean the same to us as to a process.
fn is_ours(pid: u32) -> bool {
    let space = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/ipc")).ok();
    space("self") == space(&pid.to_string())
}

/// ", whose value is 0 and which process 7 ('app') changed last".
pub fn semaphore(pid: u32, set: i32, number: u16) -> Option<String> {
    // SAFETY: these ask, and take no fourth argument.
    let ask = |what| unsafe { libc::semctl(set, i32::from(number), what) };
    let (value, last) = (ask(libc::GETVAL), ask(libc::GETPID));
    if !is_ours(pid) || value < 0 || last <= 0 {
        return None;
    }
    Some(format!(", whose value is {value} and which {} changed last", who(pid, last)))
}

/// ", which has 2 messages: process 7 ('app') sent the last one, and this process took the last
/// one".
pub fn message_queue(pid: u32, queue: i32) -> Option<String> {
    let mut data = MaybeUninit::<libc::msqid_ds>::zeroed();
    // SAFETY: the kernel writes one such structure.
    let answer = unsafe { libc::msgctl(queue, libc::IPC_STAT, data.as_mut_ptr()) };
    if !is_ours(pid) || answer != 0 {
        return None;
    }
    // SAFETY: the kernel has written it.
    let data = unsafe { data.assume_init() };
    let has = match data.msg_qnum {
        0 => "is empty".to_owned(),
        1 => "has 1 message".to_owned(),
        many => format!("has {many} messages"),
    };
    let sent = match data.msg_lspid {
        0 => "nobody has sent one yet".to_owned(),
        last => format!("{} sent the last one", who(pid, last)),
    };
    let took = match data.msg_lrpid {
        0 => "nobody has taken one yet".to_owned(),
        last => format!("{} took the last one", who(pid, last)),
    };
    Some(format!(", which {has}: {sent}, and {took}"))
}

/// Names the process `last` in a text for the process `pid`.
fn who(pid: u32, last: i32) -> String {
    let stat = fs::read_to_string(format!("/proc/{last}/stat")).unwrap_or_default();
    let has_ended = stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']));
    match has_ended {
        _ if u32::try_from(last) == Ok(pid) => "this process".to_owned(),
        true => format!("process {last}, which has ended,"),
        false => ends::process(last as u32),
    }
}
