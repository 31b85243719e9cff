//! Totals of regions and of what is in them, one for each place in the program.

use super::fields::fields;

fields! {
    /// The sums over all instances of one region site. Key: the first three fields.
    RegionSiteTotal {
        /// Return address of the region's call into the runtime; see [`RegionBody`].
        codeptr_ra: u64,
        /// `codeptr_ra` of the enclosing region's site, 0 = none.
        parent_codeptr: u64,
        /// 1 = outermost.
        level: u32,
        /// Times that the region was executed.
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
        /// Explicit tasks that were created in it.
        tasks_created: u64,
        /// Explicit tasks that were completed in it.
        tasks_executed: u64,
        /// Part of `work` that was in explicit tasks, ns.
        task_work: u64,
        /// Barriers that the implementation added.
        implementation_barriers: u64,
    }

    /// Behind a region site's total: instances in it that have not ended. Key: the first three
    /// fields. A later total without one has none.
    RegionSiteOpen {
        /// As in the total.
        codeptr_ra: u64,
        /// As in the total.
        parent_codeptr: u64,
        /// As in the total.
        level: u32,
        /// Those whose first thread has not come to the region's end.
        instances: u64,
    }

    /// Behind a region site's total: what of its work had no processor. Key: the first three
    /// fields. A later total without one has none.
    RegionSiteQueued {
        /// As in the total.
        codeptr_ra: u64,
        /// As in the total.
        parent_codeptr: u64,
        /// As in the total.
        level: u32,
        /// Part of the total's `work`: able to run, without a processor, ns.
        work: u64,
    }

    /// The code of a region, where several regions have one return address because the functions
    /// that they end leave for the runtime by a jump. Key: `codeptr_ra`.
    RegionBody {
        /// As the other records have it: of all but the first such region no address.
        codeptr_ra: u64,
        /// The return address.
        called_from: u64,
        /// Where the outlined function starts.
        body: u64,
    }

    /// The sums over all instances of one construct inside of regions. Times are sums over threads.
    /// Key: the first four fields.
    ConstructTotal {
        /// `codeptr_ra` of the region that it was in.
        region_codeptr: u64,
        /// 1 = outermost.
        region_level: u32,
        /// The return address of its begin.
        codeptr_ra: u64,
        /// See [`construct_kind`](crate::construct_kind).
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
        /// The return address of its end.
        end_codeptr: u64,
        /// The time of a single whose end the program does not tell: from its begin to the
        /// executing thread's next barrier, ns.
        open_time: u64,
        /// That barrier, an explicit one by what the program calls: waits in it, ns.
        open_barrier_wait: u64,
        /// Times that a team came to it.
        open_instances: u64,
        /// The return address of that barrier.
        open_codeptr: u64,
    }

    /// The sums over all calls of one function of the C library in one region, or outside of any.
    /// Calls too short to sleep in are left out. Key: `codeptr_ra` and `call`.
    CallTotal<'a> {
        /// The return address of the innermost region, 0 = outside.
        codeptr_ra: u64,
        /// Calls.
        count: u64,
        /// Off the processor, ns.
        blocked: u64,
        /// From the calls to their returns, ns.
        elapsed: u64,
        /// The longest time off the processor, ns.
        longest: u64,
        /// The function's name.
        call: &'a [u8],
    }

    /// The sums over all tasks of one task construct. Key: `codeptr_ra`.
    TaskSiteTotal {
        /// The return address of the task construct.
        codeptr_ra: u64,
        /// Tasks that were created.
        created: u64,
        /// Tasks that were completed.
        executed: u64,
        /// By another thread than the one that created the task.
        stolen: u64,
        /// Sum over tasks: in the task and in no wait, ns.
        work: u64,
        /// The least work of one task, ns; 0 = no task was seen whole.
        shortest: u64,
        /// The most work of one task, ns; 0 = no task was seen whole.
        longest: u64,
    }

    /// Beside a task site total where its tasks came too fast to be timed one by one: `work` is an
    /// estimate then, and `created` is taken for `executed`. Key: `codeptr_ra`.
    TaskSiteSampling {
        /// As in the total.
        codeptr_ra: u64,
        /// Tasks whose end was seen: `shortest` and `longest` are of them.
        seen: u64,
        /// Standard deviation of `work`, ns.
        deviation: u64,
    }

    /// The sums over all acquisitions of one mutex at one place. Key: the first three fields.
    MutexSiteTotal {
        /// The mutex by OMPT's name; 0 = all of the place: ordered regions, or too many mutexes.
        wait_id: u64,
        /// `ompt_mutex_t`.
        mutex_kind: u32,
        /// The return address of the acquire.
        codeptr_ra: u64,
        /// Times that a thread acquired it.
        acquisitions: u64,
        /// Acquisitions that had to wait.
        contended: u64,
        /// Waiting for it, ns.
        wait: u64,
        /// The longest wait of one acquisition, ns.
        longest_wait: u64,
        /// From the acquisitions to the releases, ns.
        hold: u64,
    }

    /// Beside a mutex site total likewise: `wait`, `hold` and `contended` are estimates. Key: the
    /// first three fields.
    MutexSiteSampling {
        /// As in the total.
        wait_id: u64,
        /// As in the total.
        mutex_kind: u32,
        /// As in the total.
        codeptr_ra: u64,
        /// Acquisitions that were timed.
        timed: u64,
    }

    /// Beside a mutex site total: the region in which the mutex was asked for last. Key: the first
    /// three fields.
    MutexSitePlace {
        /// As in the total.
        wait_id: u64,
        /// As in the total.
        mutex_kind: u32,
        /// As in the total.
        codeptr_ra: u64,
        /// `codeptr_ra` of the region that it was in last.
        region_codeptr: u64,
    }

    /// Beside a mutex site total: sleep of those that held the mutex. Key: the first three fields.
    MutexSiteSlept {
        /// As in the total.
        wait_id: u64,
        /// As in the total.
        mutex_kind: u32,
        /// As in the total.
        codeptr_ra: u64,
        /// Part of `hold` that threads were off the processor in calls of the C library, ns.
        slept: u64,
    }
}
