//! Variables by the debug information (DWARF): those of a function, and those of all.

use std::collections::HashMap;
use std::fs::File;

use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, Expression, LittleEndian,
    Operation, Unit, UnitOffset,
};
use memmap2::Mmap;
use object::{Object, ObjectSection, ObjectSegment};

pub type Slice = EndianSlice<'static, LittleEndian>;

/// The debug information of one file. It stays to the program's end.
pub struct Debug {
    dwarf: Dwarf<Slice>,
    units: Vec<Unit<Slice>>,
    /// The lowest address of the file's own.
    pub lowest: u64,
}

/// A variable with a name.
#[derive(Clone)]
pub struct Variable {
    pub name: String,
    /// Where it is in the file, if it is in one place throughout.
    pub address: Option<u64>,
    pub location: Expression<Slice>,
    pub frame_base: Option<Expression<Slice>>,
    pub encoding: gimli::Encoding,
    pub shape: Shape,
}

/// What a type is, as far as it matters here.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Bytes; 0 = unknown.
    Plain(u64),
    /// To what, and whether the program writes it as a pointer.
    Pointer(Box<Shape>, bool),
    Array {
        element: Box<Shape>,
        bytes: u64,
        /// The variable is a descriptor, whose first word is the array's address (Fortran).
        described: bool,
    },
    Structure {
        bytes: u64,
        members: Vec<(String, u64, Shape)>,
    },
}

impl Shape {
    pub fn bytes(&self) -> u64 {
        match self {
            Shape::Plain(bytes) | Shape::Array { bytes, .. } | Shape::Structure { bytes, .. } => {
                *bytes
            }
            Shape::Pointer(..) => 8,
        }
    }
}

/// How far types are followed.
const DEEPEST: u32 = 7;
/// Members that are looked at.
const MOST_MEMBERS: usize = 256;

impl Debug {
    pub fn open(path: &str) -> Option<Debug> {
        let file = File::open(path).ok()?;
        // SAFETY: private and read-only; who makes the file shorter meanwhile ends this program,
        // which only reads.
        let bytes: &'static [u8] = Box::leak(Box::new(unsafe { Mmap::map(&file) }.ok()?));
        let elf: &'static object::File<'static> =
            Box::leak(Box::new(object::File::parse(bytes).ok()?));
        let section = |id: gimli::SectionId| -> Result<Slice, gimli::Error> {
            let data = elf.section_by_name(id.name()).and_then(|it| it.uncompressed_data().ok());
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

    /// The variables of the function around an address of the file's, and those of all functions.
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
        // The functions around: how deep each is, and its frame base; `None` for other functions.
        let mut around: Vec<(isize, Option<Option<Expression<Slice>>>)> = Vec::new();
        while let Ok(Some(entry)) = entries.next_dfs() {
            let depth = entry.depth();
            while around.last().is_some_and(|(at, _)| *at >= depth) {
                around.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let inside = is_here && self.covers(unit, entry, pc);
                    let base = inside.then(|| expression(entry, gimli::DW_AT_frame_base));
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
                    let in_scope = around.iter().all(|(_, base)| base.is_some());
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

    /// Where a variable is at an address of the code.
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

    /// The address that a location consists of.
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

    fn shape_of(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        depth: u32,
    ) -> Shape {
        if depth > DEEPEST {
            return Shape::Plain(0);
        }
        if let Some((unit, at)) = self.other(unit, entry, gimli::DW_AT_type) {
            return unit.entry(at).map_or(Shape::Plain(0), |it| self.shape(unit, &it, depth + 1));
        }
        for origin in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
            if let Some((unit, at)) = self.other(unit, entry, origin)
                && let Ok(entry) = unit.entry(at)
            {
                return self.shape_of(unit, &entry, depth + 1);
            }
        }
        Shape::Plain(0)
    }

    /// What a type is.
    fn shape(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        depth: u32,
    ) -> Shape {
        let inner = || self.shape_of(unit, entry, depth);
        let bytes = number(entry, gimli::DW_AT_byte_size);
        match entry.tag() {
            gimli::DW_TAG_pointer_type => {
                // What is behind pointers matters one step far.
                Shape::Pointer(Box::new(self.shape_of(unit, entry, depth.max(DEEPEST - 3))), true)
            }
            gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                Shape::Pointer(Box::new(self.shape_of(unit, entry, depth.max(DEEPEST - 3))), false)
            }
            gimli::DW_TAG_array_type => {
                let element = inner();
                let mut count = 1;
                self.children(unit, entry, |child| {
                    if child.tag() == gimli::DW_TAG_subrange_type {
                        let upper = number(child, gimli::DW_AT_upper_bound);
                        let lower = number(child, gimli::DW_AT_lower_bound).unwrap_or(0);
                        let bound = upper.map(|upper| upper.wrapping_sub(lower).wrapping_add(1));
                        count *= number(child, gimli::DW_AT_count).or(bound).unwrap_or(0);
                    }
                });
                let described = entry.attr_value(gimli::DW_AT_data_location).is_some();
                let bytes = bytes.unwrap_or_else(|| element.bytes().saturating_mul(count));
                Shape::Array { element: Box::new(element), bytes, described }
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                let mut members = Vec::new();
                self.children(unit, entry, |child| {
                    let is_base = child.tag() == gimli::DW_TAG_inheritance;
                    if members.len() < MOST_MEMBERS
                        && (is_base || child.tag() == gimli::DW_TAG_member)
                    {
                        let at = number(child, gimli::DW_AT_data_member_location);
                        let name = self.name(unit, child, 0).unwrap_or_default();
                        let is_static = child.attr_value(gimli::DW_AT_external).is_some();
                        let shape = self.shape_of(unit, child, depth);
                        if !is_static {
                            members.push((name, at.unwrap_or(0), shape));
                        }
                    }
                });
                Shape::Structure { bytes: bytes.unwrap_or(0), members }
            }
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                Shape::Plain(bytes.unwrap_or(0))
            }
            _ => inner(),
        }
    }

    fn children(
        &self,
        unit: &Unit<Slice>,
        entry: &DebuggingInformationEntry<Slice>,
        mut each: impl FnMut(&DebuggingInformationEntry<Slice>),
    ) {
        let Ok(mut tree) = unit.entries_tree(Some(entry.offset())) else { return };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            each(child.entry());
        }
    }

    /// The entry that an attribute refers to, with its unit.
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
