//! Who waits for something to be done: a list that many may join until it is closed.
//!
//! | who | step | order |
//! |---|---|---|
//! | joiner | pushes its word, unless the list is closed | release: the closer sees what the joiner wrote |
//! | closer | swaps in "closed", gets all who joined | acquire and release: a joiner that finds it closed sees what was done |
//!
//! What must hold: one closer, once; a link that joined stays where it is until it was called.

use crate::shim::{AtomicU32, AtomicUsize, Ordering};

/// Marks a closed list; no link has this address.
const CLOSED: usize = 1;

/// One joiner's place in one list (or one waiter's among [`crate::turns`]). Only the joiner writes it,
/// before it joins. The order of the fields is that of LLVM's lists of successors.
#[derive(Debug)]
#[repr(C)]
pub struct Link {
    word: AtomicUsize,
    next: AtomicUsize,
}

impl Link {
    /// A link in no list.
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

/// See the module.
#[derive(Debug)]
pub struct Dependents {
    /// Address of the newest [`Link`], 0 for none, or [`CLOSED`].
    head: AtomicUsize,
}

impl Dependents {
    /// An open list of nobody.
    pub fn new() -> Dependents {
        Dependents { head: AtomicUsize::new(0) }
    }

    /// Opens the list again, for another use. Only while nobody else knows it.
    pub fn reset(&self) {
        self.head.store(0, Ordering::Relaxed);
    }

    /// Whether the list is closed. Acquires what was done before.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.head.load(Ordering::Acquire) == CLOSED
    }

    /// The newest link, which leads to the others; null if nobody joined or the list is closed. Whoever
    /// follows it must know that the closer does not call them meanwhile.
    pub fn newest(&self) -> *const Link {
        match self.head.load(Ordering::Acquire) {
            CLOSED => core::ptr::null(),
            head => head as *const Link,
        }
    }

    /// Calls `each` with the word of everybody who has joined, if the list is not closed.
    ///
    /// # Safety
    /// The closer does not call them meanwhile.
    pub unsafe fn for_each(&self, mut each: impl FnMut(usize)) {
        // SAFETY: null, or a link that joined and stays where it is until it was called.
        let mut next = unsafe { self.newest().as_ref() };
        while let Some(link) = next {
            each(link.word());
            // SAFETY: as above.
            next = unsafe { (link.next() as *const Link).as_ref() };
        }
    }

    /// Joins with `word`; false if the list is closed.
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

    /// Closes the list and calls `each` with the word of everybody who joined, newest first. A link
    /// may go as soon as `each` is called with its word.
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

/// While one is counted up, more than it can ever come to.
const OPEN: u32 = 1 << 30;

/// What somebody who joined lists still waits for.
///
/// | who | step |
/// |---|---|
/// | the maker | [`Missing::settle`] with how many it joined: each of them subtracts one, before or after |
/// | each of these | [`Missing::let_go`] |
/// | one of these, which knows of another one to wait for | [`Missing::hold`] before it makes it join that one, [`Missing::let_go`] if that is over; its own [`Missing::let_go`] comes last |
///
/// What must hold: whoever brings it to 0 goes on with it, alone; all that the others did before their
/// steps is visible then.
#[derive(Debug)]
pub struct Missing(AtomicU32);

impl Missing {
    /// Nobody has settled it.
    pub fn new() -> Missing {
        Missing(AtomicU32::new(OPEN))
    }

    /// As new. Only while nobody else knows it.
    pub fn reset(&self) {
        self.0.store(OPEN, Ordering::Relaxed);
    }

