//! Calls of the C library that sampling would disturb, for a program that the agent is preloaded
//! into: sleeping and polling calls, `sigaction` and `signal`, `dlclose`; and `execve` and its kin, before which
//! what was recorded is written.
//!
//! The kernel never restarts sleeping and polling calls after a signal handler, whatever the handler's flags say, so a
//! tick would cut them short with EINTR. The sampling signal is therefore blocked around them: the
//! missed periods arrive as overruns of the timer with the first tick after the call, which makes
//! one sample of the right weight at the sleeping call. The program's own signals interrupt as
//! ever. What must hold: results and `errno` are the real call's; threads that are not sampled go
//! straight to it.

use crate::sampling::signal;
use crate::thread::Thread;
use core::ffi::{CStr, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// The next definition of a function behind ours.
struct Real {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Real {
    const fn new(name: &'static CStr) -> Real {
        Real { name, address: AtomicPtr::new(core::ptr::null_mut()) }
    }

    fn get(&self) -> *mut c_void {
        let known = self.address.load(Relaxed);
        if !known.is_null() {
            return known;
        }
        // SAFETY: a C string; RTLD_NEXT is meant for this.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.address.store(found, Relaxed);
        found
    }
}

/// Runs `call` with the sampling signal blocked, if the thread is sampled.
#[inline]
fn undisturbed<R>(call: impl FnOnce() -> R) -> R {
    let sampled = Thread::current().is_some_and(|thread| thread.timer.load(Relaxed) >= 0);
    if !sampled {
        return call();
    }
    // SAFETY: both sets are valid; setting the mask back restores what was. `errno` is kept because
    // pthread_sigmask does not touch it.
    unsafe {
        let mut before: libc::sigset_t = core::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, &signal::set(), &mut before);
        let result = call();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, core::ptr::null_mut());
        result
    }
}

/// A mask for a call that takes one, with the sampling signal in it; null stays null.
///
/// # Safety
/// `mask` must be null or valid.
unsafe fn with_ours(
    mask: *const libc::sigset_t,
    own: &mut libc::sigset_t,
) -> *const libc::sigset_t {
    if mask.is_null() || signal::number() == 0 {
        return mask;
    }
    // SAFETY: the caller's promise.
    unsafe {
        *own = *mask;
        libc::sigaddset(own, signal::number());
    }
    own
}

macro_rules! interpose {
    ($(
        fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty
            $([direct if $direct:expr])? $([mask $mask:ident])?;
    )*) => {
        $(
            /// The C library's function of this name, undisturbed by sampling.
            ///
            /// # Safety
            /// As the C library's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                static REAL: Real = Real::new(match CStr::from_bytes_with_nul(
                    concat!(stringify!($name), "\0").as_bytes(),
                ) {
                    Ok(name) => name,
                    Err(_) => c"",
                });
                let real = REAL.get();
                if real.is_null() {
                    // SAFETY: the thread's own errno.
                    unsafe { *libc::__errno_location() = libc::ENOSYS };
                    return !0;
                }
                type Function = unsafe extern "C" fn($($ty),*) -> $ret;
                // SAFETY: the next definition of the same name has the same type.
                let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
                // SAFETY: the caller's promise.
                let ask = || unsafe { real($($arg),*) };
                $(if $direct {
                    return ask();
                })?
                let _ = ask;
                $(
                    // SAFETY: a set of ours that is written before it is read.
                    let mut own: libc::sigset_t = unsafe { core::mem::zeroed() };
                    // SAFETY: the caller's mask is null or valid.
                    let $mask = unsafe { with_ours($mask, &mut own) };
                )?
                // SAFETY: the caller's promise.
                undisturbed(|| unsafe { real($($arg),*) })
            }
        )*
    };
}

interpose! {
    fn nanosleep(time: *const libc::timespec, rest: *mut libc::timespec) -> c_int;
    fn clock_nanosleep(
        clock: libc::clockid_t, flags: c_int, time: *const libc::timespec, rest: *mut libc::timespec
    ) -> c_int;
    fn usleep(time: c_uint) -> c_int;
    fn sleep(time: c_uint) -> c_uint;
    fn thrd_sleep(time: *const libc::timespec, rest: *mut libc::timespec) -> c_int;
    fn pause() -> c_int;
    fn __poll_chk(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: c_int, size: usize
    ) -> c_int [direct if timeout == 0];
    fn __ppoll_chk(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: *const libc::timespec,
        mask: *const libc::sigset_t, size: usize
    ) -> c_int [mask mask];
    fn poll(files: *mut libc::pollfd, count: libc::nfds_t, timeout: c_int) -> c_int
        [direct if timeout == 0];
    fn ppoll(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: *const libc::timespec,
        mask: *const libc::sigset_t
    ) -> c_int [mask mask];
    fn select(
        count: c_int, read: *mut libc::fd_set, write: *mut libc::fd_set, except: *mut libc::fd_set,
        timeout: *mut libc::timeval
    ) -> c_int;
    fn pselect(
        count: c_int, read: *mut libc::fd_set, write: *mut libc::fd_set, except: *mut libc::fd_set,
        timeout: *const libc::timespec, mask: *const libc::sigset_t
    ) -> c_int [mask mask];
    fn epoll_wait(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: c_int
    ) -> c_int [direct if timeout == 0];
    fn epoll_pwait(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: c_int,
        mask: *const libc::sigset_t
    ) -> c_int [mask mask];
    fn epoll_pwait2(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: *const libc::timespec,
        mask: *const libc::sigset_t
    ) -> c_int [mask mask];
    fn sigsuspend(mask: *const libc::sigset_t) -> c_int [mask mask];
    fn sigtimedwait(
        set: *const libc::sigset_t, info: *mut libc::siginfo_t, timeout: *const libc::timespec
    ) -> c_int;
    fn sigwaitinfo(set: *const libc::sigset_t, info: *mut libc::siginfo_t) -> c_int;
    fn semop(set: c_int, operations: *mut libc::sembuf, count: usize) -> c_int;
    fn semtimedop(
        set: c_int, operations: *mut libc::sembuf, count: usize, timeout: *const libc::timespec
    ) -> c_int;
    fn msgrcv(
        queue: c_int, message: *mut c_void, size: usize, kind: libc::c_long, flags: c_int
    ) -> isize;
    fn msgsnd(queue: c_int, message: *const c_void, size: usize, flags: c_int) -> c_int;
}

