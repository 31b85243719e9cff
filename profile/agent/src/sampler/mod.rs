//! The things that a thread needs to take samples: its chunk buffer, its known stacks, its
//! unwinder.
//!
//! | file | what |
//! |---|---|
//! | `buffer` | the chunk that is filled |
//! | `points` | the moments of a thread's life that its samples stand for |
//! | `stacks` | the stacks that were written already |
//! | `bounds` | the range of its stack |
//! | `times` | how long the thread ran, slept, and waited for a processor |
//! | `outside` | a sleeping thread as it is seen from outside |
//! | `whereabouts` | on which CPUs the thread ran, and may run |
//!
//! What must hold: the caller has taken the sampler (`Thread::with_sampler`), so nothing here is
//! entered twice; only [`Sampler::new`] allocates.

pub mod bounds;
mod buffer;
pub mod outside;
pub mod points;
mod stacks;
mod times;
mod whereabouts;

use crate::counting::{Counting, Place};
use crate::python::{self, OwnLine, Python, Whose};
use crate::sched::Times;
use crate::unwind::{self, Registers, StackMemory, cache::Cache, walk};
use buffer::Buffer;
use omphalos_profile_format::module_flag;
use omphalos_profile_format::{CounterDifference, Frames, Record, Stack};
use points::Points;
use stacks::Stacks;
pub use times::SHORTEST_UNSEEN;
use whereabouts::Whereabouts;

/// The time, ns, after which a chunk is written at the latest.
const FLUSH_EVERY: u64 = 250_000_000;
/// The time, ns, after which the first chunk is written; it doubles with each further one.
const FIRST_FLUSH: u64 = 25_000_000;

/// The thread that samples belong to.
#[derive(Clone, Copy, Default)]
pub struct Sampled {
    /// The agent's index of the thread.
    pub index: u32,
    /// Its number in the kernel.
    pub os_tid: i32,
    /// Its stack's lowest address, and one past its highest: no memory outside is read.
    pub stack: (u64, u64),
    /// Its `pthread_self()`.
    pub own: u64,
    /// The open file of its times.
    pub times: Option<Times>,
    /// Whether the agent has tried to open that file: the system may refuse.
    pub opened: bool,
}

/// The sampler of one thread.
pub struct Sampler {
    whose: Sampled,
    /// The number of samples that the thread took, the lost ones included.
    pub taken: u64,
    /// The number of samples that could not be written.
    pub lost: u64,
    buffer: Buffer,
    /// The number of samples in the buffer, which are lost with it if it cannot be written.
    samples: u64,
    stacks: Stacks,
    cache: Cache,
    frames: Box<[u64; unwind::MAX_FRAMES]>,
    /// The stack pointer of each frame.
    pointers: Box<[u64; unwind::MAX_FRAMES]>,
    python: Python,
    /// The CPU time of the thread at its last sample, ns, and the time of that sample, ticks.
    last_cpu: (u64, u64),
    /// How long the thread had waited for a processor until its last sample, ns since its begin.
    last_queued: u64,
    /// The part of `last_queued` that is not yet in a record, ns.
    unsaid_queued: u64,
    /// The number of times that it had left its processor by itself, and that it had been taken off
    /// it, when the agent last asked; none if not known.
    switches: Option<[u64; 2]>,
    /// Its ticks off the processor in calls since its last sample.
    pub off_cpu: u64,
    /// The moments that its samples stand for.
    pub points: Points,
    /// The place where the watcher last found the thread asleep, the begin of its marked call, and
    /// the stack.
    pub asleep: Option<(outside::Asleep, u64, u64)>,
    /// The last system call of the program's own in which the watcher found the thread asleep, and
    /// when; none where the thread did something since.
    pub slept: Option<Slept>,
    /// State and stack of the last sample: at the end it gets the moments that no other sample
    /// took.
    pub last: Option<(u32, u64)>,
    /// Whether records say which memory a sample's instruction uses, or that it uses none.
    pub said_memory: bool,
    /// The CPUs that it ran on.
    whereabouts: Whereabouts,
    /// The thread's counters, if they are asked for.
    counting: Option<Box<Counting>>,
    /// When the buffer was last written, ticks.
    pub last_flush: u64,
    /// The time after which it is written again, ns.
    pause: u64,
}

