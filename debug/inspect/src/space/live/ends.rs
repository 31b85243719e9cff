//! Notices the ends of threads while we trace them.
//!
//! A thread that calls `execve` takes a lock and waits until all other threads of its process have
//! ended. A thread that we trace has ended only when we have asked for its end (`waitpid`). But
//! `PTRACE_SEIZE` of a further thread waits for that lock, so the two would wait for each other for
//! ever. Therefore another thread asks meanwhile: one that waits for the tracing thread anyway
//! ([`Traced`]), or else a separate one.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Thread};
use std::time::Duration;

/// `PTRACE_SEIZE` takes microseconds; one that lasts longer than this may be stuck.
pub const PAUSE: Duration = Duration::from_millis(10);

thread_local! {
    // When a thread ends, the kernel releases what it traces, and this list goes with it.
    static ENDS: OnceCell<Ends> = const { OnceCell::new() };
}

/// The threads that one of our threads traces; `None` when that one has ended.
#[derive(Clone)]
pub struct Traced(Arc<Mutex<Option<Vec<u32>>>>);

impl Traced {
    /// Makes the list of a tracing thread that begins.
    pub fn new() -> Traced {
        Traced(Arc::new(Mutex::new(Some(Vec::new()))))
    }

    /// Makes this the list of the calling thread, which has traced nothing yet. Whoever waits for
    /// that thread asks each [`PAUSE`].
    pub fn adopt(self) {
        let _ = ENDS.try_with(|ends| ends.set(Ends { traced: self, asker: None }).is_ok());
    }

    /// Asks for ends. Returns whether threads are left; `None` when the tracing thread has ended.
    pub fn ask_for_ends(&self) -> Option<bool> {
        // The lock is held meanwhile: nobody is asked for after the end.
        self.lock().as_mut().map(|all| {
            all.retain(|lwp| !has_ended(*lwp));
            !all.is_empty()
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records that this thread traces `lwp` from now on.
pub fn seized(lwp: u32) {
    let _ = ENDS.try_with(|ends| {
        let ends = ends.get_or_init(Ends::watch);
        let was_empty = ends.traced.lock().as_mut().is_some_and(|all| {
            all.push(lwp);
            all.len() == 1
        });
        if was_empty && let Some(asker) = &ends.asker {
            asker.unpark();
        }
    });
}

/// Records that this thread has released `lwp`, or that `lwp` has ended. The number may soon be
/// another thread's.
pub fn let_go(lwp: u32) {
    let _ = ENDS.try_with(|ends| {
        let ends = ends.get_or_init(Ends::watch);
        if let Some(all) = &mut *ends.traced.lock() {
            all.retain(|known| *known != lwp);
        }
    });
}

struct Ends {
    traced: Traced,
    asker: Option<Thread>,
}

impl Ends {
    fn watch() -> Ends {
        let traced = Traced::new();
        let known = traced.clone();
        let asks = move || {
            while let Some(some) = known.ask_for_ends() {
                match some {
                    true => std::thread::park_timeout(PAUSE),
                    false => std::thread::park(),
                }
            }
        };
        // If the thread cannot be started, tracing works as in any debugger.
        let asker = Builder::new().name("ends".to_owned()).spawn(asks).ok();
        Ends { traced, asker: asker.map(|asker| asker.thread().clone()) }
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        *self.traced.lock() = None;
        if let Some(asker) = &self.asker {
            asker.unpark();
        }
    }
}

/// Whether the thread has ended; its end is taken then. Stops, which the kernel reports here too,
/// are left to those who wait for them.
fn has_ended(lwp: u32) -> bool {
    let mut options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    for _ in 0..2 {
        // SAFETY: all zeros are valid, and the kernel writes one such structure.
        let (known, code) = unsafe {
            let mut seen: libc::siginfo_t = std::mem::zeroed();
            (libc::waitid(libc::P_PID, lwp, &mut seen, options) == 0, seen.si_code)
        };
        let is_end = [libc::CLD_EXITED, libc::CLD_KILLED, libc::CLD_DUMPED].contains(&code);
        if !known || !is_end {
            return !known;
        }
        options &= !libc::WNOWAIT;
    }
    true
}
