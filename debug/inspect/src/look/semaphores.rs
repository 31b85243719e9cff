//! Semaphores of the C++ library.

use super::locks::Effect;

/// The effect of a method of the C++ library on a semaphore, which it makes from atomics.
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
