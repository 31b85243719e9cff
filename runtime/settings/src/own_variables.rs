//! The names of Omphalos's own variables, and the warning about others that look like them.

use super::variables::Variables;
use omphalos_sys::warning;

/// Omphalos's own variables: those of the runtime, of its tools and of the profiler.
const OWN: [&str; 16] = [
    "OMPHALOS_DEVICES", "OMPHALOS_DISPLAY_ENV", "OMPHALOS_MAPPING_WATCHER", "OMPHALOS_MEETING",
    "OMPHALOS_OMPT_DIALECT", "OMPHALOS_PROFILE_COLLECTOR", "OMPHALOS_PROFILE_COUNTERS",
    "OMPHALOS_PROFILE_DELAY", "OMPHALOS_PROFILE_FOR", "OMPHALOS_PROFILE_HZ",
    "OMPHALOS_PROFILE_ONLY", "OMPHALOS_PROFILE_ONLY_AT", "OMPHALOS_PROFILE_OUT",
    "OMPHALOS_PROFILE_VERBOSE", "OMPHALOS_RECORD_OUT", "OMPHALOS_TOOL_LIBRARIES",
];
/// Beginnings of the names of variables that Omphalos's tests and measurements read.
const OF_TESTS: [&str; 6] = ["ARCHER_", "DIST", "IOMP5", "LIB", "NO_HOOKS", "TEST_"];

/// Warns of a variable with our prefix and an unknown name: most likely it is mistyped.
pub(super) fn unknown(from: &Variables) {
    for (name, value) in from.all() {
        let Some(rest) = name.strip_prefix("OMPHALOS_") else { continue };
        if OWN.contains(&name) || OF_TESTS.iter().any(|beginning| rest.starts_with(beginning)) {
            continue;
        }
        if from.fault() {
            let own = OWN.map(str::to_owned).join(", ");
            warning!("{name}={value:?} is ignored, nothing is changed; it should be one of {own}");
        }
    }
}
