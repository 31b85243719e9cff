//! Reports a fault in a region's code: one line names the construct before the process ends by the
//! signal.
//!
//! What must hold: the report is written in a signal handler. It takes no lock and allocates
//! nothing. If another program watches this one from outside (`watch.rs`), that program reports the
//! fault.

use super::watch;
use crate::records::Thread;
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_sys::faults::{Fault, Room, report_with};
use omphalos_sys::mapped_file::Memory;
use omphalos_sys::stderr;

/// Makes faults in regions be reported from this call on, unless other code handles these signals.
#[inline(always)]
pub(super) fn will_be_told() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.load(Ordering::Relaxed) {
        begin(&DONE);
    }
}

#[cold]
fn begin(done: &AtomicBool) {
    if !done.swap(true, Ordering::Relaxed) && !watch::is_watched() {
        report_with(say);
    }
}

#[cold]
fn say(fault: &Fault, room: &mut Room) {
    let Some((device, called, site)) = Thread::known().and_then(Thread::region_on_device) else {
        return;
    };
    let mut line = Line { bytes: &mut room.line, length: 0 };
    // The write fails if the line is full: then the begin of the line is enough.
    let _ = write!(line, "omphalos: target on device {device}, ");
    if !site.is_some_and(|site| (site.write)(site.location, &mut line)) {
        let _ = line.write_str("called before ");
        let _ = place(&mut line, &mut room.memory, called as usize);
    }
    let _ = match (fault.is_own, fault.name) {
        (false, name) => write!(line, ": {name} was sent"),
        (true, name @ ("SIGSEGV" | "SIGBUS")) => {
            write!(line, ": {name}, the region's code uses address {:#x}", fault.address)
        }
        (true, name) => {
            let _ = write!(line, ": {name} at ");
            place(&mut line, &mut room.memory, fault.address)
        }
    };
    let _ = line.write_str("; the program ends here\n");
    let Line { bytes, length } = line;
    bytes[length - 1] = b'\n';
    stderr::raw(&bytes[..length]);
}

/// Writes an instruction's address by file, offset and function.
#[cold]
fn place(line: &mut Line<'_>, memory: &mut Memory, address: usize) -> fmt::Result {
    let Some(found) = memory.find(address) else { return write!(line, "{address:#x}") };
    let file = found.path.rsplit('/').next().unwrap_or("");
    write!(line, "{file}+{:#x}", found.address)?;
    if found.function.is_empty() { Ok(()) } else { write!(line, " in {}", found.function) }
}

/// A line that is being written. Text for which there is no room is left out.
struct Line<'a> {
    bytes: &'a mut [u8],
    length: usize,
}

impl Write for Line<'_> {
    #[cold]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let fits = text.len().min(room.len());
        room[..fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.length += fits;
        if fits == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
