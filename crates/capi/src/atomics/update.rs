//! One atomic operation on one variable.

use core::sync::atomic::AtomicU32;
use omphalos_engine::caller;
use omphalos_engine::mutex::{self, Face, atomic_lock};
use omphalos_sys::place::Word;

/// A type that fits a word of the processor.
pub trait Value: Copy {
    /// The word.
    type Word: Word;
    /// The value's bits.
    fn word(self) -> Self::Word;
    /// The value of these bits.
    fn value(word: Self::Word) -> Self;
}

macro_rules! integers {
    ($($type:ty: $word:ty;)*) => { $(
        impl Value for $type {
            type Word = $word;
            #[inline(always)]
            fn word(self) -> $word {
                self as $word
            }
            #[inline(always)]
            fn value(word: $word) -> $type {
                word as $type
            }
        }
    )* };
}

integers! {
    i8: u8;
    u8: u8;
    i16: u16;
    u16: u16;
    i32: u32;
    u32: u32;
    i64: u64;
    u64: u64;
}

macro_rules! reals {
    ($($type:ty: $word:ty;)*) => { $(
        impl Value for $type {
            type Word = $word;
            #[inline(always)]
            fn word(self) -> $word {
                self.to_bits()
            }
            #[inline(always)]
            fn value(word: $word) -> $type {
                <$type>::from_bits(word)
            }
        }
    )* };
}

reals! {
    f32: u32;
    f64: u64;
}

/// Replaces the variable's value by `change` of it. The old and the new value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn update<T: Value>(place: *mut T, change: impl Fn(T) -> T) -> (T, T) {
    let place: *mut T::Word = place.cast();
    // SAFETY: the caller's promise.
    let mut seen = unsafe { T::Word::peek(place) };
    loop {
        let old = T::value(seen);
        let new = change(old);
        // SAFETY: the caller's promise.
        let now = unsafe { T::Word::compare_exchange(place, seen, new.word()) };
        if now == seen {
            return (old, new);
        }
        seen = now;
        omphalos_sys::relax();
    }
}

/// The variable's value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn read<T: Value>(place: *mut T) -> T {
    let word: *mut T::Word = place.cast();
    // SAFETY: the caller's promise.
    unsafe {
        if place.addr().is_multiple_of(size_of::<T>()) {
            return T::value(T::Word::peek(word));
        }
        // What is not aligned may lie in two lines: only a locked instruction reads it at once.
        let guess = T::Word::peek(word);
        T::value(T::Word::compare_exchange(word, guess, guess))
    }
}

/// Writes the variable and returns what it was.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn exchange<T: Value>(place: *mut T, value: T) -> T {
    // SAFETY: the caller's promise.
    unsafe { T::value(T::Word::exchange(place.cast(), value.word())) }
}

/// Adds to the variable with wrap-around and returns what it was.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn add<T: Value>(place: *mut T, value: T) -> T {
    // SAFETY: the caller's promise.
    unsafe { T::value(T::Word::fetch_add(place.cast(), value.word())) }
}

/// As [`update`], under the lock of the variable's address. Called first thing behind an entry stub.
///
/// # Safety
/// `place` is a variable of the program, and `change` cannot unwind.
#[inline]
pub unsafe fn update_locked<T: Copy>(place: *mut T, change: impl FnOnce(T) -> T) -> (T, T) {
    let lock: &AtomicU32 = atomic_lock(place.addr());
    let caller = caller();
    mutex::acquire(lock, Face::ATOMIC, caller);
    // SAFETY: the caller's promise; everybody who uses the variable holds the lock.
    let (old, new) = unsafe {
        let old = place.read_unaligned();
        let new = change(old);
        place.write_unaligned(new);
        (old, new)
    };
    mutex::release(lock, Face::ATOMIC, caller);
    (old, new)
}

/// What a capturing form returns.
#[inline(always)]
pub fn captured<T>((old, new): (T, T), flag: i32) -> T {
    if flag != 0 { new } else { old }
}

/// `__kmpc_atomic_<type>_<plain>` and `__kmpc_atomic_<type>_<capture>`, by the processor.
macro_rules! both {
    ($t:literal, $plain:literal, $capture:literal, $type:ty, $rhs:ty, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $plain))]
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $rhs) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update::<$type>(place, |$x| $new) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $capture))]
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                $v: $rhs,
                flag: i32,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                captured(unsafe { update::<$type>(place, |$x| $new) }, flag)
            }
        };
    };
}

/// `__kmpc_atomic_<type>_rd`, `_wr` and `_swp`, by the processor.
macro_rules! access {
    ($t:literal, $type:ty) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_rd"))]
            unsafe extern "C" fn rd(_: *const Ident, _: i32, place: *mut $type) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { read(place) }
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_wr"))]
            unsafe extern "C" fn wr(_: *const Ident, _: i32, place: *mut $type, value: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { exchange(place, value) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_swp"))]
            unsafe extern "C" fn swp(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                value: $type,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { exchange(place, value) }
            }
        };
    };
}

/// `__kmpc_atomic_<type>_<operation>` without a capturing form, by the processor.
macro_rules! plain {
    ($t:literal, $name:literal, $type:ty, $rhs:ty, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $name))]
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $rhs) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update::<$type>(place, |$x| $new) };
            }
        };
    };
}

pub(super) use {access, both, plain};
