//! What a thread needs to take samples: its chunk buffer, its known stacks, its unwinder.
//!
//! What must hold: whoever calls has taken the sampler ([`Thread::with_sampler`]), so nothing here
//! is entered twice; nothing but [`Sampler::new`] allocates.

use super::rest::Rest;
use super::stacks::Stacks;
use crate::stream;
use crate::thread::Thread;
use crate::unwind::{self, Registers, StackMemory, cache::Cache, walk};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_profile_format::{ChunkWriter, Frames, Full, Record, Stack};

/// A chunk is written at the latest after this time, ns.
pub const FLUSH_EVERY: u64 = 250_000_000;

/// See the module.
pub struct Sampler {
    buffer: &'static mut [u8],
    length: usize,
    /// Samples in the buffer: lost with it where it cannot be written.
    samples: u64,
    stacks: Stacks,
    cache: Cache,
    frames: Box<[u64; unwind::MAX_FRAMES]>,
    /// CPU time of the thread at its last sample, ns.
    pub last_cpu: u64,
    /// Whether the thread sleeps.
    pub rest: Rest,
    /// When the buffer was last written, ticks.
    pub last_flush: u64,
}

impl Sampler {
    /// With a chunk buffer of this many bytes. Allocates.
    pub fn new(buffer: usize) -> Sampler {
        Sampler {
            // SAFETY: bytes.
            buffer: unsafe { crate::memory::zeroed(buffer) },
            length: 0,
            samples: 0,
            stacks: Stacks::default(),
            cache: Cache::default(),
            frames: Box::new([0; unwind::MAX_FRAMES]),
            last_cpu: 0,
            rest: Rest::default(),
            last_flush: crate::clock::ticks(),
        }
    }

    /// Makes it ready for another thread.
    pub fn reset(&mut self) {
        self.length = 0;
        self.samples = 0;
        self.stacks.forget();
        self.last_cpu = cpu_time();
        self.rest = Rest::default();
        self.last_flush = crate::clock::ticks();
    }

    /// Unwinds from `registers`; the id of the stack, 0 where there is none. Its record is in the
    /// buffer. Async-signal-safe.
    pub fn stack(&mut self, thread: &Thread, registers: Registers) -> u64 {
        let memory = readable(thread, registers.sp());
        let count = unwind::modules::with_newest(|modules, readable| {
            let modules = walk::Objects { modules, readable };
            walk::walk(&modules, &mut self.cache, registers, memory, &mut self.frames[..])
        });
        let count = count.unwrap_or_else(|| {
            self.frames[0] = registers.pc();
            1
        });
        let (id, new) = self.stacks.id(self.frames.get(..count).unwrap_or(&[]));
        if new {
            // Split borrow: the frames are read while the buffer is written.
            let pcs = self.frames.get(..count).unwrap_or(&[]);
            let record = Record::from(Stack { stack: id, frames: Frames::Pcs(pcs) });
            if push(self.buffer, &mut self.length, record).is_err() {
                self.flush(thread);
                let pcs = self.frames.get(..count).unwrap_or(&[]);
                let record = Record::from(Stack { stack: id, frames: Frames::Pcs(pcs) });
                let _ = push(self.buffer, &mut self.length, record);
            }
        }
        id
    }

    /// The innermost frame from `registers` on whose code lies in a known object and is `wanted`; `None`
    /// where the walk does not get there. Async-signal-safe.
    pub fn caller(
        &mut self,
        thread: &Thread,
        registers: Registers,
        wanted: impl Fn(u64) -> bool,
    ) -> Option<u64> {
        /// Frames of the runtime and of the agent are few.
        const NEAR: usize = 24;
        let memory = readable(thread, registers.sp());
        unwind::modules::with_newest(|modules, readable| {
            let objects = walk::Objects { modules, readable };
            let frames = &mut self.frames[..NEAR.min(unwind::MAX_FRAMES)];
            let count = walk::walk(&objects, &mut self.cache, registers, memory, frames);
            let found = frames.iter().take(count).copied().find(|address| wanted(*address))?;
            modules.find(found).map(|_| found)
        })?
    }

    /// Puts a record into the buffer, which is written out first if it is full.
    /// Async-signal-safe.
    pub fn push(&mut self, thread: &Thread, record: Record<'_>) {
        if push(self.buffer, &mut self.length, record).is_err() {
            self.flush(thread);
            // A record that fits no empty buffer is not worth more.
            let _ = push(self.buffer, &mut self.length, record);
        }
        if matches!(record, Record::Sample(_)) {
            self.samples += 1;
        }
    }

    /// Writes the buffer out. Before the file exists it is kept as long as it has room, and then
    /// dropped. Async-signal-safe.
    pub fn flush(&mut self, thread: &Thread) {
        self.last_flush = crate::clock::ticks();
        let chunk = ChunkWriter::resume(self.buffer, self.length);
        if !chunk.is_empty() && !stream::write(chunk.seal(thread.index.load(Relaxed))) {
            thread.missed.fetch_add(self.samples, Relaxed);
            self.stacks.forget();
        }
        self.length = 0;
        self.samples = 0;
    }

    /// True where the buffer was not written for long.
    pub fn is_due(&self, now: u64) -> bool {
        crate::clock::ns(now.saturating_sub(self.last_flush)) >= FLUSH_EVERY
    }
}

/// What may be read of a stack whose pointer is `sp`: up to the thread's end, the red zone with it;
/// nothing where the thread runs on another stack than its own (a signal's, a coroutine's).
fn readable(thread: &Thread, sp: u64) -> StackMemory {
    let low = thread.stack_low.load(Relaxed) as u64;
    let high = thread.stack_high.load(Relaxed) as u64;
    if (low..high).contains(&sp) {
        StackMemory { low: sp.saturating_sub(128).max(low) & !7, high }
    } else {
        StackMemory { low: 0, high: 0 }
    }
}

fn push(buffer: &mut [u8], length: &mut usize, record: Record<'_>) -> Result<(), Full> {
    let mut writer = ChunkWriter::resume(buffer, *length);
    writer.push(record)?;
    *length = writer.length();
    Ok(())
}

/// CPU time of the calling thread, ns. Async-signal-safe.
pub fn cpu_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours, the clock exists for every thread.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
