//! Finds the comparison of a counter that decides whether a waiting thread itself comes to the
//! operation that would end the others' waits, as in a barrier of the program's own: the last
//! thread that comes ends the waits.

use omphalos_ompd_view::snapshot::{Bringing, Counts, Snapshot, Thread};
use omphalos_program::{Counted, Limit, Standing, Ways};
use omphalos_why::words::is_of_headers;

use super::super::awaits::{innermost_frames, number_at};
use super::super::{Stack, locals, place};
use super::start;
use crate::names::Named;
use crate::space::Space;
use crate::unwind::{All, Raw, Unwinder};

/// Adds these comparisons to the threads that wait for a variable or a condition variable.
pub fn find_counts(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    snapshot: &mut Snapshot,
    (stacks, named): (&[Stack], &Named<'_>),
) {
    let read = |address: u64, length: usize| space.number(address, length);
    for thread in &mut snapshot.threads {
        let Some(stack) = stacks.iter().find(|stack| stack.lwp == thread.lwp) else { continue };
        let Some((mut counts, of)) = counted(&read, unwinder, thread, (stack, named)) else {
            continue;
        };
        let mut wanted = vec![of.counter.0];
        let limit = match of.limit {
            Limit::Memory(cell) => Some(cell),
            Limit::Number(_) => None,
        };
        wanted.extend(limit.map(|(address, _)| address));
        let known = locals::found(&wanted, space, unwinder, (stacks, named));
        let said = |cell: (u64, usize)| {
            let local = || known.iter().find(|it| it.address == cell.0).map(|it| it.name.clone());
            let what = match named.names().datum(cell.0).or_else(local) {
                Some(name) => format!("'{name}'"),
                None => format!("the variable at {:#x}", cell.0),
            };
            let now = number_at(cell, read);
            what + &now.map_or_else(String::new, |now| format!(" (now {now})"))
        };
        counts.counter = said(of.counter);
        counts.limit = match of.limit {
            Limit::Memory(cell) => said(cell),
            Limit::Number(number) => number.to_string(),
        };
        let declared = limit.and_then(|(address, _)| {
            let local = || known.iter().find(|it| it.address == address)?.declared.clone();
            named.names().declared(address).or_else(local)
        });
        counts.made_at = declared.and_then(|(file, line)| place(&Some(file), line));
        if let Some(brings) = &mut thread.brings {
            brings.bypasses.retain(|way| way.at != counts.at);
            brings.counts = Some(counts);
        }
    }
}

/// The comparison for one thread.
fn counted(
    read: &dyn Fn(u64, usize) -> Option<u64>,
    unwinder: &Unwinder<'_>,
    thread: &Thread,
    (stack, named): (&Stack, &Named<'_>),
) -> Option<(Counts, Counted)> {
    let brings = thread.brings.as_ref()?;
    if !matches!(brings.what, Bringing::Write | Bringing::Signal) {
        return None;
    }
    let mut found = None;
    innermost_frames(unwinder, named, stack, |raw, all| {
        found = in_frame(read, thread, named, (raw, all));
        found.is_none()
    });
    found
}

/// The comparison in the function of a frame.
fn in_frame(
    read: &dyn Fn(u64, usize) -> Option<u64>,
    thread: &Thread,
    named: &Named<'_>,
    (raw, all): (&Raw, &All),
) -> Option<(Counts, Counted)> {
    let names = named.names();
    let around = start(names, raw.lookup)?;
    let is_here = |after: &u64| start(names, *after - 1) == Some(around);
    let register = |number: usize| all.get(number).copied().flatten();
    let standing = Standing { register: &register, read };
    let awaited = thread.awaits.iter().flat_map(|awaits| &awaits.reads);
    let stores = awaited.flat_map(|cell| names.stores_around(raw.address, *cell, &standing));
    let known = thread.brings.iter().flat_map(|brings| brings.after.iter().copied());
    let to: Vec<u64> = known.filter(is_here).chain(stores).collect();
    let own = |at: u64| {
        let mut functions = names.functions(at).into_iter();
        functions.find(|one| !is_of_headers(one.file.as_deref()))
    };
    let of = own(to.first()? - 1)?;
    let partings = names.partings(raw.lookup, &Ways { to: &to, ..Ways::default() });
    let mut each = partings.iter().filter_map(|parting| {
        let counted = names.counted_at(parting, raw.address, &standing)?;
        let function = own(parting.branch)?;
        let counts = Counts {
            at: place(&function.file, function.line)?,
            function: function.name,
            of: place(&of.file, of.line)?,
            ..Counts::default()
        };
        Some((counts, counted))
    });
    each.next()
}
