//! The record file: opened at the first parallel region, written chunk by chunk.
//!
//! What must hold: [`write()`] is async-signal-safe, one `write(2)` with O_APPEND for a chunk. So
//! chunks never interleave, and everything that was written stays readable when the process is
//! killed. A process that did not open the file (a child that was made unseen by the agent) writes
//! nothing. The program may close the descriptor, or give its number to a file of its own. So each
//! write first looks whether it is still the agent's file, and opens that again if it is not. No
//! write is made that the process's limit of file sizes would answer with a signal.
//!
//! The first process that gets a region takes the file's name, and holds it by a lock. Any other
//! process takes the name with its process id added, and so does any process whose file is not
//! empty. A program that the same process executes later adds a number to that.

mod apart;
mod descriptor;
pub mod process;

use crate::{numbers, recording, unwind};
use core::sync::atomic::{
    AtomicBool, AtomicI32,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_profile_format::name;
use std::ffi::CString;

static FILE: AtomicI32 = AtomicI32::new(-1);
static OPENER: AtomicI32 = AtomicI32::new(0);
static ASKED: AtomicBool = AtomicBool::new(false);
static CHILD: AtomicBool = AtomicBool::new(false);

/// Whether chunks go to a file. Async-signal-safe.
#[inline]
pub fn is_open() -> bool {
    FILE.load(Relaxed) >= 0
}

/// Returns the record file's number; if none is open, a number of that kind.
pub fn number() -> u64 {
    const USUAL: u64 = 200;
    u64::try_from(FILE.load(Relaxed)).unwrap_or(USUAL)
}

/// Whether there is a file and this process opened it. Async-signal-safe.
pub fn is_ours() -> bool {
    // SAFETY: no memory involved.
    is_open() && unsafe { libc::getpid() } == OPENER.load(Relaxed)
}

/// Opens the file the first time, and returns whether it was opened now; later calls cost one load.
#[inline]
pub fn open() -> bool {
    !ASKED.load(Relaxed) && recording::paying(open_once)
}

#[cold]
fn open_once() -> bool {
    if ASKED.swap(true, Acquire) {
        return false;
    }
    // SAFETY: no memory involved.
    let pid = unsafe { libc::getpid() };
    let (file, name) = take_a_name(recording::out(), pid);
    match file {
        Ok(file) => {
            OPENER.store(pid, Relaxed);
            descriptor::keep(file, &name);
            FILE.store(file, Release);
            write(&omphalos_profile_format::file_header());
            process::write_process();
            if !recording::is_measured() {
                let time = recording::started();
                process::write(omphalos_profile_format::Part { time, measured: 0 }.into());
            }
            unwind::modules::renew();
            process::write_modules();
            recording::say(format_args!("recording into {}", name.escape_ascii()));
            true
        }
        Err(error) => {
            process::warn(format_args!(
                "{}: cannot be written ({}): the program runs on unrecorded; set \
                 OMPHALOS_PROFILE_OUT to a file in a writable directory",
                name.escape_ascii(),
                std::io::Error::from_raw_os_error(error)
            ));
            false
        }
    }
}

/// Opens the first free file of those that the template stands for in this process. Also returns
/// its name, even if it cannot be opened.
fn take_a_name(template: &[u8], pid: i32) -> (Result<i32, i32>, Vec<u8>) {
    let name = name::expand(template, pid.unsigned_abs());
    // A forked child leaves the parent's name alone, even if the parent has not taken it yet.
    if !CHILD.load(Relaxed) || name::tells_processes_apart(template) {
        let taken = take(&name);
        if taken != Err(libc::EWOULDBLOCK) {
            return (taken, name);
        }
    }
    let with = |end: String| [&name[..], end.as_bytes()].concat();
    let mut own = with(format!(".{pid}"));
    for number in 2..MOST_NAMES {
        let taken = take(&own);
        if taken != Err(libc::EWOULDBLOCK) {
            return (taken, own);
        }
        own = with(format!(".{pid}.{number}"));
    }
    (Err(libc::EEXIST), own)
}

/// The number of programs, executed one after the other by one process, that get a file each.
const MOST_NAMES: u32 = 1000;

/// Takes the name if it is free: a new file, or this user's, empty and not locked by another
/// process, or a device. A file that another user puts into the folder is never written to, and no
/// link is followed.
fn take(path: &[u8]) -> Result<i32, i32> {
    let (file, made) = create(path)?;
    // SAFETY: the structure belongs to this function and the descriptor was just opened.
    unsafe {
        let mut status: libc::stat = core::mem::zeroed();
        let locked = libc::flock(file, libc::LOCK_EX | libc::LOCK_NB) == 0;
        let known = libc::fstat(file, &mut status) == 0;
        let regular = status.st_mode & libc::S_IFMT == libc::S_IFREG;
        if status.st_mode & libc::S_IFMT == libc::S_IFIFO {
            libc::close(file);
            return Err(libc::ESPIPE);
        }
        // The user that the process began as, which needs no system call.
        let user = libc::getauxval(libc::AT_EUID);
        let own = made || (u64::from(status.st_uid) == user && status.st_nlink == 1);
        if known && (!regular || (own && locked && status.st_size == 0)) {
            return Ok(file);
        }
        libc::close(file);
    }
    Err(libc::EWOULDBLOCK)
}

/// Opens a file for appending, on a high descriptor so that the program's own numbers stay as they
/// would be. Also returns whether the file was made here. A link counts as a name that is taken.
fn create(path: &[u8]) -> Result<(i32, bool), i32> {
    let path = CString::new(path).map_err(|_| libc::EINVAL)?;
    let appends = libc::O_WRONLY | libc::O_APPEND | libc::O_CLOEXEC | libc::O_NONBLOCK;
    let open = |flags: i32| {
        // SAFETY: a C string; the descriptors are the agent's.
        unsafe {
            let file = libc::open(path.as_ptr(), appends | flags, 0o644);
            if file < 0 { Err(*libc::__errno_location()) } else { Ok(numbers::high(file)) }
        }
    };
    match open(libc::O_CREAT | libc::O_EXCL) {
        Ok(file) => Ok((file, true)),
        Err(libc::EEXIST) => match open(libc::O_NOFOLLOW) {
            Ok(file) => Ok((file, false)),
            // The file that was there is gone again: another process that makes and removes files
            // here has the name.
            Err(libc::ELOOP | libc::ENOENT) => Err(libc::EWOULDBLOCK),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// Appends a chunk. Returns false if that failed. Async-signal-safe.
pub fn write(mut chunk: &[u8]) -> bool {
    // SAFETY: no memory involved.
    if !is_open() || unsafe { libc::getpid() } != OPENER.load(Relaxed) {
        return false;
    }
    let place = if apart::is_here() { &apart::FILE } else { &FILE };
    let Some(file) = descriptor::ours(place, place.load(Acquire)) else { return false };
    if !descriptor::has_room(file, chunk.len() as u64) {
        give_up(libc::EFBIG);
        return false;
    }
    while !chunk.is_empty() {
        // SAFETY: the slice is valid for reads; errno is the thread's own. The system call avoids
        // the agent's function in front of the C library's.
        let (done, error) = unsafe {
            let done = libc::syscall(libc::SYS_write, file, chunk.as_ptr(), chunk.len());
            (done, *libc::__errno_location())
        };
        match usize::try_from(done) {
            Ok(done) if done > 0 => chunk = chunk.get(done..).unwrap_or(&[]),
            Err(_) if error == libc::EINTR => {}
            _ => {
                give_up(error);
                return false;
            }
        }
    }
    true
}

/// Gives the file up, because it cannot be written any more, and says so once. Async-signal-safe.
#[cold]
fn give_up(error: i32) {
    let file = FILE.swap(-1, Relaxed);
    if file < 0 {
        return;
    }
    descriptor::close(file);
    match apart::is_here() {
        true => UNSAID.store(error, Relaxed),
        false => say(error),
    }
}

/// The reason why the file cannot be written any more, if no message could say so yet.
static UNSAID: AtomicI32 = AtomicI32::new(0);

fn say(error: i32) {
    let text: &[u8] = match error {
        libc::ENOSPC => {
            b"omphalos: the record file's disk is full: the rest is not recorded; make room or set \
              OMPHALOS_PROFILE_OUT to another disk\n"
        }
        libc::EDQUOT => b"omphalos: the record file is over quota: the rest is not recorded\n",
        libc::EFBIG => {
            b"omphalos: the record file reached its size limit (ulimit -f): the rest is \
              not recorded\n"
        }
        _ => b"omphalos: the record file cannot be written any more: the rest is not recorded\n",
    };
    omphalos_sys::stderr::raw(text);
}

/// Resets the state in a forked child: nothing is open, and a file would be the child's own.
pub fn reset_in_child() {
    CHILD.store(true, Relaxed);
    UNSAID.store(0, Relaxed);
    apart::reset_in_child();
    let file = FILE.swap(-1, Relaxed);
    if file >= 0 {
        descriptor::close(file);
    }
    ASKED.store(false, Relaxed);
}

/// Gives the calling thread, the watcher, descriptors of its own: its files take no number that the
/// program would get, and it keeps nothing open that the program closes.
pub fn stand_apart() {
    apart::begin(FILE.load(Relaxed));
}

/// Resets the state when the agent comes again: the next file is another one.
pub fn begin_anew() {
    UNSAID.store(0, Relaxed);
    apart::reset_in_child();
    CHILD.store(false, Relaxed);
    ASKED.store(false, Relaxed);
}

/// Closes the file at the end.
pub fn close() {
    let file = FILE.swap(-1, Relaxed);
    if file >= 0 {
        descriptor::close(file);
    }
    match UNSAID.swap(0, Relaxed) {
        0 => {}
        error => say(error),
    }
    ASKED.store(true, Relaxed);
}
