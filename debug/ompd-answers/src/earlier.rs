//! Questions that only the generations before OpenMP 5.0 ask: for the results of routines, where
//! later ones ask for ICVs.

use omphalos_ompd_view::Frames;

use crate::{Answer, Code, Held, Kind};

impl Held {
    /// `omp_in_parallel` of a task.
    pub fn in_parallel(&self) -> Answer<bool> {
        Ok(self.parallel_of_task()?.active_level()? > 0)
    }

    /// `omp_get_nested` of a task.
    pub fn nested(&self) -> Answer<bool> {
        Ok(self.of(Kind::Task)?.number("max-active-levels-var")? > 1)
    }

    /// `omp_get_schedule` of a task: `omp_sched_t` without the monotonic bit, and the chunk. For a
    /// schedule of the runtime's own, the kind is 5, the first of the vendors' numbers.
    pub fn schedule(&self) -> Answer<(i32, i32)> {
        let known = crate::icv::named("run-sched-var").ok_or(Code::Error)?;
        let value = self.of(Kind::Task)?.icv(&known)?;
        let kind = i32::try_from(value.number.ok_or(Code::Unavailable)?).unwrap_or(1);
        let chunk = value.text.rsplit(',').next().and_then(|chunk| chunk.parse().ok());
        Ok((if (1..=4).contains(&kind) { kind } else { 5 }, chunk.unwrap_or(0)))
    }

    /// The number of the thread that executes the task, or whose implicit task it is.
    pub fn thread_num_of_task(&self) -> Answer<i64> {
        let known = crate::icv::named("thread-num-var").ok_or(Code::Error)?;
        self.of(Kind::Task)?.icv(&known)?.number.ok_or(Code::Unavailable)
    }

    /// The region's id, if the runtime kept it.
    pub fn id_of_parallel(&self) -> Answer<u64> {
        let (kept, id) = self.of(Kind::Parallel)?.ask_runtime(|runtime, at| {
            let team = runtime.team(at);
            Ok((team.is_watched()? || team.parent()?.is_none(), team.id()?))
        })?;
        if !kept { Err(Code::NeedsStateTracking) } else { known(id) }
    }

    /// The task's frames, if the runtime kept them.
    pub fn kept_frames(&self) -> Answer<Frames> {
        let kept =
            self.of(Kind::Task)?.ask_runtime(|runtime, at| runtime.task(at).entry_is_kept())?;
        if kept { self.frames() } else { Err(Code::NeedsStateTracking) }
    }

    /// The region's outlined function. Unavailable if the program calls the function by itself, as
    /// clang's code does for `if(0)`, and for an initial region.
    pub fn code_of_parallel(&self) -> Answer<u64> {
        self.parallel_function().and_then(known)
    }

    /// The task's outlined function; unavailable in the same cases.
    pub fn code_of_task(&self) -> Answer<u64> {
        self.task_function().and_then(known)
    }

    /// All members of a region: their threads, or their implicit tasks.
    pub fn members(&self, of: impl Fn(&Held, i32) -> Answer<Held>) -> Answer<Vec<Held>> {
        let size = i32::try_from(self.size()?).map_err(|_| Code::Error)?;
        (0..size).map(|num| of(self, num)).collect()
    }
}

fn known(address: u64) -> Answer<u64> {
    if address == 0 { Err(Code::Unavailable) } else { Ok(address) }
}
