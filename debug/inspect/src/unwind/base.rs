//! Finds the frame pointer of a function from its stack pointer and the beginning of its code.
//!
//! For a sleeping thread that nothing stops, the kernel gives the stack pointer alone. A function
//! with a frame pointer shows at its beginning how far that is from the stack pointer. What must
//! hold: if the function has moved its stack pointer later, there is no answer. So a return address
//! must stand behind the frame pointer.

use omphalos_ompd_view::Target;

use crate::space::word;

/// Bytes of a function's beginning that are looked at.
const BEGINNING: usize = 48;

/// The frame pointer of the function that begins at `begin`, if its stack pointer is `sp`.
pub fn of_frame(target: &dyn Target, begin: u64, sp: u64) -> Option<u64> {
    let mut code = [0; BEGINNING];
    target.read(begin, &mut code).ok()?;
    let base = sp.checked_add(distance(&code)?)?;
    returns(target, word(target, base.checked_add(8)?).ok()?).then_some(base)
}

/// Returns the distance by which the code lowers the stack pointer below the frame pointer.
fn distance(code: &[u8]) -> Option<u64> {
    // endbr64; push rbp; mov rbp, rsp, in one of its two forms.
    let code = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
    let code = code.strip_prefix(&[0x55])?;
    let mut code = [&[0x48, 0x89, 0xe5], &[0x48, 0x8b, 0xec]]
        .into_iter()
        .find_map(|set: &[u8; 3]| code.strip_prefix(set))?;
    let mut distance = 0;
    loop {
        code = match code {
            // push of a register.
            [0x50..=0x57, rest @ ..] | [0x41, 0x50..=0x57, rest @ ..] => rest,
            // sub rsp, by one byte or by four.
            [0x48, 0x83, 0xec, by @ 0..=0x7f, ..] => return Some(distance + u64::from(*by)),
            [0x48, 0x81, 0xec, a, b, c, d, ..] => {
                return Some(distance + u64::from(u32::from_le_bytes([*a, *b, *c, *d])));
            }
            _ => return Some(distance),
        };
        distance += 8;
    }
}

/// Whether a call ends right before `address`.
fn returns(target: &dyn Target, address: u64) -> bool {
    const LONGEST: usize = 7;
    let mut before = [0; LONGEST];
    if target.read(address.wrapping_sub(LONGEST as u64), &mut before).is_err() {
        return false;
    }
    let through = |at: usize| before[at] == 0xff && before[at + 1] & 0x38 == 0x10;
    before[LONGEST - 5] == 0xe8 || (0..LONGEST - 1).any(through)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_tell_how_far_the_stack_pointer_is() {
        let gcc = [0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x28, 0x90];
        assert_eq!(distance(&gcc), Some(0x30));
        let clang = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x81, 0xec, 0x10, 0x02, 0, 0, 0x90];
        assert_eq!(distance(&clang), Some(0x210));
        let pushes = [0x55, 0x48, 0x89, 0xe5, 0x41, 0x57, 0x53, 0xe8, 0, 0, 0, 0];
        assert_eq!(distance(&pushes), Some(16));
        assert_eq!(distance(&[0x53, 0x48, 0x83, 0xec, 0x28]), None);
    }
}
