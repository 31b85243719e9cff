//! The process, its threads, what it has mapped, and what the agent has to say.

use super::fields::fields;
use crate::wire::ByteStrings;

fields! {
    /// The profiled process; once, near the start of the file.
    Process<'a> {
        pid: u32,
        /// When the agent started.
        start_time: u64,
        /// Wall clock at `start_time`, ns since 1970.
        wall_clock: u64,
        /// The time between two samples of one thread that was asked for, ns.
        period: u64,
        /// CPUs that the process may run on.
        cpus: u32,
        executable: &'a [u8],
        argv: ByteStrings<'a>,
        cwd: &'a [u8],
        /// What the runtime calls itself (`runtime_version` of `ompt_start_tool`).
        runtime_version: &'a [u8],
        /// The `_OPENMP` number that the runtime named.
        omp_version: u32,
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
        path: &'a [u8],
        build_id: &'a [u8],
        /// See [`module_flag`](crate::module_flag).
        flags: u32,
    }

    /// A thread that the runtime told the agent about.
    ThreadBegin {
        /// The agent's index, counted from 0; every other record names threads by it.
        thread: u32,
        os_tid: u32,
        /// `ompt_thread_t`.
        thread_kind: u32,
        time: u64,
    }

    /// The end of a thread.
    ThreadEnd {
        thread: u32,
        time: u64,
    }

    /// The process ended in good order.
    End<'a> {
        time: u64,
        /// 0 = normal, 1 = the process executed another program; the last of several records holds.
        exit_kind: u32,
        /// The agent's own time over all threads, ns.
        agent: u64,
        note: &'a [u8],
    }

    /// What the agent wants the reader to know.
    Message<'a> {
        /// See [`severity`](crate::severity).
        severity: u32,
        text: &'a [u8],
    }
}
