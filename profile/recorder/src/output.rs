//! The output of lines, and the lines that several events share.

use crate::line::Line;
use omphalos_ompt::*;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex as Lock;

/// The size, bytes, of the kept lines at which they are written.
const KEPT: usize = 1 << 20;

/// The tool's output; see the crate.
pub struct Recorder {
    out: Lock<(File, Vec<u8>)>,
}

impl Recorder {
    /// Makes a recorder that writes into a new file. If the file cannot be made, prints the reason.
    pub(crate) fn into_file(path: &Path) -> Option<Recorder> {
        match File::create(path) {
            Ok(file) => Some(Recorder { out: Lock::new((file, Vec::new())) }),
            Err(error) => {
                eprintln!("omphalos-recorder: {}: {error}: nothing is recorded", path.display());
                None
            }
        }
    }

    /// Keeps a line; writes the kept ones once there are many.
    pub(crate) fn write(&self, line: Line) {
        let text = line.text();
        let Ok(mut out) = self.out.lock() else { return };
        let (file, kept) = &mut *out;
        kept.extend_from_slice(text.as_bytes());
        if kept.len() >= KEPT {
            let _ = file.write_all(kept);
            kept.clear();
        }
    }

    /// Writes the kept lines.
    pub(crate) fn flush_out(&self) {
        if let Ok(mut out) = self.out.lock() {
            let (file, kept) = &mut *out;
            let _ = file.write_all(kept);
            kept.clear();
        }
    }

    /// Writes a line for a synchronisation region.
    pub(crate) fn sync(&self, name: &str, event: SyncRegion<'_>) {
        self.write(
            Line::new(name)
                .field("kind", event.kind)
                .field("endpoint", event.endpoint)
                .word("region", event.region)
                .word("task", event.task)
                .address("code", event.codeptr),
        );
    }

    /// Writes a line for a mutex that the thread has or gave up.
    pub(crate) fn mutex(&self, name: &str, event: Mutex<'_>) {
        self.write(
            Line::new(name)
                .field("kind", event.kind)
                .address("wait", event.wait_id)
                .address("code", event.codeptr),
        );
    }

    /// Writes a line for a mutex that the thread makes or wants.
    pub(crate) fn acquire(&self, name: &str, event: MutexAcquire<'_>) {
        self.write(
            Line::new(name)
                .field("kind", event.kind)
                .field("hint", event.hint)
                .address("wait", event.wait_id)
                .address("code", event.codeptr),
        );
    }
}

/// Adds the addresses of a frame.
pub(crate) fn framed(line: Line, frame: Option<Frame>) -> Line {
    let frame = frame.unwrap_or(Frame {
        exit: 0,
        exit_flags: FrameFlags::empty(),
        enter: 0,
        enter_flags: FrameFlags::empty(),
    });
    line.address("exit", frame.exit).address("enter", frame.enter)
}
