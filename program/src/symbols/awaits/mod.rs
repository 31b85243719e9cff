//! Finds loops that only wait, for `inspect` (`Names::awaits`). The memory that each round of such
//! a loop reads decides when the loop ends, and no round changes that memory: `while (!ready);`.
//!
//! A round may count, sleep and raise flags. What must hold for a loop that is found: while the
//! memory that it reads stays as it is, the loop never ends. If the code does not show that, the
//! loop is not found.

mod around;
mod before;
mod effects;
mod getters;
mod pure;
mod replay;
mod sources;
mod value;
mod waiting_rounds;

use iced_x86::InstructionInfoFactory;

use super::Symbols;
use super::rounds::Rounds;
pub use around::{LoopAround, SilentRounds};
use effects::Effects;
pub(super) use effects::dwarf;
use getters::Code;
use pure::Pure;
pub use replay::{Circle, is_comparison};

/// The state of the thread: its registers in the function, by DWARF's numbers, and memory.
pub struct Standing<'a> {
    /// A register, if it is known.
    pub register: &'a dyn Fn(usize) -> Option<u64>,
    /// Reads this many bytes (8 at most) at an address.
    pub read: &'a dyn Fn(u64, usize) -> Option<u64>,
}

/// A function that a loop may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// The function changes no memory of the program's.
    Harmless,
    /// The function changes no memory of the program's, and its result changes only by actions of
    /// other threads.
    AsksOthers,
}

/// A loop that only waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awaits {
    /// Its first instruction.
    pub head: u64,
    /// An instruction that reads the memory on which the loop's end depends.
    pub reads_at: Option<u64>,
    /// The memory on which the loop's end depends: addresses and lengths. The memory that decides
    /// the end comes in front of pointers that lead to it. Empty if the loop has no end at all.
    pub cells: Vec<(u64, usize)>,
    /// The call in the loop inside which that memory is read, if it is not read in the loop itself.
    pub reads_in: Option<u64>,
    /// The return address of a call whose result decides the end ([`Called::AsksOthers`]).
    pub asks: Option<u64>,
    /// The first argument of that call, if it is the same in every round.
    pub argument: Option<u64>,
    /// For a loop without an end that calls nothing: the instruction in front of the loop that last
    /// read memory to decide whether the loop is entered or goes on. With it comes that memory, if
    /// the code shows it.
    pub once: Option<(u64, Option<(u64, usize)>)>,
    /// Whether rounds may exchange a value with the memory that decides the end. Then the loop only
    /// waits if that memory and the thread's registers are the same at a second look.
    pub exchanges: bool,
    /// The memory that the loop writes, such as flags and counters. With it comes the number that
    /// the loop writes there, if the number is the same in every round.
    pub writes: Vec<((u64, usize), Option<u64>)>,
    /// Registers that stay as they are, by DWARF's numbers.
    pub kept: Vec<usize>,
}

impl Symbols {
    /// Returns the innermost of the loops around a place in the code that only wait. `called`
    /// returns the known facts about functions of other modules.
    ///
    /// With `meets`, returns another loop: the outermost one in whose rounds threads wait for each
    /// other. Such a loop writes the same in every round, and loops inside it may wait
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

/// The most nested loops that are checked.
const MOST_LOOPS: usize = 4;
