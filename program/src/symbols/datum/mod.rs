//! Names the datum at an address, for example a lock, as its author writes it: `lock`,
//! `rows[2][1]`, `seats[1].fork`, Fortran's `locks(3)` and `all(2)%lock`.
//!
//! Symbols give the variable, and the types in the debug information its part. The report asks for
//! the mutexes that threads waited for, `inspect` for the objects of waits. What must hold: a
//! file's debug information may be damaged; then there is a name without parts, or none.

mod arguments;
mod locals;
mod pointed;
mod ready_made;
mod types;

use std::collections::HashMap;

use gimli::{AttributeValue, DebugInfoOffset, Operation, UnitOffset, UnitRef};

use super::Symbols;
use super::debug_file::Section;
use super::enclosing::{file_index, file_name, unit_language};
use super::names;
pub use locals::{FrameAt, Local};
use types::{Entry, Way, name, reference};

/// Entries of a file's debug information that are read, at most. Variables behind them have no
/// parts.
const ENTRIES_READ: usize = 1 << 22;
/// Entries that describe one variable. Damaged information may lead in a circle.
const MOST_STEPS: usize = 4;

/// The descriptions of one file's variables, by their addresses.
#[derive(Default)]
pub(super) struct Variables {
    all: HashMap<u64, (DebugInfoOffset, UnitOffset)>,
}

/// A part of a variable.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// The variable's own name, without scopes.
    pub variable: Option<String>,
    /// The text behind the name: `[2][1]`, or nothing for a variable without parts.
    pub path: String,
    /// The distance into the part, in bytes.
    pub rest: u64,
}

impl Symbols {
    /// The name of the datum at `address`, e.g. of a lock.
    pub fn datum(&self, address: u64) -> Option<String> {
        let module = self.module(address)?;
        let symbol = module.image.as_ref()?.data_symbol(address.wrapping_sub(module.bias))?;
        let offset = address.wrapping_sub(module.bias).wrapping_sub(symbol.address);
        // A variable of C may have a name that is a type's in C++.
        let is_mangled = names::is_mangled(&symbol.name) || symbol.name.starts_with("_Q");
        let mut name = match is_mangled {
            true => names::display(&symbol.name, None),
            false => symbol.name.to_string(),
        };
        let mut rest = offset;
        if let Some(part) = module.image.as_ref()?.part(symbol, offset) {
            // A function's own variable has a number behind its name.
            if let Some(own) = part.variable.filter(|own| is_numbered(&name, own)) {
                name = own;
            }
            name += &part.path;
            rest = part.rest;
        }
        Some(if rest == 0 { name } else { format!("{name}+{rest}") })
    }
}

impl Symbols {
    /// The file, without folders, and the line at which the variable at `address` is declared.
    pub fn declared(&self, address: u64) -> Option<(String, u32)> {
        let module = self.module(address)?;
        let image = module.image.as_ref()?;
        let symbol = image.data_symbol(address.wrapping_sub(module.bias))?;
        let (dwarf, variables) = image.variables()?;
        let (of, at) = *variables.all.get(&symbol.address)?;
        let unit = dwarf.unit(dwarf.debug_info.header_from_offset(of).ok()?).ok()?;
        declared(unit.unit_ref(dwarf), at)
    }
}

