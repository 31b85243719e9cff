//! Jobs of ranks whose record files are written here: the waits of ranks for each other, on one
//! node and on several, and the parts of the files that are left out.

use std::path::{Path, PathBuf};

use omphalos_profile_format::*;
use omphalos_report::NoProgress;
use omphalos_report::job::{Job, Row};

const MS: u64 = 1_000_000;
const START: u64 = 1_000_000 * MS;

/// A rank's part in a collective call: function, communicator, number, root plus one, when it came,
/// and how long it took, ms.
type Part = (&'static str, u64, u64, u32, u64, u64);

/// Writes the file of a rank that lived for 100 ms; its node's clock is `ahead` of others.
fn write(
    folder: &Path,
    place: (u32, u32, &str),
    host: &str,
    ahead: u64,
    parts: &[Part],
) -> PathBuf {
    let (number, size, job) = place;
    let start = START + ahead;
    let elapsed = |of: &str| parts.iter().filter(|part| part.0 == of).map(|part| part.5 * MS).sum();
    let in_mpi: u64 = parts.iter().map(|part| part.5 * MS).sum();
    let mut records: Vec<Record<'_>> = vec![
        Process {
            pid: 100 + number,
            start_time: start,
            wall_clock: 1_700_000_000_000_000_000 + ahead,
            host: host.as_bytes(),
            argv: ByteStrings::Slices(&[b"./app"]),
            ..Process::default()
        }
        .into(),
        Rank { number, size, level_asked: 1, level: 1, job: job.as_bytes(), library: b"MPI" }
            .into(),
        ThreadTotal {
            thread: 0,
            time: start + 100 * MS,
            alive: 100 * MS,
            serial_work: 100 * MS,
            ..ThreadTotal::default()
        }
        .into(),
        MpiThread { thread: 0, calls: 1, serial: in_mpi, ..MpiThread::default() }.into(),
        End { time: start + 100 * MS, exit_kind: 0, agent: 0, note: b"" }.into(),
    ];
    let mut functions: Vec<&str> = parts.iter().map(|part| part.0).collect();
    functions.dedup();
    for name in functions {
        let call = mpi::number(name).expect("a function");
        let total = MpiCallTotal { call, count: 1, elapsed: elapsed(name), ..Default::default() };
        records.push(total.into());
    }
    // A call of no communicator is no meeting.
    let meetings = parts.iter().filter(|part| part.1 != 0);
    for (name, communicator, sequence, root, time, elapsed) in meetings {
        let meeting = MpiMeeting {
            communicator: *communicator,
            sequence: *sequence,
            call: mpi::number(name).expect("a function"),
            rank: number,
            size,
            root: *root,
            time: start + time * MS,
            elapsed: elapsed * MS,
        };
        records.push(meeting.into());
    }
    let mut memory = vec![0; 1 << 16];
    let mut writer = ChunkWriter::new(&mut memory);
    records.iter().for_each(|record| writer.push(*record).expect("fits"));
    let path = folder.join(format!("rank-{number}-{job}.omph"));
    let bytes = [&file_header()[..], writer.seal(PROCESS_CHUNK)].concat();
    std::fs::write(&path, bytes).expect("written");
    path
}

fn read(files: &[PathBuf]) -> Job {
    Job::read(files, &mut NoProgress).expect("a job")
}

fn waits(job: &Job) -> Vec<u64> {
    job.rows.iter().map(|row| row.mpi_wait / MS).collect()
}

/// Four ranks of one node come to one call after 10, 20, 30 and 40 ms, and leave at 42.
fn one_call(name: &'static str, root: u32) -> Vec<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = (0..4)
        .map(|rank| {
            let came = 10 * (u64::from(rank) + 1);
            let parts = [(name, 1, 0, root, came, 42 - came)];
            write(folder.path(), (rank, 4, "a"), "one", 0, &parts)
        })
        .collect();
    waits(&read(&files))
}

#[test]
fn who_waits_depends_on_the_call() {
    assert_eq!(one_call("Barrier", 0), [30, 20, 10, 0]);
    assert_eq!(one_call("Allreduce", 0), [30, 20, 10, 0]);
    // Ranks that came before the root wait for it.
    assert_eq!(one_call("Bcast", 3), [20, 10, 0, 0]);
    assert_eq!(one_call("Reduce", 1), [30, 0, 0, 0]);
    // Ranks with lower numbers came earlier.
    assert_eq!(one_call("Scan", 0), [0, 0, 0, 0]);
}

