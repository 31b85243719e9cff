//! Atomic access. Missing: access at unaligned addresses.

use crate::place::Word;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};

macro_rules! word {
    ($($type:ty: $atomic:ty;)*) => { $(
        impl Word for $type {
            unsafe fn peek(place: *const $type) -> $type {
                // SAFETY: the caller's promise; aligned, or it would have to be written.
                unsafe { <$atomic>::from_ptr(place.cast_mut()) }.load(SeqCst)
            }
            unsafe fn compare_exchange(place: *mut $type, old: $type, new: $type) -> $type {
                // SAFETY: as above.
                let word = unsafe { <$atomic>::from_ptr(place) };
                word.compare_exchange(old, new, SeqCst, SeqCst).unwrap_or_else(|seen| seen)
            }
            unsafe fn exchange(place: *mut $type, new: $type) -> $type {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(place) }.swap(new, SeqCst)
            }
            unsafe fn fetch_add(place: *mut $type, value: $type) -> $type {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(place) }.fetch_add(value, SeqCst)
            }
        }
    )* };
}

word! {
    u8: AtomicU8;
    u16: AtomicU16;
    u32: AtomicU32;
    u64: AtomicU64;
}
