//! One module's file: its symbols, its code, its line information, opened when first needed.
//!
//! Addresses here are the file's own (as in its symbol table), not those of the process.

mod frames;
mod imports;
mod lazy_dwarf;
mod parts;
mod storage;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use gimli::UnwindSection;
use memmap2::Mmap;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};

use super::callers::CallSites;
use super::debug_file::{self, Section};
use super::room::Room;
use super::split::Split;
use super::{datum, flow, qualified};
use lazy_dwarf::LazyDwarf;

/// A function or a datum.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) name: Rc<str>,
    is_code: bool,
}

/// An opened module.
pub(crate) struct Image {
    map: Mmap,
    /// First address of the loaded segment at each file offset: (offset, size, address).
    segments: Vec<(u64, u64, u64)>,
    /// Address ranges of the procedure linkage table: jumps through it leave the module.
    linkage: Vec<(u64, u64)>,
    /// Sorted by address; of several at one address the best name comes last.
    symbols: Vec<Symbol>,
    bounds: OnceCell<Vec<(u64, u64)>>,
    /// The start of the function with each name.
    by_name: OnceCell<HashMap<Rc<str>, u64>>,
    /// Slots of the global offset table, and the functions of other modules that they are for.
    imports: OnceCell<HashMap<u64, Rc<str>>>,
    dwarf: LazyDwarf,
    split: Split,
    units: RefCell<qualified::Units>,
    variables: OnceCell<datum::Variables>,
    /// The start of the function that nameless code is a part of, by the code's start.
    parts: RefCell<HashMap<u64, Option<u64>>>,
    pub(super) call_sites: OnceCell<CallSites>,
    /// The calls of the functions that were asked about so far, by each function's start.
    pub(super) flows: RefCell<HashMap<u64, Rc<flow::Calls>>>,
    pub(crate) modified: Option<std::time::SystemTime>,
}

/// The reason why a module gives no names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ImageError {
    Unreadable,
    /// Another build than the one that was profiled.
    Changed,
}

impl Image {
    /// Opens the file at `path`. `build_id` is that of the file that the process had mapped; empty
    /// if unknown.
    pub(crate) fn open(path: &Path, build_id: &[u8]) -> Result<Image, ImageError> {
        let map = debug_file::map(path).ok_or(ImageError::Unreadable)?;
        Image::of(map, path, build_id)
    }

    /// The same as [`open`](Self::open), for a map of that file, or of an object file inside it.
    pub(super) fn of(map: Mmap, path: &Path, build_id: &[u8]) -> Result<Image, ImageError> {
        let modified = path.metadata().and_then(|metadata| metadata.modified()).ok();
        let (segments, linkage, symbols, dwarf) = {
            let elf = object::File::parse(&*map).map_err(|_| ImageError::Unreadable)?;
            let own_id = elf.build_id().ok().flatten().unwrap_or_default();
            if !build_id.is_empty() && !own_id.is_empty() && build_id != own_id {
                return Err(ImageError::Changed);
            }
            let segments = elf
                .segments()
                .map(|segment| {
                    let (offset, size) = segment.file_range();
                    (offset, size, segment.address())
                })
                .collect();
            let linkage = elf
                .sections()
                .filter(|section| section.name().is_ok_and(|name| name.starts_with(".plt")))
                .map(|section| {
                    (section.address(), section.address().saturating_add(section.size()))
                })
                .collect();
            let separate = match elf.section_by_name(".debug_info") {
                Some(_) => None,
                None => debug_file::find(path, &elf),
            };
            let debug = separate.as_ref().and_then(|map| object::File::parse(&**map).ok());
            let room = Room::of(map.len() + separate.as_ref().map_or(0, |map| map.len()));
            let mut symbols = symbols_of(&elf, &room);
            if let Some(debug) = &debug {
                symbols.extend(symbols_of(debug, &room));
            }
            symbols.sort_by(|a, b| {
                let key = |s: &Symbol| (s.address, s.size > 0, std::cmp::Reverse(s.name.len()));
                key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
            });
            symbols.dedup_by(|a, b| a.address == b.address && a.name == b.name);
            (segments, linkage, symbols, LazyDwarf::new(separate, room))
        };
        let (bounds, imports, by_name) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let variables = OnceCell::new();
        let call_sites = OnceCell::new();
        let (units, flows, parts) = (RefCell::default(), RefCell::default(), RefCell::default());
        Ok(Image {
            map,
            segments,
            linkage,
            symbols,
            bounds,
            by_name,
            imports,
            dwarf,
            split: Split::of(path),
            units,
            variables,
            parts,
            call_sites,
            flows,
            modified,
        })
    }

    /// The file's own address of the byte at `offset`.
    pub(crate) fn address_of_offset(&self, offset: u64) -> Option<u64> {
        const PAGE: u64 = 4096;
        self.segments.iter().find_map(|&(start, size, address)| {
            let aligned = start & !(PAGE - 1);
            (aligned <= offset && offset < start.saturating_add(size.max(1)))
                .then(|| address.wrapping_sub(start).wrapping_add(offset))
        })
    }

