//! A team, and the region that it executes.

use crate::runtime::Runtime;
use crate::target::Fault;
use crate::task::Task;
use crate::thread::Thread;

/// The largest team that is believed: a larger size means that the record is damaged.
pub(crate) const MOST_MEMBERS: u32 = 1 << 16;

/// See the module. A name for a record: every question reads the target.
#[derive(Clone, Copy)]
pub struct Team<'r> {
    pub(crate) runtime: &'r Runtime<'r>,
    /// The address of its record.
    pub address: u64,
}

impl<'r> Team<'r> {
    pub(crate) fn get(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.address, field)
    }

    fn pointer<T>(
        &self,
        field: &str,
        of: impl FnOnce(&'r Runtime<'r>, u64) -> T,
    ) -> Result<Option<T>, Fault> {
        let address = self.get(field)?;
        Ok((address != 0).then(|| of(self.runtime, address)))
    }

    /// The fault for a record whose words contradict those of its threads.
    pub(crate) fn nonsense(&self) -> Fault {
        Fault::Nonsense(format!("the team at {:#x} is not what its threads say", self.address))
    }

    /// Whether the record can be a team's: a team has members, and its primary thread lives.
    pub(crate) fn is_one(&self) -> Result<bool, Fault> {
        let primary = self.get("Team.primary")?;
        let is_other = primary != 0 && primary != self.address;
        Ok(self.size()? > 0 && is_other && self.runtime.thread(primary).lwp()? < 1 << 22)
    }

    /// Returns the number of threads in the team.
    pub fn size(&self) -> Result<u32, Fault> {
        match self.get("Team.size")? as u32 {
            size if size <= MOST_MEMBERS => Ok(size),
            size => Err(Fault::Nonsense(format!("a team of {size} threads"))),
        }
    }

    /// Nesting level; 0 for an initial team.
    pub fn level(&self) -> Result<u32, Fault> {
        Ok(self.get("Team.level")? as u32)
    }

    /// Enclosing regions with more than one thread, this one included.
    pub fn active_level(&self) -> Result<u32, Fault> {
        Ok(self.get("Team.active_level")? as u32)
    }

    /// Returns the number of regions that have used the record: another number means another
    /// region.
    pub fn region(&self) -> Result<u64, Fault> {
        self.get("Team.region")
    }

    /// Whether its region is over: no thread is in it, or in a region inside it. A thread whose
    /// words contradict each other counts as being in it.
    pub fn is_over(&self) -> Result<bool, Fault> {
        let is_in = |thread: &Thread<'_>| thread.is_inside(self.address).unwrap_or(true);
        // The primary thread alone tells in most cases.
        if self.primary()?.is_some_and(|primary| is_in(&primary)) {
            return Ok(false);
        }
        Ok(!self.runtime.threads()?.iter().any(is_in))
    }

    /// The team of the task that encountered its region; `None` for an initial team.
    pub fn parent(&self) -> Result<Option<Team<'r>>, Fault> {
        self.pointer("Team.parent", |runtime, at| runtime.team(at))
    }

    /// The number of the device that the team runs on; `None` for a team of the host.
    pub fn device(&self) -> Result<Option<u64>, Fault> {
        /// Far more regions inside each other than any program has.
        const MOST_TEAMS: usize = 1 << 16;
        let mut team = *self;
        for _ in 0..MOST_TEAMS {
            let device = self.runtime.get(team.address, "Team.on_device")?;
            if device != 0 {
                return Ok(Some(device - 1));
            }
            match team.parent()? {
                Some(parent) => team = parent,
                None => break,
            }
        }
        Ok(None)
    }

    /// The task that encountered its region; `None` for an initial team.
    pub fn encountering_task(&self) -> Result<Option<Task<'r>>, Fault> {
        self.pointer("Team.parent_task", |runtime, at| runtime.task(at))
    }

    /// The primary thread.
    pub fn primary(&self) -> Result<Option<Thread<'r>>, Fault> {
        self.pointer("Team.primary", |runtime, at| runtime.thread(at))
    }

    /// The return address of the region's call; 0 if not known.
    pub fn codeptr(&self) -> Result<u64, Fault> {
        self.get("Team.codeptr")
    }

    /// The outlined function; 0 if not known.
    pub fn function(&self) -> Result<u64, Fault> {
        self.get("Team.function")
    }

    /// The number of teams in its league, and this team's number.
    pub fn league(&self) -> Result<(u32, u32), Fault> {
        let at = self.runtime.at(self.address, "Team.league")?;
        let second = at + self.runtime.value("Team.league.1")?;
        Ok((self.runtime.number(at, 4)? as u32, self.runtime.number(second, 4)? as u32))
    }

    /// The league's region, if this is one of its teams.
    pub fn league_region(&self) -> Result<Option<Team<'r>>, Fault> {
        self.pointer("Team.league_of", |runtime, at| runtime.team(at))
    }

    /// The team that tools are shown in its place: the league's region for a team of a league,
    /// otherwise the team itself.
    pub fn shown(&self) -> Result<Team<'r>, Fault> {
        Ok(self.league_region()?.unwrap_or(*self))
    }

    /// For the team of a free agent, the team whose tasks the agent executes; otherwise the team
    /// itself.
    pub fn stands_for(&self) -> Result<Team<'r>, Fault> {
        Ok(self.runtime.team(self.get("Team.stands_for")?))
    }

    /// The address of the slot of member `num`.
    pub(crate) fn slot(&self, num: u32) -> Result<u64, Fault> {
        if num >= self.get("Team.capacity")? as u32 || num >= MOST_MEMBERS {
            return Err(Fault::Unknown(format!("member {num} of the team")));
        }
        self.runtime.word(self.get("Team.slots")?.wrapping_add(u64::from(num) * 8))
    }

    /// A field of the words that member `num` publishes to the others.
    pub(crate) fn published(&self, num: u32, field: &str) -> Result<u64, Fault> {
        let at = self.runtime.at(self.slot(num)?, "Slot.published")?;
        self.runtime.get(at, field)
    }

    /// The return addresses from which member `num` came to the latest of its `count` barriers, the
    /// latest one last; 0 if not known.
    pub(crate) fn sites(&self, num: u32, count: u64) -> Result<Vec<u64>, Fault> {
        /// More sites than any runtime keeps.
        const MOST_SITES: u64 = 256;
        let kept = self.runtime.value("Slot.SITES")?.clamp(1, MOST_SITES);
        let at = self.runtime.at(self.slot(num)?, "Slot.sites")?;
        let latest = count.saturating_sub(kept) + 1..=count;
        latest.map(|barrier| self.runtime.word(at.wrapping_add(barrier % kept * 8))).collect()
    }

    /// The thread with number `num`.
    pub fn thread(&self, num: u32) -> Result<Thread<'r>, Fault> {
        if num >= self.size()? {
            return Err(Fault::Unknown(format!("thread {num} in the team")));
        }
        let address = self.runtime.get(self.slot(num)?, "Slot.thread")?;
        if address == 0 {
            return Err(Fault::Unknown(format!("thread {num} in the team")));
        }
        Ok(self.runtime.thread(address))
    }

    /// The implicit task of thread `num`.
    pub fn task(&self, num: u32) -> Result<Task<'r>, Fault> {
        if num >= self.size()? {
            return Err(Fault::Unknown(format!("thread {num} in the team")));
        }
        Ok(self.runtime.task(self.runtime.at(self.slot(num)?, "Slot.task")?))
    }

    /// The address of the tool's `ompt_data_t`; `None` without a tool. A team of a league has that
    /// of its league.
    pub fn tool_data(&self) -> Result<Option<u64>, Fault> {
        self.runtime.tool_word(self.runtime.at(self.shown()?.address, "Team.identity")?)
    }

    /// Whether the region began while the runtime kept state for debuggers or tools
    /// (`Watch::Told`).
    pub fn is_watched(&self) -> Result<bool, Fault> {
        Ok(self.get("Team.watched")? == 1)
    }

    /// The region's id, for generations of OMPT without data words; 0 for an initial region. For a
    /// region that is not watched, it is the id of an earlier region.
    pub fn id(&self) -> Result<u64, Fault> {
        let id = self.runtime.at(self.address, "Team.identity")?;
        let id = self.runtime.get(id, "Identity.id")?;
        let initial = self.runtime.value("Identity.INITIAL_REGION")?;
        Ok(if id & initial != 0 { 0 } else { id })
    }
}
