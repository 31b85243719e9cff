//! A construct's call into the runtime, as the hooks in it see it.
//!
//! Code with hooks that programs run often is generic over this, and so there twice: for a
//! [`Caller`] each hook asks whether a tool listens, for [`Watched`] what it hears of; for
//! [`Unwatched`] no hook is left. An entry stub decides, by one word of its thread
//! (`omphalos_sys::tls`). What must hold: an [`Unwatched`] begins on a thread without a tool, or
//! without one that hears of such constructs. One that is attached while the construct lasts hears
//! nothing of it.

use crate::records::Thread;
use omphalos_events::Kind;
use omphalos_sys::entry::{self, Caller, Entered, Found};

/// See the module. Entry stubs hand it over behind the other arguments.
pub trait Call: Copy {
    /// The latest entry through a stub that hands nothing over. To be asked first thing behind it.
    fn here() -> Self;
    /// The thread that calls.
    fn thread(self) -> &'static Thread;
    /// Whether any tool is attached.
    fn is_watched(self) -> bool;
    /// Whether a tool may be attached: false where the answer is known.
    #[inline(always)]
    fn may_be_watched(self) -> bool {
        true
    }
    /// Whether somebody may hear of the end of a task that begins by this call.
    #[inline(always)]
    fn tells_end(self) -> bool {
        self.is_watched()
    }
    /// Whether any tool wants events of these kinds (a union of [`Kind::bit`]s).
    fn wants_any(self, kinds: u64) -> bool;
    /// What tools are told.
    fn caller(self) -> Caller;

    /// The thread that calls, if the entry stub found it. For entries so short that what the others
    /// keep over [`Call::thread`] would be much of them: the rest is for a function of its own.
    #[inline(always)]
    fn known(self) -> Option<&'static Thread> {
        Some(self.thread())
    }

    /// Whether any tool wants events of this kind.
    #[inline(always)]
    fn wants(self, kind: Kind) -> bool {
        self.wants_any(kind.bit())
    }
}

impl Call for Caller {
    #[inline(always)]
    fn here() -> Caller {
        entry::caller()
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::current()
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        omphalos_events::active()
    }

    #[inline(always)]
    fn wants_any(self, kinds: u64) -> bool {
        omphalos_events::wants_any(kinds)
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        self
    }
}

/// By an entry whose class of events a tool hears of.
impl Call for Entered {
    #[inline(always)]
    fn here() -> Entered {
        unreachable!("such an entry hands its call over")
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::found(self.record())
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        omphalos_events::active()
    }

    #[inline(always)]
    fn wants_any(self, kinds: u64) -> bool {
        omphalos_events::wants_any(kinds)
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        Entered::caller(self)
    }

    #[inline(always)]
    fn known(self) -> Option<&'static Thread> {
        // SAFETY: null, or the calling thread's record, which is never freed.
        unsafe { self.record().cast::<Thread>().as_ref() }
    }
}

/// By an entry that looked the thread's record up for it, since a tool may be attached.
impl Call for Found {
    #[inline(always)]
    fn here() -> Found {
        unreachable!("such an entry hands its call over")
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::found(self.record())
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        omphalos_events::active()
    }

    #[inline(always)]
    fn wants_any(self, kinds: u64) -> bool {
        omphalos_events::wants_any(kinds)
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        Found::caller(self)
    }

    #[inline(always)]
    fn known(self) -> Option<&'static Thread> {
        // SAFETY: null, or the calling thread's record, which is never freed.
        unsafe { self.record().cast::<Thread>().as_ref() }
    }
}

/// A call on a thread whose entry found that a tool is attached, or could not tell: its hooks do
/// not ask again. Without a tool they tell nobody, and keep for nobody what tools look at.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Watched(Caller);

impl Call for Watched {
    #[inline(always)]
    fn here() -> Watched {
        Watched(entry::caller())
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::current()
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        entry::NOTES
    }

    #[inline(always)]
    fn wants_any(self, kinds: u64) -> bool {
        omphalos_events::wants_any(kinds)
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        self.0
    }
}

/// A call on a thread that has its record, while no tool is attached.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Unwatched(pub &'static Thread);

impl Call for Unwatched {
    #[inline(always)]
    fn here() -> Unwatched {
        Unwatched(Thread::current())
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        self.0
    }

    #[inline(always)]
    fn may_be_watched(self) -> bool {
        false
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        false
    }

    #[inline(always)]
    fn wants_any(self, _kinds: u64) -> bool {
        false
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        Caller::NONE
    }
}

/// A task that begins on a thread whose tool wants to hear of no tasks for now. It hears of the end
/// if that has changed by then; before it the task has no entry on the thread's stack of tasks.
#[derive(Clone, Copy)]
pub struct Hushed(pub &'static Thread);

impl Call for Hushed {
    #[inline(always)]
    fn here() -> Hushed {
        Hushed(Thread::current())
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        self.0
    }

    #[inline(always)]
    fn may_be_watched(self) -> bool {
        false
    }

    #[inline(always)]
    fn is_watched(self) -> bool {
        false
    }

    #[inline(always)]
    fn tells_end(self) -> bool {
        true
    }

    #[inline(always)]
    fn wants_any(self, _kinds: u64) -> bool {
        false
    }

    #[inline(always)]
    fn caller(self) -> Caller {
        Caller::NONE
    }
}
