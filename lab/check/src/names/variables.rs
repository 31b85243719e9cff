//! Finds the variable for an address: one that is there, or one that points there.

use super::debug::{Shape, Variable};
use super::places::{Frame, Place, place};
use crate::trace::tracee::Memory;

/// The greatest distance in bytes from a pointer's target to memory that is named after the
/// pointer.
const FARTHEST: u64 = 16 << 20;

/// The name of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// The start of the memory with this name.
    pub start: u64,
    /// The size of an element, 0 if it has none.
    pub element: u64,
    /// The parts of a structure: the offset and name of each.
    pub parts: Vec<(u64, String)>,
    /// The offsets of its pointers, which repeat every `period` bytes (0: once).
    pub pointers: Vec<u64>,
    pub period: u64,
}

impl Named {
    /// Whether a pointer begins at an address.
    pub fn is_pointer(&self, address: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        let offset = if self.period == 0 { offset } else { offset % self.period };
        self.pointers.contains(&offset)
    }

    /// Returns the name of the part at an address.
    pub fn part(&self, address: u64) -> String {
        let offset = address.wrapping_sub(self.start);
        let part = self.parts.iter().rev().find(|(at, _)| *at <= offset);
        match part {
            Some((_, part)) => format!("{}.{part}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns the name of the element at an address.
    pub fn element(&self, address: u64) -> String {
        let offset = address.wrapping_sub(self.start) as i64;
        if self.element == 0 || !self.parts.is_empty() {
            return self.part(address);
        }
        format!("{}[{}]", self.name, offset.div_euclid(self.element as i64))
    }
}

/// The kind of rank for a pointer that points to memory in front of the address.
const FAR: u32 = 20;

/// The rank of a name, the lower the better: the kind of the connection, and the distance.
type Rank = (u32, u64);

/// Finds the best name for an address among variables of a frame (`None`: of the whole file).
pub fn find(
    address: u64,
    variables: &[Variable],
    frame: Option<&Frame>,
    bias: u64,
    memory: &Memory,
) -> Option<(Rank, Named)> {
    let mut best: Option<(Rank, Named)> = None;
    for variable in variables {
        let place = match variable.address {
            Some(at) => Place::At(at.wrapping_add(bias)),
            None => match frame.and_then(|frame| place(variable, frame, bias, memory)) {
                Some(place) => place,
                None => continue,
            },
        };
        let found = candidate(address, &variable.name, &variable.shape, place, memory, 0);
        if let Some((rank, named)) = found
            && best.as_ref().is_none_or(|(known, _)| rank < *known)
        {
            best = Some((rank, named));
        }
    }
    best
}

fn candidate(
    address: u64,
    name: &str,
    shape: &Shape,
    place: Place,
    memory: &Memory,
    depth: u32,
) -> Option<(Rank, Named)> {
    let described = matches!(shape, Shape::Array { described: true, .. });
    if let Place::At(at) = place {
        let bytes = shape.bytes();
        // A Fortran dummy argument may be of unknown length.
        let is_in = address >= at && (address - at < bytes || bytes == 0 && address == at);
        if is_in && !described {
            return Some(((0, address - at), named(name, at, shape)));
        }
    }
    let value = match place {
        Place::Value(value) => Some(value),
        Place::At(at) => memory.word(at),
    };
    match shape {
        Shape::Array { element, described: true, .. } => {
            let (rank, start) = pointed(address, value?, memory)?;
            Some((rank, elements(named(name, start, element), element)))
        }
        Shape::Pointer(to, written) => {
            let value = value?;
            let behind = (*written).then(|| to.as_ref());
            // Look at the pointers in the structure that this one points to, or in the structures
            // that follow it.
            if let Shape::Structure { members, .. } = to.as_ref()
                && depth < 2
                && address.wrapping_sub(value) >= to.bytes()
            {
                let of = members_of(address, name, "->", members, value, memory, depth);
                let is_exact = of.as_ref().is_some_and(|((kind, _), _)| *kind < FAR);
                let bytes = memory.block_bytes(value).unwrap_or(0);
                let of = if is_exact {
                    of
                } else {
                    elements_of(address, name, to, (value, bytes), memory, depth).or(of)
                };
                if of.is_some() {
                    return of;
                }
            }
            let (rank, start) = pointed(address, value, memory)?;
            match behind {
                // The pointer's targets are named as an array.
                Some(to) => Some((rank, elements(named(name, start, to), to))),
                None => Some((rank, named(name, start, to))),
            }
        }
        Shape::Structure { members, .. } => match place {
            Place::At(at) => members_of(address, name, ".", members, at, memory, depth),
            Place::Value(_) => None,
        },
        Shape::Array { bytes, .. } => match place {
            Place::At(at) => {
                elements_of(address, name, innermost(shape), (at, *bytes), memory, depth)
            }
            Place::Value(_) => None,
        },
        _ => None,
    }
}

/// Finds the exact target of a pointer in the structures of an array with this start and length.
fn elements_of(
    address: u64,
    name: &str,
    element: &Shape,
    (start, bytes): (u64, u64),
    memory: &Memory,
    depth: u32,
) -> Option<(Rank, Named)> {
    let Shape::Structure { members, .. } = element else { return None };
    let count = bytes.checked_div(element.bytes()).unwrap_or(0).min(MOST_ELEMENTS);
    (0..count).find_map(|index| {
        let (name, at) = (format!("{name}[{index}]"), start + index * element.bytes());
        let of = members_of(address, &name, ".", members, at, memory, depth);
        of.filter(|((kind, _), _)| *kind < FAR)
    })
}

/// Finds the target of a pointer among a structure's members.
fn members_of(
    address: u64,
    name: &str,
    joint: &str,
    members: &[(String, u64, Shape)],
    at: u64,
    memory: &Memory,
    depth: u32,
) -> Option<(Rank, Named)> {
    if depth > 3 {
        return None;
    }
    let mut best: Option<(Rank, Named)> = None;
    for (member, offset, shape) in members {
        let is_leading = matches!(
            shape,
            Shape::Pointer(..) | Shape::Structure { .. } | Shape::Array { described: true, .. }
        );
        if !is_leading {
            continue;
        }
        let name = match member.is_empty() {
            true => name.to_owned(),
            false => format!("{name}{joint}{member}"),
        };
        let place = Place::At(at.wrapping_add(*offset));
        if let Some(((kind, far), named)) =
            candidate(address, &name, shape, place, memory, depth + 1)
        {
            let rank = (kind + 1, far);
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, named));
            }
        }
    }
    best
}