    /// One more.
    #[inline(always)]
    pub fn hold(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One less; true if nothing is left, and it is settled.
    #[inline(always)]
    pub fn let_go(&self) -> bool {
        self.0.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// There are no more than these `joined`, besides what they hold. True if nothing is left.
    #[inline(always)]
    pub fn settle(&self, joined: u32) -> bool {
        let rest = OPEN - joined;
        self.0.fetch_sub(rest, Ordering::SeqCst) == rest
    }

    /// What is left, once it is settled.
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn everybody_who_joined_is_called_once() {
        let (list, links) = (Dependents::new(), [Link::new(), Link::new(), Link::new()]);
        // SAFETY: the links live to the end.
        let join = |at: usize, word| unsafe { list.join(&links[at], word) };
        assert!(join(0, 10));
        assert!(join(1, 20));
        let mut seen = Vec::new();
        assert!(core::ptr::eq(list.newest(), &links[1]));
        list.close(|word| seen.push(word));
        assert_eq!(seen, [20, 10]);
        assert!(list.newest().is_null());
        assert!(list.is_closed());
        assert!(!join(2, 30));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// A task with two predecessors, which finish while it registers: it becomes ready once.
    #[test]
    fn the_last_predecessor_releases_the_task() {
        loom::model(|| {
            struct Shared {
                first: Dependents,
                second: Dependents,
                missing: AtomicU32,
                ready: AtomicU32,
                data: AtomicU32,
            }
            let shared = Arc::new(Shared {
                first: Dependents::new(),
                second: Dependents::new(),
                missing: AtomicU32::new(1),
                ready: AtomicU32::new(0),
                data: AtomicU32::new(0),
            });
            let met = |s: &Shared| {
                if s.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
                    s.ready.fetch_add(1, Ordering::Relaxed);
                    assert_eq!(s.data.load(Ordering::Relaxed), 2);
                }
            };
            let one = shared.clone();
            let finisher = thread::spawn(move || {
                one.data.fetch_add(1, Ordering::Relaxed);
                one.first.close(|_| met(&one));
                one.data.fetch_add(1, Ordering::Relaxed);
                one.second.close(|_| met(&one));
            });
            let links = [Link::new(), Link::new()];
            for (list, link) in [&shared.first, &shared.second].into_iter().zip(&links) {
                shared.missing.fetch_add(1, Ordering::Relaxed);
                // SAFETY: the links live until the finisher has ended.
                if !unsafe { list.join(link, 1) } {
                    shared.missing.fetch_sub(1, Ordering::Relaxed);
                }
            }
            met(&shared);
            finisher.join().unwrap();
            assert_eq!(shared.ready.load(Ordering::Relaxed), 1);
        });
    }

    /// A later sibling of a transparent task is made while that one's body ends, and while a child of it that
    /// the sibling depends on, too, ends: it waits at the exit, and then for the child, or finds the exit
    /// closed and waits for the child at once. It goes on once, behind both.
    #[test]
    fn who_waits_at_an_exit_then_waits_for_a_child() {
        struct Shared {
            exit: Dependents,
            /// What the closed exit shows: whether there is a child.
            exported: loom::cell::UnsafeCell<bool>,
            child: Dependents,
            missing: Missing,
            data: AtomicU32,
            went_on: AtomicU32,
        }
        // SAFETY: the cell is written before the exit closes, and read by those who saw it closed.
        unsafe impl Sync for Shared {}
        // SAFETY: as above.
        unsafe impl Send for Shared {}
        impl Shared {
            fn has_child(&self) -> bool {
                // SAFETY: loom checks what is claimed above.
                self.exported.with(|exported| unsafe { *exported })
            }
            fn let_go(&self) {
                if self.missing.let_go() {
                    self.go_on();
                }
            }
            fn go_on(&self) {
                assert_eq!(self.data.load(Ordering::Relaxed), 2);
                self.went_on.fetch_add(1, Ordering::Relaxed);
            }
        }
        loom::model(|| {
            let shared = Arc::new(Shared {
                exit: Dependents::new(),
                exported: loom::cell::UnsafeCell::new(false),
                child: Dependents::new(),
                missing: Missing::new(),
                data: AtomicU32::new(0),
                went_on: AtomicU32::new(0),
            });
            let child = shared.clone();
            let child = thread::spawn(move || {
                child.data.fetch_add(1, Ordering::Relaxed);
                child.child.close(|_| child.let_go());
            });
            let body = shared.clone();
            let body = thread::spawn(move || {
                let further = Link::new();
                body.data.fetch_add(1, Ordering::Relaxed);
                // SAFETY: loom checks what is claimed above.
                body.exported.with_mut(|exported| unsafe { *exported = true });
                body.exit.close(|_| {
                    assert!(body.has_child());
                    body.missing.hold();
                    // SAFETY: the link lives until all have ended.
                    if !unsafe { body.child.join(&further, 1) } {
                        assert!(!body.missing.let_go());
                    }
                    body.let_go();
                });
                further
            });
            let links = [Link::new(), Link::new()];
            // SAFETY: the links live until all have ended.
            let mut edges = u32::from(unsafe { shared.exit.join(&links[0], 1) });
            if edges == 0 && shared.has_child() {
                // SAFETY: as above.
                edges = u32::from(unsafe { shared.child.join(&links[1], 1) });
            }
            if shared.missing.settle(edges) {
                shared.go_on();
            }
            let further = body.join().unwrap();
            child.join().unwrap();
            drop(further);
            assert_eq!(shared.went_on.load(Ordering::Relaxed), 1);
        });
    }

    /// Who follows the list while others join meets all who joined before.
    #[test]
    fn a_list_that_grows_can_be_followed() {
        loom::model(|| {
            let list = Arc::new(Dependents::new());
            let first = Link::new();
            // SAFETY: the links live until nobody follows the list any more.
            assert!(unsafe { list.join(&first, 10) });
            let other = list.clone();
            let joiner = thread::spawn(move || {
                let second = Link::new();
                // SAFETY: as above.
                assert!(unsafe { other.join(&second, 20) });
                second
            });
            let mut seen = Vec::new();
            // SAFETY: nobody closes the list.
            unsafe { list.for_each(|word| seen.push(word)) };
            assert!(seen == [10] || seen == [20, 10]);
            drop(joiner.join().unwrap());
        });
    }
}
