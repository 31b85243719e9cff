//! Constructs on a device that nobody waits for: tasks of threads beside the program's teams.

use super::Region;
use super::device::On;
use super::kinds::Items;
use crate::shared::dependences::DependList;
use core::ffi::{c_ushort, c_void};
use omphalos_engine::tasks::{self, Spec};
use omphalos_engine::{Caller, Thread};

/// What such a construct keeps until it is executed.
struct Later {
    on: On,
    /// The region, with its `thread_limit`; `None` for a construct without.
    region: Option<(Region, u32)>,
    addresses: Vec<*mut c_void>,
    sizes: Vec<usize>,
    kinds: Vec<c_ushort>,
    /// The values that firstprivate variables have now.
    _copies: Vec<Vec<u64>>,
}

const FIRSTPRIVATE: c_ushort = 0x0c;

/// Leaves a construct to a task.
///
/// # Safety
/// As for the construct itself, until the task is complete; `dependences` is null or in libgomp's
/// form.
#[cold]
pub unsafe fn leave(
    on: On,
    region: Option<(Region, u32)>,
    items: Items,
    dependences: *mut *mut c_void,
) {
    let mut copies = Vec::new();
    let (mut addresses, mut sizes, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..items.count {
        // SAFETY: the caller's promise.
        let (mut address, size, kind) = unsafe { items.get(at) };
        if kind & 0xff == FIRSTPRIVATE && !address.is_null() {
            let mut copy = vec![0u64; size.div_ceil(8)];
            // SAFETY: there is room for as many bytes; the source is valid for them.
            unsafe {
                core::ptr::copy_nonoverlapping(address.cast::<u8>(), copy.as_mut_ptr().cast(), size)
            };
            address = copy.as_mut_ptr().cast();
            copies.push(copy);
        }
        addresses.push(address);
        sizes.push(size);
        kinds.push(kind);
    }
    let later = Later { on, region, addresses, sizes, kinds, _copies: copies };
    let data = Box::into_raw(Box::new(later)).cast::<c_void>();
    let thread = Thread::current();
    let (code, caller) = (execute as unsafe extern "C" fn(*mut c_void), on.caller);
    let mut spec = Spec { code: code as *const c_void, flags: 0, traits: 0, priority: 0 };
    // SAFETY: `execute` is called once, with what is its own.
    unsafe {
        let task = tasks::allocate(thread, 0);
        if dependences.is_null() {
            tasks::spawn_hidden(thread, task, spec, data, caller);
        } else {
            spec.traits |= tasks::hidden_trait(thread, spec.traits);
            let list = DependList::read(dependences);
            tasks::spawn_after(thread, task, spec, data, &list, true, caller);
        }
    }
}

/// The task's body.
unsafe extern "C" fn execute(data: *mut c_void) {
    // SAFETY: made by `leave`, for this one call.
    let mut later = unsafe { Box::from_raw(data.cast::<Later>()) };
    let items = Items {
        count: later.addresses.len(),
        addresses: later.addresses.as_mut_ptr(),
        sizes: later.sizes.as_ptr(),
        kinds: later.kinds.as_ptr(),
    };
    // What called is gone: no frame of it may be looked for.
    let on = On { caller: Caller::NONE, ..later.on };
    // SAFETY: the promise to `leave`.
    unsafe {
        match later.region {
            Some((body, limit)) => on.region(body, items, limit),
            None => on.data(items),
        }
    }
}
