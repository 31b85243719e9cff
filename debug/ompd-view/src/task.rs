//! A task of the runtime, implicit or explicit, as its records in the process show it. OMPD's
//! libraries and the snapshot ask it.

use crate::runtime::Runtime;
use crate::states;
use crate::target::Fault;
use crate::team::Team;
use std::collections::HashSet;

/// The most ancestors of a task that are looked at.
pub(crate) const MOST_ANCESTORS: usize = 1 << 16;

/// Bits of `ompt_task_flag_t`.
pub mod flags {
    #![allow(missing_docs)]
    pub const INITIAL: u32 = 0x1;
    pub const IMPLICIT: u32 = 0x2;
    pub const EXPLICIT: u32 = 0x4;
    pub const TARGET: u32 = 0x8;
    pub const UNDEFERRED: u32 = 0x0800_0000;
    pub const UNTIED: u32 = 0x1000_0000;
    pub const FINAL: u32 = 0x2000_0000;
    pub const MERGEABLE: u32 = 0x4000_0000;
    pub const MERGED: u32 = 0x8000_0000;
}

/// `ompt_frame_t`: addresses of frames, 0 for none, with their `ompt_frame_flag_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// The frame in which the runtime called the task's code.
    pub exit: u64,
    /// The flags of `exit`.
    pub exit_flags: u32,
    /// The frame in which the task's code entered the runtime.
    pub enter: u64,
    /// The flags of `enter`.
    pub enter_flags: u32,
}

/// A task, named by the address of its record. Every method reads the process anew.
#[derive(Clone, Copy)]
pub struct Task<'r> {
    pub(crate) runtime: &'r Runtime<'r>,
    /// The address of its record.
    pub address: u64,
}

impl<'r> Task<'r> {
    pub(crate) fn get(&self, field: &str) -> Result<u64, Fault> {
        self.runtime.get(self.address, field)
    }

    /// `ompt_task_flag_t`.
    pub fn flags(&self) -> Result<u32, Fault> {
        Ok(self.get("Task.flags")? as u32)
    }

    /// Whether it is an implicit or initial task.
    pub fn is_implicit(&self) -> Result<bool, Fault> {
        Ok(self.flags()? & (flags::IMPLICIT | flags::INITIAL) != 0)
    }

    /// Whether it is a final task.
    pub fn is_final(&self) -> Result<bool, Fault> {
        Ok(self.flags()? & flags::FINAL != 0)
    }

