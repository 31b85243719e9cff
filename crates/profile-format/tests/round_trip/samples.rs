//! A record of each kind, with values at the ends of their ranges.

use omphalos_profile_format::*;

pub fn samples() -> Vec<Record<'static>> {
    let argv: &[&[u8]] = &[b"./app", b"--size", b""];
    vec![
        Process {
            pid: 42,
            start_time: u64::MAX,
            wall_clock: 1_700_000_000_000_000_000,
            period: 1_000_000,
            cpus: 2,
            executable: b"/bin/app",
            argv: ByteStrings::Slices(argv),
            cwd: b"/",
            runtime_version: b"runtime 1",
            omp_version: 202111,
            host: b"host",
            environment: ByteStrings::NulSeparated(b"OMP_NUM_THREADS=2\0OMP_PLACES=\0"),
        }
        .into(),
        Module {
            base: 0x7f00_0000_0000,
            end: 0x7f00_0010_0000,
            file_offset: 0,
            path: b"/lib/libomp.so.5",
            build_id: &[1, 2, 3],
            flags: module_flag::RUNTIME,
        }
        .into(),
        Stack { stack: 1, frames: Frames::Pcs(&[0x7f00_0000_1234, 0x40_1000, u64::MAX, 0]) }.into(),
        Fork {
            region: 1 << 40,
            parent: 0,
            time: 5,
            thread: 0,
            codeptr_ra: 0x40_1000,
            requested_threads: 4,
            flags: 0x8000_0001,
            stack: 1,
        }
        .into(),
        ThreadBegin { thread: 1, os_tid: 43, thread_kind: 2, time: 9 }.into(),
        Sample {
            time: 9,
            thread: 1,
            state: 0x101,
            wait_id: u64::MAX,
            stack: 1,
            region: 1 << 40,
            region_codeptr: 0x40_1000,
            thread_num: 1,
            task_flags: 4,
            task_codeptr: 0x40_1010,
            cpu_time: 1 << 33,
            weight: u32::MAX,
        }
        .into(),
        RegionSiteTotal {
            codeptr_ra: 0x40_1000,
            parent_codeptr: 0x40_0800,
            level: 2,
            instances: 1,
            elapsed: 127,
            team_size_sum: 128,
            work: 129,
            barrier_wait: 1 << 14,
            mutex_wait: 1 << 21,
            task_wait: 1 << 28,
            overhead: 1 << 35,
            imbalance: 1 << 42,
            gain: 1 << 49,
            tasks_created: 1 << 56,
            tasks_executed: 1 << 63,
            task_work: u64::MAX,
            implementation_barriers: 0,
        }
        .into(),
        MutexSiteTotal {
            wait_id: 0x60_0000,
            mutex_kind: 5,
            codeptr_ra: 0x40_1020,
            acquisitions: 6,
            contended: 7,
            wait: 8,
            longest_wait: 9,
            hold: 10,
        }
        .into(),
        ThreadTotal {
            thread: 1,
            time: 11,
            alive: 12,
            work: 13,
            idle: 14,
            barrier_wait: 15,
            mutex_wait: 16,
            task_wait: 17,
            overhead: 18,
            serial_work: 19,
            samples: 20,
            missed: 21,
            agent: 22,
        }
        .into(),
        TaskSiteTotal {
            codeptr_ra: 0x40_1010,
            created: 23,
            executed: 24,
            stolen: 25,
            work: 26,
            shortest: 27,
            longest: 28,
        }
        .into(),
        TaskSiteSampling { codeptr_ra: 0x40_1010, seen: 29, deviation: 30 }.into(),
        MutexSiteSampling { wait_id: 0x60_0000, mutex_kind: 5, codeptr_ra: 0x40_1020, timed: 31 }
            .into(),
        ThreadSampling { thread: 1, untimed: 32 }.into(),
        SampleCall { thread: 1, blocked: 300, call: b"read" }.into(),
        CallTotal {
            codeptr_ra: 0x40,
            count: 3,
            blocked: 900,
            elapsed: 1000,
            longest: 800,
            call: b"read",
        }
        .into(),
        ThreadScheduling { thread: 1, running: 7, runnable: 6, blocked_work: 5, blocked_serial: 4 }
            .into(),
        ConstructTotal {
            region_codeptr: 0x40_1000,
            region_level: 1,
            codeptr_ra: 0x40_1030,
            construct_kind: construct_kind::WORK | 11,
            instances: 33,
            entered: 34,
            time: 35,
            chunks: 36,
            iterations: 37,
            counted_iterations: 38,
            barrier_wait: 39,
            end_codeptr: 0x40_1040,
            open_time: 40,
            open_barrier_wait: 41,
            open_instances: 42,
            open_codeptr: 0x40_1050,
        }
        .into(),
        MutexSitePlace {
            wait_id: 0x60_0000,
            mutex_kind: 5,
            codeptr_ra: 0x40_1020,
            region_codeptr: 0x40_1000,
        }
        .into(),
        ThreadEnd { thread: 1, time: 10 }.into(),
        Message { severity: severity::WARNING, text: b"timer refused" }.into(),
        End { time: 11, exit_kind: 0, agent: 12, note: b"" }.into(),
    ]
}
