//! Builds profiles by hand, and small OpenMP programs with the compilers that are installed.

#![allow(dead_code)] // each test program uses its part

pub mod sources;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};
use omphalos_profile_format::*;
use omphalos_report::{Analysis, NoProgress, Profile};
use tempfile::TempDir;

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
    /// With the records of a process and of modules: (base, size, path, flags).
    pub fn new(modules: &[(u64, u64, &str, u32)]) -> Recorder {
        let mut recorder = Recorder {
            file: file_header().to_vec(),
            memory: vec![0; 65536],
            next_stack: 1,
            next_time: START,
        };
        let argv: &[&[u8]] = &[b"./app", b"--fast"];
        recorder.push(
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
                environment: ByteStrings::default(),
            },
        );
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

    /// A sample with the fields that matter to joining.
    pub fn sample(&mut self, thread: u32, state: u32, region: u64, pcs: &[u64]) {
        self.task_sample(thread, state, region, pcs, 0);
    }

    /// The same that stands for `weight` periods.
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

/// The user-model stacks of all samples in the order of time, `outermost;…;innermost`.
pub fn stacks(analysis: &Analysis) -> Vec<String> {
    analysis.samples().map(|sample| analysis.stack(&sample).join(";")).collect()
}

/// A thread's exact total with work and barrier wait only.
pub fn thread_total(thread: u32, work: u64, barrier_wait: u64) -> ThreadTotal {
    ThreadTotal {
        thread,
        time: START + work + barrier_wait,
        alive: work + barrier_wait,
        work,
        idle: 0,
        barrier_wait,
        mutex_wait: 0,
        task_wait: 0,
        overhead: 0,
        serial_work: 0,
        samples: (work + barrier_wait) / PERIOD,
        missed: 0,
        agent: 1_000,
    }
}

/// A region's exact total without any time.
pub fn region_total(codeptr_ra: u64, instances: u64) -> RegionSiteTotal {
    RegionSiteTotal {
        codeptr_ra,
        parent_codeptr: 0,
        level: 1,
        instances,
        elapsed: 0,
        team_size_sum: 2 * instances,
        work: 0,
        barrier_wait: 0,
        mutex_wait: 0,
        task_wait: 0,
        overhead: 0,
        imbalance: 0,
        gain: 0,
        tasks_created: 0,
        tasks_executed: 0,
        task_work: 0,
        implementation_barriers: 0,
    }
}

/// A construct's total with instances only.
pub fn construct_total(
    region_codeptr: u64,
    codeptr_ra: u64,
    construct_kind: u32,
    instances: u64,
) -> ConstructTotal {
    ConstructTotal {
        region_codeptr,
        region_level: 1,
        codeptr_ra,
        construct_kind,
        instances,
        entered: 2 * instances,
        time: 0,
        chunks: 0,
        iterations: 0,
        counted_iterations: 0,
        barrier_wait: 0,
        end_codeptr: 0,
        open_time: 0,
        open_barrier_wait: 0,
        open_instances: 0,
        open_codeptr: 0,
    }
}

/// A target construct's total, with a kernel and a copy each way.
pub fn target_total(codeptr_ra: u64, target_kind: u32, executions: u64) -> TargetSiteTotal {
    TargetSiteTotal {
        codeptr_ra,
        target_kind,
        device: 0,
        executions,
        elapsed: 50 * PERIOD,
        kernels: executions,
        kernel_time: 30 * PERIOD,
        to_device: executions,
        to_device_bytes: 4096,
        to_device_time: 2 * PERIOD,
        from_device: executions,
        from_device_bytes: 512,
        from_device_time: PERIOD,
        within: 0,
        within_bytes: 0,
        within_time: 0,
        allocations: 1,
        allocated_bytes: 4096,
        memory_time: PERIOD,
        host_wait: 50 * PERIOD,
        overlap: 0,
    }
}

/// An event of a device's timeline.
pub fn target_event(codeptr_ra: u64, event_kind: u32, time: u64, bytes: u64) -> TargetEvent {
    let (thread, device, duration) = (0, 0, PERIOD);
    TargetEvent { thread, time: START + time, duration, event_kind, device, bytes, codeptr_ra }
}

