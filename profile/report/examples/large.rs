//! `cargo run --release -p omphalos-report --example large FILE [REGIONS [THREADS [MEGABYTES]]]`
//! writes a profile as a large program makes it, to measure by: regions, threads with a total each,
//! four stacks of 40 frames a region, each once a thread, and samples until the file has so many
//! megabytes.
//! No file of a program belongs to it, so names are addresses.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};

use omphalos_profile_format::*;

const START: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;
/// The address where the program is mapped, and the distance of two functions.
const APP: u64 = 0x40_0000;
const FUNCTION: u64 = 0x100;
const DEPTH: u64 = 40;
/// Samples that a thread writes at a time.
const IN_A_CHUNK: u64 = 100;

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let path = words.next().expect("the name of the file to write");
    let mut number =
        |otherwise: u64| words.next().map_or(otherwise, |word| word.parse().expect("a number"));
    let (regions, threads, megabytes) = (number(10_000), number(512), number(100));
    let mut out =
        Out { file: BufWriter::new(File::create(path)?), memory: vec![0; 1 << 16], bytes: 0 };
    out.file.write_all(&file_header())?;
    out.process(regions)?;
    for thread in 0..threads as u32 {
        let thread_kind = if thread == 0 { 1 } else { 2 };
        let begin = ThreadBegin { thread, os_tid: 42 + thread, thread_kind, time: START };
        out.push(thread, begin)?;
    }
    let region_codeptr = |region: u64| APP + region * FUNCTION + 0x20;
    for region in 0..regions {
        let (elapsed, work) = (MS, threads * MS / 2);
        let total = RegionSiteTotal {
            codeptr_ra: region_codeptr(region),
            level: 1,
            instances: 3,
            elapsed,
            team_size_sum: 3 * threads,
            work,
            barrier_wait: threads * MS - work,
            ..RegionSiteTotal::default()
        };
        out.push(0, total)?;
    }
    // A region runs four ways of its own, and all begin alike. A thread writes each stack before
    // its first sample that has it.
    let ways = 4 * regions.max(1);
    let stack_of = |way: u64| -> Vec<u64> {
        let frame = |depth: u64| match depth {
            0..30 => APP + (way * 7 + depth * 13) % (2 * regions.max(1)) * FUNCTION + 8,
            _ => APP + depth * FUNCTION + 8,
        };
        (0..DEPTH).map(frame).collect()
    };
    let way_of = |sample: u64| sample * 31 % ways;
    let mut written: Vec<HashSet<u64>> = vec![HashSet::new(); threads as usize];
    let mut samples = 0;
    while out.bytes < megabytes * 1_000_000 {
        let thread = (samples / IN_A_CHUNK % threads) as u32;
        let new: Vec<(u64, Vec<u64>)> = (samples..samples + IN_A_CHUNK)
            .map(way_of)
            .filter(|way| written[thread as usize].insert(*way))
            .map(|way| (way, stack_of(way)))
            .collect();
        let stack = |(way, pcs)| Stack { stack: way + 1, frames: Frames::Pcs(pcs) };
        let stacks = new.iter().map(|(way, pcs)| Record::from(stack((*way, pcs))));
        let sample = |sample: u64| Sample {
            time: START + sample * 10_000,
            thread,
            state: 1,
            wait_id: 0,
            stack: way_of(sample) + 1,
            region: way_of(sample) / 4 + 1,
            region_codeptr: region_codeptr(way_of(sample) / 4),
            thread_num: thread,
            task_flags: 2,
            task_codeptr: 0,
            cpu_time: MS,
            weight: 1,
        };
        let own = (samples..samples + IN_A_CHUNK).map(|number| Record::from(sample(number)));
        out.chunk(thread, stacks.chain(own))?;
        samples += IN_A_CHUNK;
    }
    let elapsed = (samples * 10_000).max(regions * MS);
    for thread in 0..threads as u32 {
        let total = ThreadTotal {
            thread,
            time: START + elapsed,
            alive: elapsed,
            work: elapsed / 2,
            barrier_wait: elapsed - elapsed / 2,
            samples: samples / threads,
            ..ThreadTotal::default()
        };
        out.push(thread, total)?;
    }
    out.push(PROCESS_CHUNK, End { time: START + elapsed, exit_kind: 0, agent: MS, note: b"" })?;
    out.file.flush()
}

struct Out {
    file: BufWriter<File>,
    memory: Vec<u8>,
    bytes: u64,
}

impl Out {
    fn push<'a>(&mut self, thread: u32, record: impl Into<Record<'a>>) -> std::io::Result<()> {
        self.chunk(thread, std::iter::once(record))
    }

    fn chunk<'a, R: Into<Record<'a>>>(
        &mut self,
        thread: u32,
        records: impl Iterator<Item = R>,
    ) -> std::io::Result<()> {
        let mut writer = ChunkWriter::new(&mut self.memory);
        records.for_each(|record| writer.push(record.into()).expect("records fit a chunk"));
        let chunk = writer.seal(thread);
        self.bytes += chunk.len() as u64;
        self.file.write_all(chunk)
    }

    fn process(&mut self, regions: u64) -> std::io::Result<()> {
        let argv: &[&[u8]] = &[b"./large"];
        self.push(
            PROCESS_CHUNK,
            Process {
                pid: 42,
                start_time: START,
                wall_clock: 1_700_000_000_000_000_000,
                period: MS,
                cpus: 512,
                executable: b"/nowhere/large",
                argv: ByteStrings::Slices(argv),
                cwd: b"/",
                runtime_version: b"a runtime",
                omp_version: 202111,
                host: b"host",
                environment: ByteStrings::default(),
            },
        )?;
        let module = Module {
            base: APP,
            end: APP + (2 * regions + 1) * FUNCTION,
            file_offset: 0,
            path: b"/nowhere/large",
            build_id: b"",
            flags: 0,
        };
        self.push(PROCESS_CHUNK, module)
    }
}
