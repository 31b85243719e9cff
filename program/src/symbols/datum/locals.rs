//! Finds the variable of a function at an address of its frame.
//!
//! What must hold: debug information may be damaged, and the frame too; then there is no name.

use gimli::{AttributeValue, Operation, UnitOffset, UnitRef};

use super::super::Symbols;
use super::super::debug_file::Section;
use super::super::enclosing::unit_language;
use super::super::names;
use super::types::{Entry, reference, size};
use super::{declared, described};

/// Entries of a unit's debug information that are read.
const ENTRIES_READ: usize = 1 << 22;

/// A frame of a stack.
pub struct FrameAt<'a> {
    /// An address of the code that it executes.
    pub pc: u64,
    /// The stack pointer of its caller.
    pub cfa: u64,
    /// Its registers, by DWARF's numbers.
    pub register: &'a dyn Fn(usize) -> Option<u64>,
}

/// A variable of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name, with the part that was asked for: `pair.second`.
    pub name: String,
    /// Whether it belongs to a function that is inlined into the frame's.
    pub inlined: bool,
    /// The file, without folders, and the line of its declaration.
    pub declared: Option<(String, u32)>,
}

impl Symbols {
    /// The variable that stands at `address` in a frame.
    pub fn local(&self, frame: &FrameAt<'_>, address: u64) -> Option<Local> {
        let module = self.module(frame.pc)?;
        let pc = frame.pc.wrapping_sub(module.bias);
        let unit = module.image.as_ref()?.unit(pc)?;
        let (at, variable, inlined) = Search { unit, pc, frame, base: None }.nearest(address)?;
        let is_fortran = unit_language(&unit).is_some_and(names::is_fortran);
        let part = described(unit, variable, is_fortran, address - at)?;
        let name = part.variable? + &part.path;
        let name = if part.rest == 0 { name } else { format!("{name}+{}", part.rest) };
        Some(Local { name, inlined, declared: declared(unit, variable) })
    }
}

/// The place of a variable: in memory or in a register.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In memory.
    Memory(u64),
    /// In a register, or nowhere: the value itself.
    Value(u64),
}

pub(super) struct Search<'a, 'f> {
    pub(super) unit: UnitRef<'a, Section>,
    /// The address by the file's own counting.
    pub(super) pc: u64,
    pub(super) frame: &'f FrameAt<'f>,
    /// The function's frame base, from which its variables are counted.
    pub(super) base: Option<u64>,
}

impl Search<'_, '_> {
    /// The start of the variable that contains the address, its entry, and whether it belongs to an
    /// inlined function.
    fn nearest(&mut self, address: u64) -> Option<(u64, UnitOffset, bool)> {
        let mut found: Option<(u64, UnitOffset, bool)> = None;
        self.each(&mut |entry, place, inlined| {
            let Place::Memory(at) = place else { return };
            let is_nearer = found.is_none_or(|(known, ..)| at >= known);
            if at <= address && is_nearer {
                found = Some((at, entry.offset(), inlined));
            }
        });
        found.filter(|(at, entry, _)| self.size(*entry).is_some_and(|size| address - at < size))
    }

    /// Calls `take` for each variable of the function, with its place, and whether it belongs to an
    /// inlined function.
    pub(super) fn each(&mut self, take: &mut dyn FnMut(&Entry, Place, bool)) {
        // The depths of the function, of a block that the code is not in, and of an inlined
        // function.
        let (mut function, mut left_out, mut inlined) = (None, None::<isize>, None::<isize>);
        let unit = self.unit;
        let mut entries = unit.entries();
        for _ in 0..ENTRIES_READ {
            let Ok(Some(entry)) = entries.next_dfs() else { break };
            let depth = entry.depth();
            if left_out.is_some_and(|outer| depth > outer) {
                continue;
            }
            left_out = None;
            inlined = inlined.filter(|outer| depth > *outer);
            match entry.tag() {
                _ if function.is_some_and(|own: isize| depth <= own) => break,
                gimli::DW_TAG_subprogram if function.is_none() && self.is_in(entry) => {
                    function = Some(depth);
                    self.base = match self.place(entry, gimli::DW_AT_frame_base) {
                        Some(Place::Memory(base) | Place::Value(base)) => Some(base),
                        None => None,
                    };
                }
                // Fortran's contained procedures are inside the one that contains them.
                gimli::DW_TAG_subprogram if function.is_some() => left_out = Some(depth),
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine
                    if function.is_some() && !self.is_in(entry) =>
                {
                    left_out = Some(depth);
                }
                gimli::DW_TAG_inlined_subroutine => inlined = inlined.or(Some(depth)),
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter if function.is_some() => {
                    if let Some(place) = self.place(entry, gimli::DW_AT_location) {
                        take(entry, place, inlined.is_some());
                    }
                }
                _ => {}
            }
        }
    }

    fn is_in(&self, entry: &Entry) -> bool {
        let Ok(mut ranges) = self.unit.die_ranges(entry) else { return false };
        while let Ok(Some(range)) = ranges.next() {
            if (range.begin..range.end).contains(&self.pc) {
                return true;
            }
        }
        false
    }

    fn size(&self, variable: UnitOffset) -> Option<u64> {
        let mut next = Some(variable);
        // An inlined variable is described elsewhere. Damaged information may lead in a circle.
        for _ in 0..4 {
            let entry = next.and_then(|at| self.unit.entry(at).ok())?;
            if let Some(kind) = reference(&entry, gimli::DW_AT_type) {
                return size(self.unit, kind, 0);
            }
            next = reference(&entry, gimli::DW_AT_abstract_origin);
        }
        None
    }

    /// The place in an attribute, at the current address of the code.
    fn place(&self, entry: &Entry, name: gimli::DwAt) -> Option<Place> {
        let value = entry.attr_value(name)?;
        if let AttributeValue::Exprloc(place) = value {
            return self.evaluated(place);
        }
        let mut places = self.unit.attr_locations(value).ok()??;
        while let Ok(Some(place)) = places.next() {
            if (place.range.begin..place.range.end).contains(&self.pc) {
                return self.evaluated(place.data);
            }
        }
        None
    }

    /// The value of an expression, if it is a plain sum.
    fn evaluated(&self, place: gimli::Expression<Section>) -> Option<Place> {
        let mut operations = place.operations(self.unit.encoding());
        let register = |number: gimli::Register| (self.frame.register)(usize::from(number.0));
        let mut found = match operations.next().ok()?? {
            Operation::FrameOffset { offset } => self.base?.wrapping_add_signed(offset),
            Operation::CallFrameCFA => self.frame.cfa,
            // The register's value may be the base, too.
            Operation::Register { register: number } => {
                let value = register(number)?;
                return operations.next().ok()?.is_none().then_some(Place::Value(value));
            }
            Operation::RegisterOffset { register: number, offset, .. } => {
                register(number)?.wrapping_add_signed(offset)
            }
            _ => return None,
        };
        while let Some(operation) = operations.next().ok()? {
            match operation {
                // Variables that Fortran's contained procedures share are in a part of the frame.
                Operation::PlusConstant { value } => found = found.wrapping_add(value),
                Operation::StackValue => return Some(Place::Value(found)),
                _ => return None,
            }
        }
        Some(Place::Memory(found))
    }
}
