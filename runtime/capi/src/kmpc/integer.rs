//! The four loop variable types of LLVM's interface, as 64-bit two's complement.

/// A loop variable type.
pub trait Integer: Copy {
    /// The type of steps and chunks.
    type Signed: Copy;
    /// Returns the value widened (sign- or zero-extended).
    fn widen(self) -> u64;
    /// Returns a widened value as this type, which has room for it.
    fn narrow(value: u64) -> Self;
    /// Returns a step, sign-extended.
    fn step(step: Self::Signed) -> i64;
    /// Returns a sign-extended step as the type of steps, which has room for it.
    fn narrow_step(step: i64) -> Self::Signed;
    /// Whether `self` comes after `other`.
    fn after(self, other: Self) -> bool;
    /// Returns `self - other` as an unsigned distance; `self` is not before `other`.
    fn distance(self, other: Self) -> u64;
}

macro_rules! integer {
    ($($type:ty, $signed:ty, $unsigned:ty;)*) => { $(
        impl Integer for $type {
            type Signed = $signed;
            #[inline(always)]
            fn widen(self) -> u64 {
                self as i64 as u64
            }
            #[inline(always)]
            fn narrow(value: u64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn step(step: $signed) -> i64 {
                i64::from(step)
            }
            #[inline(always)]
            fn narrow_step(step: i64) -> $signed {
                step as $signed
            }
            #[inline(always)]
            fn after(self, other: Self) -> bool {
                self > other
            }
            #[inline(always)]
            fn distance(self, other: Self) -> u64 {
                (self as $unsigned).wrapping_sub(other as $unsigned) as u64
            }
        }
    )* };
}

integer! {
    i32, i32, u32;
    u32, i32, u32;
    i64, i64, u64;
    u64, i64, u64;
}

/// Iterations of `for (v = lower; v <= upper; v += step)` (or `>=` for a negative step), saturated
/// at the largest 64-bit number.
#[inline]
pub fn trip_count<T: Integer>(lower: T, upper: T, step: i64) -> u64 {
    let (far, near) = if step > 0 { (upper, lower) } else { (lower, upper) };
    if step == 0 || near.after(far) {
        return 0;
    }
    (far.distance(near) / step.unsigned_abs()).saturating_add(1)
}

/// As [`trip_count`], for a loop that is shared out by bounds. Flang counts from 0. A loop of
/// Flang's without iterations ends at -1, which in an unsigned type is the largest number. No other
/// loop of such a type runs through all numbers of the type.
#[inline]
pub fn shared_trip_count<T: Integer>(lower: T, upper: T, step: i64) -> u64 {
    let (none, least) = (T::narrow(u64::MAX), T::narrow(0));
    let has_no_sign = none.after(least);
    let is_whole = lower.widen() == least.widen() && upper.widen() == none.widen();
    match has_no_sign && is_whole && step == 1 {
        true => 0,
        false => trip_count(lower, upper, step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trips_of_all_types_and_directions() {
        assert_eq!(trip_count(0i32, 9, 1), 10);
        assert_eq!(trip_count(9i32, 0, -3), 4);
        assert_eq!(trip_count(5i32, 4, 1), 0);
        assert_eq!(trip_count(i32::MIN, i32::MAX, 1), 1 << 32);
        assert_eq!(trip_count(0u32, u32::MAX, 2), 1 << 31);
        assert_eq!(trip_count(i64::MIN, i64::MAX, 1), u64::MAX);
        assert_eq!(trip_count(u64::MAX, 0, -1), u64::MAX);
        assert_eq!(
            (shared_trip_count(0u32, u32::MAX, 1), shared_trip_count(0u64, u64::MAX, 1)),
            (0, 0)
        );
        assert_eq!(shared_trip_count(0u32, u32::MAX - 1, 1), u64::from(u32::MAX));
        assert_eq!((shared_trip_count(0i32, -1, 1), shared_trip_count(-1i32, 0, 1)), (0, 2));
    }
}
