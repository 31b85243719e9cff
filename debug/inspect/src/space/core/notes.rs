//! Reads a core file's notes and headers: registers, files, mappings.

use object::LittleEndian;
use object::elf::{self, ProgramHeader64};
use object::read::elf::ProgramHeader as _;
use omphalos_ompd_view::Registers;

use super::super::Mapping;

/// Files that are read, at most.
const MOST_FILES: u64 = 1 << 16;

/// One thread's registers: `elf_prstatus`.
pub(super) fn status(text: &[u8]) -> Option<(u32, Registers)> {
    let lwp = number(text.get(32..36)?) as u32;
    let bytes = text.get(112..112 + 27 * 8)?;
    let all: Vec<u64> = bytes.chunks_exact(8).map(number).collect();
    let registers = Registers {
        rip: all[16],
        rsp: all[19],
        saved: [all[5], all[4], all[3], all[2], all[1], all[0]],
        call: [all[10], all[15], all[14], all[13], all[12], all[7], all[9], all[8]],
        lost: Some([all[11], all[6]]),
        flags: Some(all[18]),
        fs_base: all[21],
    };
    Some((lwp, registers))
}

/// `NT_FILE`: the mapped files and their addresses.
pub(super) fn named_files(text: &[u8]) -> Option<Vec<Mapping>> {
    let word = |at: usize| text.get(at * 8..at * 8 + 8).map(number);
    let (count, page) = (word(0)?.min(MOST_FILES) as usize, word(1)?);
    let mut names = text.get((2 + count * 3) * 8..)?.split(|byte| *byte == 0);
    let mut files = Vec::new();
    for at in 0..count {
        let (start, end) = (word(2 + at * 3)?, word(3 + at * 3)?);
        let offset = word(4 + at * 3)?.saturating_mul(page);
        let path = String::from_utf8_lossy(names.next()?).into_owned();
        if start < end {
            files.push(Mapping { start, end, offset, path, ..Mapping::default() });
        }
    }
    Some(files)
}

/// Segments with the files that they came from.
pub(super) fn mappings(
    loads: &[ProgramHeader64<LittleEndian>],
    files: Vec<Mapping>,
) -> Vec<Mapping> {
    let little = LittleEndian;
    let mut all = files;
    all.sort_by_key(|mapping| mapping.start);
    let mut known = vec![false; all.len()];
    let mut unnamed = Vec::new();
    for load in loads {
        let (start, flags) = (load.p_vaddr(little), load.p_flags(little));
        let end = start.saturating_add(load.p_memsz(little));
        let executable = flags.0 & elf::PF_X.0 != 0;
        let writable = flags.0 & elf::PF_W.0 != 0;
        let next = all.partition_point(|mapping| mapping.start <= start);
        match next.checked_sub(1).filter(|at| start < all[*at].end) {
            Some(at) => {
                known[at] = true;
                all[at].executable |= executable;
                all[at].writable |= writable;
            }
            None if start < end => {
                unnamed.push(Mapping { start, end, executable, writable, ..Mapping::default() });
            }
            None => {}
        }
    }
    // gdb's cores leave out memory that can be read from the file, above all code, and with it the
    // code's rights.
    for (mapping, known) in all.iter_mut().zip(known) {
        mapping.executable |= !known;
    }
    all.extend(unnamed);
    all.sort_by_key(|mapping| mapping.start);
    all
}

/// A number of at most eight bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}
