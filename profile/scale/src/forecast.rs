//! Foretells the time with twice the threads.
//!
//! Between two sizes, the elapsed time of each construct went as `a + b / threads`: a part that
//! more threads do not shorten, and one that they share. It is assumed to go on so. Where a
//! construct got slower, it is assumed to get slower by the same amount with each doubling.

use serde::{Deserialize, Serialize};

use crate::rows::Construct;

/// A time that is foretold, not measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The number of threads.
    pub threads: u32,
    /// The elapsed time, ns.
    pub elapsed_ns: f64,
    /// The elapsed time of the first size, divided by this one.
    pub speedup: f64,
    /// Whether the time is a lower bound. This is so if only one size was measured: then nothing
    /// shows how threads slow each other down.
    pub is_least: bool,
}

/// Returns the elapsed time with `threads` threads, ns. `sizes`: the threads of each size; `known`:
/// the indexes of the usable sizes, of which the last two count. `held`: how long the busiest lock
/// is held.
pub(crate) fn elapsed(
    constructs: &[Construct],
    sizes: &[u32],
    known: &[usize],
    threads: u32,
    held: f64,
) -> f64 {
    let Some(&last) = known.last() else { return 0.0 };
    let earlier = known.len().checked_sub(2).map(|at| known[at]);
    let mut regions = 0.0;
    let mut outside = 0.0;
    for construct in constructs.iter().filter(|construct| construct.is_outermost()) {
        let Some(row) = construct.sizes[last] else { continue };
        let now = (f64::from(sizes[last]), row.elapsed_ns);
        let before = earlier.and_then(|at| Some((f64::from(sizes[at]), construct.sizes[at]?)));
        let then = match before {
            Some((m, before)) => along((m, before.elapsed_ns), now, f64::from(threads)),
            None => now.1 * now.0 / f64::from(threads),
        };
        match construct.level {
            // One thread works there, however many there are.
            0 => outside += then.max(now.1),
            _ => regions += then,
        }
    }
    outside + f64::max(regions, held)
}

/// Continues the curve through two points, each of threads and time.
fn along((m, earlier): (f64, f64), (n, now): (f64, f64), threads: f64) -> f64 {
    if now > earlier {
        return now + (now - earlier) * (threads / n).ln() / (n / m).ln();
    }
    let shared = (earlier - now) / (1.0 / m - 1.0 / n);
    let fixed = (now - shared / n).max(0.0);
    fixed + (now - fixed) * n / threads
}

#[cfg(test)]
mod tests {
    use super::along;

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }

    #[test]
    fn curves_go_on() {
        near(along((1.0, 100.0), (2.0, 50.0), 4.0), 25.0);
        near(along((1.0, 100.0), (2.0, 55.0), 4.0), 32.5);
        near(along((4.0, 30.0), (8.0, 30.0), 16.0), 30.0);
        near(along((4.0, 30.0), (8.0, 36.0), 16.0), 42.0);
        // Faster than threads alone can make it: a cache became large enough.
        near(along((1.0, 100.0), (2.0, 40.0), 4.0), 20.0);
    }
}
