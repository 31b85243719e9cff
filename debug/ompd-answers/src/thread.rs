//! Questions about threads.

use std::sync::Arc;

use omphalos_ompd_view::Fault;

use crate::{Answer, Code, Held, Kind, Space};

/// A debugger's name for a native thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// `pthread_t`.
    Pthread(u64),
    /// The kernel's number.
    Lwp(u64),
}

impl Native {
    /// Reads an id of `size` bytes.
    ///
    /// # Safety
    /// `id` is null or points to `size` bytes.
    pub unsafe fn read(is_lwp: bool, size: u64, id: *const u8) -> Answer<Native> {
        if id.is_null() {
            return Err(Code::BadInput);
        }
        // SAFETY: the caller's promise.
        unsafe {
            match (is_lwp, size) {
                (true, 8) => Ok(Native::Lwp(id.cast::<u64>().read_unaligned())),
                (true, 4) => Ok(Native::Lwp(id.cast::<u32>().read_unaligned().into())),
                (false, 8) => Ok(Native::Pthread(id.cast::<u64>().read_unaligned())),
                _ => Err(Code::BadInput),
            }
        }
    }

    /// Writes an id of `size` bytes.
    ///
    /// # Safety
    /// As [`Native::read`].
    pub unsafe fn write(self, size: u64, id: *mut u8) -> Answer<()> {
        if id.is_null() {
            return Err(Code::BadInput);
        }
        // SAFETY: the caller's promise.
        unsafe {
            match (self, size) {
                (Native::Lwp(lwp), 4) => id.cast::<u32>().write_unaligned(lwp as u32),
                (Native::Lwp(id_of), 8) | (Native::Pthread(id_of), 8) => {
                    id.cast::<u64>().write_unaligned(id_of);
                }
                _ => return Err(Code::BadInput),
            }
        }
        Ok(())
    }
}

/// The OpenMP thread of a native thread: unavailable if there is none.
pub fn by_native(space: &Arc<Space>, native: Native) -> Answer<Held> {
    let runtime = space.runtime();
    let found = match native {
        Native::Pthread(pthread) => runtime.thread_by_pthread(pthread)?,
        Native::Lwp(lwp) => match u32::try_from(lwp) {
            Ok(lwp) if lwp != 0 => runtime.thread_by_lwp(lwp)?,
            _ => return Err(Code::BadInput),
        },
    };
    let found = found.ok_or(Code::Unavailable)?;
    Ok(Held::thread(space, &found)?)
}

/// All OpenMP threads, also those that began before a debugger looked.
pub fn all(space: &Arc<Space>) -> Answer<Vec<Held>> {
    let runtime = space.runtime();
    let threads = runtime.threads()?;
    Ok(threads.iter().filter_map(|thread| Held::thread(space, thread).ok()).collect())
}

impl Held {
    /// The kernel's or the C library's name for the thread.
    pub fn native(&self, is_lwp: bool) -> Answer<Native> {
        self.of(Kind::Thread)?.ask_runtime(|runtime, at| {
            let thread = runtime.thread(at);
            Ok(match is_lwp {
                true => Native::Lwp(thread.lwp()?.into()),
                false => Native::Pthread(thread.pthread()?),
            })
        })
    }

    /// `ompt_state_t` and the wait id.
    pub fn state(&self) -> Answer<(u32, u64)> {
        self.of(Kind::Thread)?.ask_runtime(|runtime, at| runtime.thread(at).state())
    }

    /// The innermost region that the thread is in.
    pub fn current_parallel(&self) -> Answer<Held> {
        let found = self.of(Kind::Thread)?.ask_runtime(|runtime, at| {
            let team = runtime.thread(at).team()?;
            team.map(|team| Held::parallel(&self.space, &team)).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }

    /// The task that the thread executes.
    pub fn current_task(&self) -> Answer<Held> {
        let found = self.of(Kind::Thread)?.ask_runtime(|runtime, at| {
            let task = runtime.thread(at).task()?;
            task.map(|task| Held::task(&self.space, &task)).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }

    /// The thread's number in its team.
    pub fn thread_num(&self) -> Answer<u32> {
        self.of(Kind::Thread)?.ask_runtime(|runtime, at| runtime.thread(at).num())
    }

    /// Returns the handle's thing itself if it is of this kind, else bad input.
    pub fn of(&self, kind: Kind) -> Answer<&Held> {
        if self.kind == kind { Ok(self) } else { Err(Code::BadInput) }
    }

    /// The word that a thread, region or task has for a tool (`ompt_data_t`): its value and its
    /// address.
    pub fn tool_data(&self) -> Answer<(u64, u64)> {
        let kind = self.kind;
        let found = self.ask_runtime(|runtime, at| {
            let word = match kind {
                Kind::Space => None,
                Kind::Thread => runtime.thread(at).tool_data()?,
                Kind::Parallel => runtime.team(at).tool_data()?,
                Kind::Task => runtime.task(at).tool_data()?,
            };
            word.map(|at| Ok::<_, Fault>((runtime.number(at, 8)?, at))).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }
}
