//! Finds the name of a variable's part at an offset, from the variable's type: `seats[1].fork`.
//! Types of the C library and of OpenMP, such as a mutex, are shown as a whole.

use gimli::{AttributeValue, UnitOffset, UnitRef};

use crate::symbols::debug_file::Section;
use crate::symbols::enclosing::text;

pub(super) type Entry = gimli::DebuggingInformationEntry<Section>;

/// The depth to which types are followed: a damaged file may have a circle.
const DEEPEST: usize = 32;

/// The position inside a variable.
pub(super) struct Way<'a> {
    pub(super) unit: UnitRef<'a, Section>,
    pub(super) is_fortran: bool,
    /// The text behind the variable's name so far.
    pub(super) path: String,
    /// The distance into the part that `path` names, in bytes.
    pub(super) rest: u64,
}

impl Way<'_> {
    /// Goes as deep as types lead, from a variable of that type.
    pub(super) fn go_into(&mut self, kind: UnitOffset) {
        let mut next = Some(kind);
        for _ in 0..DEEPEST {
            let Some(entry) = next.and_then(|at| self.unit.entry(at).ok()) else { return };
            if name(self.unit, &entry).is_some_and(|name| is_whole(&name)) {
                return;
            }
            next = match entry.tag() {
                gimli::DW_TAG_array_type => self.element(&entry),
                gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type => self.member(&entry),
                tag if is_another_name(tag) => reference(&entry, gimli::DW_AT_type),
                _ => return,
            };
        }
    }

    /// Goes into an element of an array.
    fn element(&mut self, array: &Entry) -> Option<UnitOffset> {
        let of = reference(array, gimli::DW_AT_type)?;
        // The elements of an allocatable array are elsewhere: this is its descriptor.
        let is_elsewhere = array.attr(gimli::DW_AT_data_location).is_some();
        let size = size(self.unit, of, 0).filter(|size| *size > 0 && !is_elsewhere)?;
        let mut dimensions = dimensions(self.unit, array, i64::from(self.is_fortran))?;
        // Fortran's first index changes fastest; in other languages the last one does.
        if !self.is_fortran {
            dimensions.reverse();
        }
        let (mut number, mut indices) = (self.rest / size, Vec::new());
        let last = dimensions.len().checked_sub(1)?;
        for (at, (low, count)) in dimensions.into_iter().enumerate() {
            let index = match count {
                Some(count) if at < last => number.checked_rem(count)?,
                // Otherwise the bound is unknown, or this is the outermost dimension.
                Some(count) if number >= count => return None,
                None if at < last => return None,
                _ => number,
            };
            number = count.map_or(0, |count| number / count.max(1));
            indices.push(low.wrapping_add(index as i64).to_string());
        }
        self.rest %= size;
        if self.is_fortran {
            self.path += &format!("({})", indices.join(","));
        } else {
            indices.reverse();
            self.path += &format!("[{}]", indices.join("]["));
        }
        Some(of)
    }

    /// Goes into a member of a structure, or a base class.
    fn member(&mut self, of: &Entry) -> Option<UnitOffset> {
        let mut tree = self.unit.entries_tree(Some(of.offset())).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let is_base = entry.tag() == gimli::DW_TAG_inheritance;
            let is_static = entry.attr(gimli::DW_AT_external).is_some();
            if entry.tag() != gimli::DW_TAG_member && !is_base || is_static {
                continue;
            }
            let at = match entry.attr_value(gimli::DW_AT_data_member_location) {
                // A member of a union begins where the union does.
                None => Some(0),
                Some(at) => at.udata_value(),
            };
            let Some(kind) = reference(entry, gimli::DW_AT_type) else { continue };
            let Some(within) = at.and_then(|at| self.rest.checked_sub(at)) else { continue };
            // A class that is only declared in this unit has no known size: only its begin counts.
            if within >= size(self.unit, kind, 0).unwrap_or(1) {
                continue;
            }
            let own = name(self.unit, entry).filter(|_| !is_base);
            if let Some(own) = own {
                if is_reserved(&own) {
                    return None;
                }
                self.path += &format!("{}{own}", if self.is_fortran { "%" } else { "." });
            }
            self.rest = within;
            return Some(kind);
        }
        None
    }
}

