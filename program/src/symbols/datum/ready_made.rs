//! Finds where the source declares variables that no code initialises: their value is in the file.

use gimli::UnitRef;

use super::types::{Entry, is_another_name, name, reference};
use super::{Symbols, Variables};
use crate::symbols::debug_file::Section;
use crate::symbols::enclosing::{file_index, file_name};

/// The most other names of a type that are followed; a damaged file may have a circle of them.
const MOST_NAMES: usize = 16;
/// The most declarations that are returned.
const MOST_PLACES: usize = 64;

impl Symbols {
    /// Returns file and line of each variable of the program that has a value from the start and
    /// is of the class `class`, or of a class made from the template of that name. Only a class
    /// counts that the C++ library's header of the same name declares.
    pub fn ready_made(&self, class: &str) -> Vec<(String, u32)> {
        let files = self.program_files();
        files.flat_map(|(image, _)| image.ready_made(class)).take(MOST_PLACES).collect()
    }
}

impl Variables {
    /// As `Symbols::ready_made`, for one file. `has_value`: whether the file has bytes other than
    /// zeros at a variable's address.
    pub(in crate::symbols) fn ready_made(
        &self,
        dwarf: &gimli::Dwarf<Section>,
        class: &str,
        has_value: &dyn Fn(u64) -> bool,
    ) -> Vec<(String, u32)> {
        let ready = self.all.iter().filter(|(address, _)| has_value(**address));
        let mut entries: Vec<_> = ready.map(|(_, entry)| *entry).collect();
        entries.sort_unstable_by_key(|(of, at)| (of.0, at.0));
        let mut found = Vec::new();
        for of_unit in entries.chunk_by(|one, next| one.0 == next.0) {
            let header = dwarf.debug_info.header_from_offset(of_unit[0].0);
            let Ok(unit) = header.and_then(|header| dwarf.unit(header)) else { continue };
            let unit = unit.unit_ref(dwarf);
            let entries = of_unit.iter().filter_map(|(_, at)| unit.entry(*at).ok());
            found.extend(entries.filter_map(|entry| declared(unit, &entry, class)));
        }
        found
    }
}

/// Returns the place where a variable is declared, if its type is the class.
fn declared(unit: UnitRef<'_, Section>, variable: &Entry, class: &str) -> Option<(String, u32)> {
    let elsewhere = reference(variable, gimli::DW_AT_specification)
        .or_else(|| reference(variable, gimli::DW_AT_abstract_origin));
    let other = elsewhere.and_then(|at| unit.entry(at).ok());
    let either = || [Some(variable), other.as_ref()].into_iter().flatten();
    let kind = either().find_map(|entry| reference(entry, gimli::DW_AT_type))?;
    let mut kind = unit.entry(kind).ok()?;
    for _ in 0..MOST_NAMES {
        if !is_another_name(kind.tag()) {
            break;
        }
        kind = unit.entry(reference(&kind, gimli::DW_AT_type)?).ok()?;
    }
    let own = name(unit, &kind)?;
    let is_class =
        own.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('<'));
    let file_of = |entry: &Entry| file_name(&unit, file_index(entry)?);
    if !is_class || *file_of(&kind)? != *class {
        return None;
    }
    // gcc repeats, in an entry outside a class, only what differs from the entry inside it.
    let number = |entry: &Entry| entry.attr_value(gimli::DW_AT_decl_line)?.udata_value();
    let line = either().find_map(number).and_then(|line| u32::try_from(line).ok())?;
    Some((either().find_map(file_of)?.to_string(), line))
}
