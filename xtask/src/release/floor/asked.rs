//! Reads the versions at which a file asks for names of the C library.

use std::path::Path;

use object::read::elf::{ElfFile64, FileHeader, Sym};
use object::{Endianness, elf};

use super::GLIBC;
use crate::Outcome;

/// Fails if a file below `folder` asks for a name that is younger than the floor.
pub fn check(folder: &Path) -> Outcome {
    let mut wrong = Vec::new();
    walk(folder, &mut wrong)?;
    if wrong.is_empty() {
        return Ok(());
    }
    let (major, minor, _) = GLIBC;
    Err(format!("not for glibc {major}.{minor}:\n  {}", wrong.join("\n  ")))
}

fn walk(folder: &Path, wrong: &mut Vec<String>) -> Outcome {
    let entries =
        std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(&path, wrong)?;
            continue;
        }
        let data =
            std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        if data.starts_with(b"\x7fELF") {
            let names = younger(&data).map_err(|e| format!("{}: {e}", path.display()))?;
            wrong.extend(names.into_iter().map(|name| format!("{}: {name}", path.display())));
        }
    }
    Ok(())
}

/// Returns the names that a file asks for at a version above the floor, or at a version without a
/// number.
fn younger(data: &[u8]) -> object::Result<Vec<String>> {
    let file = ElfFile64::<Endianness>::parse(data)?;
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
    let Some(table) = sections.versions(endian, data)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (index, symbol) in symbols.enumerate() {
        if !symbol.is_undefined(endian) {
            continue;
        }
        let Some(version) = table.version(table.version_index(endian, index).into())? else {
            continue;
        };
        let version = String::from_utf8_lossy(version.name()).into_owned();
        if version.starts_with("GLIBC_") && number(&version).is_none_or(|number| number > GLIBC) {
            let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?);
            found.push(format!("{name}@{version}"));
        }
    }
    Ok(found)
}

/// Returns the number of a version such as `GLIBC_2.3.4`; `None` for names such as `GLIBC_PRIVATE`.
pub fn number(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.strip_prefix("GLIBC_")?.split('.').map(str::parse::<u32>);
    let (major, minor) = (parts.next()?.ok()?, parts.next()?.ok()?);
    Some((major, minor, parts.next().map_or(Some(0), Result::ok)?))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn versions_are_numbers() {
        assert_eq!(number("GLIBC_2.28"), Some((2, 28, 0)));
        assert_eq!(number("GLIBC_2.2.5"), Some((2, 2, 5)));
        assert!(number("GLIBC_2.3.3") < number("GLIBC_2.3.4"));
        assert!(number("GLIBC_2.4") < number("GLIBC_2.28"));
        assert_eq!(number("GLIBC_PRIVATE"), None);
        assert_eq!(number("GCC_3.0"), None);
    }
}