#[test]
fn calls_of_several_communicators_are_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    // Two halves, each with a call of the same number.
    let files: Vec<PathBuf> = (0..4)
        .map(|rank| {
            let came = 10 * (u64::from(rank) + 1);
            let parts = [("Barrier", 7 + u64::from(rank / 2), 0, 0, came, 11)];
            write(folder.path(), (rank, 4, "a"), "one", 0, &parts)
        })
        .collect();
    assert_eq!(waits(&read(&files)), [10, 0, 10, 0]);
}

#[test]
fn nodes_have_clocks_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let ahead = |rank: u32| u64::from(rank / 2) * 5_000_000 * MS;
    let files: Vec<PathBuf> = (0..4)
        .map(|rank| {
            let slow = u64::from(rank == 3) * 20;
            let parts = [
                ("Barrier", 1, 0, 0, 10 + u64::from(rank), 4 - u64::from(rank)),
                ("Barrier", 1, 1, 0, 30 + slow, 21 - slow),
            ];
            let host = if rank < 2 { "one" } else { "two" };
            write(folder.path(), (rank, 4, "a"), host, ahead(rank), &parts)
        })
        .collect();
    let job = read(&files);
    let unsure = job.clocks_unsure.expect("two nodes");
    assert!(unsure <= 4 * MS, "{unsure}");
    for (row, expected) in job.rows.iter().zip([20u64, 20, 20, 0]) {
        let off = (row.mpi_wait / MS).abs_diff(expected);
        assert!(off <= 5, "{:?}: {} ms", row.rank, row.mpi_wait / MS);
    }
    assert_eq!(job.nodes, ["one", "two"]);
    assert!(job.text(&omphalos_report::text::TextOptions::default()).contains("2 nodes"));
}

#[test]
fn the_parts_of_a_rank_add_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = [("Barrier", 1, 0, 0, 10, 20), ("Recv", 0, 0, 0, 40, 15)];
    let files = [0, 1].map(|rank| write(folder.path(), (rank, 2, "a"), "one", 0, &parts));
    for row in read(&files).rows {
        let Row { work, serial, openmp_wait, blocked, without_cpu, .. } = row;
        let outside = work + serial + openmp_wait + blocked + without_cpu;
        let in_mpi = row.mpi_wait + row.mpi_transfer + row.mpi_other + row.mpi_start;
        assert_eq!(outside + in_mpi, row.alive);
        assert_eq!((serial, in_mpi), (65 * MS, 35 * MS));
    }
}

#[test]
fn ranks_of_other_jobs_and_missing_ones_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = [("Barrier", 1, 0, 0, 10, 20)];
    let older = write(folder.path(), (2, 3, "older"), "one", 0, &parts);
    let files = [0, 2].map(|rank| write(folder.path(), (rank, 3, "newer"), "one", MS, &parts));
    let job = read(&[&files[..], &[older]].concat());
    assert_eq!(job.rows.len(), 2);
    let said = job.warnings.join("\n");
    assert!(said.contains("1 of the files are of other jobs"), "{said}");
    assert!(said.contains("of 1 of the 3 ranks there is no profile: 1"), "{said}");
}

#[test]
fn a_damaged_file_costs_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = [("Barrier", 1, 0, 0, 10, 20)];
    let files = [0, 1].map(|rank| write(folder.path(), (rank, 2, "a"), "one", 0, &parts));
    let bytes = std::fs::read(&files[1]).expect("read");
    for length in (0..bytes.len()).step_by(7) {
        std::fs::write(&files[1], &bytes[..length]).expect("written");
        let job = read(&files);
        assert!(job.rows.iter().any(|row| row.rank == 0));
        assert!(!job.warnings.is_empty(), "cut to {length}");
    }
}

