//! Finds the loops around the place of a running thread, whatever they do: the loops that it does
//! not leave between the looks say where it stays. `kernel.rs` and `glance.rs` call [`find`].

use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::snapshot::{self, Awaits, StaysIn};
use omphalos_program::{LoopAround, NamedFunction, SilentRounds, Standing};
use omphalos_why::words::is_of_headers;

use super::awaits::{RED_ZONE, RSP, innermost_frames, number_at, registers, values};
use super::{Stack, place};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::{All, Raw, Unwinder};

/// The instructions of a loop whose lines are looked up, at most.
const LONGEST: usize = 64;

/// Bytes of the stack, from its top, that show whether a thread is in the same call as before. The
/// callers' counters are there or in registers.
const BYTES_OF_CALL: usize = 4096;

/// The loops around the thread's place, from inside to outside, up to the call by which the runtime
/// called the program's code.
pub fn find(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    stack: &Stack,
) -> Vec<StaysIn> {
    let mut found = Vec::new();
    innermost_frames(unwinder, named, stack, |raw, all| {
        found.extend(in_frame(space, named, stack, (raw, all)).unwrap_or_default());
        true
    });
    found
}

fn in_frame(
    space: &dyn Space,
    named: &Named<'_>,
    stack: &Stack,
    (raw, all): (&Raw, &All),
) -> Option<Vec<StaysIn>> {
    let names = named.names();
    let register = registers(stack, all);
    let read = |address: u64, length: usize| space.number(address, length);
    let from = all[RSP]?;
    let is_own = |address: u64| {
        (from.wrapping_sub(RED_ZONE)..raw.cfa).contains(&address)
            || space.kernel().is_written_elsewhere(address)
    };
    let stays = |mut of: LoopAround| {
        of.reads.retain(|(_, (address, _))| !is_own(*address));
        let first = of.reads.first().copied();
        let function = first.and_then(|(at, _)| own_function(named, at));
        let reads: Vec<(u64, usize)> = of.reads.iter().map(|(_, cell)| *cell).collect();
        let what = |(_, (address, _)): (u64, (u64, usize))| match names.datum(address) {
            Some(name) => format!("the variable '{name}'"),
            None => format!("the variable at {address:#x}"),
        };
        let mut hasher = DefaultHasher::new();
        (of.head, raw.cfa).hash(&mut hasher);
        let now = first.and_then(|(_, cell)| number_at(cell, read));
        let deferred = reads.iter().any(|cell| is_deferred(named, *cell, &read));
        let polls = Awaits {
            what: first.map_or_else(String::new, what),
            place: function.as_ref().and_then(|it| place(&it.file, it.line)),
            source: function.and_then(|it| Some((it.file?, it.line))),
            values: values(&reads, read),
            reads,
            print: hasher.finish(),
            looks: 1,
            ..Awaits::default()
        };
        let silent = of.silent.as_ref().and_then(|of| silent(space, named, of, from, all));
        StaysIn { polls, now, endless: of.endless, deferred, silent }
    };
    let standing = Standing { register: &register, read: &read };
    Some(names.loops_around(raw.lookup, &standing).into_iter().map(stays).collect())
}

/// The distance from the state of a libstdc++ future to the word that says whether it is ready.
const STATUS_AT: u64 = 16;
/// Parts of the names of the classes of such states, in libstdc++ and libc++.
const DEFERRED: [&str; 2] = ["_Deferred_state", "__deferred_assoc_state"];

/// Whether a word is in the state of a deferred task, or points at one. An object of such a class
/// begins with the address of the class's table.
fn is_deferred(
    named: &Named<'_>,
    (address, _): (u64, usize),
    read: &impl Fn(u64, usize) -> Option<u64>,
) -> bool {
    let states = [read(address, 8), address.checked_sub(STATUS_AT)];
    let tables = states.into_iter().flatten().filter_map(|state| read(state, 8));
    let mut names = tables.filter_map(|table| named.names().datum(table));
    names.any(|name| DEFERRED.iter().any(|class| name.contains(class)))
}

/// The innermost function at an address that is the program's own, not a header's.
fn own_function(named: &Named<'_>, at: u64) -> Option<NamedFunction> {
    named.names().functions(at).into_iter().find(|one| !is_of_headers(one.file.as_deref()))
}

/// Rounds of a loop that leave no trace. `from`: the stack pointer, which they leave as it is.
fn silent(
    space: &dyn Space,
    named: &Named<'_>,
    of: &SilentRounds,
    from: u64,
    all: &All,
) -> Option<snapshot::SilentRounds> {
    let mut compared: Vec<String> = Vec::new();
    for at in &of.compared {
        let line = own_function(named, *at).and_then(|it| place(&it.file, it.line));
        compared.extend(line.filter(|line| !compared.contains(line)));
    }
    let mut mappings = space.mappings().iter();
    let stack = mappings.find(|mapping| (mapping.start..mapping.end).contains(&from))?;
    let mut outside = vec![0; BYTES_OF_CALL.min(usize::try_from(stack.end - from).ok()?)];
    space.read(from, &mut outside).ok()?;
    let kept: Vec<Option<u64>> = of.kept.iter().map(|number| all[*number]).collect();
    let mut hasher = DefaultHasher::new();
    (kept, outside).hash(&mut hasher);
    let lines = lines(named, &of.code)?;
    Some(snapshot::SilentRounds { lines, compared, print: hasher.finish(), same: true })
}

/// "a.c:3 to a.c:9": the lines of these instructions in the function of the first one.
fn lines(named: &Named<'_>, code: &[u64]) -> Option<String> {
    let first = own_function(named, *code.first().filter(|_| code.len() <= LONGEST)?)?;
    let all = code.iter().flat_map(|at| named.names().functions(*at));
    let own = all.filter(|one| (&one.file, &one.name) == (&first.file, &first.name));
    let lines: Vec<u32> = own.map(|one| one.line).filter(|line| *line > 0).collect();
    let from = place(&first.file, *lines.iter().min()?)?;
    let to = place(&first.file, *lines.iter().max()?)?;
    Some(if from == to { from } else { format!("{from} to {to}") })
}
