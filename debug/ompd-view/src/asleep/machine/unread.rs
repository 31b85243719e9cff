//! Finds bytes that came at a descriptor and were left unread, although an event poll tells of them
//! only once; and descriptors at which nothing is left to read, for good.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// EPOLLET, in the events that fdinfo shows.
const ONCE: u64 = 1 << 31;

/// Returns ", told of once for what comes (EPOLLET), and 4 bytes of it are not read". Empty if the
/// poll tells of the descriptor as long as something can be read, or if nothing can be read.
/// `info`: the kernel's text about the poll.
pub fn unread_words(pid: u32, number: i32, info: &str) -> String {
    let events = info.lines().find_map(|line| {
        let mut words = line.strip_prefix("tfd:")?.split_whitespace();
        let is_it = words.next()?.parse() == Ok(number);
        let events = words.skip_while(|word| *word != "events:").nth(1)?;
        is_it.then(|| u64::from_str_radix(events, 16).ok())?
    });
    if events.is_none_or(|events| events & ONCE == 0) {
        return String::new();
    }
    match bytes(pid, number) {
        Some(left @ 1..) => {
            format!(", told of once for what comes (EPOLLET), and {left} bytes of it are not read")
        }
        _ => ", told of once for what comes (EPOLLET)".to_owned(),
    }
}

/// Returns how many bytes can be read at once. It asks a copy of the descriptor, and reads nothing.
fn bytes(pid: u32, number: i32) -> Option<i32> {
    bytes_at(&copy(pid, number)?)
}

fn bytes_at(descriptor: &OwnedFd) -> Option<i32> {
    let mut left: i32 = 0;
    // SAFETY: FIONREAD writes one int, which lives until the call is over.
    let answer = unsafe { libc::ioctl(descriptor.as_raw_fd(), libc::FIONREAD, &raw mut left) };
    (answer == 0).then_some(left)
}

/// Returns a copy of a descriptor of another process, of the same open file.
fn copy(pid: u32, number: i32) -> Option<OwnedFd> {
    let open = |new: i64| {
        let new = i32::try_from(new).ok().filter(|new| *new >= 0)?;
        // SAFETY: the kernel has just given it to us, and nobody else knows it.
        Some(unsafe { OwnedFd::from_raw_fd(new) })
    };
    // SAFETY: the calls have no preconditions, and write to no memory of ours.
    let process = open(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    // SAFETY: the same.
    open(unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), number, 0) })
}

/// Returns ", which nobody can write to any more, and which is empty" for a pipe, and the like for
/// a socket. `None` if something may still be read there.
pub fn end_words(pid: u32, number: i32, name: &str) -> Option<&'static str> {
    let (ended, words) = match () {
        _ if name.starts_with("pipe:") => {
            (libc::POLLHUP, ", which is empty, and which nobody can write to any more")
        }
        _ if name.starts_with("socket:") => {
            (libc::POLLRDHUP, ", whose other end is closed, with nothing left to read")
        }
        _ => return None,
    };
    let copy = copy(pid, number)?;
    let mut asked = libc::pollfd { fd: copy.as_raw_fd(), events: libc::POLLRDHUP, revents: 0 };
    // SAFETY: the kernel writes to the one structure, which lives until the call is over.
    let answer = unsafe { libc::poll(&raw mut asked, 1, 0) };
    let has_ended = answer == 1 && asked.revents & ended != 0;
    (has_ended && bytes_at(&copy) == Some(0)).then_some(words)
}
