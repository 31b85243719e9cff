//! Builds profiles by hand.

#![allow(dead_code, unused_imports)] // each test program uses its part

mod built;
pub mod counting;
pub mod imbalanced;
pub mod random;
pub mod regions;
pub mod sources;
mod totals;

use std::fs;

pub use built::{Built, all_calls, build};
use omphalos_profile_format::*;
use omphalos_report::{Analysis, NoProgress, Profile};
use tempfile::TempDir;
pub use totals::{construct_total, region_total, target_event, target_total, thread_total};

/// 1 ms, the period of all hand-made profiles.
pub const PERIOD: u64 = 1_000_000;
pub const START: u64 = 1_000_000_000;

pub mod state {
    pub const SERIAL: u32 = 0;
    pub const PARALLEL: u32 = 1;
    pub const IMPLICIT_BARRIER: u32 = 0x11;
    pub const EXPLICIT_BARRIER: u32 = 0x14;
    pub const TASKWAIT: u32 = 0x20;
    pub const CRITICAL: u32 = 0x42;
    pub const IDLE: u32 = 0x100;
    pub const OVERHEAD: u32 = 0x101;
}

/// A profile under construction.
pub struct Recorder {
    pub file: Vec<u8>,
    memory: Vec<u8>,
    next_stack: u64,
    next_time: u64,
}

impl Recorder {
    /// Writes the process's record, with these variables, each closed by a NUL; the last record
    /// holds.
    pub fn environment(&mut self, variables: &[u8]) {
        let argv: &[&[u8]] = &[b"./app", b"--fast"];
        self.push(
            PROCESS_CHUNK,
            Process {
                pid: 42,
                start_time: START,
                wall_clock: 1_700_000_000_000_000_000,
                period: PERIOD,
                cpus: 2,
                executable: b"/nowhere/app",
                argv: ByteStrings::Slices(argv),
                cwd: b"/",
                runtime_version: b"a runtime",
                omp_version: 202111,
                host: b"host",
                environment: ByteStrings::NulSeparated(variables),
            },
        );
    }

    /// Begins with the records of a process and of modules: (base, size, path, flags).
    pub fn new(modules: &[(u64, u64, &str, u32)]) -> Recorder {
        let mut recorder = Recorder {
            file: file_header().to_vec(),
            memory: vec![0; 65536],
            next_stack: 1,
            next_time: START,
        };
        recorder.environment(&[]);
        for (base, size, path, flags) in modules {
            recorder.push(
                PROCESS_CHUNK,
                Module {
                    base: *base,
                    end: base + size,
                    file_offset: 0,
                    path: path.as_bytes(),
                    build_id: b"",
                    flags: *flags,
                },
            );
        }
        recorder
    }

    /// Appends one record in a chunk of its own.
    pub fn push<'a>(&mut self, thread: u32, record: impl Into<Record<'a>>) {
        let mut writer = ChunkWriter::new(&mut self.memory);
        writer.push(record.into()).expect("record fits");
        self.file.extend_from_slice(writer.seal(thread));
    }

    pub fn thread(&mut self, thread: u32, kind: u32) {
        let record = ThreadBegin { thread, os_tid: 42 + thread, thread_kind: kind, time: START };
        self.push(thread, record);
    }

    pub fn stack(&mut self, thread: u32, pcs: &[u64]) -> u64 {
        let stack = self.next_stack;
        self.next_stack += 1;
        self.push(thread, Stack { stack, frames: Frames::Pcs(pcs) });
        stack
    }

    pub fn fork(&mut self, thread: u32, region: u64, parent: u64, codeptr_ra: u64, pcs: &[u64]) {
        let stack = if pcs.is_empty() { 0 } else { self.stack(thread, pcs) };
        let time = self.tick();
        self.push(
            thread,
            Fork {
                region,
                parent,
                time,
                thread,
                codeptr_ra,
                requested_threads: 2,
                flags: 0x8000_0001,
                stack,
            },
        );
    }

    /// Adds a sample with the fields that matter to joining.
    pub fn sample(&mut self, thread: u32, state: u32, region: u64, pcs: &[u64]) {
        self.task_sample(thread, state, region, pcs, 0);
    }

    /// The same for a sample that stands for `weight` periods.
    pub fn heavy_sample(&mut self, thread: u32, state: u32, region: u64, pcs: &[u64], weight: u32) {
        self.any_sample(thread, state, region, pcs, 0, weight);
    }

    /// The same in an explicit task made at `task`, unless that is 0.
    pub fn task_sample(&mut self, thread: u32, state: u32, region: u64, pcs: &[u64], task: u64) {
        self.any_sample(thread, state, region, pcs, task, 1);
    }

    fn any_sample(
        &mut self,
        thread: u32,
        state: u32,
        region: u64,
        pcs: &[u64],
        task: u64,
        weight: u32,
    ) {
        let stack = self.stack(thread, pcs);
        let time = self.tick();
        self.push(
            thread,
            Sample {
                time,
                thread,
                state,
                wait_id: 0,
                stack,
                region,
                region_codeptr: 0,
                thread_num: thread,
                task_flags: if task == 0 { 2 } else { 4 },
                task_codeptr: task,
                cpu_time: PERIOD,
                weight,
            },
        );
    }

    pub fn end(&mut self, elapsed: u64) {
        let end = End { time: START + elapsed, exit_kind: 0, agent: 1_000_000, note: b"" };
        self.push(PROCESS_CHUNK, end);
    }

    fn tick(&mut self) -> u64 {
        self.next_time += PERIOD;
        self.next_time
    }

    pub fn analyse(&self) -> Analysis {
        analyse(&self.file)
    }
}

pub fn analyse(file: &[u8]) -> Analysis {
    let folder = TempDir::new().expect("temporary folder");
    let path = folder.path().join("test.omph");
    fs::write(&path, file).expect("profile written");
    Analysis::new(&Profile::open(&path).expect("profile opens"), &mut NoProgress)
}

/// Returns the user-model stacks of all samples in the order of time, `outermost;…;innermost`.
pub fn stacks(analysis: &Analysis) -> Vec<String> {
    analysis.samples().map(|sample| analysis.stack(&sample).join(";")).collect()
}

/// Returns the labels as a set.
pub fn expected(labels: &[&str]) -> std::collections::BTreeSet<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
}
