//! Single moments: forks, samples, and the stacks that they name.

use super::fields::fields;
use crate::frames::Frames;

fields! {
    /// A call stack, once for each different one of a thread and before its first use.
    Stack<'a> {
        /// Unique among the stacks of the chunk's thread, never 0.
        stack: u64,
        /// Innermost first: the first is exact, the others are return addresses.
        frames: Frames<'a>,
    }

    /// An entry into a parallel region. Where regions come faster than records are worth, an agent
    /// may leave some out: a sample names its region's `codeptr_ra` too.
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
    /// library, or in a system call, and part of the time that the sample stands for it was off its
    /// processor there.
    SampleCall<'a> {
        /// The thread of the sample.
        thread: u32,
        /// ns, not more than the sample's weight stands for by about a period; the rest was
        /// running.
        blocked: u64,
        /// The function's name, or the system call's where no function is known.
        call: &'a [u8],
    }

    /// About the sample record before it of the same thread: the memory that the instruction at its
    /// program counter reads or writes; or that the one before that did, with a `lock` prefix.
    SampleMemory {
        /// The thread of the sample.
        thread: u32,
        /// How many bytes before the program counter the instruction begins; 0 = there.
        behind: u32,
        /// The first byte that it reads or writes, 0 = it uses none; this is said once a thread.
        address: u64,
    }

    /// About the sample record before it of the same thread, on a machine with several NUMA nodes:
    /// where the first memory lies that its [`SampleMemory`] names.
    SampleNode {
        /// The thread of the sample.
        thread: u32,
        /// The NUMA node that has the memory's page.
        node: u32,
        /// The NUMA node of the CPU on which the thread ran.
        from_node: u32,
    }

    /// About the sample record before it of the same thread: since the one before that the thread
    /// could have run for so long, but had no processor.
    SampleQueued {
        /// The thread of the sample.
        thread: u32,
        /// ns; short times may be told with a later sample.
        queued: u64,
    }
}
