//! Questions about threads: their identity and state.

use omphalos_ompd_client::Native;

use super::{Asking, Question, Verdict, compare, compare_hex};

pub const ALL: &[Question] = &[
    Question { name: "thread by LWP", by: "ompd_get_thread_handle", ask: by_lwp },
    Question { name: "thread by pthread", by: "ompd_get_thread_handle", ask: by_pthread },
    Question { name: "its LWP", by: "ompd_get_thread_id", ask: lwp },
    Question { name: "its pthread", by: "ompd_get_thread_id", ask: pthread },
    Question { name: "state", by: "ompd_get_state", ask: state },
    Question { name: "wait id", by: "ompd_get_state", ask: wait },
];

/// Checks that the handle is that of the thread to which the tool gave this word.
fn by_lwp(asking: &Asking<'_>) -> Verdict {
    compare_hex(asking.thread().and_then(|thread| thread.data()), asking.record.thread)
}

fn by_pthread(asking: &Asking<'_>) -> Verdict {
    let found = asking.process.thread(Native::Pthread(asking.record.pthread));
    compare_hex(found.and_then(|thread| thread.data()), asking.record.thread)
}

fn lwp(asking: &Asking<'_>) -> Verdict {
    let found = asking.thread().and_then(|thread| thread.lwp());
    compare(found, asking.record.lwp, u32::to_string)
}

fn pthread(asking: &Asking<'_>) -> Verdict {
    compare_hex(asking.thread().and_then(|thread| thread.pthread()), asking.record.pthread)
}

fn state(asking: &Asking<'_>) -> Verdict {
    let found = asking.thread().and_then(|thread| thread.state());
    compare_hex(found.map(|(state, _)| state.into()), asking.record.state)
}

/// Compares the object that the thread waits for, in a state that waits for a mutex.
fn wait(asking: &Asking<'_>) -> Verdict {
    if asking.record.state & !0x3f != 0x40 {
        return Verdict::Nothing;
    }
    let found = asking.thread().and_then(|thread| thread.state());
    compare_hex(found.map(|(_, id)| id), asking.record.wait)
}
