//! Finds what a thread waits for, as far as the runtime's own words tell.

use crate::runtime::Runtime;
use crate::snapshot::Wait;
use crate::states;
use crate::target::Fault;
use crate::team::Team;
use crate::thread::Thread;

/// Members of a team that are searched for the one whose turn it is.
const MOST_MEMBERS: u32 = 4096;

impl<'r> Thread<'r> {
    /// The thread's wait; `None` if it works. Facts that need a look at all tasks, such as the
    /// tasks waited for, are left out.
    pub fn waits(&self) -> Result<Option<Wait>, Fault> {
        let (state, wait_id) = self.state()?;
        // Some waits are known even if the team is damaged.
        let team = match self.team() {
            Ok(None) => return Ok(Some(Wait::Work)),
            Ok(Some(team)) => Ok(team),
            Err(fault) => Err(fault),
        };
        Ok(match state {
            0x011..=0x016 => Some(self.barrier(state, &team?)?),
            0x020 | 0x021 => Some(self.tasks(state)?),
            0x040..=0x043 => Some(Wait::Lock { lock: wait_id }),
            0x044 => Some(self.ordered(&team?, wait_id)?),
            states::IDLE => Some(Wait::Work),
            _ => self.elsewhere()?,
        })
    }

    /// Barriers of the current region that it has come to; 0 outside regions.
    pub fn barriers(&self) -> Result<u64, Fault> {
        if !self.is_in_region()? {
            return Ok(0);
        }
        let slot = self.slot()?;
        let base = self.region_base(slot)?;
        Ok(self.runtime.get(slot, "Slot.epoch")?.saturating_sub(base))
    }

    fn region_base(&self, slot: u64) -> Result<u64, Fault> {
        let shift = self.runtime.value("Team.REGION_SHIFT")?.min(63);
        Ok(self.runtime.get(slot, "Slot.region")? << shift)
    }

    fn barrier(&self, state: u32, team: &Team<'r>) -> Result<Wait, Fault> {
        let kind = match state {
            states::WAIT_BARRIER_IMPLICIT_PARALLEL => "region",
            0x014 => "explicit",
            0x015 => "implementation",
            0x016 => "teams",
            _ => "implicit",
        };
        // Members announce the end of a region in another word than other barriers.
        let (field, wanted) = if state == states::WAIT_BARRIER_IMPLICIT_PARALLEL {
            ("Published.joined", team.region()?)
        } else {
            ("Published.arrived", self.runtime.get(self.slot()?, "Slot.epoch")?)
        };
        let mut missing = Vec::new();
        for num in 0..team.size()? {
            if num != self.num()? && team.published(num, field)? < wanted {
                missing.push(num);
            }
        }
        let for_tasks = missing.is_empty();
        Ok(Wait::Barrier { kind: kind.into(), team: team.address, missing, for_tasks })
    }

    fn tasks(&self, state: u32) -> Result<Wait, Fault> {
        let runtime = self.runtime;
        let task = self.get("Thread.task")?;
        if state == 0x021 {
            let group = runtime.get(task, "Task.group")?;
            let left = match group {
                0 => None,
                group => Some(runtime.outstanding(runtime.at(group, "Group.count")?)?),
            };
            return Ok(Wait::Taskgroup { task, left });
        }
        match self.wanted_node()? {
            Some(_) => Ok(Wait::Dependences { on: Vec::new() }),
            None => Ok(Wait::Taskwait { task }),
        }
    }

    /// The node for which the thread waits, if it waits for dependences.
    pub(crate) fn wanted_node(&self) -> Result<Option<u64>, Fault> {
        let runtime = self.runtime;
        let wants = runtime.at(runtime.at(self.address, "Thread.tasks")?, "ThreadTasks.wants")?;
        let wanted = runtime.word(wants.wrapping_add(runtime.value("ThreadTasks.wants.1")?))?;
        let task = runtime.word(wants)?;
        if wanted == 0 || task == 0 || task != self.get("Thread.task")? {
            return Ok(None);
        }
        let group = runtime.get(task, "Task.group")?;
        let of_group = if group == 0 { 0 } else { runtime.at(group, "Group.count")? };
        let is_count = wanted == runtime.at(task, "Task.children")? || wanted == of_group;
        Ok((!is_count).then_some(wanted))
    }

    fn ordered(&self, team: &Team<'r>, wait_id: u64) -> Result<Wait, Fault> {
        let runtime = self.runtime;
        let share = runtime.at(self.slot()?, "Slot.share")?;
        let entry = runtime.get(share, "Member.entry")?;
        if entry != 0 && runtime.at(entry, "WorkShare.turn")? == wait_id {
            let own = runtime.get_first(share, "Member.current")?;
            let turn = runtime.word(wait_id).ok();
            let of = turn.and_then(|turn| self.who_has(team, entry, turn));
            return Ok(Wait::Ordered { team: team.address, turn, own: Some(own), of });
        }
        let nest = runtime.get(share, "Member.nest")?;
        if nest == 0 {
            return Ok(Wait::Ordered { team: team.address, turn: None, own: None, of: None });
        }
        self.sink(team, nest, runtime.get(share, "Member.sink")?)
    }

    /// The member that took the chunk with this iteration: the last of those that have begun at it
    /// or before it.
    fn who_has(&self, team: &Team<'r>, entry: u64, turn: u64) -> Option<u32> {
        let runtime = self.runtime;
        let current = |num: u32| {
            let share = runtime.at(team.thread(num).ok()?.slot().ok()?, "Slot.share").ok()?;
            let is_here = runtime.get(share, "Member.entry").ok()? == entry;
            let current = runtime.get_first(share, "Member.current").ok()?;
            (is_here && current <= turn).then_some((current, num))
        };
        let members = 0..team.size().ok()?.min(MOST_MEMBERS);
        members.filter_map(current).max().map(|(_, num)| num)
    }

    /// The wait of a thread in a state that tells nothing of a wait.
    fn elsewhere(&self) -> Result<Option<Wait>, Fault> {
        let runtime = self.runtime;
        let task = self.get("Thread.task")?;
        if task == 0 || !self.is_asleep()? {
            return Ok(None);
        }
        // An undeferred task whose event is outstanding.
        let traits = runtime.get(task, "Task.traits")?;
        if traits & runtime.value("Traits.DETACHABLE")? != 0 {
            let ends = runtime.get(task, "Task.ends")?;
            let (body, event) =
                (runtime.value("Task.BODY_ENDED")?, runtime.value("Task.FULFILLED")?);
            if ends & body != 0 && ends & event == 0 {
                return Ok(Some(Wait::Event { task }));
            }
        }
        Ok(Some(Wait::Unknown { what: "the runtime put it to sleep".into() }))
    }
}

impl Runtime<'_> {
    /// The first of a field's two numbers.
    pub(crate) fn get_first(&self, base: u64, field: &str) -> Result<u64, Fault> {
        self.word(self.at(base, field)?)
    }
}