fn is_default(handler: libc::sighandler_t) -> bool {
    handler == libc::SIG_DFL || handler == libc::SIG_IGN
}

/// The C library's `sigaction`; a program that wants the sampling signal gets it.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigaction(
    number: c_int,
    action: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    static REAL: Real = Real::new(c"sigaction");
    let ours = number != 0 && number == signal::number();
    if ours {
        // SAFETY: null or valid, as the caller promises.
        let wanted = unsafe { action.as_ref() }.map_or(libc::SIG_DFL, |new| new.sa_sigaction);
        if !is_default(wanted) {
            signal::yield_to_program();
        }
        if number == signal::number() {
            // Nothing changed, or no other signal is free; ours was never the program's.
            // SAFETY: null or valid, as the caller promises.
            unsafe {
                if !old.is_null() {
                    *old = core::mem::zeroed();
                }
            }
            return 0;
        }
    }
    let real = REAL.get();
    if real.is_null() {
        return -1;
    }
    type Function =
        unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
    // SAFETY: the next definition of the same name has the same type.
    let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
    // SAFETY: the caller's promise; what stood there before was ours.
    unsafe {
        let done = real(number, action, old);
        if ours && done == 0 && !old.is_null() {
            *old = core::mem::zeroed();
        }
        done
    }
}

/// The C library's `signal`; see [`sigaction`].
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn signal(number: c_int, handler: libc::sighandler_t) -> libc::sighandler_t {
    static REAL: Real = Real::new(c"signal");
    let ours = number != 0 && number == signal::number();
    if ours {
        if !is_default(handler) {
            signal::yield_to_program();
        }
        if number == signal::number() {
            return libc::SIG_DFL;
        }
    }
    let real = REAL.get();
    if real.is_null() {
        return libc::SIG_ERR;
    }
    type Function = unsafe extern "C" fn(c_int, libc::sighandler_t) -> libc::sighandler_t;
    // SAFETY: the next definition of the same name has the same type.
    let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
    // SAFETY: the caller's promise; what stood there before was ours.
    let before = unsafe { real(number, handler) };
    if ours { libc::SIG_DFL } else { before }
}

/// The C library's `dlclose`, while no handler reads the object that goes away. Where one does not stop reading,
/// the object stays loaded, as the C library may also decide; the profile says so.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    static REAL: Real = Real::new(c"dlclose");
    let real = REAL.get();
    if real.is_null() {
        return -1;
    }
    // SAFETY: the next definition of the same name has the same type.
    let real: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { core::mem::transmute(real) };
    if !crate::life::is_running() {
        // SAFETY: the caller's promise.
        return unsafe { real(handle) };
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

/// Defines the functions that execute another program in this process. Some take any number of arguments, so
/// each is a stub that keeps them all, writes what was recorded and goes on to the real one.
macro_rules! executing {
    ($($name:ident: $real:ident,)*) => {
        $(
            static $real: Real = Real::new(match CStr::from_bytes_with_nul(
                concat!(stringify!($name), "\0").as_bytes(),
            ) {
                Ok(name) => name,
                Err(_) => c"",
            });

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
                    "lea rdi, [rip + {real}]",
                    "call {before}",
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
                    real = sym $real,
                    before = sym before,
                )
            }
        )*

        /// Looks the real functions up, before a child of `fork` needs one.
        pub fn prepare() {
            $( $real.get(); )*
        }
    };
}

executing! {
    execve: EXECVE,
    execv: EXECV,
    execvp: EXECVP,
    execvpe: EXECVPE,
    fexecve: FEXECVE,
    execl: EXECL,
    execlp: EXECLP,
    execle: EXECLE,
}

/// Another program is about to be executed; answers where the real function is.
extern "C" fn before(real: &Real) -> *mut c_void {
    crate::life::executes();
    let real = real.get();
    if real.is_null() { unknown as extern "C" fn() -> c_int as *mut c_void } else { real }
}

extern "C" fn unknown() -> c_int {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}
