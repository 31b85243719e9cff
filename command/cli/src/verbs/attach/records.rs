//! Writes the profile: the looks, as records of the profile format. `attach/mod.rs` calls it.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use omphalos_inspect::sampling::Done;
use omphalos_profile_format::{
    Attached, Before, ChunkWriter, End, Fork, Frames, Full, Message, Module, PROCESS_CHUNK,
    ProcessTime, Record, RegionBody, RegionSiteQueued, RegionSiteTotal, Sample, SampleCall,
    SampleQueued, Stack, ThreadBegin, ThreadEnd, ThreadQueued, ThreadScheduling, ThreadTotal,
    file_header, library, module_flag, severity,
};

use super::account::{Account, Accounts, Class, Region, Site, Times};
use super::process::Process;
use super::regions::{Fork as Begun, Placed};
use super::seen::Seen;

/// The size of a chunk, bytes.
const CHUNK: usize = 1 << 18;
/// The thread whose chunks have all stacks and all records that name stacks. A stack's number holds
/// only among the chunks of one thread.
const STACKS: u32 = 0;
/// The number of the file's periods between two looks. A sample's weight is a number of periods, so
/// the period is the resolution of times.
pub const FINER: u64 = 10;

/// A file that is written chunk by chunk.
pub struct Records {
    file: File,
    memory: Vec<u8>,
    length: usize,
    before: Before,
    thread: u32,
}

impl Records {
    /// Makes the file. Fails if the file exists.
    pub fn create(path: &Path) -> io::Result<Records> {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        file.write_all(&file_header())?;
        let (memory, before) = (vec![0; CHUNK], Before::default());
        Ok(Records { file, memory, length: 0, before, thread: PROCESS_CHUNK })
    }

    fn push(&mut self, thread: u32, record: Record<'_>) -> io::Result<()> {
        if thread != self.thread {
            self.seal()?;
            self.thread = thread;
        }
        for _ in 0..2 {
            let mut writer = match self.length {
                0 => ChunkWriter::new(&mut self.memory),
                length => ChunkWriter::resume(&mut self.memory, length),
            };
            let pushed = writer.push_after(record, &mut self.before);
            self.length = writer.length();
            match pushed {
                Ok(()) => return Ok(()),
                Err(Full) => self.seal()?,
            }
        }
        Err(io::Error::other("a record is too long"))
    }

    fn seal(&mut self) -> io::Result<()> {
        if self.length > 0 {
            let writer = ChunkWriter::resume(&mut self.memory, self.length);
            self.file.write_all(writer.seal(self.thread))?;
        }
        self.length = 0;
        self.before.clear();
        Ok(())
    }

    fn of_process(&mut self, record: Record<'_>) -> io::Result<()> {
        self.push(PROCESS_CHUNK, record)
    }

    /// Writes the process, its files, and the cost of the looks.
    pub fn head(&mut self, process: &Process, seen: &Seen, done: &Done) -> io::Result<()> {
        self.of_process(process.record(seen, FINER).into())?;
        for (module, place) in &seen.files {
            let flags = match library::is_one_of(module.name(), &library::RUNTIMES) {
                true => module_flag::RUNTIME,
                false => 0,
            };
            let path = place.as_deref().unwrap_or(module.place());
            let build_id = super::process::build_id(place.as_deref());
            let (base, end, path, build_id) =
                (module.base, module.end, path.as_bytes(), &build_id[..]);
            self.of_process(Module { base, end, file_offset: 0, path, build_id, flags }.into())?;
        }
        let stood = done.stood;
        let nanoseconds = |time: std::time::Duration| time.as_nanos() as u64;
        self.of_process(
            Attached {
                looks: done.ticks,
                stops: stood.stops,
                stood: nanoseconds(stood.time),
                longest: nanoseconds(stood.longest),
                own: nanoseconds(done.own),
                period: process.period,
            }
            .into(),
        )
    }

    /// Writes the regions that share a return address, with their bodies.
    pub fn apart(&mut self, apart: &BTreeMap<(u64, u64), u64>) -> io::Result<()> {
        for (&(called_from, body), &codeptr_ra) in apart {
            self.of_process(RegionBody { codeptr_ra, called_from, body }.into())?;
        }
        Ok(())
    }

    /// Writes the begins of regions, before the samples that name them.
    pub fn forks(&mut self, seen: &Seen, forks: &[Begun]) -> io::Result<()> {
        let mut stacks: HashMap<(u32, usize), u64> = HashMap::new();
        for (number, fork) in (1..).zip(forks) {
            let next = seen.stacks.all.len() as u64 + stacks.len() as u64 + 1;
            let stack = *stacks.entry(fork.stack).or_insert(next);
            if stack == next {
                // The first address of a stack is exact; the others are return addresses. The
                // caller's address is a return address, so the stack begins one frame further in,
                // with the runtime's.
                let frames = &seen.stacks.all[fork.stack.0 as usize][fork.stack.1 - 1..];
                self.push(STACKS, Stack { stack, frames: Frames::Pcs(frames) }.into())?;
            }
            let Begun { parent, time, thread, codeptr: codeptr_ra, members, .. } = *fork;
            let record = Fork {
                region: number,
                parent,
                time,
                thread,
                codeptr_ra,
                requested_threads: members,
                flags: 0,
                stack,
            };
            self.push(STACKS, record.into())?;
        }
        Ok(())
    }

