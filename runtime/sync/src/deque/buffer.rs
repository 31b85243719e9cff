//! The ring of words of a deque. It is never freed: a thief may read it at any time.

use crate::shim::{AtomicUsize, Ordering};

/// The ring of words of a deque. The capacity is a power of two.
#[derive(Debug)]
pub(super) struct Buffer {
    words: Box<[AtomicUsize]>,
    /// The address of the smaller buffer that this one replaced. No code reads it: through it leak
    /// checkers see that the memory is still in use.
    _before: usize,
}

impl Buffer {
    /// Makes a buffer of zeros that is never freed, in place of the one at `before` (0: the first).
    pub(super) fn make(capacity: usize, before: usize) -> &'static Buffer {
        let words = (0..capacity).map(|_| AtomicUsize::new(0)).collect();
        Box::leak(Box::new(Buffer { words, _before: before }))
    }

    /// Returns the buffer at an address that [`Buffer::make`] gave; `None` for 0.
    ///
    /// # Safety
    /// `address` is 0 or such an address.
    #[inline(always)]
    pub(super) unsafe fn at(address: usize) -> Option<&'static Buffer> {
        // SAFETY: the caller's promise; buffers are never freed.
        unsafe { (address as *const Buffer).as_ref() }
    }

    #[inline(always)]
    pub(super) fn capacity(&self) -> u64 {
        self.words.len() as u64
    }

    #[inline(always)]
    fn word(&self, index: u64) -> &AtomicUsize {
        let at = index as usize & (self.words.len() - 1);
        // SAFETY: the length is a power of two, so the masked index is below it.
        unsafe { self.words.get_unchecked(at) }
    }

    /// Writes a value. Relaxed: the index that makes the value reachable is published afterwards.
    #[inline(always)]
    pub(super) fn put(&self, index: u64, value: usize) {
        self.word(index).store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn get(&self, index: u64) -> usize {
        self.word(index).load(Ordering::Relaxed)
    }
}
