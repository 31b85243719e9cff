//! Writes a process that stands still to a core file, which [`super::core`] and debuggers read.
//!
//! Memory that mapped files have is left out, as the kernel does; pages of zeros are holes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use omphalos_ompd_view::{Fault, Registers, Target};

use super::live::Live;
use super::{Mapping, Space};

const PAGE: u64 = 4096;
/// Bytes that are copied at once.
const PIECE: u64 = 1 << 20;
const HEADER: u64 = 64;
const SEGMENT: u64 = 56;
const NT_PRSTATUS: u32 = 1;
const NT_PRPSINFO: u32 = 3;
const NT_FILE: u32 = 0x4649_4c45;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;

/// Writes the core file at `path`. While [`Live::look`] has the threads stopped, it is from one
/// moment.
pub fn save(live: &Live, path: &Path) -> Result<(), Fault> {
    let failed =
        |error: io::Error| Fault::Unknown(format!("way to write {}: {error}", path.display()));
    let mut file = File::create(path).map_err(failed)?;
    write(live, &mut file).map_err(failed)
}

fn write(live: &Live, file: &mut File) -> io::Result<()> {
    let mappings: Vec<&Mapping> =
        live.mappings().iter().filter(|m| m.path != "[vsyscall]").collect();
    let notes = notes(live, &mappings);
    let changed = changed(live.pid().unwrap_or(0));
    let count = mappings.len() as u64 + 1;
    let notes_at = HEADER + SEGMENT * count;
    let mut at = (notes_at + notes.len() as u64).next_multiple_of(PAGE);
    let mut headers = header(count as u16);
    headers.extend(segment(PT_NOTE, 0, notes_at, 0, notes.len() as u64, 0));
    let mut copies = Vec::new();
    for mapping in mappings {
        let size = mapping.end - mapping.start;
        let held = if is_held(mapping, &changed) { size } else { 0 };
        let flags = 4 | u32::from(mapping.writable) << 1 | u32::from(mapping.executable);
        headers.extend(segment(PT_LOAD, flags, at, mapping.start, held, size));
        if held > 0 {
            copies.push((mapping.start, mapping.end, at));
        }
        at += held;
    }
    file.write_all(&headers)?;
    file.write_all(&notes)?;
    for (start, end, place) in copies {
        copy(live, start, end, place, file)?;
    }
    file.set_len(at)
}

/// Whether no file can give the memory back; this includes memory that the loader wrote before it
/// made it read-only.
fn is_held(mapping: &Mapping, changed: &HashSet<u64>) -> bool {
    let is_written = mapping.writable || changed.contains(&mapping.start);
    is_written && mapping.path != "[vvar]" || mapping.path == "[vdso]"
}

/// The start addresses of the mappings in which the process has pages of its own.
fn changed(pid: u32) -> HashSet<u64> {
    let text = std::fs::read(format!("/proc/{pid}/smaps")).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (mut found, mut start) = (HashSet::new(), 0);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or("");
        if let Some((from, _)) = first.split_once('-') {
            start = u64::from_str_radix(from, 16).unwrap_or(0);
        } else if first == "Anonymous:" && words.next() != Some("0") {
            found.insert(start);
        }
    }
    found
}

fn copy(live: &Live, start: u64, end: u64, place: u64, file: &mut File) -> io::Result<()> {
    let mut bytes = vec![0; PIECE as usize];
    for piece in (start..end).step_by(PIECE as usize) {
        let piece_end = end.min(piece + PIECE);
        let bytes = &mut bytes[..(piece_end - piece) as usize];
        // Memory that cannot be read becomes zeros.
        if live.read(piece, bytes).is_err() {
            for (page, bytes) in
                (piece..).step_by(PAGE as usize).zip(bytes.chunks_mut(PAGE as usize))
            {
                if live.read(page, bytes).is_err() {
                    bytes.fill(0);
                }
            }
        }
        for (page, bytes) in (piece..).step_by(PAGE as usize).zip(bytes.chunks(PAGE as usize)) {
            if bytes.iter().any(|byte| *byte != 0) {
                file.seek(SeekFrom::Start(place + page - start))?;
                file.write_all(bytes)?;
            }
        }
    }
    Ok(())
}

fn header(segments: u16) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    // A core file, of x86-64, of version 1.
    bytes.extend([4u16, 62].iter().flat_map(|half| half.to_le_bytes()));
    bytes.extend(1u32.to_le_bytes());
    bytes.extend([0, HEADER, 0].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(0u32.to_le_bytes());
    let sizes = [HEADER as u16, SEGMENT as u16, segments, 0, 0, 0];
    bytes.extend(sizes.iter().flat_map(|half| half.to_le_bytes()));
    bytes
}

fn segment(kind: u32, flags: u32, offset: u64, address: u64, held: u64, size: u64) -> Vec<u8> {
    let mut bytes = [kind, flags].iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>();
    let align = if kind == PT_LOAD { PAGE } else { 4 };
    let words = [offset, address, 0, held, size, align];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

fn note(kind: u32, text: &[u8]) -> Vec<u8> {
    let sizes = [5, text.len() as u32, kind];
    let mut bytes: Vec<u8> = sizes.iter().flat_map(|half| half.to_le_bytes()).collect();
    bytes.extend(b"CORE\0\0\0\0");
    bytes.extend(text);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn notes(live: &Live, mappings: &[&Mapping]) -> Vec<u8> {
    let mut process = vec![0; 136];
    process[24..28].copy_from_slice(&live.pid().unwrap_or(0).to_le_bytes());
    let command = live.command().join(" ");
    let words = command.bytes().take(79);
    process[56..].iter_mut().zip(words).for_each(|(to, from)| *to = from);
    let mut all = note(NT_PRPSINFO, &process);
    for lwp in live.threads().unwrap_or_default() {
        if let Ok(registers) = live.registers(lwp) {
            all.extend(note(NT_PRSTATUS, &status(lwp, &registers)));
        }
    }
    let files: Vec<&&Mapping> = mappings.iter().filter(|m| m.path.starts_with('/')).collect();
    let mut list: Vec<u64> = vec![files.len() as u64, PAGE];
    list.extend(files.iter().flat_map(|m| [m.start, m.end, m.offset / PAGE]));
    let mut text: Vec<u8> = list.iter().flat_map(|word| word.to_le_bytes()).collect();
    for mapping in files {
        text.extend(mapping.path.bytes());
        text.push(0);
    }
    all.extend(note(NT_FILE, &text));
    all
}

/// `elf_prstatus`, with the registers that [`Registers`] has.
fn status(lwp: u32, registers: &Registers) -> Vec<u8> {
    let mut all = [0u64; 27];
    all[16] = registers.rip;
    all[19] = registers.rsp;
    for (at, value) in [5, 4, 3, 2, 1, 0].into_iter().zip(registers.saved) {
        all[at] = value;
    }
    for (at, value) in [10, 15, 14, 13, 12, 7, 9, 8].into_iter().zip(registers.call) {
        all[at] = value;
    }
    all[21] = registers.fs_base;
    let mut text = vec![0; 112];
    text[32..36].copy_from_slice(&lwp.to_le_bytes());
    text.extend(all.iter().flat_map(|word| word.to_le_bytes()));
    text.resize(336, 0);
    text
}
