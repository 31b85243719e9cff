//! A work-stealing deque: its owner pushes and pops at the bottom, any thread steals at the top.
//!
//! The algorithm is Chase and Lev's (2005) in the form of Lê et al. (2013); README.md in this
//! folder has the memory-order argument. The engine keeps each thread's tasks in one
//! (`runtime/engine/src/records/queues.rs`). Values are words (addresses of tasks); the push
//! publishes their targets, and the taker acquires them.
//!
//! What must hold: no value is 0, which a buffer has where nothing was put yet. One thread at a
//! time (the owner) calls `push`, the `pop`s, `bottom`, `len` and `len_seen`; any thread calls
//! `steal`, `could_steal`, `has_any` and `looks_empty`. A deque that was ever stolen from is never
//! freed, nor are its buffers.

mod buffer;

use crate::shim::{AtomicU64, AtomicUsize, Ordering};
use buffer::Buffer;

/// The result of a steal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steal {
    /// The deque had no value (or none that the thief may have).
    Nothing,
    /// Another thread was faster: it may be worth trying again.
    Lost,
    /// A value, and its index. The indices of one deque grow by one.
    Value(usize, u64),
}

/// A field on cache lines of its own (two, because processors fetch pairs).
#[derive(Debug)]
#[repr(align(128))]
struct Line<T>(T);

/// The words that the owner writes; thieves read them.
#[derive(Debug)]
struct Owner {
    /// The index after the newest value. Written by the owner (SeqCst), read by thieves.
    bottom: AtomicU64,
    /// The address of the current [`Buffer`], 0 before the first push. Written by the owner
    /// (release).
    buffer: AtomicUsize,
    /// The value of `top` that the owner saw last: a lower bound. Only the owner uses it.
    seen_top: AtomicU64,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Owner as ("DequeOwner") { bottom });

/// A work-stealing deque.
#[derive(Debug)]
pub struct Deque {
    owner: Line<Owner>,
    /// The index of the oldest value. It only grows; thieves move it, and, for the last value, the
    /// owner.
    top: Line<AtomicU64>,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Deque as ("Deque") { owner, top });

/// The parts of a deque that a debugger may read, for the number of its values.
#[cfg(not(loom))]
pub const DEQUE: omphalos_layout::Structure = <Deque as omphalos_layout::Described>::STRUCTURE;
/// The owner's words that [`DEQUE`] refers to.
#[cfg(not(loom))]
pub const OWNER: omphalos_layout::Structure = <Owner as omphalos_layout::Described>::STRUCTURE;

/// The number of values that the first buffer holds.
#[cfg(not(loom))]
const FIRST_VALUES: usize = 256;
#[cfg(loom)]
const FIRST_VALUES: usize = 2;

impl Deque {
    /// Makes an empty deque, which allocates with the first push.
    pub fn new() -> Deque {
        Deque {
            owner: Line(Owner {
                bottom: AtomicU64::new(0),
                buffer: AtomicUsize::new(0),
                seen_top: AtomicU64::new(0),
            }),
            top: Line(AtomicU64::new(0)),
        }
    }

    /// Returns the index after the newest value: later values have this index or a higher one. For
    /// the owner.
    #[inline(always)]
    pub fn bottom(&self) -> u64 {
        self.owner.0.bottom.load(Ordering::Relaxed)
    }

    /// Returns the number of values as the owner knows it without a look at `top`: too high if
    /// thieves have taken some since its last look.
    #[inline(always)]
    pub fn len_seen(&self) -> u64 {
        self.bottom() - self.owner.0.seen_top.load(Ordering::Relaxed)
    }

