//! A rank's times in the job's report and in its own report: both have the same figures.

use omphalos_profile_format::*;
use omphalos_report::job::Job;
use omphalos_report::{Analysis, NoProgress, Profile};

const MS: u64 = 1_000_000;

#[test]
fn the_job_and_the_rank_divide_its_time_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rank-0.omph");
    let (time, alive) = (1_000 * MS, 1_000 * MS);
    // Calls outside of regions had no processor for longer than the thread is known to have had
    // none there, and had a part of what it lacked in regions.
    let (work, serial_work) = (600 * MS, 400 * MS);
    let (blocked_work, blocked_serial) = (20 * MS, 50 * MS);
    let total = ThreadTotal { time, alive, work, serial_work, ..ThreadTotal::default() };
    let asleep =
        ThreadScheduling { runnable: 90 * MS, blocked_work, blocked_serial, ..Default::default() };
    let calls = MpiThread {
        calls: 4,
        work: 5 * MS,
        serial: 100 * MS,
        blocked_serial: 30 * MS,
        queued_serial: 60 * MS,
        ..MpiThread::default()
    };
    let records: [Record<'_>; 7] = [
        Process { pid: 7, host: b"one", ..Process::default() }.into(),
        Rank { number: 0, size: 1, level: 1, level_asked: 1, job: b"a", library: b"MPI" }.into(),
        total.into(),
        asleep.into(),
        ThreadQueued { thread: 0, work: 50 * MS, serial: 40 * MS }.into(),
        calls.into(),
        End { time, exit_kind: 0, agent: 0, note: b"" }.into(),
    ];
    let mut memory = vec![0; 1 << 16];
    let mut writer = ChunkWriter::new(&mut memory);
    records.iter().for_each(|record| writer.push(*record).expect("fits"));
    let bytes = [&file_header()[..], writer.seal(PROCESS_CHUNK)].concat();
    std::fs::write(&path, bytes).expect("written");

    let job = Job::read(std::slice::from_ref(&path), &mut NoProgress).expect("a job");
    let row = &job.rows[0];
    let profile = Profile::open(&path).expect("a profile");
    let own = Analysis::new(&profile, &mut NoProgress);
    let own = own.summary();
    let of_job = [row.work + row.serial, row.serial, row.blocked, row.without_cpu];
    assert_eq!(of_job, [805, 280, 40, 50].map(|time| time * MS));
    assert_eq!(of_job, [own.openmp_work, own.serial, own.blocked, own.without_cpu]);
    assert_eq!(own.mpi, 105 * MS);
}
