//! Reads program files in the target's memory: their segments and their exports.
//!
//! It reads memory, not the file, so it works when the file was replaced or deleted, or is in
//! another container. Every length is bounded.

use omphalos_ompd_view::{Fault, Target};

use crate::space::{half, word};

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
/// No program file has more segments, entries or symbols than this.
const MOST_SEGMENTS: u64 = 256;
const MOST_ENTRIES: u64 = 512;
const MOST_SYMBOLS: u64 = 1 << 22;
/// The longest chain of a bucket of the symbols' table that is followed.
const LONGEST_CHAIN: u64 = 1 << 12;

/// A program file in the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elf {
    /// The number to add to an address of the file to get an address of the process.
    pub bias: u64,
    /// Loaded segments: address in the process, size.
    pub loads: Vec<(u64, u64)>,
    /// The table of unwinding information, in the process.
    pub eh_frame_header: Option<(u64, u64)>,
    dynamic: Option<u64>,
}

impl Elf {
    /// Reads the headers of the file that is mapped at `base`.
    pub fn read(target: &dyn Target, base: u64) -> Result<Elf, Fault> {
        let mut head = [0; 64];
        target.read(base, &mut head)?;
        if head[..5] != [0x7f, b'E', b'L', b'F', 2] {
            return Err(Fault::Nonsense(format!("no ELF file at {base:#x}")));
        }
        let at = |offset: usize| {
            head[offset..].iter().take(8).rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte))
        };
        let (table, size, count) = (at(32), at(54) & 0xffff, at(56) & 0xffff);
        if size != 56 || count > MOST_SEGMENTS {
            return Err(Fault::Nonsense(format!("segments of the file at {base:#x}")));
        }
        let mut headers = vec![0; (size * count) as usize];
        target.read(base.wrapping_add(table), &mut headers)?;
        let mut elf = Elf { bias: 0, loads: Vec::new(), eh_frame_header: None, dynamic: None };
        let mut first = true;
        for header in headers.chunks_exact(56) {
            let at = |offset: usize| {
                let bytes = header[offset..offset + 8].try_into().unwrap_or_default();
                u64::from_le_bytes(bytes)
            };
            let (kind, offset, address, size) = (at(0) as u32, at(8), at(16), at(40));
            match kind {
                PT_LOAD => {
                    if first {
                        elf.bias = base.wrapping_sub(address.wrapping_sub(offset));
                        first = false;
                    }
                    elf.loads.push((address, size));
                }
                PT_DYNAMIC => elf.dynamic = Some(address),
                PT_GNU_EH_FRAME => elf.eh_frame_header = Some((address, size)),
                _ => {}
            }
        }
        let bias = elf.bias;
        for load in &mut elf.loads {
            load.0 = load.0.wrapping_add(bias);
        }
        elf.dynamic = elf.dynamic.map(|at| at.wrapping_add(bias));
        elf.eh_frame_header = elf.eh_frame_header.map(|(at, size)| (at.wrapping_add(bias), size));
        Ok(elf)
    }

    /// The end of the loaded segment that `address` is in.
    pub fn segment_end(&self, address: u64) -> Option<u64> {
        let load = self.loads.iter().find(|(at, size)| address.wrapping_sub(*at) < *size)?;
        Some(load.0.wrapping_add(load.1))
    }

    /// The address of an exported symbol that the file defines.
    pub fn exported(&self, target: &dyn Target, name: &str) -> Result<Option<u64>, Fault> {
        let Some(dynamic) = self.dynamic else { return Ok(None) };
        let (mut table, mut strings, mut hash) = (0, 0, 0);
        for entry in 0..MOST_ENTRIES {
            let tag = word(target, dynamic.wrapping_add(entry * 16))?;
            let value = word(target, dynamic.wrapping_add(entry * 16 + 8))?;
            match tag {
                0 => break,
                5 => strings = self.absolute(value),
                6 => table = self.absolute(value),
                0x6fff_fef5 => hash = self.absolute(value),
                _ => {}
            }
        }
        if table == 0 || strings == 0 || hash == 0 {
            return Ok(None);
        }
        let Some(index) = look_up(target, hash, table, strings, name)? else { return Ok(None) };
        let value = word(target, table.wrapping_add(index * 24 + 8))?;
        Ok(Some(value.wrapping_add(self.bias)))
    }

    /// Some files' tables already have addresses of the process, put there by the loader; others do
    /// not.
    fn absolute(&self, value: u64) -> u64 {
        match self.segment_end(value) {
            Some(_) => value,
            None => value.wrapping_add(self.bias),
        }
    }
}

/// Finds the symbol `name` by the GNU hash table at `hash`.
fn look_up(
    target: &dyn Target,
    hash: u64,
    table: u64,
    strings: u64,
    name: &str,
) -> Result<Option<u64>, Fault> {
    let buckets = u64::from(half(target, hash)?);
    let first = u64::from(half(target, hash.wrapping_add(4))?);
    let filters = u64::from(half(target, hash.wrapping_add(8))?);
    if buckets == 0 || buckets > MOST_SYMBOLS || filters > MOST_SYMBOLS {
        return Err(Fault::Nonsense(format!("the symbols' table at {hash:#x}")));
    }
    let wanted =
        name.bytes().fold(5381u32, |sum, byte| sum.wrapping_mul(33).wrapping_add(byte.into()));
    let bucket_list = hash.wrapping_add(16 + filters * 8);
    let chains = bucket_list.wrapping_add(buckets * 4);
    let bucket = u64::from(wanted) % buckets;
    let start = u64::from(half(target, bucket_list.wrapping_add(bucket * 4))?);
    if start < first {
        return Ok(None);
    }
    for index in start..start + LONGEST_CHAIN {
        let chain = half(target, chains.wrapping_add((index - first) * 4))?;
        if chain | 1 == wanted | 1 {
            let symbol = table.wrapping_add(index * 24);
            let at = strings.wrapping_add(u64::from(half(target, symbol)?));
            let section = half(target, symbol.wrapping_add(4))? >> 16;
            let mut bytes = vec![0; name.len() + 1];
            let same = target.read(at, &mut bytes).is_ok()
                && bytes
                    .split_last()
                    .is_some_and(|(end, text)| *end == 0 && text == name.as_bytes());
            if same && section != 0 {
                return Ok(Some(index));
            }
        }
        if chain & 1 == 1 {
            return Ok(None);
        }
    }
    Err(Fault::Nonsense(format!("the symbols' table at {hash:#x}")))
}
