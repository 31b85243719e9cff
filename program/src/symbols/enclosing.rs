//! Finds the user's function around a line, for compiler-made functions whose name does not tell it
//! (clang's task bodies are all named `.omp_outlined.`): the one with the greatest declaration line
//! at or before the line, in the same file and compilation unit.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use gimli::{AttributeValue, UnitOffset, UnitRef};

use super::Symbols;
use super::debug_file::Section;
use super::image::Image;
use super::names::{self, Role};
use super::qualified;

/// The function around `line` of `file`, a source of the unit around `pc`.
pub(super) fn function(symbols: &Symbols, pc: u64, file: &str, line: u32) -> Option<Rc<str>> {
    let number = symbols.module_number(pc)?;
    let module = symbols.module(pc)?;
    let unit = module.image.as_ref()?.unit(pc.wrapping_sub(module.bias))?;
    let key = (number, qualified::key_of(&unit));
    let known = symbols.opened.borrow().declared.get(&key).cloned();
    let declared = known.unwrap_or_else(|| {
        let declared = Rc::new(Declared::of(&unit));
        symbols.opened.borrow_mut().declared.insert(key, declared.clone());
        declared
    });
    let name = declared.around(&unit, file, line)?;
    Some(names::display(&name, unit_language(&unit)).into())
}

/// The functions that a unit declares, by the last part of the file's name: line and entry, in the
/// order of the lines. If several are on one line, the first comes last.
pub(super) struct Declared(HashMap<Rc<str>, Vec<(u64, UnitOffset)>>);

impl Declared {
    fn of(unit: &UnitRef<'_, Section>) -> Declared {
        let mut found: HashMap<Rc<str>, Vec<(u64, UnitOffset)>> = HashMap::new();
        let mut files: HashMap<u64, Option<Rc<str>>> = HashMap::new();
        let mut entries = unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() != gimli::DW_TAG_subprogram
                || entry.attr(gimli::DW_AT_artificial).is_some()
            {
                continue;
            }
            let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value());
            let (Some(line), Some(index)) = (line, file_index(entry)) else { continue };
            let file = files.entry(index).or_insert_with(|| file_name(unit, index));
            if let Some(file) = file {
                found.entry(file.clone()).or_default().push((line, entry.offset()));
            }
        }
        for of_file in found.values_mut() {
            of_file.reverse();
            of_file.sort_by_key(|(line, _)| *line);
        }
        Declared(found)
    }

    /// The last one declared at or before the line that is the user's.
    fn around(&self, unit: &UnitRef<'_, Section>, file: &str, line: u32) -> Option<String> {
        let of_file = self.0.get(last_part(file))?;
        let end = of_file.partition_point(|(declared, _)| *declared <= u64::from(line));
        of_file[..end].iter().rev().find_map(|(_, offset)| {
            let entry = unit.entry(*offset).ok()?;
            let name = entry
                .attr_value(gimli::DW_AT_linkage_name)
                .or_else(|| entry.attr_value(gimli::DW_AT_name))?;
            text(unit, name).filter(|name| names::classify(name).0 == Role::User)
        })
    }
}

/// The lines of a Fortran procedure: from its head to that of the next one declared in the file,
/// which may be one that it contains.
pub(super) fn procedure(
    image: &Image,
    address: u64,
    linkage_name: &str,
    file: &str,
) -> Option<Range<u32>> {
    let unit = image.unit(address)?;
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

pub(super) fn text(unit: &UnitRef<'_, Section>, value: AttributeValue<Section>) -> Option<String> {
    let bytes = unit.attr_string(value).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn declared_in(
    unit: &UnitRef<'_, Section>,
    entry: &gimli::DebuggingInformationEntry<Section>,
    file: &str,
) -> bool {
    let declared = file_index(entry).and_then(|index| file_name(unit, index));
    declared.is_some_and(|declared| *declared == *last_part(file))
}

pub(super) fn file_index(entry: &gimli::DebuggingInformationEntry<Section>) -> Option<u64> {
    match entry.attr_value(gimli::DW_AT_decl_file)? {
        AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    }
}

/// The last part of a source file's name.
pub(super) fn file_name(unit: &UnitRef<'_, Section>, index: u64) -> Option<Rc<str>> {
    let file = unit.line_program.as_ref()?.header().file(index)?;
    let path = text(unit, file.path_name())?;
    Some(last_part(&path).into())
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn unit_language(unit: &UnitRef<'_, Section>) -> Option<gimli::DwLang> {
    let mut entries = unit.entries();
    let root = entries.next_dfs().ok()??;
    match root.attr_value(gimli::DW_AT_language)? {
        AttributeValue::Language(language) => Some(language),
        _ => None,
    }
}
