//! Handles of threads, regions and tasks. They go back to the library when they are dropped.

use core::ffi::c_int;
use core::marker::PhantomData;
use core::ptr::null_mut;

use omphalos_abi::ompd::*;

use crate::library::{Functions, Raw};
use crate::process::{Icv, Process};
use crate::refusal::{Refusal, Value, call};

/// The kind of thing that a handle names.
pub trait Kind {
    /// Its scope.
    const SCOPE: ompd_scope_t;
}

/// The kinds.
pub mod kind {
    use super::{Kind, ompd_scope_parallel, ompd_scope_t, ompd_scope_task, ompd_scope_thread};

    macro_rules! kinds {
        ($($name:ident: $scope:ident,)*) => {
            $(
                /// See the handle of this name.
                pub struct $name;

                impl Kind for $name {
                    const SCOPE: ompd_scope_t = $scope;
                }
            )*
        };
    }

    kinds! {
        Thread: ompd_scope_thread,
        Parallel: ompd_scope_parallel,
        Task: ompd_scope_task,
    }
}

/// A thread that the runtime knows.
pub type Thread<'p> = Handle<'p, kind::Thread>;
/// A parallel region.
pub type Parallel<'p> = Handle<'p, kind::Parallel>;
/// A task.
pub type Task<'p> = Handle<'p, kind::Task>;

/// A handle of the library's.
pub struct Handle<'p, K: Kind> {
    process: &'p Process<'p>,
    raw: Raw,
    kind: PhantomData<K>,
}

/// A frame of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// 0 for none.
    pub address: u64,
    /// `ompt_frame_flag_t`.
    pub flag: u64,
}

impl<K: Kind> Drop for Handle<'_, K> {
    fn drop(&mut self) {
        let functions = &self.process.functions;
        let _ = match K::SCOPE {
            ompd_scope_thread => call!(functions, ompd_rel_thread_handle(self.raw)),
            ompd_scope_parallel => call!(functions, ompd_rel_parallel_handle(self.raw)),
            _ => call!(functions, ompd_rel_task_handle(self.raw)),
        };
    }
}

impl<'p, K: Kind> Handle<'p, K> {
    /// Makes a handle from the pointer that `ask` writes.
    pub(crate) fn of(
        process: &'p Process<'p>,
        ask: impl FnOnce(&Functions, *mut Raw) -> Value<()>,
    ) -> Value<Handle<'p, K>> {
        let mut raw = null_mut();
        ask(&process.functions, &mut raw)?;
        match raw.is_null() {
            true => Err(Refusal::of("a function that gave no handle")),
            false => Ok(Handle { process, raw, kind: PhantomData }),
        }
    }

    /// The value that an OMPT tool has set for it.
    pub fn data(&self) -> Value<u64> {
        let (mut value, mut place) = (0, ompd_address_t::default());
        let functions = &self.process.functions;
        call!(functions, ompd_get_tool_data(self.raw, K::SCOPE, &mut value, &mut place))?;
        Ok(value as u64)
    }

    /// An ICV by its name.
    pub fn icv(&self, name: &str) -> Value<i64> {
        self.process.by_name(self.raw, name)
    }

    /// An ICV as a number, and whether the number is the whole value.
    pub fn number(&self, icv: Icv) -> Value<(i64, bool)> {
        self.process.number_of(self.raw, icv)
    }

    /// An ICV as a text.
    pub fn text(&self, icv: Icv) -> Value<String> {
        self.process.text_of(self.raw, icv)
    }
}

/// Defines functions that return another handle: their comments, names and arguments.
macro_rules! others {
    ($(
        $(#[$meta:meta])*
        $name:ident($($argument:ident)?) -> $other:ident by $function:ident;
    )*) => {
        $(
            $(#[$meta])*
            pub fn $name(&self, $($argument: u32)?) -> Value<$other<'p>> {
                Handle::of(self.process, |functions, to| {
                    call!(functions, $function(self.raw, $($argument as c_int,)? to))
                })
            }
        )*
    };
}

/// Whether two handles are of one thing.
macro_rules! compared {
    ($function:ident) => {
        /// Whether the two handles name the same thing.
        pub fn is(&self, other: &Self) -> Value<bool> {
            let mut order: c_int = 1;
            call!(self.process.functions, $function(self.raw, other.raw, &mut order))?;
            Ok(order == 0)
        }
    };
}

impl<'p> Thread<'p> {
    others! {
        /// The innermost region.
        parallel() -> Parallel by ompd_get_curr_parallel_handle;
        /// The task that it executes.
        task() -> Task by ompd_get_curr_task_handle;
    }
    compared!(ompd_thread_handle_compare);

    /// The kernel's number of the thread.
    pub fn lwp(&self) -> Value<u32> {
        let mut id = 0u32;
        self.id(OMPD_THREAD_ID_LWP, 4, (&raw mut id).cast())?;
        Ok(id)
    }

    /// `pthread_self()` of it.
    pub fn pthread(&self) -> Value<u64> {
        let mut own = 0u64;
        self.id(OMPD_THREAD_ID_PTHREAD, 8, (&raw mut own).cast())?;
        Ok(own)
    }

    fn id(&self, kind: ompd_thread_id_t, bytes: ompd_size_t, to: Raw) -> Value<()> {
        call!(self.process.functions, ompd_get_thread_id(self.raw, kind, bytes, to))
    }

    /// State and wait id.
    pub fn state(&self) -> Value<(u32, u64)> {
        let (mut state, mut wait) = (0, 0);
        call!(self.process.functions, ompd_get_state(self.raw, &mut state, &mut wait))?;
        Ok((u32::try_from(state).map_err(|_| Refusal::of("ompd_get_state"))?, wait))
    }
}

impl<'p> Parallel<'p> {
    others! {
        /// The region around it.
        enclosing() -> Parallel by ompd_get_enclosing_parallel_handle;
        /// The thread with a number in it.
        thread(number) -> Thread by ompd_get_thread_in_parallel;
        /// The implicit task of that thread.
        task(number) -> Task by ompd_get_task_in_parallel;
    }
    compared!(ompd_parallel_handle_compare);
}

impl<'p> Task<'p> {
    others! {
        /// The task that met its construct.
        generating() -> Task by ompd_get_generating_task_handle;
        /// The task that its thread interrupted for it.
        scheduling() -> Task by ompd_get_scheduling_task_handle;
        /// The region that it belongs to.
        parallel() -> Parallel by ompd_get_task_parallel_handle;
    }
    compared!(ompd_task_handle_compare);

    /// The frames between its code and the runtime: the one in which the runtime called the code,
    /// and the one in which the code entered the runtime again.
    pub fn frames(&self) -> Value<[Frame; 2]> {
        let (mut exit, mut enter) = (ompd_frame_info_t::default(), ompd_frame_info_t::default());
        call!(self.process.functions, ompd_get_task_frame(self.raw, &mut exit, &mut enter))?;
        Ok([exit, enter].map(|frame| Frame {
            address: frame.frame_address.address,
            flag: frame.frame_flag as u64,
        }))
    }

    /// Its code.
    pub fn function(&self) -> Value<u64> {
        let mut address = ompd_address_t::default();
        call!(self.process.functions, ompd_get_task_function(self.raw, &mut address))?;
        Ok(address.address)
    }
}
