//! Finds threads in loops that only wait for memory to change: which memory that is, and a print by
//! which the next look sees whether the thread has left the loop. `kernel.rs` and `glance.rs` call
//! it.

use omphalos_program::entries::{self, Part};
use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::snapshot::Awaits;
use omphalos_program::{Called, FS_BASE, NamedFunction, Owner, Standing};
use omphalos_why::is_try;
use omphalos_why::words::is_of_headers;

use super::{Stack, pairs, place};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::{All, Raw, SAVED, Unwinder};

/// Frames of the program whose loops are looked at.
const INNERMOST: usize = 4;
/// Numbers that are no addresses, and no numbers with a fraction.
pub(super) const SMALL: core::ops::Range<i64> = -(1 << 27)..1 << 27;
/// Bytes of the stack above a loop that are in its print.
const BYTES: usize = 1024;
/// Bytes below the stack pointer that also belong to the function.
pub(super) const RED_ZONE: u64 = 128;
pub(super) const RSP: usize = 7;

/// Returns the innermost loop of the thread that only waits, and the loop in whose rounds it meets
/// other threads. Each is `None` if the code does not show such a loop.
pub fn find(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    stack: &Stack,
) -> (Option<Awaits>, Option<Awaits>) {
    // A round matters to other threads only if it writes memory that they may read, not the
    // thread's own stack.
    let writes = |round: &Awaits| round.wrote.iter().any(|(_, number)| number.is_some());
    let (mut found, mut round) = (None::<Awaits>, None::<Awaits>);
    innermost_frames(unwinder, named, stack, |raw, all| {
        let in_frame = |meets| in_frame(space, named, stack, (raw, all), meets);
        found = found.take().or_else(|| in_frame(false));
        round = round.take().or_else(|| in_frame(true).filter(writes));
        found.is_none() || round.is_none()
    });
    (found, round)
}

/// Passes the program's innermost frames to `take`, until that returns false. Frames outside the
/// runtime's are left out: the runtime executes other code within their call, a task for example,
/// so the thread is in none of their loops.
pub(super) fn innermost_frames(
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    stack: &Stack,
    mut take: impl FnMut(&Raw, &All) -> bool,
) {
    let mut left = INNERMOST;
    unwinder.walk_with(&stack.registers, |raw, all| {
        let owner = named.names().owner(raw.lookup);
        if raw.signal || owner == Owner::Runtime && left < INNERMOST {
            return false;
        }
        if owner == Owner::User && named.module(raw.lookup).is_some() {
            left -= 1;
            return take(raw, all) && left > 0;
        }
        true
    });
}

/// The registers of a frame, by DWARF's numbers, and the address of the thread's own storage.
pub(super) fn registers(stack: &Stack, all: &All) -> impl Fn(usize) -> Option<u64> {
    move |number: usize| match number {
        FS_BASE => Some(stack.registers.fs_base),
        _ => all.get(number).copied().flatten(),
    }
}

