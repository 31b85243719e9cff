//! Task reductions in GCC's form: the program hands over a table and combines the copies itself.
//!
//! The words of a table: 0 number of items; 1 bytes of one thread's copies; 2 alignment, which the
//! runtime replaces by the address of the copies of all threads; 3 allocator; 4 next table of the
//! same registration, then the tables of the groups around; 5 not 0 in the first table of a
//! registration; 6 end of the copies. From 7 on there are three words for each item: address,
//! offset in a thread's copies, its own word.

use super::group;
use super::reduction::too_large;
use crate::mutex::reduction_told as told;
use crate::records::Thread;
use omphalos_events::{Endpoint, Kind, wants};
use omphalos_sys::entry::Caller;
use std::alloc::{Layout, handle_alloc_error};

/// The numbers of words before the first item, and of one item.
const HEAD: usize = 7;
const ITEM: usize = 3;
/// The value of word 5 of a registration while the program combines its copies and tools have been
/// told so.
const COMBINING: usize = 2;

/// One table of a chain.
#[derive(Clone, Copy)]
struct Table(*mut usize);

impl Table {
    fn word(self, at: usize) -> usize {
        // SAFETY: tables have at least `HEAD` words and `ITEM` for each of their items.
        unsafe { self.0.add(at).read() }
    }

    fn set(self, at: usize, value: usize) {
        // SAFETY: as above.
        unsafe { self.0.add(at).write(value) };
    }

    fn next(self) -> Option<Table> {
        Self::new(self.word(4) as *mut usize)
    }

    fn new(data: *mut usize) -> Option<Table> {
        (!data.is_null()).then_some(Table(data))
    }

    fn chain(self) -> impl Iterator<Item = Table> {
        core::iter::successors(Some(self), |table| table.next())
    }

    /// Returns the address and the offset of each item.
    fn items(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.word(0)).map(move |item| {
            let at = HEAD + item * ITEM;
            (self.word(at), self.word(at + 1))
        })
    }
}

/// Allocates the copies of `threads` threads for a registration, and puts it in front of `outer`.
/// `others`: the same registration of a thread that came earlier; its copies are shared.
fn prepare(data: *mut usize, outer: *mut usize, others: *mut usize, threads: usize) {
    let mut other = Table::new(others);
    let Some(first) = Table::new(data) else { return };
    let mut table = first;
    loop {
        match other {
            Some(earlier) => {
                table.set(2, earlier.word(2));
                table.set(6, earlier.word(6));
                other = earlier.next();
            }
            None => {
                let (one, align) = (table.word(1), table.word(2));
                let size = one.checked_mul(threads).filter(|all| isize::try_from(*all).is_ok());
                let size = size.unwrap_or_else(|| too_large(one, threads));
                let memory = allocate(size, align);
                table.set(2, memory);
                table.set(6, memory + size);
            }
        }
        table.set(5, 0);
        match table.next() {
            Some(next) => table = next,
            None => break,
        }
    }
    table.set(4, outer as usize);
    first.set(5, 1);
}

/// Returns zeroed memory that `free` takes back.
fn allocate(size: usize, align: usize) -> usize {
    let align = align.max(64).next_power_of_two();
    let memory = omphalos_sys::heap::get_aligned(align, size.max(1));
    if memory.is_null() {
        // The message names the size only.
        let asked = Layout::from_size_align(size, 1).unwrap_or(Layout::new::<u64>());
        handle_alloc_error(asked);
    }
    // SAFETY: just allocated with this size.
    unsafe { memory.cast::<u8>().write_bytes(0, size) };
    memory as usize
}

/// Registers `data` with the current task's innermost group. `others`: the table of the team's
/// first thread, or null (the reductions of `GOMP_loop_start`).
///
/// # Safety
/// `data` is a chain of tables as the module describes them; it lives until it is unregistered.
pub unsafe fn register(thread: &Thread, data: *mut usize, others: *mut usize) {
    let Some(group) = thread.as_owner().group() else { return };
    let threads = thread.team().size.get() as usize;
    prepare(data, group.gomp_reductions.get(), others, threads);
    group.gomp_reductions.set(group, data);
}

