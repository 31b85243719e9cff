//! Recognises operations on semaphores of the C++ library, for `locks.rs`.

use super::locks::Effect;

/// Returns the effect of a method of the C++ library on a semaphore. `None` for other functions.
/// The library makes semaphores from atomics, so no call of the C library shows the operation.
pub(super) fn of_semaphore(function: &str) -> Option<Effect> {
    let name = function.strip_prefix("std::")?;
    let name = name.strip_prefix("__1::").unwrap_or(name);
    let method = name.strip_prefix("counting_semaphore<")?.rsplit("::").next()?;
    match method {
        "release" => Some(Effect::Gives),
        "acquire" | "try_acquire" => Some(Effect::Takes("sem_wait".to_owned())),
        _ => None,
    }
}