/// A look that found the thread asleep in a system call that the program made without a function of
/// the agent's (`interpose`) in between.
#[derive(Clone, Copy)]
pub struct Slept {
    /// The call's number.
    pub call: i64,
    /// `ompt_state_t`.
    pub state: u32,
    /// The stack on which it slept.
    pub stack: u64,
    /// Whether it slept in a region.
    pub in_region: bool,
    /// When the look was, ticks of the clock.
    pub at: u64,
    /// How long it had waited for a processor until then, ns since its begin; 0 if the system does
    /// not say.
    pub queued: u64,
}

impl Sampler {
    /// Makes a sampler with a chunk buffer of this many bytes. Allocates.
    pub fn new(buffer: usize) -> Sampler {
        Sampler {
            whose: Sampled::default(),
            taken: 0,
            lost: 0,
            buffer: Buffer::new(buffer),
            samples: 0,
            stacks: Stacks::default(),
            cache: Cache::default(),
            frames: Box::new([0; unwind::MAX_FRAMES]),
            pointers: Box::new([0; unwind::MAX_FRAMES]),
            python: Python::new(),
            last_cpu: (0, 0),
            last_queued: 0,
            unsaid_queued: 0,
            switches: None,
            off_cpu: 0,
            points: Points::default(),
            asleep: None,
            slept: None,
            last: None,
            said_memory: false,
            whereabouts: Whereabouts::default(),
            counting: Counting::for_record(),
            last_flush: crate::clock::ticks(),
            pause: FIRST_FLUSH,
        }
    }

    /// Resets the sampler for a thread that begins at `now`.
    pub fn reset(&mut self, whose: Sampled, now: u64) {
        self.whose = whose;
        self.taken = 0;
        self.lost = 0;
        self.buffer.empty();
        self.samples = 0;
        self.stacks.forget();
        self.python.reset();
        self.points = Points::new(now);
        self.asleep = None;
        self.slept = None;
        self.last = None;
        self.said_memory = false;
        self.switches = None;
        self.cpu_since();
        self.whereabouts = Whereabouts::default();
        if let Some(counting) = &mut self.counting {
            counting.begin();
        }
        self.unsaid_queued = 0;
        self.last_flush = crate::clock::ticks();
        self.pause = FIRST_FLUSH;
    }

    /// Closes everything that is open for the thread, which ends. The thread itself calls this, or
    /// the one that ends the process.
    pub fn close(&mut self) {
        if let Some(times) = self.whose.times.take() {
            times.close();
        }
        if let Some(counting) = &mut self.counting {
            counting.close();
        }
    }

    /// Books the counters' growth since the last call to `place`. The calling thread is the
    /// sampler's own. Async-signal-safe.
    pub fn count(&mut self, place: Place) {
        let Some(counting) = &mut self.counting else { return };
        if let Some(record) = counting.read(self.whose.index, place) {
            self.push(record.into());
        }
    }

    /// Puts the counts that are not yet in a record into the buffer. Returns false if it has no
    /// room for them.
    fn say_counted(&mut self) -> bool {
        let Sampler { counting, buffer, whose, .. } = self;
        let put = |record: CounterDifference| buffer.push(record.into()).is_ok();
        counting.as_mut().is_none_or(|counting| counting.put_all(whose.index, put))
    }

    /// Returns the address one past the highest of the thread's stack.
    pub fn stack_end(&self) -> u64 {
        self.whose.stack.1
    }

