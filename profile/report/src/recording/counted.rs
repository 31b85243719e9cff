//! Counters of the system and the processor while records are read: the sums by place, and the
//! figures of the whole process.

use std::collections::BTreeMap;

use omphalos_profile_format::{CounterDifference, CounterSources, ProcessCounters, Record};

use super::bounds::{Bounded, LARGEST};
use super::{StackIndex, take::text};
use crate::maps::HashMap;
use crate::ompt::Activity;

/// The most places that are taken, in case of a damaged file.
const MOST_PLACES: usize = 1 << 20;
const MOST_LINES: usize = 1 << 10;

/// The activity of a thread while its counters counted, and the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Doing {
    /// At work in the region with this `codeptr_ra`.
    Region(u64),
    /// At work outside of any.
    Serial,
    /// In the runtime.
    Waiting,
}

impl Doing {
    fn of(record: &CounterDifference) -> Doing {
        match Activity::of_state(record.state) {
            Activity::Serial => Doing::Serial,
            Activity::Parallel | Activity::Reduction => match record.region_codeptr {
                0 => Doing::Serial,
                codeptr => Doing::Region(codeptr),
            },
            _ => Doing::Waiting,
        }
    }
}

/// The counters of a recording; see the module.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// Bits of the processor's events that were counted, whether they are of user code alone, and
    /// the reasons why others were not counted; `None` where nobody asked for counters.
    pub(crate) sources: Option<(u32, bool, Vec<String>)>,
    /// The processor's figures are scaled up to the time that they were asked for.
    pub(crate) places: HashMap<(Doing, StackIndex), CounterDifference>,
    pub(crate) process: Option<ProcessCounters>,
    /// By package: microjoules and ns, or why they are not known.
    pub(crate) energy: BTreeMap<String, Result<(u64, u64), String>>,
}

impl Counted {
    /// Takes a record of counters; `stack` belongs to a difference.
    pub(super) fn take(&mut self, record: &Record<'_>, stack: StackIndex) {
        match record {
            Record::CounterSources(CounterSources { events, user_only, missing }) => {
                let missing = missing.iter().take(MOST_LINES).map(text).collect();
                self.sources = Some((*events, *user_only != 0, missing));
            }
            Record::CounterDifference(difference) => {
                let key = (Doing::of(difference), stack);
                if self.places.len() < MOST_PLACES || self.places.contains_key(&key) {
                    let sum = self.places.entry(key).or_default();
                    *sum = sum.and(&scaled(&difference.bounded()));
                }
            }
            Record::ProcessCounters(counters) => self.process = Some(counters.bounded()),
            Record::Energy(energy) if self.energy.len() < MOST_LINES => {
                let known = match energy.why {
                    b"" => Ok((energy.energy.min(LARGEST), energy.elapsed.min(LARGEST))),
                    why => Err(text(why)),
                };
                self.energy.insert(text(energy.domain), known);
            }
            _ => {}
        }
    }
}

/// Scales the processor's figures up to the whole time.
fn scaled(of: &CounterDifference) -> CounterDifference {
    let mut scaled = *of;
    let (enabled, counting) = (u128::from(of.enabled), u128::from(of.counting));
    if counting == 0 || counting >= enabled {
        return scaled;
    }
    for figure in scaled.figures().into_iter().skip(CounterDifference::OF_SYSTEM + 2) {
        let up = u128::from(*figure) * enabled / counting;
        *figure = up.min(u128::from(LARGEST)) as u64;
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_had_the_counters_half_of_the_time_counts_twice() {
        let half = CounterDifference {
            enabled: 100,
            counting: 50,
            cycles: 7,
            backend_bound: u64::MAX,
            minor_faults: 3,
            ..CounterDifference::default()
        };
        let whole = scaled(&half.bounded());
        assert_eq!((whole.cycles, whole.backend_bound, whole.minor_faults), (14, LARGEST, 3));
        let never = CounterDifference { counting: 0, cycles: 0, ..half };
        assert_eq!(scaled(&never), never);
    }
}
