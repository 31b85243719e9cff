//! Loops that do nothing but wait: what their rounds read decides when they end, and no round
//! changes that itself.
//!
//! A round may count, sleep and raise flags. What must hold of a loop that is found: as long as
//! the memory that it reads stays as it is, it never ends. Where the code does not show that,
//! nothing is said.

mod before;
mod effects;
mod getters;
mod pure;
mod sources;
mod value;
mod waiting_rounds;

use iced_x86::InstructionInfoFactory;

use super::Symbols;
use super::rounds::Rounds;
use effects::Effects;
pub(super) use effects::dwarf;
use getters::Code;
use pure::Pure;

/// What is known of the thread: its registers in the function, as DWARF numbers them, and memory.
pub struct Standing<'a> {
    /// A register, if it is known.
    pub register: &'a dyn Fn(usize) -> Option<u64>,
    /// So many bytes (8 at most) at an address.
    pub read: &'a dyn Fn(u64, usize) -> Option<u64>,
}

/// What a loop may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// It changes no memory of the program's.
    Harmless,
    /// Nor does this, and its answer changes only by what other threads do.
    AsksOthers,
}

/// A loop that only waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awaits {
    /// Its first instruction.
    pub head: u64,
    /// An instruction that reads what the loop's end depends on.
    pub reads_at: Option<u64>,
    /// What it reads for that: addresses and lengths, what the end is decided by in front of what
    /// leads there; none if it has no end at all.
    pub cells: Vec<(u64, usize)>,
    /// The call in the loop within which that is read, if it is not in the loop itself.
    pub reads_in: Option<u64>,
    /// Where a call returns to on whose answer its end depends ([`Called::AsksOthers`]).
    pub asks: Option<u64>,
    /// The first argument of that call, if it is the same in every round.
    pub argument: Option<u64>,
    /// Of a loop without an end that does nothing: the instruction before it that read what was to
    /// decide whether it is entered, and what that read, where the code shows that.
    pub once: Option<(u64, Option<(u64, usize)>)>,
    /// It writes memory too: flags of its own, or what it counts; with the number that it writes
    /// there, if that is the same in every round.
    pub writes: Vec<((u64, usize), Option<u64>)>,
    /// Registers that stay as they are, as DWARF numbers them.
    pub kept: Vec<usize>,
}

impl Symbols {
    /// The innermost loop around a place of the code that only waits. `called` says what is known
    /// of functions of other modules.
    ///
    /// With `meets` it is the loop in whose rounds threads meet, if there is one: the outermost
    /// loop that writes the same in every round, where loops within it may wait
    /// ([`waiting_rounds`]).
    pub(super) fn awaits(
        &self,
        address: u64,
        standing: &Standing<'_>,
        called: &dyn Fn(&str) -> Option<Called>,
        meets: bool,
    ) -> Option<Awaits> {
        let (image, bias) = self.image(address)?;
        let rounds = Rounds::with(image, address.wrapping_sub(bias))?;
        let loops = rounds.loops();
        if loops.is_empty() {
            return None;
        }
        let mut info = InstructionInfoFactory::new();
        let all = rounds.instructions.iter().map(|one| Effects::of(&mut info, one));
        let mut all: Vec<Effects> = all.collect();
        let code = Code::new(image, called);
        let mut found = loops.iter().take(MOST_LOOPS).filter_map(|of| {
            for at in (0..all.len()).filter(|at| of.inside[*at]) {
                let one = &rounds.instructions[at];
                if all[at].calls && !rounds.ends(one) {
                    code.mark(one, &mut all[at], meets, 0)?;
                }
            }
            let awaits = Pure::of(&rounds, of, &all, standing, bias, meets, &code).holds()?;
            let writes = || awaits.writes.iter().any(|(_, number)| number.is_some());
            (!meets || writes()).then_some(awaits)
        });
        if meets { found.last() } else { found.next() }
    }
}

/// Loops within each other that are looked at.
const MOST_LOOPS: usize = 4;
