//! Reads the runtime's facts about its threads while they run. Only Omphalos has these, through the
//! description of its own structures.

use std::collections::HashMap;
use std::sync::Arc;

use omphalos_ompd_view::{Fault, Kind, Layout, Pages, Runtime, Target, Thread};

/// The runtime's facts about one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Told {
    /// `ompt_state_t`.
    pub state: u32,
    /// The mutex that it waits for, if it waits for one.
    pub wait_id: u64,
    /// It is one of the runtime's own threads.
    pub is_worker: bool,
    /// The start of the body of its team's region; 0 outside regions, or if not known.
    pub body: u64,
    /// The kernel's number of the thread that encountered that region; 0 if not known.
    pub primary: u32,
    /// Its number in that team.
    pub number: u32,
    /// `ompt_task_flag_t` of its task.
    pub task_flags: u32,
}

/// All threads that the runtime knows, by the numbers that the program sees. They run meanwhile:
/// facts about one thread need not fit those about another.
pub fn threads(target: &dyn Target, layout: &Arc<Layout>) -> HashMap<u32, Told> {
    let pages = Pages::of(target);
    let runtime = Runtime::with(&pages, layout.clone());
    let known = runtime.threads().unwrap_or_default();
    known.iter().filter_map(|thread| Some((thread.lwp().ok()?, of(thread).ok()?))).collect()
}

fn of(thread: &Thread<'_>) -> Result<Told, Fault> {
    let (state, wait_id) = thread.state()?;
    let is_worker = thread.kind()? == Kind::Worker;
    let mut told = Told { state, wait_id, is_worker, ..Told::default() };
    // The thread may be between two regions: then its stack shows where it is.
    if let Ok(Some(team)) = thread.team() {
        if team.parent()?.is_some() {
            told.body = team.function().unwrap_or(0);
            let primary = team.primary().ok().flatten();
            told.primary = primary.and_then(|primary| primary.lwp().ok()).unwrap_or(0);
        }
        told.number = thread.num().unwrap_or(0);
        let task = thread.task().ok().flatten();
        told.task_flags = task.and_then(|task| task.flags().ok()).unwrap_or(0);
    }
    Ok(told)
}
