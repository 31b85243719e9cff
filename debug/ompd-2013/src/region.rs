//! Parallel regions.

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::{Held, Kind};

use crate::{held, put, put_handle};

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident($to:ty) => $ask:expr;)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// `val` is null or points to a place for it.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                context: *mut ompd_context_t,
                parallel_handle: ompd_parallel_handle_t,
                val: *mut $to,
            ) -> ompd_rc_t {
                // SAFETY: the caller's promise.
                unsafe { put(context, Kind::Parallel, parallel_handle, val, $ask) }
            }
        )*
    };
}

numbers! {
    /// Threads in the region.
    ompd_get_num_threads(ompd_tword_t) => |region: &Held| Ok(region.size()?.into());
    /// Regions around it, itself included.
    ompd_get_level(ompd_tword_t) => |region: &Held| Ok(region.level()?.into());
    /// Those of them with more than one thread.
    ompd_get_active_level(ompd_tword_t) => |region: &Held| Ok(region.active_level()?.into());
    /// What OMPT of 2013 calls the region, if it began while that was kept.
    ompd_get_parallel_id(ompd_parallel_id_t) => Held::id_of_parallel;
    /// The region's code.
    ompd_get_parallel_function(ompd_taddr_t) => Held::code_of_parallel;
}

macro_rules! handles {
    ($($(#[$meta:meta])* $name:ident($kind:ident) => $ask:expr;)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// `to` is null or points to a place for the handle.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                context: *mut ompd_context_t,
                handle: u64,
                to: *mut u64,
            ) -> ompd_rc_t {
                // SAFETY: the caller's promise.
                unsafe { put_handle(to, || $ask(&held(context, Kind::$kind, handle)?)) }
            }
        )*
    };
}

handles! {
    /// The innermost region of a thread.
    ompd_get_innermost_parallel_region(Thread) => Held::current_parallel;
    /// The other name of [`ompd_get_innermost_parallel_region`].
    ompd_get_top_parallel_region(Thread) => Held::current_parallel;
    /// The region around a region.
    ompd_get_enclosing_parallel_handle(Parallel) => Held::enclosing;
    /// The other name of [`ompd_get_enclosing_parallel_handle`].
    ompd_get_ancestor_parallel_handle(Parallel) => Held::enclosing;
    /// The task that a thread executes.
    ompd_get_top_task_region(Thread) => Held::current_task;
    /// The task that a task was made by, or that met the region of an implicit one.
    ompd_get_ancestor_task_handle(Task) => Held::generating;
}
