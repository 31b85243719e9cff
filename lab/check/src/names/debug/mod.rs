//! Finds variables in the debug information (DWARF): those of a function, and those of all
//! functions.

mod shapes;

use std::collections::HashMap;
use std::fs::File;

use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, Expression, LittleEndian,
    Operation, Unit, UnitOffset,
};
use memmap2::Mmap;
use object::{Object, ObjectSegment};
use omphalos_program::Room;
pub use shapes::Shape;

pub type Slice = EndianSlice<'static, LittleEndian>;

/// The debug information of one file. It stays in memory until the program ends.
pub struct Debug {
    dwarf: Dwarf<Slice>,
    units: Vec<Unit<Slice>>,
    /// The file's lowest own address.
    pub lowest: u64,
}

/// A variable with a name.
#[derive(Clone)]
pub struct Variable {
    pub name: String,
    /// The address in the file, if the variable has one place throughout.
    pub address: Option<u64>,
    pub location: Expression<Slice>,
    pub frame_base: Option<Expression<Slice>>,
    pub encoding: gimli::Encoding,
    pub shape: Shape,
}

impl Debug {
    pub fn open(path: &str) -> Option<Debug> {
        let file = File::open(path).ok()?;
        // SAFETY: private and read-only. If another process shortens the file meanwhile, a signal
        // ends this program, which only reads.
        let bytes: &'static [u8] = Box::leak(Box::new(unsafe { Mmap::map(&file) }.ok()?));
        let elf: &'static object::File<'static> =
            Box::leak(Box::new(object::File::parse(bytes).ok()?));
        let room = Room::of(bytes.len());
        let section = |id: gimli::SectionId| -> Result<Slice, gimli::Error> {
            let data = elf.section_by_name(id.name()).and_then(|section| room.data(&section));
            let data: &'static [u8] = data.map_or(&[], |data| match data {
                std::borrow::Cow::Borrowed(data) => data,
                std::borrow::Cow::Owned(data) => Box::leak(data.into_boxed_slice()),
            });
            Ok(EndianSlice::new(data, LittleEndian))
        };
        let dwarf = Dwarf::load(section).ok()?;
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            units.extend(dwarf.unit(header).ok());
        }
        let lowest = elf.segments().map(|segment| segment.address()).min().unwrap_or(0) & !0xfff;
        (!units.is_empty()).then_some(Debug { dwarf, units, lowest })
    }

    /// Returns the variables of the function around an address of the file, and those of all
    /// functions.
    pub fn variables(&self, pc: u64) -> (Vec<Variable>, Vec<Variable>) {
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for unit in &self.units {
            self.of_unit(unit, pc, &mut own, &mut all);
        }
        (own, all)
    }

    fn of_unit(
        &self,
        unit: &Unit<Slice>,
        pc: u64,
        own: &mut Vec<Variable>,
        all: &mut Vec<Variable>,
    ) {
        let is_here = self.dwarf.unit_ranges(unit).is_ok_and(|mut ranges| {
            let mut found = false;
            while let Ok(Some(range)) = ranges.next() {
                found |= (range.begin..range.end).contains(&pc);
            }
            found
        });
        let mut entries = unit.entries();
        // The enclosing functions: the depth of each, and its frame base; `None` for other
        // functions.
        let mut around: Vec<(isize, Option<Option<Expression<Slice>>>)> = Vec::new();
        // The index of the innermost function among them: one that is contained in another has its
        // code elsewhere (Fortran).
        let mut innermost: Vec<usize> = Vec::new();
        while let Ok(Some(entry)) = entries.next_dfs() {
            let depth = entry.depth();
            while around.last().is_some_and(|(at, _)| *at >= depth) {
                around.pop();
            }
            while innermost.last().is_some_and(|at| *at >= around.len()) {
                innermost.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let inside = is_here && self.covers(unit, entry, pc);
                    let base = inside.then(|| expression(entry, gimli::DW_AT_frame_base));
                    innermost.push(around.len());
                    around.push((depth, base));
                }
                gimli::DW_TAG_inlined_subroutine if !self.covers(unit, entry, pc) => {
                    around.push((depth, None));
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    let is_global = around.is_empty();
                    let frame_base = match around.last() {
                        None => None,
                        Some((_, Some(base))) => *base,
                        // Static variables of other functions.
                        Some((_, None)) => None,
                    };
                    let from = innermost.last().copied().unwrap_or(0);
                    let in_scope = around[from..].iter().all(|(_, base)| base.is_some());
                    let Some(location) = self.location(unit, entry, pc) else { continue };
                    let address = self.address(unit, location);
                    let is_static = address.is_some();
                    if !in_scope && !is_static {
                        continue;
                    }
                    let Some(name) = self.name(unit, entry, 0) else { continue };
                    let shape = self.shape_of(unit, entry, 0);
                    let encoding = unit.encoding();
                    let variable =
                        Variable { name, address, location, frame_base, encoding, shape };
                    if is_global || is_static { all.push(variable) } else { own.push(variable) }
                }
                _ => {}
            }
        }
    }

    fn covers(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        pc: u64,
    ) -> bool {
        let Ok(mut ranges) = self.dwarf.die_ranges(unit, entry) else { return false };
        while let Ok(Some(range)) = ranges.next() {
            if (range.begin..range.end).contains(&pc) {
                return true;
            }
        }
        false
    }

    /// Returns the location of a variable at an address of the code.
    fn location(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        pc: u64,
    ) -> Option<Expression<Slice>> {
        let value = entry.attr_value(gimli::DW_AT_location)?;
        if let AttributeValue::Exprloc(expression) = value {
            return Some(expression);
        }
        let mut list = self.dwarf.attr_locations(unit, value).ok()??;
        while let Ok(Some(item)) = list.next() {
            if (item.range.begin..item.range.end).contains(&pc) {
                return Some(item.data);
            }
        }
        None
    }

    /// Returns the address of a location that is only an address.
    fn address(&self, unit: &Unit<Slice>, location: Expression<Slice>) -> Option<u64> {
        let mut operations = location.operations(unit.encoding());
        let first = operations.next().ok()??;
        let only = operations.next().ok()?.is_none();
        match first {
            Operation::Address { address } if only => Some(address),
            Operation::AddressIndex { index } if only => self.dwarf.address(unit, index).ok(),
            _ => None,
        }
    }

    fn name(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        depth: u32,
    ) -> Option<String> {
        if let Some(name) = entry.attr_value(gimli::DW_AT_name) {
            let text = self.dwarf.attr_string(unit, name).ok()?;
            return Some(String::from_utf8_lossy(text.slice()).into_owned());
        }
        if depth > 3 {
            return None;
        }
        for origin in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
            if let Some(other) = self.other(unit, entry, origin) {
                let (unit, entry) = (other.0, other.0.entry(other.1).ok()?);
                return self.name(unit, &entry, depth + 1);
            }
        }
        None
    }

    /// Returns the entry that an attribute refers to, with its unit.
    fn other<'a>(
        &'a self,
        unit: &'a Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        which: gimli::DwAt,
    ) -> Option<(&'a Unit<Slice>, UnitOffset)> {
        match entry.attr_value(which)? {
            AttributeValue::UnitRef(at) => Some((unit, at)),
            AttributeValue::DebugInfoRef(at) => {
                self.units.iter().find_map(|unit| Some((unit, at.to_unit_offset(&unit.header)?)))
            }
            _ => None,
        }
    }
}

fn expression(
    entry: &DebuggingInformationEntry<Slice>,
    which: gimli::DwAt,
) -> Option<Expression<Slice>> {
    entry.attr_value(which)?.exprloc_value()
}

fn number(entry: &DebuggingInformationEntry<Slice>, which: gimli::DwAt) -> Option<u64> {
    let value = entry.attr_value(which)?;
    value.udata_value().or_else(|| value.sdata_value().map(|value| value as u64))
}

/// The debug information of files, by path.
#[derive(Default)]
pub struct Files(HashMap<String, Option<Debug>>);

impl Files {
    pub fn get(&mut self, path: &str) -> Option<&Debug> {
        self.0.entry(path.to_owned()).or_insert_with(|| Debug::open(path)).as_ref()
    }
}
