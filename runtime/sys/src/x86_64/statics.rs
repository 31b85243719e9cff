//! Words of statics at constant places, loaded by one instruction.
//!
//! Compilers first take the address of another crate's static, which is one more instruction in
//! every hook. So these refer to the word by its name.

/// The word at `$offset` bytes in `$static`, as `$type` (of 8 bytes): an acquiring load.
///
/// To be used in an `unsafe` block: the word lies within the static, is aligned and of that type.
#[macro_export]
macro_rules! load_static {
    ($static:path, $offset:expr, $type:ty) => {{
        let value: $type;
        #[cfg(not(miri))]
        ::core::arch::asm!(
            "mov {value}, qword ptr [rip + {word} + {offset}]",
            value = out(reg) value,
            word = sym $static,
            offset = const $offset,
            options(readonly, nostack, preserves_flags),
        );
        #[cfg(miri)]
        {
            value = $crate::load_static_slowly!($static, $offset, $type);
        }
        value
    }};
}

/// Runs `$with`, which is unlikely, where the first word of `$static` is not 0: a comparison and a
/// branch, relaxed.
///
/// To be used in an `unsafe` block: the static has 8 bytes at least, and is aligned.
#[macro_export]
macro_rules! if_static_is_set {
    ($static:path, $with:block) => {{
        #[cfg(not(miri))]
        ::core::arch::asm!(
            "cmp qword ptr [rip + {word}], 0",
            "jne {set}",
            word = sym $static,
            set = label {
                ::core::hint::cold_path();
                $with
            },
            options(readonly, nostack),
        );
        #[cfg(miri)]
        if $crate::load_static_slowly!($static, 0, usize) != 0 $with
    }};
}
