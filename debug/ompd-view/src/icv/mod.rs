//! Internal control variables: all of OpenMP 6.0, those of earlier versions, and OMPD's own, as
//! number and as text.

mod lists;
mod reading;
mod words;

use self::reading::Reading;
use crate::runtime::Runtime;
use crate::target::Fault;
use crate::task::Task;
use crate::team::Team;
use crate::thread::Thread;

/// `ompd_scope_t`: the kind of handle with which a debugger asks for an ICV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
#[allow(missing_docs)]
pub enum Scope {
    Global = 1,
    AddressSpace = 2,
    Thread = 3,
    Parallel = 4,
    ImplicitTask = 5,
    Task = 6,
    Teams = 7,
    Target = 8,
}

/// The thing that an ICV is asked of.
#[derive(Clone, Copy)]
pub enum Of<'r> {
    /// The process.
    Process,
    /// A thread.
    Thread(Thread<'r>),
    /// A region.
    Team(Team<'r>),
    /// A task.
    Task(Task<'r>),
}

/// An ICV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icv {
    /// From 1 on; the same in all targets.
    pub id: u64,
    /// Its name in OpenMP's text.
    pub name: &'static str,
    /// The scope that OMPD enumerates it with. Narrower handles than that are answered as well.
    pub scope: Scope,
    what: What,
}

/// The current value of an ICV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The value as a number; `None` if it is not a number.
    pub number: Option<i64>,
    /// Whether the number is the whole value, not the first of a list.
    pub whole: bool,
    /// As text, in the form of the environment variable.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    ActiveLevels,
    AffinityFormat,
    AvailableDevices,
    Bind,
    Cancel,
    Debug,
    DefAllocator,
    DefaultDevice,
    DeviceNum,
    DisplayAffinity,
    Dyn,
    ExplicitTask,
    Final,
    FreeAgent,
    FreeAgentLimit,
    Implicit,
    LeagueSize,
    Levels,
    MaxActiveLevels,
    MaxTaskPriority,
    NumDevices,
    NumProcs,
    Nteams,
    Nthreads,
    PlaceAssignment,
    PlacePartition,
    RunSched,
    StackSize,
    StructuredLimit,
    TargetOffload,
    TeamGenerator,
    TeamNum,
    TeamSize,
    TeamsThreadLimit,
    ThreadLimit,
    ThreadNum,
    Tool,
    ToolLibraries,
    ToolVerbose,
    WaitPolicy,
}

const fn icv(id: u64, name: &'static str, scope: Scope, what: What) -> Icv {
    Icv { id, name, scope, what }
}

