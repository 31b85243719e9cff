//! Internal control variables: all of OpenMP 6.0, those of earlier versions, and OMPD's own, as
//! number and as text.

use crate::runtime::Runtime;
use crate::target::Fault;
use crate::task::Task;
use crate::team::Team;
use crate::thread::Thread;

/// `ompd_scope_t`: what kind of handle an ICV is asked of.
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

/// Of what an ICV is asked.
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

/// What an ICV is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As a number; `None` for what is none.
    pub number: Option<i64>,
    /// The number is all of it: not the first of a list.
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

/// All of them: those of OpenMP 6.0 first; behind them what older texts call by another name.
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

/// List items that are read at most, and bytes of a text.
const MOST_ITEMS: u64 = 4096;
const MOST_TEXT: usize = 1 << 16;

fn whole(number: i64) -> Value {
    Value { number: Some(number), whole: true, text: number.to_string() }
}

fn shown(number: i64, text: impl Into<String>) -> Value {
    Value { number: Some(number), whole: true, text: text.into() }
}

fn flag(on: bool) -> Value {
    shown(i64::from(on), if on { "true" } else { "false" })
}

fn text(text: impl Into<String>) -> Value {
    Value { number: None, whole: false, text: text.into() }
}

/// `omp_proc_bind_t` in the words of OMP_PROC_BIND.
fn policy(bind: u32) -> &'static str {
    match bind {
        0 => "false",
        1 => "true",
        2 => "primary",
        3 => "close",
        _ => "spread",
    }
}

/// `omp_sched_t` and a chunk in the words of OMP_SCHEDULE.
fn schedule(kind: u32, chunk: u32) -> String {
    let name = match kind & 0x7fff_ffff {
        2 => "dynamic",
        3 => "guided",
        4 => "auto",
        101 => "trapezoidal",
        _ => "static",
    };
    let monotonic = if kind >> 31 != 0 { "monotonic:" } else { "" };
    if chunk == 0 { format!("{monotonic}{name}") } else { format!("{monotonic}{name},{chunk}") }
}

const ALLOCATORS: [&str; 8] = [
    "omp_default_mem_alloc",
    "omp_large_cap_mem_alloc",
    "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc",
    "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc",
    "omp_thread_mem_alloc",
];

impl<'r> Runtime<'r> {
    /// What an ICV is in a process, thread, region or task. [`Fault::Unknown`] where it has none
    /// there.
    pub fn icv(&'r self, icv: &Icv, of: Of<'r>) -> Result<Value, Fault> {
        let read = Reading { runtime: self, of };
        read.value(icv.what).map_err(|fault| match fault {
            Fault::Unknown(what) => Fault::Unknown(format!("{} ({what})", icv.name)),
            fault => fault,
        })
    }

    /// The settings of the process, as lines `NAME=VALUE` by the names of the environment
    /// variables.
    pub fn control_variables(&'r self) -> Vec<String> {
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
        NAMES.iter().filter_map(line).collect()
    }

    /// The value of an environment variable as the target has it now; `None` if it is not set.
    pub fn environment(&self, name: &str) -> Result<Option<String>, Fault> {
        let list = self.word(self.layout().root("environment")?)?;
        for index in 0..if list == 0 { 0 } else { MOST_ITEMS } {
            let entry = self.word(list.wrapping_add(index * 8))?;
            if entry == 0 {
                break;
            }
            // Most begin with another letter.
            if self.number(entry, 1)? != u64::from(name.as_bytes()[0]) {
                continue;
            }
            let entry = self.text(entry, MOST_TEXT)?;
            if let Some((found, value)) = entry.split_once('=')
                && found == name
            {
                return Ok(Some(value.to_owned()));
            }
        }
        Ok(None)
    }

    /// The settings of the process.
    pub(crate) fn settings(&self) -> Result<u64, Fault> {
        self.word(self.layout().root("settings")?)
    }
}

/// One question.
struct Reading<'r> {
    runtime: &'r Runtime<'r>,
    of: Of<'r>,
}

impl<'r> Reading<'r> {
    fn none<T>(what: &str) -> Result<T, Fault> {
        Err(Fault::Unknown(what.to_owned()))
    }

