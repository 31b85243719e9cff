//! Records of a process's job, and of its calls of MPI.

use super::fields::fields;

fields! {
    /// The process's place among those that a launcher started together. If a
    /// profile has several such records, the last one counts.
    Rank<'a> {
        /// Its number, from 0.
        number: u32,
        /// The number of processes in the job.
        size: u32,
        /// The level of threads that the program asked MPI for, plus one: `MPI_THREAD_SINGLE` is
        /// 1; 0 = MPI has not begun.
        level_asked: u32,
        /// The level that MPI granted, in the same form.
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
        /// The return address of the call; or the [frame](crate::python) of the script that calls
        /// MPI by a module of Python's.
        codeptr_ra: u64,
        /// `codeptr_ra` of the innermost region, 0 = outside.
        region_codeptr: u64,
        /// Calls that have ended.
        count: u64,
        /// The time from the calls to their returns, ns.
        elapsed: u64,
        /// The longest call, ns.
        longest: u64,
    }

    /// The sums over all calls of MPI of one thread. Key: `thread`.
    MpiThread {
        /// The agent's index.
        thread: u32,
        /// Calls that have ended.
        calls: u64,
        /// The part of the thread total's work in them, ns.
        work: u64,
        /// The part of its serial work in them, ns.
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

    /// The call of MPI that a thread is in. Key: `thread`. If a later [`MpiThread`] of the thread
    /// comes without such a record, the thread is in none.
    MpiOpen {
        /// The agent's index.
        thread: u32,
        /// As in [`MpiCallTotal`].
        call: u32,
        /// As in [`MpiCallTotal`].
        codeptr_ra: u64,
        /// As in [`MpiCallTotal`].
        region_codeptr: u64,
        /// The time since it began, ns: part of the thread's times in [`MpiThread`].
        elapsed: u64,
    }

    /// A process's part in one message between two processes. The record describes the call that
    /// began to send or to receive the message, or that waited for it later. Each of a
    /// channel's first messages has a record, and later ones have one at growing intervals
    /// ([`message_step`](crate::mpi::message_step)). A channel is a communicator, a process that
    /// sends, one that receives, and a tag.
    MpiMessage {
        /// As in [`MpiMeeting`].
        communicator: u64,
        /// The rank in the communicator of the process that wrote the record.
        rank: u32,
        /// The other process's rank there.
        peer: u32,
        /// The message's tag.
        tag: u32,
        /// 1 = it is sent, 0 = it is received.
        sends: u32,
        /// The message's number in the channel, from 0.
        sequence: u64,
        /// 1 = this call began the transfer, 0 = it waited for a transfer that the process had
        /// begun earlier.
        begins: u32,
        /// Place of the call's name in [`CALLS`](crate::mpi::CALLS).
        call: u32,
        /// When the call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
    }

    /// A thread's part in one collective call. Each of a communicator's first calls has a record,
    /// and later ones have one at growing intervals ([`step`](crate::mpi::step)).
    MpiMeeting {
        /// The communicator's name: the same in all processes that belong to it, and different for
        /// other communicators.
        communicator: u64,
        /// The call's number among the communicator's collective calls, from 0.
        sequence: u64,
        /// Place of its name in [`CALLS`](crate::mpi::CALLS).
        call: u32,
        /// The process's rank in the communicator.
        rank: u32,
        /// The number of processes in the communicator.
        size: u32,
        /// The rank that alone gives or gets the data, plus one; 0 = all ranks do.
        root: u32,
        /// When the call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
    }

    /// A process waited for a collective call that it had begun earlier with a call that does not
    /// wait. The earlier call has an [`MpiMeeting`], whose key this record has.
    MpiWaited {
        /// As in [`MpiMeeting`].
        communicator: u64,
        /// As in [`MpiMeeting`].
        sequence: u64,
        /// The call that began it, as in [`MpiMeeting`].
        begun: u32,
        /// As in [`MpiMeeting`].
        root: u32,
        /// The process's rank in the communicator.
        rank: u32,
        /// The place in [`CALLS`](crate::mpi::CALLS) of the call that waits; if calls ask again and
        /// again, of the last of these.
        call: u32,
        /// When the first of these calls began.
        time: u64,
        /// The time from there to the end of the last one, ns.
        elapsed: u64,
        /// The time inside of these calls, ns.
        inside: u64,
        /// Records with the same call, time and group share one `inside`, which counts only once.
        group: u32,
    }

    /// A process asked again and again whether a message from or to one other process was complete.
    /// The calls that wait for it have an [`MpiMessage`].
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
    /// `MPI_Win_unlock`. Only a limited number of a process's first accesses have a record.
    MpiLock {
        /// The window, named as a communicator in [`MpiMeeting`].
        window: u64,
        /// The process's rank in the window.
        rank: u32,
        /// The target's rank there; `u32::MAX` stands for all.
        target: u32,
        /// 1 = no other process may have access meanwhile.
        exclusive: u32,
        /// The place in [`CALLS`](crate::mpi::CALLS) of the call that got the access: the one that
        /// asks for it, or the first one that completes something, if that took longer.
        call: u32,
        /// When that call began.
        time: u64,
        /// How long it took, ns.
        elapsed: u64,
        /// When the call that ends the access began.
        back: u64,
        /// How long it took, ns.
        back_elapsed: u64,
    }
}
