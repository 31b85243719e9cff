//! Questions about parallel regions and tasks.

use omphalos_ompd_view::{Fault, Frames, Task, Team};

use crate::{Answer, Code, Held, Kind};

impl Held {
    fn ask_team<T>(&self, question: impl FnOnce(Team<'_>) -> Result<T, Fault>) -> Answer<T> {
        self.of(Kind::Parallel)?.ask_runtime(|runtime, at| question(runtime.team(at)))
    }

    fn ask_task<T>(&self, question: impl FnOnce(Task<'_>) -> Result<T, Fault>) -> Answer<T> {
        self.of(Kind::Task)?.ask_runtime(|runtime, at| question(runtime.task(at)))
    }

    /// The region around this one. For a team of a league it is the region around the league, since
    /// the program does not see the league's own region.
    pub fn enclosing(&self) -> Answer<Held> {
        let found = self.ask_team(|team| {
            let parent = team.shown()?.parent()?;
            parent.map(|parent| Held::parallel(&self.space, &parent)).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }

    /// The number of threads in the region.
    pub fn size(&self) -> Answer<u32> {
        self.ask_team(|team| team.size())
    }

    /// The number of regions around it, itself included.
    pub fn level(&self) -> Answer<u32> {
        self.ask_team(|team| team.level())
    }

    /// The number of these regions that have more than one thread.
    pub fn active_level(&self) -> Answer<u32> {
        self.ask_team(|team| team.active_level())
    }

    /// The region's outlined function; 0 if not known.
    pub fn parallel_function(&self) -> Answer<u64> {
        self.ask_team(|team| team.function())
    }

    fn member(&self, num: i32) -> Answer<u32> {
        let size = self.size()?;
        u32::try_from(num).ok().filter(|&num| num < size).ok_or(Code::BadInput)
    }

    /// The thread with this number in the region.
    pub fn thread_in(&self, num: i32) -> Answer<Held> {
        let num = self.member(num)?;
        self.ask_team(|team| Held::thread(&self.space, &team.thread(num)?))
    }

    /// The implicit task of that thread.
    pub fn task_in(&self, num: i32) -> Answer<Held> {
        let num = self.member(num)?;
        self.ask_team(|team| Held::implicit(&self.space, &team, team.task(num)?.address))
    }

    /// The region that the task belongs to.
    pub fn parallel_of_task(&self) -> Answer<Held> {
        let team = self.team;
        self.of(Kind::Task)?.ask_runtime(|runtime, at| match team {
            0 => Held::parallel(&self.space, &runtime.task(at).team()?),
            team => Held::parallel(&self.space, &runtime.team(team)),
        })
    }

    fn other(&self, which: impl FnOnce(&Task<'_>) -> Result<Option<u64>, Fault>) -> Answer<Held> {
        let found = self.of(Kind::Task)?.ask_runtime(|runtime, at| {
            let other = which(&runtime.task(at))?;
            other.map(|at| Held::task(&self.space, &runtime.task(at))).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }

    /// The task that met the region of an implicit task; for a team's initial task, the task that
    /// met the league.
    fn around(&self) -> Answer<Held> {
        let team = self.team;
        let found = self.of(Kind::Task)?.ask_runtime(|runtime, _| {
            let team = runtime.team(team);
            let is_agents = team.stands_for()?.address != team.address;
            let shown = if is_agents { team } else { team.shown()? };
            let task = shown.encountering_task()?;
            task.map(|task| Held::task(&self.space, &task)).transpose()
        })?;
        found.ok_or(Code::Unavailable)
    }

    /// The task that met the construct.
    pub fn generating(&self) -> Answer<Held> {
        if self.team != 0 {
            return self.around();
        }
        self.other(|task| Ok(task.generating()?.map(|task| task.address)))
    }

    /// The task that the thread interrupted to execute this one.
    pub fn scheduling(&self) -> Answer<Held> {
        if self.team != 0 {
            return self.around();
        }
        self.other(|task| Ok(task.scheduling()?.map(|task| task.address)))
    }

    /// The task's outlined function; 0 if not known.
    pub fn task_function(&self) -> Answer<u64> {
        let team = self.team;
        self.of(Kind::Task)?.ask_runtime(|runtime, at| match team {
            0 => runtime.task(at).function(),
            team if runtime.team(team).parent()?.is_none() => Ok(0),
            team => runtime.team(team).function(),
        })
    }

    /// The task's frames.
    pub fn frames(&self) -> Answer<Frames> {
        self.ask_task(|task| task.frames())
    }

    /// Whether no task construct made it.
    pub fn is_implicit(&self) -> Answer<bool> {
        self.ask_task(|_| Ok(())).map(|()| self.team != 0)
    }

    /// Whether it is final.
    pub fn is_final(&self) -> Answer<bool> {
        self.ask_task(|task| task.is_final())
    }
}
