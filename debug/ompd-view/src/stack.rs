//! A thread's stack of tasks: which task the thread interrupted to execute another.

use crate::target::Fault;
use crate::task::{MOST_ANCESTORS, Task};
use crate::thread::Thread;

/// Returns the task that `thread` interrupted for `task`; `None` if it does not execute `task`.
///
/// The runtime keeps the stack if a tool or a debugger asked for it earlier
/// (`ThreadTasks::running`). Otherwise the frames of the tasks tell: all of them are on the
/// thread's stack, and the next one below is the frame of the interrupted task.
pub(crate) fn below(thread: &Thread<'_>, task: u64) -> Result<Option<u64>, Fault> {
    match noted_below(thread, task)? {
        Some(prior) => Ok(Some(prior)),
        None => by_makers(thread, task),
    }
}

/// The same, if the runtime recorded it.
pub(crate) fn noted_below(thread: &Thread<'_>, task: u64) -> Result<Option<u64>, Fault> {
    let runtime = thread.runtime;
    let tasks = runtime.at(thread.address, "Thread.tasks")?;
    let mut at = runtime.get(tasks, "ThreadTasks.running")?;
    for _ in 0..MOST_ANCESTORS {
        if at == 0 {
            break;
        }
        if runtime.get(at, "Running.task")? == task {
            return Ok(Some(runtime.get(at, "Running.prior")?));
        }
        at = runtime.get(at, "Running.below")?;
    }
    Ok(None)
}

/// The same from the frames of the task that the thread executes, and of the tasks that made it.
fn by_makers(thread: &Thread<'_>, task: u64) -> Result<Option<u64>, Fault> {
    let runtime = thread.runtime;
    let Some(mut current) = thread.task()? else { return Ok(None) };
    let implicit = runtime.at(thread.slot()?, "Slot.task")?;
    let top = place_on_stack(&current)?;
    for _ in 0..MOST_ANCESTORS {
        let Some(parent) = current.generating()? else { return Ok(None) };
        if current.address == task {
            if current.is_implicit()? {
                return Ok(Some(parent.address));
            }
            let (own, outer) = (place_on_stack(&current)?, place_on_stack(&parent)?);
            let bottom = runtime.task(implicit).frames()?.exit;
            // A maker that another thread executes is on that thread's stack.
            if own != 0 && (own < top || (bottom != 0 && own > bottom)) {
                return Ok(None);
            }
            // A task that runs in line is executed at once by its maker's thread.
            if current.frames()?.exit == 0 {
                return Ok(Some(parent.address));
            }
            // The maker may be executed elsewhere, or have ended. Then the thread took this task
            // while it waited in its implicit task.
            let here = own < outer && (bottom == 0 || outer <= bottom);
            return Ok(Some(if here { parent.address } else { implicit }));
        }
        if current.is_implicit()? {
            return Ok(None);
        }
        current = parent;
    }
    Ok(None)
}

/// The task's place on its thread's stack: the frame where its code was called, or, if the task
/// runs in line, where it entered the runtime. 0 if not known.
fn place_on_stack(task: &Task<'_>) -> Result<u64, Fault> {
    let frames = task.frames()?;
    Ok(if frames.exit != 0 { frames.exit } else { frames.enter })
}
