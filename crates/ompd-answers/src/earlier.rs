//! What the generations before OpenMP 5.0 ask in words of their own: routines' answers instead of
//! ICVs.

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

    /// `omp_get_schedule` of a task: `omp_sched_t` without the monotonic bit, and the chunk. A kind
    /// of the runtime's own is the first of the vendors' numbers.
    pub fn schedule(&self) -> Answer<(i32, i32)> {
        let known = crate::icv::named("run-sched-var").ok_or(Code::Error)?;
        let value = self.of(Kind::Task)?.icv(&known)?;
        let kind = i32::try_from(value.number.ok_or(Code::Unavailable)?).unwrap_or(1);
        let chunk = value.text.rsplit(',').next().and_then(|chunk| chunk.parse().ok());
        Ok((if (1..=4).contains(&kind) { kind } else { 5 }, chunk.unwrap_or(0)))
    }

    /// The number of the thread that a task's implicit task, or the task itself, is executed by.
    pub fn thread_num_of_task(&self) -> Answer<i64> {
        let known = crate::icv::named("thread-num-var").ok_or(Code::Error)?;
        self.of(Kind::Task)?.icv(&known)?.number.ok_or(Code::Unavailable)
    }

    /// All members of a region: their threads, or their implicit tasks.
    pub fn members(&self, of: impl Fn(&Held, i32) -> Answer<Held>) -> Answer<Vec<Held>> {
        let size = i32::try_from(self.size()?).map_err(|_| Code::Error)?;
        (0..size).map(|num| of(self, num)).collect()
    }
}
