//! Python's interpreter lock (the GIL). A thread that wants it sleeps at a condition variable of
//! the interpreter's, a few milliseconds at a time, and asks again: it waits for a lock.
//!
//! Python describes the lock to nobody. What is read here is CPython's `struct _gil_runtime_state`
//! (`interval`, `last_holder`, `locked`, `switch_number`, `cond`; tried with 3.7 to 3.14) and, in
//! the holder's `PyThreadState`, its `pthread_self()`, wherever a version has it.

use super::Known;
use super::pthreads::is_system;
use crate::Target;
use crate::snapshot::{Frame, Thread, Wait};
use crate::target::{half, word};

/// Functions that take the lock. On the stack of a thread that takes it, the first function of the
/// interpreter with a name is one of these, when those of condition variables are left out.
const TAKERS: [&str; 6] = [
    "take_gil", "PyEval_RestoreThread", "PyEval_AcquireThread", "PyEval_AcquireLock",
    "PyGILState_Ensure", "_PyThreadState_Attach",
];
/// This function executes Python code. It gives the lock back when another thread asks, and takes
/// it again.
const EXECUTES: &str = "_PyEval_EvalFrameDefault";
const OF_CONDITIONS: &str = "PyCOND_";
/// Microseconds after which a waiting thread asks the holder to give the lock back.
const INTERVALS: core::ops::RangeInclusive<u64> = 1..=60_000_000;
/// Bytes of a `PyThreadState` in which its `pthread_self()` is searched.
const STATE_BYTES: usize = 1024;

/// Returns the wait of a thread that sleeps at a condition variable, if it waits for the
/// interpreter.
pub(super) fn waits(
    target: &dyn Target,
    known: &Known<'_>,
    stack: &[Frame],
    condition: u64,
) -> Option<Wait> {
    let taker = taker(stack)?;
    let takes = TAKERS.contains(&taker) || taker == EXECUTES;
    takes.then(|| Wait::Interpreter { owner: holder(target, known, condition) })
}

/// Returns the wait of a thread that takes a lock of a Python program (`threading.Lock`) and sleeps
/// at the word at `at`.
pub(super) fn lock(target: &dyn Target, stack: &[Frame], at: u64) -> Option<Wait> {
    const TAKES: [&str; 3] = ["PyThread_acquire_lock", "_PyMutex_Lock", "PyMutex_Lock"];
    let taker = taker(stack)?;
    let lock = match taker {
        _ if taker.starts_with(SLEEPS) => word(target, at.checked_sub(8)?).ok()?,
        _ if TAKES.iter().any(|begin| taker.starts_with(begin)) => at,
        _ => return None,
    };
    let what = format!("{LOCK} (threading.Lock and its kin) at {lock:#x}");
    Some(Wait::Unknown { what })
}

/// The begin of the names of the functions in which threads sleep since 3.13, each at its own
/// semaphore: a debugger's names have a function within `_PySemaphore_Wait`. The address of the
/// object that the thread waits for stands in front of the semaphore (`struct wait_entry`).
const SLEEPS: &str = "_PySemaphore_";

/// Whether a wait with this text is for such a lock.
pub fn is_lock(what: &str) -> bool {
    what.starts_with(LOCK)
}

const LOCK: &str = "a lock of Python's";

/// Marks threads that want the interpreter lock but are awake while they ask again. Some other
/// thread has the lock.
pub fn find_awake(threads: &mut [Thread]) {
    let owner = threads.iter().find_map(|thread| match thread.waits {
        Some(Wait::Interpreter { owner }) => owner,
        _ => None,
    });
    let Some(owner) = owner else { return };
    for thread in threads.iter_mut().filter(|thread| thread.lwp != owner) {
        if asks(thread) {
            thread.waits = Some(Wait::Interpreter { owner: Some(owner) });
        }
    }
}

/// Whether a thread wants the lock, and is awake for the moment in which it asks again.
pub fn asks(thread: &Thread) -> bool {
    thread.waits.is_none() && taker(&thread.stack).is_some_and(|name| TAKERS.contains(&name))
}

/// Returns the interpreter's innermost function that has a name.
fn taker(stack: &[Frame]) -> Option<&str> {
    let inner = stack.iter().skip_while(|frame| is_system(frame));
    let mut names = inner.take_while(|frame| is_python(frame)).map(|frame| &*frame.function);
    names.find(|name| !(name.is_empty() || name.contains("+0x") || name.starts_with(OF_CONDITIONS)))
}

fn is_python(frame: &Frame) -> bool {
    ["python", "libpython"].iter().any(|name| frame.module.starts_with(name))
}

/// The kernel's number of the thread that has the lock with this condition variable.
fn holder(target: &dyn Target, known: &Known<'_>, condition: u64) -> Option<u32> {
    let before = |bytes: u64| condition.checked_sub(bytes);
    let is_interval = INTERVALS.contains(&word(target, before(32)?).ok()?);
    let is_locked = half(target, before(16)?) == Ok(1);
    if !(is_interval && is_locked) {
        return None;
    }
    let state = word(target, before(24)?).ok()?;
    let mut bytes = [0; STATE_BYTES];
    target.read(state, &mut bytes).ok()?;
    let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    let threads = || known.threads.iter().filter(|(_, own)| *own != 0);
    let mut holders = words.filter_map(|own| threads().find(|(_, thread)| *thread == own));
    holders.next().map(|(lwp, _)| *lwp)
}
