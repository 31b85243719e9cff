//! Finds the code that writes a variable whose address is in the instructions.

use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, Register};

use super::image::Image;
use super::{Symbols, access};

/// The most places that are returned, and the most candidates that are checked.
const MOST_PLACES: usize = 16;
const MOST_CANDIDATES: usize = 1 << 10;
/// The numbers of bytes that a constant operand may take, between the distance to a datum and the
/// instruction's end.
const IMMEDIATES: [u64; 4] = [0, 1, 2, 4];

impl Symbols {
    /// The addresses one past each instruction of the program that writes one of `length` bytes at
    /// `address`.
    pub fn writers(&self, address: u64, length: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for (image, bias) in self.program_files() {
            let at = address.wrapping_sub(bias);
            let left = MOST_PLACES - found.len();
            let own = image.writers(at, length).into_iter().take(left);
            found.extend(own.map(|after| after.wrapping_add(bias)));
        }
        found
    }
}

impl Image {
    fn writers(&self, address: u64, length: u64) -> Vec<u64> {
        let is_wanted = |to: u64| (address..address.saturating_add(length)).contains(&to);
        let mut functions: Vec<(u64, u64)> = Vec::new();
        for &(start, end) in self.functions() {
            let code = self.code_before(end, end - start);
            let first = end - code.len() as u64;
            let names = |(at, four): (usize, &[u8])| {
                let distance = i32::from_le_bytes(four.try_into().unwrap_or_default());
                let behind = first + at as u64 + 4;
                let to = |more: &u64| (behind + more).wrapping_add_signed(i64::from(distance));
                IMMEDIATES.iter().map(to).any(is_wanted)
            };
            if code.windows(4).enumerate().any(names) {
                functions.push((start, end));
            }
            if functions.len() >= MOST_CANDIDATES {
                break;
            }
        }
        let mut info = InstructionInfoFactory::new();
        let mut found = Vec::new();
        for (start, end) in functions {
            let code = self.code_before(end, end - start);
            let first = end - code.len() as u64;
            for one in Decoder::with_ip(64, code, first, DecoderOptions::NONE).iter() {
                let mut used = info.info(&one).used_memory().iter();
                let writes = used.any(|used| {
                    let is_fixed = used.base() == Register::None || used.base() == Register::RIP;
                    let is_whole = used.index() == Register::None;
                    is_fixed
                        && is_whole
                        && is_wanted(used.displacement())
                        && access::writes(used.access())
                });
                if writes {
                    found.push(one.next_ip());
                }
            }
        }
        found
    }
}
