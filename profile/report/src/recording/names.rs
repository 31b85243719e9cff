//! Finds the files of the program from which a recording needs names.

use omphalos_program::symbols::{ModuleInfo, Symbols};

use super::Recording;
use crate::Progress;

/// Opens the modules that contain an address of the recording.
pub(crate) fn symbols_of(
    recording: &Recording,
    warnings: &mut Vec<String>,
    progress: &mut dyn Progress,
) -> Symbols {
    let mut addresses: Vec<u64> = Vec::new();
    for stack in &recording.stacks {
        addresses.extend_from_slice(stack);
    }
    addresses.extend(recording.forks.values().map(|(fork, _)| fork.codeptr_ra));
    addresses.extend(recording.regions.keys().map(|key| key.0));
    addresses.extend(recording.tasks.keys());
    addresses.extend(recording.constructs.keys().map(|key| key.2));
    addresses.extend(recording.region_bodies.values().flat_map(|known| [known.0, known.1]));
    addresses.extend(recording.targets.keys().map(|key| key.0));
    addresses.extend(recording.mutexes.keys().flat_map(|key| [key.0, key.2]));
    addresses.sort_unstable();
    addresses.dedup();
    progress.begin("reading symbols", recording.modules.len() as u64);
    let wanted = |module: &ModuleInfo| {
        let next = addresses.partition_point(|address| *address < module.base);
        addresses.get(next).is_some_and(|address| *address < module.end)
    };
    let symbols =
        Symbols::open(&recording.modules, &wanted, warnings, |done| progress.advance(done));
    progress.end();
    symbols
}