impl Variables {
    /// Reads a whole file.
    pub(super) fn of_file(dwarf: &gimli::Dwarf<Section>) -> Variables {
        let mut found = Variables::default();
        let mut left = ENTRIES_READ;
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let (Some(at), Ok(unit)) = (header.debug_info_offset(), dwarf.unit(header.clone()))
            else {
                continue;
            };
            if found.add(unit.unit_ref(dwarf), at, &mut left).is_none() && left == 0 {
                break;
            }
        }
        found
    }

    /// Adds the variables of a unit. `None` if the unit's end was not reached.
    fn add(
        &mut self,
        unit: UnitRef<'_, Section>,
        of: DebugInfoOffset,
        left: &mut usize,
    ) -> Option<()> {
        let mut entries = unit.entries_raw(None).ok()?;
        while !entries.is_empty() {
            *left = left.checked_sub(1)?;
            let at = entries.next_offset();
            let Some(shape) = entries.read_abbreviation().ok()? else { continue };
            if shape.tag() != gimli::DW_TAG_variable {
                entries.skip_attributes(shape.attributes()).ok()?;
                continue;
            }
            for specification in shape.attributes() {
                let attribute = entries.read_attribute(*specification).ok()?;
                if attribute.name() == gimli::DW_AT_location
                    && let AttributeValue::Exprloc(place) = attribute.value()
                    && let Some(address) = address(unit, place)
                {
                    self.all.entry(address).or_insert((of, at));
                }
            }
        }
        Some(())
    }

    /// The part at `offset` bytes into the variable at `address`.
    pub(super) fn part(
        &self,
        dwarf: &gimli::Dwarf<Section>,
        address: u64,
        offset: u64,
    ) -> Option<Part> {
        let (of, at) = *self.all.get(&address)?;
        let unit = dwarf.unit(dwarf.debug_info.header_from_offset(of).ok()?).ok()?;
        let unit = unit.unit_ref(dwarf);
        let is_fortran = unit_language(&unit).is_some_and(names::is_fortran);
        described(unit, at, is_fortran, offset)
    }
}

/// The place at which the variable with this entry is declared.
fn declared(unit: UnitRef<'_, Section>, variable: UnitOffset) -> Option<(String, u32)> {
    let mut next = Some(variable);
    for _ in 0..MOST_STEPS {
        let entry = next.and_then(|at| unit.entry(at).ok())?;
        let number = || entry.attr_value(gimli::DW_AT_decl_line)?.udata_value();
        if let (Some(line), Some(file)) = (number(), file_index(&entry)) {
            return Some((file_name(&unit, file)?.to_string(), u32::try_from(line).ok()?));
        }
        next = elsewhere(&entry);
    }
    None
}

/// Another entry that describes the same variable.
fn elsewhere(entry: &Entry) -> Option<UnitOffset> {
    reference(entry, gimli::DW_AT_specification)
        .or_else(|| reference(entry, gimli::DW_AT_abstract_origin))
}

/// The part at `offset` bytes into the variable with this entry.
fn described(
    unit: UnitRef<'_, Section>,
    variable: UnitOffset,
    is_fortran: bool,
    offset: u64,
) -> Option<Part> {
    let (mut own, mut kind) = (None, None);
    let mut next = Some(variable);
    // A static variable of a class, or of an inlined function, is declared elsewhere, one or two
    // steps away. Damaged information may lead in a circle.
    for _ in 0..MOST_STEPS {
        let Some(entry) = next.and_then(|at| unit.entry(at).ok()) else { break };
        own = own.or_else(|| name(unit, &entry));
        kind = kind.or_else(|| reference(&entry, gimli::DW_AT_type));
        next = elsewhere(&entry);
    }
    let mut way = Way { unit, is_fortran, path: String::new(), rest: offset };
    way.go_into(kind?);
    Some(Part { variable: own, path: way.path, rest: way.rest })
}

/// The address in an expression that does nothing else.
fn address(unit: UnitRef<'_, Section>, place: gimli::Expression<Section>) -> Option<u64> {
    let mut operations = place.operations(unit.encoding());
    let found = match operations.next().ok()?? {
        Operation::Address { address } => address,
        Operation::AddressIndex { index } => unit.address(index).ok()?,
        _ => return None,
    };
    operations.next().ok()?.is_none().then_some(found)
}

/// Whether a symbol is `name.12`, as compilers name the variables of functions.
fn is_numbered(symbol: &str, name: &str) -> bool {
    let number = symbol.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
