//! Tells of the dependences of tasks. Later texts have swapped the numbers of in and out. Kinds
//! that came later are told as inout. Doacross loops had no event.

use super::view::View;
use crate::earlier::call_tool::call_tool;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{Dependence, Notes, TaskTool, inquiry};

/// `ompt_task_dependence_t`.
#[repr(C)]
struct TaskDependence {
    variable: u64,
    flags: u32,
}

const _: () = assert!(size_of::<TaskDependence>() == 16);

/// Whether a task stands for a wait, and is not one of the program's.
pub fn is_stand_in(task: &TaskTool) -> bool {
    let noted = notes().map(|notes| notes.stand_in.load(Ordering::Relaxed).cast_const());
    noted.is_some_and(|noted| core::ptr::eq(noted, task))
}

/// Returns the dependences of the undeferred task that the thread has just made. They are
/// fulfilled.
pub fn awaited<'a>() -> &'a [Dependence] {
    notes().map_or(&[], Notes::awaited)
}

fn notes() -> Option<&'static Notes> {
    inquiry().and_then(|engine| (engine.notes)())
}

/// Tells a task's dependences, as its construct lists them.
pub fn tell_event(view: View, task: &TaskTool, dependences: &[Dependence]) {
    const IN: i32 = 1;
    const OUT: i32 = 2;
    const SOURCE: i32 = 5;
    const SINK: i32 = 6;
    if view.callback(ompt_event_task_dependences) == 0
        || dependences.iter().any(|d| matches!(d.kind, SOURCE | SINK))
    {
        return;
    }
    let list: Vec<TaskDependence> = dependences
        .iter()
        .map(|dependence| {
            let flags = match dependence.kind {
                IN => ompt_task_dependence_type_in,
                OUT => ompt_task_dependence_type_out,
                _ => ompt_task_dependence_type_inout,
            };
            TaskDependence { variable: dependence.variable, flags: flags as u32 }
        })
        .collect();
    let (address, length) = (list.as_ptr() as u64, list.len() as u64);
    call_tool!(view, ompt_event_task_dependences, view.task(task), address, length);
}