/// All ICVs: those of OpenMP 6.0 first, then those that earlier versions call by another name.
pub const ALL: &[Icv] = &[
    icv(1, "active-levels-var", Scope::Parallel, What::ActiveLevels),
    icv(2, "affinity-format-var", Scope::AddressSpace, What::AffinityFormat),
    icv(3, "available-devices-var", Scope::AddressSpace, What::AvailableDevices),
    icv(4, "bind-var", Scope::Task, What::Bind),
    icv(5, "cancel-var", Scope::AddressSpace, What::Cancel),
    icv(6, "debug-var", Scope::AddressSpace, What::Debug),
    icv(7, "def-allocator-var", Scope::Task, What::DefAllocator),
    icv(8, "default-device-var", Scope::Thread, What::DefaultDevice),
    icv(9, "device-num-var", Scope::AddressSpace, What::DeviceNum),
    icv(10, "display-affinity-var", Scope::AddressSpace, What::DisplayAffinity),
    icv(11, "dyn-var", Scope::Thread, What::Dyn),
    icv(12, "explicit-task-var", Scope::Task, What::ExplicitTask),
    icv(13, "final-task-var", Scope::Task, What::Final),
    icv(14, "free-agent-thread-limit-var", Scope::Task, What::FreeAgentLimit),
    icv(15, "free-agent-var", Scope::Task, What::FreeAgent),
    icv(16, "league-size-var", Scope::Parallel, What::LeagueSize),
    icv(17, "levels-var", Scope::Parallel, What::Levels),
    icv(18, "max-active-levels-var", Scope::Task, What::MaxActiveLevels),
    icv(19, "max-task-priority-var", Scope::AddressSpace, What::MaxTaskPriority),
    icv(20, "nteams-var", Scope::AddressSpace, What::Nteams),
    icv(21, "nthreads-var", Scope::Thread, What::Nthreads),
    icv(22, "num-devices-var", Scope::AddressSpace, What::NumDevices),
    icv(23, "num-procs-var", Scope::AddressSpace, What::NumProcs),
    icv(24, "place-assignment-var", Scope::Parallel, What::PlaceAssignment),
    icv(25, "place-partition-var", Scope::ImplicitTask, What::PlacePartition),
    icv(26, "run-sched-var", Scope::Task, What::RunSched),
    icv(27, "stacksize-var", Scope::AddressSpace, What::StackSize),
    icv(28, "structured-thread-limit-var", Scope::Task, What::StructuredLimit),
    icv(29, "target-offload-var", Scope::Global, What::TargetOffload),
    icv(30, "team-generator-var", Scope::Parallel, What::TeamGenerator),
    icv(31, "team-num-var", Scope::Parallel, What::TeamNum),
    icv(32, "team-size-var", Scope::Parallel, What::TeamSize),
    icv(33, "teams-thread-limit-var", Scope::AddressSpace, What::TeamsThreadLimit),
    icv(34, "thread-limit-var", Scope::Task, What::ThreadLimit),
    icv(35, "thread-num-var", Scope::Thread, What::ThreadNum),
    icv(36, "tool-libraries-var", Scope::AddressSpace, What::ToolLibraries),
    icv(37, "tool-var", Scope::AddressSpace, What::Tool),
    icv(38, "tool-verbose-init-var", Scope::AddressSpace, What::ToolVerbose),
    icv(39, "wait-policy-var", Scope::AddressSpace, What::WaitPolicy),
    icv(40, "implicit-task-var", Scope::Task, What::Implicit),
    icv(41, "ompd-num-procs-var", Scope::AddressSpace, What::NumProcs),
    icv(42, "ompd-thread-num-var", Scope::Thread, What::ThreadNum),
    icv(43, "ompd-final-var", Scope::Task, What::Final),
    icv(44, "ompd-final-task-var", Scope::Task, What::Final),
    icv(45, "ompd-implicit-var", Scope::Task, What::Implicit),
    icv(46, "ompd-implicit-task-var", Scope::Task, What::Implicit),
    icv(47, "ompd-team-size-var", Scope::Parallel, What::TeamSize),
];

/// The ICV with this id.
pub fn with_id(id: u64) -> Option<&'static Icv> {
    ALL.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

/// The ICV with this name.
pub fn named(name: &str) -> Option<&'static Icv> {
    ALL.iter().find(|icv| icv.name == name)
}

/// The most items of a list, and the most bytes of a text, that are read.
const MOST_ITEMS: u64 = 4096;
const MOST_TEXT: usize = 1 << 16;

impl<'r> Runtime<'r> {
    /// Returns the value of an ICV in a process, thread, region or task. [`Fault::Unknown`] if it
    /// has none there.
    pub fn icv(&'r self, icv: &Icv, of: Of<'r>) -> Result<Value, Fault> {
        let read = Reading { runtime: self, of };
        read.value(icv.what).map_err(|fault| match fault {
            Fault::Unknown(what) => Fault::Unknown(format!("{} ({what})", icv.name)),
            fault => fault,
        })
    }

