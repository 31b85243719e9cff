//! Events of the host. What `codeptr` is stands in the module above.

use super::{DependenceList, Instance, LentFrame};
use crate::kinds::*;
use crate::word::Word;
use core::ffi::c_void;

event! {
    /// A thread is about to work for the runtime.
    ThreadBegin {
        /// What it is.
        kind: ThreadKind,
        /// The thread's word.
        thread: Word<'a>,
    }
}
event! {
    /// A thread ends.
    ThreadEnd {
        /// The thread's word.
        thread: Word<'a>,
    }
}
event! {
    /// A parallel region (or a league) is about to be made.
    ParallelBegin {
        /// The encountering task's word.
        task: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The region's word.
        region: Word<'a>,
        /// Threads (or teams) that were asked for.
        requested: u32,
        /// Who calls the region's code; league or team.
        flags: ParallelFlags,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A parallel region (or a league) has ended.
    ParallelEnd {
        /// The region's word.
        region: Word<'a>,
        /// The encountering task's word.
        task: Word<'a>,
        /// As at its begin.
        flags: ParallelFlags,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// An initial or implicit task begins or ends.
    ImplicitTask {
        /// Which of the two.
        endpoint: Endpoint,
        /// The region's word; none at the end.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// Threads of the team, or teams of the league.
        team_size: u32,
        /// The thread's number in its team, or the team's in its league.
        index: u32,
        /// Initial or implicit.
        flags: TaskFlags,
    }
}
event! {
    /// A task is created.
    TaskCreate {
        /// The encountering task's word.
        encountering: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The new task's word.
        task: Word<'a>,
        /// What it is.
        flags: TaskFlags,
        /// Whether dependences follow.
        has_dependences: bool,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A thread leaves one task for another, or an event is fulfilled.
    TaskSchedule {
        /// The task that is left.
        prior: Word<'a>,
        /// Why.
        status: TaskStatus,
        /// The task that is resumed; none where nothing is switched.
        next: Word<'a>,
    }
}
event! {
    /// The dependences of a new task, or a doacross iteration vector.
    Dependences {
        /// The task's word.
        task: Word<'a>,
        /// In the order of the source.
        list: DependenceList<'a>,
    }
}
event! {
    /// One task waits for another one.
    TaskDependence {
        /// The word of the one that comes first.
        source: Word<'a>,
        /// The word of the one that waits.
        sink: Word<'a>,
    }
}
event! {
    /// A worksharing construct begins or ends on a thread.
    Work {
        /// Which construct.
        kind: WorkKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// Iterations, sections or tasks, as the construct has them.
        count: u64,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A thread begins an iteration, a chunk or a section.
    Dispatch {
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// What begins.
        kind: DispatchKind,
        /// Which one.
        instance: Instance,
    }
}
event! {
    /// A masked region begins or ends.
    Masked {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A barrier, taskwait, taskgroup or reduction begins or ends; or the waiting in one does.
    SyncRegion {
        /// Which construct.
        kind: SyncKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word; none where the region is over already.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A mutex is asked for, or a lock initialised.
    MutexAcquire {
        /// What it is.
        kind: MutexKind,
        /// The program's hint.
        hint: u32,
        /// The runtime's kind of implementation.
        implementation: u32,
        /// The mutex.
        wait_id: u64,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A mutex is acquired or released, or a lock destroyed.
    Mutex {
        /// What it is.
        kind: MutexKind,
        /// The mutex.
        wait_id: u64,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// The owner of a nest lock takes it again, or gives it back but not for the last time.
    NestLock {
        /// Taken (begin) or given back (end).
        endpoint: Endpoint,
        /// The lock.
        wait_id: u64,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A flush.
    Flush {
        /// The thread's word.
        thread: Word<'a>,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A cancellation is asked for or noticed, or a task discarded by one.
    Cancel {
        /// The task's word.
        task: Word<'a>,
        /// What, and what happened.
        flags: CancelFlags,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// The program called `omp_control_tool`.
    ControlTool {
        /// 1 start, 2 pause, 3 flush, 4 end; from 64 on the tool's own.
        command: u64,
        /// The tool's own.
        modifier: u64,
        /// The program's pointer.
        argument: *mut c_void,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// The program's `error` directive, before its message.
    Error {
        /// How grave; a fatal one ends the process without another event.
        severity: Severity,
        /// The program's text.
        message: &'a [u8],
        /// See the module above.
        codeptr: u64,
    }
}
