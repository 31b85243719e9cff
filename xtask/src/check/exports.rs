//! Compares the exported symbols of `libomphalos.so` with the lists in `runtime/library/symbols`:
//! every listed name that the runtime defines is exported at each of its versions, and nothing else
//! is.
//!
//! It also looks for code that the link step had to drop: the standard library's code for panics.
//!
//! The caller is `cargo xtask check`, after it has linked the library. This module only reads the
//! library.

use std::collections::BTreeSet;
use std::path::Path;

use object::read::elf::{ElfFile64, FileHeader, Sym};
use object::{Object, ObjectSymbol, elf};

use crate::Outcome;
use crate::link::{Export, Linked, panics};

/// Compares the linked library with the exports that the link step planned.
pub fn check(linked: &Linked) -> Outcome {
    let (named, library): (_, &Path) = (&linked.exports, &linked.library);
    let data = std::fs::read(library)
        .map_err(|error| format!("cannot read {}: {error}", library.display()))?;
    let left = panic_code(&data).map_err(|error| format!("{}: {error}", library.display()))?;
    if let Some(name) = left {
        return Err(format!(
            "libomphalos.so has the standard library's `{name}`: see xtask/src/link/panics.rs"
        ));
    }
    let exported = exports(&data).map_err(|error| format!("{}: {error}", library.display()))?;
    let missing = shown(named.difference(&exported));
    let extra = shown(exported.difference(named));
    match (missing.is_empty(), extra.is_empty()) {
        (true, true) => Ok(()),
        _ => Err(format!(
            "libomphalos.so and the lists of symbols disagree\n  listed but not exported: \
             {missing}\n  \
             exported but not listed: {extra}"
        )),
    }
}

/// Writes the symbols as `name@version`, with a blank between two.
fn shown<'a>(symbols: impl Iterator<Item = &'a Export>) -> String {
    let shown: Vec<String> = symbols.map(|(name, version)| format!("{name}@{version}")).collect();
    shown.join(" ")
}

/// Finds a symbol of the standard library's code for panics. The link step puts the runtime's own
/// functions in its place (`link/panics.rs`), so the library must have none.
fn panic_code(data: &[u8]) -> object::Result<Option<String>> {
    let file = ElfFile64::<object::Endianness>::parse(data)?;
    let mut names = file.symbols().filter_map(|symbol| symbol.name().ok());
    Ok(names.find(|name| panics::HOOKS.iter().any(|hook| name.contains(hook))).map(Into::into))
}

/// Returns the symbols that a shared library exports, with their versions.
fn exports(data: &[u8]) -> object::Result<BTreeSet<Export>> {
    let file = ElfFile64::<object::Endianness>::parse(data)?;
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
    let versions = sections.versions(endian, data)?;
    let mut exports = BTreeSet::new();
    for (index, symbol) in symbols.enumerate() {
        let bind = symbol.st_bind();
        if symbol.is_undefined(endian) || !(bind == elf::STB_GLOBAL || bind == elf::STB_WEAK) {
            continue;
        }
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        let version = match &versions {
            Some(table) => match table.version(table.version_index(endian, index).into())? {
                Some(version) => String::from_utf8_lossy(version.name()).into_owned(),
                None => String::new(),
            },
            None => String::new(),
        };
        // The linker also defines a symbol for each version node itself.
        if name != version {
            exports.insert((name, version));
        }
    }
    Ok(exports)
}
