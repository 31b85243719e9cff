//! Looks up an address in a module's table of unwinding information.

use gimli::{
    BaseAddresses, EhFrame, EhFrameHdr, EndianSlice, Expression, NativeEndian, UnwindContext,
    UnwindSection,
};

pub(super) type Slice<'a> = EndianSlice<'a, NativeEndian>;

/// The part of a module with its unwinding information.
pub(super) struct Table {
    pub(super) bytes: Vec<u8>,
    pub(super) header: usize,
    pub(super) frames: usize,
    pub(super) bases: BaseAddresses,
}

impl Table {
    pub(super) fn look_up<'t, R>(
        &'t self,
        context: &mut UnwindContext<usize>,
        address: u64,
        then: impl FnOnce(
            u64,
            &gimli::UnwindTableRow<usize>,
            bool,
            &dyn Fn(&gimli::UnwindExpression<usize>) -> Option<Expression<Slice<'t>>>,
            gimli::Encoding,
        ) -> Option<R>,
    ) -> Option<R> {
        let frames = EhFrame::new(&self.bytes[self.frames..], NativeEndian);
        let header = EhFrameHdr::new(&self.bytes[self.header..], NativeEndian);
        let header = header.parse(&self.bases, 8).ok()?;
        let cie = EhFrame::cie_from_offset;
        let found = match header.table() {
            Some(table) => table.fde_for_address(&frames, &self.bases, address, cie),
            None => frames.fde_for_address(&self.bases, address, cie),
        };
        let fde = found.ok().filter(|fde| fde.contains(address))?;
        let row = fde.unwind_info_for_address(&frames, &self.bases, context, address).ok()?;
        let expression = |at: &gimli::UnwindExpression<usize>| -> Option<Expression<Slice<'t>>> {
            at.get(&frames).ok()
        };
        then(
            fde.initial_address(),
            row,
            fde.is_signal_trampoline(),
            &expression,
            fde.cie().encoding(),
        )
    }
}