    /// The team whose threads may execute it.
    pub fn team(&self) -> Result<Team<'r>, Fault> {
        match self.get("Task.team")? {
            0 => Err(Fault::Nonsense("a task without a team".into())),
            team => Ok(self.runtime.team(team)),
        }
    }

    /// The task that made it; for an implicit task, the task that encountered the region. `None`
    /// for an initial task.
    pub fn generating(&self) -> Result<Option<Task<'r>>, Fault> {
        let parent = self.get("Task.parent")?;
        Ok((parent != 0).then(|| self.runtime.task(parent)))
    }

    /// The task that the thread interrupted to execute this one. `None` for an initial task, and
    /// for one that no thread executes.
    pub fn scheduling(&self) -> Result<Option<Task<'r>>, Fault> {
        if self.is_implicit()? {
            return self.generating();
        }
        // The first loop asks only the threads' own records (`Running`). The second one goes by the
        // makers and frames of tasks as well, which are less sure.
        let threads = self.runtime.threads()?;
        for thread in &threads {
            if let Some(prior) = crate::stack::noted_below(thread, self.address)? {
                return Ok(Some(self.runtime.task(prior)));
            }
        }
        for thread in &threads {
            if let Some(prior) = crate::stack::below(thread, self.address)? {
                return Ok(Some(self.runtime.task(prior)));
            }
        }
        Ok(None)
    }

    /// The outlined function that it executes; for an implicit task, the region's. 0 if not known.
    pub fn function(&self) -> Result<u64, Fault> {
        if self.flags()? & (flags::IMPLICIT | flags::INITIAL) != 0 {
            if self.flags()? & flags::INITIAL != 0 { Ok(0) } else { self.team()?.function() }
        } else {
            self.get("Task.code")
        }
    }

    /// Its frames.
    pub fn frames(&self) -> Result<Frames, Fault> {
        let tool = self.runtime.at(self.address, "Task.tool")?;
        let frame = self.runtime.at(tool, "TaskTool.frame")?;
        let get = |field| self.runtime.get(frame, field);
        Ok(Frames {
            exit: get("Frame.exit")?,
            exit_flags: get("Frame.exit_flags")? as u32,
            enter: get("Frame.enter")?,
            enter_flags: get("Frame.enter_flags")? as u32,
        })
    }

    /// Whether the explicit task is over and its record unused.
    pub fn has_ended(&self) -> Result<bool, Fault> {
        // With an exit frame, the runtime has called the task's code, and it has not returned.
        if self.frames()?.exit != 0 {
            return Ok(false);
        }
        for thread in &self.runtime.threads()? {
            if thread.task()?.is_some_and(|task| task.address == self.address) {
                return Ok(false);
            }
        }
        let mut unused = HashSet::new();
        self.runtime.unused(self.get("Task.home")?, &mut unused)?;
        Ok(unused.contains(&self.address))
    }

    /// Whether the `enter` of [`Task::frames`] is right. A value of 0 is right if the task is not
    /// in the runtime, and wrong otherwise: then the runtime kept no frame.
    pub fn entry_is_kept(&self) -> Result<bool, Fault> {
        let runtime = self.runtime;
        if !runtime.keeps()? && runtime.tool_slot()?.is_none() {
            return Ok(false);
        }
        let frames = self.frames()?;
        if frames.enter != 0 {
            return Ok(true);
        }
        for thread in &runtime.threads()? {
            if thread.task()?.is_some_and(|task| task.address == self.address) {
                return Ok(!states::has_entered(thread.state()?.0));
            }
        }
        // The task is no thread's current task: it made the current one, or it has not begun.
        let has_begun = frames.exit != 0 || self.flags()? & flags::INITIAL != 0;
        Ok(!has_begun)
    }

    /// The address of the tool's `ompt_data_t`; `None` without a tool.
    pub fn tool_data(&self) -> Result<Option<u64>, Fault> {
        self.runtime.tool_word(self.identity()?)
    }

    fn identity(&self) -> Result<u64, Fault> {
        self.runtime.at(self.runtime.at(self.address, "Task.tool")?, "TaskTool.identity")
    }

    /// The task's id, for generations of OMPT without data words; 0 if no tool saw the task.
    pub fn id(&self) -> Result<u64, Fault> {
        self.runtime.get(self.identity()?, "Identity.id")
    }

    /// Children that are not complete.
    pub fn children(&self) -> Result<u64, Fault> {
        if self.get("Task.traits")? & self.runtime.value("Traits.PARENT")? == 0 {
            return Ok(0);
        }
        self.runtime.outstanding(self.runtime.at(self.address, "Task.children")?)
    }

    /// The address of its ICVs.
    pub(crate) fn icvs(&self) -> Result<u64, Fault> {
        match self.get("Task.icvs")? {
            0 => Err(Fault::Nonsense("a task without ICVs".into())),
            icvs => Ok(icvs),
        }
    }
}

impl Runtime<'_> {
    /// The value of a count of tasks, which is split between the owner and others
    /// (`omphalos_sync::count`).
    pub(crate) fn outstanding(&self, count: u64) -> Result<u64, Fault> {
        let (bias, ended) = (self.value("Count.BIAS")? as i64, self.value("Count.ENDED")? as i64);
        let net = self.get(count, "Count.net")? as i64 & (ended - 1);
        let owned = self.get(count, "Count.owner")? != 0;
        let local = if owned { self.get(count, "Count.local")? as i64 } else { 0 };
        let biased = owned || net >= bias;
        let left = local.wrapping_add(net) - if biased { bias } else { 0 };
        Ok(left.clamp(0, 1 << 32) as u64)
    }
}
