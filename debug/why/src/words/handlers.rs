//! Threads that execute a signal's handler.

use omphalos_ompd_view::snapshot::{Frame, Thread};

use super::{is_system, place};

/// The name of the frame that the kernel makes for a signal's handler.
pub const SIGNAL: &str = "<signal handler called>";

/// The place on the thread's stack of the frame that the kernel made for a handler of the
/// program's. (A tool's handlers are no affair of the program's.)
fn signal(thread: &Thread) -> Option<usize> {
    let at = thread.stack.iter().position(|frame| frame.function == SIGNAL)?;
    let handler = at.checked_sub(1).and_then(|at| thread.stack.get(at))?;
    (!handler.runtime).then_some(at)
}

/// The frames that the signal has interrupted, if the thread is in a handler.
pub fn interrupted(thread: &Thread) -> Option<&[Frame]> {
    Some(&thread.stack[signal(thread)? + 1..])
}

/// Whether a frame of the thread's stack is one that a signal has interrupted. (A handler that
/// ended in a jump to a library left no frame of its own.)
pub fn is_interrupted(thread: &Thread, frame: &Frame) -> bool {
    interrupted(thread).is_some_and(|below| below.iter().any(|one| std::ptr::eq(one, frame)))
}

/// The library function that the program called: the outermost of the system's frames at the inner
/// end of a stack.
pub fn called(stack: &[Frame]) -> Option<&str> {
    let last = stack.iter().take_while(|frame| is_system(frame)).last()?;
    // A function without a name is shown by its address.
    let name = &*last.function;
    (!name.is_empty() && !name.contains('+') && place(last).is_none()).then_some(name)
}
