//! Registers callbacks: it knows those that exist, how often their events are told, and the
//! engine's event that causes each.

use super::device;
use super::tool::{Phase, tool};
use super::translate::ROWS;
use crate::{compilers::Compiler, search};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::{Kind, inquiry};

/// The answer to a registration, and the event that causes the callback.
///
/// `Always`: the engine has the event wherever the specification has it. `NotBy`: the same, unless
/// the process has code of this compiler, which leaves some events out. `Sometimes`: there are
/// places where the event is left out; a comment beside the entry names them. `OnlyBy`: sometimes
/// if the process has code of this compiler, else never. `Never`: accepted, because a portable tool
/// registers every callback that it knows. `OfDevices`: always for devices that this runtime plays,
/// sometimes if there is a library that has devices, else never.
#[derive(Clone, Copy)]
pub(super) enum Delivery {
    Always(Kind),
    NotBy(Compiler, Kind),
    Sometimes(Kind),
    OnlyBy(Compiler, Kind),
    OfDevices(Kind),
    Never,
}

use Compiler::Clang;
use Delivery::{Always, Never, NotBy, OfDevices, OnlyBy, Sometimes};

/// The rows of callbacks that are not in the [table](super::translate).
const OTHERS: [(ompt_callbacks_t, Delivery); 14] = [
    (ompt_callback_control_tool, Always(Kind::Control)),
    // If the bounds of a loop are computed in line, its chunks are told all at once, when its
    // iterations begin.
    (ompt_callback_dispatch, Sometimes(Kind::Dispatch)),
    // Clang without a device calls the region of a target construct in line.
    (ompt_callback_target, NotBy(Clang, Kind::Target)),
    (ompt_callback_target_emi, NotBy(Clang, Kind::Target)),
    (ompt_callback_target_submit, Sometimes(Kind::TargetSubmit)),
    (ompt_callback_target_submit_emi, Sometimes(Kind::TargetSubmit)),
    // Clang's code tells its maps only to LLVM's library of devices, which tells no tool of them.
    (ompt_callback_target_map, OnlyBy(Compiler::Gcc, Kind::TargetMap)),
    (ompt_callback_target_map_emi, OnlyBy(Compiler::Gcc, Kind::TargetMap)),
    (ompt_callback_target_data_op, NotBy(Clang, Kind::TargetDataOp)),
    (ompt_callback_target_data_op_emi, NotBy(Clang, Kind::TargetDataOp)),
    (ompt_callback_device_initialize, OfDevices(Kind::Device)),
    (ompt_callback_device_finalize, OfDevices(Kind::Device)),
    (ompt_callback_device_load, OfDevices(Kind::Device)),
    (ompt_callback_device_unload, OfDevices(Kind::Device)),
];

/// The delivery of each callback, by its number; 0 is none.
static DELIVERY: [Delivery; CALLBACK_LIMIT] = {
    let mut table = [Never; CALLBACK_LIMIT];
    let mut at = 0;
    while at < ROWS.len() + OTHERS.len() {
        let row = if at < ROWS.len() { ROWS[at] } else { OTHERS[at - ROWS.len()] };
        table[row.0 as usize] = row.1;
        at += 1;
    }
    table
};

/// `ompt_set_callback`. Allowed from the start of the initializer to the tool's end; afterwards it
/// returns an error. Not async-signal-safe.
pub fn set(slot: usize, number: ompt_callbacks_t, function: Option<ompt_callback_t>) -> c_int {
    let known = usize::try_from(number).ok().filter(|&n| n > 0 && n < CALLBACK_LIMIT);
    let Some(number) = known else { return ompt_set_error };
    let tool = tool(slot);
    if !matches!(tool.phase(), Phase::Initialising | Phase::Active) {
        return ompt_set_error;
    }
    let address = function.map_or(0, |f| f as usize);
    let kind = DELIVERY[number].kind();
    tool.register(slot, number, address, kind);
    if address == 0 {
        forget(slot, kind);
        // Removing a callback always works.
        return ompt_set_always;
    }
    answer(number)
}

/// Returns how often the event of this number is told.
pub fn answer(number: usize) -> ompt_set_result_t {
    match DELIVERY[number] {
        Always(_) => ompt_set_always,
        NotBy(compiler, _) if !compiler.is_here() => ompt_set_always,
        NotBy(..) | Sometimes(_) => ompt_set_sometimes,
        OnlyBy(compiler, _) if compiler.is_here() || has_devices() => ompt_set_sometimes,
        OfDevices(_) if has_devices() => ompt_set_always,
        OfDevices(_) if devices_may_come() => ompt_set_sometimes,
        OnlyBy(..) | OfDevices(_) | Never => ompt_set_never,
    }
}

/// Returns the kinds of the events with these numbers (bits).
pub fn kinds_of(numbers: u64) -> u64 {
    let of = |number: &usize| numbers & 1 << number != 0;
    (1..CALLBACK_LIMIT).filter(of).fold(0, |all, number| all | DELIVERY[number].kind())
}

impl Delivery {
    /// Returns the kind of the event that causes the callback.
    const fn kind(self) -> u64 {
        match self {
            Always(kind) | NotBy(_, kind) | Sometimes(kind) | OnlyBy(_, kind) | OfDevices(kind) => {
                kind.bit()
            }
            Never => 0,
        }
    }
}

/// Unsubscribes the tool from those of these kinds that it does not need any more: it has removed a
/// callback, or stopped a trace.
fn forget(slot: usize, kinds: u64) {
    let tool = tool(slot);
    let traced = device::kinds(slot);
    let needed = (1..CALLBACK_LIMIT)
        .filter(|&number| tool.callback(number) != 0)
        .fold(traced, |all, number| all | DELIVERY[number].kind());
    tool.forget_kinds(slot, kinds & !needed);
}

/// Subscribes the tool to the kinds that it needs after a trace began or ended.
pub fn subscribe_anew(slot: usize) {
    let (tool, traced) = (tool(slot), device::kinds(slot));
    // An event that is recorded has to come to this dialect, not only to the callback.
    let is_of_region = |number: &usize| device::regions::NUMBERS & 1 << number != 0;
    let has = |number: &usize| tool.callback(*number) != 0;
    for number in (1..CALLBACK_LIMIT).filter(is_of_region).filter(has) {
        tool.register(slot, number, tool.callback(number), DELIVERY[number].kind());
    }
    tool.want(slot, traced);
    forget(slot, device::OF_CONSTRUCTS | kinds_of(device::regions::NUMBERS));
}

/// Whether this runtime plays devices.
fn has_devices() -> bool {
    inquiry().is_some_and(|engine| (engine.played_devices)() != 0)
}

/// Whether the process has LLVM's library of devices, by the function that only it has.
fn devices_may_come() -> bool {
    search::in_address_space(c"ompt_libomptarget_connect", core::ptr::null()).is_some()
}

/// `ompt_get_callback`: the registered function, `None` if there is none.
pub fn get(slot: usize, number: ompt_callbacks_t) -> Option<ompt_callback_t> {
    let address = tool(slot).callback(usize::try_from(number).ok()?);
    // SAFETY: only `set` stores here, and only a callback or 0, which is `None`.
    unsafe { core::mem::transmute::<usize, Option<ompt_callback_t>>(address) }
}
