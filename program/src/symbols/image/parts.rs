//! Finds parts of functions that compilers put elsewhere, in files whose symbols for them are
//! stripped.

use iced_x86::{Decoder, DecoderOptions};

use super::{Image, Symbol};

/// Bytes of such a part that are searched.
const LONGEST: u64 = 1 << 20;

impl Image {
    /// The function that the nameless code around `address` is a part of: only such code jumps into
    /// the middle of the rest of its function.
    pub(crate) fn whole(&self, address: u64) -> Option<&Symbol> {
        let (start, end) = self.bounds_by_table(address)?;
        let known = self.parts.borrow().get(&start).copied();
        let into = known.unwrap_or_else(|| {
            let found = self.jumps_into(start, end);
            self.parts.borrow_mut().insert(start, found);
            found
        });
        self.function_symbol(into?)
    }

    /// The start of a function with a symbol, into whose middle the code jumps.
    fn jumps_into(&self, start: u64, end: u64) -> Option<u64> {
        let length = end.checked_sub(start).filter(|length| *length <= LONGEST)?;
        let code = self.code_before(end, length);
        let jumps = Decoder::with_ip(64, code, start, DecoderOptions::NONE).into_iter();
        let jumps = jumps.filter(|one| one.is_jcc_short_or_near() || one.is_jmp_short_or_near());
        let out = jumps.map(|one| one.near_branch_target()).filter(|to| !(start..end).contains(to));
        let firsts = out.filter_map(|to| {
            let (first, _) = self.bounds_by_table(to)?;
            let symbol = self.function_symbol(first)?;
            (first != to && symbol.address == first).then_some(first)
        });
        firsts.into_iter().next()
    }
}
