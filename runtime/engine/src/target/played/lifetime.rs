//! Tells tools and debuggers of the begin and the end of the devices. The devices begin before the
//! first construct or routine that uses one of them while a tool is attached, and end at the
//! runtime's end.
//!
//! What must hold: no tool is told of anything on a device before all tools are told of its begin.
//! A thread waits for that only for some time: a tool that waits in a callback for another thread's
//! construct would otherwise wait for itself.

use super::{STATE, count};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_events::{DeviceEvent, Event, Kind, SLOTS, active, dispatch_to, inquiry, wants};
use omphalos_sync::process_lock::in_loader;
use omphalos_sys::sections::{self, Code};
use omphalos_sys::thread::own_pthread;
use omphalos_sys::{clock, debugger, futex};
use std::ffi::CString;
use std::sync::Arc;

/// The longest time that a thread waits until another one has told the tools.
const PATIENCE: Duration = Duration::from_secs(10);

/// The section in which GCC's compilers list the code of `target` regions.
const REGIONS: &[u8] = b".gnu.offload_funcs";

const BEFORE: u32 = 0;
const TELLING: u32 = 1;
const BEGUN: u32 = 2;
const ENDED: u32 = 3;

/// The stage of the devices, one of the above; a futex.
static STAGE: AtomicU32 = AtomicU32::new(BEFORE);
/// The thread that tells the tools of the beginning.
static TELLER: AtomicUsize = AtomicUsize::new(0);

/// A piece of code that the devices have, as tools know it.
pub(super) struct Module {
    what: What,
    number: u64,
    is_there: bool,
    /// Whether tools were told that the code is there.
    is_told: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum What {
    /// Code of a file of the process, which the devices execute where it is.
    Files(Code),
    /// An image, of which each device has a copy.
    Image(Arc<Image>),
}

/// An image as tools are told of it.
#[derive(PartialEq, Eq)]
struct Image {
    /// The file that the image came with, by the number that [`super::images::load`] got.
    file: usize,
    /// The file's path, as far as it is known, and the image's place in the file.
    path: Option<CString>,
    offset: i64,
    /// The address of the image's copy on the host.
    at: usize,
    bytes: usize,
    /// The address of the image on each device.
    bases: Vec<usize>,
}

/// Begins the devices, unless they have begun. Called only while a tool is attached.
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
    TELLER.store(own_pthread(), Ordering::Relaxed);
    debugger::device_begin();
    if wants(Kind::Device) {
        for device in 0..count() {
            tell_device(ALL, DeviceEvent::Ready { device });
        }
        tell_of_code();
    }
    STAGE.store(BEGUN, Ordering::Release);
    futex::wake(&STAGE, u32::MAX);
}

fn wait() {
    let end = clock::nanoseconds() + PATIENCE.as_nanos() as u64;
    while STAGE.load(Ordering::Acquire) == TELLING
        && TELLER.load(Ordering::Relaxed) != own_pthread()
    {
        let left = end.saturating_sub(clock::nanoseconds());
        if left == 0 {
            return;
        }
        futex::wait(&STAGE, TELLING, Some(Duration::from_nanos(left)));
    }
}

/// Marks the devices as begun in a forked child, if another thread was telling of their begin.
pub(super) fn after_fork_in_child() {
    let is_teller = TELLER.load(Ordering::Relaxed) == own_pthread();
    if STAGE.load(Ordering::Relaxed) == TELLING && !is_teller {
        STAGE.store(BEGUN, Ordering::Release);
    }
}

const ALL: u8 = u8::MAX;

fn tell_device(slots: u8, event: DeviceEvent) {
    dispatch_to(slots, &Event::Device(event));
}

/// Called when files of the process may have come or gone.
pub(super) fn code_may_have_come() {
    if active() && wants(Kind::Device) && STAGE.load(Ordering::Acquire) == BEGUN {
        tell_of_code();
    }
}

/// Notes that an image came, and is at these addresses on the devices.
pub(super) fn image_came(file: usize, image: &[u8], bases: Vec<usize>) {
    let (at, bytes) = (image.as_ptr() as usize, image.len());
    let (path, offset) = match in_loader(|| sections::place_of(at)) {
        Some((path, offset)) => (Some(path), offset as i64),
        None => (None, -1),
    };
    let image = Arc::new(Image { file, path, offset, at, bytes, bases });
    STATE.with(|state| add(&mut state.modules, What::Image(image)));
    code_may_have_come();
}

/// Notes that the images of this file go.
pub(super) fn image_goes(file: usize) {
    STATE.with(|state| {
        for module in &mut state.modules {
            if matches!(&module.what, What::Image(image) if image.file == file) {
                module.is_there = false;
            }
        }
    });
    code_may_have_come();
}

fn add(known: &mut Vec<Module>, what: What) {
    if !known.iter().any(|module| module.is_there && module.what == what) {
        let number = known.len() as u64 + 1;
        known.push(Module { what, number, is_there: true, is_told: false });
    }
}

/// Tells of the code that came and of the code that went since the latest call. It reads files.
fn tell_of_code() {
    let found = sections::code_beside(in_loader(sections::files), REGIONS);
    let mut news = Vec::new();
    STATE.with(|state| {
        let known = &mut state.modules;
        for module in known.iter_mut().filter(|module| module.is_there) {
            if let What::Files(code) = &module.what {
                module.is_there = found.contains(code);
            }
        }
        found.into_iter().for_each(|code| add(known, What::Files(code)));
        for module in known.iter_mut().filter(|module| module.is_there != module.is_told) {
            module.is_told = module.is_there;
            let what = module.is_there.then(|| module.what.clone());
            news.push((module.number, what));
        }
    });
    for (number, what) in news {
        for device in 0..count() {
            let event = match &what {
                Some(What::Files(code)) => loaded(device, number, code),
                Some(What::Image(image)) => brought(device, number, image),
                None => DeviceEvent::Unload { device, module: number },
            };
            tell_device(ALL, event);
        }
    }
}

/// Returns the event for code that the device executes where the host has it.
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

/// Returns the event for an image of which the device has its own copy.
fn brought(device: i32, number: u64, image: &Image) -> DeviceEvent {
    let base = usize::try_from(device).ok().and_then(|at| image.bases.get(at));
    DeviceEvent::Load {
        device,
        file: image.path.as_ref().map_or(core::ptr::null(), |path| path.as_ptr()),
        offset: image.offset,
        in_file: core::ptr::null_mut(),
        bytes: image.bytes,
        on_host: image.at as *mut _,
        on_device: base.copied().unwrap_or(0) as *mut _,
        module: number,
    }
}

/// Ends the devices, if they began, because the runtime ends.
pub(crate) fn end() {
    if STAGE.swap(ENDED, Ordering::AcqRel) == BEGUN {
        debugger::device_end();
        tell_of_end(ALL);
    }
}

/// Tells the tool in this slot that the devices end.
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
        let there = state.modules.iter().filter(|module| module.is_told);
        there.map(|module| module.number).collect::<Vec<_>>()
    });
    for device in 0..count() {
        for &module in &there {
            tell_device(slots, DeviceEvent::Unload { device, module });
        }
        tell_device(slots, DeviceEvent::Finalize { device });
    }
}