/// Returns the rank of a pointer for an address, and the address to which it points.
fn pointed(address: u64, value: u64, memory: &Memory) -> Option<(Rank, u64)> {
    if value == 0 || value > address || address - value > FARTHEST {
        return None;
    }
    // Memory after a block of the allocator's belongs to something else.
    if value != address && memory.block_bytes(value).is_some_and(|bytes| address - value > bytes) {
        return None;
    }
    Some(((if value == address { 1 } else { FAR }, address - value), value))
}

/// Makes the name of an array with elements of this shape.
fn elements(named: Named, of: &Shape) -> Named {
    Named { element: of.bytes(), period: of.bytes(), ..named }
}

fn named(name: &str, start: u64, shape: &Shape) -> Named {
    let mut named = Named { name: name.to_owned(), start, ..Named::default() };
    let of = match shape {
        Shape::Array { element, .. } => innermost(element),
        other => other,
    };
    pointers(of, 0, &mut named.pointers);
    match shape {
        Shape::Array { .. } => (named.element, named.period) = (of.bytes(), of.bytes()),
        Shape::Structure { members, .. } => parts(members, 0, "", &mut named.parts, 0),
        _ => {}
    }
    named
}

/// Returns the innermost elements' shape: the elements of arrays of arrays count as one sequence.
fn innermost(shape: &Shape) -> &Shape {
    match shape {
        Shape::Array { element, .. } => innermost(element),
        other => other,
    }
}

/// The number of elements of arrays in structures that are searched.
const MOST_ELEMENTS: u64 = 64;

/// Adds the offsets of the pointers in a shape.
fn pointers(shape: &Shape, at: u64, into: &mut Vec<u64>) {
    match shape {
        Shape::Pointer(..) => into.push(at),
        Shape::Structure { members, .. } => {
            members.iter().for_each(|(_, offset, shape)| pointers(shape, at + offset, into));
        }
        // Its descriptor begins with its address.
        Shape::Array { described: true, .. } => into.push(at),
        Shape::Array { element, bytes, .. } => {
            let count = bytes.checked_div(element.bytes()).unwrap_or(0).min(MOST_ELEMENTS);
            (0..count).for_each(|index| pointers(element, at + index * element.bytes(), into));
        }
        Shape::Plain(_) => {}
    }
}

fn parts(
    members: &[(String, u64, Shape)],
    base: u64,
    before: &str,
    into: &mut Vec<(u64, String)>,
    depth: u32,
) {
    for (name, offset, shape) in members {
        let at = base + offset;
        match shape {
            Shape::Structure { members, .. } if depth < 3 => {
                let inner = match name.is_empty() {
                    true => before.to_owned(),
                    false => format!("{before}{name}."),
                };
                parts(members, at, &inner, into, depth + 1);
            }
            _ => into.push((at, format!("{before}{name}"))),
        }
    }
}
