//! A thread that OpenMP knows.

use crate::runtime::Runtime;
use crate::states;
use crate::target::Fault;
use crate::task::Task;
use crate::team::Team;

/// The number of threads that the table of a threadprivate variable has room for, as in
/// `runtime/engine/src/threadprivate.rs`.
const THREADS_OF_TABLE: u64 = 1 << 16;
/// The greatest depth to which regions are nested.
const MOST_DEPTH: u64 = 1 << 16;

/// See the module. A name for a record: every question reads the target.
#[derive(Clone, Copy)]
pub struct Thread<'r> {
    pub(crate) runtime: &'r Runtime<'r>,
    /// The address of its record.
    pub address: u64,
}

/// The kind of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program's first thread.
    Initial,
    /// A thread of the runtime.
    Worker,
    /// Any other thread.
    Other,
    /// No thread has the record.
    None,
}

impl<'r> Thread<'r> {
    pub(crate) fn get(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.address, field)
    }

    /// The number in the process as users know it, from 0, without gaps for hidden helper threads,
    /// which have -1 and below.
    pub fn number(&self) -> Result<i32, Fault> {
        Ok(self.get("Thread.number")? as i32)
    }

    /// The number by which LLVM's interface and the words of locks know the thread.
    pub(crate) fn own_number(&self) -> Result<i32, Fault> {
        Ok(self.get("Thread.gtid")? as i32)
    }

    /// The address of the thread's copy of a threadprivate variable that the compiler leaves to the
    /// runtime, as flang does, and clang without thread-local storage. `pointer` is the address of
    /// the variable's pointer to its table of copies. `None` if the variable itself is to be read,
    /// for example for a thread that has not used it yet.
    pub fn threadprivate_copy(&self, pointer: u64) -> Result<Option<u64>, Fault> {
        let (number, table) = (self.get("Thread.gtid")?, self.runtime.word(pointer)?);
        if table == 0 || !(1..THREADS_OF_TABLE).contains(&number) {
            return Ok(None);
        }
        let copy = self.runtime.word(table.wrapping_add(8 * number))?;
        Ok((copy != 0).then_some(copy))
    }

    /// The kernel's number; 0 when the thread has ended.
    pub fn lwp(&self) -> Result<u32, Fault> {
        Ok(self.get("Thread.lwp")? as u32)
    }

    /// `pthread_self()` of the thread; 0 when the thread has ended.
    pub fn pthread(&self) -> Result<u64, Fault> {
        self.get("Thread.pthread")
    }

    /// The kind of the thread.
    pub fn kind(&self) -> Result<Kind, Fault> {
        let kind = self.get("Thread.kind")?;
        let is = |name| self.runtime.value(name).map(|value| value == kind);
        Ok(if is("ThreadKind.INITIAL")? {
            Kind::Initial
        } else if is("ThreadKind.WORKER")? {
            Kind::Worker
        } else if is("ThreadKind.UNKNOWN")? {
            Kind::None
        } else {
            Kind::Other
        })
    }

    /// Whether the runtime put it to sleep.
    pub fn is_asleep(&self) -> Result<bool, Fault> {
        let line = self.runtime.at(self.address, "Thread.line")?;
        let gate = self.runtime.at(line, "Line.gate")?;
        Ok(self.runtime.get(gate, "Gate.seq")? & 1 != 0)
    }

    /// The thread's slot in its team.
    pub(crate) fn slot(&self) -> Result<u64, Fault> {
        self.get("Thread.slot")
    }

    /// The state in the thread's own words, with the runtime's number.
    pub(crate) fn noted_state(&self) -> Result<u32, Fault> {
        Ok(self.get("Thread.state")? as u32)
    }

    /// Whether it works in the region of the team that its record names. Nothing tells a worker
    /// that has left about the team until its next order. A team that contradicts the thread's own
    /// words is damaged: then those words count.
    pub fn is_in_region(&self) -> Result<bool, Fault> {
        let state = self.noted_state()?;
        if state == states::IDLE {
            return Ok(false);
        }
        let (team, slot) = (self.get("Thread.team")?, self.slot()?);
        if team == 0 || slot == 0 {
            return Ok(false);
        }
        let team = self.runtime.team(team);
        let ends = state == states::WAIT_BARRIER_IMPLICIT_PARALLEL;
        if !self.fits(&team, slot)? {
            // A worker may have left already; a primary thread has not.
            if ends && self.num()? != 0 {
                return if team.is_one()? { Ok(false) } else { Err(team.nonsense()) };
            }
            return Ok(state != states::OVERHEAD);
        }
        // A worker at the closing barrier is in the region until the primary thread has left that
        // barrier.
        if !ends || self.num()? == 0 {
            return Ok(true);
        }
        Ok(team.published(0, "Published.left")? != team.region()?)
    }

    /// Whether the thread's slot is in the region that the team executes.
    fn fits(&self, team: &Team<'r>, slot: u64) -> Result<bool, Fault> {
        Ok(self.runtime.get(slot, "Slot.region")? == team.region()?)
    }

    /// `ompt_state_t` and `ompt_wait_id_t`. The id is 0 in a state that waits for no mutex.
    pub fn state(&self) -> Result<(u32, u64), Fault> {
        let state = self.noted_state()?;
        if state == states::WAIT_BARRIER_IMPLICIT_PARALLEL && !self.is_in_region()? {
            return Ok((states::IDLE, 0));
        }
        let state = state & self.runtime.value("State.SHOWN")? as u32;
        let id = if states::waits_for_mutex(state) { self.get("Thread.wait_id")? } else { 0 };
        Ok((state, id))
    }

    /// The team that it works in; `None` for an idle worker. While its next region begins, and it
    /// still executes the encountering task, the team of that region.
    pub fn team(&self) -> Result<Option<Team<'r>>, Fault> {
        if !self.is_in_region()? {
            return Ok(None);
        }
        if let Some(next) = self.beginning()? {
            return Ok(Some(next));
        }
        let team = self.runtime.team(self.get("Thread.team")?);
        match team.size()? > 0 && self.fits(&team, self.slot()?)? {
            true => Ok(Some(team)),
            false => Err(team.nonsense()),
        }
    }

    /// Whether it works in this team's region, or in one inside it.
    pub(crate) fn is_inside(&self, team: u64) -> Result<bool, Fault> {
        if self.lwp()? == 0 || !self.is_in_region()? {
            return Ok(false);
        }
        // A region that begins is not set up at once, so follow the parents from both teams.
        let own = self.get("Thread.team")?;
        let next = self.team()?.map_or(own, |next| next.address);
        for mut at in [own, next] {
            for _ in 0..MOST_DEPTH {
                let here = self.runtime.team(at);
                let shown = [at, here.shown()?.address, here.stands_for()?.address];
                if shown.contains(&team) {
                    return Ok(true);
                }
                match here.parent()? {
                    Some(parent) => at = parent.address,
                    None => break,
                }
            }
        }
        Ok(false)
    }

    /// The device that it executes a region of, or belongs to, if the host plays that device.
    pub fn device(&self) -> Result<Option<u64>, Fault> {
        if let Some(team) = self.team()?
            && let Some(device) = team.device()?
        {
            return Ok(Some(device));
        }
        Ok(self.get("Thread.serves")?.checked_sub(1))
    }

    /// The team of the region that the thread begins, if the region is numbered already and not
    /// entered.
    fn beginning(&self) -> Result<Option<Team<'r>>, Fault> {
        if self.noted_state()? != states::OVERHEAD {
            return Ok(None);
        }
        // The thread's depth counts that region already.
        let (runtime, Some(depth)) = (self.runtime, self.get("Thread.depth")?.checked_sub(1))
        else {
            return Ok(None);
        };
        let list = runtime.at(self.address, "Thread.teams")?;
        let count = runtime.word(list.wrapping_add(runtime.value("Thread.teams.1")?))?;
        if depth >= count || depth > MOST_DEPTH {
            return Ok(None);
        }
        let team = runtime.team(runtime.word(runtime.word(list)?.wrapping_add(depth * 8))?);
        let entered = runtime.get(team.slot(0)?, "Slot.region")?;
        Ok((team.region()? != entered && team.region()? != 0).then_some(team))
    }

    /// The task that it executes; `None` for an idle worker.
    pub fn task(&self) -> Result<Option<Task<'r>>, Fault> {
        if !self.is_in_region()? {
            return Ok(None);
        }
        let task = self.get("Thread.task")?;
        Ok((task != 0).then(|| self.runtime.task(task)))
    }

    /// The number in its team.
    pub fn num(&self) -> Result<u32, Fault> {
        Ok(self.get("Thread.num")? as u32)
    }

    /// The address of the tool's `ompt_data_t`; `None` without a tool.
    pub fn tool_data(&self) -> Result<Option<u64>, Fault> {
        self.runtime.tool_word(self.runtime.at(self.address, "Thread.identity")?)
    }
}
