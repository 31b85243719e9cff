//! A weak definition, which stable Rust lacks: it gives way to any other.

/// Defines a weak, exported function `$name` that jumps to `$target`, and a hidden function `$own`
/// at the same address. `$address` gives that: the exported name may be somebody else's.
#[macro_export]
macro_rules! weak_entry {
    ($visibility:vis fn $address:ident() of $own:ident: $name:ident => $target:path) => {
        ::core::arch::global_asm!(
            concat!(".pushsection .text.", stringify!($name), ",\"ax\",@progbits"),
            ".p2align 4",
            concat!(".weak ", stringify!($name)),
            concat!(".type ", stringify!($name), ", @function"),
            concat!(".globl ", stringify!($own)),
            concat!(".hidden ", stringify!($own)),
            concat!(stringify!($name), ":"),
            concat!(stringify!($own), ":"),
            ".cfi_startproc",
            "jmp {target}",
            ".cfi_endproc",
            concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
            ".popsection",
            target = sym $target,
        );

        /// The address of our own definition.
        $visibility fn $address() -> *const ::core::ffi::c_void {
            unsafe extern "C" {
                fn $own();
            }
            $own as *const ::core::ffi::c_void
        }
    };
}
