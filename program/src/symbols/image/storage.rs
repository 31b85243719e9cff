//! Finds thread-local variables.

use object::{Object, ObjectSymbol, SymbolKind};

use super::Image;
use crate::symbols::names;

impl Image {
    /// The variable at `offset` bytes into each thread's storage for this file, and the distance
    /// into that variable.
    pub(crate) fn of_each_thread(&self, offset: u64) -> Option<(String, u64)> {
        let elf = object::File::parse(&*self.map).ok()?;
        let symbols = elf.symbols().chain(elf.dynamic_symbols());
        let mut own = symbols.filter(|symbol| symbol.kind() == SymbolKind::Tls);
        let around = own.find(|symbol| {
            !symbol.is_undefined()
                && offset.checked_sub(symbol.address()).is_some_and(|at| at < symbol.size())
        })?;
        let name = around.name().ok().filter(|name| !name.is_empty())?;
        // gcc numbers the variables of functions: `own.2`.
        let (plain, number) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let name = if is_numbered { plain } else { name };
        Some((names::display(name, None), offset - around.address()))
    }
}