    /// Unwinds from `registers`. Returns the id of the stack, 0 if there is none; the stack's
    /// record is in the buffer. Async-signal-safe.
    pub fn stack(&mut self, registers: Registers) -> u64 {
        let memory = readable(self.whose, registers.sp());
        let count = self.walk(registers, memory);
        let first = self.behind_kernels(count);
        self.known(memory, first, count)
    }

    /// Returns the index of the first frame outside the kernel's code in the process: the call to
    /// that code is the place where the thread is.
    fn behind_kernels(&mut self, count: usize) -> usize {
        let is_kernels = |modules: &unwind::modules::Modules, pc: u64| {
            modules.find(pc).is_some_and(|module| module.is_kernels)
        };
        let frames = self.frames.iter().take(count);
        let first = unwind::modules::with_newest(|modules, _| {
            frames.take_while(|pc| is_kernels(modules, **pc)).count()
        });
        match first {
            Some(first) if first > 0 && first < count => {
                // A return address becomes the address inside the call.
                if let Some(frame) = self.frames.get_mut(first) {
                    *frame -= 1;
                }
                first
            }
            _ => 0,
        }
    }

    /// Does what [`Sampler::stack`] does, for the caller of the C library's function at `function`,
    /// before which a function of the agent's stands.
    pub fn stack_of_call(&mut self, registers: Registers, function: u64) -> u64 {
        let memory = readable(self.whose, registers.sp());
        self.stack_outside(registers, memory, function)
    }

    /// Does what [`Sampler::stack`] does, with the stack in `memory`. If `function` is not 0, one
    /// frame of that function replaces the agent's frames at the leaf.
    pub fn stack_outside(
        &mut self,
        registers: Registers,
        memory: StackMemory,
        function: u64,
    ) -> u64 {
        let count = self.walk(registers, memory);
        if function == 0 {
            return self.known(memory, 0, count);
        }
        let is_ours = |modules: &unwind::modules::Modules, pc: u64| {
            modules.find(pc).is_some_and(|module| module.flags & module_flag::AGENT != 0)
        };
        let ours = unwind::modules::with_newest(|modules, _| {
            self.frames.iter().take(count).take_while(|pc| is_ours(modules, **pc)).count()
        });
        let first = ours.unwrap_or(0).saturating_sub(1);
        if let Some(frame) = self.frames.get_mut(first) {
            *frame = function;
        }
        self.known(memory, first, count)
    }

    fn walk(&mut self, registers: Registers, memory: StackMemory) -> usize {
        let count = unwind::modules::with_newest(|modules, readable| {
            let modules = walk::Objects { modules, readable };
            let (frames, pointers) = (&mut self.frames[..], &mut self.pointers[..]);
            let found = walk::Found { frames, pointers };
            walk::walk(&modules, &mut self.cache, registers, memory, found)
        });
        count.unwrap_or_else(|| {
            (self.frames[0], self.pointers[0]) = (registers.pc(), registers.sp());
            1
        })
    }

    /// Returns the id of the stack that this range of frames makes.
    fn known(&mut self, memory: StackMemory, first: usize, count: usize) -> u64 {
        let range = first..count.max(first);
        let Sampled { own, os_tid, stack, .. } = self.whose;
        let whose = Whose { own, os_tid, stack, memory };
        let frames = self.frames.get(range.clone()).unwrap_or(&[]);
        let pointers = self.pointers.get(range).unwrap_or(&[]);
        // The borrow is split: the frames are read while the buffer is written.
        let Sampler { python, stacks, buffer, .. } = self;
        let pcs = python.merged(whose, frames, pointers).unwrap_or(frames);
        let (id, new) = stacks.id(pcs);
        if !new {
            return id;
        }
        let record = Record::from(Stack { stack: id, frames: Frames::Pcs(pcs) });
        if buffer.push(record).is_err() {
            let length = pcs.len();
            let is_merged = !core::ptr::eq(pcs, frames);
            self.flush();
            let pcs = match is_merged {
                true => self.python.latest(length),
                false => self.frames.get(first..first + length).unwrap_or(&[]),
            };
            let record = Record::from(Stack { stack: id, frames: Frames::Pcs(pcs) });
            let _ = self.buffer.push(record);
        }
        self.tell_new_code();
        id
    }

