//! Devices (`OMPHALOS_DEVICES`), as constructs of either interface use them: finds the device that
//! a construct means, and writes the message if the device cannot carry out its part.
//!
//! A fault of the program's ends it, as on other devices: otherwise it would go on with data that
//! is not there.

use core::ffi::c_int;
use core::fmt;
use omphalos_engine::Thread;
use omphalos_engine::target::{devices, played};
use omphalos_events::TargetKind;
use omphalos_mapping::Fault;
use omphalos_settings::{self as icv, TargetOffload};
use omphalos_sys::message;

/// The number that compilers pass if the clause `if` is false: the host.
const HOST_FALLBACK: c_int = -2;

/// Returns the device that a construct asks for; `None` for the host, and if there is only the
/// host.
#[inline(always)]
pub fn chosen(device: c_int) -> Option<c_int> {
    if played::may_be_any() { choose(device) } else { None }
}

#[cold]
fn choose(device: c_int) -> Option<c_int> {
    let thread = Thread::current();
    if played::current(thread).is_some() {
        // A construct inside a region on a device stays there.
        return None;
    }
    let is_default = matches!(device, -1 | -5);
    let number = if is_default { thread.task().icvs().default_device } else { device };
    if played::is_device(number) {
        return Some(number);
    }
    let is_host = device == HOST_FALLBACK || devices::is_host(number);
    if !is_host {
        played::watch::no_device(number);
    }
    if !is_host && icv::settings().target_offload() == TargetOffload::Mandatory {
        let there = match played::count() {
            0 => String::from("none is there"),
            count => format!("0 to {} are there", count - 1),
        };
        fatal(format_args!(
            "OMP_TARGET_OFFLOAD is mandatory and there is no device {number}: {there}"
        ));
    }
    None
}

/// Ends the program.
pub fn fatal(text: fmt::Arguments<'_>) -> ! {
    message!("{text}; the program ends here");
    omphalos_sys::process::exit(1)
}

/// Returns the name of a construct in messages.
fn name(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Target | TargetKind::TargetNowait => "target",
        TargetKind::EnterData | TargetKind::EnterDataNowait => "target enter data or target data",
        TargetKind::ExitData | TargetKind::ExitDataNowait => "target exit data or target data",
        TargetKind::Update | TargetKind::UpdateNowait => "target update",
    }
}

/// Writes that a construct is wrong (`what`), its place (`at`), and that the program ends.
pub fn say(kind: TargetKind, device: c_int, at: &dyn fmt::Display, what: fmt::Arguments<'_>) {
    message!("{} on device {device}, {at}: {what}; the program ends here", name(kind));
}

/// As [`say`], and ends the program.
pub fn end(kind: TargetKind, device: c_int, at: &dyn fmt::Display, what: fmt::Arguments<'_>) -> ! {
    say(kind, device, at, what);
    omphalos_sys::process::exit(1)
}

/// Writes that a part of a construct is wrong, and left out.
pub fn warn(kind: TargetKind, device: c_int, at: &dyn fmt::Display, what: fmt::Arguments<'_>) {
    message!("{} on device {device}, {at}: {what}; nothing is copied", name(kind));
}

/// Returns the result of the device's work. `Err` has a text that says why there is none; `item`
/// names the item of the list that is to blame.
pub fn done<R, I: fmt::Display>(
    result: Option<Result<R, Fault>>,
    item: impl FnOnce(usize) -> I,
) -> Result<R, String> {
    match result {
        Some(Ok(result)) => Ok(result),
        Some(Err(fault)) => {
            played::watch::fault(&fault);
            Err(format!("{}: {fault}", item(fault.item())))
        }
        None => Err(String::from("there is no such device")),
    }
}
