//! The call instruction before a return address, read from the code itself.
//!
//! What must hold: only mapped code is read, and the table entry through which a PLT entry jumps.

use super::modules::Modules;

/// A call instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// There is none.
    None,
    /// A call to this address; for a PLT entry, to the function behind it.
    Direct(u64),
    /// A call to an address in a register or in memory.
    Indirect,
}

impl Modules {
    /// Returns the call instruction that ends at `address`. Async-signal-safe.
    pub fn call_before(&self, address: u64) -> Call {
        let Some(module) = self.find(address) else { return Call::None };
        let code = module.code.iter().any(|(from, to)| address >= from + 8 && address < *to);
        if !code {
            return Call::None;
        }
        let mut before = [0u8; 7];
        for (at, byte) in before.iter_mut().enumerate() {
            // SAFETY: inside the module's mapped code, at least eight bytes from its start.
            *byte = unsafe { ((address - 7 + at as u64) as *const u8).read_volatile() };
        }
        let indirect = |opcode: u8, mode: u8| opcode == 0xff && mode & 0x38 == 0x10;
        if before[2] == 0xe8 {
            let distance = i32::from_le_bytes([before[3], before[4], before[5], before[6]]);
            Call::Direct(self.behind_plt(address.wrapping_add_signed(i64::from(distance))))
        } else if (indirect(before[5], before[6]) && before[6] >= 0xd0)
            || (indirect(before[4], before[5]) && before[5] >> 6 == 1)
            || (indirect(before[1], before[2]) && (before[2] >> 6 == 2 || before[2] == 0x15))
        {
            Call::Indirect
        } else {
            Call::None
        }
    }

    /// Returns the function that a call to `target` reaches: a PLT entry jumps on through the
    /// global offset table.
    fn behind_plt(&self, target: u64) -> u64 {
        let Some(module) = self.find(target) else { return target };
        if !module.code.iter().any(|(from, to)| target >= *from && target + 16 <= *to) {
            return target;
        }
        let mut entry = [0u8; 16];
        for (at, byte) in entry.iter_mut().enumerate() {
            // SAFETY: inside the module's mapped code.
            *byte = unsafe { ((target + at as u64) as *const u8).read_volatile() };
        }
        let jump = match entry {
            [0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, ..] => 5,
            [0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, ..] => 4,
            [0xff, 0x25, ..] => 0,
            _ => return target,
        };
        let Some(&[a, b, c, d]) = entry.get(jump + 2..jump + 6) else { return target };
        let offset = i64::from(i32::from_le_bytes([a, b, c, d]));
        let place = (target + jump as u64 + 6).wrapping_add_signed(offset);
        if place % 8 != 0 || place < module.start || place + 8 > module.end {
            return target;
        }
        // SAFETY: the table entry that the module's own code jumps through.
        unsafe { (place as *const u64).read_volatile() }
    }
}
