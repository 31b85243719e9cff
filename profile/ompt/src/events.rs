//! The set of events that a tool asks for.
//!
//! All of OMPT's callbacks are here. Those of target constructs have two forms. A tool here gets
//! the one of OpenMP 5.1, or the older one's contents if a runtime has no other.
#![allow(non_upper_case_globals)]

use core::ffi::c_int;
use omphalos_abi::ompt::*;

macro_rules! set {
    ($($(#[$meta:meta])* $name:ident $fields:tt $(by $hand:ident)? => {
        $($(#[$doc:meta])* $event:ident $method:ident = $number:ident: $signature:ident;)*
    })*) => {
        bitflags::bitflags! {
            /// Events, as a set: a tool costs something only at those that it asks for.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct Events: u64 {
                $($(#[doc = concat!("`", stringify!($number), "`")]
                const $event = 1 << $number;)*)*
                /// `ompt_callback_control_tool`
                const CONTROL_TOOL = 1 << ompt_callback_control_tool;
                /// `ompt_callback_device_finalize`
                const DEVICE_FINALIZE = 1 << ompt_callback_device_finalize;
                /// `ompt_callback_device_unload`
                const DEVICE_UNLOAD = 1 << ompt_callback_device_unload;
            }
        }
    };
}

rows!(set);

impl Events {
    /// Threads, regions and implicit tasks: hardly any tool can do without these.
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

    /// The constructs of devices, and their operations.
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

    /// Returns the number that an event of devices had before OpenMP 5.1.
    pub(crate) fn before_5_1(number: ompt_callbacks_t) -> Option<ompt_callbacks_t> {
        Some(match number {
            ompt_callback_target_emi => ompt_callback_target,
            ompt_callback_target_data_op_emi => ompt_callback_target_data_op,
            ompt_callback_target_submit_emi => ompt_callback_target_submit,
            ompt_callback_target_map_emi => ompt_callback_target_map,
            _ => return None,
        })
    }

    /// Returns OMPT's name for an event's number.
    pub(crate) fn name(number: ompt_callbacks_t) -> &'static str {
        CALLBACKS.iter().find(|known| known.2 == number).map_or("unknown", |known| known.1)
    }
}
