//! The accesses of instructions to memory.

use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic};

use super::{Owner, Symbols, access};

/// Instructions of one line that are looked at, at most.
const LONGEST_LINE: usize = 16;

/// An instruction's access to the memory that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Bytes that it reads or writes.
    pub length: u64,
    /// Whether it writes them.
    pub writes: bool,
    /// Whether it is one step for all processors.
    pub is_atomic: bool,
}

impl Symbols {
    /// Whether the instruction of the program's own that ends at `after` exchanges a value with
    /// memory: it may take a lock.
    pub fn exchanges(&self, after: u64) -> bool {
        let found = self.own_code_from(after).and_then(|(bias, mut code)| {
            let one = code.next()?;
            let is_it =
                matches!(one.mnemonic(), Mnemonic::Xchg | Mnemonic::Cmpxchg | Mnemonic::Bts);
            Some(one.next_ip().wrapping_add(bias) == after && is_it)
        });
        found.unwrap_or(false)
    }

    /// The instructions of one of the program's own functions, from the one that ends at `after`
    /// on, or the next if none ends there; and the number to add to their addresses.
    fn own_code_from(&self, after: u64) -> Option<(u64, impl Iterator<Item = Instruction>)> {
        let pc = after.wrapping_sub(1);
        let module = self.module(pc).filter(|one| one.kind == Owner::User)?;
        let (image, address) = (module.image.as_ref()?, after.wrapping_sub(module.bias));
        let (start, end) = image.function_bounds(address.wrapping_sub(1))?;
        let code = image.code_before(end, end - start);
        let decoder = Decoder::with_ip(64, code, end - code.len() as u64, DecoderOptions::NONE);
        Some((module.bias, decoder.into_iter().skip_while(move |one| one.next_ip() < address)))
    }

    /// Whether the program's own instruction that ends at `after`, or a later one of the same line,
    /// adds to a value in memory, as code does that passes a turn to the next thread.
    pub fn adds(&self, after: u64) -> bool {
        let line = |pc: u64| {
            let functions = self.functions(pc);
            functions.first().map(|one| (one.file.clone(), one.line))
        };
        let of = line(after.wrapping_sub(1));
        let Some((bias, code)) = self.own_code_from(after) else { return false };
        let mut here =
            code.take(LONGEST_LINE).take_while(|one| line(one.ip().wrapping_add(bias)) == of);
        let mut info = InstructionInfoFactory::new();
        here.any(|one| {
            let counts = matches!(one.mnemonic(), Mnemonic::Add | Mnemonic::Inc | Mnemonic::Xadd);
            let mut used = info.info(&one).used_memory().iter();
            counts && used.any(|used| access::writes(used.access()))
        })
    }

    /// The memory access of the program's own instruction that begins at `instruction`.
    pub fn access(&self, instruction: u64) -> Option<Access> {
        let module = self.module(instruction).filter(|one| one.kind == Owner::User)?;
        let address = instruction.wrapping_sub(module.bias);
        let image = module.image.as_ref()?;
        // No instruction need begin at a recorded address.
        let (start, end) = image.function_bounds(address)?;
        let code = image.code_before(end, end - start);
        let first = end - code.len() as u64;
        let decoder = Decoder::with_ip(64, code, first, DecoderOptions::NONE);
        let decoded = decoder.into_iter().find(|one| one.ip() >= address)?;
        if decoded.ip() != address {
            return None;
        }
        let mut info = InstructionInfoFactory::new();
        let used = *info.info(&decoded).used_memory().first()?;
        Some(Access {
            length: used.memory_size().size() as u64,
            writes: access::writes(used.access()),
            is_atomic: decoded.has_lock_prefix() || decoded.mnemonic() == Mnemonic::Xchg,
        })
    }
}
