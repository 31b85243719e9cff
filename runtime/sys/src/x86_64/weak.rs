//! A weak definition, which stable Rust lacks: it gives way to any other definition of the name.
//!
//! Who uses it: `tools` defines `ompt_start_tool` so, since a tool may define that name too. Other
//! processors have a stand-in without the weak symbol (`port/statics.rs`).

/// Defines a weak, exported function `$name` that jumps to `$target`, and a hidden label `$own` at
/// the same address. The function `$address` returns the label's address, because `$name` may be
/// another library's definition in a running process.
///
/// What must hold: `$target` is a function with the type that callers of `$name` expect. The jump
/// passes arguments and the return address on as they are.
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

        /// Returns the address of the runtime's own definition.
        $visibility fn $address() -> *const ::core::ffi::c_void {
            unsafe extern "C" {
                fn $own();
            }
            $own as *const ::core::ffi::c_void
        }
    };
}
