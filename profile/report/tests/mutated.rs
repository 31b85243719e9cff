//! Profiles changed at random: no panic, no hang, memory in proportion, and no invented figure.
//!
//! `OMPHALOS_MUTATIONS=100000 cargo test --release --test mutated` tries that many;
//! `OMPHALOS_MUTATED=FILE` tries that profile, and `OMPHALOS_MUTATION_SEED=NUMBER` other changes.

mod support;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use omphalos_profile_format::*;
use omphalos_report::text::TextOptions;
use omphalos_report::{Analysis, NoProgress, Profile, firefox, flamegraph, folded, json, text};
use support::counting::{Counting, most_of};
use support::random::Random;
use support::{
    Recorder, START, analyse, construct_total, region_total, state, target_event, target_total,
    thread_total,
};

/// Samples of each thread in a large profile.
const LARGE: usize = 1_000;
const APP: u64 = 0x40_0000;
const RUNTIME: u64 = 0x50_0000;

/// Tests of one process run side by side, and all of them allocate.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A profile with every kind of record; `samples` of two threads.
fn profile(samples: usize) -> Vec<u8> {
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    recorder.fork(0, 1, 0, APP + 1, &[RUNTIME + 1, APP + 1, APP + 0x101]);
    recorder.fork(1, 2, 1, APP + 0x21, &[RUNTIME + 1, APP + 0x21, RUNTIME + 1]);
    for thread in [0, 1] {
        recorder.thread(thread, 1 + thread);
        for i in 0..samples as u64 {
            let pcs = [APP + 0x20 + i % 64, RUNTIME + 1, APP + 1];
            recorder.task_sample(thread, state::PARALLEL, 2, &pcs, APP + 5);
            recorder.push(thread, SampleCall { thread, blocked: 500_000, call: b"read" });
            recorder.push(thread, SampleQueued { thread, queued: 100_000 });
            recorder.push(thread, SampleMemory { thread, behind: 0, address: APP + 64 * i });
            recorder.push(thread, SampleNode { thread, node: 1, from_node: thread });
        }
        recorder.push(thread, thread_total(thread, 10_000_000, 20_000_000));
        let (running, runnable, blocked_work, blocked_serial) = (1_000_000, 5, 6, 7);
        let known = ThreadScheduling { thread, running, runnable, blocked_work, blocked_serial };
        recorder.push(thread, known);
    }
    // A large one has samples after the run's end, which are no part of it.
    if samples < LARGE {
        recorder.push(0, Part { time: START, measured: 1 });
    }
    recorder.push(0, region_total(APP + 1, 5));
    let (codeptr_ra, parent_codeptr, level, instances) = (APP + 1, 0, 1, 2);
    recorder.push(0, RegionSiteOpen { codeptr_ra, parent_codeptr, level, instances });
    let work = 1_000_000;
    recorder.push(0, RegionSiteQueued { codeptr_ra, parent_codeptr, level, work });
    recorder.push(0, ThreadQueued { thread: 0, work, serial: 2_000 });
    for construct_kind in
        [construct_kind::WORK | 11, construct_kind::WORK | 3, construct_kind::BARRIER | 3]
    {
        let codeptr_ra = APP + 0x30 + u64::from(construct_kind & 0xff);
        recorder.push(0, construct_total(APP + 1, codeptr_ra, construct_kind, 7));
    }
    let (wait_id, mutex_kind, codeptr_ra, region_codeptr) = (APP, 7, APP + 0x60, APP + 1);
    recorder.push(0, MutexSitePlace { wait_id, mutex_kind, codeptr_ra, region_codeptr });
    recorder.push(0, MutexSiteSlept { wait_id, mutex_kind, codeptr_ra, slept: 7 });
    let (codeptr_ra, count, blocked, elapsed, longest) = (APP + 1, 2, 3, 4, 5);
    recorder.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call: b"poll" });
    recorder.push(0, Message { severity: severity::WARNING, text: b"lacks something" });
    recorder.push(0, RegionBody { codeptr_ra: 77, called_from: APP + 1, body: APP + 0x200 });
    let (number, size, level, job) = (0, 2, 2, b"job");
    recorder.push(0, Rank { number, size, level_asked: level, level, job, library: b"MPI" });
    let of_call = MpiCallTotal { call: 3, codeptr_ra: APP + 0x70, count: 2, ..Default::default() };
    recorder.push(0, MpiCallTotal { elapsed: 2_000, longest: 1_500, ..of_call });
    recorder.push(0, MpiThread { thread: 0, calls: 2, serial: 2_000, ..Default::default() });
    let meeting = MpiMeeting { communicator: 1, call: 3, size, time: START, ..Default::default() };
    recorder.push(0, MpiMeeting { elapsed: 1_500, ..meeting });
    let message = MpiMessage { communicator: 1, call: 3, peer: 1, sends: 1, ..Default::default() };
    recorder.push(0, MpiMessage { begins: 1, time: START, elapsed: 1_500, ..message });
    let waited =
        MpiWaited { communicator: 1, begun: 48, call: 21, time: START, ..Default::default() };
    recorder.push(0, MpiWaited { elapsed: 1_500, inside: 700, ..waited });
    let asked = MpiAsked { communicator: 1, peer: 1, call: 25, time: START, ..Default::default() };
    recorder.push(0, MpiAsked { elapsed: 1_500, inside: 700, ..asked });
    let (thread, call, codeptr_ra, region_codeptr, elapsed) = (0, 7, APP, 0, 2_000);
    recorder.push(0, MpiOpen { thread, call, codeptr_ra, region_codeptr, elapsed });
    let access = MpiLock { window: 1, exclusive: 1, call: 86, time: START, ..Default::default() };
    recorder.push(0, MpiLock { elapsed: 1_500, back: START + 2_000, back_elapsed: 9, ..access });
    let of_code = PythonCode { code: 1, version: 0x030b_02f0, first_line: 8, ..Default::default() };
    let (file, name, lines) = (&b"train.py"[..], &b"fit"[..], &[0x80, 0xf0, 1][..]);
    recorder.push(0, PythonCode { file_width: 1, file, name_width: 1, name, lines, ..of_code });
    recorder.push(0, Processors { usable: 1 });
    recorder.push(0, ThreadCpu { thread: 0, cpu: 1, running: 9 });
    recorder.push(0, ThreadAffinity { thread: 0, migrations: 1, cpus: &[2] });
    let launcher = ByteStrings::NulSeparated(b"SLURM_CPU_BIND=x\0");
    let (cpus, online, cpuset) = (&[2][..], &b"0-7"[..], &b"1"[..]);
    recorder.push(PROCESS_CHUNK, ProcessAffinity { cpus, online, cpuset, launcher });
    let (cpu, core, package, node, capacity, frequency) = (1, 1, 0, 0, 1024, 1);
    recorder.push(PROCESS_CHUNK, MachineCpu { cpu, core, package, node, capacity, frequency });
    let (quota, period, periods, throttled_periods, throttled) = (5, 10, 4, 3, 900);
    let path = &b"/x"[..];
    for periods in [0, periods] {
        let group = ControlGroup { path, quota, period, periods, throttled_periods, throttled };
        recorder.push(PROCESS_CHUNK, group);
    }
    let missing = ByteStrings::NulSeparated(b"cycles: none\0");
    recorder.push(0, CounterSources { events: 3, user_only: 1, missing });
    let counted = CounterDifference { thread: 0, region_codeptr: APP + 1, ..Default::default() };
    recorder.push(0, CounterDifference { running: 9, minor_faults: 8, left: 7, ..counted });
    recorder.push(0, ProcessCounters { minor_faults: 9, major_faults: 1, left: 8, taken: 2 });
    let (domain, energy, elapsed, why) = (&b"package-0"[..], 7, 5, &b""[..]);
    recorder.push(PROCESS_CHUNK, Energy { domain, energy, elapsed, why });
    recorder.push(PROCESS_CHUNK, Machine { processor: b"A", cpus: 2, elapsed: 5, others: 1 });
    recorder.push(PROCESS_CHUNK, ReportPiece { text: b"{}" });
    recorder.push(0, ProcessTime { running: 5_000_000 });
    recorder.push(0, target_total(APP + 0x70, 1, 4));
    recorder.push(0, target_event(APP + 0x70, target::KERNEL, 5_000_000, 0));
    let (codeptr_ra, acquisitions, contended) = (APP + 0x60, 9, 3);
    let (wait, longest_wait, hold) = (5_000_000, 2_000_000, 4_000_000);
    recorder.push(
        0,
        MutexSiteTotal {
            wait_id,
            mutex_kind,
            codeptr_ra,
            acquisitions,
            contended,
            wait,
            longest_wait,
            hold,
        },
    );
    recorder.push(0, MutexSiteSampling { wait_id, mutex_kind, codeptr_ra, timed: 5 });
    let (codeptr_ra, created, executed, stolen) = (APP + 5, 20, 20, 7);
    let (work, shortest, longest) = (9_000_000, 1_000, 3_000_000);
    recorder
        .push(0, TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest });
    recorder.push(0, TaskSiteSampling { codeptr_ra, seen: 10, deviation: 1_000 });
    recorder.push(1, ThreadSampling { thread: 1, untimed: 1_000_000 });
    recorder.push(1, ThreadEnd { thread: 1, time: START + 30_000_000 });
    recorder.end(30_000_000);
    packed(&recorder.file)
}

