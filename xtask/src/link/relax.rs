//! Rewrites an archive of object files so that the linker can make calls direct that rustc sends
//! through the table of addresses (the GOT).
//!
//! Who calls: `link/mod.rs`, before it links `libomphalos.so`. The archive itself stays as it is;
//! the link step uses a copy and removes it.
//!
//! A call of another crate's function, or the address of its data, is `*symbol@GOTPCREL(%rip)` in
//! what rustc makes, with a relocation that binds the linker to the table even where the symbol is
//! the library's own. The relocations `GOTPCRELX` and `REX_GOTPCRELX` mean the same and let the
//! linker write the direct form (x86-64 psABI, appendix B.2). Compilers of C use these; rustc's
//! switch for them is not stable. So the relocations are exchanged in the archive: each entry that
//! falls out of the table is one relocation less when a program starts, and one load less in each
//! call.
//!
//! What must hold: a relocation is exchanged only in three forms of instruction: a call through
//! memory, a jump through memory, and a 64-bit `mov` of an address to a register. The linker looks
//! again, and leaves what it cannot rewrite or what does not stay inside the library.
//!
//! A function of the C library that few programs come to (`symbols/late.txt`) is bound late: it is
//! called through the linker's stub (the PLT), which looks its address up at the first call. The
//! dynamic linker searches for all other functions by name at each start of a program. Here the
//! instruction itself is rewritten, too. The address of such a function is the stub's, and never
//! null: no code may ask by it whether the C library has the function.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{
    FileHeader64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX,
    RelocationType, SHF_EXECINSTR, SHT_SYMTAB,
};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, Rela, SectionHeader, Sym};

use crate::Outcome;
use crate::tools::step;

/// A rewritten archive.
pub struct Relaxed {
    pub path: PathBuf,
    /// The names that its members leave undefined: what they ask each other and other libraries
    /// for.
    pub asked: BTreeSet<String>,
}

/// Writes a rewritten copy of `archive` into `folder`. The functions whose names are in `late` are
/// bound late.
pub fn relax(archive: &Path, folder: &Path, late: &BTreeSet<String>) -> Outcome<Relaxed> {
    let mut bytes =
        std::fs::read(archive).map_err(|e| format!("cannot read {}: {e}", archive.display()))?;
    let (changes, asked) = changes(&bytes, late)
        .map_err(|e| format!("cannot make sense of {}: {e}", archive.display()))?;
    for change in &changes {
        bytes[change.kind_at..][..4].copy_from_slice(&change.kind.0.to_le_bytes());
        if let Some((at, code)) = change.code {
            bytes[at..][..2].copy_from_slice(&code);
        }
    }
    let calls = changes.iter().filter(|change| change.code.is_some()).count();
    step(&format!(
        "{} accesses may be direct, {calls} calls are bound late",
        changes.len() - calls
    ));
    let path = folder.join("relaxed.a");
    std::fs::write(&path, &bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(Relaxed { path, asked })
}

/// What is to stand where in the archive. Places count bytes from the begin of the file, or of the
/// object file while only that is known.
struct Change {
    /// Where the relocation's kind stands, and which kind it becomes.
    kind_at: usize,
    kind: RelocationType,
    /// For a function that is bound late: where the two bytes before the displacement stand, and
    /// what they become.
    code: Option<(usize, [u8; 2])>,
}

type Names = BTreeSet<String>;

/// The changes in all members of an archive, and the names that they leave undefined.
fn changes(archive: &[u8], late: &Names) -> object::Result<(Vec<Change>, Names)> {
    let (mut changes, mut asked) = (Vec::new(), Names::new());
    for member in ArchiveFile::parse(archive)?.members() {
        let member = member?;
        let data = member.data(archive)?;
        if data.starts_with(b"\x7fELF") {
            let begin = member.file_range().0 as usize;
            changes.extend(in_object(data, late, &mut asked)?.into_iter().map(|change| Change {
                kind_at: begin + change.kind_at,
                code: change.code.map(|(at, code)| (begin + at, code)),
                ..change
            }));
        }
    }
    Ok((changes, asked))
}

/// The changes in one object file. Adds the names that it leaves undefined to `asked`.
fn in_object(data: &[u8], late: &Names, asked: &mut Names) -> object::Result<Vec<Change>> {
    let mut changes = Vec::new();
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, SHT_SYMTAB)?;
    for symbol in symbols.iter().filter(|symbol| symbol.is_undefined(endian)) {
        asked.insert(String::from_utf8_lossy(symbol.name(endian, symbols.strings())?).into_owned());
    }
    for section in sections.iter() {
        let Some((entries, _)) = section.rela(endian, data)? else { continue };
        let code = sections.section(section.info_link(endian))?;
        if (code.sh_flags(endian) & SHF_EXECINSTR).0 == 0 {
            continue;
        }
        let text = code.data(endian, data)?;
        let code_begin = code.sh_offset(endian) as usize;
        let begin = section.sh_offset(endian) as usize;
        for (index, entry) in entries.iter().enumerate() {
            // The instruction ends with the displacement.
            let plain = entry.r_type(endian, false) == R_X86_64_GOTPCREL;
            if !plain || entry.r_addend(endian) != -4 {
                continue;
            }
            let offset = entry.r_offset(endian) as usize;
            let at = begin + index * size_of_val(entry);
            let kind_at = at + std::mem::offset_of!(Layout, kind);
            let symbol =
                symbols.symbol(object::SymbolIndex(entry.r_sym(endian, false) as usize))?;
            let name = symbol.name(endian, symbols.strings())?;
            let is_late = std::str::from_utf8(name).is_ok_and(|name| late.contains(name));
            if is_late && let Some(code) = of_stub(&text[..offset]) {
                let code = Some((code_begin + offset - 2, code));
                changes.push(Change { kind_at, kind: R_X86_64_PLT32, code });
            } else if let Some(kind) = relaxable(&text[..offset]) {
                changes.push(Change { kind_at, kind, code: None });
            }
        }
    }
    Ok(changes)
}

/// The second byte of a call and of a jump through an address in memory; the first is 0xff.
const CALL: u8 = 0x15;
const JUMP: u8 = 0x25;

/// The two bytes that replace the last two of `before`, behind which the displacement stands: then
/// the instruction calls the linker's stub, jumps to it or takes its address. Before, it used the
/// table.
fn of_stub(before: &[u8]) -> Option<[u8; 2]> {
    match *before {
        // `call` with a prefix without effect, as the linker itself writes it.
        [.., 0xff, CALL] => Some([0x67, 0xe8]),
        // `nop` and `jmp`.
        [.., 0xff, JUMP] => Some([0x90, 0xe9]),
        // `lea`.
        [.., 0x48..=0x4f, 0x8b, form] if form & 0xc7 == 0x05 => Some([0x8d, form]),
        _ => None,
    }
}

/// The relocation that lets the linker rewrite the instruction whose displacement stands behind
/// these bytes; `None` if the instruction has no direct form.
fn relaxable(before: &[u8]) -> Option<RelocationType> {
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
    fn a_stub_is_called_and_has_an_address() {
        assert_eq!(of_stub(&[0x90, 0xff, 0x15]), Some([0x67, 0xe8]));
        assert_eq!(of_stub(&[0xff, 0x25]), Some([0x90, 0xe9]));
        assert_eq!(of_stub(&[0x4c, 0x8b, 0x3d]), Some([0x8d, 0x3d]));
        assert_eq!(of_stub(&[0x48, 0x3b, 0x05]), None);
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
