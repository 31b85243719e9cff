//! Loops that do nothing but wait: what their rounds read decides when they end, and no round
//! changes that itself.
//!
//! A round may count, sleep and raise flags. What must hold of a loop that is found: as long as
//! the memory that it reads stays as it is, it never ends. Where the code does not show that,
//! nothing is said.

mod effects;
mod pure;
mod value;

use iced_x86::InstructionInfoFactory;

use super::Symbols;
use super::rounds::Rounds;
use effects::Effects;
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
    /// Its end depends on what functions say ([`Called::AsksOthers`]).
    pub asks: bool,
    /// It writes memory too: flags of its own, or what it counts.
    pub writes: Vec<(u64, usize)>,
    /// Registers that stay as they are, as DWARF numbers them.
    pub kept: Vec<usize>,
}

impl Symbols {
    /// The innermost loop around a place of the code that only waits; `called`: what is known of
    /// functions of other modules.
    pub(super) fn awaits(
        &self,
        address: u64,
        standing: &Standing<'_>,
        called: &dyn Fn(&str) -> Option<Called>,
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
        let known = |at: usize| image.ends_in(rounds.instructions[at].next_ip(), 0);
        loops.iter().take(MOST_LOOPS).find_map(|of| {
            for at in (0..all.len()).filter(|at| of.inside[*at]) {
                if all[at].calls {
                    all[at].asks = called(&known(at)?)? == Called::AsksOthers;
                }
            }
            Pure::of(&rounds, of, &all, standing, bias).holds()
        })
    }
}

/// Loops within each other that are looked at.
const MOST_LOOPS: usize = 4;
