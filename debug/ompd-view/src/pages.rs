//! Reads a target page by page, for readers that read all of it once.

use crate::quick::QuickMap;
use crate::target::{Fault, Registers, Target};
use std::cell::RefCell;

const PAGE: u64 = 4096;
/// The most pages that are kept: 256 MiB.
const MOST_PAGES_KEPT: usize = 1 << 16;

/// See the module. It keeps every page that it has read, so the target should stand still. Where a
/// page cannot be read as a whole, and for more bytes than a page has, it asks the target itself.
pub struct Pages<'t> {
    target: &'t dyn Target,
    /// `None`: the page cannot be read as a whole.
    known: RefCell<QuickMap<u64, Option<Box<[u8; PAGE as usize]>>>>,
}

impl<'t> Pages<'t> {
    /// Makes a reader of everything that `target` gives.
    pub fn of(target: &'t dyn Target) -> Pages<'t> {
        Pages { target, known: RefCell::new(QuickMap::default()) }
    }
}

impl Target for Pages<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let (page, offset) = (address / PAGE, (address % PAGE) as usize);
        if offset + into.len() > PAGE as usize {
            let first = PAGE as usize - offset;
            if into.len() > PAGE as usize {
                return self.target.read(address, into);
            }
            let (one, other) = into.split_at_mut(first);
            self.read(address, one)?;
            return self.read(address.wrapping_add(first as u64), other);
        }
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST_PAGES_KEPT {
            known.clear();
        }
        let bytes = known.entry(page).or_insert_with(|| {
            let mut bytes = Box::new([0; PAGE as usize]);
            self.target.read(page * PAGE, &mut bytes[..]).ok().map(|()| bytes)
        });
        match bytes {
            Some(bytes) => {
                let from = &bytes[offset..offset + into.len()];
                // Nearly all reads are of words.
                match (<&mut [u8; 8]>::try_from(&mut *into), <&[u8; 8]>::try_from(from)) {
                    (Ok(into), Ok(from)) => *into = *from,
                    _ => into.copy_from_slice(from),
                }
            }
            None => self.target.read(address, into)?,
        }
        Ok(())
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        self.target.symbol(name, library)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        self.target.threads()
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        self.target.registers(lwp)
    }
}
