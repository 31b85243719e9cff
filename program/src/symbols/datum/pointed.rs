//! Names an object in memory that belongs to no variable: a part of what a variable points at, or
//! of what that part points at, as its author writes it: `slots[9].full`, `context->gate->open`,
//! Fortran's `flags(4)`.
//!
//! What must hold: memory and debug information may be damaged, and a list may be a circle. The
//! work is bounded, and then there is no name. A pointer covers the bytes of its target's type, or
//! the bytes that the C library recorded for the allocation there.

use gimli::{AttributeValue, DebugInfoOffset, Operation, UnitOffset, UnitRef};

use super::super::Symbols;
use super::super::debug_file::Section;
use super::super::enclosing::unit_language;
use super::super::names;
use super::locals::{FrameAt, Place, Search};
use super::types::{
    Entry, Way, dimensions, is_another_name, is_reserved, is_whole, name, reference, size,
};

/// Variables and parts that are checked, in all.
const MOST_LOOKED_AT: usize = 1 << 14;
/// Elements of one array.
const MOST_ELEMENTS: u64 = 64;
/// Pointers that are followed one after the other.
const MOST_POINTERS: usize = 3;
/// The depth of nested types.
const DEEPEST: usize = 16;

impl Symbols {
    /// The name of the object at `address`, through the pointers in variables of the program's
    /// files and of these frames. `read`: reads a word of memory.
    pub fn pointed(
        &self,
        address: u64,
        frames: &[FrameAt<'_>],
        read: &dyn Fn(u64) -> Option<u64>,
    ) -> Option<String> {
        let (mut found, mut left) = (None, MOST_LOOKED_AT);
        for (image, bias) in self.program_files() {
            let Some((dwarf, all)) = image.variables() else { continue };
            let mut entries: Vec<_> =
                all.all.iter().map(|(at, (of, entry))| (of.0, *entry, *at)).collect();
            entries.sort_unstable_by_key(|(of, entry, _)| (*of, entry.0));
            for of_unit in entries.chunk_by(|one, next| one.0 == next.0) {
                let header = dwarf.debug_info.header_from_offset(DebugInfoOffset(of_unit[0].0));
                let Ok(unit) = header.and_then(|header| dwarf.unit(header)) else { continue };
                let mut hunt = Hunt::new(unit.unit_ref(dwarf), address, read, found, left);
                for (_, entry, at) in of_unit {
                    hunt.look_from(*entry, Place::Memory(at.wrapping_add(bias)));
                }
                (found, left) = (hunt.found, hunt.left);
            }
        }
        for frame in frames {
            let Some(module) = self.module(frame.pc) else { continue };
            let pc = frame.pc.wrapping_sub(module.bias);
            let Some(unit) = module.image.as_ref().and_then(|image| image.unit(pc)) else {
                continue;
            };
            let mut hunt = Hunt::new(unit, address, read, found, left);
            let mut variables = Vec::new();
            Search { unit, pc, frame, base: None }
                .each(&mut |entry, place, _| variables.push((entry.offset(), place)));
            variables.into_iter().for_each(|(entry, place)| hunt.look_from(entry, place));
            (found, left) = (hunt.found, hunt.left);
        }
        found.map(|found| found.name)
    }
}

/// A chain of names that leads to the object, and the number of pointers in the chain.
struct Found {
    pointers: usize,
    name: String,
}

struct Hunt<'a> {
    unit: UnitRef<'a, Section>,
    is_fortran: bool,
    wanted: u64,
    read: &'a dyn Fn(u64) -> Option<u64>,
    found: Option<Found>,
    left: usize,
}

/// One step of the search: a value's type, its address, and its name in the source's words.
#[derive(Clone)]
struct Here {
    kind: UnitOffset,
    at: u64,
    path: String,
    /// A pointer led here, so its members follow an arrow.
    by_pointer: bool,
    pointers: usize,
    depth: usize,
    /// The index of the first element of the array that it points at.
    low: i64,
}

