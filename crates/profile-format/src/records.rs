//! The records: one structure a kind, its fields in the order in which the file has them.
//!
//! Integers are plain numbers of the published interfaces (`ompt_state_t` and its kin) so that this
//! crate depends on nothing. Times are nanoseconds of CLOCK_MONOTONIC, addresses are those of the
//! profiled process. A total is cumulative: of several with one key the last in the file holds.

use crate::frames::Frames;
use crate::wire::{ByteStrings, Field, Sink, Source};

/// Why a record could not be read; the reader goes on with the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A kind that this version does not know, with its length in bytes.
    UnknownKind { kind: u8, length: usize },
    /// The body ends before its fields do, or a number is too large.
    Malformed { kind: u8 },
    /// The record claims more bytes than the chunk has; the rest of the chunk is skipped.
    Overlong { kind: u8 },
}

macro_rules! records {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? = $kind:literal as $constant:ident {
            $( $(#[$field_doc:meta])* $field:ident : $type:ty, )*
        }
    )*) => {
        /// The number of each kind of record.
        pub mod kind {
            $( #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ")")]
               pub const $constant: u8 = $kind; )*

            /// All of them.
            pub const ALL: &[u8] = &[$($kind),*];

            /// A [`Sample`](super::Sample) of which only the fields are written that differ from
            /// those of the sample before it in the chunk.
            pub const SAMPLE_AGAIN: u8 = 22;
            /// A [`Stack`](super::Stack) as copies of parts of the last one of another kind in the
            /// chunk, and of itself.
            pub const STACK_COPIED: u8 = 23;
            /// A [`Stack`](super::Stack) as copies of parts of itself.
            pub const STACK_FOLDED: u8 = 24;
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $name $(<$life>)? { $( $(#[$field_doc])* pub $field: $type, )* }

            impl<'a> $name $(<$life>)? {
                fn encode(&self, sink: &mut Sink<'_>) {
                    $( self.$field.put(sink); )*
                }
                fn decode(source: &mut Source<'a>) -> Option<Self> {
                    Some($name { $( $field: Field::get(source)?, )* })
                }
            }

            impl<'a> From<$name $(<$life>)?> for Record<'a> {
                fn from(record: $name $(<$life>)?) -> Self {
                    Record::$name(record)
                }
            }
        )*

        /// Any record.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum Record<'a> {
            $( #[doc = concat!("See [`", stringify!($name), "`].")] $name($name $(<$life>)?), )*
        }

        impl<'a> Record<'a> {
            /// The number that stands for this kind in the file.
            pub fn kind(&self) -> u8 {
                match self { $( Record::$name(_) => $kind, )* }
            }

            pub(crate) fn encode(&self, sink: &mut Sink<'_>) {
                match self { $( Record::$name(record) => record.encode(sink), )* }
            }

            pub(crate) fn decode(kind: u8, body: &'a [u8]) -> Result<Self, RecordError> {
                let mut source = Source::new(body);
                match kind {
                    $( $kind => $name::decode(&mut source)
                        .map(Record::$name)
                        .ok_or(RecordError::Malformed { kind }), )*
                    _ => Err(RecordError::UnknownKind { kind, length: body.len() }),
                }
            }
        }
    };
}

records! {
    /// The profiled process; once, near the start of the file.
    Process<'a> = 1 as PROCESS {
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
    Module<'a> = 2 as MODULE {
        /// First mapped address of the object.
        base: u64,
        /// One past the last.
        end: u64,
        /// Offset in the file of the byte at `base`.
        file_offset: u64,
        path: &'a [u8],
        build_id: &'a [u8],
        /// See [`module_flag`](super::module_flag).
        flags: u32,
    }

    /// A thread that the runtime told the agent about.
    ThreadBegin = 3 as THREAD_BEGIN {
        /// The agent's index, counted from 0; every other record names threads by it.
        thread: u32,
        os_tid: u32,
        /// `ompt_thread_t`.
        thread_kind: u32,
        time: u64,
    }

    /// The end of a thread.
    ThreadEnd = 4 as THREAD_END {
        thread: u32,
        time: u64,
    }

    /// A call stack, once for each different one of a thread and before its first use.
    Stack<'a> = 5 as STACK {
        /// Unique among the stacks of the chunk's thread, never 0.
        stack: u64,
        /// Innermost first: the first is exact, the others are return addresses.
        frames: Frames<'a>,
    }

    /// An entry into a parallel region. Where regions come faster than records are worth, an agent
    /// may leave some out: a sample names its region's `codeptr_ra` too.
    Fork = 6 as FORK {
        region: u64,
        /// The region that the encountering task belongs to, 0 = none.
        parent: u64,
        time: u64,
        /// The encountering thread.
        thread: u32,
        codeptr_ra: u64,
        requested_threads: u32,
        /// `ompt_parallel_flag_t`.
        flags: u32,
        /// The encountering thread's stack at the fork, 0 = not captured.
        stack: u64,
    }

    /// One tick of a thread's timer.
    Sample = 7 as SAMPLE {
        time: u64,
        thread: u32,
        /// `ompt_state_t`.
        state: u32,
        wait_id: u64,
        stack: u64,
        /// The innermost region, 0 = none.
        region: u64,
        /// `codeptr_ra` of that region, 0 = none or unknown.
        region_codeptr: u64,
        /// The thread's number in that region's team.
        thread_num: u32,
        /// `ompt_task_flag_t` of the current task.
        task_flags: u32,
        /// `codeptr_ra` of the construct that made the current explicit task, else 0.
        task_codeptr: u64,
        /// CPU time that the thread used since its last sample, ns.
        cpu_time: u64,
        /// Periods that this sample stands for: 1 + those missed before it.
        weight: u32,
    }

    /// What all instances of one region site came to. Key: the first three fields.
    RegionSiteTotal = 8 as REGION_SITE_TOTAL {
        codeptr_ra: u64,
        /// `codeptr_ra` of the enclosing region's site, 0 = none.
        parent_codeptr: u64,
        /// 1 = outermost.
        level: u32,
        instances: u64,
        /// Sum over instances of the primary's time from parallel-begin to parallel-end, ns.
        elapsed: u64,
        /// Sum over instances of the team's size.
        team_size_sum: u64,
        /// Sum over threads and instances: in the region and in no wait, ns.
        work: u64,
        /// Explicit and implicit barriers, ns.
        barrier_wait: u64,
        /// Critical, lock, ordered, atomic, ns.
        mutex_wait: u64,
        /// taskwait and taskgroup, ns.
        task_wait: u64,
        /// Spent in the runtime on the team's behalf and in no wait, ns.
        overhead: u64,
        /// Sum over instances of the sum over threads of (longest work - own work), ns.
        imbalance: u64,
        /// Sum over instances of (longest work - mean work), ns: the elapsed time that perfect
        /// balance would give back.
        gain: u64,
        tasks_created: u64,
        tasks_executed: u64,
        /// Part of `work` that was in explicit tasks, ns.
        task_work: u64,
        /// Barriers that the implementation added.
        implementation_barriers: u64,
    }

    /// What all acquisitions of one mutex at one place came to. Key: the first three fields.
    MutexSiteTotal = 9 as MUTEX_SITE_TOTAL {
        wait_id: u64,
        /// `ompt_mutex_t`.
        mutex_kind: u32,
        /// Of the acquire.
        codeptr_ra: u64,
        acquisitions: u64,
        /// Acquisitions that had to wait.
        contended: u64,
        wait: u64,
        longest_wait: u64,
        hold: u64,
    }

    /// One thread's time, split into classes that do not overlap and add up to `alive`.
    ThreadTotal = 10 as THREAD_TOTAL {
        thread: u32,
        /// When this was written.
        time: u64,
        /// From thread begin to `time` or to the thread's end, ns.
        alive: u64,
        /// In a parallel region and in no wait, ns.
        work: u64,
        /// Waiting for a region, ns.
        idle: u64,
        barrier_wait: u64,
        mutex_wait: u64,
        task_wait: u64,
        overhead: u64,
        /// Outside any region, ns.
        serial_work: u64,
        samples: u64,
        /// Periods in which no sample could be taken.
        missed: u64,
        /// In the agent itself, ns; already part of the classes above.
        agent: u64,
    }

    /// The process ended in good order.
    End<'a> = 11 as END {
        time: u64,
        /// 0 = normal, 1 = the process executed another program; the last of several records holds.
        exit_kind: u32,
        /// The agent's own time over all threads, ns.
        agent: u64,
        note: &'a [u8],
    }

    /// What the agent wants the reader to know.
    Message<'a> = 12 as MESSAGE {
        /// See [`severity`](super::severity).
        severity: u32,
        text: &'a [u8],
    }

    /// What all tasks of one task construct came to. Key: `codeptr_ra`.
    TaskSiteTotal = 13 as TASK_SITE_TOTAL {
        codeptr_ra: u64,
        created: u64,
        executed: u64,
        /// By another thread than the one that created the task.
        stolen: u64,
        work: u64,
        shortest: u64,
        longest: u64,
    }

    /// Beside a task site total where its tasks came too fast to be timed one by one: `work` is an
    /// estimate then, and `created` is taken for `executed`. Key: `codeptr_ra`.
    TaskSiteSampling = 14 as TASK_SITE_SAMPLING {
        codeptr_ra: u64,
        /// Tasks whose end was seen: `shortest` and `longest` are of them.
        seen: u64,
        /// Standard deviation of `work`, ns.
        deviation: u64,
    }

    /// Beside a mutex site total likewise: `wait`, `hold` and `contended` are estimates. Key: the
    /// first three fields.
    MutexSiteSampling = 15 as MUTEX_SITE_SAMPLING {
        wait_id: u64,
        mutex_kind: u32,
        codeptr_ra: u64,
        /// Acquisitions that were timed.
        timed: u64,
    }

    /// Beside a thread total: how much of the thread's time is split among its classes by estimate.
    /// Key: `thread`.
    ThreadSampling = 16 as THREAD_SAMPLING {
        thread: u32,
        /// In stretches in which events were counted only, ns.
        untimed: u64,
    }

    /// About the sample record before it of the same thread: the thread was in a call of the C
    /// library, or in a system call, and part of the time that the sample stands for it was off its
    /// processor there.
    SampleCall<'a> = 17 as SAMPLE_CALL {
        thread: u32,
        /// ns, not more than the sample's weight stands for by about a period; the rest was
        /// running.
        blocked: u64,
        /// The function's name, or the system call's where no function is known.
        call: &'a [u8],
    }

    /// What all calls of one function of the C library in one region, or outside of any, came to.
    /// Calls too short to sleep in are left out. Key: `codeptr_ra` and `call`.
    CallTotal<'a> = 18 as CALL_TOTAL {
        /// Of the innermost region, 0 = outside.
        codeptr_ra: u64,
        count: u64,
        /// Off the processor, ns.
        blocked: u64,
        /// From the calls to their returns, ns.
        elapsed: u64,
        /// The longest time off the processor, ns.
        longest: u64,
        call: &'a [u8],
    }

    /// Beside a thread total: what the system knows of the thread, and how much of its work was
    /// none. Key: `thread`.
    ThreadScheduling = 19 as THREAD_SCHEDULING {
        thread: u32,
        /// On a processor, ns.
        running: u64,
        /// Able to run, but without a processor, ns. The rest of `alive` the thread was blocked.
        runnable: u64,
        /// Part of the total's `work`: blocked in calls, ns.
        blocked_work: u64,
        /// Part of the total's `serial_work`: blocked in calls, ns.
        blocked_serial: u64,
    }

    /// What all instances of one construct inside of regions came to. Times are sums over threads.
    /// Key: the first four fields.
    ConstructTotal = 20 as CONSTRUCT_TOTAL {
        /// `codeptr_ra` of the region that it was in.
        region_codeptr: u64,
        /// 1 = outermost.
        region_level: u32,
        /// Of its begin.
        codeptr_ra: u64,
        /// See [`construct_kind`](super::construct_kind).
        construct_kind: u32,
        /// Times that a team came to it; of single and masked, that it was executed.
        instances: u64,
        /// Times that a thread came to it.
        entered: u64,
        /// From its begin to its end, ns.
        time: u64,
        /// Chunks or sections that were handed out, of those instances in which they were counted.
        chunks: u64,
        /// Iterations or sections, over all instances.
        iterations: u64,
        /// Those of the instances whose chunks were counted.
        counted_iterations: u64,
        /// In the barrier behind it, ns; in a barrier itself.
        barrier_wait: u64,
        /// Of its end.
        end_codeptr: u64,
        /// Of a single whose end the program does not tell: from its begin to the executing
        /// thread's next barrier, ns.
        open_time: u64,
        /// That barrier, an explicit one by what the program calls: waits in it, ns.
        open_barrier_wait: u64,
        /// Times that a team came to it.
        open_instances: u64,
        /// Of that barrier.
        open_codeptr: u64,
    }

    /// Beside a mutex site total of a critical or ordered region: where that stands. Key: the first
    /// three fields.
    MutexSitePlace = 21 as MUTEX_SITE_PLACE {
        wait_id: u64,
        mutex_kind: u32,
        codeptr_ra: u64,
        /// `codeptr_ra` of the region that it was in last.
        region_codeptr: u64,
    }

    /// What all executions of one target construct on one device came to, or all calls of a memory
    /// routine at one place. Times are sums over executions. Key: the first three fields.
    TargetSiteTotal = 25 as TARGET_SITE_TOTAL {
        /// Of the construct, or of the routine's call.
        codeptr_ra: u64,
        /// `ompt_target_t`, 0 = a memory routine outside of any construct.
        target_kind: u32,
        /// Its number, [`HOST`](super::target::HOST) for the host itself.
        device: u32,
        executions: u64,
        /// From the construct's begin to its end, ns.
        elapsed: u64,
        kernels: u64,
        /// From a kernel's begin to its end, ns.
        kernel_time: u64,
        /// Copies from the host, their bytes, and the time that they took, ns.
        to_device: u64,
        to_device_bytes: u64,
        to_device_time: u64,
        /// Copies to the host.
        from_device: u64,
        from_device_bytes: u64,
        from_device_time: u64,
        /// Copies from device to device, and memory that was set.
        within: u64,
        within_bytes: u64,
        within_time: u64,
        /// Blocks of device memory that were made, and their bytes.
        allocations: u64,
        allocated_bytes: u64,
        /// Making and giving back such blocks, ns.
        memory_time: u64,
        /// The thread that the construct belongs to did nothing else, or waited meanwhile, ns.
        host_wait: u64,
        /// The thread that left the construct to another one worked meanwhile, ns.
        overlap: u64,
    }

    /// One execution of a target construct, a kernel or a copy, for a timeline. Where they come
    /// fast an agent leaves some out; the totals have all of them.
    TargetEvent = 26 as TARGET_EVENT {
        /// The executing thread.
        thread: u32,
        /// Its begin.
        time: u64,
        /// ns.
        duration: u64,
        /// See [`target`](super::target).
        event_kind: u32,
        /// As in the total.
        device: u32,
        /// Of a copy.
        bytes: u64,
        /// As in the total.
        codeptr_ra: u64,
    }

    /// Of regions that have one return address, since the functions that they end left for the
    /// runtime by a jump: which of them a record means. Key: `codeptr_ra`.
    RegionBody = 27 as REGION_BODY {
        /// As the other records have it: of all but the first such region no address.
        codeptr_ra: u64,
        /// The return address.
        called_from: u64,
        /// Where the outlined function starts.
        body: u64,
    }
}