/// Ranks of one thread each, on a busy machine: the threads of a rank do not wait for each other.
#[test]
fn a_rank_of_one_thread_waits_for_no_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [0, 1].map(|rank| {
        let path = write(folder.path(), (rank, 2, "a"), "one", 0, &[]);
        let total = ThreadTotal {
            time: START + 100 * MS,
            alive: 100 * MS,
            work: 40 * MS,
            barrier_wait: 60 * MS,
            ..ThreadTotal::default()
        };
        let region = RegionSiteTotal {
            codeptr_ra: 1,
            level: 1,
            instances: 5,
            team_size_sum: 5,
            work: 40 * MS,
            barrier_wait: 60 * MS,
            ..RegionSiteTotal::default()
        };
        let known =
            ThreadScheduling { running: 40 * MS, runnable: 60 * MS, ..ThreadScheduling::default() };
        let mut memory = vec![0; 1 << 12];
        let mut writer = ChunkWriter::new(&mut memory);
        for record in [total.into(), region.into(), known.into()] {
            writer.push(record).expect("fits");
        }
        let mut bytes = std::fs::read(&path).expect("a file");
        bytes.extend_from_slice(writer.seal(PROCESS_CHUNK));
        std::fs::write(&path, bytes).expect("written");
        path
    });
    let job = read(&files);
    for row in &job.rows {
        assert_eq!([row.work, row.without_cpu, row.openmp_wait], [40 * MS, 60 * MS, 0]);
    }
    assert!(job.factors.openmp > 0.99 && job.factors.cpu < 0.5, "{:?}", job.factors);
}

/// Two ranks that their launcher bound to one core of eight.
#[test]
fn ranks_on_one_core_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let found = |of_second: u8| {
        let launcher = ByteStrings::NulSeparated(b"SLURM_CPU_BIND=quiet,mask_cpu:0x1\0");
        let files: Vec<PathBuf> = [(0, 1), (1, of_second)]
            .into_iter()
            .map(|(number, mask)| {
                let path = write(folder.path(), (number, 2, "job"), "node", 0, &[]);
                let cpus = &[mask][..];
                let mut memory = vec![0; 1 << 12];
                let mut writer = ChunkWriter::new(&mut memory);
                let of_process = ProcessAffinity { cpus, online: b"0-7", cpuset: b"", launcher };
                for record in [
                    of_process.into(),
                    ThreadAffinity { thread: 0, migrations: 0, cpus }.into(),
                    ThreadQueued { thread: 0, work: 0, serial: 50 * MS }.into(),
                ] {
                    writer.push(record).expect("fits");
                }
                let mut bytes = std::fs::read(&path).unwrap();
                bytes.extend_from_slice(writer.seal(PROCESS_CHUNK));
                std::fs::write(&path, bytes).unwrap();
                path
            })
            .collect();
        let job = Job::read(&files, &mut NoProgress).unwrap();
        job.findings.first().map(|found| (found.disease, found.name.clone(), found.cost))
    };
    let name = "ranks 0-1 have 2 threads on CPU 0, which leaves out 7 CPUs".to_owned();
    assert_eq!(found(1), Some(("placement", name, 50 * MS)));
    assert!(found(2).is_none_or(|(disease, ..)| disease != "placement"));
}

/// Two ranks of two threads each on two CPUs. At work they always have one, since those that wait
/// give way; once a wait is over they have none for a time, and so the ranks come late by turns.
#[test]
fn a_crowd_that_gives_way_is_named_before_what_it_causes() {
    let folder = tempfile::tempdir().expect("a folder");
    let of_first = [("Allreduce", 1, 0, 0, 10, 20), ("Allreduce", 1, 1, 0, 60, 1)];
    let of_second = [("Allreduce", 1, 0, 0, 29, 1), ("Allreduce", 1, 1, 0, 40, 21)];
    let found = |runnable: u64| {
        let files = [(0, &of_first), (1, &of_second)].map(|(number, parts)| {
            let path = write(folder.path(), (number, 2, "job"), "node", 0, parts);
            let (online, cpus) = (&b"0-1"[..], &[3][..]);
            let mut records: Vec<Record<'_>> =
                vec![ProcessAffinity { cpus, online, ..Default::default() }.into()];
            for thread in 0..2 {
                let serial_work = if thread == 0 { 21 * MS } else { 0 };
                let (work, time) = (30 * MS, START + 100 * MS);
                let barrier_wait = 70 * MS - serial_work;
                let total = ThreadTotal { thread, time, alive: 100 * MS, ..Default::default() };
                let total = ThreadTotal { work, barrier_wait, serial_work, ..total };
                let known = ThreadScheduling { thread, running: 60 * MS, ..Default::default() };
                records.push(total.into());
                records.push(ThreadAffinity { thread, migrations: 0, cpus }.into());
                records.push(ThreadScheduling { runnable, ..known }.into());
            }
            let region = RegionSiteTotal { codeptr_ra: 1, level: 1, ..Default::default() };
            let (instances, team_size_sum, work) = (5, 10, 60 * MS);
            records.push(RegionSiteTotal { instances, team_size_sum, work, ..region }.into());
            let mut memory = vec![0; 1 << 12];
            let mut writer = ChunkWriter::new(&mut memory);
            records.iter().for_each(|record| writer.push(*record).expect("fits"));
            let mut bytes = std::fs::read(&path).expect("a file");
            bytes.extend_from_slice(writer.seal(PROCESS_CHUNK));
            std::fs::write(&path, bytes).expect("written");
            path
        });
        let found = read(&files).findings;
        found.first().map(|found| (found.disease, found.name.clone(), found.cost))
    };
    let name = "ranks 0-1 have 4 threads on 2 CPUs".to_owned();
    assert_eq!(found(25 * MS), Some(("oversubscription", name, 25 * MS)));
    // With a CPU all the time, threads that are more than the CPUs do no harm.
    assert_eq!(found(0).map(|(disease, ..)| disease), Some("late-arrivals"));
}

