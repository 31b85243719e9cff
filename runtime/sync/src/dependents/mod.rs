//! A list of joiners that wait for something to be done. Any thread may join it until it is closed.
//!
//! | done by | step | order |
//! |---|---|---|
//! | joiner | pushes its word, unless the list is closed | release: the closer sees what the joiner wrote |
//! | closer | swaps in "closed", gets all joiners | acquire and release: a joiner that finds it closed sees the closer's effects |
//!
//! What must hold: the list is closed once, by one thread. A link that joined does not move until
//! the closer has called it.

use crate::shim::{AtomicU32, AtomicUsize, Ordering};

/// The head of a closed list; no link has this address.
pub const CLOSED: usize = 1;

/// One joiner's place in one list (or one waiter's place in [`crate::turns`]). Only the joiner
/// writes it, before it joins. The order of the fields is that of LLVM's lists of successors.
#[derive(Debug)]
#[repr(C)]
pub struct Link {
    word: AtomicUsize,
    next: AtomicUsize,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Link as ("Link") { word, next });

impl Link {
    /// Makes a link that is in no list.
    pub fn new() -> Link {
        Link { word: AtomicUsize::new(0), next: AtomicUsize::new(0) }
    }

    pub(crate) fn set_word(&self, word: usize) {
        self.word.store(word, Ordering::Relaxed);
    }

    pub(crate) fn word(&self) -> usize {
        self.word.load(Ordering::Relaxed)
    }

    pub(crate) fn set_next(&self, next: usize) {
        self.next.store(next, Ordering::Relaxed);
    }

    pub(crate) fn next(&self) -> usize {
        self.next.load(Ordering::Relaxed)
    }
}

impl Default for Link {
    fn default() -> Self {
        Self::new()
    }
}

/// A list of joiners.
#[derive(Debug)]
pub struct Dependents {
    /// The address of the newest [`Link`], 0 for none, or [`CLOSED`].
    head: AtomicUsize,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Dependents as ("Dependents") { head });

impl Dependents {
    /// Makes an open list without joiners.
    pub fn new() -> Dependents {
        Dependents { head: AtomicUsize::new(0) }
    }

    /// Opens the list again, for another use. Only while no other thread knows it.
    pub fn reset(&self) {
        self.head.store(0, Ordering::Relaxed);
    }

    /// Whether the list is closed. Acquires the closer's writes.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.head.load(Ordering::Acquire) == CLOSED
    }

    /// Returns the newest link, which leads to the others; null if there is none or the list is
    /// closed. The caller must know that the closer does not call the joiners meanwhile.
    pub fn newest(&self) -> *const Link {
        match self.head.load(Ordering::Acquire) {
            CLOSED => core::ptr::null(),
            head => head as *const Link,
        }
    }

    /// Calls `each` with the word of each that has joined, if the list is not closed.
    ///
    /// # Safety
    /// The closer does not call the joiners meanwhile.
    pub unsafe fn for_each(&self, mut each: impl FnMut(usize)) {
        // SAFETY: null, or a link that joined and stays where it is until it was called.
        let mut next = unsafe { self.newest().as_ref() };
        while let Some(link) = next {
            each(link.word());
            // SAFETY: as above.
            next = unsafe { (link.next() as *const Link).as_ref() };
        }
    }

    /// Joins with `word`. Returns false if the list is closed.
    ///
    /// # Safety
    /// If it joins, `link` stays valid and is used for nothing else until the closer has called it.
    #[inline]
    pub unsafe fn join(&self, link: &Link, word: usize) -> bool {
        link.word.store(word, Ordering::Relaxed);
        let mut head = self.head.load(Ordering::Acquire);
        while head != CLOSED {
            link.next.store(head, Ordering::Relaxed);
            let link = core::ptr::from_ref(link) as usize;
            match self.head.compare_exchange(head, link, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(newer) => head = newer,
            }
        }
        false
    }

    /// Closes the list and calls `each` with the word of each that joined, newest first. A link may
    /// go as soon as `each` is called with its word.
    #[inline]
    pub fn close(&self, mut each: impl FnMut(usize)) {
        let mut head = self.head.swap(CLOSED, Ordering::AcqRel);
        while head > CLOSED {
            // SAFETY: a link that joined is valid until it is called, which happens below.
            let link = unsafe { &*(head as *const Link) };
            head = link.next.load(Ordering::Relaxed);
            each(link.word.load(Ordering::Relaxed));
        }
    }
}

impl Default for Dependents {
    fn default() -> Self {
        Self::new()
    }
}

/// The value of a [`Missing`] that is not settled: more than there can ever be lists.
pub const OPEN: u32 = 1 << 30;

/// The number of lists that a joiner still waits for.
///
/// | done by | step |
/// |---|---|
/// | the joiner | [`Missing::settle`] with the number of lists that it joined; their closers subtract before or after that |
/// | the closer of such a list | [`Missing::let_go`] |
/// | a closer that enters the joiner in a further list | [`Missing::hold`] first; then [`Missing::let_go`] if the further list is closed already; its own [`Missing::let_go`] comes last |
///
/// What must hold: the thread that brings the number to 0 continues, alone, and sees everything
/// that the others did before their steps.
#[derive(Debug)]
pub struct Missing(AtomicU32);

#[cfg(not(loom))]
omphalos_layout::describe!(<> Missing as ("Missing") { 0 });

impl Missing {
    /// Makes a number that is not settled.
    pub fn new() -> Missing {
        Missing(AtomicU32::new(OPEN))
    }

    /// Makes the number as new. Only while no other thread knows it.
    pub fn reset(&self) {
        self.0.store(OPEN, Ordering::Relaxed);
    }

    /// Adds one.
    #[inline(always)]
    pub fn hold(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Subtracts one. Returns true if nothing is left, and the number is settled.
    #[inline(always)]
    pub fn let_go(&self) -> bool {
        self.0.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Settles the number: the joiner `joined` so many lists. Returns true if nothing is left.
    #[inline(always)]
    pub fn settle(&self, joined: u32) -> bool {
        let rest = OPEN - joined;
        self.0.fetch_sub(rest, Ordering::SeqCst) == rest
    }

    /// Returns the number that is left, once it is settled.
    #[inline(always)]
    pub fn left(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Default for Missing {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
