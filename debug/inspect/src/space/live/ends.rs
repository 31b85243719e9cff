//! Notices the ends of threads while we trace them.
//!
//! A thread that calls `execve` takes a lock and waits until all other threads of its process have
//! ended. A thread that we trace has ended only when we have asked for its end (`waitpid`). But
//! `PTRACE_SEIZE` of a further thread waits for that lock, so the two would wait for each other for
//! ever. Therefore a separate thread asks meanwhile.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Thread};
use std::time::Duration;

/// `PTRACE_SEIZE` takes microseconds; one that lasts longer than this may be stuck.
const PAUSE: Duration = Duration::from_millis(10);

thread_local! {
    // When a thread ends, the kernel releases what it traces, and this list goes with it.
    static ENDS: Ends = Ends::watch();
}

/// Records that this thread traces `lwp` from now on.
pub fn seized(lwp: u32) {
    let _ = ENDS.try_with(|ends| {
        let was_empty = lock(&ends.traced).as_mut().is_some_and(|all| {
            all.push(lwp);
            all.len() == 1
        });
        if was_empty && let Some(asker) = &ends.asker {
            asker.unpark();
        }
    });
}

/// Records that this thread has released `lwp`. The number may soon be another thread's.
pub fn let_go(lwp: u32) {
    let _ = ENDS.try_with(|ends| {
        if let Some(all) = &mut *lock(&ends.traced) {
            all.retain(|known| *known != lwp);
        }
    });
}

/// The threads that one of our threads traces; `None` when that one has ended.
type Traced = Arc<Mutex<Option<Vec<u32>>>>;

struct Ends {
    traced: Traced,
    asker: Option<Thread>,
}

impl Ends {
    fn watch() -> Ends {
        let traced: Traced = Arc::new(Mutex::new(Some(Vec::new())));
        let known = traced.clone();
        let asks = move || {
            loop {
                // The lock is held meanwhile: nobody is asked for after the end.
                let some = match &mut *lock(&known) {
                    Some(all) => {
                        all.retain(|lwp| !has_ended(*lwp));
                        !all.is_empty()
                    }
                    None => return,
                };
                if some {
                    std::thread::park_timeout(PAUSE);
                } else {
                    std::thread::park();
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
        *lock(&self.traced) = None;
        if let Some(asker) = &self.asker {
            asker.unpark();
        }
    }
}

fn lock(traced: &Traced) -> MutexGuard<'_, Option<Vec<u32>>> {
    traced.lock().unwrap_or_else(PoisonError::into_inner)
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
