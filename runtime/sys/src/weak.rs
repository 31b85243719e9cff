//! Weak references, which stable Rust lacks: names that may stay undefined.

/// Defines a function `$bound` that returns the addresses of these names as the dynamic linker
/// bound them, null for a name that no file defines. `$table` is the array that has them.
#[macro_export]
macro_rules! weak_references {
    ($(#[$meta:meta])* $visibility:vis fn $bound:ident() -> [$count:literal]
     of $table:ident: $($name:ident),+) => {
        #[cfg(not(miri))]
        ::core::arch::global_asm!(
            $(concat!(".weak ", stringify!($name)),)+
            concat!(".pushsection .data.rel.ro.", stringify!($table), ",\"aw\",@progbits"),
            ".p2align 3",
            concat!(".globl ", stringify!($table)),
            concat!(".hidden ", stringify!($table)),
            concat!(stringify!($table), ":"),
            $(concat!(".quad ", stringify!($name)),)+
            concat!(".size ", stringify!($table), ", 8 * ", stringify!($count)),
            concat!(".type ", stringify!($table), ", @object"),
            ".popsection",
        );

        $(#[$meta])*
        #[cfg(not(miri))]
        $visibility fn $bound() -> [*mut ::core::ffi::c_void; $count] {
            unsafe extern "C" {
                static $table: [*mut ::core::ffi::c_void; $count];
            }
            // SAFETY: written by the dynamic linker before any code of this library runs.
            unsafe { $table }
        }

        $(#[$meta])*
        #[cfg(miri)]
        $visibility fn $bound() -> [*mut ::core::ffi::c_void; $count] {
            [::core::ptr::null_mut(); $count]
        }
    };
}
