//! Entry stubs for functions whose names are put together by macros, and for `long double`, which
//! Rust can neither take nor return.
//!
//! All of them note the caller as [`entries!`](crate::entries) does.

/// A stub of this name: it notes the caller, and goes on with these instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! named_stub {
    ($name:expr => $target:path; $($line:expr,)*) => {
        #[unsafe(export_name = $name)]
        #[unsafe(naked)]
        unsafe extern "C" fn stub() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov qword ptr fs:[r11 + {stack}], rsp",
                "mov qword ptr fs:[r11 + {frame}], rbp",
                $($line,)*
                ".cfi_endproc",
                stack = const $crate::tls::STACK_POINTER,
                frame = const $crate::tls::FRAME_POINTER,
                target = sym $target,
            )
        }
    };
}

/// `$name` jumps to `$target`, which has the same C signature.
#[macro_export]
macro_rules! named_entry {
    ($name:expr => $target:path) => {
        $crate::named_stub! { $name => $target; "jmp {target}", }
    };
}

/// `$name(location, gtid, place, v)` with `v` on the stack becomes
/// `$target(location, gtid, place, _, &v)`.
#[macro_export]
macro_rules! named_entry_taking_extended {
    ($name:expr => $target:path) => {
        $crate::named_stub! { $name => $target; "lea r8, [rsp + 8]", "jmp {target}", }
    };
}

/// `$name(location, gtid, place, v, flag)` with `v` on the stack becomes `$target(location, gtid,
/// place, flag, &v, &mut result)`; the result is returned on the x87 stack, a complex one's
/// imaginary part (`$imaginary`: loaded first) below its real part.
#[macro_export]
macro_rules! named_entry_returning_extended {
    ($name:expr => $target:path $(, $imaginary:literal)?) => {
        $crate::named_stub! {
            $name => $target;
            "lea r8, [rsp + 8]",
            "sub rsp, 40",
            ".cfi_def_cfa_offset 48",
            "mov r9, rsp",
            "call {target}",
            $($imaginary,)?
            "fld tbyte ptr [rsp]",
            "add rsp, 40",
            ".cfi_def_cfa_offset 8",
            "ret",
        }
    };
}
