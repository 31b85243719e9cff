//! The shapes of variables: their types, followed as far as mappings need them.

use gimli::{AttributeValue, DebuggingInformationEntry, Unit};

use super::{Debug, Slice, number};

/// The shape of a type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Its size in bytes; 0 = unknown.
    Plain(u64),
    /// The shape of its target, and whether the program writes it as a pointer.
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

/// The depth to which types are followed.
const DEEPEST: u32 = 7;
/// The number of members that are read.
const MOST_MEMBERS: usize = 256;

impl Debug {
    /// Returns the shape of the type of a variable or member.
    pub(super) fn shape_of(
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

    /// The shape of a type.
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
                // Pointers are followed one step. In Fortran the pointer's own name stands for its
                // target.
                let to = self.shape_of(unit, entry, depth.max(DEEPEST - 3));
                Shape::Pointer(Box::new(to), !is_fortrans(unit))
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
}

/// Whether the file was written in Fortran.
fn is_fortrans(unit: &Unit<Slice>) -> bool {
    let mut entries = unit.entries();
    let Ok(Some(root)) = entries.next_dfs() else { return false };
    matches!(
        root.attr_value(gimli::DW_AT_language),
        Some(AttributeValue::Language(
            gimli::DW_LANG_Fortran77
                | gimli::DW_LANG_Fortran90
                | gimli::DW_LANG_Fortran95
                | gimli::DW_LANG_Fortran03
                | gimli::DW_LANG_Fortran08
                | gimli::DW_LANG_Fortran18
        ))
    )
}
