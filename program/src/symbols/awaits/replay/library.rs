//! Calls of the C library that compare text and bytes, as walks through tables of names do: only
//! their results are replayed.

use iced_x86::{Instruction, Register};

use super::machine::{Machine, Step, Value};

/// Bytes that are compared, at most.
const LONGEST: u64 = 256;

/// Whether this is the name of such a function.
pub fn is_comparison(name: &str) -> bool {
    ["bcmp", "memcmp", "strcmp", "strncmp"].contains(&name)
}

impl Machine<'_> {
    /// Follows a call of such a function: where the code goes on, and what the call did. The inner
    /// value is `None` for any other function.
    pub(super) fn compares(
        &mut self,
        name: &str,
        call: &Instruction,
    ) -> Option<Option<(u64, Step)>> {
        if !is_comparison(name) {
            return Some(None);
        }
        let (is_text, has_length) = (name.starts_with("str"), name != "strcmp");
        self.begin(call);
        let one = self.register(Register::RDI)?.number;
        let other = self.register(Register::RSI)?.number;
        let length = if has_length { self.register(Register::RDX)?.number } else { u64::MAX };
        let mut result = 0i32;
        for at in 0..length {
            if at >= LONGEST {
                return None;
            }
            let (left, right) =
                (self.byte(one.wrapping_add(at))?, self.byte(other.wrapping_add(at))?);
            result = i32::from(left > right) - i32::from(left < right);
            if result != 0 || is_text && left == 0 {
                break;
            }
        }
        let number = u64::from(result.cast_unsigned());
        self.set(Register::RAX, Value { number, from: 0 })?;
        self.forget_flags();
        Some(Some((call.next_ip(), self.end())))
    }

    fn byte(&mut self, at: u64) -> Option<u64> {
        self.bytes((at, 1)).map(|(value, _)| value.number)
    }
}
