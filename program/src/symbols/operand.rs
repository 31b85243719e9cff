//! The accesses of instructions to memory.

use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, Mnemonic};

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
        let exchanges = |module: &super::modules::Module| {
            let address = after.wrapping_sub(module.bias);
            let image = module.image.as_ref()?;
            let (start, end) = image.function_bounds(address.wrapping_sub(1))?;
            let code = image.code_before(end, end - start);
            let first = end - code.len() as u64;
            let decoder = Decoder::with_ip(64, code, first, DecoderOptions::NONE);
            let one = decoder.into_iter().find(|one| one.next_ip() >= address)?;
            let is_it =
                matches!(one.mnemonic(), Mnemonic::Xchg | Mnemonic::Cmpxchg | Mnemonic::Bts);
            Some(one.next_ip() == address && is_it)
        };
        let module = self.module(after.wrapping_sub(1));
        module.filter(|one| one.kind == Owner::User).and_then(exchanges).unwrap_or(false)
    }

    /// Whether the program's own instruction that ends at `after`, or a later one of the same line,
    /// adds to a value in memory, as code does that passes a turn to the next thread.
    pub fn adds(&self, after: u64) -> bool {
        let line = |pc: u64| {
            let functions = self.functions(pc);
            functions.first().map(|one| (one.file.clone(), one.line))
        };
        let of = line(after.wrapping_sub(1));
        let adds = |module: &super::modules::Module| {
            let address = after.wrapping_sub(module.bias);
            let image = module.image.as_ref()?;
            let (start, end) = image.function_bounds(address.wrapping_sub(1))?;
            let code = image.code_before(end, end - start);
            let first = end - code.len() as u64;
            let decoder = Decoder::with_ip(64, code, first, DecoderOptions::NONE);
            let behind = decoder.into_iter().skip_while(|one| one.next_ip() < address);
            let mut here = behind
                .take(LONGEST_LINE)
                .take_while(|one| line(one.ip().wrapping_add(module.bias)) == of);
            let mut info = InstructionInfoFactory::new();
            Some(here.any(|one| {
                let counts =
                    matches!(one.mnemonic(), Mnemonic::Add | Mnemonic::Inc | Mnemonic::Xadd);
                let mut used = info.info(&one).used_memory().iter();
                counts && used.any(|used| access::writes(used.access()))
            }))
        };
        let module = self.module(after.wrapping_sub(1));
        module.filter(|one| one.kind == Owner::User).and_then(adds).unwrap_or(false)
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