/// The same profile as of a process that was watched from outside: much of it is not known then.
fn attached(mut file: Vec<u8>) -> Vec<u8> {
    let (looks, stops, stood, longest, own, period) = (9, 8, 700, 600, 500, 400);
    let mut memory = [0; 256];
    let mut writer = ChunkWriter::new(&mut memory);
    let record = Attached { looks, stops, stood, longest, own, period };
    writer.push(record.into()).expect("fits");
    file.extend_from_slice(writer.seal(PROCESS_CHUNK));
    file
}

/// The same profile in the agent's form: many records in a chunk, each shorter where one like it is
/// before.
fn packed(file: &[u8]) -> Vec<u8> {
    let mut packed = file_header().to_vec();
    let mut memory = vec![0; 1 << 15];
    let (mut before, mut length, mut owner) = (Before::default(), 0, PROCESS_CHUNK);
    let mut seal = |memory: &mut [u8], before: &mut Before, length: &mut usize, owner: u32| {
        if *length > 0 {
            packed.extend_from_slice(ChunkWriter::resume(memory, *length).seal(owner));
        }
        before.clear();
        *length = 0;
    };
    for item in Reader::new(file).unwrap() {
        let Item::Chunk(chunk) = item else { panic!("{item:?}") };
        if chunk.thread != owner {
            seal(&mut memory, &mut before, &mut length, owner);
            owner = chunk.thread;
        }
        for record in chunk.records() {
            let mut record = record.unwrap();
            let pcs: Vec<u64>;
            if let Record::Stack(Stack { frames, .. }) = &mut record {
                pcs = frames.iter().collect();
                *frames = Frames::Pcs(&pcs);
            }
            let mut writer = ChunkWriter::resume(&mut memory, length);
            if writer.push_after(record, &mut before).is_err() {
                seal(&mut memory, &mut before, &mut length, owner);
                writer = ChunkWriter::resume(&mut memory, length);
                writer.push_after(record, &mut before).unwrap();
            }
            length = writer.length();
        }
    }
    seal(&mut memory, &mut before, &mut length, owner);
    packed
}

