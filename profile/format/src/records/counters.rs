//! Counters of the system and the processor: of threads by place, and of the process; and the
//! energy of the machine's packages. A profile has these records only if they were asked for.

use super::fields::fields;
use crate::wire::ByteStrings;

fields! {
    /// The processor's events that the agent counts, and the reasons why it does not count others.
    /// Of several such records, the last one holds.
    CounterSources<'a> {
        /// The events that are counted besides faults and switches: bits of
        /// [`counter`](crate::counter).
        events: u32,
        /// 1 = in user code alone.
        user_only: u32,
        /// A line for each reason why something is not counted.
        missing: ByteStrings<'a>,
    }

    /// A thread's counts in one place. They are differences: records of one place add up.
    CounterDifference {
        /// The agent's index of the thread.
        thread: u32,
        /// `ompt_state_t` of the thread meanwhile.
        state: u32,
        /// `codeptr_ra` of the innermost region, 0 = none.
        region_codeptr: u64,
        /// The thread's [`Stack`](super::Stack), 0 = no sample says where it was.
        stack: u64,
        /// The time on a processor, ns.
        running: u64,
        /// Page faults that needed no read of a file.
        minor_faults: u64,
        /// Page faults that waited for a file or for swap.
        major_faults: u64,
        /// Times that the thread left its processor by itself: it waited for something.
        left: u64,
        /// Times that the system took it off its processor.
        taken: u64,
        /// The time in which the agent asked for the processor's events, ns; 0 = it did not.
        enabled: u64,
        /// The part of that time in which they were counted, ns: at other times another program may
        /// have had the counters. The figures below are of this part.
        counting: u64,
        /// Cycles of the processor's clock.
        cycles: u64,
        /// Instructions that were completed.
        instructions: u64,
        /// Accesses that missed the last level of caches.
        cache_misses: u64,
        /// Cycles without an instruction to begin.
        stalls_frontend: u64,
        /// Cycles in which instructions waited for data or for a unit.
        stalls_backend: u64,
        /// All slots for instructions.
        slots: u64,
        /// Slots whose instruction was completed.
        retiring: u64,
        /// Slots of instructions on a path that turned out not to be taken.
        bad_speculation: u64,
        /// Slots without an instruction.
        frontend_bound: u64,
        /// Slots that waited for data or for a unit.
        backend_bound: u64,
    }

    /// The system's counts of the whole process since recording began, with the threads that OpenMP
    /// does not know. Cumulative.
    ProcessCounters {
        /// As in [`CounterDifference`].
        minor_faults: u64,
        /// As in [`CounterDifference`].
        major_faults: u64,
        /// As in [`CounterDifference`].
        left: u64,
        /// As in [`CounterDifference`].
        taken: u64,
    }

    /// The energy of a package while the program ran, by the processor's own count, which includes
    /// other programs. The process that started the program writes it when the program has ended.
    /// Key: `domain`.
    Energy<'a> {
        /// The system's name of the package; empty if it has none.
        domain: &'a [u8],
        /// Microjoules.
        energy: u64,
        /// The time in which the energy was spent, ns.
        elapsed: u64,
        /// The reason why the energy is not known; empty if it is known.
        why: &'a [u8],
    }
}

impl CounterDifference {
    /// The number of figures.
    pub const FIGURES: usize = 17;
    /// The number of the system's figures, which come first. The next two are the times of the
    /// processor's events.
    pub const OF_SYSTEM: usize = 5;

    /// Returns the figures in their order.
    pub fn figures(&mut self) -> [&mut u64; CounterDifference::FIGURES] {
        [
            &mut self.running, &mut self.minor_faults, &mut self.major_faults, &mut self.left,
            &mut self.taken, &mut self.enabled, &mut self.counting, &mut self.cycles,
            &mut self.instructions, &mut self.cache_misses, &mut self.stalls_frontend,
            &mut self.stalls_backend, &mut self.slots, &mut self.retiring,
            &mut self.bad_speculation, &mut self.frontend_bound, &mut self.backend_bound,
        ]
    }
}
