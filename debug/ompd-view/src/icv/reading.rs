//! One question: an ICV of a process, thread, region or task.

use super::words::{flag, policy, schedule, shown, text, whole};
use super::{MOST_ITEMS, MOST_TEXT, Of, Value, What};
use crate::runtime::Runtime;
use crate::target::Fault;
use crate::task::Task;
use crate::team::Team;

/// A question for the value of an ICV.
pub(super) struct Reading<'r> {
    pub(super) runtime: &'r Runtime<'r>,
    pub(super) of: Of<'r>,
}

impl<'r> Reading<'r> {
    pub(super) fn none<T>(what: &str) -> Result<T, Fault> {
        Err(Fault::Unknown(what.to_owned()))
    }

    pub(super) fn setting(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.runtime.settings()?, field)
    }

    pub(super) fn list_or_text(&self, field: &str) -> Result<u64, Fault> {
        let shown = self.runtime.at(self.runtime.settings()?, "Settings.shown")?;
        self.runtime.get(shown, field)
    }

    pub(super) fn task(&self) -> Result<Task<'r>, Fault> {
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

    pub(super) fn team(&self) -> Result<Team<'r>, Fault> {
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

    /// The ICVs of the data environment. For the process these are the ICVs of initial tasks; for a
    /// region, the ICVs that its implicit tasks begin with.
    pub(super) fn data(&self) -> Result<u64, Fault> {
        match self.of {
            Of::Process => self.runtime.at(self.runtime.settings()?, "Settings.initial"),
            Of::Team(team) => self.runtime.at(team.address, "Team.icvs"),
            _ => self.task()?.icvs(),
        }
    }

    pub(super) fn own_field(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.data()?, field)
    }

    /// Makes the value of a list of numbers: `first` is in force, `more` is for deeper levels.
    pub(super) fn list(&self, first: i64, more: &[u32], show: impl Fn(i64) -> String) -> Value {
        let mut text = show(first);
        for &item in more {
            text += ",";
            text += &show(i64::from(item));
        }
        Value { number: Some(first), whole: more.is_empty(), text }
    }

    /// Returns the items of a list from the environment that are for regions further inside.
    pub(super) fn deeper(&self, list: &str, count: &str) -> Result<Vec<u32>, Fault> {
        let (at, count) = (self.list_or_text(list)?, self.list_or_text(count)?.min(MOST_ITEMS));
        let level = match self.of {
            Of::Process => 0,
            _ => u64::from(self.team()?.level()?),
        };
        let item = |index: u64| Ok(self.runtime.number(at.wrapping_add(index * 4), 4)? as u32);
        if at == 0 { Ok(Vec::new()) } else { (level + 1..count).map(item).collect() }
    }

    pub(super) fn value(&self, what: What) -> Result<Value, Fault> {
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
            // The host's number is behind those of the other devices. Until the plugins are asked,
            // the host is the only device.
            What::NumDevices | What::DeviceNum => {
                let known = self.setting("Settings.devices")? as u32;
                whole(if known == u32::MAX { 0 } else { known.into() })
            }
            What::Bind => {
                let bind = self.own_field("Icvs.bind")? as u32;
                let deeper = self.deeper("Shown.bind", "Shown.bind_count")?;
                self.list(bind.into(), &deeper, |bind| policy(bind as u32).to_owned())
            }
            What::Cancel => flag(self.setting("Settings.cancellation")? != 0),
            What::Debug => {
                let on = self.list_or_text("Shown.debug")? != 0;
                shown(on.into(), if on { "enabled" } else { "disabled" })
            }
            What::DefAllocator => self.allocator()?,
            What::DefaultDevice => whole((self.own_field("Icvs.default_device")? as i32).into()),
            What::DisplayAffinity => flag(self.setting("Settings.display_affinity")? != 0),
            What::Dyn => flag(self.own_field("Icvs.dynamic")? != 0),
            What::Final => flag(self.task()?.is_final()?),
            What::Implicit => flag(self.task()?.is_implicit()?),
            What::ExplicitTask => flag(!self.task()?.is_implicit()?),
            What::FreeAgent => flag(self.is_agents()?),
            What::FreeAgentLimit => whole(self.reserve()?.1),
            What::StructuredLimit => whole(self.reserve()?.0),
            What::MaxActiveLevels => {
                whole((self.own_field("Icvs.max_active_levels")? as i32).into())
            }
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
                let kind = self.own_field("Icvs.schedule.0")? as u32;
                let chunk = self.own_field("Icvs.schedule.1")? as u32;
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
            What::ThreadLimit => whole((self.own_field("Icvs.thread_limit")? as i32).into()),
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

    pub(super) fn thread_num(&self) -> Result<i64, Fault> {
        let thread = match self.of {
            Of::Thread(thread) => thread,
            _ => return self.num_of_task(),
        };
        let team = self.team()?;
        // A free agent thread: its number is `omp_unassigned_thread`.
        let agent = team.stands_for()?.address != team.address && thread.num()? == 0;
        Ok(if agent { -2 } else { thread.num()?.into() })
    }

    /// The number of the thread that executes the task, or whose implicit task it is.
    pub(super) fn num_of_task(&self) -> Result<i64, Fault> {
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

    pub(super) fn is_agents(&self) -> Result<bool, Fault> {
        let team = self.team()?;
        Ok(team.stands_for()?.address != team.address)
    }

    pub(super) fn reserve(&self) -> Result<(i64, i64), Fault> {
        let limit = self.own_field("Icvs.thread_limit")? as i64;
        let structured = self.setting("Settings.reserve.structured")? as i64;
        let agents = self.setting("Settings.reserve.free_agents")? as i64;
        Ok(((limit - agents).max(1), (limit - structured).max(0)))
    }

    /// `ompd_team_generator_t`: 0 program, 1 parallel, 2 teams, 3 target.
    pub(super) fn generator(&self) -> Result<Value, Fault> {
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
}
