//! The set of events that a tool asks for.
//!
//! All of OMPT's callbacks are here. Those of target constructs have two forms. A tool here gets
//! the one of OpenMP 5.1, or the older one's contents if a runtime has no other.
#![allow(non_upper_case_globals)]

use core::ffi::c_int;
use omphalos_abi::ompt::*;

macro_rules! events {
    ($($name:ident = $number:ident,)*) => {
        bitflags::bitflags! {
            /// Events, as a set: a tool costs something only at those that it asks for.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct Events: u64 {
                $(#[doc = concat!("`", stringify!($number), "`")] const $name = 1 << $number;)*
            }
        }
    };
}

events! {
    THREAD_BEGIN = ompt_callback_thread_begin,
    THREAD_END = ompt_callback_thread_end,
    PARALLEL_BEGIN = ompt_callback_parallel_begin,
    PARALLEL_END = ompt_callback_parallel_end,
    TASK_CREATE = ompt_callback_task_create,
    TASK_SCHEDULE = ompt_callback_task_schedule,
    IMPLICIT_TASK = ompt_callback_implicit_task,
    CONTROL_TOOL = ompt_callback_control_tool,
    DEVICE_INITIALIZE = ompt_callback_device_initialize,
    DEVICE_FINALIZE = ompt_callback_device_finalize,
    DEVICE_LOAD = ompt_callback_device_load,
    DEVICE_UNLOAD = ompt_callback_device_unload,
    SYNC_REGION_WAIT = ompt_callback_sync_region_wait,
    MUTEX_RELEASED = ompt_callback_mutex_released,
    DEPENDENCES = ompt_callback_dependences,
    TASK_DEPENDENCE = ompt_callback_task_dependence,
    WORK = ompt_callback_work,
    MASKED = ompt_callback_masked,
    SYNC_REGION = ompt_callback_sync_region,
    LOCK_INIT = ompt_callback_lock_init,
    LOCK_DESTROY = ompt_callback_lock_destroy,
    MUTEX_ACQUIRE = ompt_callback_mutex_acquire,
    MUTEX_ACQUIRED = ompt_callback_mutex_acquired,
    NEST_LOCK = ompt_callback_nest_lock,
    FLUSH = ompt_callback_flush,
    CANCEL = ompt_callback_cancel,
    REDUCTION = ompt_callback_reduction,
    DISPATCH = ompt_callback_dispatch,
    TARGET = ompt_callback_target_emi,
    TARGET_DATA_OP = ompt_callback_target_data_op_emi,
    TARGET_SUBMIT = ompt_callback_target_submit_emi,
    TARGET_MAP = ompt_callback_target_map_emi,
    ERROR = ompt_callback_error,
}

impl Events {
    /// Threads, regions and implicit tasks: what hardly any tool can do without.
    pub const STRUCTURE: Events = Events::THREAD_BEGIN
        .union(Events::THREAD_END)
        .union(Events::PARALLEL_BEGIN)
        .union(Events::PARALLEL_END)
        .union(Events::IMPLICIT_TASK);

    /// Acquiring and releasing mutexes of all kinds.
    pub const MUTEX: Events = Events::MUTEX_ACQUIRE
        .union(Events::MUTEX_ACQUIRED)
        .union(Events::MUTEX_RELEASED)
        .union(Events::NEST_LOCK);

    /// The constructs of devices, and what they come to.
    pub const DEVICES: Events = Events::DEVICE_INITIALIZE
        .union(Events::DEVICE_FINALIZE)
        .union(Events::DEVICE_LOAD)
        .union(Events::DEVICE_UNLOAD)
        .union(Events::TARGET)
        .union(Events::TARGET_DATA_OP)
        .union(Events::TARGET_SUBMIT)
        .union(Events::TARGET_MAP);

    /// The numbers of the events in the set, ascending.
    pub(crate) fn numbers(self) -> impl Iterator<Item = ompt_callbacks_t> {
        (1..64).filter(move |number: &c_int| self.bits() & (1 << number) != 0)
    }

    /// The number that an event of devices had before OpenMP 5.1.
    pub(crate) fn before_5_1(number: ompt_callbacks_t) -> Option<ompt_callbacks_t> {
        Some(match number {
            ompt_callback_target_emi => ompt_callback_target,
            ompt_callback_target_data_op_emi => ompt_callback_target_data_op,
            ompt_callback_target_submit_emi => ompt_callback_target_submit,
            ompt_callback_target_map_emi => ompt_callback_target_map,
            _ => return None,
        })
    }

    /// The name that OMPT has for an event's number.
    pub(crate) fn name(number: ompt_callbacks_t) -> &'static str {
        CALLBACKS.iter().find(|known| known.2 == number).map_or("unknown", |known| known.1)
    }
}
