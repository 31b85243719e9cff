//! Finds where the program called the runtime: the first frame of the stack that is neither the
//! runtime's nor the agent's. The Collector API tells no return addresses.
//!
//! [`super::threads`] calls it, at the events of forks and waits.

use crate::thread::Thread;
use crate::unwind::capture;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_sync::process_lock::in_loader;

/// The first and the last address of the runtime and of the agent.
static OURS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

unsafe extern "C" {
    fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

/// Notes where the runtime (which contains the address) and the agent lie.
pub fn find(in_runtime: *const c_void) {
    for (at, address) in [in_runtime as usize, find as *const () as usize].into_iter().enumerate() {
        let mut asked = (address, 0, 0);
        // SAFETY: `note` gets the structure that it expects.
        in_loader(|| unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut asked).cast()) });
        OURS[2 * at].store(asked.1, Relaxed);
        OURS[2 * at + 1].store(asked.2, Relaxed);
    }
}

unsafe extern "C" fn note(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    asked: *mut c_void,
) -> c_int {
    // SAFETY: the linker's description, and the structure that was handed over.
    let (info, asked) = unsafe { (&*info, &mut *asked.cast::<(usize, usize, usize)>()) };
    // SAFETY: the file's program headers.
    let headers =
        unsafe { core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let segments = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let (from, to) = segments.fold((usize::MAX, 0), |(from, to), segment| {
        let start = (info.dlpi_addr + segment.p_vaddr) as usize;
        (from.min(start), to.max(start + segment.p_memsz as usize))
    });
    if !(from..to).contains(&asked.0) {
        return 0;
    }
    (asked.1, asked.2) = (from, to);
    1
}

/// Returns an address in the runtime.
pub fn in_runtime() -> u64 {
    OURS[0].load(Relaxed) as u64 + 1
}

/// Returns the return address of the program's call; 0 if there is none. Not async-signal-safe.
#[inline(always)]
pub fn of_call() -> u64 {
    let registers = capture::here();
    // The agent's own unwinder remembers the frames that it has seen. The system's unwinder looks
    // each frame up in the unwind tables again.
    let known = Thread::current().and_then(|thread| {
        thread.with_sampler(|sampler| sampler.caller(registers, is_the_programs))
    });
    known.flatten().unwrap_or_else(by_the_unwinder)
}

fn is_the_programs(address: u64) -> bool {
    let [from, to, mine_from, mine_to] = [0, 1, 2, 3].map(|at| OURS[at].load(Relaxed) as u64);
    !(from..to).contains(&address) && !(mine_from..mine_to).contains(&address)
}

#[cold]
fn by_the_unwinder() -> u64 {
    extern "C" fn each(context: *mut c_void, found: *mut c_void) -> c_int {
        // SAFETY: the unwinder's context, and the word that was handed over.
        let (address, found) = unsafe { (_Unwind_GetIP(context), &mut *found.cast::<u64>()) };
        if !is_the_programs(address as u64) {
            return 0;
        }
        *found = address as u64;
        // Any answer but "go on" (0) ends the walk.
        4
    }
    let mut found = 0u64;
    // SAFETY: walks the calling thread's stack; `each` gets the word that it expects.
    unsafe { _Unwind_Backtrace(each, (&raw mut found).cast()) };
    found
}