/// A call, the number of the message from rank 0 to rank 1 that it was for, when it began and how
/// long it took, ms.
type Passed = (&'static str, u64, u64, u64);

/// Returns the waits of two ranks, the first of which sent and the second received, each in its own
/// way.
fn passed(sent: &[Passed], received: &[Passed]) -> Vec<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = [sent, received]
        .into_iter()
        .enumerate()
        .map(|(rank, messages)| {
            let of = |(name, _, time, took): &Passed| (*name, 0, 0, 0, *time, *took);
            let mut parts: Vec<Part> = messages.iter().map(of).collect();
            // One call may serve several messages.
            parts.dedup();
            let path = write(folder.path(), (rank as u32, 2, "a"), "one", 0, &parts);
            let mut memory = vec![0; 1 << 12];
            let mut writer = ChunkWriter::new(&mut memory);
            for (name, sequence, time, elapsed) in messages {
                let message = MpiMessage {
                    communicator: 1,
                    rank: rank as u32,
                    peer: 1 - rank as u32,
                    tag: 7,
                    sends: 1 - rank as u32,
                    sequence: *sequence,
                    begins: u32::from(!name.starts_with("Wait")),
                    call: mpi::number(name).expect("a function"),
                    time: START + time * MS,
                    elapsed: elapsed * MS,
                };
                writer.push(message.into()).expect("fits");
            }
            let mut bytes = std::fs::read(&path).expect("a file");
            bytes.extend_from_slice(writer.seal(0));
            std::fs::write(&path, bytes).expect("written");
            path
        })
        .collect();
    waits(&read(&files))
}

#[test]
fn who_receives_waits_for_who_sends() {
    assert_eq!(passed(&[("Send", 0, 30, 1)], &[("Recv", 0, 10, 22)]), [0, 20]);
    // Begun early, and waited for later.
    let received = [("Irecv", 0, 2, 0), ("Wait", 0, 15, 17)];
    assert_eq!(passed(&[("Isend", 0, 30, 0)], &received), [0, 15]);
    // If one call waits for several messages, the last one counts.
    let received = [("Waitall", 0, 10, 30), ("Waitall", 1, 10, 30)];
    assert_eq!(passed(&[("Isend", 0, 20, 0), ("Isend", 1, 35, 0)], &received), [0, 25]);
}

#[test]
fn who_sends_waits_for_who_receives() {
    assert_eq!(passed(&[("Ssend", 0, 10, 32)], &[("Recv", 0, 40, 2)]), [30, 0]);
    // The library keeps the message, and the sender goes on.
    assert_eq!(passed(&[("Send", 0, 10, 1)], &[("Recv", 0, 40, 2)]), [1, 0]);
}

#[test]
fn messages_that_do_not_belong_together_tell_nothing() {
    // The first one would have been received before it was sent.
    let sent = [("Send", 0, 30, 1), ("Send", 1, 50, 1)];
    assert_eq!(passed(&sent, &[("Recv", 0, 10, 5), ("Recv", 1, 20, 32)]), [0, 0]);
}

