//! Lets the linker make direct calls of those that rustc sends through the table of addresses.
//!
//! A call of another crate's function, or the address of its data, is `*symbol@GOTPCREL(%rip)` in what rustc
//! makes, with a relocation that binds the linker to the table even where the symbol is the library's own.
//! The relocations `GOTPCRELX` and `REX_GOTPCRELX` mean the same and let the linker write the direct form
//! (x86-64 psABI, appendix B.2). Compilers of C use these; rustc's switch for them is not stable. So the
//! relocations are exchanged in the archive: each entry that falls out of the table is one relocation less
//! when a program starts, and one load less in each call.
//!
//! What must hold: only those three forms of instruction are exchanged. The linker looks again, and leaves what it
//! cannot rewrite or what does not stay inside the library.

use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{
    FileHeader64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_REX_GOTPCRELX, RelocationType,
    SHF_EXECINSTR,
};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, Rela, SectionHeader};

use crate::Outcome;
use crate::tools::step;

/// Writes a copy of `archive` into `folder` in which the linker may relax; its path.
pub fn relax(archive: &Path, folder: &Path) -> Outcome<PathBuf> {
    let mut bytes =
        std::fs::read(archive).map_err(|e| format!("cannot read {}: {e}", archive.display()))?;
    let changes =
        changes(&bytes).map_err(|e| format!("cannot make sense of {}: {e}", archive.display()))?;
    for &(at, kind) in &changes {
        bytes[at..at + 4].copy_from_slice(&kind.0.to_le_bytes());
    }
    step(&format!("{} accesses may be direct", changes.len()));
    let relaxed = folder.join("relaxed.a");
    std::fs::write(&relaxed, &bytes)
        .map_err(|e| format!("cannot write {}: {e}", relaxed.display()))?;
    Ok(relaxed)
}

/// Where in the archive which kind of relocation is to stand.
fn changes(archive: &[u8]) -> object::Result<Vec<(usize, RelocationType)>> {
    let mut changes = Vec::new();
    for member in ArchiveFile::parse(archive)?.members() {
        let member = member?;
        let data = member.data(archive)?;
        if data.starts_with(b"\x7fELF") {
            let begin = member.file_range().0 as usize;
            changes.extend(in_object(data)?.into_iter().map(|(at, kind)| (begin + at, kind)));
        }
    }
    Ok(changes)
}

/// The same in an object file.
fn in_object(data: &[u8]) -> object::Result<Vec<(usize, RelocationType)>> {
    let mut changes = Vec::new();
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    for section in sections.iter() {
        let Some((entries, _)) = section.rela(endian, data)? else { continue };
        let code = sections.section(section.info_link(endian))?;
        if (code.sh_flags(endian) & SHF_EXECINSTR).0 == 0 {
            continue;
        }
        let text = code.data(endian, data)?;
        let begin = section.sh_offset(endian) as usize;
        for (index, entry) in entries.iter().enumerate() {
            let plain = entry.r_type(endian, false) == R_X86_64_GOTPCREL;
            // The instruction ends with the displacement.
            if plain
                && entry.r_addend(endian) == -4
                && let Some(kind) = relaxable(&text[..entry.r_offset(endian) as usize])
            {
                let at = begin + index * size_of_val(entry);
                changes.push((at + std::mem::offset_of!(Layout, kind), kind));
            }
        }
    }
    Ok(changes)
}

/// The relocation for an instruction whose displacement follows these bytes, if it has a direct form.
fn relaxable(before: &[u8]) -> Option<RelocationType> {
    const CALL: u8 = 0x15;
    const JUMP: u8 = 0x25;
    match *before {
        [.., 0xff, CALL | JUMP] => Some(R_X86_64_GOTPCRELX),
        // `mov symbol@GOTPCREL(%rip), %register` of 64 bits.
        [.., 0x48..=0x4f, 0x8b, form] if form & 0xc7 == 0x05 => Some(R_X86_64_REX_GOTPCRELX),
        _ => None,
    }
}

/// A relocation as it stands in a file of little-endian numbers (`Elf64_Rela`).
#[repr(C)]
struct Layout {
    offset: u64,
    kind: u32,
    symbol: u32,
    addend: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_jumps_and_addresses_have_a_direct_form() {
        assert_eq!(relaxable(&[0x90, 0xff, 0x15]), Some(R_X86_64_GOTPCRELX));
        assert_eq!(relaxable(&[0xff, 0x25]), Some(R_X86_64_GOTPCRELX));
        assert_eq!(relaxable(&[0x4c, 0x8b, 0x3d]), Some(R_X86_64_REX_GOTPCRELX));
    }

    #[test]
    fn other_instructions_stay() {
        // push, cmp, a register's memory, a 32-bit load, and nothing.
        for bytes in
            [&[0xff, 0x35][..], &[0x48, 0x3b, 0x05], &[0x48, 0x8b, 0x40], &[0x8b, 0x05], &[]]
        {
            assert_eq!(relaxable(bytes), None);
        }
    }
}