    /// Writes the stacks of all samples.
    pub fn stacks(&mut self, seen: &Seen) -> io::Result<()> {
        for (number, frames) in (1..).zip(&seen.stacks.all) {
            self.push(STACKS, Stack { stack: number, frames: Frames::Pcs(frames) }.into())?;
        }
        Ok(())
    }

    /// Writes one sample; `weight`: the number of the file's periods. `is_queued`: time without a
    /// processor.
    pub fn sample(
        &mut self,
        time: u64,
        placed: &Placed,
        weight: u32,
        is_queued: bool,
    ) -> io::Result<()> {
        let Placed { sample, state, wait_id, region, codeptr, number, task_flags, .. } = *placed;
        let record = Sample {
            time,
            thread: sample.thread,
            state,
            wait_id,
            stack: u64::from(sample.stack) + 1,
            region,
            region_codeptr: codeptr,
            thread_num: number,
            task_flags,
            task_codeptr: 0,
            cpu_time: sample.ran,
            weight,
        };
        self.push(STACKS, record.into())?;
        let is_work = matches!(Class::of(state), Class::Serial | Class::Work);
        if is_queued && is_work {
            let (thread, queued) = (sample.thread, sample.since);
            self.push(STACKS, SampleQueued { thread, queued }.into())?;
        }
        if let Some(call) = sample.sleeps.filter(|_| is_work) {
            let name = super::process::call_name(call);
            let (thread, blocked, call) = (sample.thread, sample.since, name.as_bytes());
            self.push(STACKS, SampleCall { thread, blocked, call }.into())?;
        }
        Ok(())
    }

    /// Writes the threads and their times.
    pub fn threads(&mut self, seen: &Seen, accounts: &Accounts, kinds: &[u32]) -> io::Result<()> {
        let mut all = 0;
        for (number, thread) in (0..).zip(&seen.threads) {
            let account = &accounts.threads[number as usize];
            all += account.ran;
            let times = accounts.times(number);
            let kind = kinds[number as usize];
            let (os_tid, time) = (thread.lwp, thread.first);
            let begin = ThreadBegin { thread: number, os_tid, thread_kind: kind, time };
            self.of_process(begin.into())?;
            for record in of_thread(number, thread.last, account, &times) {
                self.of_process(record)?;
            }
            self.of_process(ThreadEnd { thread: number, time: thread.last }.into())?;
        }
        self.of_process(ProcessTime { running: all }.into())
    }

    /// Writes a region; the number of its executions is not known.
    pub fn region(
        &mut self,
        (codeptr_ra, parent_codeptr, level): Site,
        region: &Region,
    ) -> io::Result<()> {
        let Times { queued, .. } = region.times;
        let all = |class| region.times.all(class);
        let (gain, imbalance) = region.imbalance();
        let total = RegionSiteTotal {
            codeptr_ra,
            parent_codeptr,
            level,
            instances: 1,
            elapsed: region.elapsed,
            team_size_sum: region.team(),
            work: all(Class::Work) + all(Class::Serial) + region.inner,
            barrier_wait: all(Class::Barrier) + all(Class::Idle),
            mutex_wait: all(Class::Mutex),
            task_wait: all(Class::Task),
            overhead: all(Class::Overhead),
            imbalance,
            gain,
            tasks_created: 0,
            tasks_executed: 0,
            task_work: region.tasks,
            implementation_barriers: 0,
        };
        self.of_process(total.into())?;
        let work = queued[Class::Work as usize];
        self.of_process(RegionSiteQueued { codeptr_ra, parent_codeptr, level, work }.into())
    }

    /// Ends the file, and writes everything that is not written yet.
    pub fn end(mut self, time: u64, notes: &[String]) -> io::Result<()> {
        for note in notes {
            let message = Message { severity: severity::INFO, text: note.as_bytes() };
            self.of_process(message.into())?;
        }
        self.of_process(End { time, exit_kind: 0, agent: 0, note: b"" }.into())?;
        self.seal()
    }
}

fn of_thread(thread: u32, time: u64, account: &Account, times: &Times) -> [Record<'static>; 3] {
    let of = |part: &[u64], class: Class| part[class as usize];
    let total = ThreadTotal {
        thread,
        time,
        alive: account.alive,
        work: times.all(Class::Work),
        idle: times.all(Class::Idle),
        barrier_wait: times.all(Class::Barrier),
        mutex_wait: times.all(Class::Mutex),
        task_wait: times.all(Class::Task),
        overhead: times.all(Class::Overhead),
        serial_work: times.all(Class::Serial),
        samples: account.samples,
        missed: 0,
        agent: 0,
    };
    let scheduling = ThreadScheduling {
        thread,
        running: account.ran,
        runnable: account.queued,
        blocked_work: of(&times.slept, Class::Work),
        blocked_serial: of(&times.slept, Class::Serial),
    };
    let (work, serial) = (of(&times.queued, Class::Work), of(&times.queued, Class::Serial));
    [total.into(), scheduling.into(), ThreadQueued { thread, work, serial }.into()]
}