    /// The settings of the process, as lines `NAME=VALUE` by the names of the environment
    /// variables: ICVs with their values, other variables of the environment that a runtime may
    /// read, and `CPU_MASK`, the processors that the process began with.
    pub fn control_variables(&'r self) -> Vec<String> {
        const BEGINNINGS: &[&str] = &["OMP_", "OMPT_", "GOMP_", "KMP_", "LIBOMP_", "OMPHALOS_"];
        const NAMES: &[(&str, What)] = &[
            ("OMP_AFFINITY_FORMAT", What::AffinityFormat),
            ("OMP_ALLOCATOR", What::DefAllocator),
            ("OMP_CANCELLATION", What::Cancel),
            ("OMP_DEBUG", What::Debug),
            ("OMP_DEFAULT_DEVICE", What::DefaultDevice),
            ("OMP_DISPLAY_AFFINITY", What::DisplayAffinity),
            ("OMP_DYNAMIC", What::Dyn),
            ("OMP_MAX_ACTIVE_LEVELS", What::MaxActiveLevels),
            ("OMP_MAX_TASK_PRIORITY", What::MaxTaskPriority),
            ("OMP_NUM_TEAMS", What::Nteams),
            ("OMP_NUM_THREADS", What::Nthreads),
            ("OMP_PLACES", What::PlacePartition),
            ("OMP_PROC_BIND", What::Bind),
            ("OMP_SCHEDULE", What::RunSched),
            ("OMP_STACKSIZE", What::StackSize),
            ("OMP_TARGET_OFFLOAD", What::TargetOffload),
            ("OMP_TEAMS_THREAD_LIMIT", What::TeamsThreadLimit),
            ("OMP_THREAD_LIMIT", What::ThreadLimit),
            ("OMP_TOOL", What::Tool),
            ("OMP_TOOL_LIBRARIES", What::ToolLibraries),
            ("OMP_TOOL_VERBOSE_INIT", What::ToolVerbose),
            ("OMP_WAIT_POLICY", What::WaitPolicy),
        ];
        let read = Reading { runtime: self, of: Of::Process };
        let line = |&(name, what): &(&str, What)| {
            read.value(what).ok().map(|value| format!("{name}={}", value.text))
        };
        let mut lines: Vec<String> = NAMES.iter().filter_map(line).collect();
        let mut others = Vec::new();
        let _ = self.each_variable(b"OGKL", |name, value| {
            let is_icv = NAMES.iter().any(|known| known.0 == name);
            if !is_icv && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
                others.push(format!("{name}={value}"));
            }
        });
        others.extend(read.mask().ok().map(|mask| format!("CPU_MASK={mask}")));
        others.sort();
        lines.extend(others);
        lines
    }

    /// The value of an environment variable as the target has it now; `None` if it is not set.
    pub fn environment(&self, name: &str) -> Result<Option<String>, Fault> {
        let mut found = None;
        self.each_variable(&name.as_bytes()[..1], |this, value| {
            if this == name && found.is_none() {
                found = Some(value.to_owned());
            }
        })?;
        Ok(found)
    }

    /// Calls `look` for the environment's variables that begin with one of these letters: their
    /// names and values.
    fn each_variable(&self, letters: &[u8], mut look: impl FnMut(&str, &str)) -> Result<(), Fault> {
        let list = self.word(self.layout().root("environment")?)?;
        for index in 0..if list == 0 { 0 } else { MOST_ITEMS } {
            let entry = self.word(list.wrapping_add(index * 8))?;
            if entry == 0 {
                break;
            }
            // Most begin with another letter.
            if !letters.contains(&(self.number(entry, 1)? as u8)) {
                continue;
            }
            if let Some((name, value)) = self.text(entry, MOST_TEXT)?.split_once('=') {
                look(name, value);
            }
        }
        Ok(())
    }

    /// The settings of the process.
    pub(crate) fn settings(&self) -> Result<u64, Fault> {
        self.word(self.layout().root("settings")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_places_in_the_list() {
        for (at, icv) in ALL.iter().enumerate() {
            assert_eq!(icv.id, at as u64 + 1);
            assert_eq!(with_id(icv.id), Some(icv));
            assert_eq!(named(icv.name), Some(icv));
        }
        assert_eq!((with_id(0), with_id(ALL.len() as u64 + 1)), (None, None));
    }
}
