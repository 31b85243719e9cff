//! Finds processes that wait to open FIFOs: open(2) of such a file returns only when somebody has
//! opened both ends.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, FileTypeExt};

use super::processes;
use super::prospects::{parent, threads};
use crate::asleep::calls;

/// Whether the file at a path, as a process sees it, is a FIFO.
pub fn is_fifo(pid: u32, path: &str) -> bool {
    let data = fs::metadata(seen_by(pid, path));
    data.is_ok_and(|data| data.file_type().is_fifo())
}

/// The path by which we see the file that a process sees at `path`.
pub fn seen_by(pid: u32, path: &str) -> String {
    let from = if path.starts_with('/') { "root" } else { "cwd/" };
    format!("/proc/{pid}/{from}{path}")
}

/// The relatives of a process that wait to open FIFOs, with the paths and the calls' flags: its
/// parent, its children, and the other children of its parent.
pub fn of_fifos(pid: u32) -> Vec<(u32, String, u64)> {
    let above = parent(pid).filter(|above| *above > ADOPTS_ORPHANS);
    let is_near = |other: u32| {
        let of = parent(other);
        of == Some(pid) || above.is_some() && (of == above || above == Some(other))
    };
    let others = processes().into_iter().filter(|other| *other != pid && is_near(*other));
    let call = |other: u32| {
        let mut all = threads(other)?.flatten();
        let (path, flags) = all.find_map(|registers| {
            calls::opened_file(&registers, &calls::name(calls::in_call(&registers)?))
        })?;
        let path = text(other, path)?;
        is_fifo(other, &path).then_some((other, path, flags))
    };
    others.filter_map(call).collect()
}

/// The process that becomes the parent of each one whose own parent has ended.
const ADOPTS_ORPHANS: u32 = 1;

/// The text at an address of another process.
fn text(pid: u32, address: u64) -> Option<String> {
    let mut bytes = [0; LONGEST_TEXT];
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let read = memory.read_at(&mut bytes, address).ok()?;
    let text = bytes[..read].split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// The most bytes of a text that are read.
const LONGEST_TEXT: usize = 256;
