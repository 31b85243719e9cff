//! A construct's call into the runtime, as the construct's hooks see it.
//!
//! Constructs that programs run often are generic over [`Call`], so the compiler makes a copy of
//! their code for each kind of call. With a [`Caller`] each hook asks whether a tool is attached.
//! With [`Watched`] it only asks which events that tool wants. With [`Unwatched`] no hook is left.
//! The entry stub chooses the kind by one word of its thread (`omphalos_sys::tls`).
//!
//! What must hold: a call is [`Unwatched`] only on a thread while no tool is attached, or no tool
//! wants events of such constructs. A tool that comes while the construct lasts is told nothing of
//! it.

use crate::records::Thread;
use omphalos_events::Kind;
use omphalos_sys::entry::{self, Caller, Entered, Found, Placed};

/// A construct's call into the runtime (see the module). Entry stubs pass it as the last argument.
pub trait Call: Copy {
    /// Returns the latest call that came through a stub that passes no call. The entry must ask for
    /// it before it does anything else.
    #[inline(always)]
    fn here() -> Self {
        unreachable!("such an entry hands its call over")
    }
    /// Returns the thread that calls.
    fn thread(self) -> &'static Thread;
    /// Whether any tool is attached.
    #[inline(always)]
    fn is_watched(self) -> bool {
        omphalos_events::active()
    }
    /// Whether a tool may be attached: false where the answer is known.
    #[inline(always)]
    fn may_be_watched(self) -> bool {
        true
    }
    /// Whether the call is [`Quiet`].
    #[inline(always)]
    fn is_quiet(self) -> bool {
        false
    }
    /// Whether any tool wants events of these kinds (a union of [`Kind::bit`]s).
    #[inline(always)]
    fn wants_any(self, kinds: u64) -> bool {
        omphalos_events::wants_any(kinds)
    }
    /// Returns the program's call, as tools are told of it.
    fn caller(self) -> Caller;

    /// Returns the thread that calls, if the entry stub found it. This is for very short entries:
    /// they take the common way inline and leave the rest to another function, which saves
    /// registers.
    #[inline(always)]
    fn known(self) -> Option<&'static Thread> {
        Some(self.thread())
    }

    /// Returns the return address of the call, 0 if unknown. It is for state that is kept without a
    /// tool.
    #[inline(always)]
    fn site(self) -> u64 {
        self.caller().address()
    }

    /// Whether any tool wants events of this kind.
    #[inline(always)]
    fn wants(self, kind: Kind) -> bool {
        self.wants_any(kind.bit())
    }
}

/// The methods of a call that is told to no tool.
macro_rules! tells_nobody {
    () => {
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
    };
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
    fn caller(self) -> Caller {
        self
    }
}

/// A call through an entry that asks its thread's class word whether a tool wants such events.
impl Call for Entered {
    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::found(self.record())
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

/// A call through an entry that looked up the thread's record because a tool may be attached.
impl Call for Found {
    #[inline(always)]
    fn thread(self) -> &'static Thread {
        Thread::found(self.record())
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

/// A call on a thread whose entry found that a tool is attached, or could not tell. Its hooks do
/// not ask that again. If there is no tool after all, they tell nothing and keep nothing for tools.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Watched(Caller);

impl Watched {
    /// Returns the call of this caller.
    pub fn of(caller: Caller) -> Watched {
        Watched(caller)
    }
}

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

    tells_nobody!();
}

/// An unwatched call, as [`Unwatched`], through an entry that passes its return address.
impl Call for Placed {
    #[inline(always)]
    fn thread(self) -> &'static Thread {
        // SAFETY: the calling thread's record, which is never freed.
        unsafe { &*self.record().cast::<Thread>() }
    }

    tells_nobody!();

    #[inline(always)]
    fn site(self) -> u64 {
        self.address()
    }
}

/// A task that begins while the tool wants this thread quiet (`omphalos_events::quiet`). The tool
/// is told of the task's end if it wants that by then. Until then the task has no entry on the
/// thread's stack of tasks.
#[derive(Clone, Copy)]
pub struct Quiet(pub &'static Thread);

impl Call for Quiet {
    #[inline(always)]
    fn here() -> Quiet {
        Quiet(Thread::current())
    }

    #[inline(always)]
    fn thread(self) -> &'static Thread {
        self.0
    }

    tells_nobody!();

    #[inline(always)]
    fn is_quiet(self) -> bool {
        true
    }
}
