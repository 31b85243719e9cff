//! Barriers of libstdc++'s, which a thread that waits at one sleeps outside of: the word that the
//! kernel knows is one that the library has for many. The thread still has the barrier's address,
//! or that of its phase, in a register or on its stack.
//!
//! What must hold: nothing is said of memory that does not stand as such a barrier's, with each of
//! its tickets in the phase's range, and some threads still to come.

use crate::target::word;
use crate::{Registers, Target};

/// Bytes of the stack that are gone over.
const STACK: usize = 512;
/// Numbers of threads that a barrier is for.
const PLAUSIBLE: std::ops::RangeInclusive<u64> = 2..=1 << 16;
/// Where the phase may stand: behind what is called at a phase's end (nothing: gcc 11 to 13), or in
/// front of it.
const PHASES: [u64; 4] = [25, 24, 32, 40];
/// Bytes from one node's tickets to the next one's; a byte for each round.
const NODE: u64 = 64;

/// Where the barrier stands, how many are expected, and how many have come in this phase.
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
                // What may be read as two different ones tells of none.
                match found {
                    Some(known) if known != (barrier, wanted, now) => return None,
                    _ => found = Some((barrier, wanted, now)),
                }
            }
        }
    }
    found
}

/// How many are expected, and how many have come, if that is a barrier with this phase.
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
