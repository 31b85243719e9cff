//! The parts of a taskgraph's record that come from LLVM's structures: steps of the encountering
//! task, each of which can be repeated.
//!
//! Private data has the values of the moment when the step was recorded. Shared variables are used
//! through their addresses, as everywhere in LLVM's interface: they must still be there. A task
//! reduces into another group each time, and finds it by the item's address.

use super::super::dependences::make;
use super::super::layout::{AllocFlags, KmpTask};
use super::super::reductions::register;
use super::super::spec;
use super::super::taskloop::{Construct, taskloop};
use core::ffi::c_void;
use omphalos_engine::taskgraph::Repeat;
use omphalos_engine::tasks::{self, Depend, Task};
use omphalos_engine::{Caller, Thread, Unwatched, Watched};

/// A task structure as the program passed it.
pub struct Pattern {
    flags: u32,
    /// The structure and the bytes behind it.
    payload: Vec<u64>,
    /// The offset of the shared variables' addresses in it.
    shareds: Option<usize>,
}

/// Reductions as the program registered them: the items' bytes and their form.
pub struct Registration {
    items: Vec<u64>,
    count: i32,
    is_new: bool,
}

/// Makes a task.
pub struct Made {
    pub pattern: Pattern,
    pub depends: Vec<Depend>,
}

/// Executes an undeferred task.
pub struct Undeferred(pub Pattern);

/// A taskloop.
pub struct Loop {
    pub pattern: Pattern,
    pub construct: Construct,
}

// SAFETY: plain values; addresses in them are the program's to use.
unsafe impl Send for Loop {}
// SAFETY: as above.
unsafe impl Sync for Loop {}

impl Pattern {
    /// Returns the pattern of a task. `None`: the task cannot be made twice from its bytes.
    pub fn of(task: &Task) -> Option<Pattern> {
        let flags = task.flags.get();
        let kept = AllocFlags::DESTRUCTORS | AllocFlags::PROXY | AllocFlags::DETACHABLE;
        if AllocFlags(flags).has(kept) {
            return None;
        }
        let (from, size) = (task.payload(), task.payload_size());
        let mut payload = vec![0u64; size.div_ceil(8)];
        // SAFETY: the payload of a task of this interface is a task structure with its extra bytes.
        let shareds = unsafe {
            core::ptr::copy_nonoverlapping(from.cast::<u8>(), payload.as_mut_ptr().cast(), size);
            (*from.cast::<KmpTask>()).shareds as usize
        };
        let shareds = shareds.checked_sub(from as usize).filter(|&offset| offset < size);
        Some(Pattern { flags, payload, shareds })
    }

    /// Makes a new record with the same structure.
    fn copy(&self, thread: &Thread) -> &'static Task {
        let task = tasks::allocate_with(thread, self.payload.len() * 8, self.flags);
        let payload = task.payload();
        // SAFETY: the new payload has room for the old one; both are task structures.
        unsafe {
            let words = self.payload.len();
            core::ptr::copy_nonoverlapping(self.payload.as_ptr(), payload.cast::<u64>(), words);
            if let Some(offset) = self.shareds {
                (*payload.cast::<KmpTask>()).shareds = payload.wrapping_byte_add(offset);
            }
        }
        task
    }
}

impl Registration {
    /// Copies `count` items of `size` bytes each.
    ///
    /// # Safety
    /// They are at `data`.
    pub unsafe fn new(data: *const c_void, count: i32, size: usize, is_new: bool) -> Registration {
        let words = usize::try_from(count).unwrap_or(0) * size / 8;
        let mut items = vec![0u64; words];
        // SAFETY: the caller's promise; items are words.
        unsafe { core::ptr::copy_nonoverlapping(data.cast(), items.as_mut_ptr(), words) };
        Registration { items, count, is_new }
    }
}

impl Repeat for Made {
    unsafe fn repeat(&self, thread: &'static Thread, caller: Caller) {
        let task = self.pattern.copy(thread);
        // SAFETY: the caller's promise.
        unsafe {
            if omphalos_events::active() {
                make(thread, task, &self.depends, Watched::of(caller));
            } else {
                make(thread, task, &self.depends, Unwatched(thread));
            }
        }
    }
}

impl Repeat for Undeferred {
    unsafe fn repeat(&self, thread: &'static Thread, caller: Caller) {
        let task = self.0.copy(thread);
        // SAFETY: the caller's promise.
        unsafe { tasks::call_rarely(thread, task, spec(task), task.payload(), true, caller) };
    }
}

impl Repeat for Loop {
    unsafe fn repeat(&self, thread: &'static Thread, caller: Caller) {
        let pattern = self.pattern.copy(thread);
        // SAFETY: the caller's promise.
        unsafe {
            if omphalos_events::active() {
                taskloop(thread, pattern, &self.construct, Watched::of(caller));
            } else {
                taskloop(thread, pattern, &self.construct, Unwatched(thread));
            }
        }
    }
}

impl Repeat for Registration {
    unsafe fn repeat(&self, thread: &'static Thread, _caller: Caller) {
        let register = if self.is_new { register::<true> } else { register::<false> };
        // SAFETY: the items are the program's, which are where they were.
        unsafe { register(thread, self.count, self.items.as_ptr().cast()) };
    }
}
