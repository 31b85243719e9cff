//! Single moments: forks, samples, and the stacks that they name.

use super::fields::fields;
use crate::frames::Frames;

fields! {
    /// A call stack. Each different one of a thread is written once, before its first use.
    Stack<'a> {
        /// Unique among the stacks of the chunk's thread, never 0.
        stack: u64,
        /// Innermost first: the first is exact, the others are return addresses.
        frames: Frames<'a>,
    }

    /// An entry into a parallel region. If regions begin very often, an agent may leave some out: a
    /// sample names its region's `codeptr_ra` too.
    Fork {
        /// The agent's number of the region, counted from 1.
        region: u64,
        /// The region that the encountering task belongs to, 0 = none.
        parent: u64,
        /// When the region began.
        time: u64,
        /// The encountering thread.
        thread: u32,
        /// As in the region site's total.
        codeptr_ra: u64,
        /// Threads that the construct asks for; of a league, teams.
        requested_threads: u32,
        /// `ompt_parallel_flag_t`.
        flags: u32,
        /// The encountering thread's stack at the fork, 0 = not captured.
        stack: u64,
    }

    /// One tick of a thread's timer.
    Sample {
        /// When the sample was taken.
        time: u64,
        /// The sampled thread.
        thread: u32,
        /// `ompt_state_t`.
        state: u32,
        /// The object that the thread waits for, by OMPT's name, if `state` is a wait.
        wait_id: u64,
        /// The thread's [`Stack`], 0 = not captured.
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

    /// About the sample record before it of the same thread: the thread was in a call of the C
    /// library, or in a system call, and was off its processor there for part of the time that the
    /// sample stands for.
    SampleCall<'a> {
        /// The thread of the sample.
        thread: u32,
        /// The time off its processor, ns. It exceeds the time that the sample stands for by about
        /// one period at most; the rest of that time the thread ran.
        blocked: u64,
        /// The function's name, or the system call's if the function is not known.
        call: &'a [u8],
    }

    /// About the sample record before it of the same thread: the memory that the instruction at its
    /// program counter reads or writes, or that the instruction before did, if that has a `lock`
    /// prefix.
    SampleMemory {
        /// The thread of the sample.
        thread: u32,
        /// The number of bytes from the instruction's beginning to the program counter; 0 = the
        /// instruction is at the program counter.
        behind: u32,
        /// The first byte that it reads or writes. 0 = it uses no memory: a thread has at most one
        /// such record.
        address: u64,
    }

    /// About the sample record before it of the same thread, on a machine with several NUMA nodes:
    /// the place of the memory that its first [`SampleMemory`] names.
    SampleNode {
        /// The thread of the sample.
        thread: u32,
        /// The NUMA node that has the memory's page.
        node: u32,
        /// The NUMA node of the CPU on which the thread ran.
        from_node: u32,
    }

    /// About the sample record before it of the same thread: the time since the sample before that
    /// one in which the thread could have run but had no processor.
    SampleQueued {
        /// The thread of the sample.
        thread: u32,
        /// The time, ns; short ones may be added to a later sample's.
        queued: u64,
    }
}
