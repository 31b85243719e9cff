//! Calls a tool of 2013 to 2016, and works out from an event the words that these dialects have in
//! common.

use omphalos_events::{TaskStatus, TaskTool};

/// `ompt_parallel_league`.
pub const LEAGUE: u32 = 0x4000_0000;
/// `ompt_parallel_invoker_runtime`.
const INVOKER_RUNTIME: u32 = 0x2;

/// Calls one callback, if the tool has it. Arguments: a view of the tool (which knows its
/// callbacks), an event in the view's numbers, and up to six words.
macro_rules! call_tool {
    ($view:expr, $event:expr $(, $argument:expr)* $(,)?) => {{
        let address = $view.callback($event);
        if address != 0 {
            // SAFETY: the tool registered this address for this event. In the C calling convention
            // of this architecture every argument of these generations is one integer register,
            // whose upper half the callee ignores where its type is narrower.
            let function = unsafe {
                core::mem::transmute::<
                    usize,
                    unsafe extern "C" fn($(call_tool!(@word $argument)),*),
                >(address)
            };
            // SAFETY: the arguments are those that the generation's text promises; their targets
            // live until the call returns.
            unsafe { function($($argument),*) };
        }
    }};
    (@word $argument:expr) => { u64 };
}

pub(super) use call_tool;

/// Returns the address of a task's `ompt_frame_t`.
#[inline]
pub fn frame(task: &TaskTool) -> u64 {
    &raw const task.frame as u64
}

/// Whether the runtime calls the region's code, rather than the program itself.
#[inline]
pub fn from_runtime(flags: u32) -> bool {
    flags & INVOKER_RUNTIME != 0
}

/// Whether a task from which the thread switches is over.
#[inline]
pub fn is_completed(status: TaskStatus) -> bool {
    matches!(
        status,
        TaskStatus::Complete
            | TaskStatus::Cancel
            | TaskStatus::LateFulfill
            | TaskStatus::TaskwaitComplete
    )
}