fn in_frame(
    space: &dyn Space,
    named: &Named<'_>,
    stack: &Stack,
    (raw, all): (&Raw, &All),
    meets: bool,
) -> Option<Awaits> {
    let names = named.names();
    let register = registers(stack, all);
    let read = |address: u64, length: usize| space.number(address, length);
    let standing = Standing { register: &register, read: &read };
    let of = names.awaits(raw.lookup, &standing, &called, meets)?;
    let from = all[RSP]?;
    // No other thread uses the memory of the frame itself.
    let is_frame = |address: u64| (from.wrapping_sub(RED_ZONE)..raw.cfa).contains(&address);
    let mut frame = vec![0; BYTES];
    space.read(from, &mut frame).ok()?;
    for ((address, length), _) in &of.writes {
        for at in 0..*length as u64 {
            let at = address.wrapping_add(at).wrapping_sub(from);
            if let Some(byte) = usize::try_from(at).ok().and_then(|at| frame.get_mut(at)) {
                *byte = 0;
            }
        }
    }
    let kept = SAVED.iter().filter(|number| of.kept.contains(number));
    let kept: Vec<Option<u64>> = kept.map(|number| all[*number]).collect();
    let print = |what: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        what(&mut hasher);
        hasher.finish()
    };
    // The stack outside this frame may have variables that threads share, but also those of the
    // callers alone. So memory outside the stack is named first.
    let mut mappings = space.mappings().iter();
    let stack = mappings.find(|mapping| (mapping.start..mapping.end).contains(&from));
    let is_stack = |address: u64| stack.is_some_and(|stack| (from..stack.end).contains(&address));
    let others = of.cells.iter().map(|(address, _)| *address).filter(|at| !is_frame(*at));
    let cell = others.min_by_key(|address| is_stack(*address));
    // The arguments of a wrapper's call may differ from those of the call inside.
    let asked = of.asks.map(|after| names.callee(after));
    let tries = asked.clone().flatten().filter(|callee| is_try(callee));
    let name = |address: u64| match names.datum(address) {
        Some(name) => format!("the variable '{name}'"),
        None => format!("the variable at {address:#x}"),
    };
    let what = match (of.reads_at, cell) {
        (None, _) => String::new(),
        (_, Some(address)) => name(address),
        _ => match asked {
            Some(Some(callee)) if !is_try(&callee) => "the cancellation of its construct",
            Some(_) => "a lock",
            None => "a variable",
        }
        .to_owned(),
    };
    // The program's own line, not the line in a method of the C++ library.
    let is_own = |function: &&NamedFunction| !is_of_headers(function.file.as_deref());
    let places = of.reads_at.into_iter().chain(of.reads_in);
    let functions: Vec<NamedFunction> = places.flat_map(|at| names.functions(at)).collect();
    let function = functions.iter().find(is_own).or(functions.first());
    let once = of.once.and_then(|(at, cell)| {
        let functions = names.functions(at);
        let function = functions.iter().find(is_own).or(functions.first())?;
        let what = cell.map_or_else(|| "a variable".to_owned(), |(address, _)| name(address));
        let now = cell.and_then(|cell| number_at(cell, read));
        let now = now.map_or_else(String::new, |now| format!(" (now {now})"));
        Some(format!("{what}{now} at {}", place(&function.file, function.line)?))
    });
    let named = of.cells.iter().find(|(address, _)| Some(*address) == cell);
    let now = named.and_then(|named| number_at(*named, read));
    let source = function.and_then(|function| Some((function.file.clone()?, function.line)));
    let own = of.cells.iter().any(|(at, _)| is_frame(*at));
    let path = source.as_ref().map(|(path, _)| &**path);
    let compared = if own { Vec::new() } else { pairs::find(names, &of.cells, path, &read) };
    let wrote: Vec<_> = of.writes.iter().copied().filter(|((at, _), _)| !is_frame(*at)).collect();
    Some(Awaits {
        what,
        place: function.and_then(|function| place(&function.file, function.line)),
        source,
        compared,
        now: now.filter(|now| SMALL.contains(now)),
        writes: !wrote.is_empty(),
        exchanges: of.exchanges,
        tries: tries.filter(|_| of.cells.is_empty()).zip(of.argument),
        reads: of.cells.clone(),
        once,
        read_once: of.once.and_then(|(_, cell)| cell),
        print: print(&|hasher| (of.head, raw.cfa, &kept, &frame, &wrote).hash(hasher)),
        wrote,
        values: values(&of.cells, read),
        ..Awaits::default()
    })
}

/// The number at a place, which may have a sign.
pub fn number_at(
    (address, length): (u64, usize),
    read: impl Fn(u64, usize) -> Option<u64>,
) -> Option<i64> {
    let unused = u32::try_from(8usize.checked_sub(length)?).ok()? * 8;
    Some((read(address, length)?.checked_shl(unused)?).cast_signed() >> unused)
}

/// A hash of the values at these places.
pub fn values(cells: &[(u64, usize)], read: impl Fn(u64, usize) -> Option<u64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let each = cells.iter().map(|(address, length)| read(*address, *length));
    each.collect::<Vec<_>>().hash(&mut hasher);
    hasher.finish()
}

/// Returns the effect of a function that leaves the program's memory as it is; `None` for other
/// functions. (`taskyield` may execute other tasks, but then the thread's stack shows the task.)
pub fn called(name: &str) -> Option<Called> {
    const ALSO: [&str; 10] = [
        "__errno_location", "__kmpc_flush", "__kmpc_global_thread_num", "drand48", "lrand48",
        "omp_get_num_threads", "omp_get_thread_num", "omp_get_wtime", "rand", "random",
    ];
    let part = entries::part(name);
    if part == Some(Part::CancellationPoint) || is_try(name) {
        return Some(Called::AsksOthers);
    }
    // Functions that tell the user about the wait write only memory of the C library.
    const TELLS: [&str; 12] = [
        "__fprintf_chk", "__printf_chk", "fflush", "fprintf", "fputc", "fputs", "fwrite", "perror",
        "printf", "putchar", "puts", "syslog",
    ];
    let is_harmless = name.contains("sleep")
        || name.ends_with("_yield")
        || part == Some(Part::Taskyield)
        || ALSO.contains(&name)
        || TELLS.contains(&name);
    is_harmless.then_some(Called::Harmless)
}
