//! Calls that end something: a library that is closed, a program that another one replaces, a
//! process that ends at once.

use crate::mark::Call;
use core::ffi::{CStr, c_int, c_void};

/// Stands in for the C library's `dlclose`, and first waits until no handler reads the object. If a
/// handler does not stop reading the object, it stays loaded, as the C library may decide too; the
/// profile says so.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    static REAL: Call = Call::new(c"dlclose", c"", false);
    let real = REAL.real();
    if real.is_null() {
        return -1;
    }
    // SAFETY: the next definition of the same name has the same type.
    let real: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { core::mem::transmute(real) };
    if !crate::recording::is_running() {
        // SAFETY: the caller's promise.
        return unsafe { real(handle) };
    }
    // The record has addresses in the object, so the object goes into the record first.
    let is_kept = crate::stream::is_open() && crate::unwind::vacated::has_room();
    if is_kept && crate::unwind::modules::renew() {
        crate::stream::process::write_modules();
    }
    // SAFETY: the caller's promise.
    let closed = crate::unwind::modules::frozen(|| unsafe { real(handle) });
    closed.unwrap_or_else(|| {
        crate::stream::process::write_message(
            omphalos_profile_format::severity::WARNING,
            "a library that the program closed stays loaded: a sample's stack was still read",
        );
        0
    })
}

/// Defines the functions that execute another program in this process, or end the process at once,
/// without the agent's finaliser. Some take any number of arguments, so each is a stub that keeps
/// all arguments, writes what was recorded, and goes on to the real function.
macro_rules! executing {
    ($($name:ident: $real:ident,)*) => {
        $(
            static $real: Call = Call::new(match CStr::from_bytes_with_nul(
                concat!(stringify!($name), "\0").as_bytes(),
            ) {
                Ok(name) => name,
                Err(_) => c"",
            }, c"", false);

            stub!($name, "lea rdi, [rip + {real}]", before, real = sym $real);
        )*

        /// Looks the real functions up, before a child of `fork` needs one.
        pub fn prepare() {
            $( $real.real(); )*
        }
    };
}

executing! {
    _exit: EXIT_AT_ONCE,
    _Exit: EXIT_AT_ONCE_TOO,
    quick_exit: QUICK_EXIT,
    execve: EXECVE,
    execv: EXECV,
    execvp: EXECVP,
    execvpe: EXECVPE,
    fexecve: FEXECVE,
    execl: EXECL,
    execlp: EXECLP,
    execle: EXECLE,
}

/// Writes what was recorded before another program is executed or the process ends; returns the
/// real function's address.
extern "C" fn before(real: &Call) -> *mut c_void {
    let ends = real.name.to_bytes().ends_with(b"xit");
    crate::life::executes(if ends {
        b"the process ended at once (_exit)"
    } else {
        b"the process went on with another program (exec)"
    });
    let real = real.real();
    if real.is_null() { unknown as extern "C" fn() -> c_int as *mut c_void } else { real }
}

extern "C" fn unknown() -> c_int {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}
