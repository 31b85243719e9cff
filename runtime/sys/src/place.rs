//! Atomic access to the program's memory, at any alignment.
//!
//! A program's atomic variables are where its compiler put them. A complex number of two `float`s,
//! aligned to four bytes, is eight bytes that have to change at once. The processor's locked
//! instructions do that at any address, but Rust's atomic types do not allow it. Hence these.

/// A word that the processor changes atomically.
pub trait Word: Copy + Eq {
    /// Reads the word, atomically if it is aligned.
    ///
    /// # Safety
    /// `place` is valid for reads.
    unsafe fn peek(place: *const Self) -> Self;

    /// Writes `new` if the word is `old`; returns the word from before. A full barrier.
    ///
    /// # Safety
    /// `place` is valid for reads and writes.
    unsafe fn compare_exchange(place: *mut Self, old: Self, new: Self) -> Self;

    /// Writes `new` and returns the word from before. A full barrier.
    ///
    /// # Safety
    /// `place` is valid for reads and writes.
    unsafe fn exchange(place: *mut Self, new: Self) -> Self;

    /// Adds with wrap-around and returns the word from before. A full barrier.
    ///
    /// # Safety
    /// `place` is valid for reads and writes.
    unsafe fn fetch_add(place: *mut Self, value: Self) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<T: Word + std::fmt::Debug>(one: T, two: T, three: T) {
        let mut bytes = [0u8; 24];
        // SAFETY: an odd address inside the array.
        let place: *mut T = unsafe { bytes.as_mut_ptr().add(1) }.cast();
        // SAFETY: the array is large enough.
        unsafe {
            T::exchange(place, one);
            assert_eq!(T::compare_exchange(place, two, three), one);
            assert_eq!(T::compare_exchange(place, one, two), one);
            assert_eq!(T::fetch_add(place, one), two);
            assert_eq!(T::peek(place), three);
            assert_eq!(T::exchange(place, one), three);
        }
    }

    #[test]
    fn every_width_works_at_an_odd_address() {
        all(1u8, 2, 3);
        all(1u16, 2, 3);
        all(1u32, 2, 3);
        all(1u64, 2, 3);
    }
}
