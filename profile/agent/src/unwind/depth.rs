//! The depth of code in the stack where no unwind table describes it, from the function's
//! instructions.
//!
//! flang gives many functions no table, and other compilers may be told not to. But the
//! instructions of a function from its first one on show what each does to the stack pointer. So
//! the place of the return address is known exactly, once the function's start is. The call before
//! that return address leads to the start. For a function that is called through a pointer, the
//! start is looked for backwards from the code, after the padding between functions.
//!
//! What must hold: a depth is believed only where it leads to an address after a call. Handlers
//! read only mapped code, and the decoder's tables are made outside of them ([`prepare`]).

use core::sync::atomic::{
    AtomicU8,
    Ordering::{Acquire, Relaxed, Release},
};

use iced_x86::{Decoder, DecoderOptions};

use super::calls::Call;
use super::modules::{Module, Modules};
use super::rules::{Context, Rule, find as rule_of};
use super::sweep::{ALIGNED, Sweep, is_padding};
use super::{Registers, StackMemory};

/// The longest function that is gone through, bytes.
const LONGEST: u64 = 1 << 16;
/// The number of words of the stack that are searched for its return address.
const WORDS: u64 = 2048;
/// The most instructions that one search decodes.
const MOST: usize = 20_000;

static TABLES: AtomicU8 = AtomicU8::new(NOT_ASKED);
const NOT_ASKED: u8 = 0;
const ASKED: u8 = 1;
const READY: u8 = 2;

/// Whether the decoder may be used; if not, its tables are asked for. Async-signal-safe.
pub fn is_ready() -> bool {
    match TABLES.load(Acquire) {
        READY => true,
        NOT_ASKED => {
            TABLES.store(ASKED, Relaxed);
            false
        }
        _ => false,
    }
}

/// Makes the decoder's tables if a handler asked for them. Allocates, so a signal handler must not
/// call it.
pub fn prepare() {
    if TABLES.load(Relaxed) == ASKED {
        let nop = [0x90];
        let _ = Decoder::with_ip(64, &nop, 0, DecoderOptions::NONE).decode();
        TABLES.store(READY, Release);
    }
}

/// Returns the rule of code without information at `address`, in a frame with these registers;
/// `None` if no rule is certain. Async-signal-safe once [`is_ready`].
pub fn find(
    modules: &Modules,
    context: &mut Context,
    address: u64,
    registers: &Registers,
    memory: &StackMemory,
) -> Option<Rule> {
    let module = modules.find(address)?;
    let mut search = Search { modules, module, address, registers, memory, left: MOST };
    search.by_caller(context).or_else(|| search.backwards())
}

struct Search<'a> {
    modules: &'a Modules,
    module: &'a Module,
    address: u64,
    registers: &'a Registers,
    memory: &'a StackMemory,
    /// The number of further instructions that may be decoded.
    left: usize,
}

impl Search<'_> {
    /// Searches by the call that leads to the function's start.
    fn by_caller(&mut self, context: &mut Context) -> Option<Rule> {
        let (mut last, sp) = (0, self.registers.sp() & !7);
        // Half of the instructions are left for `backwards`.
        let least = self.left / 2;
        for at in (0..WORDS).map(|word| sp + word * 8) {
            let Call::Direct(start) = self.modules.call_before(self.memory.read(at)?) else {
                continue;
            };
            let here = start <= self.address && self.address - start < LONGEST;
            if self.left < least {
                return None;
            }
            // A function with a table of its own ends before this code.
            if start == last || !here || rule_of(self.module, context, start) != Rule::Unknown {
                continue;
            }
            last = start;
            let found = self.from(start).filter(|(_, place)| *place == at);
            if let Some((rule, _)) = found {
                return Some(rule);
            }
        }
        None
    }

    /// Searches where functions may start; first where another function returns just before.
    fn backwards(&mut self) -> Option<Rule> {
        let lowest = self.address.saturating_sub(LONGEST).max(self.module.start);
        for only_behind_return in [true, false] {
            let mut start = self.address & !(ALIGNED - 1);
            while start > lowest && self.left > 0 {
                if self.may_start(start, only_behind_return)
                    && let Some((rule, place)) = self.from(start)
                {
                    let caller = self.memory.read(place).map(|word| self.modules.call_before(word));
                    match caller {
                        Some(Call::Indirect) => return Some(rule),
                        Some(Call::Direct(to)) if to == start => return Some(rule),
                        _ => {}
                    }
                }
                start -= ALIGNED;
            }
        }
        None
    }

    fn may_start(&self, start: u64, only_behind_return: bool) -> bool {
        const RETURN: u8 = 0xc3;
        let Some(before) = self.code::<16>(start - 16) else { return false };
        if !only_behind_return {
            // The ends of `nop`s, `int3`, `ret`.
            return matches!(before[15], 0x00 | 0x90 | 0xcc | RETURN);
        }
        (0..16).any(|at| before[at] == RETURN && is_padding(&before[at + 1..]))
    }

    /// Returns the rule if the function starts there, and the place of the return address in that
    /// case.
    fn from(&mut self, start: u64) -> Option<(Rule, u64)> {
        let end = self.module.code.iter().find(|(from, to)| (*from..*to).contains(&start))?.1;
        let length = end.min(self.address + 16).checked_sub(start)?;
        // SAFETY: within a mapped executable part of the module.
        let code = unsafe { core::slice::from_raw_parts(start as *const u8, length as usize) };
        let rule = Sweep::new(start).run(code, self.address, &mut self.left)?;
        let Rule::Plain { register, offset, .. } = rule else { return None };
        let base = self.registers.get(u16::from(register))?;
        Some((rule, base.checked_add_signed(i64::from(offset) - 8)?))
    }

    fn code<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let inside = |part: &&(u64, u64)| part.0 <= address && address + N as u64 <= part.1;
        self.module.code.iter().find(inside)?;
        // SAFETY: within a mapped executable part of the module.
        Some(unsafe { (address as *const [u8; N]).read_volatile() })
    }
}
