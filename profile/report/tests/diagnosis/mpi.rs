//! A process's time in MPI is no work of its own, and is reported apart.

use omphalos_profile_format::*;
use omphalos_report::Disease;

use super::{APP, MS, balanced, diseases, run};

const CALL: u64 = APP + 0x80;

fn call(name: &str, elapsed: u64) -> MpiCallTotal {
    let call = mpi::number(name).expect("a function");
    MpiCallTotal { call, codeptr_ra: CALL, count: 10, elapsed, ..MpiCallTotal::default() }
}

#[test]
fn time_in_mpi_is_no_serial_time() {
    let mut threads = balanced();
    let [main, worker] = &mut threads;
    (main.work, main.barrier_wait, main.serial_work) = (200 * MS, 0, 800 * MS);
    (worker.work, worker.barrier_wait, worker.idle) = (200 * MS, 0, 800 * MS);
    let analysis = run(&threads, 1000 * MS, |recorder| {
        let own = MpiThread {
            thread: 0,
            calls: 11,
            serial: 700 * MS,
            blocked_serial: 100 * MS,
            queued_serial: 50 * MS,
            ..MpiThread::default()
        };
        recorder.push(0, own);
        recorder.push(0, call("Init", 100 * MS));
        recorder.push(0, call("Recv", 600 * MS));
        let slept = ThreadScheduling {
            thread: 0,
            running: 700 * MS,
            blocked_serial: 120 * MS,
            ..ThreadScheduling::default()
        };
        recorder.push(0, slept);
        recorder.push(0, ThreadQueued { thread: 0, work: 0, serial: 60 * MS });
    });
    let main = &analysis.threads()[0];
    let parts = [main.mpi, main.serial_work, main.blocked, main.without_cpu, main.work];
    assert_eq!(parts.map(|part| part / MS), [700, 70, 20, 10, 200]);
    assert_eq!(parts.into_iter().sum::<u64>(), main.alive);
    // The begin of MPI does not count as the process's time in MPI.
    let finding = &analysis.findings()[0];
    assert_eq!((finding.disease, finding.cost), (Disease::Mpi, 600 * MS));
    assert!(finding.place.starts_with("MPI_Recv at "), "{}", finding.place);
    let serial = diseases(&analysis).into_iter().find(|(disease, _)| *disease != Disease::Mpi);
    assert_eq!(serial, None);
}
