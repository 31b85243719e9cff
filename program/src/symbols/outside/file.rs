//! Answers a debugger's questions about one file of a program: its mapped parts, its exports, and
//! the calls of an OpenMP runtime in its code. Addresses are the file's own.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use object::elf::{PF_X, PT_LOAD};
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol, SymbolKind};

use crate::entries;
use crate::symbols::flow::Value;
use crate::symbols::image::Image;
use crate::symbols::{Room, debug_file, outlined};

/// A part of a file that is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The address of its begin.
    pub address: u64,
    /// The offset of its begin in the file.
    pub offset: u64,
    /// The number of its bytes in the file.
    pub length: u64,
    /// Its length in memory.
    pub mapped: u64,
    /// `PF_X` and the like.
    pub flags: u32,
}

/// A call of an OpenMP runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeCall {
    /// The instruction.
    pub address: u64,
    /// The one behind it.
    pub after: u64,
    /// The entry point.
    pub callee: Rc<str>,
    /// Whether it is a jump, in place of a call and a return.
    pub is_jump: bool,
    /// The possible starts of the functions that it passes: one if the code shows which.
    pub bodies: Vec<u64>,
    /// The functions that these call at their begins: clang's bodies have two halves.
    pub inner: Vec<u64>,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFile {
    /// The mapped parts.
    pub segments: Vec<Segment>,
    /// The addresses of each name's versions, the newest first.
    pub exports: BTreeMap<String, Vec<u64>>,
    /// The calls of the runtime, sorted by address.
    pub calls: Vec<RuntimeCall>,
}

/// Bytes in front of a call that are searched for constants; and bytes of a body that are searched
/// for its first calls.
const REACH: u64 = 256;
/// Bytes of code that are searched at once.
const WINDOW: u64 = 1 << 19;
/// The longest instruction that calls or jumps, in bytes.
const LONGEST_CALL: u64 = 6;

impl ProgramFile {
    /// Reads the file at `path`; `None` if it is no ELF file that can be read.
    pub fn read(path: &Path) -> Option<ProgramFile> {
        let map = debug_file::map(path)?;
        let elf = ElfFile64::<LittleEndian>::parse(&*map).ok()?;
        // Segments that overlap are no program's: all together have no more bytes than the file.
        let mut left = map.len() as u64;
        let segments =
            elf.elf_program_headers().iter().filter(|it| it.p_type(LittleEndian) == PT_LOAD);
        let segments = segments.map(|header| {
            let (offset, length) = header.file_range(LittleEndian);
            let length = length.min((map.len() as u64).saturating_sub(offset)).min(left);
            left -= length;
            let (address, mapped) = (header.p_vaddr(LittleEndian), header.p_memsz(LittleEndian));
            Segment { address, offset, length, mapped, flags: header.p_flags(LittleEndian).0 }
        });
        let segments: Vec<Segment> = segments.collect();
        let exports = exports(&elf, map.len()).unwrap_or_default();
        let mut file = ProgramFile { segments, exports, calls: Vec::new() };
        let imports = elf.dynamic_symbols().filter(|symbol| symbol.is_undefined());
        if imports.filter_map(|symbol| symbol.name().ok()).any(is_of_a_runtime) {
            let image = Image::open(path, &[]).ok()?;
            let code = file.segments.iter().filter(|segment| segment.flags & PF_X.0 != 0);
            file.calls = code.flat_map(|segment| image.runtime_calls(segment)).collect();
        }
        Some(file)
    }
}

fn exports(elf: &ElfFile64<'_, LittleEndian>, size: usize) -> Option<BTreeMap<String, Vec<u64>>> {
    let versions = elf.elf_section_table().versions(LittleEndian, elf.data()).ok().flatten();
    let (room, mut found) = (Room::of(size), BTreeMap::<String, Vec<u64>>::new());
    for symbol in elf.dynamic_symbols() {
        let kinds = [SymbolKind::Text, SymbolKind::Data, SymbolKind::Unknown];
        if !symbol.is_definition() || symbol.address() == 0 || !kinds.contains(&symbol.kind()) {
            continue;
        }
        let Ok(name) = symbol.name() else { continue };
        room.take(name.len() as u64 + 8)?;
        let addresses = found.entry(name.to_owned()).or_default();
        let version = versions.as_ref().map(|all| all.version_index(LittleEndian, symbol.index()));
        let is_earlier = version.is_some_and(|version| version.is_hidden());
        addresses.insert(if is_earlier { addresses.len() } else { 0 }, symbol.address());
    }
    Some(found)
}

fn is_of_a_runtime(callee: &str) -> bool {
    entries::is_of_a_runtime(callee) || callee.starts_with("__tgt_")
}

impl Image {
    fn runtime_calls(&self, segment: &Segment) -> Vec<RuntimeCall> {
        let (mut found, end) = (BTreeMap::new(), segment.address.saturating_add(segment.length));
        let mut start = segment.address;
        while start < end {
            let behind = end.min(start + WINDOW);
            for (after, is_jump) in self.ways_out(start, end.min(behind + LONGEST_CALL)) {
                let callee = self.imported(after).filter(|callee| is_of_a_runtime(callee));
                // A linkage stub jumps there too.
                if let Some(callee) = callee.filter(|_| !is_jump || !self.is_linkage(after - 1)) {
                    found.insert(after, self.runtime_call(after, callee, is_jump));
                }
            }
            start = behind;
        }
        found.into_values().collect()
    }

    fn runtime_call(&self, after: u64, callee: Rc<str>, is_jump: bool) -> RuntimeCall {
        let calls = outlined::calls_around(self, after - 1);
        let handed = outlined::argument_with_body(&callee)
            .zip(calls.get(&after))
            .map_or(Value::Unknown, |(number, call)| call.arguments[number]);
        let bodies = match handed {
            Value::Constant(body) | Value::Task(body) => vec![body],
            // Ways with different arguments meet at the call.
            _ => self.constants_before(after),
        };
        let bodies: Vec<u64> =
            bodies.into_iter().filter(|body| self.starts_function(*body)).collect();
        let first = |body: &u64| {
            let reach = body.saturating_add(REACH);
            let end = self.function_bounds(*body).map_or(reach, |(_, end)| end.min(reach));
            self.ways_out(*body, end)
        };
        let inner = bodies.iter().flat_map(first).filter(|(_, is_jump)| !is_jump);
        let inner = inner.filter_map(|(after, _)| self.own_callee(after)).collect();
        // A call through a slot is longer by a byte.
        let is_through_slot = matches!(self.code_before(after, 6), [0xff, 0x15 | 0x25, ..]);
        let address = after - if is_through_slot { 6 } else { 5 };
        RuntimeCall { address, after, callee, is_jump, bodies, inner }
    }

    /// Addresses that the code in front of `address` loads as constants, the nearest first.
    fn constants_before(&self, address: u64) -> Vec<u64> {
        let code = self.code_before(address, REACH);
        let first = address - code.len() as u64;
        let constant = |at: usize| match code[at..] {
            // lea disp(%rip),%reg
            [0x48 | 0x4c, 0x8d, register, a, b, c, d, ..] if register & 0xc7 == 5 => {
                let distance = i64::from(i32::from_le_bytes([a, b, c, d]));
                Some((first + at as u64 + 7).wrapping_add_signed(distance))
            }
            // mov $imm32,%reg32
            [0xb8..=0xbf, a, b, c, d, ..] => Some(u32::from_le_bytes([a, b, c, d]).into()),
            _ => None,
        };
        (0..code.len()).rev().filter_map(constant).collect()
    }
}
