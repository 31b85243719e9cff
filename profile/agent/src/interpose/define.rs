//! Macros that define functions under names of the C library's. Each marks its thread, and calls
//! the real function.

use core::ffi::CStr;

/// Returns the name of a function, for the C library.
pub(super) const fn name(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

/// The name of a function in reports: its own name, or the one that the program's author wrote.
macro_rules! shown {
    ($name:ident) => {
        $crate::interpose::define::name(concat!(stringify!($name), "\0"))
    };
    ($name:ident $shown:ident) => {
        $crate::interpose::define::name(concat!(stringify!($shown), "\0"))
    };
}

/// Defines such functions. `only_waits` and the symbols' version hold for all of them. `NAME as
/// WHAT`: reports call the function WHAT. A call goes straight to the real function if `direct if`
/// holds.
macro_rules! interpose {
    (
        $only_waits:literal $version:literal:
        $(
            fn $name:ident $(as $shown:ident)? ($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty
                $([direct if $direct:expr])?;
        )*
    ) => {
        $(
            /// Stands in for the C library's function of this name.
            ///
            /// # Safety
            /// As the C library's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                look_through!(
                    $name $(as $shown)?, $only_waits $version,
                    ($($arg: $ty),*) -> $ret $([direct if $direct])?
                )
            }
        )*
    };
}

/// The body of such a function.
macro_rules! look_through {
    (
        $name:ident $(as $shown:ident)?, $only_waits:literal $version:literal,
        ($($arg:ident: $ty:ty),*) -> $ret:ty $([direct if $direct:expr])?
    ) => {{
        static CALL: $crate::mark::Call = $crate::mark::Call::named(
            shown!($name $($shown)?), shown!($name), $version, $only_waits,
        );
        let real = CALL.real();
        if real.is_null() {
            // SAFETY: the thread's own errno.
            unsafe { *libc::__errno_location() = libc::ENOSYS };
            return !0;
        }
        type Function = unsafe extern "C" fn($($ty),*) -> $ret;
        // SAFETY: the next definition of the same name has the same type.
        let real = unsafe { core::mem::transmute::<*mut core::ffi::c_void, Function>(real) };
        // SAFETY: the caller's promise.
        let ask = || unsafe { real($($arg),*) };
        $(if $direct {
            return ask();
        })?
        let thread = $crate::interpose::enter(&CALL);
        let result = ask();
        $crate::interpose::leave(&CALL, thread);
        result
    }};
}

/// The stub of a function that takes any number of arguments and leaves no frame: `chosen` returns
/// the address where the call goes on, with all registers as they came. `sets` is the one
/// instruction that passes to `chosen` what it needs besides the call's own arguments.
macro_rules! stub {
    ($name:ident, $sets:literal, $chosen:path $(, $operand:ident = sym $of:path)?) => {
        /// The C library's function of this name.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                ".cfi_startproc",
                "push rdi",
                "push rsi",
                "push rdx",
                "push rcx",
                "push r8",
                "push r9",
                "push rax",
                ".cfi_adjust_cfa_offset 56",
                $sets,
                "call {chosen}",
                "mov r11, rax",
                "pop rax",
                "pop r9",
                "pop r8",
                "pop rcx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                ".cfi_adjust_cfa_offset -56",
                "jmp r11",
                ".cfi_endproc",
                chosen = sym $chosen,
                $($operand = sym $of,)?
            )
        }
    };
}