/// Returns the waits of two ranks, each with parts, which give its times, and with further records.
fn waits_of_two(all: [(&[Part], Vec<Record<'static>>); 2]) -> Vec<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = all
        .into_iter()
        .enumerate()
        .map(|(rank, (parts, records))| {
            let path = write(folder.path(), (rank as u32, 2, "a"), "one", 0, parts);
            let mut memory = vec![0; 1 << 12];
            let mut writer = ChunkWriter::new(&mut memory);
            records.into_iter().for_each(|record| writer.push(record).expect("fits"));
            let mut bytes = std::fs::read(&path).expect("a file");
            bytes.extend_from_slice(writer.seal(0));
            std::fs::write(&path, bytes).expect("written");
            path
        })
        .collect();
    waits(&read(&files))
}

fn call(name: &str) -> u32 {
    mpi::number(name).expect("a function")
}

#[test]
fn who_waits_for_what_was_begun_waits_until_all_have_begun_it() {
    let begun = |time: u64| [("Ibarrier", 1, 0, 0, time, 0), ("Wait", 0, 0, 0, 12, 20)];
    let waited = MpiWaited {
        communicator: 1,
        begun: call("Ibarrier"),
        call: call("Wait"),
        time: START + 12 * MS,
        elapsed: 20 * MS,
        inside: 20 * MS,
        ..MpiWaited::default()
    };
    let later = [("Ibarrier", 1, 0, 0, 30, 0)];
    let all = [(&begun(10)[..], vec![waited.into()]), (&later[..], vec![])];
    assert_eq!(waits_of_two(all), [18, 0]);
}

#[test]
fn of_calls_that_ask_the_part_before_the_others_came_is_waiting() {
    let sends = [("Send", 0, 0, 0, 30, 1)];
    let message = MpiMessage {
        communicator: 1,
        peer: 1,
        sends: 1,
        begins: 1,
        call: call("Send"),
        time: START + 30 * MS,
        elapsed: MS,
        ..MpiMessage::default()
    };
    // It asked for half of the time from 10 to 50.
    let asks = [("Test", 0, 0, 0, 10, 20)];
    let asked = MpiAsked {
        communicator: 1,
        rank: 1,
        call: call("Test"),
        time: START + 10 * MS,
        elapsed: 40 * MS,
        inside: 20 * MS,
        ..MpiAsked::default()
    };
    let all = [(&sends[..], vec![message.into()]), (&asks[..], vec![asked.into()])];
    assert_eq!(waits_of_two(all), [0, 10]);
}

#[test]
fn who_wants_access_to_a_window_waits_for_who_has_it() {
    let access = |rank: u32, name: &str, (time, took): (u64, u64), (back, gave): (u64, u64)| {
        let exclusive = MpiLock { window: 2, rank, exclusive: 1, ..MpiLock::default() };
        let got = MpiLock { call: call(name), elapsed: took * MS, ..exclusive };
        let (time, back) = (START + time * MS, START + back * MS);
        vec![MpiLock { time, back, back_elapsed: gave * MS, ..got }.into()]
    };
    let first = [("Win_lock", 0, 0, 0, 10, 1), ("Win_unlock", 0, 0, 0, 30, 1)];
    let second = [("Win_lock", 0, 0, 0, 12, 20), ("Win_unlock", 0, 0, 0, 40, 1)];
    let has = access(0, "Win_lock", (10, 1), (30, 1));
    let wants = access(1, "Win_lock", (12, 20), (40, 1));
    assert_eq!(waits_of_two([(&first[..], has.clone()), (&second[..], wants)]), [0, 19]);
    // The library answers at once, and waits where an operation is completed.
    let second = [("Win_flush", 0, 0, 0, 15, 18), ("Win_unlock", 0, 0, 0, 40, 1)];
    let wants = access(1, "Win_flush", (15, 18), (40, 1));
    assert_eq!(waits_of_two([(&first[..], has.clone()), (&second[..], wants)]), [0, 16]);
    // Or where the access is given back.
    let second = [("Win_lock", 0, 0, 0, 12, 0), ("Win_unlock", 0, 0, 0, 20, 15)];
    let wants = access(1, "Win_lock", (12, 0), (20, 15));
    assert_eq!(waits_of_two([(&first[..], has), (&second[..], wants)]), [0, 11]);
}
