//! Constructs with `nowait`. On a device, threads beside the program's teams execute them as tasks.
//! On the host they are executed at once, and tools see the target task all the same.
//!
//! All data that such a construct keeps lies behind the task's record, and goes with it, even if
//! the task is discarded because its taskgroup is cancelled.

use super::Region;
use super::device::On;
use super::host::run_with;
use super::kinds::Items;
use crate::shared::dependences::DependList;
use core::cell::Cell;
use core::ffi::{c_ushort, c_void};
use omphalos_engine::target::played::{self, Limits};
use omphalos_engine::tasks::{self, Spec};
use omphalos_engine::{Caller, Thread};
use omphalos_events::{Kind, TargetKind, TaskFlags, wants_any};

/// The data that such a construct keeps until it is executed; addresses, sizes, copies and kinds
/// follow.
struct Later {
    on: On,
    /// The construct's return address.
    code: u64,
    /// The region, with the limits of its clauses; `None` for a construct without a region.
    region: Option<(Region, Limits)>,
    count: usize,
    /// The offset of the kinds, behind the copies.
    kinds: usize,
}

const FIRSTPRIVATE: c_ushort = 0x0c;
/// Pointers to mapped variables. gfortran keeps such pointers in a place of its own, which it uses
/// again for the next construct as soon as this one is left to its task.
const POINTERS: [c_ushort; 2] = [0x04, 0x1e];

/// Returns the bytes that a copy takes, so that the next one is aligned.
const fn room(size: usize) -> usize {
    size.next_multiple_of(COPY_ALIGNMENT)
}

/// The alignment of copies: the allocator's.
const COPY_ALIGNMENT: usize = 16;

/// Leaves a construct to a task.
///
/// # Safety
/// As for the construct itself, until the task is complete; `dependences` is null or in libgomp's
/// form.
#[cold]
pub unsafe fn leave(
    on: On,
    region: Option<(Region, Limits)>,
    items: Items,
    dependences: *mut *mut c_void,
) {
    let count = items.count;
    // Whether another item, such as a descriptor, contains this pointer.
    let is_inside = |pointer: usize| {
        (0..count).any(|at| {
            // SAFETY: the caller's promise.
            let (address, size, kind) = unsafe { items.get(at) };
            let of_other = !POINTERS.contains(&(kind & 0xff));
            of_other && pointer.wrapping_sub(address as usize) < size
        })
    };
    // The values that firstprivate variables and pointers have now.
    let is_copied = |at| {
        // SAFETY: the caller's promise.
        let (address, size, kind) = unsafe { items.get(at) };
        let size = match kind & 0xff {
            FIRSTPRIVATE => size,
            kind if region.is_some()
                && POINTERS.contains(&kind)
                && !is_inside(address as usize) =>
            {
                size_of::<usize>()
            }
            _ => return None,
        };
        (!address.is_null()).then_some((address, size))
    };
    let copies: usize = (0..count).filter_map(is_copied).map(|(_, size)| room(size)).sum();
    let (addresses, sizes) = places(count);
    let first_copy = room(sizes + count * size_of::<usize>());
    let kinds = first_copy + copies;
    let thread = Thread::current();
    let task = tasks::allocate(thread, kinds + count * size_of::<c_ushort>());
    let data = task.payload();
    let code = on.caller.address();
    // The caller has returned when the task is executed: no code may look for its frame then.
    let later = Later { on: On { caller: Caller::NONE, ..on }, code, region, count, kinds };
    if played::watch::is_watched() {
        // SAFETY: the caller's promise.
        let list = unsafe { on.list(items, on.is_exit()) };
        played::watch::left(code, &list);
    }
    // SAFETY: the places lie behind each other in the payload, which is aligned to 64; copies are
    // valid for their sizes.
    unsafe {
        data.cast::<Later>().write(later);
        let mut copy = data.byte_add(first_copy);
        for at in 0..count {
            let (mut address, size, kind) = items.get(at);
            if let Some((_, bytes)) = is_copied(at) {
                core::ptr::copy_nonoverlapping(address.cast::<u8>(), copy.cast(), bytes);
                address = copy;
                copy = copy.byte_add(room(bytes));
            }
            data.byte_add(addresses).cast::<*mut c_void>().add(at).write(address);
            data.byte_add(sizes).cast::<usize>().add(at).write(size);
            data.byte_add(kinds).cast::<c_ushort>().add(at).write(kind);
        }
    }
    let (code, caller) = (execute as unsafe extern "C" fn(*mut c_void), on.caller);
    let mut spec = spec(code);
    let leaving = played::rests::leaving();
    // SAFETY: `execute` is called once, with the data of this task.
    unsafe {
        if dependences.is_null() {
            tasks::spawn_hidden(thread, task, spec, data, caller);
        } else {
            spec.traits |= tasks::hidden_trait(thread, spec.traits);
            let list = DependList::read(dependences);
            tasks::spawn_after(thread, task, spec, data, &list, true, caller);
        }
    }
    if let Some(leaving) = leaving {
        leaving.left(!dependences.is_null());
    }
}

