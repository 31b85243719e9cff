//! The exported symbols of `libomphalos.so` against its version script: every symbol that the
//! script names is exported at its version, and nothing else is.

use std::collections::BTreeSet;
use std::path::Path;

use object::elf;
use object::read::elf::{ElfFile64, FileHeader, Sym};

use super::script::{self, Export};
use crate::Outcome;
use crate::tools::read;

/// Compares the library with the script.
pub fn check(library: &Path, script: &Path) -> Outcome {
    let named =
        script::parse(&read(script)?).map_err(|error| format!("{}: {error}", script.display()))?;
    let data = std::fs::read(library)
        .map_err(|error| format!("cannot read {}: {error}", library.display()))?;
    let exported = exports(&data).map_err(|error| format!("{}: {error}", library.display()))?;
    let missing = shown(named.difference(&exported));
    let extra = shown(exported.difference(&named));
    match (missing.is_empty(), extra.is_empty()) {
        (true, true) => Ok(()),
        _ => Err(format!(
            "libomphalos.so and its version script disagree\n  named but not exported: {missing}\n  \
             exported but not named: {extra}"
        )),
    }
}

fn shown<'a>(symbols: impl Iterator<Item = &'a Export>) -> String {
    let shown: Vec<String> = symbols.map(|(name, version)| format!("{name}@{version}")).collect();
    shown.join(" ")
}

/// The symbols that a shared library exports, with their versions.
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
