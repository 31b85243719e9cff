//! A chain of blocks for numbered things. Some members of a group may finish a thing before others
//! begin it, and a member that is ahead never waits for one that lags.
//!
//! Who uses it: a team, for the state of its worksharing constructs (`records/constructs.rs` of the
//! engine).
//!
//! Thing number `k` lies in the block of window `k / length`. Each member walks the chain with its
//! own numbers, at its own pace. All members begin a region (a run of numbers that starts with a
//! window) at the oldest block. At the chain's end a member puts the oldest block after the newest,
//! if all members are past it, or else a new block. Blocks are never freed while the chain lives:
//! the chain is as long as the greatest lead of the fastest member over the slowest.
//!
//! | word | written by | read by |
//! |---|---|---|
//! | `oldest` | the member that takes the oldest block away (compare-exchange) | members that begin a region, or need a block |
//! | `next` of a block | the member that puts a block behind it (compare-exchange from 0); the member that took the block away, back to 0 | members that go on |
//! | `window` of a block | members that go on from it, all the same value | members that need a block |
//!
//! **All members find the same block.** A block's `next` changes once while members walk over it,
//! from 0 to its successor, by one compare-exchange. A member that loses it goes on to the winner's
//! block and puts its own at the chain's new end. So all see the same successor.
//!
//! **No member stands on a block that is taken away.** The block of window `w` is taken once every
//! member has *finished* something of window `w + 1`. A member that is about to leave the block (it
//! has finished all of `w`, and reads `next`) has not, so it still keeps the block. The numbers
//! that say so are published by release stores and read with acquire, so everything that members
//! did with the block comes before its next use.
//!
//! **No ABA.** The member that is about to move `oldest` from block `b` to its successor stands on
//! window `w` itself. If others had meanwhile taken `b` away and put it at the end, it would serve
//! a window beyond `w`, and `oldest` cannot get there while a member is on `w`. So the
//! compare-exchange succeeds only if `b` has been the oldest all the time, and then its `next` is
//! what was read.
//!
//! **A region resets nothing.** Successors stay. Members begin at the oldest block, which does not
//! change before all have finished something of the region's second window. A member may rely on a
//! block's `window` if it came past that block in this region, and at the chain's end it came past
//! all of them.
//!
//! Cost floor: within a block nothing; from block to block one load of a line that changes only
//! when the chain does. Only the member at the end looks at the others, and it stops at the first
//! that has not come far enough.

use crate::shim::{AtomicU64, AtomicUsize, Ordering, const_but_for_loom};

/// A block of the chain.
pub struct Block<T> {
    /// The address of the block after this one, 0 at the end.
    next: AtomicUsize,
    /// The window that the block serves, once a member has gone on from it.
    window: AtomicU64,
    /// The state of the things in the block.
    pub content: T,
}

/// A chain of blocks.
pub struct Chain<T> {
    /// The address of the oldest block, 0 before a member needed one.
    oldest: AtomicUsize,
    content: core::marker::PhantomData<Box<Block<T>>>,
}

impl<T> Chain<T> {
    const_but_for_loom! {
        /// Makes a chain without a block.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Chain<T> {
            Chain { oldest: AtomicUsize::new(0), content: core::marker::PhantomData }
        }
    }

    /// Returns the block at `address`.
    fn block(&self, address: usize) -> Option<&Block<T>> {
        // SAFETY: addresses come from `made`; blocks live as long as the chain.
        unsafe { (address as *const Block<T>).as_ref() }
    }

    /// Makes a block. Not inlined, so that callers need no room for its content on their stacks.
    #[cold]
    #[inline(never)]
    fn made(make: impl FnOnce() -> T) -> *mut Block<T> {
        let (next, window) = (AtomicUsize::new(0), AtomicU64::new(0));
        Box::into_raw(Box::new(Block { next, window, content: make() }))
    }

    /// Returns the block of a region's first window. For a member that has not finished anything of
    /// the region's second one, or while no member is in a region.
    #[inline]
    pub fn first(&self, make: impl FnOnce() -> T) -> &Block<T> {
        match self.block(self.oldest.load(Ordering::Acquire)) {
            Some(block) => block,
            None => self.make_first(make),
        }
    }

    /// Makes the chain's first block, and returns it, or another member's, if that was faster.
    #[cold]
    #[inline(never)]
    fn make_first(&self, make: impl FnOnce() -> T) -> &Block<T> {
        let own = Self::made(make);
        let set =
            self.oldest.compare_exchange(0, own as usize, Ordering::AcqRel, Ordering::Acquire);
        let address = set.err().unwrap_or(own as usize);
        if address != own as usize {
            // SAFETY: no other thread has seen it.
            drop(unsafe { Box::from_raw(own) });
        }
        // SAFETY: set, so it lives as long as the chain.
        unsafe { &*(address as *const Block<T>) }
    }

    /// Returns the block after `here`, for a member that has finished everything of window
    /// `window`, which `here` serves, and nothing after it. `all_past(w)` says whether every member
    /// has finished something of window `w + 1` or later (acquiring their writes), or is gone from
    /// the region.
    pub fn go_on<'a>(
        &'a self,
        here: &'a Block<T>,
        window: u64,
        all_past: impl Fn(u64) -> bool,
        make: impl FnOnce() -> T,
    ) -> &'a Block<T> {
        if here.window.load(Ordering::Relaxed) != window {
            here.window.store(window, Ordering::Relaxed);
        }
        if let Some(next) = self.block(here.next.load(Ordering::Acquire)) {
            return next;
        }
        let spare = self.take_oldest(all_past).unwrap_or_else(|| Self::made(make) as usize);
        let mut end = here;
        loop {
            let put = end.next.compare_exchange(0, spare, Ordering::AcqRel, Ordering::Acquire);
            // If another member was faster, the block goes after that one's.
            match put.err().and_then(|next| self.block(next)) {
                Some(next) => end = next,
                None => break,
            }
        }
        self.block(here.next.load(Ordering::Acquire)).unwrap_or(here)
    }

    /// Takes the oldest block away, if all members are past it. The caller is one of them, at the
    /// chain's end.
    fn take_oldest(&self, all_past: impl Fn(u64) -> bool) -> Option<usize> {
        let address = self.oldest.load(Ordering::Acquire);
        let oldest = self.block(address)?;
        let next = oldest.next.load(Ordering::Acquire);
        // A block without a successor is the caller's own, or another member was faster just now.
        if next == 0 || !all_past(oldest.window.load(Ordering::Relaxed)) {
            return None;
        }
        self.oldest.compare_exchange(address, next, Ordering::AcqRel, Ordering::Relaxed).ok()?;
        oldest.next.store(0, Ordering::Relaxed);
        Some(address)
    }

    /// Returns the blocks, while no member is in a region.
    pub fn blocks(&self) -> impl Iterator<Item = &Block<T>> {
        let behind = |block: &&Block<T>| self.block(block.next.load(Ordering::Acquire));
        core::iter::successors(self.block(self.oldest.load(Ordering::Acquire)), behind)
    }
}

impl<T> Drop for Chain<T> {
    fn drop(&mut self) {
        let mut address = self.oldest.load(Ordering::Relaxed);
        while address != 0 {
            // SAFETY: made by `made`, in the chain once, and no thread uses the chain any more.
            let block = unsafe { Box::from_raw(address as *mut Block<T>) };
            address = block.next.load(Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
