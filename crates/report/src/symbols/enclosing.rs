//! The user's function around a line, for compiler-made functions whose name does not tell it
//! (clang's task bodies are all called `.omp_outlined.`): that with the greatest declaration line
//! at or before the line, in the same file and compilation unit.

use std::ops::Range;
use std::rc::Rc;

use gimli::{AttributeValue, UnitRef};

use super::debug_file::Section;
use super::names::{self, Role};

pub(super) fn function(
    dwarf: &addr2line::Context<Section>,
    address: u64,
    file: &str,
    line: u32,
) -> Option<Rc<str>> {
    let unit = dwarf.find_dwarf_and_unit(address).skip_all_loads()?;
    let mut best: Option<(u64, String)> = None;
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        if entry.tag() != gimli::DW_TAG_subprogram || entry.attr(gimli::DW_AT_artificial).is_some()
        {
            continue;
        }
        let Some(AttributeValue::Udata(declared)) =
            entry.attr_value(gimli::DW_AT_decl_line).map(normal)
        else {
            continue;
        };
        if declared > u64::from(line) || best.as_ref().is_some_and(|(known, _)| *known >= declared)
        {
            continue;
        }
        let name = entry
            .attr_value(gimli::DW_AT_linkage_name)
            .or_else(|| entry.attr_value(gimli::DW_AT_name));
        let Some(name) = name.and_then(|value| text(&unit, value)) else { continue };
        if names::classify(&name).0 != Role::User || !declared_in(&unit, entry, file) {
            continue;
        }
        best = Some((declared, name));
    }
    let (_, name) = best?;
    Some(names::display(&name, unit_language(&unit)).into())
}

/// The lines of a procedure of Fortran: from its head to that of the next one declared in the file,
/// which may be one that it contains.
pub(super) fn procedure(
    dwarf: &addr2line::Context<Section>,
    address: u64,
    linkage_name: &str,
    file: &str,
) -> Option<Range<u32>> {
    let unit = dwarf.find_dwarf_and_unit(address).skip_all_loads()?;
    let mut heads: Vec<u32> = Vec::new();
    let mut own = None;
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        if entry.tag() != gimli::DW_TAG_subprogram || !declared_in(&unit, entry, file) {
            continue;
        }
        let declared = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value());
        let Some(line) = declared.and_then(|line| u32::try_from(line).ok()) else { continue };
        let name = entry.attr_value(gimli::DW_AT_linkage_name);
        let name = name.and_then(|value| text(&unit, value)).unwrap_or_default();
        // Outlined functions are no procedures.
        if name.contains("..omp") {
            continue;
        }
        heads.push(line);
        if name == linkage_name {
            own = Some(line);
        }
    }
    let own = own?;
    let next = heads.into_iter().filter(|head| *head > own).min();
    Some(own..next.unwrap_or(u32::MAX))
}

fn normal(value: AttributeValue<Section>) -> AttributeValue<Section> {
    match value.udata_value() {
        Some(number) => AttributeValue::Udata(number),
        None => value,
    }
}

pub(super) fn text(unit: &UnitRef<'_, Section>, value: AttributeValue<Section>) -> Option<String> {
    let bytes = unit.attr_string(value).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn declared_in(
    unit: &UnitRef<'_, Section>,
    entry: &gimli::DebuggingInformationEntry<Section>,
    file: &str,
) -> bool {
    let index = match entry.attr_value(gimli::DW_AT_decl_file) {
        Some(AttributeValue::FileIndex(index)) => index,
        Some(value) => match value.udata_value() {
            Some(index) => index,
            None => return false,
        },
        None => return false,
    };
    let Some(program) = &unit.line_program else { return false };
    let Some(entry) = program.header().file(index) else { return false };
    let Some(path) = text(unit, entry.path_name()) else { return false };
    path.rsplit('/').next() == file.rsplit('/').next()
}

pub(super) fn unit_language(unit: &UnitRef<'_, Section>) -> Option<gimli::DwLang> {
    let mut entries = unit.entries();
    let root = entries.next_dfs().ok()??;
    match root.attr_value(gimli::DW_AT_language)? {
        AttributeValue::Language(language) => Some(language),
        _ => None,
    }
}
