//! Finds the frames that are the program's own, and their places.

use omphalos_ompd_view::asleep::{is_lock_of_python, mpi_function};
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread, Wait};

use super::handlers::SIGNAL;

/// "file.c:12"; "file.c:12 or file.c:15" if a compiler made one call of both.
pub fn place(frame: &Frame) -> Option<String> {
    let file = frame.file.as_ref()?;
    let line = frame.line.filter(|line| *line > 0)?;
    let file = file.rsplit('/').next().unwrap_or(file);
    let others = frame.or_lines.iter().filter(|other| **other != line);
    let others = others.map(|line| format!(" or {file}:{line}"));
    Some(format!("{file}:{line}") + &others.collect::<String>())
}

/// Whether a frame is in the C library, the loader or a library of a compiler.
pub fn is_system(frame: &Frame) -> bool {
    is_system_file(&frame.module)
}

/// Whether the file with this name, without folders, is the C library or the loader, or a library
/// that comes with a compiler.
pub fn is_system_file(name: &str) -> bool {
    const FILES: [&str; 15] = [
        "libc.so", "libc-", "libpthread", "ld-linux", "[vdso]", "libm.so", "libm-", "libmvec",
        "libstdc++", "libc++", "libgcc_s", "libatomic", "libgfortran", "libquadmath", "libflang",
    ];
    FILES.iter().any(|file| name.starts_with(file))
}

/// Whether a thread is the program's, not one that a library keeps for itself: OpenMP knows it, or
/// it is in code of the program's file, or in code with lines.
pub fn is_of_program(snapshot: &Snapshot, thread: &Thread) -> bool {
    let file = snapshot.command.first().and_then(|path| path.rsplit('/').next());
    let has_place = |frame: &Frame| place(frame).is_some() && !is_of_python(frame);
    let is_own = |frame: &Frame| has_place(frame) || Some(&*frame.module) == file;
    thread.number.is_some() || own_frames(thread).any(is_own)
}

/// The innermost frame of the program's own code.
pub fn inner_frame(thread: &Thread) -> Option<&Frame> {
    own_frames(thread).next()
}

/// Returns the frame to name to the user. This is the innermost frame of the program's own code
/// that has a line, is not in a header of the C++ library, and is not of a method that only takes a
/// lock. If there is no such frame: the frame of such a method, or else the innermost frame of the
/// program's own code.
pub fn own_frame(thread: &Thread) -> Option<&Frame> {
    let says =
        |frame: &&Frame| place(frame).is_some() && !is_header(frame) && !frame.stands_for_call;
    let placed = |frame: &&Frame| place(frame).is_some() && !is_header(frame);
    let own = || own_frames(thread);
    own().find(says).or_else(|| own().find(placed)).or_else(|| own().next())
}

/// Returns the frames of the program's own code outside the frame that is named to the user
/// ([`own_frame`]), from inside to outside. The last one is the body of the construct that the
/// thread executes. Frames outside a signal's handler are left out.
pub fn calls_to(thread: &Thread) -> Vec<&Frame> {
    let Some(named) = own_frame(thread) else { return Vec::new() };
    let mut outside = thread.stack.iter().skip_while(|frame| !std::ptr::eq(*frame, named));
    let mut calls = Vec::new();
    let mut is_body = outside.next().is_none_or(|frame| frame.construct.is_some());
    while let Some(frame) = outside.next().filter(|frame| !is_body && frame.function != SIGNAL) {
        is_body = frame.construct.is_some();
        if is_placed(frame) {
            calls.push(frame);
        }
    }
    calls
}

/// The line about a thread that called `exit`, if it executes the functions that a program has for
/// its end. No code behind that call goes on.
pub fn within_exit(thread: &Thread) -> Option<String> {
    const ENDS: [&str; 2] = ["exit", "quick_exit"];
    let is_end = |frame: &Frame| is_system(frame) && ENDS.contains(&&*frame.function);
    let at = thread.stack.iter().position(is_end)?;
    let caller = thread.stack[at..].iter().find(|frame| is_placed(frame))?;
    let name = super::thread(thread);
    Some(format!(
        "{name} is within {}, which it called at {} in {}: nothing goes on behind that call.",
        thread.stack[at].function,
        place(caller)?,
        caller.function
    ))
}

/// Whether a frame is of the program's own code and has a line, outside headers.
pub fn is_placed(frame: &Frame) -> bool {
    !frame.runtime && !is_system(frame) && !is_header(frame) && place(frame).is_some()
}

fn own_frames(thread: &Thread) -> impl Iterator<Item = &Frame> {
    let own = |frame: &&Frame| !frame.runtime && !is_system(frame) && !frame.module.is_empty();
    let stack = || thread.stack.iter();
    let inner = match thread.waits {
        Some(Wait::Interpreter { .. }) => stack().take_while(|f| leads_to_python(f)).count(),
        // Frames inside an MPI call are the library's, whatever file they are in.
        _ => stack().rposition(|frame| mpi_function(frame).is_some()).map_or(0, |at| at + 1),
    };
    stack().skip(inner).filter(own)
}

