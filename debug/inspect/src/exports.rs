//! Finds functions of the C library from the exports of its file: few names, quick to read, and
//! present in every installation.

use std::cell::{RefCell, RefMut};
use std::collections::HashMap;

use object::{Object, ObjectSymbol, SymbolKind};

use crate::space::{Module, Space};

/// A larger file is not read.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// An exported function: where it begins and ends in the file's own addresses, and its name.
type Function = (u64, u64, String);

/// The exported functions of the files that were asked for, each file read once.
#[derive(Default)]
pub struct Exports {
    files: RefCell<HashMap<u64, Vec<Function>>>,
}

impl Exports {
    fn of(&self, space: &dyn Space, module: &Module) -> RefMut<'_, Vec<Function>> {
        RefMut::map(self.files.borrow_mut(), |files| {
            let read = || space.file(module).and_then(|file| read(&file)).unwrap_or_default();
            files.entry(module.base).or_insert_with(read)
        })
    }

    /// The exported function that `address` is in, if `module` has one there.
    pub fn name(&self, space: &dyn Space, module: &Module, address: u64) -> Option<String> {
        let functions = self.of(space, module);
        let at = address.wrapping_sub(module.base);
        let next = functions.partition_point(|(start, ..)| *start <= at);
        // Several names may begin at one place, and not all of them have the function's length.
        let near = functions[..next].iter().rev().take(4);
        near.into_iter().find(|(_, end, _)| at < *end).map(|(_, _, name)| name.clone())
    }

    /// Whether `module` exports a function of that name.
    pub fn has(&self, space: &dyn Space, module: &Module, name: &str) -> bool {
        self.of(space, module).iter().any(|(_, _, exported)| exported == name)
    }
}

/// Whether the file exports anything of that name.
pub fn defines(path: &str, name: &str) -> bool {
    with(path, |file| {
        let mut all = file.dynamic_symbols();
        all.any(|symbol| symbol.is_definition() && symbol.name() == Ok(name))
    })
    .unwrap_or_default()
}

fn with<R>(path: &str, look: impl FnOnce(&object::File) -> R) -> Option<R> {
    let readable = |about: &std::fs::Metadata| about.is_file() && about.len() <= MAX_FILE_BYTES;
    std::fs::metadata(path).ok().filter(readable)?;
    let bytes = std::fs::read(path).ok()?;
    Some(look(&object::File::parse(&*bytes).ok()?))
}

fn read(path: &str) -> Option<Vec<Function>> {
    with(path, functions)
}

fn functions(file: &object::File) -> Vec<Function> {
    let functions = file.dynamic_symbols().filter(|symbol| {
        symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.size() > 0
    });
    let mut functions: Vec<Function> = functions
        .filter_map(|symbol| {
            let end = symbol.address().checked_add(symbol.size())?;
            Some((symbol.address(), end, symbol.name().ok()?.to_owned()))
        })
        .collect();
    functions.sort();
    functions
}
