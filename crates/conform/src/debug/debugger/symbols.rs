//! Symbols as a debugger finds them: what a file exports, what else the runtime's own file names,
//! and what each thread has of a thread-local one.

use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};
use omphalos_inspect::space::{Module, Space, half, modules, word};

/// A symbol of a file.
#[derive(Clone, Copy)]
pub struct Symbol {
    /// What to add to the file's addresses.
    bias: u64,
    value: u64,
    is_thread_local: bool,
}

impl Symbol {
    /// Its address; `lwp`: the thread whose own it is, of a thread-local one.
    pub fn address(&self, space: &dyn Space, lwp: Option<u32>) -> Option<u64> {
        match lwp {
            Some(lwp) if self.is_thread_local => self.of_thread(space, lwp),
            _ if self.is_thread_local => None,
            _ => Some(self.value.wrapping_add(self.bias)),
        }
    }

    fn of_thread(&self, space: &dyn Space, lwp: u32) -> Option<u64> {
        let target = space.as_target();
        // glibc says itself where a loaded file keeps its number among those with thread-local
        // storage.
        let offset = space.symbol("_thread_db_link_map_l_tls_modid", None).ok()?;
        let offset = u64::from(half(target, offset + 8).ok()?);
        let number = word(target, link_map(space, self.bias)?.wrapping_add(offset)).ok()?;
        let head = space.registers(lwp).ok()?.fs_base;
        let vector = word(target, head.wrapping_add(8)).ok()?;
        let block = word(target, vector.wrapping_add(number.wrapping_mul(16))).ok()?;
        // A block that the thread never used is not there yet.
        (block != u64::MAX && block != 0).then(|| block.wrapping_add(self.value))
    }
}

/// The loader's record of the file whose addresses are moved by `bias`.
fn link_map(space: &dyn Space, bias: u64) -> Option<u64> {
    let target = space.as_target();
    let mut at = word(target, space.symbol("_r_debug", None).ok()? + 8).ok()?;
    for _ in 0..4096 {
        if at == 0 {
            break;
        }
        if word(target, at).ok()? == bias {
            return Some(at);
        }
        at = word(target, at.wrapping_add(24)).ok()?;
    }
    None
}

/// A symbol of the runtime's file, exported or not, or of the debug file that belongs to it.
pub fn inner(space: &dyn Space, runtime: &str, name: &str) -> Option<Symbol> {
    let module = modules(space.mappings()).into_iter().find(|module| module.path == runtime)?;
    let bytes = std::fs::read(space.file(&module)).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    in_file(&file, &module, name).or_else(|| {
        let bytes = std::fs::read(debug_file(file.build_id().ok()??)?).ok()?;
        in_file(&object::File::parse(&*bytes).ok()?, &module, name)
    })
}

fn debug_file(build_id: &[u8]) -> Option<String> {
    let (first, rest) = build_id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug"))
}

fn in_file(file: &object::File<'_>, module: &Module, name: &str) -> Option<Symbol> {
    let first = file.segments().map(|segment| segment.address() & !0xfff).min()?;
    let is_it = |symbol: &object::Symbol<'_, '_>| {
        !symbol.is_undefined() && symbol.name().is_ok_and(|known| known == name)
    };
    let found = file.symbols().find(is_it).or_else(|| file.dynamic_symbols().find(is_it))?;
    Some(Symbol {
        bias: module.base.wrapping_sub(first),
        value: found.address(),
        is_thread_local: found.kind() == SymbolKind::Tls,
    })
}
