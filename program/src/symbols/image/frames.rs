//! Finds the functions at an address, with their lines.

use std::rc::Rc;

use super::super::enclosing::unit_language;
use super::Image;

/// The line information about one level of inlining.
#[derive(Clone, Debug)]
pub(crate) struct RawFrame {
    pub(crate) name: Option<Rc<str>>,
    pub(crate) language: Option<gimli::DwLang>,
    /// The function's entry in the debug information.
    pub(crate) entry: Option<gimli::UnitOffset>,
    pub(crate) file: Option<Rc<str>>,
    pub(crate) line: u32,
}

/// Rows of one file's line information that are read.
const ROWS_OF_A_FILE: usize = 1 << 22;
/// The distance in bytes from code without a line at which another line of its function is
/// searched, and the number of places.
const FAR: u64 = 4096;
const MOST_ROWS: usize = 256;

impl Image {
    /// Functions that contain `address`, innermost (most inlined) first, with their lines.
    pub(crate) fn frames(&self, address: u64) -> Vec<RawFrame> {
        let mut found = Vec::new();
        let Some(dwarf) = self.dwarf() else { return found };
        let Ok(mut frames) = self.split.complete(dwarf.find_frames(address)) else { return found };
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.as_ref();
            found.push(RawFrame {
                name: function
                    .and_then(|name| name.raw_name().ok().map(|raw| Rc::from(raw.as_ref()))),
                language: function
                    .and_then(|name| name.language.or_else(|| self.language(address))),
                entry: frame.dw_die_offset,
                file: frame.location.as_ref().and_then(|at| at.file).map(Rc::from),
                line: frame.location.as_ref().and_then(|at| at.line).unwrap_or(0),
            });
        }
        found
    }

    /// The line of the same function's code next to `address`, for code without a line (line 0),
    /// which the compiler merged from several lines or moved. The code in front of it decides,
    /// otherwise the code behind it.
    pub(crate) fn near_line(&self, address: u64) -> u32 {
        let Some(dwarf) = self.dwarf() else { return 0 };
        let bounds = self.function_bounds(address).unwrap_or((0, u64::MAX));
        let start = address.saturating_sub(FAR).max(bounds.0);
        let end = address.saturating_add(FAR).min(bounds.1);
        let Ok(found) = dwarf.find_location_range(start, end) else { return 0 };
        let lined = |(at, _, location): (u64, u64, addr2line::Location<'_>)| {
            Some((at, location.line.filter(|line| *line > 0)?))
        };
        let mut rows: Vec<(u64, u32)> = found.filter_map(lined).collect();
        rows.sort_by_key(|&(at, _)| (at > address, at.abs_diff(address)));
        let own = self.inlined_at(address);
        let same = rows.iter().take(MOST_ROWS).find(|(at, _)| self.inlined_at(*at) == own);
        same.map_or(0, |(_, line)| *line)
    }

    /// The start addresses of code from `start` to `end` that is in one of these files, by the last
    /// parts of their names.
    pub(crate) fn rows_of(&self, start: u64, end: u64, files: &[&str]) -> Vec<u64> {
        let Some(dwarf) = self.dwarf().filter(|_| !files.is_empty()) else {
            return Vec::new();
        };
        let Ok(rows) = dwarf.find_location_range(start, end) else { return Vec::new() };
        let is_one = |location: &addr2line::Location<'_>| {
            let last = location.file.and_then(|file| file.rsplit('/').next());
            last.is_some_and(|last| files.contains(&last))
        };
        rows.filter(|(_, _, location)| is_one(location)).map(|(at, ..)| at).collect()
    }

    /// The address at which a function's inlined code around `address` is entered, if the debug
    /// information tells it.
    pub(crate) fn entry_address(&self, address: u64, entry: gimli::UnitOffset) -> Option<u64> {
        let unit = self.unit(address)?;
        let entry = unit.entry(entry).ok()?;
        match entry.attr_value(gimli::DW_AT_entry_pc)? {
            gimli::AttributeValue::Addr(address) => Some(address),
            _ => None,
        }
    }

    /// The start addresses of code at one of these lines of a file.
    pub(crate) fn rows_at(&self, path: &str, lines: &[u32]) -> Vec<u64> {
        let Some(dwarf) = self.dwarf() else { return Vec::new() };
        let Ok(rows) = dwarf.find_location_range(0, u64::MAX) else { return Vec::new() };
        let is_one = |location: &addr2line::Location<'_>| {
            location.file == Some(path) && location.line.is_some_and(|line| lines.contains(&line))
        };
        rows.take(ROWS_OF_A_FILE).filter(|(.., at)| is_one(at)).map(|(at, ..)| at).collect()
    }

    /// The functions at an address, and the lines of the calls that they replace.
    fn inlined_at(&self, address: u64) -> Vec<(Option<gimli::UnitOffset>, u32)> {
        let frames = self.frames(address);
        let line = |at: usize| at.checked_sub(1).map_or(0, |_| frames[at].line);
        frames.iter().enumerate().map(|(at, frame)| (frame.entry, line(at))).collect()
    }

    /// The language of the unit around an address, if the unit is in a file of its own.
    fn language(&self, address: u64) -> Option<gimli::DwLang> {
        self.unit(address)
            .filter(|unit| unit.dwo_id.is_some())
            .and_then(|unit| unit_language(&unit))
    }
}
