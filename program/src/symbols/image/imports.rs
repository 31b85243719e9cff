//! Finds calls of other modules' functions, through the linkage table or the table of addresses.

use std::collections::HashMap;
use std::rc::Rc;

use object::{Object, ObjectSymbol, ObjectSymbolTable};

use super::{Image, Room};

impl Image {
    /// The function of another module that the linkage stub around `address` jumps to.
    pub(crate) fn stub_target(&self, address: u64) -> Option<Rc<str>> {
        if !self.is_linkage(address) {
            return None;
        }
        self.jump_of_stub(address & !15)
    }

    /// The stub's `jmp *slot(%rip)` may have a marker and a prefix in front of it, and nothing
    /// else: otherwise it is a function of the file that ends in a jump.
    fn jump_of_stub(&self, stub: u64) -> Option<Rc<str>> {
        let code = self.code_before(stub + 16, 16);
        let rest = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
        let rest = rest.strip_prefix(&[0xf2]).unwrap_or(rest);
        let [0xff, 0x25, a, b, c, d, ..] = *rest else { return None };
        let (at, displacement) = (code.len() - rest.len(), i32::from_le_bytes([a, b, c, d]));
        let slot = (stub + at as u64 + 6).wrapping_add_signed(i64::from(displacement));
        self.imports().get(&slot).cloned()
    }

    /// Start and end of each piece of code with a function: from the unwind table, or, for flang's
    /// functions, from its symbol.
    pub(crate) fn code(&self) -> Vec<(u64, u64)> {
        let sized = self.symbols.iter().filter(|symbol| symbol.is_code && symbol.size > 0);
        let end = |symbol: &super::Symbol| symbol.address.saturating_add(symbol.size);
        let mut all: Vec<(u64, u64)> = self.functions().to_vec();
        let is_new = |symbol: &&super::Symbol| self.bounds_by_table(symbol.address).is_none();
        all.extend(sized.filter(is_new).map(|symbol| (symbol.address, end(symbol))));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn imports(&self) -> &HashMap<u64, Rc<str>> {
        self.imports.get_or_init(|| self.read_imports().unwrap_or_default())
    }

    /// The function of another module that the call or jump ending at `address` goes to.
    pub(crate) fn imported(&self, address: u64) -> Option<Rc<str>> {
        let relative = |end: u64, bytes: &[u8]| {
            let displacement = i32::from_le_bytes(bytes.try_into().ok()?);
            Some(end.wrapping_add_signed(i64::from(displacement)))
        };
        match self.code_before(address, 6) {
            // call *slot(%rip), jmp *slot(%rip)
            [0xff, 0x15 | 0x25, slot @ ..] => {
                self.imports().get(&relative(address, slot)?).cloned()
            }
            // call stub, jmp stub
            [_, 0xe8 | 0xe9, stub @ ..] => self.jump_of_stub(relative(address, stub)?),
            _ => None,
        }
    }

    fn read_imports(&self) -> Option<HashMap<u64, Rc<str>>> {
        let elf = object::File::parse(&*self.map).ok()?;
        let symbols = elf.dynamic_symbol_table()?;
        let names = elf.dynamic_relocations()?.filter_map(|(slot, relocation)| {
            let object::RelocationTarget::Symbol(index) = relocation.target() else { return None };
            Some((slot, symbols.symbol_by_index(index).ok()?.name().ok()?))
        });
        let room = Room::of(self.map.len());
        let slots = names.map_while(|(slot, name)| {
            room.take(name.len() as u64)?;
            Some((slot, Rc::from(name.split('@').next().unwrap_or(name))))
        });
        Some(slots.collect())
    }
}
