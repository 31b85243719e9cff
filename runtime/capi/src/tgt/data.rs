//! `target data`, `target enter data`, `target exit data`, `target update`.

use super::arrays::Arrays;
use super::flags::{OR_NULL, RETURN};
use super::images;
use super::lists::{List, Use};
use super::on::On;
use crate::shared::device::chosen;
use crate::shared::location::Ident;
use core::ffi::{c_char, c_int, c_void};
use omphalos_engine::target::played;
use omphalos_engine::{Caller, Thread, caller};
use omphalos_events::TargetKind;

/// Executes one of these constructs. On the host there is nothing to do: the data stays where it
/// is.
///
/// # Safety
/// LLVM's code passes arrays as they say, and a location or null.
unsafe fn data(location: *const Ident, device: i64, kind: TargetKind, arrays: Arrays, by: Caller) {
    if played::may_be_any() {
        played::watch::located(location.cast());
    }
    let Some(device) = chosen(number(device)) else { return };
    let thread = Thread::current();
    // SAFETY: the caller's promise.
    played::construct(thread, kind, device, by, |shown| unsafe {
        let on = On { device, kind, location, caller: by };
        let of = match kind {
            TargetKind::EnterData | TargetKind::EnterDataNowait => Use::Begin,
            TargetKind::ExitData | TargetKind::ExitDataNowait => Use::End,
            _ => Use::Update,
        };
        let list = List::of(&arrays, of, images::share_memory());
        let tell = || {
            if let Some(construct) = shown {
                arrays.tell_copies(construct, device);
            }
        };
        if of != Use::Begin {
            tell();
        }
        match of {
            Use::Begin => {
                let mapping = on.begin(&list);
                tell();
                give_back(&arrays, &list, &mapping.arguments);
            }
            Use::End | Use::Update => {
                let passed = on.or_end(&list, |table, memory| match of {
                    Use::End => table.exit(memory, &list.items),
                    _ => table.update(memory, &list.items),
                });
                if let Some(fault) = passed {
                    on.warn(format_args!("{}: {fault}", list.name(fault.item())));
                }
            }
        }
    });
}

/// Converts a device number. A number beyond an `int` becomes one that no device has.
pub fn number(device: i64) -> c_int {
    c_int::try_from(device).unwrap_or(c_int::MAX)
}

/// Writes the counterparts' addresses in place of the bases of the items that ask for them.
///
/// # Safety
/// The array of bases is the program's to be written.
unsafe fn give_back(arrays: &Arrays, list: &List, addresses: &[usize]) {
    for (at, &place) in list.places.iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe {
            let argument = arrays.get(at);
            if !argument.has(RETURN) {
                continue;
            }
            let there = addresses[place];
            let base = argument.pointed_base();
            let missing = there == argument.begin && argument.has(OR_NULL);
            let value = there.wrapping_sub(argument.begin.wrapping_sub(base));
            *arrays.bases.add(at) = if missing { 0 } else { value } as *mut c_void;
        }
    }
}

// LLVM's code calls a `nowait` entry in a task of its own. The arguments that it passes behind
// these are that task's dependences, which nothing here needs.
macro_rules! entries {
    ($($plain:ident, $named:ident: $kind:ident;)*) => { $(
        unsafe extern "C" fn $plain(
            device: i64,
            count: i32,
            bases: *mut *mut c_void,
            begins: *const *mut c_void,
            sizes: *const i64,
            types: *const u64,
        ) {
            let by = caller();
            let arrays = Arrays::new(count, bases, begins, sizes, types);
            // SAFETY: LLVM's code keeps to its interface.
            unsafe { data(core::ptr::null(), device, TargetKind::$kind, arrays, by) };
        }

        unsafe extern "C" fn $named(
            location: *const Ident,
            device: i64,
            count: i32,
            bases: *mut *mut c_void,
            begins: *const *mut c_void,
            sizes: *const i64,
            types: *const u64,
            names: *const *const c_char,
            mappers: *const *const c_void,
        ) {
            let by = caller();
            let plain = Arrays::new(count, bases, begins, sizes, types);
            let arrays = Arrays { names, mappers, ..plain };
            // SAFETY: as above.
            unsafe { data(location, device, TargetKind::$kind, arrays, by) };
        }
    )* };
}

entries! {
    begin, begin_mapper: EnterData;
    begin_nowait, begin_nowait_mapper: EnterDataNowait;
    end, end_mapper: ExitData;
    end_nowait, end_nowait_mapper: ExitDataNowait;
    update, update_mapper: Update;
    update_nowait, update_nowait_mapper: UpdateNowait;
}

omphalos_sys::entries! {
    /// `target data` or `target enter data` begins.
    omphalos__tgt_target_data_begin => begin;
    /// The same, with names and mappers.
    omphalos__tgt_target_data_begin_mapper => begin_mapper;
    /// With `nowait`.
    omphalos__tgt_target_data_begin_nowait => begin_nowait;
    /// With `nowait`, names and mappers.
    omphalos__tgt_target_data_begin_nowait_mapper => begin_nowait_mapper;
    /// `target data` ends, or `target exit data`.
    omphalos__tgt_target_data_end => end;
    /// The same, with names and mappers.
    omphalos__tgt_target_data_end_mapper => end_mapper;
    /// With `nowait`.
    omphalos__tgt_target_data_end_nowait => end_nowait;
    /// With `nowait`, names and mappers.
    omphalos__tgt_target_data_end_nowait_mapper => end_nowait_mapper;
    /// `target update`.
    omphalos__tgt_target_data_update => update;
    /// The same, with names and mappers.
    omphalos__tgt_target_data_update_mapper => update_mapper;
    /// With `nowait`.
    omphalos__tgt_target_data_update_nowait => update_nowait;
    /// With `nowait`, names and mappers.
    omphalos__tgt_target_data_update_nowait_mapper => update_nowait_mapper;
}
