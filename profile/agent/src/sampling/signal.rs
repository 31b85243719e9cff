//! The sampling signal.
//!
//! It is number 33, which the C library keeps for itself: with it, the library tells every thread
//! that another one changes the process's user (`setuid`). No signal set that a program makes with
//! the C library contains it, so no program can block it, wait for it, read it from a descriptor or
//! set a handler for it, and none ever receives a tick. Debuggers pass it on silently.
//!
//! What must hold: a signal that is no tick goes to the handler that was there before. The C
//! library installs its own at the first `pthread_create`, so each thread that begins looks whether
//! ours is still there.

use crate::thread::Thread;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

/// The signal.
pub const NUMBER: c_int = 33;

/// The kernel's `struct sigaction`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Action {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

const SA_RESTORER: u64 = 0x0400_0000;

type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// The handler before the agent's, null or 1 for none.
static BEFORE: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
/// Flags, restorer and mask of that handler.
static BEFORE_REST: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Returns from a handler: the kernel requires such a function.
#[unsafe(naked)]
unsafe extern "C" fn give_back() {
    core::arch::naked_asm!("mov rax, 15", "syscall")
}

/// The handler as the kernel calls it. It runs on a stack of the agent's, because the program's may
/// be small (a coroutine's, one for signals, a thread's): only the kernel's own frame is left
/// there. A thread without a record stays on its stack.
#[unsafe(naked)]
unsafe extern "C" fn entered(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rdi",
        "push rsi",
        "push rdx",
        "push rdx",
        "call {stack}",
        "pop rdx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "test rax, rax",
        "cmovne rsp, rax",
        "call {handler}",
        "mov rsp, rbp",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        stack = sym stack,
        handler = sym super::handler::on_signal,
    )
}

/// Returns the address where the calling thread's handler begins to use its own stack; 0 if it has
/// none.
extern "C" fn stack() -> usize {
    Thread::current().map_or(0, |thread| thread.handler_stack)
}

fn action(new: Option<&Action>, old: &mut Action) -> Result<(), i32> {
    let new = new.map_or(core::ptr::null(), core::ptr::from_ref);
    // SAFETY: both are the kernel's structure, or null; the C library's own function refuses the
    // number.
    unsafe {
        let done = libc::syscall(libc::SYS_rt_sigaction, NUMBER, new, core::ptr::from_mut(old), 8);
        if done == 0 { Ok(()) } else { Err(*libc::__errno_location()) }
    }
}

/// Installs the handler if it is not there. Returns the errno value if the system refuses. Two
/// threads may do so at once: both find the same handler before the agent's.
pub fn install() -> Result<(), i32> {
    let ours = entered as *const () as usize;
    let mut found = Action { handler: 0, flags: 0, restorer: 0, mask: 0 };
    action(None, &mut found)?;
    if found.handler == ours {
        return Ok(());
    }
    BEFORE.store(core::ptr::without_provenance_mut(found.handler), Relaxed);
    let rest = [found.flags, found.restorer as u64, found.mask];
    BEFORE_REST.iter().zip(rest).for_each(|(place, word)| place.store(word, Relaxed));
    // The mask has all signals except faults, which must stay visible.
    let faults = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP];
    let mask = faults.into_iter().fold(u64::MAX, |mask, fault| mask & !(1 << (fault - 1)));
    let flags = libc::SA_SIGINFO as u64 | libc::SA_RESTART as u64 | SA_RESTORER;
    let new = Action { handler: ours, flags, restorer: give_back as *const () as usize, mask };
    action(Some(&new), &mut found)?;
    Ok(())
}

/// Puts back the handler before the agent's. A tick that is still on its way goes to that one: the
/// C library's, which ignores signals that the library has not sent. Ours stays where there was
/// none, or where another handler has come since.
pub fn uninstall() {
    let ours = entered as *const () as usize;
    let mut found = Action { handler: 0, flags: 0, restorer: 0, mask: 0 };
    let before = BEFORE.load(Relaxed);
    if before.addr() > 1 && action(None, &mut found).is_ok() && found.handler == ours {
        let [flags, restorer, mask] = [0, 1, 2].map(|at: usize| BEFORE_REST[at].load(Relaxed));
        let old = Action { handler: before.addr(), flags, restorer: restorer as usize, mask };
        let _ = action(Some(&old), &mut found);
    }
}

/// Passes a signal that is no tick to the handler before the agent's. Async-signal-safe as far as
/// that handler is.
///
/// # Safety
/// As the handler's.
pub unsafe fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let before = BEFORE.load(Relaxed);
    if before.addr() > 1 {
        // SAFETY: the handler that the C library had installed for the same signal, with
        // SA_SIGINFO.
        unsafe { core::mem::transmute::<*mut c_void, Handler>(before)(signal, info, context) };
    }
}

/// Lets the signal through on the calling thread.
pub fn unblock() {
    let set: u64 = 1 << (NUMBER - 1);
    let nothing = core::ptr::null_mut::<u64>();
    // SAFETY: a set of the kernel's size; the C library's function leaves the signal out.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_UNBLOCK, &set, nothing, 8) };
}
