//! Data that a runtime lends to a tool: words and frames.

use crate::kinds::FrameFlags;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Release};
use omphalos_abi::ompt::{ompt_data_t, ompt_frame_t};

/// One word of the tool's own, on a thread, a region, a task or a target construct: 0 at first, and
/// kept by the runtime for as long as the thing lives.
///
/// Several threads may see one word at a time (all of a team see their region's). So reading and
/// writing are atomic: a thread that reads the new value also sees everything that the other thread
/// wrote before [`Word::set`]. Where the runtime gives no word, it reads 0 and forgets a value that
/// is set.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    at: *mut ompt_data_t,
    lent: PhantomData<&'a ompt_data_t>,
}

impl<'a> Word<'a> {
    /// # Safety
    /// `at` must be null or the runtime's word for as long as `'a`.
    #[inline]
    pub(crate) unsafe fn new(at: *mut ompt_data_t) -> Word<'a> {
        Word { at, lent: PhantomData }
    }

    /// Returns a word that the runtime does not have.
    pub(crate) const fn none() -> Word<'a> {
        Word { at: core::ptr::null_mut(), lent: PhantomData }
    }

    #[inline]
    fn word(&self) -> Option<&AtomicU64> {
        // SAFETY: null or a word that lives as long as `'a`; the union is eight aligned bytes, and
        // the runtime itself only ever hands it on.
        unsafe { self.at.cast::<AtomicU64>().as_ref() }
    }

    /// Whether the runtime gave a word.
    #[inline]
    pub fn is_there(&self) -> bool {
        !self.at.is_null()
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.word().map_or(0, |word| word.load(Acquire))
    }

    /// Keeps `value`.
    #[inline]
    pub fn set(&self, value: u64) {
        if let Some(word) = self.word() {
            word.store(value, Release);
        }
    }

    /// Keeps `value` and returns the value before.
    #[inline]
    pub fn replace(&self, value: u64) -> u64 {
        self.word().map_or(0, |word| word.swap(value, core::sync::atomic::Ordering::AcqRel))
    }

    /// Returns the word's address, which tells words apart without reading them.
    #[inline]
    pub fn address(&self) -> usize {
        self.at.addr()
    }
}

impl core::fmt::Debug for Word<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Word({:#x})", self.get())
    }
}

/// The places on the stack where a task's user code and the runtime's frames meet (`ompt_frame_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The address from which the task's first frame of user code was called; 0 for an initial
    /// task.
    pub exit: u64,
    /// The kind of `exit`.
    pub exit_flags: FrameFlags,
    /// The address at which the task's user code entered the runtime; 0 while it runs user code.
    pub enter: u64,
    /// The kind of `enter`.
    pub enter_flags: FrameFlags,
}

impl Frame {
    /// # Safety
    /// `frame` must be null or point to the runtime's frame.
    #[inline]
    pub(crate) unsafe fn read(frame: *const ompt_frame_t) -> Option<Frame> {
        // SAFETY: the caller's promise; both members of the union are eight plain bytes.
        unsafe {
            let frame = frame.as_ref()?;
            Some(Frame {
                exit: frame.exit_frame.value,
                exit_flags: FrameFlags::from(frame.exit_frame_flags),
                enter: frame.enter_frame.value,
                enter_flags: FrameFlags::from(frame.enter_frame_flags),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_word_forgets() {
        // SAFETY: null is allowed; the other word outlives its use.
        unsafe {
            let none = Word::new(core::ptr::null_mut());
            none.set(3);
            assert_eq!((none.get(), none.is_there()), (0, false));
            let mut data = ompt_data_t { value: 7 };
            let word = Word::new(&mut data);
            assert_eq!(word.replace(8), 7);
            assert_eq!(data.value, 8);
        }
    }
}
