//! Says when a wait with a deadline ends.

use std::time::Duration;

use omphalos_ompd_view::snapshot::Thread;

/// A wait that ends sooner is as good as over.
const SHORTEST: Duration = Duration::from_secs(10);

/// "That is in 56 years: …", for a deadline that is known and not near.
pub fn time_left(thread: &Thread) -> Option<String> {
    let os = thread.os.as_ref()?;
    let left = Duration::from_nanos(os.left?);
    if left < SHORTEST {
        return None;
    }
    let clock = match os.other_clock {
        true => {
            ": its deadline is the time of CLOCK_REALTIME, and the wait counts by CLOCK_MONOTONIC"
        }
        false => "",
    };
    Some(format!("That is in {}{clock}.", length(left)))
}

/// The greatest unit of which there are two at least: "56 years", "3 hours".
fn length(time: Duration) -> String {
    const UNITS: [(u64, &str); 4] =
        [(365 * 24 * 3600, "years"), (24 * 3600, "days"), (3600, "hours"), (60, "minutes")];
    let seconds = time.as_secs();
    let unit = UNITS.iter().find(|(unit, _)| seconds >= 2 * unit);
    let (unit, name) = unit.copied().unwrap_or((1, "seconds"));
    format!("{} {name}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_time_is_told_in_its_greatest_unit() {
        let said = |seconds| length(Duration::from_secs(seconds));
        assert_eq!(said(12), "12 seconds");
        assert_eq!(said(119), "119 seconds");
        assert_eq!(said(7300), "2 hours");
        assert_eq!(said(1_790_000_000), "56 years");
    }
}