    /// The function symbol that covers `address`: by its size, or, if sizes are missing, by the
    /// function bounds of the unwind table.
    pub(crate) fn function_symbol(&self, address: u64) -> Option<&Symbol> {
        let bounds = self.function_bounds(address);
        let end = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols[..end].iter().rev().take(64).find(|symbol| symbol.is_code)?;
        let covered = address - symbol.address < symbol.size
            || bounds.is_some_and(|(start, _)| start == symbol.address)
            || (symbol.size == 0 && bounds.is_none());
        covered.then_some(symbol)
    }

    /// The datum that covers `address`.
    pub(crate) fn data_symbol(&self, address: u64) -> Option<&Symbol> {
        let end = self.symbols.partition_point(|symbol| symbol.address <= address);
        self.symbols[..end]
            .iter()
            .rev()
            .take(64)
            .find(|s| !s.is_code && (address - s.address < s.size || address == s.address))
    }

    /// The member of a datum at this offset, from the datum's type.
    pub(crate) fn part(&self, of: &Symbol, offset: u64) -> Option<datum::Part> {
        // Most locks are variables of their own, as large as a pointer: they have no parts.
        let is_plain = offset == 0 && of.size <= 8 && !of.name.contains('.');
        if is_plain || of.name.starts_with(super::CRITICAL_PREFIX) {
            return None;
        }
        let (dwarf, variables) = self.variables()?;
        variables.part(dwarf, of.address, offset)
    }

    /// The variables of a class of the C++ library whose values are in the file.
    pub(super) fn ready_made(&self, class: &str) -> Vec<(String, u32)> {
        let has_value = |at: u64| self.bytes_from(at, 8).iter().any(|byte| *byte != 0);
        let variables = self.variables();
        variables.map_or_else(Vec::new, |(dwarf, all)| all.ready_made(dwarf, class, &has_value))
    }

    /// The descriptions of variables, and the debug information with them.
    pub(super) fn variables(&self) -> Option<(&gimli::Dwarf<Section>, &datum::Variables)> {
        let dwarf = self.dwarf()?;
        let unit = |start: u64| self.split.complete(dwarf.find_dwarf_and_unit(start));
        let dwarf = self.functions().iter().find_map(|(start, _)| unit(*start))?.dwarf;
        Some((dwarf, self.variables.get_or_init(|| datum::Variables::of_file(dwarf))))
    }

