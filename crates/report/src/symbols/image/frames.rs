//! The functions at an address, with their lines.

use std::rc::Rc;

use super::super::enclosing::unit_language;
use super::Image;

/// What line information says about one level of inlining.
#[derive(Clone, Debug)]
pub(crate) struct RawFrame {
    pub(crate) name: Option<Rc<str>>,
    pub(crate) language: Option<gimli::DwLang>,
    /// Where the line information describes the function.
    pub(crate) entry: Option<gimli::UnitOffset>,
    pub(crate) file: Option<Rc<str>>,
    pub(crate) line: u32,
}

impl Image {
    /// Functions that contain `address`, innermost (most inlined) first, with their lines.
    pub(crate) fn frames(&self, address: u64) -> Vec<RawFrame> {
        let mut found = Vec::new();
        let Some(dwarf) = &self.dwarf else { return found };
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

    /// The language of the unit around an address, where that is in a file of its own.
    fn language(&self, address: u64) -> Option<gimli::DwLang> {
        self.unit(address)
            .filter(|unit| unit.dwo_id.is_some())
            .and_then(|unit| unit_language(&unit))
    }
}
