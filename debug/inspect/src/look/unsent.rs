//! Finds streams of the C library whose buffers have bytes that a thread or another process waits
//! for: the program called `fprintf`, but not `fflush`.

use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::snapshot::{Reader, Snapshot, Unsent};
use omphalos_ompd_view::target::half;

use super::Stack;
use crate::space::{Space, exported, word};

/// Offsets in glibc's `struct _IO_FILE`, in bytes: the mark, the begin and the end of the text to
/// be written, the next stream, and the descriptor.
const WRITE_BASE: u64 = 32;
const WRITE_POINTER: u64 = 40;
const NEXT: u64 = 104;
const DESCRIPTOR: u64 = 112;
/// The upper half of the mark.
const MAGIC: u32 = 0xfbad;
/// Streams that are looked at.
const MOST_STREAMS: usize = 1024;
/// The bytes that a buffer may have.
const MOST_BYTES: u64 = 1 << 32;

/// Adds the stream to each thread that reads at the stream's other end, and to each thread that
/// waits for another process that reads there.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot, stacks: &[Stack]) {
    let target = space.as_target();
    let reads = |stack: &Stack| {
        let name = calls::name(calls::in_call(&stack.registers)?);
        let at = calls::is_read(&name).then(|| calls::descriptors(target, &stack.registers, &name));
        Some((stack.lwp, at?))
    };
    let readers: Vec<(u32, Vec<i32>)> = stacks.iter().filter_map(reads).collect();
    if readers.is_empty() {
        return;
    }
    let (kernel, own) = (space.kernel(), space.pid());
    for (descriptor, bytes) in unsent(space) {
        let (ours, others): (Vec<(u32, i32)>, _) =
            kernel.other_ends(descriptor).into_iter().partition(|(pid, _)| Some(*pid) == own);
        let reads_it = |at: &[i32]| ours.iter().any(|(_, end)| at.contains(end));
        let other = others.iter().find(|(pid, end)| kernel.reads_at(*pid, *end));
        let waits_for = |at: &[i32], other: u32| {
            let mut ends = at.iter().flat_map(|number| kernel.other_ends(*number));
            ends.any(|(pid, _)| pid == other)
        };
        for (lwp, at) in &readers {
            let reader = match other {
                _ if reads_it(at) => Reader::Own(*lwp),
                Some(&(pid, _)) if waits_for(at, pid) => {
                    Reader::Other(pid, kernel.process_name(pid))
                }
                _ => continue,
            };
            if let Some(thread) = snapshot.threads.iter_mut().find(|it| it.lwp == *lwp) {
                thread.unsent = Some(Unsent { descriptor, bytes, reader });
            }
        }
    }
}

/// The descriptors of the streams that have bytes to write, with the number of bytes.
fn unsent(space: &dyn Space) -> Vec<(i32, u64)> {
    let target = space.as_target();
    let at = |stream: u64, offset: u64| word(target, stream.checked_add(offset)?).ok();
    let first = exported(space, "_IO_list_all", Some("libc.so.6")).ok();
    let first = first.and_then(|list| word(target, list).ok());
    let is_stream = |stream: &u64| {
        *stream != 0 && half(target, *stream).is_ok_and(|flags| flags >> 16 == MAGIC)
    };
    let next = |stream: &u64| at(*stream, NEXT).filter(is_stream);
    let all = std::iter::successors(first.filter(is_stream), next).take(MOST_STREAMS);
    let found = all.filter_map(|stream| {
        let bytes = at(stream, WRITE_POINTER)?.checked_sub(at(stream, WRITE_BASE)?)?;
        let descriptor = half(target, stream.checked_add(DESCRIPTOR)?).ok()? as i32;
        ((1..MOST_BYTES).contains(&bytes) && descriptor >= 0).then_some((descriptor, bytes))
    });
    found.collect()
}
