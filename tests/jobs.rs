//! Jobs of MPI under `omphalos profile`: one folder, and one report over all ranks, with both MPI
//! libraries of Debian. The programs count their own calls of MPI and time them (`jobs/`).

#[path = "jobs/calls.rs"]
mod calls;
#[path = "jobs/folders.rs"]
mod folders;
#[path = "jobs/hung.rs"]
mod hung;
#[path = "jobs/kept_away.rs"]
mod kept_away;
#[path = "jobs/mpi.rs"]
mod mpi;
#[path = "jobs/nodes.rs"]
mod nodes;
#[path = "jobs/running.rs"]
mod running;
#[path = "jobs/script.rs"]
mod script;
#[path = "jobs/top.rs"]
mod top;
#[path = "jobs/whole.rs"]
mod whole;
#[path = "jobs/without.rs"]
mod without;

use std::process::ExitCode;

use calls::{access, collectives, counted, late, level, pipeline, waits};
use mpi::{Done, Mpi, profile};
use omphalos_tests::{paths, suite};
use serde_json::Value;
use whole::{first, holds, line, little};

type Check = fn(&Done) -> Result<(), String>;
type Test = fn(Mpi) -> Result<(), String>;

/// Each program, its number of ranks, and a check of its report.
const PROGRAMS: [(&str, u32, Check); 33] = [
    ("ring.c", 4, |done| counted(done, &[("MPI_Send", 40), ("MPI_Recv", 40)])),
    ("ring.c", 16, |done| counted(done, &[("MPI_Send", 160), ("MPI_Recv", 160)])),
    ("ring.f90", 3, |done| {
        counted(done, &[("MPI_Comm_dup", 3), ("MPI_Sendrecv_replace", 30), ("MPI_Barrier", 30)])
    }),
    ("collectives.c", 4, collectives),
    ("slow_rank.c", 4, |done| {
        first(done, "slow_rank.c", "rank-imbalance", &[1], "// uneven ranks")
    }),
    ("slow_serial.c", 3, |done| first(done, "slow_serial.c", "rank-serial", &[0], "")),
    ("slow_serial.c", 2, |done| {
        first(done, "slow_serial.c", "rank-serial", &[0], "")?;
        little(done, "serial-time")
    }),
    ("uneven_threads.c", 4, |done| {
        first(done, "uneven_threads.c", "rank-thread-imbalance", &[3], "// uneven threads")
    }),
    ("uneven_threads.c", 2, |done| {
        first(done, "uneven_threads.c", "rank-thread-imbalance", &[1], "// uneven threads")?;
        little(done, "thread-imbalance")
    }),
    ("funnelled.c", 2, |done| level(done, "MPI_THREAD_FUNNELED", 1)),
    ("multiple.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 2)),
    ("jumps.c", 2, |done| {
        let at = line("jumps.c", "// the region");
        let is_there =
            |row: &&Value| row["place"].as_str().is_some_and(|place| place.contains(&at));
        match done.rows("mpi_calls").any(|row| row["function"] == "MPI_Barrier" && is_there(&row)) {
            true => Ok(()),
            false => Err(format!("no barrier is at {at}: {:#}", done.job())),
        }
    }),
    ("against_level.c", 2, |done| {
        let warning = done.job()["warnings"][0].as_str().unwrap_or_default();
        let is_of_both = warning.ends_with("; so do those of rank 1");
        match warning.starts_with("2 threads of rank 0 call MPI") && is_of_both {
            true => Ok(()),
            false => Err(format!("nothing is said of the second thread: {:#}", done.job())),
        }
    }),
    ("late.c", 2, |done| late(done, &["MPI_Ssend", "MPI_Recv", "MPI_Wait"])),
    ("halo.c", 4, |done| {
        counted(done, &[("MPI_Isend", 120), ("MPI_Waitall", 80)])?;
        late(done, &["MPI_Waitall"])?;
        first(done, "halo.c", "rank-imbalance", &[0], "// larger part")
    }),
    ("pipeline.c", 4, pipeline),
    ("reduce_often.c", 2, |done| counted(done, &[("MPI_Allreduce", 600)])),
    ("threads.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 3)),
    ("poll.c", 2, |done| counted(done, &[("MPI_Irecv", 40), ("MPI_Send", 40)])),
    ("pthread.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 2)),
    ("persistent.c", 4, |done| counted(done, &[("MPI_Send_init", 4), ("MPI_Startall", 80)])),
    ("windows.c", 4, |done| counted(done, &[("MPI_Win_fence", 160), ("MPI_Get", 80)])),
    ("asks.c", 2, |done| {
        waits(done, &["Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"])
    }),
    ("kept.c", 2, |done| waits(done, &["Wait", "Waitall"])),
    ("begun.c", 4, |done| waits(done, &["Wait"])),
    ("windows_late.c", 4, |done| {
        waits(done, &["Win_fence"])?;
        access(done)
    }),
    ("epochs.c", 4, |done| {
        counted(done, &[("MPI_Win_post", 40), ("MPI_Win_start", 40), ("MPI_Win_complete", 40)])?;
        counted(done, &[("MPI_Win_wait", 20), ("MPI_Win_flush", 40), ("MPI_Win_lock_all", 4)])
    }),
    ("neighbours.c", 4, |done| {
        counted(done, &[("MPI_Neighbor_allgather", 40), ("MPI_Neighbor_alltoall", 40)])
    }),
    ("files.c", 3, |done| {
        counted(done, &[("MPI_File_read", 15), ("MPI_File_read_all", 15)])?;
        counted(done, &[("MPI_File_write", 15), ("MPI_File_write_all", 15)])?;
        counted(done, &[("MPI_File_seek_shared", 18), ("MPI_File_write_ordered_begin", 15)])
    }),
    ("kept_collectives.c", 3, |done| {
        match done.outcome.stdout.contains("no persistent collective calls") {
            true => Ok(()),
            false => counted(done, &[("MPI_Barrier_init", 3), ("MPI_Allreduce_init", 3)]),
        }
    }),
    ("weak.c", 2, |done| counted(done, &[("MPI_Allreduce", 40)])),
    ("large_counts.c", 2, |done| match done.outcome.stdout.contains("no large counts") {
        true => Ok(()),
        false => {
            counted(done, &[("MPI_Allreduce", 40), ("MPI_Gather", 40), ("MPI_Recv", 20)])?;
            late(done, &["MPI_Allreduce"])
        }
    }),
    ("master.c", 3, |done| {
        let used: Vec<&Value> = done.rows("ranks").map(|row| &row["used_openmp"]).collect();
        match used == [&Value::Bool(false), &Value::Bool(true), &Value::Bool(true)] {
            true => Ok(()),
            false => Err(format!("who used OpenMP? {:#}", done.job())),
        }
    }),
];

/// Tests of jobs that each run in a way of their own.
const OTHERS: [(&str, Test); 10] = [
    ("asleep", kept_away::asleep),
    ("throttled", kept_away::throttled),
    ("crowded", kept_away::crowded),
    ("hung", hung::is_named),
    ("script", script::has_lines),
    ("no_call", without::no_call),
    ("of_another", without::of_another),
    ("part_of_the_run", folders::part_of_the_run),
    ("again_with_fewer", folders::again_with_fewer),
    ("names_of_their_own", folders::names_of_their_own),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for mpi in [Mpi::Open, Mpi::Mpich] {
        for (name, ranks, check) in PROGRAMS {
            let title = format!("jobs::{}::{}::{ranks}", mpi.name(), name.replace('.', "_"));
            trials.push(suite::test(title.clone(), move || {
                let folder = paths::scratch(&title);
                let done = profile(mpi, name, ranks, &folder)?;
                holds(&done, ranks)?;
                check(&done)?;
                let _ = std::fs::remove_dir_all(&folder);
                Ok(())
            }));
        }
        for words in [&["run"][..], &["profile", "--no-report", "-o", "job"]] {
            let title = format!("jobs::{}::top_{}", mpi.name(), words[0]);
            trials.push(suite::test(title, move || top::names_each_rank(mpi, words)));
        }
        let title = format!("jobs::{}::slow_node", mpi.name());
        trials.push(suite::test(title, move || nodes::slow_node_is_named(mpi)));
        for (name, run) in OTHERS {
            let title = format!("jobs::{}::{name}", mpi.name());
            trials.push(suite::test(title, move || run(mpi)));
        }
    }
    suite::main(trials)
}
