//! Frames of Python code in a stack: each is an address at which the machine has no code.

/// No program of x86-64 or AArch64 has code so high in its half of the addresses.
const BASE: u64 = 1 << 60;
const CODE_BITS: u32 = 24;
const UNIT_BITS: u32 = 23;

/// Returns the address for an instruction: `code` is a [`PythonCode`](crate::PythonCode)'s number,
/// `unit` the instruction's, counted from the code's first in units of two bytes. As with return
/// addresses, the address before it belongs to the same instruction. Async-signal-safe.
pub fn address(code: u32, unit: u64) -> u64 {
    let code = u64::from(code) & ((1 << CODE_BITS) - 1);
    let unit = unit.min((1 << UNIT_BITS) - 1);
    BASE | code << (UNIT_BITS + 1) | unit << 1 | 1
}

/// Returns the number of the code and of the instruction for an address of a stack, or for the
/// address before it; `None` for a program counter.
pub fn parts(address: u64) -> Option<(u32, u64)> {
    let is_python = address >> (CODE_BITS + UNIT_BITS + 1) == BASE >> (CODE_BITS + UNIT_BITS + 1);
    let code = address >> (UNIT_BITS + 1) & ((1 << CODE_BITS) - 1);
    is_python.then_some((code as u32, address >> 1 & ((1 << UNIT_BITS) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_parts() {
        for (code, unit) in [(1, 0), (77, 1234), (0xff_ffff, (1 << 23) - 1)] {
            let address = address(code, unit);
            assert_eq!([parts(address), parts(address - 1)], [Some((code, unit)); 2]);
        }
        assert_eq!(parts(address(5, u64::MAX)), Some((5, (1 << 23) - 1)));
        assert_eq!([parts(0x7fff_1234_5678), parts(1 << 63), parts(u64::MAX)], [None; 3]);
    }
}