impl<'a> Hunt<'a> {
    fn new(
        unit: UnitRef<'a, Section>,
        wanted: u64,
        read: &'a dyn Fn(u64) -> Option<u64>,
        found: Option<Found>,
        left: usize,
    ) -> Hunt<'a> {
        let is_fortran = unit_language(&unit).is_some_and(names::is_fortran);
        Hunt { unit, is_fortran, wanted, read, found, left }
    }

    fn look_from(&mut self, variable: UnitOffset, place: Place) {
        let (mut own, mut kind, mut next) = (None, None, Some(variable));
        // The type is at the variable's declaration, which is one or two steps away.
        for _ in 0..4 {
            let Some(entry) = next.and_then(|at| self.unit.entry(at).ok()) else { break };
            own = own.or_else(|| name(self.unit, &entry));
            kind = kind.or_else(|| reference(&entry, gimli::DW_AT_type));
            next = reference(&entry, gimli::DW_AT_specification)
                .or_else(|| reference(&entry, gimli::DW_AT_abstract_origin));
        }
        let (Some(own), Some(kind)) = (own, kind) else { return };
        // A structure that the compiler passes to a construct's body has no name of the author's.
        let is_hidden = own.starts_with(['.', '_', '<']);
        let path = if is_hidden { String::new() } else { own };
        let low = i64::from(self.is_fortran);
        let here = Here { kind, at: 0, path, by_pointer: false, pointers: 0, depth: 0, low };
        match place {
            Place::Memory(at) => self.visit(Here { at, ..here }),
            Place::Value(value) => {
                if let Some(target) = self.target(kind) {
                    self.follow(&here, target, value);
                }
            }
        }
    }

    /// The type behind its other names.
    fn plain(&self, kind: UnitOffset) -> Option<UnitOffset> {
        let mut kind = kind;
        for _ in 0..DEEPEST {
            let entry = self.unit.entry(kind).ok()?;
            if name(self.unit, &entry).is_some_and(|name| is_whole(&name)) {
                return None;
            }
            if !is_another_name(entry.tag()) {
                return Some(kind);
            }
            kind = reference(&entry, gimli::DW_AT_type)?;
        }
        None
    }

    /// The type that a pointer of this type points at.
    fn target(&self, kind: UnitOffset) -> Option<UnitOffset> {
        let entry = self.unit.entry(self.plain(kind)?).ok()?;
        let is_pointer = [
            gimli::DW_TAG_pointer_type,
            gimli::DW_TAG_reference_type,
            gimli::DW_TAG_rvalue_reference_type,
        ]
        .contains(&entry.tag());
        reference(&entry, gimli::DW_AT_type).filter(|_| is_pointer)
    }

    fn visit(&mut self, here: Here) {
        let is_enough = self.found.as_ref().is_some_and(|it| it.pointers <= here.pointers);
        if is_enough || self.left == 0 || here.depth > DEEPEST {
            return;
        }
        self.left -= 1;
        if let Some(target) = self.target(here.kind) {
            if let Some(value) = (self.read)(here.at) {
                self.follow(&here, target, value);
            }
            return;
        }
        let Some(entry) = self.plain(here.kind).and_then(|kind| self.unit.entry(kind).ok()) else {
            return;
        };
        match entry.tag() {
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                self.members(&here, &entry)
            }
            gimli::DW_TAG_array_type => self.elements(&here, &entry),
            _ => {}
        }
    }

    fn members(&mut self, here: &Here, of: &Entry) {
        let mut all = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(of.offset())) else { return };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let is_base = entry.tag() == gimli::DW_TAG_inheritance;
            let is_static = entry.attr(gimli::DW_AT_external).is_some();
            if entry.tag() != gimli::DW_TAG_member && !is_base || is_static {
                continue;
            }
            let at = entry.attr_value(gimli::DW_AT_data_member_location);
            let at = at.map_or(Some(0), |at| at.udata_value());
            let Some((at, kind)) = at.zip(reference(entry, gimli::DW_AT_type)) else { continue };
            all.push((at, kind, name(self.unit, entry).filter(|_| !is_base)));
        }
        for (at, kind, own) in all {
            // A private member of the C++ library goes by the name of the variable that contains
            // it.
            let own = own.filter(|own| !is_reserved(own));
            let (path, by_pointer) = match &own {
                None => (here.path.clone(), here.by_pointer),
                Some(own) if here.path.is_empty() => (own.clone(), false),
                Some(own) => (format!("{}{}{own}", here.path, self.dot(here.by_pointer)), false),
            };
            let at = here.at.wrapping_add(at);
            let (depth, pointers) = (here.depth + 1, here.pointers);
            let low = i64::from(self.is_fortran);
            self.visit(Here { kind, at, path, by_pointer, pointers, depth, low });
        }
    }

    fn dot(&self, by_pointer: bool) -> &'static str {
        match (self.is_fortran, by_pointer) {
            (true, _) => "%",
            (_, true) => "->",
            _ => ".",
        }
    }

    fn elements(&mut self, here: &Here, array: &Entry) {
        let Some(of) = reference(array, gimli::DW_AT_type) else { return };
        // A Fortran allocatable is a description here; its first word has the data's address.
        if array.attr(gimli::DW_AT_data_location).is_some() {
            if let (Some(value), Some(low)) =
                ((self.read)(here.at), self.described_low(here, array))
            {
                self.follow(&Here { low, ..here.clone() }, of, value);
            }
            return;
        }
        let Some(bytes) = size(self.unit, of, 0).filter(|bytes| *bytes > 0) else { return };
        let Some([(low, Some(count))]) = dimensions(self.unit, array, i64::from(self.is_fortran))
            .as_deref()
            .map(<[_]>::to_vec)
            .and_then(|all| <[(i64, Option<u64>); 1]>::try_from(all).ok())
        else {
            return;
        };
        for index in 0..count.min(MOST_ELEMENTS) {
            let at = here.at.wrapping_add(index * bytes);
            let path = self.element(&here.path, low.wrapping_add(index as i64));
            let depth = here.depth + 1;
            self.visit(Here { kind: of, at, path, by_pointer: false, depth, ..here.clone() });
        }
    }

    /// The first index of a one-dimensional array that Fortran allocates: a word of its
    /// description.
    fn described_low(&self, here: &Here, array: &Entry) -> Option<i64> {
        let mut tree = self.unit.entries_tree(Some(array.offset())).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut low = None;
        while let Ok(Some(child)) = children.next() {
            if low.is_some() {
                return None;
            }
            let AttributeValue::Exprloc(place) =
                child.entry().attr_value(gimli::DW_AT_lower_bound)?
            else {
                return None;
            };
            let mut operations = place.operations(self.unit.encoding());
            let mut next = || operations.next().ok()?;
            let is_own = matches!(next()?, Operation::PushObjectAddress);
            let Operation::PlusConstant { value } = next()? else { return None };
            let is_word = matches!(next()?, Operation::Deref { .. }) && next().is_none();
            let word = (self.read)(here.at.wrapping_add(value)).filter(|_| is_own && is_word);
            low = Some(word? as i64);
        }
        low
    }

    fn element(&self, path: &str, index: i64) -> String {
        if self.is_fortran { format!("{path}({index})") } else { format!("{path}[{index}]") }
    }

    /// Checks the target of a pointer: it may be the wanted object, or contain other pointers.
    fn follow(&mut self, here: &Here, target: UnitOffset, to: u64) {
        let pointers = here.pointers + 1;
        let bytes = size(self.unit, target, 0).filter(|bytes| *bytes > 0);
        let Some(bytes) = bytes.filter(|_| to != 0 && pointers <= MOST_POINTERS) else { return };
        let room = self.asked_for(to).unwrap_or(bytes).max(bytes);
        // A pointer to one byte leads to text, or to memory for anything.
        let offset = self.wanted.checked_sub(to).filter(|at| *at < room && bytes > 1);
        if let Some(offset) = offset {
            self.take(here, target, offset, bytes, pointers);
            return;
        }
        let depth = here.depth + 1;
        for index in 0..(room / bytes).min(MOST_ELEMENTS) {
            let at = to.wrapping_add(index * bytes);
            let is_first = index == 0;
            let path = match is_first {
                true => here.path.clone(),
                false => self.element(&here.path, here.low.wrapping_add(index as i64)),
            };
            let low = i64::from(self.is_fortran);
            self.visit(Here { kind: target, at, path, by_pointer: is_first, pointers, depth, low });
        }
    }

    /// Takes the name of the object at `offset` bytes from the target of the pointer `here`, whose
    /// elements have `bytes` bytes.
    fn take(&mut self, here: &Here, target: UnitOffset, offset: u64, bytes: u64, pointers: usize) {
        let (unit, is_fortran) = (self.unit, self.is_fortran);
        let index = offset / bytes;
        let mut way = Way { unit, is_fortran, path: String::new(), rest: offset % bytes };
        way.go_into(target);
        let (path, index) = (&here.path, index as i64);
        let own = way.path.strip_prefix('.');
        let mut name = match (index, own) {
            (_, Some(own)) if path.is_empty() => own.to_owned(),
            (0, Some(own)) if !is_fortran => format!("{path}->{own}"),
            (0, None)
                if way.path.is_empty() && !is_fortran && self.asked_for(self.wanted).is_none() =>
            {
                path.clone()
            }
            _ => self.element(path, index.wrapping_add(here.low)) + &way.path,
        };
        if name.is_empty() {
            return;
        }
        if way.rest != 0 {
            name += &format!("+{}", way.rest);
        }
        if self.found.as_ref().is_none_or(|known| known.pointers > pointers) {
            self.found = Some(Found { pointers, name });
        }
    }

    /// The bytes of an allocation that begins at `at`, from glibc's records: its size is in front
    /// of it, and the record in front of the next one says that this one is in use.
    fn asked_for(&self, at: u64) -> Option<u64> {
        const NOTE: u64 = 8;
        const FLAGS: u64 = 7;
        const IN_USE: u64 = 1;
        const OF_ITS_OWN: u64 = 2;
        if !at.is_multiple_of(16) {
            return None;
        }
        let note = (self.read)(at.checked_sub(NOTE)?)?;
        let bytes = note & !FLAGS;
        if !bytes.is_multiple_of(16) || !(32..1 << 40).contains(&bytes) {
            return None;
        }
        if note & OF_ITS_OWN != 0 {
            return (at % 4096 == 16).then(|| bytes - 16);
        }
        let next = (self.read)(at.checked_add(bytes)?.checked_sub(NOTE)?)?;
        (next & IN_USE != 0).then(|| bytes - NOTE)
    }
}