/// A program built for a test.
pub struct Built {
    _folder: TempDir,
    pub source: PathBuf,
    pub program: PathBuf,
    disassembly: String,
}

/// Compiles `source`; the compiler must be there, as `cargo xtask test` sees to.
pub fn build(compiler: &str, name: &str, source: &str, options: &[&str]) -> Built {
    let folder = TempDir::new().expect("temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, source).expect("source written");
    let program = folder.path().join("program");
    // Fortran's compilers leave module files where they are started.
    let status = Command::new(compiler)
        .current_dir(folder.path())
        .args(["-g", "-fopenmp"])
        .args(options)
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap_or_else(|error| {
            panic!("cannot run {compiler}: {error} (cargo xtask test installs it)")
        });
    assert!(status.success(), "{compiler} failed on {name}");
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(&program)
        .output()
        .expect("objdump runs");
    let disassembly = String::from_utf8_lossy(&output.stdout).into_owned();
    Built { _folder: folder, source: path, program, disassembly }
}

impl Built {
    pub fn path(&self) -> &str {
        self.program.to_str().expect("UTF-8 path")
    }

    /// Start and size of each function whose name `matches`, as the file has them.
    pub fn functions(&self, matches: &dyn Fn(&str) -> bool) -> Vec<(String, u64, u64)> {
        let bytes = fs::read(&self.program).expect("program read");
        let elf = object::File::parse(&*bytes).expect("an ELF file");
        let mut found: Vec<_> = elf
            .symbols()
            .filter(|symbol| symbol.size() > 0)
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol)))
            .filter(|(name, _)| matches(name))
            .map(|(name, symbol)| (name, symbol.address(), symbol.size()))
            .collect();
        found.sort_by_key(|(_, address, _)| *address);
        found
    }

    pub fn function(&self, name: &str) -> (u64, u64) {
        let found = self.functions(&|candidate| candidate == name);
        assert_eq!(found.len(), 1, "one function {name}: {found:?}");
        (found[0].1, found[0].2)
    }

    /// Return addresses of the calls to `callee` in `caller`, in the order of the code.
    pub fn calls(&self, caller: &str, callee: &str) -> Vec<u64> {
        let (start, size) = self.function(caller);
        let within = |after: &u64| (start + 1..=start + size).contains(after);
        self.all_calls(callee).into_iter().filter(within).collect()
    }

    /// Return addresses of all calls to functions whose name starts with `callee`.
    pub fn all_calls(&self, callee: &str) -> Vec<u64> {
        let address = |line: &str| {
            let digits = line.trim_start().split(':').next()?;
            u64::from_str_radix(digits, 16).ok()
        };
        let callee = format!("<{callee}");
        let lines: Vec<&str> = self.disassembly.lines().collect();
        let calls = lines.windows(2).filter(|two| {
            two[0].contains("call") && two[0].contains(&callee) && address(two[0]).is_some()
        });
        // The last instruction of a function is followed by an empty line and the next function.
        calls.map(|two| address(two[1]).unwrap_or_else(|| address(two[0]).unwrap() + 5)).collect()
    }

    pub fn remove_source(&self) {
        fs::remove_file(&self.source).expect("source removed");
    }

    pub fn strip(&self, options: &[&str]) {
        let status = Command::new("strip").args(options).arg(&self.program).status();
        assert!(status.expect("strip runs").success());
    }

    pub fn folder(&self) -> &Path {
        self._folder.path()
    }
}

/// Return addresses of all calls to any of `callees`, in the order of the code.
pub fn all_calls(built: &Built, callees: &[&str]) -> Vec<u64> {
    let mut found: Vec<u64> = callees.iter().flat_map(|callee| built.all_calls(callee)).collect();
    found.sort_unstable();
    found
}

/// The labels as a set.
pub fn expected(labels: &[&str]) -> std::collections::BTreeSet<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
}