    /// Puts the record of the code of a line of Python, in which the calling thread is, into the
    /// buffer.
    pub fn tell_line(&mut self, line: &OwnLine) {
        let memory = readable(self.whose, unwind::capture::here().sp());
        let Sampled { own, os_tid, stack, .. } = self.whose;
        self.python.note_line(Whose { own, os_tid, stack, memory }, line);
        self.tell_new_code();
    }

    /// Puts records of the last stack's Python or R code that has none yet into the buffer.
    fn tell_new_code(&mut self) {
        for place in 0..self.python.count_of_new() {
            let Some(code) = self.python.new_code(place) else { continue };
            if self.buffer.push(code.into()).is_err() {
                self.flush();
                let Some(code) = self.python.new_code(place) else { continue };
                let _ = self.buffer.push(code.into());
            }
        }
    }

    /// Returns the address of the innermost `wanted` frame of the stack at `registers`; `None` if
    /// the walk does not reach one, or its code lies in no known object. Async-signal-safe.
    pub fn caller(&mut self, registers: Registers, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        /// The frames of the runtime and of the agent are few.
        const NEAR: usize = 24;
        let memory = readable(self.whose, registers.sp());
        unwind::modules::with_newest(|modules, readable| {
            let objects = walk::Objects { modules, readable };
            let frames = &mut self.frames[..NEAR.min(unwind::MAX_FRAMES)];
            let found = walk::Found { frames, pointers: &mut self.pointers[..] };
            let count = walk::walk(&objects, &mut self.cache, registers, memory, found);
            let found = self.frames.iter().take(count).copied().find(|address| wanted(*address))?;
            modules.find(found).map(|_| found)
        })?
    }

    /// Puts a record into the buffer; if the buffer is full, writes it out first.
    /// Async-signal-safe.
    pub fn push(&mut self, record: Record<'_>) {
        if self.buffer.push(record).is_err() {
            self.flush();
            // A record that does not fit an empty buffer is dropped.
            let _ = self.buffer.push(record);
        }
        if let Record::Sample(sample) = record {
            self.samples += 1;
            self.taken += 1;
            self.last = Some((sample.state, sample.stack));
            self.say_queued();
        }
    }

    /// Writes the buffer out. Before the file exists, the buffer is kept as long as it has room,
    /// and then dropped. Async-signal-safe.
    pub fn flush(&mut self) {
        self.last_flush = crate::clock::ticks();
        self.pause = (self.pause * 2).min(FLUSH_EVERY);
        let said = self.say_where() && self.say_counted();
        if !self.buffer.write(self.whose.index) {
            self.lost += self.samples;
            self.stacks.forget();
            python::codes::forget();
            self.asleep = None;
            self.whereabouts.unsay();
        } else if !said && self.say_where() && self.say_counted() {
            self.buffer.write(self.whose.index);
        }
        self.samples = 0;
    }

    /// Whether the buffer has not been written for long.
    pub fn is_due(&self, now: u64) -> bool {
        self.buffer.holds_chunk()
            || crate::clock::ns(now.saturating_sub(self.last_flush)) >= self.pause
    }
}

/// Returns the part of a stack with pointer `sp` that may be read: the red zone, and up to the
/// stack's end. It is empty where the thread runs on another stack than its own (a signal's, a
/// coroutine's).
fn readable(whose: Sampled, sp: u64) -> StackMemory {
    let (low, high) = whose.stack;
    if (low..high).contains(&sp) {
        StackMemory { low: sp.saturating_sub(128).max(low) & !7, high, shift: 0 }
    } else {
        StackMemory { low: 0, high: 0, shift: 0 }
    }
}
