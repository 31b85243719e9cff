//! When the devices begin and end, for tools and debuggers: before the first construct or routine
//! that uses one of them while a tool is there, and at the runtime's end.
//!
//! What must hold: no tool hears of anything on a device before all have heard of its beginning.
//! Not for ever: a tool that waits in a callback for another thread's construct would wait for
//! itself.

use super::{STATE, count};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_events::{DeviceEvent, Event, Kind, SLOTS, active, dispatch_to, inquiry, wants};
use omphalos_sys::sections::{self, Code};
use omphalos_sys::thread::own;
use omphalos_sys::{clock, debugger, futex};

/// How long a thread waits until another one has told the tools.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where GCC's compilers list the code of `target` regions.
const REGIONS: &[u8] = b".gnu.offload_funcs";

const BEFORE: u32 = 0;
const TELLING: u32 = 1;
const BEGUN: u32 = 2;
const ENDED: u32 = 3;

/// How far it is; a futex.
static STAGE: AtomicU32 = AtomicU32::new(BEFORE);
/// The thread that tells the tools of the beginning.
static TELLER: AtomicUsize = AtomicUsize::new(0);

/// A file's code, which the devices execute where it is.
pub(super) struct Module {
    code: Code,
    number: u64,
    is_there: bool,
}

/// The devices begin, if they did not. Only where a tool is active.
pub(crate) fn begin() {
    if STAGE.load(Ordering::Acquire) < BEGUN {
        begin_now();
    }
}

#[cold]
fn begin_now() {
    let first = STAGE.compare_exchange(BEFORE, TELLING, Ordering::AcqRel, Ordering::Acquire);
    if first.is_err() {
        return wait();
    }
    TELLER.store(own(), Ordering::Relaxed);
    debugger::device_begin();
    if wants(Kind::Device) {
        for device in 0..count() {
            tell(ALL, DeviceEvent::Ready { device });
        }
        tell_of_code();
    }
    STAGE.store(BEGUN, Ordering::Release);
    futex::wake(&STAGE, u32::MAX);
}

fn wait() {
    let end = clock::nanoseconds() + PATIENCE.as_nanos() as u64;
    while STAGE.load(Ordering::Acquire) == TELLING && TELLER.load(Ordering::Relaxed) != own() {
        let left = end.saturating_sub(clock::nanoseconds());
        if left == 0 {
            return;
        }
        futex::wait(&STAGE, TELLING, Some(Duration::from_nanos(left)));
    }
}

const ALL: u8 = u8::MAX;

fn tell(slots: u8, event: DeviceEvent) {
    dispatch_to(slots, &Event::Device(event));
}

/// Files came or went.
pub(super) fn code_may_have_come() {
    if active() && wants(Kind::Device) && STAGE.load(Ordering::Acquire) == BEGUN {
        tell_of_code();
    }
}

/// Tells of the code that came since, and of that which went. It reads files.
fn tell_of_code() {
    let found = sections::code_beside(REGIONS);
    let mut news = Vec::new();
    STATE.with(|state| {
        let known = &mut state.modules;
        for module in known.iter_mut().filter(|module| module.is_there) {
            module.is_there = found.contains(&module.code);
            if !module.is_there {
                news.push((module.number, None));
            }
        }
        for code in found {
            if !known.iter().any(|module| module.is_there && module.code == code) {
                let number = known.len() as u64 + 1;
                news.push((number, Some(code.clone())));
                known.push(Module { code, number, is_there: true });
            }
        }
    });
    for (number, code) in news {
        for device in 0..count() {
            let event = match &code {
                Some(code) => loaded(device, number, code),
                None => DeviceEvent::Unload { device, module: number },
            };
            tell(ALL, event);
        }
    }
}

/// The device executes the code where the host has it.
fn loaded(device: i32, module: u64, code: &Code) -> DeviceEvent {
    DeviceEvent::Load {
        device,
        file: code.path.as_ptr(),
        offset: code.offset as i64,
        in_file: code.in_file as *mut _,
        bytes: code.bytes,
        on_host: code.at as *mut _,
        on_device: code.at as *mut _,
        module,
    }
}

/// They end, if they began: the runtime ends.
pub(crate) fn end() {
    if STAGE.swap(ENDED, Ordering::AcqRel) == BEGUN {
        debugger::device_end();
        tell_of_end(ALL);
    }
}

/// To the tool in this slot they end.
pub(crate) fn tool_leaves(slot: usize) {
    if slot < SLOTS && STAGE.load(Ordering::Acquire) == BEGUN {
        tell_of_end(1 << slot);
    }
}

fn tell_of_end(slots: u8) {
    if inquiry().is_none() || !wants(Kind::Device) {
        return;
    }
    let there = STATE.with(|state| {
        let there = state.modules.iter().filter(|module| module.is_there);
        there.map(|module| module.number).collect::<Vec<_>>()
    });
    for device in 0..count() {
        for &module in &there {
            tell(slots, DeviceEvent::Unload { device, module });
        }
        tell(slots, DeviceEvent::Finalize { device });
    }
}
