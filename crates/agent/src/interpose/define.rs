//! Defines functions of the C library's names that mark the thread while the real one is at work.

use core::ffi::CStr;

/// The name of a function, for the C library.
pub(super) const fn name(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

/// What a report calls a function: its name, or the one that the program's author wrote.
macro_rules! shown {
    ($name:ident) => {
        $crate::interpose::define::name(concat!(stringify!($name), "\0"))
    };
    ($name:ident $shown:ident) => {
        $crate::interpose::define::name(concat!(stringify!($shown), "\0"))
    };
}

/// `only_waits` and the version of all of them, and the functions: `NAME as WHAT` where the report
/// calls it WHAT. A call goes straight to the real one where `direct if` holds.
macro_rules! interpose {
    (
        $only_waits:literal $version:literal:
        $(
            fn $name:ident $(as $shown:ident)? ($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty
                $([direct if $direct:expr])?;
        )*
    ) => {
        $(
            /// The C library's function of this name.
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
