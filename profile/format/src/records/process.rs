//! The process, its threads, its mapped files, and messages of the agent.

use super::fields::fields;
use crate::wire::ByteStrings;

fields! {
    /// The profiled process; once, near the start of the file.
    Process<'a> {
        /// The process's id.
        pid: u32,
        /// When the agent started.
        start_time: u64,
        /// Wall clock at `start_time`, ns since 1970.
        wall_clock: u64,
        /// The time between two samples of one thread that was asked for, ns.
        period: u64,
        /// CPUs that the process may run on.
        cpus: u32,
        /// The path of the program's file, empty = unknown.
        executable: &'a [u8],
        /// The command line: the program and its arguments.
        argv: ByteStrings<'a>,
        /// The working directory when the record was written, empty = unknown.
        cwd: &'a [u8],
        /// The runtime's own name (`runtime_version` of `ompt_start_tool`).
        runtime_version: &'a [u8],
        /// The `_OPENMP` number that the runtime named.
        omp_version: u32,
        /// The machine's name.
        host: &'a [u8],
        /// `OMP_*`, `KMP_*`, `GOMP_*` and `OMPHALOS_*` only, as `NAME=value`.
        environment: ByteStrings<'a>,
    }

    /// A mapped object; written again when it has moved or a new one has come.
    Module<'a> {
        /// First mapped address of the object.
        base: u64,
        /// One past the last.
        end: u64,
        /// Offset in the file of the byte at `base`.
        file_offset: u64,
        /// The file's path, as the system names it.
        path: &'a [u8],
        /// The bytes of its GNU build id, empty = none.
        build_id: &'a [u8],
        /// See [`module_flag`](crate::module_flag).
        flags: u32,
    }

    /// A thread that the runtime told the agent about.
    ThreadBegin {
        /// The agent's index, counted from 0; every other record names threads by it.
        thread: u32,
        /// The system's id of the thread.
        os_tid: u32,
        /// `ompt_thread_t`.
        thread_kind: u32,
        /// When the thread began.
        time: u64,
    }

    /// The end of a thread.
    ThreadEnd {
        /// The agent's index of the thread.
        thread: u32,
        /// When the thread ended.
        time: u64,
    }

    /// The number of processors that the threads may use, as they are bound; the last record holds.
    Processors {
        /// The processors that at least one of the threads that live at the same time may use.
        usable: u32,
    }

    /// The time that the process has computed since the agent began; the last record holds.
    ProcessTime {
        /// The time of all its threads on processors, also of those that use no OpenMP, ns.
        running: u64,
    }

    /// The machine while the process ran. The process that started it writes this when it has
    /// ended.
    Machine<'a> {
        /// The model of its processors, empty = unknown.
        processor: &'a [u8],
        /// Processors that are online.
        cpus: u32,
        /// The time of observation, ns.
        elapsed: u64,
        /// The time that all processors worked for other programs, or that was taken from the
        /// machine, ns.
        others: u64,
    }

    /// A piece of the report that was made as soon as the program had ended, when its files were
    /// still those that had run. All pieces of a profile one after the other are one JSON object.
    ReportPiece<'a> {
        /// Bytes of the JSON object.
        text: &'a [u8],
    }

    /// From this time on the run is measured, or is not. The totals just before it have the state
    /// at this time. Without such a record all of the run is measured.
    Part {
        /// The time.
        time: u64,
        /// 1 = it is measured, 0 = it is not.
        measured: u32,
    }

    /// The process ended in good order.
    End<'a> {
        /// When the record was closed.
        time: u64,
        /// 0 = normal, 1 = the process executed another program, 2 = the process went on without
        /// being recorded; the last of several records holds.
        exit_kind: u32,
        /// The agent's own time, ns: in all threads, and what it took besides.
        agent: u64,
        /// The reason why the record was closed, as text.
        note: &'a [u8],
    }

    /// The process was already running, and was observed from outside. There was no agent, so the
    /// number of times that something happened is unknown. Times are estimated from samples, except
    /// those of the kernel.
    Attached {
        /// The number of looks at all threads.
        looks: u64,
        /// The number of times that a look stopped one thread.
        stops: u64,
        /// The sum of these stops, ns.
        stood: u64,
        /// The longest of them, ns.
        longest: u64,
        /// The processor time of the observing process, ns.
        own: u64,
        /// The time between two looks that was asked for, ns.
        period: u64,
    }

    /// A message of the agent for the reader.
    Message<'a> {
        /// See [`severity`](crate::severity).
        severity: u32,
        /// One or more sentences for the user.
        text: &'a [u8],
    }
}
