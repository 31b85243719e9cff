//! Finds a text in many bytes, sixteen places at a time.

use core::arch::x86_64::{
    _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
};

/// Places that are looked at before the next branch.
const PLACES: usize = 64;

/// Returns the first place of `text`, which has at least three bytes. Its last three bytes choose
/// the places to look at, since names differ most in their ends. Async-signal-safe.
#[cold]
pub fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let end = text.len().checked_sub(3)?;
    let ends = [text[end], text[end + 1], text[end + 2]];
    let mut at = 0;
    while at + text.len() + PLACES <= bytes.len() {
        // SAFETY: behind the last place there is still room for the text.
        let mut places = unsafe { places_of(bytes.as_ptr().add(at + end), ends) };
        while places != 0 {
            let place = at + places.trailing_zeros() as usize;
            if bytes[place..].starts_with(text) {
                return Some(place);
            }
            places &= places - 1;
        }
        at += PLACES;
    }
    bytes[at..].windows(text.len()).position(|place| place == text).map(|found| at + found)
}

/// Returns the places among 64 at which these three bytes stand, one bit for each.
///
/// # Safety
/// 66 bytes can be read.
#[inline(always)]
unsafe fn places_of(from: *const u8, ends: [u8; 3]) -> u64 {
    // SAFETY: the caller's promise; every x86-64 processor has these instructions.
    unsafe {
        let wanted = ends.map(|byte| _mm_set1_epi8(byte as i8));
        let among = |at: usize| {
            let is = |byte: usize| {
                _mm_cmpeq_epi8(_mm_loadu_si128(from.add(at + byte).cast()), wanted[byte])
            };
            _mm_and_si128(_mm_and_si128(is(0), is(1)), is(2))
        };
        let parts = [among(0), among(16), among(32), among(48)];
        let any = _mm_or_si128(_mm_or_si128(parts[0], parts[1]), _mm_or_si128(parts[2], parts[3]));
        if _mm_movemask_epi8(any) == 0 {
            return 0;
        }
        let bits = |part: usize| u64::from(_mm_movemask_epi8(parts[part]) as u16);
        bits(0) | bits(1) << 16 | bits(2) << 32 | bits(3) << 48
    }
}
