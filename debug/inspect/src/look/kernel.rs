//! Adds the kernel's facts about each thread of a snapshot: its state and its call, and whether
//! something outside the process may end that call. The full look (`mod.rs`) calls it.

use std::time::Duration;

use omphalos_ompd_view::asleep::Prospect;
use omphalos_ompd_view::asleep::calls::{self, Deadline};
use omphalos_ompd_view::snapshot::{Os, Snapshot, Wait};

use super::{Stack, asks, awaits, circles, code, stays};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::Unwinder;

/// Adds the facts to all threads, and the loops of threads that may be in a loop that only waits.
pub fn fill(
    space: &dyn Space,
    snapshot: &mut Snapshot,
    stacks: &[Stack],
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
) {
    let lwps = space.as_target().threads().unwrap_or_default();
    for thread in &mut snapshot.threads {
        let (name, os) = space.os(thread.lwp);
        thread.name = name;
        thread.os = os;
        // The runtime still knows a thread that was ended without its knowledge.
        if thread.os.is_none() && !lwps.contains(&thread.lwp) {
            thread.os = Some(Os { state: "X".to_owned(), ..Os::default() });
            thread.waits = None;
        }
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        if let (Some(os), Some(stack)) = (&mut thread.os, stack) {
            let registers = &stack.registers;
            os.call = calls::in_call(registers).map(calls::name);
            // A call that begins again has the arguments of the original call.
            let again = os.call.as_deref() == Some("restart_syscall");
            let name = match &thread.waits {
                Some(Wait::Call { name, .. }) if again => Some(name),
                _ => os.call.as_ref(),
            };
            os.timed = name.is_some_and(|name| calls::is_timed(registers, name));
            let at_most = |name| calls::at_most(space.as_target(), registers, name);
            os.at_most = name.filter(|_| os.timed).and_then(|name| at_most(name));
            let name = match &thread.waits {
                Some(wait) if again && !matches!(wait, Wait::Call { .. }) => Some("futex"),
                _ => name.map(String::as_str),
            };
            let deadline = |name| calls::deadline(space.as_target(), registers, name);
            if let Some(deadline) = name.filter(|_| os.timed).and_then(deadline) {
                add_deadline(space, deadline, os);
            }
            let asked = match &thread.waits {
                Some(Wait::Call { name, .. }) => Some(&**name),
                // The word at which the thread sleeps may be in shared memory.
                Some(_) => os.call.as_deref().filter(|call| *call == "futex"),
                None => None,
            };
            if let Some(name) = asked {
                let prospect = space.kernel().prospect(space.as_target(), registers, name);
                // A disk works for a thread in an uninterruptible sleep, except for a thread that
                // waits for its child.
                let is_forking = ["vfork", "clone", "clone3"].contains(&name);
                os.brought = os.state == "D" && !is_forking || prospect == Prospect::Comes;
                os.outside = prospect == Prospect::MayCome;
            }
            os.within_process = calls::is_within_process(registers)
                && space.kernel().is_written_elsewhere(registers.call[2]);
            let may_try = match thread.waits {
                None => true,
                Some(Wait::Call { .. }) => os.timed,
                _ => false,
            };
            let asks = may_try.then(|| code::asks_for_message(named, stack)).flatten();
            if let Some(what) = asks {
                let name = os.call.clone().unwrap_or_default();
                (thread.waits, os.timed) = (Some(Wait::Call { name, what }), false);
                continue;
            }
            let asked = may_try.then(|| asks::find(space, unwinder, named, stack, os)).flatten();
            if let Some(wait) = asked {
                thread.waits = Some(wait);
                continue;
            }
            thread.retries = may_try.then(|| code::retries(named, stack)).flatten();
            (thread.awaits, thread.round) = match may_try {
                true => awaits::find(space, unwinder, named, stack),
                false => (None, None),
            };
            if thread.waits.is_none() {
                thread.stays_in = stays::find(space, unwinder, named, stack);
                thread.circle = circles::find(space, unwinder, named, stack);
            }
            // If it is unknown which memory a loop reads, any register may have the address.
            let is_elsewhere = |at: u64| space.kernel().is_written_elsewhere(at);
            // The end of a sleep between two rounds of a loop brings nothing.
            os.outside = os.outside && thread.awaits.is_none()
                || match (&thread.awaits, &thread.waits) {
                    (Some(awaits), _) => awaits.reads.iter().any(|read| is_elsewhere(read.0)),
                    (None, None) => registers
                        .saved
                        .iter()
                        .chain(&registers.call)
                        .copied()
                        .chain(registers.lost.into_iter().flatten())
                        .any(is_elsewhere),
                    _ => false,
                };
        }
    }
}

/// A deadline by the wrong clock is further away than this, and as near to the other clock's time.
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Adds how far away the deadline of a call is.
fn add_deadline(space: &dyn Space, deadline: Deadline, os: &mut Os) {
    let Deadline { is_real, at } = deadline;
    let Some(left) = space.kernel().now(is_real).map(|now| at.saturating_sub(now)) else { return };
    os.left = u64::try_from(left.as_nanos()).ok();
    let real = space.kernel().now(true).filter(|_| !is_real && left > YEAR);
    os.other_clock = real.is_some_and(|real| at.abs_diff(real) < DAY);
}
