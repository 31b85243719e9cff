//! The names of regions: `codeptr_ra`, unless several regions have the same one.
//!
//! A function that ends in a region may leave for the runtime by a jump: then `codeptr_ra` is an
//! address of its caller, and several regions may have the same. A runtime that says which
//! outlined function a region has tells them apart. The first one of an address keeps it as its
//! name; each other one gets a name that is no address.
//!
//! What must hold: all threads give a region the same name, without a lock. A place of the table is
//! taken once, by its address, and then by that address's first function; neither changes again.

use core::sync::atomic::{
    AtomicU64,
    Ordering::{AcqRel, Acquire},
};

struct Known {
    codeptr: AtomicU64,
    body: AtomicU64,
}

/// The number of addresses that the table has room for; regions of further addresses keep their
/// `codeptr_ra`.
const KNOWN_ADDRESSES: usize = 1024;

static KNOWN: [Known; KNOWN_ADDRESSES] =
    [const { Known { codeptr: AtomicU64::new(0), body: AtomicU64::new(0) } }; KNOWN_ADDRESSES];

/// A bit that no address of a program has.
const NO_ADDRESS: u64 = 1 << 63;

/// Returns the name of a region, by its `codeptr_ra` and its outlined function, 0 = not known. Also
/// returns the function that has the address itself as its name, if that is another one.
#[inline]
pub fn name(codeptr: u64, body: u64) -> (u64, Option<u64>) {
    let known = KNOWN.get(index(codeptr)).filter(|_| body != 0 && codeptr != 0);
    match known {
        Some(known) if known.codeptr.load(Acquire) == codeptr => match known.body.load(Acquire) {
            first if first == body => (codeptr, None),
            _ => new(codeptr, body),
        },
        Some(_) => new(codeptr, body),
        None => (codeptr, None),
    }
}

fn index(codeptr: u64) -> usize {
    (codeptr.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

#[cold]
fn new(codeptr: u64, body: u64) -> (u64, Option<u64>) {
    let first = index(codeptr);
    for known in KNOWN.iter().cycle().skip(first).take(KNOWN_ADDRESSES) {
        let at = known.codeptr.compare_exchange(0, codeptr, AcqRel, Acquire);
        if at.is_err_and(|other| other != codeptr) {
            continue;
        }
        return match known.body.compare_exchange(0, body, AcqRel, Acquire) {
            Ok(_) => (codeptr, None),
            Err(first) if first == body => (codeptr, None),
            Err(first) => (other(codeptr, body), Some(first)),
        };
    }
    (codeptr, None)
}

/// Returns a name for a further function of an address.
fn other(codeptr: u64, body: u64) -> u64 {
    let mixed = (codeptr ^ body.rotate_left(24)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 1 | NO_ADDRESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_function_of_an_address_keeps_it() {
        assert_eq!(name(0x1000, 0), (0x1000, None));
        assert_eq!(name(0x1000, 0x50), (0x1000, None));
        let (second, first) = name(0x1000, 0x60);
        assert_eq!((second & NO_ADDRESS, first), (NO_ADDRESS, Some(0x50)));
        assert_eq!(name(0x1000, 0x60).0, second);
        assert_ne!(name(0x1000, 0x70).0, second);
        assert_eq!(name(0x1000, 0x50), (0x1000, None));
        // Others with the same place.
        let like = (0x1001..).find(|at| index(*at) == index(0x1000)).expect("an address");
        assert_eq!(name(like, 0x50), (like, None));
        assert_eq!(name(like, 0x51).1, Some(0x50));
    }
}
