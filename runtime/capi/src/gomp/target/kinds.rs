//! The requests that the map kinds of GCC's interface make to a device (`gomp-constants.h`, GCC 5
//! to 15).
//!
//! The low byte is the kind, the bits above it the logarithm of the alignment. Two bits together
//! mean that no clause of the program's names the variable.

use core::ffi::{c_ushort, c_void};
use omphalos_mapping::{Item, Kind, Map, Release};

const IMPLICIT: c_ushort = 0x60;
const TO: c_ushort = 1;
const FROM: c_ushort = 2;

/// Returns a kind without its alignment and without the bits for "implicit", and whether it had
/// these bits.
pub fn kind_of(word: c_ushort) -> (c_ushort, bool) {
    let implicit = word & IMPLICIT == IMPLICIT;
    (word & 0xff & if implicit { !IMPLICIT } else { !0 }, implicit)
}

/// Returns the request of a list item at a construct's begin; `None` for unknown kinds.
fn at_begin(word: c_ushort) -> Option<Kind> {
    let (kind, implicit) = kind_of(word);
    let (to, from) = (kind & TO != 0, kind & FROM != 0);
    let map = Map { to, from, implicit, ..Map::ALLOC };
    Some(match kind {
        0x00..=0x03 => Kind::Map(map),
        0x80..=0x83 => Kind::Map(Map { fresh: true, ..map }),
        0x11..=0x13 => Kind::Map(map.always()),
        0x84..=0x87 => Kind::Map(Map { present: true, ..map }),
        0x95..=0x97 => Kind::Map(Map { present: true, ..map.always() }),
        0x04 => Kind::Pointer { may_miss: false },
        0x1e => Kind::Pointer { may_miss: true },
        0x05 => Kind::Descriptor,
        0x06 => Kind::Map(Map { present: true, implicit, ..Map::ALLOC }),
        0x0b => Kind::IfPresent,
        0x0c => Kind::Firstprivate,
        0x08 | 0x0d => Kind::Value,
        0x0e => Kind::Translate { must: true },
        0x10 => Kind::Translate { must: false },
        0x0f => Kind::NoLength { must: false, keep: false, hold: false },
        0x1c | 0x3c => Kind::Members,
        0x1d => Kind::AlwaysPointer,
        0x50 => Kind::Attach { may_miss: false },
        0x52 => Kind::Attach { may_miss: true },
        _ => return None,
    })
}

/// Returns the request of a list item in `target exit data`.
fn at_exit(word: c_ushort) -> Option<Kind> {
    let release = |from, always, delete, no_length| {
        Kind::Release(Release { from, always, delete, no_length, ..Release::default() })
    };
    Some(match kind_of(word).0 {
        0x02 | 0x03 | 0x82 | 0x83 => release(true, false, false, false),
        0x12 | 0x13 => release(true, true, false, false),
        0x07 => release(false, false, true, false),
        0x17 | 0x00 | 0x01 | 0x11 => release(false, false, false, false),
        0x0f => release(false, false, false, true),
        0x1f => release(false, false, true, true),
        0x51 => Kind::Detach { always: false },
        0xd1 => Kind::Detach { always: true },
        0x04 | 0x05 | 0x1c | 0x1d | 0x1e | 0x3c => Kind::Nothing,
        _ => return None,
    })
}

/// A construct's list as GCC describes it: addresses, sizes, kinds.
#[derive(Clone, Copy)]
pub struct Items {
    pub count: usize,
    pub addresses: *const *mut c_void,
    pub sizes: *const usize,
    pub kinds: *const c_ushort,
}

impl Items {
    /// Returns one item: address, size, kind.
    ///
    /// # Safety
    /// The three arrays hold `count` elements, and `at` is less.
    pub unsafe fn get(&self, at: usize) -> (*mut c_void, usize, c_ushort) {
        // SAFETY: the caller's promise.
        unsafe { (*self.addresses.add(at), *self.sizes.add(at), *self.kinds.add(at)) }
    }

    /// Returns the requests of all items; `Err` has a kind that is unknown.
    ///
    /// # Safety
    /// The three arrays hold `count` elements.
    pub unsafe fn list(&self, exit: bool) -> Result<Vec<Item>, c_ushort> {
        let one = |at| {
            // SAFETY: the caller's promise.
            let (address, size, word) = unsafe { self.get(at) };
            let kind = if exit { at_exit(word) } else { at_begin(word) };
            let align = 1 << (word >> 8).min(12);
            kind.map(|kind| Item { address: address as usize, size, align, kind }).ok_or(word)
        };
        (0..self.count).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_say_which_way() {
        assert_eq!(at_begin(0x0203), Some(Kind::Map(Map::TOFROM)));
        let implicit = Map { implicit: true, ..Map::TOFROM };
        assert_eq!(at_begin(0x0263), Some(Kind::Map(implicit)));
        assert_eq!(at_begin(0x0312), Some(Kind::Map(Map::FROM.always())));
        assert_eq!(at_begin(0x0350), Some(Kind::Attach { may_miss: false }));
        assert_eq!(at_begin(0x0309), None);
        let release = Release { from: true, ..Release::default() };
        assert_eq!(at_exit(0x0202), Some(Kind::Release(release)));
    }
}
