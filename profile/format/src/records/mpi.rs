//! What a process says of its job, and of its calls of MPI.

use super::fields::fields;

fields! {
    /// The process's place among those that a launcher started together. The last one holds.
    Rank<'a> {
        /// Its number, from 0.
        number: u32,
        /// How many there are.
        size: u32,
        /// The level of threads that the program asked MPI for, plus one: `MPI_THREAD_SINGLE` is
        /// 1; 0 = MPI has not begun.
        level_asked: u32,
        /// The level that it was given, likewise.
        level: u32,
        /// The job's name, alike in all of its processes; empty = unknown.
        job: &'a [u8],
        /// The library's description of itself; empty = unknown.
        library: &'a [u8],
    }

    /// The sums over all calls of one function of MPI at one place. Key: the first three fields.
    MpiCallTotal {
        /// Place of its name in [`CALLS`](crate::mpi::CALLS).
        call: u32,
        /// Where the call returns to.
        codeptr_ra: u64,
        /// `codeptr_ra` of the innermost region, 0 = outside.
        region_codeptr: u64,
        /// Calls that have ended.
        count: u64,
        /// From the calls to their returns, ns.
        elapsed: u64,
        /// The longest of them, ns.
        longest: u64,
    }

    /// The sums over all calls of MPI of one thread. Key: `thread`.
    MpiThread {
        /// The agent's index.
        thread: u32,
        /// Calls that have ended.
        calls: u64,
        /// Part of the thread total's work in them, ns.
        work: u64,
        /// Part of its serial work in them, ns.
        serial: u64,
        /// Part of `work` asleep, ns.
        blocked_work: u64,
        /// Part of `serial` asleep, ns.
        blocked_serial: u64,
        /// Part of `work` without a processor, ns.
        queued_work: u64,
        /// Part of `serial` without a processor, ns.
        queued_serial: u64,
    }

    /// A process's part in one message between two: where it began to send or to receive it, or
    /// where it waited for that later. Of a channel's first messages each has one, of later ones
    /// every so many ([`message_step`](crate::mpi::message_step)). A channel is a communicator, a
    /// process that sends, one that receives, and a tag.
    MpiMessage {
        /// As in [`MpiMeeting`].
        communicator: u64,
        /// The rank in the communicator of the process whose record this is.
        rank: u32,
        /// The other process's.
        peer: u32,
        /// The message's tag.
        tag: u32,
        /// 1 = it is sent, 0 = it is received.
        sends: u32,
        /// The how manieth of the channel it is, from 0.
        sequence: u64,
        /// 1 = the process began it in this call, 0 = it waited there for what it had begun.
        begins: u32,
        /// Place of the call's name in [`CALLS`](crate::mpi::CALLS).
        call: u32,
        /// When the call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
    }

    /// A thread's part in one collective call. Of a communicator's first calls each has one, of
    /// later ones every so many ([`step`](crate::mpi::step)).
    MpiMeeting {
        /// Alike in all processes that belong to the communicator, and different for others.
        communicator: u64,
        /// The how manieth collective call of the communicator it is, from 0.
        sequence: u64,
        /// Place of its name in [`CALLS`](crate::mpi::CALLS).
        call: u32,
        /// The process's rank in the communicator.
        rank: u32,
        /// How many processes belong to it.
        size: u32,
        /// The rank that gives or gets, plus one; 0 = all do.
        root: u32,
        /// When the call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
    }

    /// A process waited for a collective call that it had begun before, without waiting there: that
    /// one has an [`MpiMeeting`], of which this has the key.
    MpiWaited {
        /// As in [`MpiMeeting`].
        communicator: u64,
        /// As in [`MpiMeeting`].
        sequence: u64,
        /// As in [`MpiMeeting`]: the call that began it.
        begun: u32,
        /// As in [`MpiMeeting`].
        root: u32,
        /// The process's rank in the communicator.
        rank: u32,
        /// Place of the name of the call that waits in [`CALLS`](crate::mpi::CALLS); of one that
        /// asks again and again, the last of these.
        call: u32,
        /// When the first of these calls began.
        time: u64,
        /// From there to the end of the last one, ns.
        elapsed: u64,
        /// How long they took, ns.
        inside: u64,
        /// Of several with the same call and time `inside` counts once where this is alike.
        group: u32,
    }

    /// A process asked again and again whether a message between two was there. Those that wait for
    /// it have an [`MpiMessage`].
    MpiAsked {
        /// As in [`MpiMessage`].
        communicator: u64,
        /// As in [`MpiMessage`].
        rank: u32,
        /// As in [`MpiMessage`].
        peer: u32,
        /// As in [`MpiMessage`].
        tag: u32,
        /// As in [`MpiMessage`].
        sends: u32,
        /// As in [`MpiMessage`].
        sequence: u64,
        /// As in [`MpiWaited`].
        call: u32,
        /// As in [`MpiWaited`].
        time: u64,
        /// As in [`MpiWaited`].
        elapsed: u64,
        /// As in [`MpiWaited`].
        inside: u64,
        /// As in [`MpiWaited`].
        group: u32,
    }

    /// A process had access to a target's part of a window, from `MPI_Win_lock` to
    /// `MPI_Win_unlock`. So many of a process's first have one.
    MpiLock {
        /// The window, named as a communicator in [`MpiMeeting`].
        window: u64,
        /// The process's rank in it.
        rank: u32,
        /// The target's; `u32::MAX` stands for all.
        target: u32,
        /// 1 = nobody else may have access meanwhile.
        exclusive: u32,
        /// Place of the name of the call that got it in [`CALLS`](crate::mpi::CALLS): the one that
        /// asks for it, or the first one that completes something, if that took longer.
        call: u32,
        /// When that call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
        /// When the call that gives it back began.
        back: u64,
        /// How long it took, ns.
        back_elapsed: u64,
    }
}