/// A kind that the profile lacks would not be tried.
#[test]
fn the_profile_that_is_changed_has_every_kind_of_record() {
    let _alone = ONE_AT_A_TIME.lock();
    let file = attached(profile(3));
    let chunks = Reader::new(&file).unwrap().map(|item| match item {
        Item::Chunk(chunk) => chunk.records().map(|record| record.unwrap().kind()).collect(),
        Item::Damage(damage) => panic!("{damage}"),
    });
    let found: std::collections::BTreeSet<u8> = chunks.flat_map(|kinds: Vec<u8>| kinds).collect();
    let missing: Vec<&u8> = kind::ALL.iter().filter(|kind| !found.contains(kind)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn render_all(analysis: &Analysis) {
    for all in [true, false] {
        let options = TextOptions { width: 60, color: true, whole_names: false, all, top: 5 };
        let _ = text::render(analysis, &options);
    }
    let _ = json::render(analysis);
    let _ = folded::render(analysis);
    let _ = flamegraph::render(analysis);
    let _ = firefox::render(analysis);
}

/// Changes, cuts, zeroes or doubles some bytes; every other time the checksums are made right
/// again.
fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    let begin = FILE_HEADER_BYTES;
    for _ in 0..=random.below(8) {
        let at = begin + random.below(file.len() - begin);
        match random.below(6) {
            0 => file.truncate(at.max(begin + 1)),
            1 => file[at..].fill(0),
            2 => {
                let end = (at + random.below(64)).min(file.len());
                let piece = file[at..end].to_vec();
                file.splice(at..at, piece);
            }
            3 => file[at] = 0xff,
            4 => file[at] ^= 1 << random.below(8),
            _ => file[at] = random.below(256) as u8,
        }
        if file.len() <= begin + 1 {
            return;
        }
    }
    if random.below(2) == 0 {
        let mut at = begin;
        while at + 16 <= file.len() {
            let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            let length = word(at + 4) as usize;
            if word(at) != CHUNK_MARKER || at + 16 + length > file.len() {
                at += 1;
                continue;
            }
            let sum = crc32(&file[at + 16..at + 16 + length]);
            file[at + 8..at + 12].copy_from_slice(&sum.to_le_bytes());
            at += 16 + length;
        }
    }
}

#[test]
fn any_change_of_a_profile_is_survived() {
    let _alone = ONE_AT_A_TIME.lock();
    let wanted = std::env::var("OMPHALOS_MUTATIONS").ok().and_then(|number| number.parse().ok());
    let whole = match std::env::var_os("OMPHALOS_MUTATED") {
        Some(path) => std::fs::read(path).unwrap(),
        None => profile(20),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.omph");
    let seed = std::env::var("OMPHALOS_MUTATION_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = Random::of(seed.unwrap_or(0));
    for number in 0..wanted.unwrap_or(400) {
        let mut file = if number % 4 == 0 { attached(whole.clone()) } else { whole.clone() };
        mutate(&mut file, &mut random);
        std::fs::write(&path, &file).unwrap();
        let begin = Instant::now();
        let ((), most) = most_of(|| {
            let Ok(profile) = Profile::open(&path) else { return };
            render_all(&Analysis::new(&profile, &mut NoProgress));
        });
        // A small profile has its share of what every report needs.
        assert!(most <= 10 * file.len() + (4 << 20), "mutation {number}: {most} bytes");
        assert!(begin.elapsed() < Duration::from_secs(60), "mutation {number}");
    }
}

#[test]
fn memory_is_in_proportion_to_a_large_profile() {
    let _alone = ONE_AT_A_TIME.lock();
    let file = profile(20_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.omph");
    std::fs::write(&path, &file).unwrap();
    let (count, most) = most_of(|| {
        let profile = Profile::open(&path).unwrap();
        Analysis::new(&profile, &mut NoProgress).samples().count()
    });
    assert!(most <= 10 * file.len(), "{most} bytes for a file of {}", file.len());
    assert_eq!(count, 40_000);
}

/// If the record of the process is lost, the begin of a thread tells the program's begin.
#[test]
fn a_lost_record_of_the_process_does_not_make_the_run_longer() {
    let _alone = ONE_AT_A_TIME.lock();
    let mut file = profile(5);
    file[FILE_HEADER_BYTES + 20] ^= 0xff;
    let analysis = analyse(&file);
    assert_eq!(analysis.summary().elapsed, 30_000_000);
    assert!(analysis.summary().damaged > 0);
    let shown = text::render(&analysis, &TextOptions::default());
    assert!(shown.contains("the profile is damaged"), "{shown}");
    assert!(analysis.samples().all(|sample| sample.time < START));
}