    fn setting(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.runtime.settings()?, field)
    }

    fn list_or_text(&self, field: &str) -> Result<u64, Fault> {
        let shown = self.runtime.at(self.runtime.settings()?, "Settings.shown")?;
        self.runtime.get(shown, field)
    }

    fn task(&self) -> Result<Task<'r>, Fault> {
        match self.of {
            Of::Task(task) => Ok(task),
            Of::Team(team) => team.task(0),
            Of::Thread(thread) => match thread.task()? {
                Some(task) => Ok(task),
                None => Self::none("a thread that executes no task"),
            },
            Of::Process => Self::none("a process, which has none"),
        }
    }

    fn team(&self) -> Result<Team<'r>, Fault> {
        match self.of {
            Of::Task(task) => task.team(),
            Of::Team(team) => Ok(team),
            Of::Thread(thread) => match thread.team()? {
                Some(team) => Ok(team),
                None => Self::none("a thread that is in no region"),
            },
            Of::Process => Self::none("a process, which has none"),
        }
    }

    /// The ICVs of the data environment: those of initial tasks, of the process itself; those that
    /// a region's implicit tasks begin with, of a region.
    fn data(&self) -> Result<u64, Fault> {
        match self.of {
            Of::Process => self.runtime.at(self.runtime.settings()?, "Settings.initial"),
            Of::Team(team) => self.runtime.at(team.address, "Team.icvs"),
            _ => self.task()?.icvs(),
        }
    }

    fn own(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.data()?, field)
    }

    /// A list of numbers: the one that counts, and those for deeper levels.
    fn list(&self, first: i64, more: &[u32], show: impl Fn(i64) -> String) -> Value {
        let mut text = show(first);
        for &item in more {
            text += ",";
            text += &show(i64::from(item));
        }
        Value { number: Some(first), whole: more.is_empty(), text }
    }

    /// What a list of the environment says for the levels below.
    fn deeper(&self, list: &str, count: &str) -> Result<Vec<u32>, Fault> {
        let (at, count) = (self.list_or_text(list)?, self.list_or_text(count)?.min(MOST_ITEMS));
        let level = match self.of {
            Of::Process => 0,
            _ => u64::from(self.team()?.level()?),
        };
        let item = |index: u64| Ok(self.runtime.number(at.wrapping_add(index * 4), 4)? as u32);
        if at == 0 { Ok(Vec::new()) } else { (level + 1..count).map(item).collect() }
    }

    fn value(&self, what: What) -> Result<Value, Fault> {
        Ok(match what {
            What::ActiveLevels => whole(self.team()?.active_level()?.into()),
            What::Levels => whole(self.team()?.level()?.into()),
            What::TeamSize => whole(self.team()?.size()?.into()),
            What::LeagueSize => whole(self.team()?.league()?.0.into()),
            What::TeamNum => whole(self.team()?.league()?.1.into()),
            What::TeamGenerator => self.generator()?,
            What::ThreadNum => whole(self.thread_num()?),
            What::AffinityFormat => {
                let set = self.runtime.word(self.runtime.layout().root("format")?)?;
                let format = self.list_or_text("Shown.format")?;
                text(self.runtime.text(if set != 0 { set } else { format }, MOST_TEXT)?)
            }
            What::AvailableDevices => shown(0, "*"),
            What::NumDevices | What::DeviceNum => whole(0),
            What::Bind => {
                let bind = self.own("Icvs.bind")? as u32;
                let deeper = self.deeper("Shown.bind", "Shown.bind_count")?;
                self.list(bind.into(), &deeper, |bind| policy(bind as u32).to_owned())
            }
            What::Cancel => flag(self.setting("Settings.cancellation")? != 0),
            What::Debug => {
                let on = self.list_or_text("Shown.debug")? != 0;
                shown(on.into(), if on { "enabled" } else { "disabled" })
            }
            What::DefAllocator => self.allocator()?,
            What::DefaultDevice => whole((self.own("Icvs.default_device")? as i32).into()),
            What::DisplayAffinity => flag(self.setting("Settings.display_affinity")? != 0),
            What::Dyn => flag(self.own("Icvs.dynamic")? != 0),
            What::Final => flag(self.task()?.is_final()?),
            What::Implicit => flag(self.task()?.is_implicit()?),
            What::ExplicitTask => flag(!self.task()?.is_implicit()?),
            What::FreeAgent => flag(self.is_agents()?),
            What::FreeAgentLimit => whole(self.reserve()?.1),
            What::StructuredLimit => whole(self.reserve()?.0),
            What::MaxActiveLevels => whole((self.own("Icvs.max_active_levels")? as i32).into()),
            What::MaxTaskPriority => whole(self.setting("Settings.max_task_priority")? as i64),
            What::NumProcs => {
                let at = self.runtime.at(self.runtime.settings()?, "Settings.processors")?;
                let granted = self.runtime.get(at, "Processors.granted")?;
                let mask = self.runtime.get(at, "Processors.mask")?;
                match (granted, mask) {
                    (0, 0) => return Self::none("not asked of the system yet"),
                    (0, mask) => whole(mask as i64),
                    (granted, _) => whole(granted as i64),
                }
            }
            What::Nteams => whole(self.setting("Settings.num_teams")? as i64),
            What::TeamsThreadLimit => whole(self.setting("Settings.teams_thread_limit")? as i64),
            What::Nthreads => self.nthreads()?,
            What::PlaceAssignment => self.place_assignment()?,
            What::PlacePartition => self.places()?,
            What::RunSched => {
                let kind = self.own("Icvs.schedule.0")? as u32;
                let chunk = self.own("Icvs.schedule.1")? as u32;
                let text = schedule(kind, chunk);
                Value { number: Some((kind & 0x7fff_ffff).into()), whole: chunk == 0, text }
            }
            What::StackSize => {
                let bytes = self.setting("Settings.stack_size")?;
                shown(bytes as i64, if bytes == 0 { "0".into() } else { format!("{bytes}B") })
            }
            What::TargetOffload => match self.setting("Settings.target_offload")? {
                0 => shown(0, "disabled"),
                1 => shown(1, "default"),
                _ => shown(2, "mandatory"),
            },
            What::ThreadLimit => whole((self.own("Icvs.thread_limit")? as i32).into()),
            What::Tool => match self.runtime.environment("OMP_TOOL")? {
                Some(off) if off.trim().eq_ignore_ascii_case("disabled") => shown(0, "disabled"),
                _ => shown(1, "enabled"),
            },
            What::ToolLibraries => {
                text(self.runtime.environment("OMP_TOOL_LIBRARIES")?.unwrap_or_default())
            }
            What::ToolVerbose => text(
                self.runtime
                    .environment("OMP_TOOL_VERBOSE_INIT")?
                    .unwrap_or_else(|| "disabled".into()),
            ),
            What::WaitPolicy => match self.list_or_text("Shown.wait_policy")? {
                2 => shown(1, "active"),
                1 => shown(0, "passive"),
                _ => shown(0, "undefined"),
            },
        })
    }

    fn thread_num(&self) -> Result<i64, Fault> {
        let thread = match self.of {
            Of::Thread(thread) => thread,
            _ => return self.num_of_task(),
        };
        let team = self.team()?;
        // `omp_unassigned_thread`.
        let agent = team.stands_for()?.address != team.address && thread.num()? == 0;
        Ok(if agent { -2 } else { thread.num()?.into() })
    }

    /// Of a task: the number of the thread that executes it.
    fn num_of_task(&self) -> Result<i64, Fault> {
        let task = self.task()?;
        let team = task.team()?;
        for num in 0..team.size()? {
            let thread = team.thread(num)?;
            let current = thread.is_in_region()? && thread.get("Thread.task")? == task.address;
            if current || team.task(num)?.address == task.address {
                return Ok(num.into());
            }
        }
        Self::none("a task that nobody executes")
    }

    fn is_agents(&self) -> Result<bool, Fault> {
        let team = self.team()?;
        Ok(team.stands_for()?.address != team.address)
    }

    fn reserve(&self) -> Result<(i64, i64), Fault> {
        let limit = self.own("Icvs.thread_limit")? as i64;
        let structured = self.setting("Settings.reserve.structured")? as i64;
        let agents = self.setting("Settings.reserve.free_agents")? as i64;
        Ok(((limit - agents).max(1), (limit - structured).max(0)))
    }

    /// `ompd_team_generator_t`: 0 program, 1 parallel, 2 teams, 3 target.
    fn generator(&self) -> Result<Value, Fault> {
        let team = self.team()?;
        Ok(if team.level()? > 0 {
            shown(1, "parallel")
        } else if team.league_region()?.is_some() {
            shown(2, "teams")
        } else if team.get("Team.contends_apart")? != 0 {
            shown(3, "target")
        } else {
            shown(0, "program")
        })
    }

    fn nthreads(&self) -> Result<Value, Fault> {
        let (runtime, data) = (self.runtime, self.data()?);
        let first = runtime.get(data, "Icvs.nthreads")? as i64;
        let mut more = Vec::new();
        let mut level = runtime.get(data, "Icvs.deeper")?;
        if level == 0 {
            more = self.deeper("Shown.nthreads", "Shown.nthreads_count")?;
        }
        while level != 0 && more.len() < MOST_ITEMS as usize {
            more.push(runtime.get(level, "Level.threads")? as u32);
            level = runtime.get(level, "Level.deeper")?;
        }
        // 0 until the processors are counted.
        let first =
            if first == 0 { self.value(What::NumProcs)?.number.unwrap_or(0) } else { first };
        Ok(self.list(first, &more, |threads| threads.to_string()))
    }

    fn allocator(&self) -> Result<Value, Fault> {
        let handle = self.own("Icvs.allocator")?;
        let name = ALLOCATORS.get((handle as usize).wrapping_sub(1)).copied();
        let length = self.list_or_text("Shown.allocator_length")?.min(MOST_TEXT as u64) as usize;
        let at = self.list_or_text("Shown.allocator")?;
        let text = match name {
            Some(name) => name.to_owned(),
            None if at != 0 => self.runtime.text(at, length)?,
            None => format!("{handle:#x}"),
        };
        Ok(shown(handle as i64, text))
    }

    fn places(&self) -> Result<Value, Fault> {
        let at = self.list_or_text("Shown.places")?;
        if at == 0 {
            return Ok(text(""));
        }
        let all = self.runtime.text(at, MOST_TEXT)?;
        let partition = match self.of {
            Of::Process => None,
            _ => self.partition()?,
        };
        let Some((first, last)) = partition else { return Ok(text(all)) };
        // `{0,1},{2,3}`
        let places: Vec<&str> =
            all.split_inclusive('}').map(|p| p.trim_start_matches(',')).collect();
        let count = places.len();
        let part = match first <= last {
            true => places.get(first..(last + 1).min(count)).unwrap_or_default().join(","),
            false => all.clone(),
        };
        Ok(text(part))
    }

    /// First and last place of the implicit task's partition.
    fn partition(&self) -> Result<Option<(usize, usize)>, Fault> {
        let slot = match self.of {
            Of::Thread(thread) => thread.slot()?,
            _ => self.team()?.slot(0)?,
        };
        let at = self.runtime.at(slot, "Slot.partition")?;
        let second = at.wrapping_add(self.runtime.value("Slot.partition.1")?);
        let (first, last) =
            (self.runtime.number(at, 4)? as i32, self.runtime.number(second, 4)? as i32);
        Ok(usize::try_from(first).ok().zip(usize::try_from(last).ok()))
    }

    /// The places of a team's threads, by their numbers.
    fn place_assignment(&self) -> Result<Value, Fault> {
        let team = self.team()?;
        let mut places = Vec::new();
        for num in 0..team.size()?.min(MOST_ITEMS as u32) {
            let thread = team.thread(num)?;
            places.push((thread.get("Thread.place")? as i32).to_string());
        }
        Ok(text(places.join(",")))
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

    #[test]
    fn schedules_are_written_as_they_are_read() {
        assert_eq!(schedule(2, 4), "dynamic,4");
        assert_eq!(schedule(0x8000_0003, 0), "monotonic:guided");
    }
}
