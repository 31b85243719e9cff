//! A module's line information, read when it is first needed. To read that of the C library takes
//! longer than the rest of a small program's report, which often needs none of it.

use std::cell::OnceCell;

use memmap2::Mmap;
use object::Object;

use super::super::debug_file::{self, Section};
use super::super::room::Room;

/// See the module.
pub(super) struct LazyDwarf {
    /// The file that has it, if that is not the module's own.
    separate: Option<Mmap>,
    /// The room that the module's symbols left.
    room: Room,
    opened: OnceCell<Option<addr2line::Context<Section>>>,
}

impl LazyDwarf {
    pub(super) fn new(separate: Option<Mmap>, room: Room) -> LazyDwarf {
        LazyDwarf { separate, room, opened: OnceCell::new() }
    }

    /// The line information of the module with this file, if it has any.
    pub(super) fn of(&self, own: &Mmap) -> Option<&addr2line::Context<Section>> {
        let open = || {
            let file = object::File::parse(&**self.separate.as_ref().unwrap_or(own)).ok()?;
            debug_file::dwarf(&file, &self.room)
        };
        self.opened.get_or_init(open).as_ref()
    }

    /// Whether the module with this file has any. Reads none.
    pub(super) fn is_there(&self, own: &Mmap) -> bool {
        let file = object::File::parse(&**self.separate.as_ref().unwrap_or(own));
        file.is_ok_and(|file| file.section_by_name(".debug_line").is_some())
    }

    /// Whether it was read.
    #[cfg(test)]
    pub(super) fn is_read(&self) -> bool {
        self.opened.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Image;

    /// Symbols, bounds and code are known without it.
    #[test]
    fn line_information_waits_until_it_is_asked_for() {
        let program = std::env::current_exe().expect("this program has a path");
        let image = Image::open(&program, &[]).expect("this program can be read");
        let main = image.function_named("main").expect("a program has one");
        assert!(image.starts_function(main));
        assert!(!image.dwarf.is_read());
        let _ = image.frames(main);
        assert!(image.dwarf.is_read());
    }
}
