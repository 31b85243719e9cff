//! Names the object of the C++ library that a thread waits for when it sleeps at a word of that
//! object. The library's functions are in the program, so their names are on the stack.

use super::pthreads::is_system;
use crate::snapshot::{Frame, Wait};

/// Functions that wait: the begin of their name behind `std::`, the kind of their object, and
/// whether the word is a part of the object. For some kinds the library shares words among all
/// objects.
const OBJECTS: [(&str, &str, bool); 14] = [
    ("__future_base::", FUTURE, true),
    ("__basic_future<", FUTURE, true),
    ("future<", FUTURE, true),
    ("shared_future<", FUTURE, true),
    ("__assoc_sub_state", FUTURE, true),
    ("barrier<", "a std::barrier", false),
    ("__tree_barrier<", "a std::barrier", false),
    ("latch::", LATCH, true),
    ("counting_semaphore<", "a std::counting_semaphore", true),
    ("__atomic_semaphore::", "a std::counting_semaphore", true),
    ("__atomic_base<", "a std::atomic", true),
    ("atomic<", "a std::atomic", true),
    ("atomic_flag::", "a std::atomic_flag", true),
    ("atomic_ref<", "a std::atomic_ref", true),
];
const FUTURE: &str = "the value of a std::future";
/// A function of libstdc++ itself that only waits for futures.
const FUTURES_OWN: &str = "__atomic_futex_unsigned";

/// Returns what the thread with this stack waits for. `at`: the word, with its `value`. `barrier`
/// finds the barrier: its address, how many threads it expects, and how many have come.
pub(super) fn waits(
    stack: &[Frame],
    at: u64,
    value: Option<u32>,
    called: &[&str],
    barrier: &dyn Fn() -> Option<(u64, u64, u64)>,
) -> Option<Wait> {
    let is_library = |frame: &&Frame| is_system(frame) || frame.function.starts_with("std::");
    let inner = || stack.iter().take_while(is_library).map(|frame| &*frame.function);
    let functions = || inner().take(INNERMOST);
    // A latch waits by an atomic: the outermost of the functions is the one that the program calls.
    let object = functions().filter_map(object).last();
    let is_future = || functions().chain(called.iter().copied()).any(|n| n.contains(FUTURES_OWN));
    let (what, is_own) = object.or_else(|| is_future().then_some((FUTURE, true)))?;
    Some(Wait::Unknown {
        what: match is_own {
            true if what == FUTURE => format!("{what} (its state is at {at:#x})"),
            true => format!("{what} at {at:#x}{}", left(what, functions().last(), value)),
            false => {
                let of_libcxx = functions().any(|name| name.contains("std::__1::"));
                let come = barrier().filter(|_| !of_libcxx);
                what.to_owned() + &come.map_or_else(String::new, come_to)
            }
        },
    })
}

/// Says where a barrier is, and how many of the expected threads have come.
fn come_to((at, wanted, come): (u64, u64, u64)) -> String {
    format!(" at {at:#x} ({come} of the {wanted} arrivals that it expects have come)")
}

/// Says how often a latch of libstdc++ must still be counted down: threads sleep at its count.
fn left(what: &str, function: Option<&str>, value: Option<u32>) -> String {
    let is_libcxx = function.is_some_and(|name| name.contains("std::__1::"));
    let count = value.filter(|count| what == LATCH && !is_libcxx && PLAUSIBLE.contains(count));
    count.map_or_else(String::new, |count| format!(" (its count is still {count})"))
}

const LATCH: &str = "a std::latch";
/// Counts of a latch: no program has more threads.
const PLAUSIBLE: core::ops::RangeInclusive<u32> = 1..=1 << 22;

/// Functions of the library that may stand between the word's function and the object's.
const INNERMOST: usize = 16;

/// Returns the object that a function belongs to, or is called for. A function that ended in a tail
/// call is on no stack, but its name may be an argument of the template.
fn object(function: &str) -> Option<(&'static str, bool)> {
    let mut names = function.match_indices("std::").map(|(at, begin)| {
        let name = &function[at + begin.len()..];
        name.strip_prefix("__1::").unwrap_or(name)
    });
    let find = |name: &str| OBJECTS.iter().find(|(begin, ..)| name.starts_with(begin));
    names.find_map(find).map(|(_, what, is_own)| (*what, *is_own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(functions: &[&str]) -> Vec<Frame> {
        let frame = |function: &&str| {
            let module = if function.starts_with("std::") { "app" } else { "libc.so.6" };
            Frame { function: (*function).into(), module: module.into(), ..Frame::default() }
        };
        functions.iter().map(frame).collect()
    }

    fn what(functions: &[&str]) -> Option<String> {
        match waits(&stack(functions), 0x10, Some(3), &[], &|| None)? {
            Wait::Unknown { what } => Some(what),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_the_program_calls_is_the_object() {
        let wait = "std::__detail::__platform_wait<int>";
        let latch = what(&["syscall", wait, "std::latch::wait", "main"]);
        assert_eq!(latch.as_deref(), Some("a std::latch at 0x10 (its count is still 3)"));
        let atomic = what(&[wait, "std::__atomic_base<int>::wait", "std::latch::wait"]);
        assert_eq!(atomic.as_deref(), Some("a std::latch at 0x10 (its count is still 3)"));
        let barrier = what(&[wait, "std::__1::barrier<std::__1::__empty>::arrive_and_wait"]);
        assert_eq!(barrier.as_deref(), Some("a std::barrier"));
        let left = "std::__atomic_wait_address<int, std::latch::wait::{lambda#1}>";
        assert_eq!(
            what(&[wait, left]).as_deref(),
            Some("a std::latch at 0x10 (its count is still 3)")
        );
        let frames =
            [&stack(&[wait])[..], &[Frame { function: "mine".into(), ..Frame::default() }]];
        let below = [&frames.concat()[..], &stack(&["std::latch::wait"])].concat();
        assert_eq!(waits(&below, 0x10, None, &[], &|| None), None);
    }
}
