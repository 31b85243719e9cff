//! Places: the list that the process has, and the parsers of the variables that describe one.

mod helpers;
mod kmp;
mod list;
mod subset;
mod topology;
mod words;

pub use helpers::{HelperPlaces, helper_places};
pub use kmp::{Ignored, Kmp, kmp};
pub use list::{cpu_list, nearest_name, places};
pub use subset::subset;

/// `omp_proc_bind_spread`.
pub const SPREAD: u32 = 4;

/// Whether `KMP_AFFINITY` asks for the primary thread to be free between outermost regions.
pub fn kmp_resets(text: &str) -> bool {
    text.split(',').any(|word| word.trim().eq_ignore_ascii_case("reset"))
}

/// Returns the places of the abstract name `cores`, limited to the processors `own`.
pub fn cores(own: &[usize]) -> Vec<Vec<usize>> {
    topology::group(topology::Level::Cores, own)
}

/// The request of one of the variables about binding.
#[derive(Debug, PartialEq, Eq)]
pub struct Wish {
    /// The places: processors of each, ascending, none empty.
    pub places: Vec<Vec<usize>>,
    /// The policy, an `omp_proc_bind_t`.
    pub policy: u32,
}

/// The place list of the process (place-partition-var of the initial task).
#[derive(Debug)]
pub struct Places {
    places: Vec<Vec<usize>>,
    /// The abstract name that gave the places, if one did.
    name: Option<&'static str>,
}

impl Places {
    /// Makes the list. `places`: the processors of each place, ascending.
    pub const fn new(places: Vec<Vec<usize>>, name: Option<&'static str>) -> Places {
        Places { places, name }
    }

    /// Returns the abstract name that gave the places. Without such a name, returns all places.
    pub fn named(&self) -> String {
        self.name.map_or_else(|| self.shown(), str::to_owned)
    }

    /// Returns the number of places.
    pub fn count(&self) -> u32 {
        self.places.len() as u32
    }

    /// Returns the processors of place `place`; none if there is no such place.
    pub fn cpus(&self, place: i32) -> &[usize] {
        usize::try_from(place).ok().and_then(|i| self.places.get(i)).map_or(&[], Vec::as_slice)
    }

    /// Returns the place that has processor `cpu`.
    pub fn of_cpu(&self, cpu: usize) -> Option<i32> {
        self.places.iter().position(|place| place.contains(&cpu)).map(|i| i as i32)
    }

    /// Returns all places, for display: `{0,1},{2,3}`.
    pub fn shown(&self) -> String {
        let shown: Vec<String> =
            self.places.iter().map(|place| format!("{{{}}}", comma_list(place))).collect();
        shown.join(",")
    }
}

/// Returns the numbers as `0,1,5`.
fn comma_list(cpus: &[usize]) -> String {
    cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the numbers as `0-3,5`: so Linux writes sets of processors.
pub fn range_list(cpus: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = cpus;
    while let Some(&first) = rest.first() {
        let length = rest.iter().enumerate().take_while(|&(i, &cpu)| cpu == first + i).count();
        parts.push(match length {
            1 => first.to_string(),
            _ => format!("{first}-{}", first + length - 1),
        });
        rest = &rest[length..];
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(range_list(&[]), "");
        assert_eq!(range_list(&[3]), "3");
        assert_eq!(range_list(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn asking_for_places() {
        let places = Places::new(vec![vec![0, 2], vec![1]], None);
        assert_eq!(places.count(), 2);
        assert_eq!(places.cpus(1), [1]);
        assert!(places.cpus(-1).is_empty() && places.cpus(2).is_empty());
        assert_eq!(places.of_cpu(2), Some(0));
        assert_eq!(places.shown(), "{0,2},{1}");
    }
}
