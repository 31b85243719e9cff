//! Finds which message a thread waits for in MPI: the tag and the other rank, which are arguments
//! of the call. (MPI calls them the message's envelope.) For an operation with a root, it is the
//! root. They are found where the code in front of the call and the frame show them.

use omphalos_ompd_view::snapshot::{Snapshot, Wait};
use omphalos_program::{Names, Standing};
use omphalos_why::words::messages::ROOT;

use super::Stack;
use crate::names::Named;
use crate::space::{Space, word};
use crate::unwind::{Raw, Unwinder};

/// Functions with one message each: the place of the other rank among the arguments, and the word
/// in front of the rank. The tag is the next argument.
const CALLS: [(&str, usize, &str); 7] = [
    ("mpi_recv", 3, "from"),
    ("mpi_probe", 0, "from"),
    ("mpi_mprobe", 0, "from"),
    ("mpi_send", 3, "to"),
    ("mpi_ssend", 3, "to"),
    ("mpi_rsend", 3, "to"),
    ("mpi_bsend", 3, "to"),
];

/// Operations of all ranks with a root: the place of the root among the arguments.
const ROOTED: [(&str, usize); 2] = [("mpi_bcast", 3), ("mpi_reduce", 5)];

/// Fills in the message for each thread that is in such a function.
pub fn find(
    space: &dyn Space,
    snapshot: &mut Snapshot,
    unwinder: &Unwinder<'_>,
    (stacks, named): (&[Stack], &Named<'_>),
) {
    for thread in &mut snapshot.threads {
        let Some(Wait::Call { what, .. }) = &thread.waits else { continue };
        let Some(stack) = stacks.iter().find(|stack| stack.lwp == thread.lwp) else { continue };
        if let Some((name, at)) = ROOTED.iter().find(|(name, _)| *name == plain(what)) {
            let root = numbers(space, unwinder, named.names(), (stack, name));
            let root = root.and_then(|all| all[*at]).filter(|root| *root >= 0);
            thread.envelope = root.map(|root| format!("{ROOT}{root} of its communicator"));
            continue;
        }
        let call = CALLS.iter().find(|(name, ..)| *name == plain(what));
        let Some((name, rank, way)) = call else { continue };
        let numbers = numbers(space, unwinder, named.names(), (stack, name));
        let Some([rank, tag]) = numbers.map(|all| [all[*rank], all[*rank + 1]]) else { continue };
        let number = |what: &str, number: Option<i32>| match number? {
            number @ 0.. => Some(format!("{what} {number}")),
            _ => (*way == "from").then(|| format!("any {what}")),
        };
        // A call for a message of nobody (MPI_PROC_NULL) is over at once.
        let (tag, rank) = (number("tag", tag), number("rank", rank));
        thread.envelope = match (tag, rank) {
            (Some(tag), Some(rank)) => Some(format!("{tag}, {way} {rank} of its communicator")),
            _ => None,
        };
    }
}

/// The name of an MPI function in small letters, without the marks of languages and of profilers.
fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.strip_prefix('p').unwrap_or(&name).trim_end_matches('_').to_owned()
}

/// Returns the first arguments of the thread's outermost call of the function, as far as they are
/// known.
fn numbers(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    names: &Names,
    (stack, name): (&Stack, &str),
) -> Option<[Option<i32>; 6]> {
    let callee = |raw: &Raw| names.callee(raw.address).filter(|callee| plain(callee) == name);
    let (call, callee) = stack.raw.iter().rev().find_map(|raw| Some((raw, callee(raw)?)))?;
    let mut found = None;
    unwinder.walk_with(&stack.registers, |raw, all| {
        let is_it = (raw.address, raw.cfa) == (call.address, call.cfa);
        if is_it {
            let register = |number: usize| all.get(number).copied().flatten();
            let read = |address: u64, _| word(unwinder.target(), address).ok();
            found = Some(
                names.numbers_handed(raw.address, &Standing { register: &register, read: &read }),
            );
        }
        !is_it
    });
    // Fortran passes addresses.
    let by_address = callee.ends_with('_');
    let number = |value: u64| {
        let mut bytes = [0; 4];
        match by_address {
            true => space.read(value, &mut bytes).ok().map(|()| i32::from_le_bytes(bytes)),
            false => Some(value as i32),
        }
    };
    Some(found?.map(|value| number(value?)))
}
