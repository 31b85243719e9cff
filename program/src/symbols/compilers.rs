//! Finds the compilers of the code with the regions: from the debug information, where gcc also
//! writes its options; otherwise from `.comment`.

use std::collections::BTreeSet;

use gimli::DW_AT_producer;
use object::{Object, ObjectSection};

use super::Symbols;
use super::image::Image;
use crate::visible::visible;

/// The most compilers, with different options, that are listed.
const MOST: usize = 8;

impl Symbols {
    /// The compilers of the code at these addresses, each once, in the order of their names.
    pub fn compilers(&self, places: impl Iterator<Item = u64>) -> Vec<String> {
        let mut found = BTreeSet::new();
        for place in places.map(|place| place.wrapping_sub(1)) {
            let Some((image, bias)) = self.image(place) else { continue };
            match of_unit(image, place.wrapping_sub(bias)) {
                Some(name) => drop(found.insert(name)),
                None => found.extend(of_comment(image)),
            }
        }
        found.iter().take(MOST).map(|text| visible(text).into_owned()).collect()
    }
}

fn of_unit(image: &Image, address: u64) -> Option<String> {
    let unit = image.unit(address)?;
    let root = unit.entry(unit.header.root_offset()).ok()?;
    let name = unit.attr_string(root.attr_value(DW_AT_producer)?).ok()?;
    let name = String::from_utf8_lossy(&name).into_owned();
    (!name.is_empty()).then_some(name)
}

/// The compilers in a file's `.comment`. Files of the C library add gcc's name there, so it tells
/// nothing beside another one.
fn of_comment(image: &Image) -> Vec<String> {
    let Ok(elf) = object::File::parse(image.bytes()) else { return Vec::new() };
    let data = elf.section_by_name(".comment").and_then(|section| section.data().ok());
    let texts = data.unwrap_or_default().split(|byte| *byte == 0).filter(|text| !text.is_empty());
    let all: Vec<String> = texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    let is_other = |name: &&String| !name.starts_with("GCC:") && !name.starts_with("Linker:");
    let others: Vec<String> = all.iter().filter(is_other).cloned().collect();
    if others.is_empty() { all } else { others }
}
