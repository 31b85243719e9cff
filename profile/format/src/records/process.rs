//! The process, its threads, what it has mapped, and what the agent has to say.

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
        /// The path of its file, empty = unknown.
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

    /// A mapped object; written again when it moved or a new one came.
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
        /// The agent's index of it.
        thread: u32,
        /// When the thread ended.
        time: u64,
    }

    /// How many processors the threads may use as they are bound; the last record holds.
    Processors {
        /// Those that at least one of the threads that live at once may use.
        usable: u32,
    }

    /// The time that the process has computed since the agent began; the last record holds.
    ProcessTime {
        /// All its threads on processors, those included that use no OpenMP, ns.
        running: u64,
    }

    /// The machine while the process ran: from whoever started it, written when it has ended.
    Machine<'a> {
        /// The model of its processors, empty = unknown.
        processor: &'a [u8],
        /// Processors that are online.
        cpus: u32,
        /// For how long was looked, ns.
        elapsed: u64,
        /// The time that all processors worked for other programs, or that was taken from the
        /// machine, ns.
        others: u64,
    }

    /// A piece of the report that was made when the program had ended and its files were those
    /// that had run; all pieces of a profile one after the other are one JSON object.
    ReportPiece<'a> {
        /// Bytes of that.
        text: &'a [u8],
    }

    /// From here on the run is measured, or is not. Totals were written just before: what they say
    /// is the state at this time. Without such a record all of the run is measured.
    Part {
        /// When that began.
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
        /// The agent's own time, ns: that of all threads, and what it took besides.
        agent: u64,
        /// Why the record was closed, as text.
        note: &'a [u8],
    }

    /// The process ran already, and was looked at from outside: there was no agent, and nothing is
    /// known of how often something happened. Times are by samples, as far as they are not the
    /// kernel's.
    Attached {
        /// Looks at all threads.
        looks: u64,
        /// Times that one thread stood still for a look.
        stops: u64,
        /// For how long, all of them together, ns.
        stood: u64,
        /// The longest of them, ns.
        longest: u64,
        /// Processor time of whoever looked, ns.
        own: u64,
        /// The time between two looks that was asked for, ns.
        period: u64,
    }

    /// A message of the agent for the reader.
    Message<'a> {
        /// See [`severity`](crate::severity).
        severity: u32,
        /// A sentence or several, for the user.
        text: &'a [u8],
    }
}
