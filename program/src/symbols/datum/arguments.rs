//! Finds the class of the object to which an argument of a function points.
//!
//! What must hold: debug information may be damaged, and a compiler may have given a function other
//! arguments than its author; then there is no class.

use gimli::{UnitOffset, UnitRef};

use super::super::Symbols;
use super::super::debug_file::Section;
use super::types::{Entry, is_another_name, is_whole, name, reference};
use super::{MOST_STEPS, elsewhere};

/// Entries of a unit's debug information that are read.
const ENTRIES_READ: usize = 1 << 22;
/// The most other names of a type that are followed.
const MOST_NAMES: usize = 16;
/// Parts of the names of functions that a compiler made with other arguments.
const CHANGED: [&str; 3] = [".isra", ".constprop", ".part"];

impl Symbols {
    /// The class of the object to which the argument `number` of the function around `pc` points.
    pub(in crate::symbols) fn class_of_argument(&self, pc: u64, number: usize) -> Option<String> {
        let (image, bias) = self.image(pc)?;
        let pc = pc.wrapping_sub(bias);
        let symbol = image.function_symbol(pc)?;
        if CHANGED.iter().any(|part| symbol.name.contains(part)) {
            return None;
        }
        let unit = image.unit(pc)?;
        let targets: Vec<UnitOffset> = pointers(unit, pc, number + 1)?;
        let target = *targets.get(number)?;
        name(unit, &unit.entry(target).ok()?)
    }
}

/// The types to which the first `count` parameters of the function around `pc` point. `None` if one
/// of them is no pointer.
fn pointers(unit: UnitRef<'_, Section>, pc: u64, count: usize) -> Option<Vec<UnitOffset>> {
    let (mut function, mut found) = (None::<isize>, Vec::new());
    let mut entries = unit.entries();
    for _ in 0..ENTRIES_READ {
        let entry = entries.next_dfs().ok()??;
        let depth = entry.depth();
        match (function, entry.tag()) {
            (None, gimli::DW_TAG_subprogram) if is_in(unit, entry, pc) => function = Some(depth),
            (Some(own), _) if depth <= own => return None,
            (Some(own), gimli::DW_TAG_formal_parameter) if depth == own + 1 => {
                found.push(pointed_at(unit, entry)?);
                if found.len() == count {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_in(unit: UnitRef<'_, Section>, entry: &Entry, pc: u64) -> bool {
    let Ok(mut ranges) = unit.die_ranges(entry) else { return false };
    while let Ok(Some(range)) = ranges.next() {
        if (range.begin..range.end).contains(&pc) {
            return true;
        }
    }
    false
}

/// The type to which a parameter points.
fn pointed_at(unit: UnitRef<'_, Section>, parameter: &Entry) -> Option<UnitOffset> {
    let mut kind = reference(parameter, gimli::DW_AT_type);
    let mut next = elsewhere(parameter);
    for _ in 0..MOST_STEPS {
        let Some(entry) = next.filter(|_| kind.is_none()).and_then(|at| unit.entry(at).ok()) else {
            break;
        };
        kind = reference(&entry, gimli::DW_AT_type);
        next = elsewhere(&entry);
    }
    let pointer = unit.entry(plain(unit, kind?)?).ok()?;
    let is_pointer = matches!(
        pointer.tag(),
        gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
    );
    plain(unit, reference(&pointer, gimli::DW_AT_type).filter(|_| is_pointer)?)
}

/// A type without its other names.
fn plain(unit: UnitRef<'_, Section>, kind: UnitOffset) -> Option<UnitOffset> {
    let mut at = kind;
    for _ in 0..MOST_NAMES {
        let entry = unit.entry(at).ok()?;
        if !is_another_name(entry.tag()) || name(unit, &entry).is_some_and(|it| is_whole(&it)) {
            return Some(at);
        }
        at = reference(&entry, gimli::DW_AT_type)?;
    }
    None
}
