//! Combines the partial results of a team's members (LLVM's reductions). `capi` calls it.
//!
//! | method | who combines | chosen |
//! |---|---|---|
//! | alone | the only member, into the original | team of one |
//! | atomic | everybody, with atomic instructions | the compiler offers it, few variables |
//! | lock | everybody in turn, into the original | otherwise, in small teams |
//! | tree | pairs, then pairs of pairs; the primary into the original | otherwise, in large teams |
//!
//! `KMP_FORCE_REDUCTION` names one of the last three. A tool does not change the method.
//!
//! With "atomic" the compiler's code does not call the runtime at the end of a `nowait` reduction.
//! So both events are told before the instructions. A race detector ignores all accesses between
//! the two events. It does not ignore the instructions, which come after them, and so it reports
//! accesses that conflict with these, as it does on LLVM's runtime.

use crate::records::Thread;
use crate::waiting::{Reason, wait_plainly, wake_sleepers};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::{Endpoint, Kind, tell_tools, wants};
use omphalos_sync::settled::Settled;
use omphalos_sys::entry::Caller;

/// A way to combine partial results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The only member of the team combines into the original.
    Alone,
    /// Every member combines into the original with atomic instructions.
    Atomic,
    /// Every member combines into the original in turn, under a lock.
    Lock,
    /// Pairs of members combine, then pairs of pairs; the primary combines into the original.
    Tree,
}

/// The largest team whose members combine in turn.
const MEMBERS_IN_TURN: u32 = 16;
/// The most variables that atomic instructions combine faster than a lock does.
const VARIABLES_BY_ATOMICS: u32 = 4;

/// The ways to combine that the compiler offers for a reduction.
#[derive(Clone, Copy)]
pub struct Offer {
    /// Variables to combine.
    pub variables: u32,
    /// There is code that combines with atomic instructions.
    pub atomic: bool,
    /// There is a function that combines two partial results.
    pub pairs: bool,
}

/// Returns the method for a team of `size` members; every member gets the same answer.
#[inline]
pub fn method(size: u32, offer: Offer) -> Method {
    if size == 1 {
        return Method::Alone;
    }
    if let Some(forced) = forced() {
        match forced {
            Method::Atomic if offer.atomic => return Method::Atomic,
            Method::Tree if offer.pairs => return Method::Tree,
            _ => return Method::Lock,
        }
    }
    if offer.atomic && offer.variables <= VARIABLES_BY_ATOMICS {
        Method::Atomic
    } else if offer.pairs && size > MEMBERS_IN_TURN {
        Method::Tree
    } else {
        Method::Lock
    }
}

/// Returns the method that `KMP_FORCE_REDUCTION` names.
fn forced() -> Option<Method> {
    static FORCED: Settled<Option<Method>> = Settled::new();
    static SAID: AtomicBool = AtomicBool::new(false);
    *FORCED.get_or(|| {
        let text = std::env::var_os("KMP_FORCE_REDUCTION")?;
        let method = named(&text.to_string_lossy());
        if method.is_none() && !SAID.swap(true, Ordering::Relaxed) {
            omphalos_sys::message!(
                "KMP_FORCE_REDUCTION: {text:?} is no method; choosing one for each reduction. Set \
                 it to critical, atomic or tree"
            );
        }
        method
    })
}

fn named(text: &str) -> Option<Method> {
    match text.trim().to_ascii_lowercase().as_str() {
        "critical" => Some(Method::Lock),
        "atomic" => Some(Method::Atomic),
        "tree" => Some(Method::Tree),
        _ => None,
    }
}

/// Combines by the tree. Returns true on the primary, whose data then holds the whole result.
///
/// # Safety
/// `combine(a, b)` adds `b` to `a`; `data` is the calling member's partial result, and every member
/// of the team calls.
pub unsafe fn by_tree(
    thread: &'static Thread,
    data: *mut c_void,
    combine: unsafe extern "C" fn(*mut c_void, *mut c_void),
) -> bool {
    let (team, slot) = (thread.team(), thread.as_owner().slot());
    let mine = &slot.partial;
    let number = mine.next(|latest| slot.number_after(latest));
    let (num, size) = (thread.num.get(), team.size.get());
    let mut step = 1;
    while step < size {
        if num & step != 0 {
            mine.give(number, data);
            wake_sleepers(team);
            wait_plainly(thread, team, Reason::ANYTHING, None, || {
                mine.is_taken(number) || team.is_cancelled()
            });
            return false;
        }
        if num + step < size {
            let other = &team.slot(num + step).partial;
            wait_plainly(thread, team, Reason::ANYTHING, None, || {
                other.is_given(number) || team.is_cancelled()
            });
            // SAFETY: the partner's data is complete and stays until it is taken.
            if other.take(number, |theirs| unsafe { combine(data, theirs) }) {
                wake_sleepers(team);
            }
        }
        step *= 2;
    }
    true
}

/// Tells tools that the calling thread begins or ends combining.
#[inline]
pub fn tell_combining(thread: &'static Thread, endpoint: Endpoint, caller: Caller) {
    if wants(Kind::Reduction) {
        let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
        tell_tools::reduction(endpoint, region, task, caller.address());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_fits_the_offer() {
        let all = Offer { variables: 1, atomic: true, pairs: true };
        let many = Offer { variables: 9, ..all };
        assert_eq!(method(1, all), Method::Alone);
        assert_eq!(method(2, all), Method::Atomic);
        assert_eq!(method(2, many), Method::Lock);
        assert_eq!(method(64, many), Method::Tree);
        assert_eq!(method(64, Offer { pairs: false, ..many }), Method::Lock);
    }

    #[test]
    fn names_are_those_of_the_variable() {
        assert_eq!(named(" Tree "), Some(Method::Tree));
        assert_eq!(named("critical"), Some(Method::Lock));
        assert_eq!(named("lock"), None);
    }
}
