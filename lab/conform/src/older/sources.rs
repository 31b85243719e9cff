//! The sources of the rows' programs, contained in `omphalos`. `run.rs` writes them to a folder and
//! compiles them there. They are the programs of `runtime/tools/tests/c`, with which the tests of
//! `tools` check Omphalos against the founding documents.

use std::path::Path;

macro_rules! sources {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../runtime/tools/tests/c/", $name)))),*]
    };
}

/// Each file, by its path in the folder that they are written to.
const SOURCES: &[(&str, &str)] = sources! {
    "chance.h"
    "programs/collector.c"
    "programs/collector/client.h"
    "programs/collector/early.h"
    "programs/collector/events.h"
    "programs/collector/forks.h"
    "programs/collector/fuzz.h"
    "programs/collector/ids.h"
    "programs/collector/late.h"
    "programs/collector/layouts.h"
    "programs/collector/leaving.h"
    "programs/collector/locking.h"
    "programs/collector/sampling.h"
    "programs/collector/sequence.h"
    "programs/founding/asked.h"
    "programs/founding/callbacks_2016.h"
    "programs/founding/cancelled_2016.c"
    "programs/founding/client_2007.c"
    "programs/founding/constructs_2016.h"
    "programs/founding/depend_2016.c"
    "programs/founding/events_2007.h"
    "programs/founding/forks.c"
    "programs/founding/frames_2013.c"
    "programs/founding/frames_2016.c"
    "programs/founding/program_2016.c"
    "programs/founding/says.h"
    "programs/founding/single_2007.c"
    "programs/founding/single_2013.c"
    "programs/founding/stacks_2007.h"
    "programs/founding/stacks_2016.h"
    "programs/founding/standing.h"
    "programs/founding/starting_2016.h"
    "programs/founding/states_2007.h"
    "programs/founding/states_2016.h"
    "programs/founding/stories_2016.h"
    "programs/founding/target_2016.c"
    "programs/founding/targets_2016.h"
    "programs/founding/tool_2016.h"
    "programs/founding/waits_2016.c"
    "programs/founding_2013/constructs.c"
    "programs/founding_2013/control.c"
    "programs/founding_2013/frames.c"
    "programs/founding_2013/frames_stay.c"
    "programs/founding_2013/idle.c"
    "programs/founding_2013/implicit.c"
    "programs/founding_2013/in_line.c"
    "programs/founding_2013/levels.c"
    "programs/founding_2013/locks.c"
    "programs/founding_2013/mutexes.c"
    "programs/founding_2013/regions.c"
    "programs/founding_2013/single.c"
    "programs/founding_2013/states.c"
    "programs/founding_2013/storm.c"
    "programs/founding_2013/tasks.c"
    "programs/founding_2013/tasks_in_waits.c"
    "programs/founding_2013/threads.c"
    "programs/founding_2013/tool.h"
    "programs/founding_2013/trivial.c"
    "programs/founding_2013/versions.c"
    "programs/founding_2013/waits.c"
    "programs/founding_2013/words.c"
    "programs/founding_2013/worksharing.c"
};

/// Writes all files.
pub(super) fn write(folder: &Path) -> Result<(), String> {
    for (name, text) in SOURCES {
        let path = folder.join(name);
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(told)?;
        std::fs::write(&path, text).map_err(told)?;
    }
    Ok(())
}
