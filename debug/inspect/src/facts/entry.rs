//! Finds a thread's wait from the name of the runtime's function that the program called, for
//! runtimes that tell nothing of themselves.

use omphalos_ompd_view::snapshot::Wait;
use omphalos_program::entries::{self, Part};

/// The wait of a thread in the runtime's function `name`. `word`: the address at which its `futex`
/// waits, if it is in one.
pub fn in_runtime(name: &str, word: Option<u64>) -> Option<Wait> {
    // gfortran's names for these functions end with an underscore.
    let name = name.strip_suffix('_').unwrap_or(name);
    let barrier = |kind: &str| {
        let kind = kind.to_owned();
        Wait::Barrier { kind, team: 0, missing: Vec::new(), for_tasks: false }
    };
    Some(match entries::part(name)? {
        Part::Lock | Part::Critical | Part::Atomic => match word {
            Some(lock) => Wait::Lock { lock },
            // A thread that spins for a lock shows the lock's address nowhere.
            None => Wait::Unknown { what: format!("a lock ({name})") },
        },
        Part::Barrier => barrier("explicit"),
        Part::LoopEnd | Part::SectionsEnd | Part::TaskReductionEnd => barrier("implicit"),
        Part::Reduction | Part::ReductionNowait => barrier("implementation"),
        Part::Parallel => barrier("region"),
        Part::Teams => barrier("teams"),
        Part::Taskwait => Wait::Taskwait { task: 0 },
        Part::TaskgroupEnd | Part::Taskloop => Wait::Taskgroup { task: 0, left: None },
        Part::TaskwaitDepend => Wait::Dependences { on: Vec::new() },
        Part::SingleCopy | Part::Copyprivate => Wait::Copyprivate { team: 0 },
        Part::Ordered => Wait::Ordered { team: 0, turn: None, own: None, of: None },
        Part::Sink => {
            let (iteration, sources) = (Vec::new(), Vec::new());
            Wait::Sink { team: 0, iteration, own: None, never: None, sources }
        }
        _ => return None,
    })
}
