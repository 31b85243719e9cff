//! Finds the end of a `single` of GCC's code, which calls the runtime at the begin and not at the
//! end.
//!
//! A member's next barrier, worksharing construct or region's end comes after the `single`, because
//! none of them may stand in one. So the member keeps a note of the latest `single` until then. If
//! a barrier comes next, called in the same frame, it counts as the construct's own. (`single
//! nowait` with a barrier after it makes the same calls.) The note is kept only while a tool is
//! attached whose interface wants the end there (`omphalos_events::frames`).

use super::hooks::tell_work;
use crate::records::{Slot, Thread};
use omphalos_events::frames::singles_end_at_once;
use omphalos_events::{Endpoint, WorkKind};
use omphalos_sys::entry::Caller;

/// A bit of the note: this member executes the `single`.
const EXECUTES: u64 = 1;

/// Tells tools that a `single` begins on the calling thread, which `executes` it or not; notes it.
#[inline(always)]
pub fn single_begins(thread: &'static Thread, executes: bool, caller: Caller) {
    single_is_over(thread);
    let kind = if executes { WorkKind::SingleExecutor } else { WorkKind::SingleOther };
    tell_work(thread, kind, Endpoint::Begin, 1, caller);
    let at_once = singles_end_at_once();
    if at_once || !executes {
        tell_work(thread, kind, Endpoint::End, 1, caller);
    }
    if at_once {
        return;
    }
    let slot = thread.as_owner().slot();
    let open = caller.border() | if executes { EXECUTES } else { 0 };
    let since = (slot.epoch.get(), slot.share.next());
    slot.open_single.set(slot, (open, caller.address(), since));
}

/// Ends the latest `single`: the program's code that follows is in none. Returns the frame that
/// called it, if no barrier and no construct has come since; otherwise 0.
#[inline(always)]
pub fn single_is_over(thread: &'static Thread) -> u64 {
    let slot = thread.slot();
    if slot.open_single.get().0 == 0 { 0 } else { close(thread, slot) }
}

#[cold]
#[inline(never)]
fn close(thread: &'static Thread, slot: &'static Slot) -> u64 {
    let own = thread.as_owner().slot();
    let (open, codeptr, (barriers, construct)) = slot.open_single.replace(own, (0, 0, (0, 0)));
    // Both numbers go on from region to region. If one differs, a barrier or a construct has come
    // of which no tool wanted to be told.
    if barriers != slot.epoch.get() {
        return 0;
    }
    if open & EXECUTES != 0 {
        let address = core::cell::Cell::new(codeptr);
        let caller = Caller::past(&address);
        tell_work(thread, WorkKind::SingleExecutor, Endpoint::End, 1, caller);
    }
    if construct == slot.share.next() { open & !EXECUTES } else { 0 }
}
