//! Task reductions of LLVM's interface: private copies for each thread, combined when the group
//! ends.
//!
//! A thread's copy is initialised when the thread first asks for it, so unused copies cost nothing.
//! Each thread writes only its own mark and copy. The thread that ends the group combines the
//! copies after the group's tasks are complete.

use super::group;
use crate::mutex::reduction_told as told;
use crate::records::{Group, Reductions, Thread};
use core::cell::Cell;
use core::ffi::c_void;
use omphalos_events::Endpoint;
use omphalos_sys::entry::Caller;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// `init(private, original)`; older code takes only the first argument.
pub type Init = unsafe extern "C" fn(*mut c_void, *mut c_void);
/// `fini(private)`.
pub type Fini = unsafe extern "C" fn(*mut c_void);
/// `comb(into, from)`.
pub type Combine = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// One list item as the program registers it.
pub struct Item {
    /// The variable into which the copies are combined.
    pub shared: *mut c_void,
    /// The address that the initialiser may read.
    pub original: *mut c_void,
    /// The size in bytes.
    pub size: usize,
    /// Initialises a copy; `None`: zeros.
    pub init: Option<Init>,
    /// Destroys a copy.
    pub fini: Option<Fini>,
    /// Combines a copy into the shared variable.
    pub combine: Option<Combine>,
}

/// An item with its copies.
struct Copies {
    item: Item,
    memory: *mut u8,
    stride: usize,
    layout: Layout,
    /// For each thread, whether its copy is initialised.
    ready: Box<[Cell<bool>]>,
}

/// The reductions of one registration.
struct Registration {
    copies: Vec<Copies>,
    /// The registration before this one in the same group.
    earlier: *mut Registration,
}

/// Returns the bytes from one thread's copy to the next, and the layout of all copies; `None` if no
/// address space has that many bytes.
fn layout_of(size: usize, threads: usize) -> Option<(usize, Layout)> {
    let stride = size.max(1).checked_next_multiple_of(64)?;
    let all = stride.checked_mul(threads.max(1))?;
    Some((stride, Layout::from_size_align(all, 64).ok()?))
}

/// Ends the program, because copies of `size` bytes for this many threads cannot exist, and it
/// would go on to use them. Mostly the program passed a negative length.
#[cold]
pub(super) fn too_large(size: usize, threads: usize) -> ! {
    omphalos_sys::message!(
        "a task reduction asks for {size} bytes for each of {threads} threads, more than any \
         memory has; this ends the program. See the length of the array section in its clause"
    );
    std::process::abort()
}

impl Copies {
    fn new(item: Item, threads: usize) -> Copies {
        let (stride, layout) =
            layout_of(item.size, threads).unwrap_or_else(|| too_large(item.size, threads));
        // SAFETY: the size is not 0.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        Copies { item, memory, stride, layout, ready: vec![Cell::new(false); threads].into() }
    }

    fn copy(&self, num: usize) -> *mut c_void {
        // SAFETY: `num` is below the number of threads that the memory is for.
        unsafe { self.memory.add(num * self.stride) }.cast()
    }

    fn has(&self, address: usize) -> bool {
        address == self.item.shared as usize
            || (self.memory as usize..self.memory as usize + self.layout.size()).contains(&address)
    }

    /// Returns the copy of thread `num`, and initialises it first if need be.
    ///
    /// # Safety
    /// The calling thread is number `num`; the item's functions are those that were registered.
    unsafe fn get(&self, num: usize) -> *mut c_void {
        let Some(ready) = self.ready.get(num) else { return self.item.shared };
        if !ready.replace(true)
            && let Some(init) = self.item.init
        {
            // SAFETY: the caller's promise.
            unsafe { init(self.copy(num), self.item.original) };
        }
        self.copy(num)
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.memory, self.layout) };
    }
}

/// Registers the items with the current task's innermost group.
pub fn register(thread: &Thread, items: impl Iterator<Item = Item>) -> *const Group {
    let Some(group) = thread.as_owner().group() else { return core::ptr::null() };
    let threads = thread.team().size.get() as usize;
    let copies = items.map(|item| Copies::new(item, threads)).collect();
    let reductions = Box::new(Registration { copies, earlier: group.reductions.get().cast() });
    group.reductions.set(group, Box::into_raw(reductions).cast());
    group.record()
}

/// Returns the calling thread's copy of the item at `address` (of the shared variable, or of any
/// thread's copy); `None` if no group around the current task has it.
///
/// If `from` is one of these groups, it is searched first. (A taskgraph's tasks name the group in
/// which they were recorded.)
///
/// # Safety
/// The items' functions are those that were registered.
pub unsafe fn copy_of(
    thread: &Thread,
    from: *const Group,
    address: *mut c_void,
) -> Option<*mut c_void> {
    let num = thread.num.get() as usize;
    let named = group::around(thread).find(|group| core::ptr::eq(*group, from));
    for group in named.into_iter().chain(group::around(thread)) {
        let mut registration: *mut Registration = group.reductions.get().cast();
        // SAFETY: registrations last until their group ends.
        while let Some(reductions) = unsafe { registration.as_ref() } {
            if let Some(found) = reductions.copies.iter().find(|c| c.has(address as usize)) {
                // SAFETY: this thread's number, the program's functions.
                return Some(unsafe { found.get(num) });
            }
            registration = reductions.earlier;
        }
    }
    None
}

/// Combines and destroys the copies of these reductions, when the group's tasks are complete.
#[cold]
pub(super) fn finish(thread: &'static Thread, reductions: *mut Reductions, caller: Caller) {
    let mut registration: *mut Registration = reductions.cast();
    told(thread, Endpoint::Begin, caller);
    while !registration.is_null() {
        // SAFETY: from `Box::into_raw` in `register`.
        let reductions = unsafe { Box::from_raw(registration) };
        registration = reductions.earlier;
        for copies in &reductions.copies {
            for (num, _) in copies.ready.iter().enumerate().filter(|(_, ready)| ready.get()) {
                let (into, copy) = (copies.item.shared, copies.copy(num));
                // SAFETY: the program's functions, called as registered; no code uses the copy now.
                unsafe {
                    if let Some(combine) = copies.item.combine {
                        combine(into, copy);
                    }
                    if let Some(fini) = copies.item.fini {
                        fini(copy);
                    }
                }
            }
        }
    }
    told(thread, Endpoint::End, caller);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_lie_apart_or_are_refused() {
        assert_eq!(layout_of(0, 3).map(|(stride, all)| (stride, all.size())), Some((64, 192)));
        assert_eq!(layout_of(65, 2).map(|(stride, all)| (stride, all.size())), Some((128, 256)));
        for (size, threads) in [(usize::MAX, 1), (usize::MAX - 40, 2), (1 << 62, 4), (1 << 62, 2)] {
            assert_eq!(layout_of(size, threads), None, "{size} {threads}");
        }
    }
}