/// Begins the taskgroup of a worksharing construct with a task reduction: the members of the team
/// share the copies, which the first of them to arrive allocates.
///
/// # Safety
/// As [`register`]; the construct ends with `GOMP_workshare_task_reduction_unregister` and a
/// barrier.
pub unsafe fn begin_workshare(thread: &'static Thread, data: *mut usize) {
    group::begin(thread, Caller::NONE);
    group::only_carries(thread);
    let number = thread.as_owner().slot().next_shared();
    let team = thread.team();
    team.tasks.share_table(number, data, team.size.get(), |first| {
        // SAFETY: the caller's promise; the first member stays in the construct until all came.
        unsafe { register(thread, data, first) };
    });
}

/// Puts the current task into a taskgroup whose table was prepared for the whole team.
pub fn enter_prepared(thread: &'static Thread, data: *mut usize) {
    group::begin(thread, Caller::NONE);
    group::only_carries(thread);
    if let Some(group) = thread.as_owner().group() {
        group.gomp_reductions.set(group, data);
    }
}

/// Allocates the copies for a region of `threads` threads.
///
/// # Safety
/// As [`register`].
pub unsafe fn prepare_region(data: *mut usize, threads: u32) {
    prepare(data, core::ptr::null_mut(), core::ptr::null_mut(), threads as usize);
}

/// Returns the table that was registered last with the current task's innermost group.
pub fn registered(thread: &Thread) -> *mut usize {
    group::around(thread).next().map_or(core::ptr::null_mut(), |group| group.gomp_reductions.get())
}

/// Tells that the program is about to combine the copies of a registration, up to [`combined`].
pub fn combining(thread: &'static Thread, data: *mut usize, caller: Caller) {
    if wants(Kind::Reduction)
        && let Some(first) = Table::new(data)
    {
        first.set(5, COMBINING);
        told(thread, Endpoint::Begin, caller);
    }
}

/// Tells that the program has combined the copies.
///
/// # Safety
/// `data` is null or a table that is still registered.
pub unsafe fn combined(thread: &'static Thread, data: *mut usize, caller: Caller) {
    if let Some(first) = Table::new(data)
        && first.word(5) == COMBINING
    {
        told(thread, Endpoint::End, caller);
    }
}

/// Frees the copies of a registration.
///
/// # Safety
/// `data` was registered, and its copies are not used any more.
pub unsafe fn unregister(data: *mut usize) {
    let Some(first) = Table::new(data) else { return };
    let mine = first.chain().skip(1).take_while(|table| table.word(5) == 0);
    for table in core::iter::once(first).chain(mine) {
        // SAFETY: allocated by `allocate`.
        unsafe { omphalos_sys::heap::free(table.word(2) as *mut core::ffi::c_void) };
    }
}

/// Replaces each of `count` addresses (of an item, or of any thread's copy of it) by the address of
/// the calling thread's copy. For the first `originals` it also writes the item's address, at
/// `count + i`.
///
/// # Safety
/// `addresses` is valid for `count + originals` words.
pub unsafe fn remap(thread: &Thread, count: usize, originals: usize, addresses: *mut usize) {
    let num = thread.num.get() as usize;
    let tables = || Table::new(registered(thread)).into_iter().flat_map(Table::chain);
    for at in 0..count {
        // SAFETY: the caller's promise.
        let place = unsafe { &mut *addresses.add(at) };
        let address = *place;
        let by_item =
            tables().find_map(|table| Some((table, table.items().find(|item| item.0 == address)?)));
        let by_copy = || {
            let table = tables().find(|t| (t.word(2)..t.word(6)).contains(&address))?;
            let offset = (address - table.word(2)) % table.word(1);
            let original = table.items().find(|item| item.1 == offset).map_or(0, |item| item.0);
            Some((table, (original, offset)))
        };
        let Some((table, (original, offset))) = by_item.or_else(by_copy) else {
            omphalos_sys::message!(
                "no task reduction around a task has the list item at {address:#x}: the item is \
                 used as it is; the program is not conforming (in_reduction without a matching \
                 task_reduction)"
            );
            continue;
        };
        *place = table.word(2) + num * table.word(1) + offset;
        if at < originals {
            // SAFETY: the caller's promise.
            unsafe { *addresses.add(count + at) = original };
        }
    }
}