    /// The unit of the debug information that describes an address.
    pub(crate) fn unit(&self, address: u64) -> Option<gimli::UnitRef<'_, Section>> {
        self.split.complete(self.dwarf()?.find_dwarf_and_unit(address))
    }

    /// Start and end of each function, by the unwind table, in ascending order.
    pub(crate) fn functions(&self) -> &[(u64, u64)] {
        self.bounds.get_or_init(|| self.read_unwind_table().unwrap_or_default())
    }

    /// Start and end of the function that contains `address`, also in a stripped module, since its
    /// unwind table stays. flang's functions are in no such table: there the symbol's size decides.
    pub(crate) fn function_bounds(&self, address: u64) -> Option<(u64, u64)> {
        self.bounds_by_table(address).or_else(|| {
            let end = self.symbols.partition_point(|symbol| symbol.address <= address);
            let near = self.symbols[..end].iter().rev().take(64);
            let symbol = near.filter(|symbol| symbol.is_code).find(|symbol| symbol.size > 0)?;
            let bounds = (symbol.address, symbol.address.saturating_add(symbol.size));
            (address < bounds.1).then_some(bounds)
        })
    }

    fn bounds_by_table(&self, address: u64) -> Option<(u64, u64)> {
        let functions = self.functions();
        let next = functions.partition_point(|&(start, _)| start <= address);
        let bounds = *functions.get(next.checked_sub(1)?)?;
        (address < bounds.1).then_some(bounds)
    }

    /// Whether a function starts at `address`.
    pub(crate) fn starts_function(&self, address: u64) -> bool {
        self.function_symbol(address).is_some_and(|symbol| symbol.address == address)
            || self.function_bounds(address).is_some_and(|(start, _)| start == address)
    }

    /// The start of the function with this name.
    pub(crate) fn function_named(&self, name: &str) -> Option<u64> {
        let by_name = self.by_name.get_or_init(|| {
            let code = self.symbols.iter().filter(|symbol| symbol.is_code);
            code.map(|symbol| (symbol.name.clone(), symbol.address)).collect()
        });
        by_name.get(name).copied()
    }

    fn read_unwind_table(&self) -> Option<Vec<(u64, u64)>> {
        let elf = object::File::parse(&*self.map).ok()?;
        let section = elf.section_by_name(".eh_frame")?;
        let data = Room::of(self.map.len()).data(&section)?;
        let mut bases = gimli::BaseAddresses::default().set_eh_frame(section.address());
        if let Some(text) = elf.section_by_name(".text") {
            bases = bases.set_text(text.address());
        }
        let frames = gimli::EhFrame::new(&data, gimli::LittleEndian);
        let mut entries = frames.entries(&bases);
        let mut functions = Vec::new();
        while let Ok(Some(entry)) = entries.next() {
            if let gimli::CieOrFde::Fde(partial) = entry
                && let Ok(fde) = partial.parse(gimli::EhFrame::cie_from_offset)
            {
                let start = fde.initial_address();
                functions.push((start, start.saturating_add(fde.len())));
            }
        }
        functions.sort_unstable();
        Some(functions)
    }

    /// Up to `length` bytes of code that end at `address`.
    pub(crate) fn code_before(&self, address: u64, length: u64) -> &[u8] {
        for &(offset, size, start) in &self.segments {
            if start <= address && address - start <= size {
                let end = offset.saturating_add(address - start);
                let begin = end.saturating_sub(length).max(offset);
                return self.map.get(begin as usize..end as usize).unwrap_or(&[]);
            }
        }
        &[]
    }

    /// Up to `length` bytes from `address` on, in the file.
    pub(super) fn bytes_from(&self, address: u64, length: usize) -> &[u8] {
        let inside =
            |part: &&(u64, u64, u64)| (part.2..part.2.saturating_add(part.1)).contains(&address);
        let Some(&(offset, size, start)) = self.segments.iter().find(inside) else { return &[] };
        let begin = offset.saturating_add(address - start) as usize;
        let end = (offset.saturating_add(size) as usize).min(begin.saturating_add(length));
        self.map.get(begin..end).unwrap_or(&[])
    }

    /// The pointer at `address`, within the file.
    pub(super) fn pointer_at(&self, address: u64) -> Option<u64> {
        let elf = object::File::parse(&*self.map).ok()?;
        let mut moved = elf.dynamic_relocations().into_iter().flatten();
        if let Some((_, by)) = moved.find(|(at, _)| *at == address) {
            let is_own = by.target() == object::RelocationTarget::Absolute;
            return is_own.then_some(by.addend() as u64);
        }
        Some(u64::from_le_bytes(self.bytes_from(address, 8).try_into().ok()?))
    }

    /// The lines of one file in the line information for the code from `start` to `end`, in
    /// ascending order.
    pub(crate) fn lines_in_file(&self, start: u64, end: u64, file: &str) -> Vec<u32> {
        let Some(dwarf) = self.dwarf() else { return Vec::new() };
        let Ok(locations) = dwarf.find_location_range(start, end) else { return Vec::new() };
        let own = locations.filter(|(address, _, location)| {
            // Lines of inlined code belong to other functions.
            location.file == Some(file) && self.frames(*address).len() <= 1
        });
        let mut lines: Vec<u32> = own.filter_map(|(_, _, location)| location.line).collect();
        lines.retain(|line| *line > 0);
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Whether a jump to `address` goes to another module.
    pub(crate) fn is_linkage(&self, address: u64) -> bool {
        self.linkage.iter().any(|&(start, end)| (start..end).contains(&address))
    }

    /// The name of the function at `entry` with its C++ scopes.
    pub(crate) fn qualified_name(&self, address: u64, entry: gimli::UnitOffset) -> Option<Rc<str>> {
        self.units.borrow_mut().name(self.unit(address)?, entry)
    }

    /// The whole file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether the module has line information.
    pub(crate) fn has_lines(&self) -> bool {
        self.dwarf.is_there(&self.map)
    }

    /// Its line information, read at the first call.
    pub(crate) fn dwarf(&self) -> Option<&addr2line::Context<Section>> {
        self.dwarf.of(&self.map)
    }
}

/// Bytes of a name, at most.
const LONGEST_NAME: usize = 1 << 16;

fn symbols_of(elf: &object::File<'_>, room: &Room) -> Vec<Symbol> {
    elf.symbols()
        .chain(elf.dynamic_symbols())
        .filter(|symbol| symbol.is_definition() && symbol.address() != 0)
        .filter_map(|symbol| {
            let is_code = match symbol.kind() {
                SymbolKind::Text => true,
                SymbolKind::Data | SymbolKind::Unknown => false,
                _ => return None,
            };
            let name = symbol.name().ok().filter(|name| !name.is_empty())?;
            Some((symbol, name, is_code))
        })
        // Names are read until there is no more room: even the search for their ends takes time.
        .map_while(|(symbol, name, is_code)| {
            room.take(name.len() as u64)?;
            let name = name.split('@').next().unwrap_or(name);
            let (address, size) = (symbol.address(), symbol.size());
            Some(Symbol { address, size, name: Rc::from(name), is_code })
        })
        .filter(|symbol| symbol.name.len() <= LONGEST_NAME)
        .collect()
}
