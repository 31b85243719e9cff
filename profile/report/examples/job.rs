//! `cargo run --release -p omphalos-report --example job FOLDER [RANKS [SECONDS [NODES]]]`
//! writes the profiles of a job as its ranks make them, to measure by: two threads each, samples,
//! totals four times a second, a hundred collective calls a second; one rank in ten is slow. Nodes
//! have clocks of their own. No file of a program belongs to it, so names are addresses.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use omphalos_profile_format::*;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;
const APP: u64 = 0x40_0000;
/// How long a rank works between two calls, ns; a slow one works for twice that.
const STEP: u64 = 5 * MS;
/// The time between two samples of a thread, ns.
const SAMPLE: u64 = 4 * MS;

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().expect("the folder to write into");
    let mut number =
        |otherwise: u64| words.next().map_or(otherwise, |word| word.parse().expect("a number"));
    let (ranks, seconds, nodes) = (number(1024), number(60), number(16).max(1));
    std::fs::create_dir_all(&folder)?;
    for rank in 0..ranks {
        let path = Path::new(&folder).join(format!("rank-{rank}.omph"));
        let file = BufWriter::new(File::create(path)?);
        let node = rank * nodes / ranks;
        // Each node's clock began at another moment.
        let start = 1000 * SECOND + node * 77_777 * MS;
        let memory = vec![0; 1 << 16];
        Out { file, memory, start, node }.write(rank as u32, ranks as u32, seconds * SECOND)?;
    }
    Ok(())
}

struct Out {
    file: BufWriter<File>,
    memory: Vec<u8>,
    start: u64,
    node: u64,
}

impl Out {
    fn write(&mut self, rank: u32, ranks: u32, length: u64) -> std::io::Result<()> {
        self.file.write_all(&file_header())?;
        self.process(rank, ranks)?;
        let work = if rank % 10 == 3 { 2 * STEP } else { STEP };
        let barrier = mpi::number("Barrier").expect("a function");
        let (step, mut calls, mut in_mpi) = (2 * STEP, 0, 0);
        for block in 0..length / (SECOND / 4) {
            let from = block * (SECOND / 4);
            for at in (from..from + SECOND / 4).step_by(step as usize) {
                let elapsed = step - work + 10_000;
                if mpi::has_record(calls) {
                    let met = MpiMeeting {
                        communicator: 1,
                        sequence: calls,
                        call: barrier,
                        rank,
                        size: ranks,
                        root: 0,
                        time: self.start + at + work,
                        elapsed,
                    };
                    self.chunk(0, &[met.into()])?;
                }
                calls += 1;
                in_mpi += elapsed;
            }
            self.samples(from)?;
            self.totals(from + SECOND / 4, work * calls, in_mpi, calls)?;
        }
        let end = End { time: self.start + length, exit_kind: 0, agent: MS, note: b"" };
        self.chunk(PROCESS_CHUNK, &[end.into()])?;
        self.file.flush()
    }

    fn samples(&mut self, from: u64) -> std::io::Result<()> {
        for thread in 0..2 {
            let at = |number: u64| self.start + from + number * SAMPLE;
            let sample = |number: u64| Sample {
                time: at(number),
                thread,
                state: 1,
                stack: number % 50 + 1,
                region: from / STEP + 1,
                region_codeptr: APP + 0x20,
                thread_num: thread,
                cpu_time: SAMPLE,
                weight: 4,
                ..Sample::default()
            };
            let count = SECOND / 4 / SAMPLE;
            let samples: Vec<Record<'_>> = (0..count).map(|n| sample(n).into()).collect();
            self.chunk(thread, &samples)?;
        }
        Ok(())
    }

    fn totals(&mut self, at: u64, work: u64, in_mpi: u64, calls: u64) -> std::io::Result<()> {
        let thread = |thread: u32, serial: u64| ThreadTotal {
            thread,
            time: self.start + at,
            alive: at,
            work,
            serial_work: serial,
            idle: at - work - serial,
            ..ThreadTotal::default()
        };
        let region = RegionSiteTotal {
            codeptr_ra: APP + 0x20,
            level: 1,
            instances: calls,
            elapsed: work,
            team_size_sum: 2 * calls,
            work: 2 * work,
            ..RegionSiteTotal::default()
        };
        let in_mpi = in_mpi.min(at - work);
        let call = MpiCallTotal {
            call: mpi::number("Barrier").expect("a function"),
            codeptr_ra: APP + 0x80,
            count: calls,
            elapsed: in_mpi,
            longest: STEP,
            ..MpiCallTotal::default()
        };
        let own = MpiThread { thread: 0, calls, serial: in_mpi, ..MpiThread::default() };
        let all: [Record<'_>; 5] = [
            thread(0, at - work).into(),
            thread(1, 0).into(),
            region.into(),
            call.into(),
            own.into(),
        ];
        self.chunk(PROCESS_CHUNK, &all)
    }

    fn process(&mut self, rank: u32, ranks: u32) -> std::io::Result<()> {
        let argv: &[&[u8]] = &[b"./job"];
        let host = format!("node{}", self.node);
        let process = Process {
            pid: 1000 + rank,
            start_time: self.start,
            wall_clock: 1_700_000_000 * SECOND,
            period: MS,
            cpus: 2,
            executable: b"/nowhere/job",
            argv: ByteStrings::Slices(argv),
            cwd: b"/",
            runtime_version: b"a runtime",
            omp_version: 202111,
            host: host.as_bytes(),
            environment: ByteStrings::default(),
        };
        let place = Rank {
            number: rank,
            size: ranks,
            level_asked: 2,
            level: 2,
            job: b"7.0",
            library: b"a library",
        };
        let module = Module {
            base: APP,
            end: APP + 0x1000,
            file_offset: 0,
            path: b"/nowhere/job",
            build_id: b"",
            flags: 0,
        };
        self.chunk(PROCESS_CHUNK, &[process.into(), place.into(), module.into()])
    }

    fn chunk(&mut self, thread: u32, records: &[Record<'_>]) -> std::io::Result<()> {
        let mut writer = ChunkWriter::new(&mut self.memory);
        records.iter().for_each(|record| writer.push(*record).expect("records fit a chunk"));
        self.file.write_all(writer.seal(thread))
    }
}
