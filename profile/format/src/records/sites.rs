//! Totals of regions and of the constructs, tasks, calls and mutexes in them, one for each place in
//! the program.

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
        /// The sum over threads and instances of the time in the region and in no wait, ns.
        work: u64,
        /// The time in explicit and implicit barriers, ns.
        barrier_wait: u64,
        /// The time of waits for critical, lock, ordered and atomic, ns.
        mutex_wait: u64,
        /// The time in taskwait and taskgroup, ns.
        task_wait: u64,
        /// The time in the runtime on the team's behalf and in no wait, ns.
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

    /// Follows a region site's total: instances in it that have not ended. Key: the first three
    /// fields. If a later total has no such record, none are open.
    RegionSiteOpen {
        /// As in the total.
        codeptr_ra: u64,
        /// As in the total.
        parent_codeptr: u64,
        /// As in the total.
        level: u32,
        /// The instances whose primary has not come to the region's end.
        instances: u64,
    }

    /// Follows a region site's total: the part of its work that had no processor. Key: the first
    /// three fields. If a later total has no such record, there is no such part.
    RegionSiteQueued {
        /// As in the total.
        codeptr_ra: u64,
        /// As in the total.
        parent_codeptr: u64,
        /// As in the total.
        level: u32,
        /// The part of the total's `work` in which a thread could run but had no processor, ns.
        work: u64,
    }

    /// The code of a region, if several regions share one return address: a function that ends in a
    /// region may jump into the runtime instead of calling it. Key: `codeptr_ra`.
    RegionBody {
        /// The region's `codeptr_ra` in other records: the first such region has the return
        /// address, each other one a number that is no address.
        codeptr_ra: u64,
        /// The shared return address.
        called_from: u64,
        /// The begin of the outlined function.
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
        /// The number of times that a team came to the construct; for single and masked, that it
        /// was executed.
        instances: u64,
        /// The number of times that a thread came to it.
        entered: u64,
        /// The time from its begin to its end, ns.
        time: u64,
        /// Chunks or sections that were handed out in the instances that counted them.
        chunks: u64,
        /// Iterations or sections, over all instances.
        iterations: u64,
        /// The iterations of the instances that counted their chunks.
        counted_iterations: u64,
        /// The time in the barrier after it, ns; if it is a barrier, the time in it.
        barrier_wait: u64,
        /// The return address of its end.
        end_codeptr: u64,
        /// For a single whose end the program does not tell: the time from its begin to the
        /// executing thread's next barrier, ns.
        open_time: u64,
        /// The waits in that barrier, which the program calls as an explicit one, ns.
        open_barrier_wait: u64,
        /// The number of times that a team came to that barrier.
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
        /// The time off the processor, ns.
        blocked: u64,
        /// The time from the calls to their returns, ns.
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
        /// Tasks that another thread executed than the one that created them.
        stolen: u64,
        /// The sum over tasks of the time in the task and in no wait, ns.
        work: u64,
        /// The least work of one task, ns; 0 = no task was timed from begin to end.
        shortest: u64,
        /// The most work of one task, ns; 0 = no task was timed from begin to end.
        longest: u64,
    }

    /// Accompanies a task site total whose tasks came too fast to be timed one by one: `work` is
    /// then an estimate, and `executed` is assumed to be `created`. Key: `codeptr_ra`.
    TaskSiteSampling {
        /// As in the total.
        codeptr_ra: u64,
        /// Tasks whose end was timed: `shortest` and `longest` are of these.
        seen: u64,
        /// Standard deviation of `work`, ns.
        deviation: u64,
    }

    /// The sums over all acquisitions of one mutex at one place. Key: the first three fields.
    MutexSiteTotal {
        /// The mutex by OMPT's name; 0 = all mutexes of the place, for ordered regions or if there
        /// are too many.
        wait_id: u64,
        /// `ompt_mutex_t`.
        mutex_kind: u32,
        /// The return address of the acquire.
        codeptr_ra: u64,
        /// Times that a thread acquired it.
        acquisitions: u64,
        /// Acquisitions that had to wait.
        contended: u64,
        /// The time of waits for it, ns.
        wait: u64,
        /// The longest wait of one acquisition, ns.
        longest_wait: u64,
        /// The time from the acquisitions to the releases, ns.
        hold: u64,
    }

    /// Accompanies a mutex site total whose acquisitions came too fast to be timed one by one:
    /// `wait`, `hold` and `contended` are estimates. Key: the first three fields.
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

    /// Accompanies a mutex site total: the region in which a thread last asked for the mutex. Key:
    /// the first three fields.
    MutexSitePlace {
        /// As in the total.
        wait_id: u64,
        /// As in the total.
        mutex_kind: u32,
        /// As in the total.
        codeptr_ra: u64,
        /// `codeptr_ra` of that region.
        region_codeptr: u64,
    }

    /// Accompanies a mutex site total: the sleep of threads that held the mutex. Key: the first
    /// three fields.
    MutexSiteSlept {
        /// As in the total.
        wait_id: u64,
        /// As in the total.
        mutex_kind: u32,
        /// As in the total.
        codeptr_ra: u64,
        /// The part of `hold` in which threads were off the processor in calls of the C library,
        /// ns.
        slept: u64,
    }
}
