//! Finds the barrier of libstdc++ (`std::barrier`) at which a thread sleeps. The word that the
//! kernel knows is outside of the barrier: the library has one for many barriers. The thread still
//! has the address of the barrier, or of its phase, in a register or on its stack.
//!
//! What must hold: nothing is said of memory that cannot be such a barrier. Each of a barrier's
//! tickets is in the phase's range, and some threads are still to come.

use crate::target::word;
use crate::{Registers, Target};

/// Bytes of the stack that are searched.
const STACK: usize = 512;
/// The plausible numbers of threads that a barrier is for.
const PLAUSIBLE: std::ops::RangeInclusive<u64> = 2..=1 << 16;
/// The plausible offsets of the phase in the barrier: behind the function that is called at a
/// phase's end (an empty one takes no room: gcc 11 to 13), or in front of it.
const PHASES: [u64; 4] = [25, 24, 32, 40];
/// Bytes from one node's tickets to the next one's; a byte for each round.
const NODE: u64 = 64;

/// Finds the barrier: its address, how many threads it expects, and how many have come in this
/// phase.
pub(super) fn find(target: &dyn Target, registers: &Registers) -> Option<(u64, u64, u64)> {
    let mut bytes = [0; STACK];
    let on_stack = target.read(registers.rsp, &mut bytes).map(|()| bytes.chunks_exact(8));
    let on_stack =
        on_stack.ok()?.filter_map(|word| Some(u64::from_le_bytes(word.try_into().ok()?)));
    let words = registers.saved.into_iter().chain(on_stack);
    let mut found: Option<(u64, u64, u64)> = None;
    for at in words.filter(|at| *at >= STACK as u64) {
        for phase in PHASES {
            for barrier in [at, at.wrapping_sub(phase)] {
                let one = come(target, barrier, barrier.wrapping_add(phase));
                let Some((wanted, now)) = one.filter(|_| barrier.is_multiple_of(8)) else {
                    continue;
                };
                // Words that fit two different barriers tell of none.
                match found {
                    Some(known) if known != (barrier, wanted, now) => return None,
                    _ => found = Some((barrier, wanted, now)),
                }
            }
        }
    }
    found
}

/// Returns how many threads are expected and how many have come, if a barrier with this phase is
/// there.
fn come(target: &dyn Target, barrier: u64, phase: u64) -> Option<(u64, u64)> {
    let byte = |at: u64| {
        let mut byte = [0];
        target.read(at, &mut byte).ok().map(|()| byte[0])
    };
    let wanted = word(target, barrier).ok().filter(|wanted| PLAUSIBLE.contains(wanted))?;
    let tickets = word(target, barrier.checked_add(8)?).ok()?;
    let adjustment = word(target, barrier.checked_add(16)?).ok()?.cast_signed();
    if tickets == 0
        || !tickets.is_multiple_of(NODE)
        || !(-(wanted as i64)..=0).contains(&adjustment)
    {
        return None;
    }
    let phase = byte(phase).filter(|phase| phase.is_multiple_of(2))?;
    let nodes = wanted.div_ceil(2);
    let mut now = 0;
    for node in 0..nodes {
        let ticket = byte(tickets.checked_add(node * NODE)?)?.wrapping_sub(phase);
        let alone = node + 1 == nodes && !wanted.is_multiple_of(2);
        now += match ticket {
            0 => 0,
            1 if !alone => 1,
            2 => {
                if alone {
                    1
                } else {
                    2
                }
            }
            _ => return None,
        };
    }
    (1..wanted).contains(&now).then_some((wanted, now))
}
