//! Makes threads by pthreads: programs and debuggers look at them with pthread calls.

use crate::cpus::Mask;
use core::ffi::c_void;
use core::sync::atomic::AtomicU32;
use core::time::Duration;

/// Why a thread could not be made: an errno value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub i32);

/// The least stack in bytes with which the system makes a thread.
pub const LEAST_STACK: usize = libc::PTHREAD_STACK_MIN;

/// Returns the stack in bytes of a thread that is made without a size. The C library derived it
/// from the limit for stacks when the process began.
pub fn default_stack() -> usize {
    let mut size = 0;
    // SAFETY: the attribute object lives on this stack from init to destroy.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_attr_init(&mut attributes) == 0 {
            libc::pthread_attr_getstacksize(&attributes, &mut size);
            libc::pthread_attr_destroy(&mut attributes);
        }
    }
    size
}

/// A thread that was made, as long as it surely lives.
pub struct Made(libc::pthread_t);

impl Made {
    /// Moves the thread to one of the processors of `there`, if it is not on one, and then lets it
    /// run on all of `all`. A thread that has not run yet, or has given way, moves at once. Two
    /// system calls; a refusal of the system changes nothing.
    ///
    /// # Safety
    /// The thread must not end before this returns.
    pub unsafe fn place(&self, there: &Mask, all: &Mask) {
        for mask in [there, all] {
            let words = mask.words();
            let set = words.as_ptr().cast::<libc::cpu_set_t>();
            // SAFETY: the buffer is valid for the number of bytes handed over, and the caller says
            // that the thread lives.
            unsafe { libc::pthread_setaffinity_np(self.0, size_of_val(words), set) };
        }
    }
}

/// Makes a detached thread that runs `main(argument)` with all signals of the creator's mask kept.
///
/// `stack` in bytes; 0 takes the system's default. Fails with errno's value when the system refuses
/// (EAGAIN: limit on processes; ENOMEM: no memory for the stack).
///
/// # Safety
/// `main` must be callable with `argument` on another thread, at any time from now on.
pub unsafe fn spawn(
    main: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    stack: usize,
) -> Result<Made, Refused> {
    // SAFETY: the attribute object lives on this stack from init to destroy; the rest is the
    // caller's promise.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        let error = libc::pthread_attr_init(&mut attributes);
        if error != 0 {
            return Err(Refused(error));
        }
        libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED);
        if stack != 0 {
            // A size that the system refuses (too small, not a multiple of a page) leaves the
            // default.
            let page = 4096;
            let size = stack.max(LEAST_STACK).next_multiple_of(page);
            libc::pthread_attr_setstacksize(&mut attributes, size);
        }
        let mut id: libc::pthread_t = core::mem::zeroed();
        let error = libc::pthread_create(&mut id, &attributes, main, argument);
        libc::pthread_attr_destroy(&mut attributes);
        if error == 0 { Ok(Made(id)) } else { Err(Refused(error)) }
    }
}

/// Returns the kernel's number of the calling thread. Async-signal-safe.
pub fn id() -> i32 {
    // SAFETY: no memory involved.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// Whether the calling thread is the main thread of the process. Async-signal-safe.
pub fn is_main() -> bool {
    // SAFETY: no memory involved.
    i64::from(id()) == unsafe { libc::syscall(libc::SYS_getpid) }
}

/// Whether the process has a thread with this number of the kernel's. Async-signal-safe.
pub fn is_there(id: i32) -> bool {
    // SAFETY: no memory involved; a signal of 0 is none.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::syscall(libc::SYS_getpid), id, 0) == 0 }
}

/// Whether the process surely has made no thread yet, so that the calling one is its main thread.
/// False if the C library does not say (before glibc 2.32).
pub fn alone() -> bool {
    let [said] = single_threaded();
    // SAFETY: null, or a variable that only the C library writes, when the process makes a thread.
    !said.is_null() && unsafe { said.cast::<core::ffi::c_char>().read_volatile() != 0 }
}

crate::weak_references! {
    /// glibc's variable, not 0 until the process makes its first thread. A forked child has its
    /// parent's value.
    fn single_threaded() -> [1] of omphalos_single_threaded: __libc_single_threaded
}

/// Whether the process surely has no other thread now: the kernel's count, by a system call. False
/// if there is no `/proc`. Async-signal-safe.
pub fn is_only() -> bool {
    let mut folder = core::mem::MaybeUninit::<libc::stat>::uninit();
    let (path, into) = (c"/proc/self/task".as_ptr(), folder.as_mut_ptr());
    // SAFETY: the path ends with a zero, and the kernel fills the whole structure or fails.
    let said = unsafe { libc::syscall(libc::SYS_newfstatat, libc::AT_FDCWD, path, into, 0) };
    // The folder has two links of its own, and one from each thread's folder.
    // SAFETY: filled by the kernel.
    said == 0 && unsafe { folder.assume_init() }.st_nlink == 3
}

/// Returns a number that no other thread of the process has while the calling one lives: its
/// `pthread_t`. No system call. Async-signal-safe.
pub fn own_pthread() -> usize {
    // SAFETY: no memory involved.
    unsafe { libc::pthread_self() as usize }
}

/// Gives the processor away once. Async-signal-safe.
pub fn give_way() {
    // By its number, as in `id`, the call spares a program's first region the mapping of a page of
    // the C library. SAFETY: no memory involved.
    unsafe { libc::syscall(libc::SYS_sched_yield) };
}

/// Waits for this time, or less. The standard library's `sleep` would end the process if a filter
/// of system calls refuses the call.
pub fn rest(time: Duration) {
    crate::futex::wait(&AtomicU32::new(0), 0, Some(time));
}

/// A word that each thread has for itself, with a function that is called when a thread ends whose
/// word is not null.
#[derive(Clone, Copy)]
pub struct Key(libc::pthread_key_t);

impl Key {
    /// Makes a key; `None` where the system has no more. `ended` gets the word, which is null by
    /// then.
    pub fn new(ended: extern "C" fn(*mut c_void)) -> Option<Key> {
        let mut key = 0;
        // SAFETY: `key` is valid for the write; the function stays loaded.
        let error = unsafe { libc::pthread_key_create(&mut key, Some(ended)) };
        (error == 0).then_some(Key(key))
    }

    /// Returns the calling thread's word.
    pub fn get(self) -> *mut c_void {
        // SAFETY: the key exists.
        unsafe { libc::pthread_getspecific(self.0) }
    }

    /// Sets the calling thread's word, which is kept and not followed. Returns false if there is no
    /// memory for it.
    #[allow(clippy::not_unsafe_ptr_arg_deref)]
    pub fn set(self, word: *const c_void) -> bool {
        // SAFETY: the key exists; the word is the caller's.
        unsafe { libc::pthread_setspecific(self.0, word) == 0 }
    }
}