/// Whether a frame is in the interpreter, or in the system's code that leads into it.
fn leads_to_python(frame: &Frame) -> bool {
    is_system(frame) || is_interpreter(frame)
}

/// Whether the frame is in the interpreter's own code. That code may have lines too, but only the
/// lines of Python code show where a thread is.
fn is_interpreter(frame: &Frame) -> bool {
    is_interpreter_file(&frame.module)
}

/// Whether the file with this name, without folders, is the interpreter's or of its modules.
pub fn is_interpreter_file(name: &str) -> bool {
    const FILES: [&str; 9] = [
        "python", "libpython", "libffi", "_asyncio.", "_ctypes.", "_multiprocessing.", "_queue.",
        "_socket.", "select.",
    ];
    !name.ends_with(SCRIPT) && FILES.iter().any(|file| name.starts_with(file))
}

/// The end of the names of files with Python code.
const SCRIPT: &str = ".py";

/// Whether the source is a header that comes with the compiler, or of Python's own library, or of
/// the interpreter.
fn is_header(frame: &Frame) -> bool {
    is_of_headers(frame.file.as_deref()) || is_of_python(frame) || is_interpreter(frame)
}

/// Whether the frame is in Python's own library.
fn is_of_python(frame: &Frame) -> bool {
    let file = frame.file.as_deref().unwrap_or_default();
    file.contains("/lib/python") && file.ends_with(SCRIPT) && !file.contains("-packages/")
}

/// Returns the functions of Python's own library that a thread is in, beginning with the function
/// that the program calls: "Queue.get (queue.py:171), Condition.wait (threading.py:327)".
pub fn python_calls(thread: &Thread) -> Option<String> {
    let own = own_frame(thread)?;
    let inner = thread.stack.iter().take_while(|frame| !std::ptr::eq(*frame, own));
    let calls = inner.filter(|frame| is_of_python(frame));
    let call = |frame: &Frame| Some(format!("{} ({})", frame.function, place(frame)?));
    let mut calls: Vec<String> = calls.filter_map(call).collect();
    calls.reverse();
    (!calls.is_empty()).then(|| calls.join(", "))
}

/// The method of a Python queue in which a thread waits: "get", "join".
pub fn queue_call(thread: &Thread) -> Option<&str> {
    const FILES: [&str; 2] = ["queue.py", "queues.py"];
    let is_queues = |frame: &&Frame| {
        is_of_python(frame)
            && frame.file.as_deref().is_some_and(|file| {
                file.rsplit('/').next().is_some_and(|name| FILES.contains(&name))
            })
    };
    let calls = thread.stack.iter().rfind(is_queues)?;
    calls.function.rsplit('.').next()
}

/// For a thread in a method of a Python queue: the thing that it waits for, and the action of
/// another thread that would end the wait.
pub fn queue_wait(thread: &Thread) -> Option<(&'static str, &'static str)> {
    let Some(Wait::Unknown { what }) = &thread.waits else { return None };
    let call = queue_call(thread).filter(|_| is_lock_of_python(what))?;
    Some(match call {
        "get" => ("an item of a queue (Queue.get)", "is about to put one there"),
        "put" => ("room in a queue (Queue.put)", "is about to take an item from there"),
        "join" => (
            "each item of a queue to be done (Queue.join)",
            "is about to say so of one (task_done)",
        ),
        _ => return None,
    })
}

/// Whether a file is a header that comes with the compiler.
pub fn is_of_headers(file: Option<&str>) -> bool {
    let file = file.unwrap_or_default();
    // clang names such headers through gcc's own folder.
    file.contains("/include/") && file.contains("/c++/")
        || ["/usr/include/", "/rustc/"].iter().any(|folder| file.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interpreters that a user compiled have lines of their own.
    #[test]
    fn the_place_of_a_thread_in_python_is_a_line_of_python() {
        let frame = |function: &str, module: &str, file: &str| Frame {
            function: function.into(),
            module: module.into(),
            file: Some(file.into()),
            line: Some(7),
            ..Frame::default()
        };
        let stack = vec![
            frame("PyThread_acquire_lock_timed", "libpython3.11.so.1.0", "thread_pthread.h"),
            frame("lock_acquire", "python3.11", "_threadmodule.c"),
            frame("Condition.wait", "threading.py", "/usr/lib/python3.11/threading.py"),
            frame("consumer", "app.py", "/home/me/app.py"),
        ];
        let thread = Thread { stack, ..Thread::default() };
        assert_eq!(own_frame(&thread).map(|frame| &*frame.function), Some("consumer"));
        let calls = python_calls(&thread);
        assert_eq!(calls.as_deref(), Some("Condition.wait (threading.py:7)"));
    }
}
