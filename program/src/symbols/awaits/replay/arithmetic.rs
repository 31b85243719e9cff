//! What instructions compute, and the flags that they set. A flag that an instruction leaves
//! undefined is not known.

use iced_x86::{ConditionCode, Mnemonic};

use super::super::value::cut;

/// The flags on which jumps depend, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    zero: Option<bool>,
    sign: Option<bool>,
    carry: Option<bool>,
    overflow: Option<bool>,
}

/// What an instruction computes.
pub(super) struct Computed {
    /// `None`: it only sets flags.
    pub(super) result: Option<u64>,
    pub(super) flags: Flags,
    /// It leaves some flags as they are.
    pub(super) keeps_flags: bool,
}

impl Flags {
    /// Those in the processor's word.
    pub(super) fn of(word: u64) -> Flags {
        let bit = |at: u32| Some(word >> at & 1 == 1);
        Flags { zero: bit(6), sign: bit(7), carry: bit(0), overflow: bit(11) }
    }

    /// Whether a condition holds, if that is known.
    pub(super) fn holds(self, code: ConditionCode) -> Option<bool> {
        use ConditionCode::{a, ae, b, be, e, g, ge, l, le, ne, no, ns, o, s};
        let Flags { zero, sign, carry, overflow } = self;
        let less = || Some(sign? != overflow?);
        Some(match code {
            o => overflow?,
            no => !overflow?,
            b => carry?,
            ae => !carry?,
            e => zero?,
            ne => !zero?,
            be => carry? || zero?,
            a => !(carry? || zero?),
            s => sign?,
            ns => !sign?,
            l => less()?,
            ge => !less()?,
            le => less()? || zero?,
            g => !(less()? || zero?),
            _ => return None,
        })
    }
}

/// What an instruction makes of two numbers of `size` bytes; `None` if it is not one of these.
pub(super) fn of(
    mnemonic: Mnemonic,
    left: u64,
    right: u64,
    size: usize,
    before: Flags,
) -> Option<Computed> {
    use Mnemonic::{Add, And, Cmp, Dec, Imul, Inc, Neg, Not, Or, Sar, Shl, Shr, Sub, Test, Xor};
    let short = |number: u64| cut(number, size, false);
    let is_negative = |number: u64| (cut(number, size, true) as i64) < 0;
    let (left, right) = (short(left), short(right));
    let count = right & if size == 8 { 63 } else { 31 };
    let right = if matches!(mnemonic, Inc | Dec) { 1 } else { right };
    let (result, carry, overflow) = match mnemonic {
        Add | Inc => {
            let sum = short(left.wrapping_add(right));
            let carry = sum < left;
            let is_over = is_negative(left) == is_negative(right);
            (sum, Some(carry), Some(is_over && is_negative(sum) != is_negative(left)))
        }
        Sub | Cmp | Dec => minus(left, right, &short, &is_negative),
        Neg => minus(0, left, &short, &is_negative),
        And | Test => (left & right, Some(false), Some(false)),
        Or => (left | right, Some(false), Some(false)),
        Xor => (left ^ right, Some(false), Some(false)),
        Not => (short(!left), None, None),
        Imul => (short(left.wrapping_mul(right)), None, None),
        // Such a count of zero changes no flag.
        Shl | Shr | Sar if count == 0 || size < 4 => return None,
        Shl => (short(left << count), Some(left >> (8 * size as u64 - count) & 1 == 1), None),
        Shr => (left >> count, Some(left >> (count - 1) & 1 == 1), None),
        Sar => {
            let whole = cut(left, size, true) as i64;
            (short((whole >> count) as u64), Some(whole >> (count - 1) & 1 == 1), None)
        }
        _ => return None,
    };
    let keeps_flags = matches!(mnemonic, Inc | Dec);
    let (zero, sign) = match mnemonic {
        Imul => (None, None),
        _ => (Some(result == 0), Some(is_negative(result))),
    };
    let carry = if keeps_flags { before.carry } else { carry };
    let flags = Flags { zero, sign, carry, overflow };
    let result = (!matches!(mnemonic, Cmp | Test)).then_some(result);
    Some(Computed { result, flags, keeps_flags })
}

fn minus(
    left: u64,
    right: u64,
    short: &impl Fn(u64) -> u64,
    is_negative: &impl Fn(u64) -> bool,
) -> (u64, Option<bool>, Option<bool>) {
    let rest = short(left.wrapping_sub(right));
    let is_over = is_negative(left) != is_negative(right);
    (rest, Some(left < right), Some(is_over && is_negative(rest) != is_negative(left)))
}

/// Quotient and rest of a number in two registers of `size` bytes; `None` if the processor would
/// refuse.
pub(super) fn divide(
    (high, low): (u64, u64),
    by: u64,
    size: usize,
    signed: bool,
) -> Option<(u64, u64)> {
    let bits = 8 * size as u32;
    let whole = u128::from(high) << bits | u128::from(low);
    if signed {
        let whole = (whole << (128 - 2 * bits)) as i128 >> (128 - 2 * bits);
        let by = i128::from(cut(by, size, true) as i64);
        let quotient = whole.checked_div(by)?;
        let fits = i128::from(cut(quotient as u64, size, true) as i64) == quotient;
        return fits.then_some((quotient as u64, whole.checked_rem(by)? as u64));
    }
    let by = u128::from(by);
    let quotient = whole.checked_div(by)?;
    let fits = u128::from(cut(quotient as u64, size, false)) == quotient;
    fits.then_some((quotient as u64, whole.checked_rem(by)? as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_processor() {
        use ConditionCode::{a, b, e, g, ge, l, o, s};
        let of = |mnemonic, left: i64, right: i64, size, code| {
            let all = Flags::default();
            let found = super::of(mnemonic, left.cast_unsigned(), right.cast_unsigned(), size, all);
            found.and_then(|found| found.flags.holds(code))
        };
        let compares = |left, right, code| of(Mnemonic::Cmp, left, right, 4, code);
        assert_eq!(compares(-1, 1, l), Some(true));
        assert_eq!(compares(-1, 1, a), Some(true));
        assert_eq!(compares(i64::from(i32::MIN), 1, o), Some(true));
        assert_eq!(compares(i64::from(i32::MIN), 1, ge), Some(false));
        assert_eq!(compares(7, 7, e), Some(true));
        assert_eq!(of(Mnemonic::Add, -1, 1, 4, b), Some(true));
        assert_eq!(of(Mnemonic::Add, i64::from(i32::MAX), 1, 4, o), Some(true));
        assert_eq!(of(Mnemonic::Test, -2, -2, 8, s), Some(true));
        assert_eq!(of(Mnemonic::Sar, -8, 1, 4, g), None);
        assert_eq!(of(Mnemonic::Inc, 1, 0, 4, b), None);
    }

    #[test]
    fn what_the_processor_refuses_is_not_divided() {
        assert_eq!(divide((0, 7), 2, 4, false), Some((3, 1)));
        assert_eq!(divide((0, 7), 0, 4, false), None);
        assert_eq!(divide((2, 0), 2, 4, false), None);
        let minus_seven = (0xffff_ffff, (-7i32).cast_unsigned().into());
        let found = divide(minus_seven, 2, 4, true).map(|(one, two)| (one as i32, two as i32));
        assert_eq!(found, Some((-3, -1)));
    }
}