/// First index and number of indices of each dimension, in the program's order.
pub(super) fn dimensions(
    unit: UnitRef<'_, Section>,
    array: &Entry,
    usual: i64,
) -> Option<Vec<(i64, Option<u64>)>> {
    if array.attr(gimli::DW_AT_byte_stride).is_some() {
        return None;
    }
    let mut tree = unit.entries_tree(Some(array.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut found = Vec::new();
    while let Ok(Some(child)) = children.next() {
        let entry = child.entry();
        if entry.tag() != gimli::DW_TAG_subrange_type {
            continue;
        }
        let number = |attribute| entry.attr_value(attribute).and_then(|value| value.sdata_value());
        let low = match entry.attr(gimli::DW_AT_lower_bound) {
            None => usual,
            Some(low) => low.sdata_value()?,
        };
        let count = entry.attr_value(gimli::DW_AT_count).and_then(|value| value.udata_value());
        // A bound of one byte may have its sign bit set without being negative.
        let unsigned =
            || entry.attr_value(gimli::DW_AT_upper_bound).and_then(|value| value.udata_value());
        let high = number(gimli::DW_AT_upper_bound)
            .filter(|high| *high >= low)
            .or_else(|| i64::try_from(unsigned()?).ok());
        let span = || Some(u64::try_from(high?.checked_sub(low)?).ok()?.saturating_add(1));
        found.push((low, count.or_else(span)));
    }
    (!found.is_empty()).then_some(found)
}

/// The size of a type, in bytes.
pub(super) fn size(unit: UnitRef<'_, Section>, kind: UnitOffset, depth: usize) -> Option<u64> {
    let entry = unit.entry(kind).ok().filter(|_| depth < DEEPEST)?;
    if let Some(size) = entry.attr_value(gimli::DW_AT_byte_size) {
        return size.udata_value();
    }
    let of = || size(unit, reference(&entry, gimli::DW_AT_type)?, depth + 1);
    match entry.tag() {
        gimli::DW_TAG_array_type => {
            let counts = dimensions(unit, &entry, 0)?;
            let mut bytes = of()?;
            for (_, count) in counts {
                bytes = bytes.checked_mul(count?)?;
            }
            Some(bytes)
        }
        gimli::DW_TAG_pointer_type
        | gimli::DW_TAG_reference_type
        | gimli::DW_TAG_rvalue_reference_type => Some(8),
        tag if is_another_name(tag) => of(),
        _ => None,
    }
}

/// Whether a type is another type under another name.
pub(super) fn is_another_name(tag: gimli::DwTag) -> bool {
    [
        gimli::DW_TAG_typedef,
        gimli::DW_TAG_const_type,
        gimli::DW_TAG_volatile_type,
        gimli::DW_TAG_restrict_type,
        gimli::DW_TAG_atomic_type,
    ]
    .contains(&tag)
}

/// Whether the program does not name a type's parts: it is shown as a whole.
pub(super) fn is_whole(name: &str) -> bool {
    name.starts_with("omp_") || name.starts_with("pthread_")
}

/// Whether a name is reserved for the implementation.
pub(super) fn is_reserved(name: &str) -> bool {
    let mut rest = name.strip_prefix('_').unwrap_or_default().chars();
    rest.next().is_some_and(|next| next == '_' || next.is_ascii_uppercase())
}

pub(super) fn name(unit: UnitRef<'_, Section>, entry: &Entry) -> Option<String> {
    text(&unit, entry.attr_value(gimli::DW_AT_name)?)
}

pub(super) fn reference(entry: &Entry, attribute: gimli::DwAt) -> Option<UnitOffset> {
    match entry.attr_value(attribute)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}