    /// Returns the number of values. It is a snapshot; for the owner it is exact while no thief
    /// steals. The owner's next [`Deque::len_seen`] starts from it.
    #[inline]
    // `looks_empty` asks for emptiness: its name says that the answer is a guess.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        let top = self.top.0.load(Ordering::Acquire);
        self.owner.0.seen_top.store(top, Ordering::Relaxed);
        self.bottom().saturating_sub(top)
    }

    /// Whether the deque seems empty to the caller.
    #[inline(always)]
    pub fn looks_empty(&self) -> bool {
        self.top.0.load(Ordering::SeqCst) >= self.owner.0.bottom.load(Ordering::SeqCst)
    }

    /// Adds a value at the bottom. It publishes with a SeqCst read-modify-write, so that the caller
    /// may look for sleepers right afterwards.
    #[inline(always)]
    pub fn push(&self, value: usize) {
        let owner = &self.owner.0;
        let bottom = owner.bottom.load(Ordering::Relaxed);
        // SAFETY: the owner replaces the buffer; the current one lives.
        let buffer = match unsafe { Buffer::at(owner.buffer.load(Ordering::Relaxed)) } {
            Some(buffer) if self.len_seen() < buffer.capacity() => buffer,
            _ => self.make_room(bottom),
        };
        buffer.put(bottom, value);
        owner.bottom.swap(bottom + 1, Ordering::SeqCst);
    }

    /// Returns a buffer with room for index `bottom`.
    #[cold]
    #[inline(never)]
    fn make_room(&self, bottom: u64) -> &Buffer {
        let owner = &self.owner.0;
        let top = self.top.0.load(Ordering::Acquire);
        owner.seen_top.store(top, Ordering::Relaxed);
        // SAFETY: as in `push`.
        let old = unsafe { Buffer::at(owner.buffer.load(Ordering::Relaxed)) };
        if let Some(old) = old
            && bottom - top < old.capacity()
        {
            return old;
        }
        let capacity = old.map_or(FIRST_VALUES, |old| old.capacity() as usize * 2);
        let new = Buffer::make(capacity, owner.buffer.load(Ordering::Relaxed));
        if let Some(old) = old {
            for index in top..bottom {
                new.put(index, old.get(index));
            }
        }
        // The old buffer stays: a thief may be reading it. All old buffers together are as large as
        // the new one.
        owner.buffer.store(core::ptr::from_ref(new) as usize, Ordering::Release);
        new
    }

    /// Takes the newest value.
    #[inline(always)]
    pub fn pop(&self) -> Option<usize> {
        self.pop_above(0)
    }

    /// Takes the newest value if its index is `floor` or higher.
    #[inline(always)]
    pub fn pop_above(&self, floor: u64) -> Option<usize> {
        let owner = &self.owner.0;
        let bottom = owner.bottom.load(Ordering::Relaxed);
        // Even an old value of `top` shows that the deque is empty, since `top` only grows.
        let mut top = self.top.0.load(Ordering::Relaxed);
        if bottom <= floor || bottom <= top {
            return None;
        }
        let newest = bottom - 1;
        // SAFETY: there was a push, so there is a buffer.
        let buffer = unsafe { Buffer::at(owner.buffer.load(Ordering::Relaxed)) }?;
        if top != newest {
            // From here on a thief sees that the newest value is taken, or this thread sees the
            // thief.
            owner.bottom.swap(newest, Ordering::SeqCst);
            top = self.top.0.load(Ordering::SeqCst);
            owner.seen_top.store(top, Ordering::Relaxed);
            if top < newest {
                return Some(buffer.get(newest));
            }
            owner.bottom.store(bottom, Ordering::SeqCst);
            if top > newest {
                return None;
            }
        }
        // The last value: thieves may want it too. The owner takes it as they do.
        let value = buffer.get(newest);
        owner.seen_top.store(bottom, Ordering::Relaxed);
        let won = self.top.0.compare_exchange(newest, bottom, Ordering::SeqCst, Ordering::Relaxed);
        won.is_ok().then_some(value)
    }

    /// Takes the newest value if it is `value` and its index is `floor` or higher. For the owner.
    #[inline]
    pub fn pop_newest_if(&self, value: usize, floor: u64) -> bool {
        let bottom = self.bottom();
        // SAFETY: buffers are never freed.
        let buffer = unsafe { Buffer::at(self.owner.0.buffer.load(Ordering::Relaxed)) };
        let is_newest =
            bottom > floor && buffer.is_some_and(|buffer| buffer.get(bottom - 1) == value);
        // A value that a thief took still stands there; then there is nothing to pop.
        is_newest && self.pop_above(floor).is_some()
    }

    /// Takes the oldest value if `may` agrees. `may` reads a value that another thread may take at
    /// the same moment, so it must tolerate that thread's changes.
    pub fn steal(&self, may: impl FnOnce(usize) -> bool) -> Steal {
        let top = self.top.0.load(Ordering::SeqCst);
        let bottom = self.owner.0.bottom.load(Ordering::SeqCst);
        if top >= bottom {
            return Steal::Nothing;
        }
        // SAFETY: buffers are never freed.
        let Some(buffer) = (unsafe { Buffer::at(self.owner.0.buffer.load(Ordering::Acquire)) })
        else {
            return Steal::Nothing;
        };
        let value = buffer.get(top);
        if value == 0 || !may(value) {
            return Steal::Nothing;
        }
        match self.top.0.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => Steal::Value(value, top),
            Err(_) => Steal::Lost,
        }
    }

    /// Whether [`Deque::steal`] would find a value. The answer is a hint.
    pub fn could_steal(&self, may: impl FnOnce(usize) -> bool) -> bool {
        let top = self.top.0.load(Ordering::SeqCst);
        if top >= self.owner.0.bottom.load(Ordering::SeqCst) {
            return false;
        }
        // SAFETY: buffers are never freed.
        let buffer = unsafe { Buffer::at(self.owner.0.buffer.load(Ordering::Acquire)) };
        buffer.is_some_and(|buffer| {
            let value = buffer.get(top);
            value != 0 && may(value)
        })
    }

    /// Whether `is` agrees to any value, oldest first. The answer is a hint. `is` reads values
    /// under the conditions of `may` in [`Deque::steal`].
    pub fn has_any(&self, is: impl FnMut(usize) -> bool) -> bool {
        let top = self.top.0.load(Ordering::SeqCst);
        let bottom = self.owner.0.bottom.load(Ordering::SeqCst);
        // SAFETY: buffers are never freed.
        let buffer = unsafe { Buffer::at(self.owner.0.buffer.load(Ordering::Acquire)) };
        let value = |index| buffer.map_or(0, |buffer| buffer.get(index));
        (top..bottom).map(value).filter(|&value| value != 0).any(is)
    }

    /// Removes all values. Only while no other thread can reach the deque (a forked child).
    pub fn reset(&self) {
        self.top.0.store(self.bottom(), Ordering::SeqCst);
    }
}

impl Default for Deque {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
