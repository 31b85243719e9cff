//! Threads, regions and tasks, by handles that go back to the library when nobody has them any
//! more.

use core::ffi::c_int;
use core::ptr::null_mut;

use omphalos_abi::ompd::*;

use crate::process::{Process, Value, done, handle};

/// A thread that the runtime knows.
pub struct Thread<'p> {
    process: &'p Process<'p>,
    handle: Handle<ompd_thread_handle_t>,
}

/// A parallel region.
pub struct Parallel<'p> {
    process: &'p Process<'p>,
    handle: Handle<ompd_parallel_handle_t>,
}

/// A task.
pub struct Task<'p> {
    process: &'p Process<'p>,
    handle: Handle<ompd_task_handle_t>,
}

/// The frames of a task; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// Where the runtime called the task's code.
    pub exit: u64,
    /// Where that entered the runtime again.
    pub enter: u64,
}

/// A handle of the library's, and the function that takes it back.
pub(crate) struct Handle<T> {
    pub raw: *mut T,
    release: Option<unsafe extern "C" fn(*mut T) -> ompd_rc_t>,
}

impl<T> Handle<T> {
    /// What the library gave; `None` if it gave none.
    pub fn new(
        raw: *mut T,
        release: Option<unsafe extern "C" fn(*mut T) -> ompd_rc_t>,
    ) -> Option<Handle<T>> {
        (!raw.is_null()).then_some(Handle { raw, release })
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a handle that the library gave, and that goes back once.
            unsafe { release(self.raw) };
        }
    }
}

impl<'p> Thread<'p> {
    pub(crate) fn new(
        process: &'p Process<'p>,
        handle: Handle<ompd_thread_handle_t>,
    ) -> Thread<'p> {
        Thread { process, handle }
    }

    /// `pthread_self()` of the thread.
    pub fn pthread(&self) -> Value<u64> {
        let ask = self.process.functions.thread_id.ok_or(ompd_rc_unsupported)?;
        let mut own = 0u64;
        let into = (&raw mut own).cast();
        // SAFETY: a handle that lives, and eight bytes.
        done(unsafe { ask(self.handle.raw, OMPD_THREAD_ID_PTHREAD, 8, into) })?;
        Ok(own)
    }

    /// State and wait id.
    pub fn state(&self) -> Value<(u32, u64)> {
        let ask = self.process.functions.state.ok_or(ompd_rc_unsupported)?;
        let (mut state, mut wait) = (0, 0);
        // SAFETY: a handle that lives, and places for the results.
        done(unsafe { ask(self.handle.raw, &mut state, &mut wait) })?;
        Ok((u32::try_from(state).map_err(|_| ompd_rc_error)?, wait))
    }

    /// The innermost region.
    pub fn parallel(&self) -> Value<Parallel<'p>> {
        let process = self.process;
        let handle = handle!(process.functions, parallel(self.handle.raw) -> release_parallel)?;
        Ok(Parallel { process, handle })
    }

    /// The task that it executes.
    pub fn task(&self) -> Value<Task<'p>> {
        let process = self.process;
        let handle = handle!(process.functions, task(self.handle.raw) -> release_task)?;
        Ok(Task { process, handle })
    }

    /// What an OMPT tool has set of it.
    pub fn data(&self) -> Value<u64> {
        self.process.data(self.handle.raw.cast(), ompd_scope_thread)
    }

    /// An ICV.
    pub fn icv(&self, name: &str) -> Value<i64> {
        self.process.icv(self.handle.raw.cast(), name)
    }
}

impl<'p> Parallel<'p> {
    /// The region around it.
    pub fn enclosing(&self) -> Value<Parallel<'p>> {
        let process = self.process;
        let handle = handle!(process.functions, enclosing(self.handle.raw) -> release_parallel)?;
        Ok(Parallel { process, handle })
    }

    /// Whether the two are one.
    pub fn is(&self, other: &Parallel<'_>) -> bool {
        let Some(ask) = self.process.functions.compare_parallels else { return false };
        let mut value: c_int = 1;
        // SAFETY: handles that live, and a place.
        unsafe { ask(self.handle.raw, other.handle.raw, &mut value) == ompd_rc_ok && value == 0 }
    }

    /// The thread with a number in it.
    pub fn thread(&self, number: u32) -> Value<Thread<'p>> {
        let (process, number) = (self.process, number as c_int);
        let raw = self.handle.raw;
        let handle = handle!(process.functions, thread_in_parallel(raw, number) -> release_thread)?;
        Ok(Thread { process, handle })
    }

    /// The implicit task of that thread.
    pub fn task(&self, number: u32) -> Value<Task<'p>> {
        let (process, number) = (self.process, number as c_int);
        let raw = self.handle.raw;
        let handle = handle!(process.functions, task_in_parallel(raw, number) -> release_task)?;
        Ok(Task { process, handle })
    }

    /// What an OMPT tool has set of it.
    pub fn data(&self) -> Value<u64> {
        self.process.data(self.handle.raw.cast(), ompd_scope_parallel)
    }

    /// An ICV.
    pub fn icv(&self, name: &str) -> Value<i64> {
        self.process.icv(self.handle.raw.cast(), name)
    }
}

impl<'p> Task<'p> {
    /// The task that made it.
    pub fn generating(&self) -> Value<Task<'p>> {
        let process = self.process;
        let handle = handle!(process.functions, generating(self.handle.raw) -> release_task)?;
        Ok(Task { process, handle })
    }

    /// The task that its thread left for it.
    pub fn scheduling(&self) -> Value<Task<'p>> {
        let process = self.process;
        let handle = handle!(process.functions, scheduling(self.handle.raw) -> release_task)?;
        Ok(Task { process, handle })
    }

    /// The region that it belongs to.
    pub fn parallel(&self) -> Value<Parallel<'p>> {
        let (process, raw) = (self.process, self.handle.raw);
        let handle = handle!(process.functions, parallel_of_task(raw) -> release_parallel)?;
        Ok(Parallel { process, handle })
    }

    /// Whether the two are one.
    pub fn is(&self, other: &Task<'_>) -> bool {
        let Some(ask) = self.process.functions.compare_tasks else { return false };
        let mut value: c_int = 1;
        // SAFETY: handles that live, and a place.
        unsafe { ask(self.handle.raw, other.handle.raw, &mut value) == ompd_rc_ok && value == 0 }
    }

    /// The frames between its code and the runtime.
    pub fn frames(&self) -> Value<Frames> {
        let ask = self.process.functions.frames.ok_or(ompd_rc_unsupported)?;
        let (mut exit, mut enter) = Default::default();
        // SAFETY: a handle that lives, and places for the results.
        done(unsafe { ask(self.handle.raw, &mut exit, &mut enter) })?;
        Ok(Frames { exit: exit.frame_address.address, enter: enter.frame_address.address })
    }

    /// Its code.
    pub fn function(&self) -> Value<u64> {
        let ask = self.process.functions.function.ok_or(ompd_rc_unsupported)?;
        let mut address = ompd_address_t::default();
        // SAFETY: a handle that lives, and a place.
        done(unsafe { ask(self.handle.raw, &mut address) })?;
        Ok(address.address)
    }

    /// What an OMPT tool has set of it.
    pub fn data(&self) -> Value<u64> {
        self.process.data(self.handle.raw.cast(), ompd_scope_task)
    }

    /// An ICV.
    pub fn icv(&self, name: &str) -> Value<i64> {
        self.process.icv(self.handle.raw.cast(), name)
    }
}
