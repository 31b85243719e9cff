//! Finds the circle in memory that a running thread walks, if its code proves that it does.
//! `kernel.rs` calls [`find`].

use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::snapshot::{self, Awaits};
use omphalos_program::{Owner, Standing, is_comparison};
use omphalos_why::words::is_of_headers;

use super::awaits::{registers, values};
use super::{Stack, place};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::{All, Raw, Unwinder};

/// Bytes below the stack pointer in which the functions that the code calls have their variables.
const BELOW: u64 = 1 << 16;
/// Functions of the program, from inside to outside, in whose variables the code may write.
const INNERMOST: usize = 4;
/// Places whose contents are compared from look to look, at most.
const MOST_READS: usize = 256;
/// The number of rax in DWARF, and what it may have behind a comparison of names that differ.
const RAX: usize = 0;
const UNLIKE: [u64; 2] = [1, 0xffff_ffff];
/// Names of elements, at most.
const MOST_NAMES: usize = 3;

/// The circle that the thread walks.
pub fn find(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    stack: &Stack,
) -> Option<snapshot::Circle> {
    let names = named.names();
    let is_own = |raw: &&Raw| names.owner(raw.lookup) == Owner::User && is_mapped(named, raw);
    // In the C library, where names are compared, the code is replayed from its return.
    let compares = |raw: &Raw| names.callee(raw.address).is_some_and(|it| is_comparison(&it));
    let is_compared = stack.raw.get(1).is_some_and(compares);
    let from = usize::from(is_compared);
    let own = stack.raw.iter().skip(from).take(INNERMOST).take_while(is_own);
    let end = own.map(|raw| raw.cfa).max()?;
    let own = stack.registers.rsp.saturating_sub(BELOW)..end;
    let mut frames: Vec<(u64, All)> = Vec::new();
    unwinder.walk_with(&stack.registers, |raw, all| {
        frames.push((raw.address, *all));
        frames.len() <= from
    });
    let (rip, all) = *frames.get(from)?;
    let flags = stack.registers.flags.filter(|_| !is_compared);
    let read = |address: u64, length: usize| space.number(address, length);
    let replay = |answer: Option<u64>| {
        let known = registers(stack, &all);
        let register = |number: usize| if number == RAX { answer } else { known(number) };
        let standing = Standing { register: &register, read: &read };
        names.circle(rip, flags, own.clone(), &standing)
    };
    let circle = match is_compared {
        // The walk shows whether the comparison comes to this answer.
        true => UNLIKE.into_iter().find_map(|answer| replay(Some(answer)))?,
        false => replay(all[RAX])?,
    };
    if circle.reads.iter().any(|cell| space.kernel().is_written_elsewhere(cell.0)) {
        return None;
    }
    let functions = names.functions(circle.reads_at);
    let function = functions.iter().find(|it| !is_of_headers(it.file.as_deref()));
    let source = function.and_then(|it| Some((it.file.clone()?, it.line)));
    let mut cells: Vec<(u64, usize)> = circle.elements.iter().map(|(cell, _)| *cell).collect();
    let known = cells.iter().map_while(|(address, _)| names.datum(*address));
    let known: Vec<String> = known.take(MOST_NAMES).collect();
    let member = || {
        let (file, line) = source.as_ref()?;
        Some(format!("the member '{}'", names.member_at(file, *line)?))
    };
    let what = known.first().map(|name| format!("the variable '{name}'")).or_else(member);
    cells.sort_unstable();
    let mut hasher = DefaultHasher::new();
    (circle.reads_at, &cells).hash(&mut hasher);
    let mut reads = circle.reads;
    reads.sort_unstable();
    reads.dedup();
    let reads_more = reads.len() > cells.len();
    reads.truncate(MOST_READS);
    let of = Awaits {
        what: what.unwrap_or_default(),
        place: function.and_then(|it| place(&it.file, it.line)),
        source,
        print: hasher.finish(),
        values: values(&reads, read),
        reads,
        writes: circle.writes,
        looks: 1,
        ..Awaits::default()
    };
    let (elements, linked) = (circle.elements.len(), circle.linked);
    Some(snapshot::Circle { of, elements, linked, reads_more, names: known })
}

fn is_mapped(named: &Named<'_>, raw: &Raw) -> bool {
    named.module(raw.lookup).is_some()
}
