//! What the runtime tells of its threads while they run: Omphalos alone does, by the description of
//! its own structures.

use std::collections::HashMap;
use std::sync::Arc;

use omphalos_ompd_view::{Fault, Kind, Layout, Pages, Runtime, Target, Thread};

/// What is told of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Told {
    /// `ompt_state_t`.
    pub state: u32,
    /// What it waits for, if that is a mutex.
    pub wait_id: u64,
    /// It is one of the runtime's own.
    pub is_worker: bool,
    /// Where the body of its team's region starts; 0 outside of any, or if not known.
    pub body: u64,
    /// The kernel's number of the thread that encountered that region; 0 if not known.
    pub primary: u32,
    /// Its number in that team.
    pub number: u32,
    /// `ompt_task_flag_t` of its task.
    pub task_flags: u32,
}

/// All threads that the runtime knows, by the numbers that the program sees. They run: what is told
/// of one need not fit to what is told of another.
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
    // It may be between two regions: then the stacks say where it is.
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