/// Returns the definition of a target task with this body.
fn spec(code: unsafe extern "C" fn(*mut c_void)) -> Spec {
    Spec { code: code as *const c_void, flags: TaskFlags::TARGET, traits: 0, priority: 0 }
}

/// Whether tools are told of target tasks.
pub fn is_told() -> bool {
    wants_any(Kind::TaskCreate.bit() | Kind::TaskSchedule.bit())
}

/// A region on the host.
struct Here {
    caller: Caller,
    limits: Limits,
    body: unsafe extern "C" fn(*mut c_void),
    items: Items,
}

/// Executes a region with `nowait` on the host, as an undeferred target task. Only tools can tell
/// that there is a task.
///
/// # Safety
/// As for the construct itself; `dependences` is null or in libgomp's form.
#[cold]
pub unsafe fn here(
    caller: Caller,
    limits: Limits,
    body: unsafe extern "C" fn(*mut c_void),
    items: Items,
    dependences: *mut *mut c_void,
) {
    unsafe extern "C" fn execute(data: *mut c_void) {
        // SAFETY: the value stands below this call, on the same stack.
        let here = unsafe { &*data.cast::<Here>() };
        let (caller, limits) = (here.caller, here.limits);
        // SAFETY: the caller's promise.
        unsafe { run_with(TargetKind::TargetNowait, caller, limits, here.body, here.items) };
    }
    let here = Here { caller, limits, body, items };
    let data = (&raw const here).cast_mut().cast();
    let thread = Thread::current();
    let task = tasks::allocate(thread, 0);
    // SAFETY: the task is executed within this call.
    unsafe {
        if dependences.is_null() {
            tasks::call_rarely(thread, task, spec(execute), data, true, caller);
        } else {
            let list = DependList::read(dependences);
            tasks::spawn_after(thread, task, spec(execute), data, &list, false, caller);
        }
    }
}

/// Returns the offsets of the addresses and of the sizes of so many items.
const fn places(count: usize) -> (usize, usize) {
    let addresses = room(size_of::<Later>());
    (addresses, addresses + count * size_of::<usize>())
}

/// The task's body.
unsafe extern "C" fn execute(data: *mut c_void) {
    // SAFETY: made by `leave`, for this one call.
    unsafe {
        let Later { on, code, region, count, kinds } = data.cast::<Later>().read();
        let code = Cell::new(code);
        let on = On { caller: Caller::past(&code), ..on };
        let (addresses, sizes) = places(count);
        let items = Items {
            count,
            addresses: data.byte_add(addresses).cast(),
            sizes: data.byte_add(sizes).cast(),
            kinds: data.byte_add(kinds).cast(),
        };
        match region {
            Some((body, limit)) => on.region(body, items, limit),
            None => on.data(items),
        }
    }
}
