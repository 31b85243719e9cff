//! The C library's locks and semaphores. If one is free, nothing is noted, because that would cost
//! more than the lock itself.
//!
//! What must hold: a try that does not say "busy" did everything that the call would have done.

use super::{enter, leave};
use crate::mark::Call;
use core::ffi::{c_int, c_void};
use libc::{clockid_t, timespec};

use super::define::name;

/// Defines functions that wait for an object that `$try` takes if it is free.
macro_rules! waiting {
    ($(
        fn $name:ident($object:ident: *mut c_void $(, $arg:ident: $ty:ty)*) tries $try:ident;
    )*) => {
        $(
            /// Stands in for the C library's function of this name.
            ///
            /// # Safety
            /// As the C library's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($object: *mut c_void $(, $arg: $ty)*) -> c_int {
                static CALL: Call = Call::new(name(concat!(stringify!($name), "\0")), c"", true);
                static TRY: Call = Call::new(name(concat!(stringify!($try), "\0")), c"", true);
                let (real, attempt) = (CALL.real(), TRY.real());
                if real.is_null() || attempt.is_null() {
                    return libc::ENOSYS;
                }
                type Function = unsafe extern "C" fn(*mut c_void $(, $ty)*) -> c_int;
                type Attempt = unsafe extern "C" fn(*mut c_void) -> c_int;
                // SAFETY: the next definitions of the same names have the same types.
                let (real, attempt) = unsafe {
                    (
                        core::mem::transmute::<*mut c_void, Function>(real),
                        core::mem::transmute::<*mut c_void, Attempt>(attempt),
                    )
                };
                if crate::thread::Thread::current().is_none_or(|thread| !thread.is_followed()) {
                    // SAFETY: the caller's promise.
                    return unsafe { real($object $(, $arg)*) };
                }
                // SAFETY: the caller's promise.
                let tried = omphalos_sys::errno::keep(|| unsafe { attempt($object) });
                let is_busy = if stringify!($try).starts_with("sem") {
                    tried != 0
                } else {
                    tried == libc::EBUSY
                };
                if !is_busy {
                    return tried;
                }
                let thread = enter(&CALL);
                // SAFETY: the caller's promise.
                let result = unsafe { real($object $(, $arg)*) };
                leave(&CALL, thread);
                result
            }
        )*
    };
}

waiting! {
    fn pthread_mutex_lock(mutex: *mut c_void) tries pthread_mutex_trylock;
    fn pthread_mutex_timedlock(mutex: *mut c_void, until: *const timespec)
        tries pthread_mutex_trylock;
    fn pthread_mutex_clocklock(mutex: *mut c_void, clock: clockid_t, until: *const timespec)
        tries pthread_mutex_trylock;
    fn pthread_rwlock_rdlock(lock: *mut c_void) tries pthread_rwlock_tryrdlock;
    fn pthread_rwlock_wrlock(lock: *mut c_void) tries pthread_rwlock_trywrlock;
    fn pthread_rwlock_timedrdlock(lock: *mut c_void, until: *const timespec)
        tries pthread_rwlock_tryrdlock;
    fn pthread_rwlock_timedwrlock(lock: *mut c_void, until: *const timespec)
        tries pthread_rwlock_trywrlock;
    fn sem_wait(semaphore: *mut c_void) tries sem_trywait;
    fn sem_timedwait(semaphore: *mut c_void, until: *const timespec) tries sem_trywait;
    fn sem_clockwait(semaphore: *mut c_void, clock: clockid_t, until: *const timespec)
        tries sem_trywait;
}
