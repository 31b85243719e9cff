//! Finds loops that look at a variable of which each thread has its own copy (`threadprivate`,
//! `thread_local`): another thread that writes its own copy does not end such a loop. The full look
//! (`mod.rs`) calls it.

use omphalos_ompd_view::snapshot::{Awaits, OwnCopy, Snapshot, StaysIn, Thread};

use super::awaits::number_at;
use super::locals::storages;
use crate::names::Named;
use crate::space::Space;

/// Names such variables in the texts of loops, and adds the values of all threads' copies.
pub fn find(snapshot: &mut Snapshot, space: &dyn Space, named: &Named<'_>) {
    let is_wanted = |thread: &Thread| reads(thread).next().is_some();
    let Some(program) = named.modules().first() else { return };
    if !snapshot.threads.iter().any(is_wanted) {
        return;
    }
    let storages = storages(&snapshot.threads, space);
    let read = |address: u64, length: usize| space.number(address, length);
    for thread in &mut snapshot.threads {
        let own = storages.iter().find(|(lwp, ..)| *lwp == thread.lwp);
        let Some((_, start, end)) = own else { continue };
        let found = reads(thread).find_map(|(address, length)| {
            let offset = (*start..*end).contains(&address).then(|| address - start)?;
            Some((address, length, offset, named.names().of_each_thread(program.base, offset)?))
        });
        let Some((address, length, offset, name)) = found else { continue };
        let value = |start: u64| number_at((start.wrapping_add(offset), length), read);
        let copies = storages.iter().filter_map(|(lwp, start, _)| Some((*lwp, value(*start)?)));
        let copies = copies.collect();
        let (was, is) = (format!("the variable at {address:#x}"), format!("its own '{name}'"));
        for awaits in loops(thread) {
            awaits.what = awaits.what.replace(&was, &is);
        }
        thread.own_copy = Some(OwnCopy { name, copies });
    }
}

/// The memory on which the ends of a thread's loops depend.
fn reads(thread: &Thread) -> impl Iterator<Item = (u64, usize)> {
    let outermost = StaysIn::outermost(&thread.stays_in).map(|stays| &stays.polls);
    thread.awaits.iter().chain(outermost).flat_map(|awaits| awaits.reads.iter().copied())
}

fn loops(thread: &mut Thread) -> impl Iterator<Item = &mut Awaits> {
    let polls = thread.stays_in.iter_mut().map(|stays| &mut stays.polls);
    thread.awaits.iter_mut().chain(polls)
}
