//! Finds threads that ask the kernel again and again, in a loop that does nothing else but let time
//! pass: for a file that another process may make or remove, or for what comes at the end of a pipe
//! or a socket that has no other end any more. `kernel.rs` calls it.

use std::time::Duration;

use omphalos_ompd_view::asleep::Kernel;
use omphalos_ompd_view::snapshot::{Os, Wait};
use omphalos_ompd_view::target::text;
use omphalos_program::Standing;
use omphalos_why::is_pause;

use super::awaits::{innermost_frames, registers};
use super::{Stack, place};
use crate::names::Named;
use crate::space::{Space, half};
use crate::unwind::{All, Raw, Unwinder};

/// The time that a thread may need, beside its sleep, to see that the file has changed.
const MARGIN: Duration = Duration::from_secs(1);
/// Descriptors of one poll that are looked at.
const MOST_POLLED: u64 = 8;
/// The bytes of a `struct pollfd`; the descriptor comes first.
const POLLFD: u64 = 8;

/// A question to the kernel: which of the function's arguments has its subject.
#[derive(Clone, Copy, PartialEq)]
enum Question {
    /// The path of a file.
    Path(usize),
    /// A path that the call makes, which it does not if that path exists.
    Makes(usize),
    /// The first argument is a descriptor.
    Descriptor,
    /// The first argument is an array of structures with descriptors, as long as the second says.
    Polled,
}

/// The question that a function asks. `None` for other functions.
fn question(callee: &str) -> Option<Question> {
    Some(match callee {
        "access" | "stat" | "lstat" | "stat64" | "lstat64" => Question::Path(0),
        "__xstat" | "__lxstat" | "__xstat64" | "__lxstat64" | "faccessat" => Question::Path(1),
        "open" | "open64" | "fopen" | "fopen64" => Question::Path(0),
        "openat" | "openat64" => Question::Path(1),
        "mkdir" => Question::Makes(0),
        "read" | "__read_chk" | "recv" | "__recv_chk" => Question::Descriptor,
        "poll" | "__poll_chk" => Question::Polled,
        _ => return None,
    })
}

/// Returns what the thread asks for, and adds to the kernel's facts whether somebody brings that.
pub fn find(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    stack: &Stack,
    os: &mut Os,
) -> Option<Wait> {
    let mut found = None;
    innermost_frames(unwinder, named, stack, |raw, all| {
        found = in_frame(space, named, stack, (raw, all), os);
        found.is_none()
    });
    found
}

fn in_frame(
    space: &dyn Space,
    named: &Named<'_>,
    stack: &Stack,
    (raw, all): (&Raw, &All),
    os: &mut Os,
) -> Option<Wait> {
    let names = named.names();
    let which = |name: &str| question(name).is_some() || is_pause(name);
    let calls = names.calls_of_loop(raw.address, &which);
    let asks = calls.iter().filter_map(|(after, name)| Some((*after, question(name)?)));
    let asks: Vec<(u64, Question)> = asks.collect();
    let (after, first) = *asks.first()?;
    let register = registers(stack, all);
    let read = |address: u64, length: usize| space.number(address, length);
    let standing = Standing { register: &register, read: &read };
    let arguments = |after: u64| names.numbers_of_round(after, raw.address, &standing);
    let kernel = space.kernel();
    let what = match first {
        Question::Path(at) | Question::Makes(at) if asks.len() == 1 => {
            let path = text(space.as_target(), arguments(after)[at]?);
            let makes = matches!(first, Question::Makes(_)) || makes(names, after);
            of_file(kernel, &path, makes, os)?
        }
        Question::Descriptor | Question::Polled => {
            let mut all: Vec<i32> = Vec::new();
            for (after, question) in &asks {
                all.extend(descriptors(space, *question, arguments(*after))?);
            }
            all.sort_unstable();
            all.dedup();
            of_ends(kernel, &all)?
        }
        _ => return None,
    };
    let callee = names.callee(after)?;
    let function = names.functions(after - 1).into_iter().next();
    let place = function.and_then(|function| place(&function.file, function.line));
    let by = place.map_or_else(|| callee.clone(), |place| format!("{callee} at {place}"));
    os.timed = false;
    Some(Wait::Asks { by, what })
}

/// Whether an `open` only makes a new file (O_CREAT, O_EXCL).
fn makes(names: &omphalos_program::Names, after: u64) -> bool {
    const NEW: u64 = 0o300;
    let callee = names.callee(after).unwrap_or_default();
    let at = if callee.starts_with("openat") { 2 } else { 1 };
    let flags = callee.starts_with("open").then(|| names.number_argument(after, at)).flatten();
    flags.is_some_and(|flags| flags & NEW == NEW)
}

/// "the file '/tmp/a.lock', which exists (changed 2026-11-30 18:20:11)". A file that changed after
/// the thread asked last, or one that a living process made, brings the end of the loop.
fn of_file(kernel: &dyn Kernel, path: &str, makes: bool, os: &mut Os) -> Option<String> {
    let state = kernel.file_state(path).filter(|_| !path.is_empty())?;
    let sleep = Duration::from_nanos(os.at_most.unwrap_or(0));
    let is_new = state.age <= sleep.saturating_add(MARGIN);
    let is_about_to_make = makes && !state.exists;
    os.brought = is_new || is_about_to_make || state.named_lives == Some(true);
    os.outside = state.named_lives != Some(false);
    Some(format!("the file '{path}'{}", state.words))
}

/// The descriptors that a question is about; `None` if the code does not show them all.
fn descriptors(
    space: &dyn Space,
    question: Question,
    [first, second, ..]: [Option<u64>; 6],
) -> Option<Vec<i32>> {
    match question {
        Question::Descriptor => Some(vec![first? as i32]),
        Question::Polled => {
            let (from, count) = (first?, second.filter(|count| *count <= MOST_POLLED)?);
            let number = |at: u64| half(space.as_target(), from.wrapping_add(at * POLLFD)).ok();
            (0..count).map(|at| Some(number(at)? as i32)).collect()
        }
        Question::Path(_) | Question::Makes(_) => None,
    }
}

/// "file descriptor 3 (`pipe:[7]`), which is empty, and which nobody can write to any more". `None`
/// if something may still come at one of the descriptors.
fn of_ends(kernel: &dyn Kernel, all: &[i32]) -> Option<String> {
    let words = |number: &i32| {
        let end = kernel.is_at_end(*number)?;
        let of = kernel.descriptor(*number).unwrap_or_default();
        Some(format!("file descriptor {number} ({of}){end}"))
    };
    let each: Vec<String> = all.iter().map(words).collect::<Option<_>>()?;
    (!each.is_empty()).then(|| each.join(", "))
}
