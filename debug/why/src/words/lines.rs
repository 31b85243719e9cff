//! Makes a line of an answer for each thread, or for several threads with the same text.

use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread};

use super::frames::calls_to;
use super::{at, doing, place, thread as name};

/// Things that one list names; the number of further ones is said.
pub const MOST_NAMED: usize = 8;
/// Consecutive numbers that make a range.
const SHORTEST_RANGE: usize = 3;

/// "thread 0, thread 3, threads 5 to 9"; "…, thread 27 and 8 more".
pub fn threads(threads: &[&Thread]) -> String {
    let follows = |one: &Thread, next: &Thread| {
        one.number.is_some_and(|number| number >= 0 && next.number == Some(number + 1))
    };
    let mut said: Vec<String> = Vec::new();
    let mut left = threads;
    while let Some(first) = left.first().filter(|_| said.len() < MOST_NAMED) {
        let pairs = left.windows(2).take_while(|pair| follows(pair[0], pair[1]));
        let count = match pairs.count() + 1 {
            range if range >= SHORTEST_RANGE => range,
            _ => 1,
        };
        said.push(match (count, name(left[count - 1])) {
            (1, only) => only,
            (_, last) => format!("{}s{} to {}", &name(first)[..6], &name(first)[6..], &last[7..]),
        });
        left = &left[count..];
    }
    match left.len() {
        0 => said.join(", "),
        more => format!("{} and {more} more", said.join(", ")),
    }
}

/// Things in a row, and the number of further ones.
pub fn some(things: &[String]) -> String {
    let said = things.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    match things.len().saturating_sub(MOST_NAMED) {
        0 => said,
        more => format!("{said} and {more} more"),
    }
}

/// "rank 3", "ranks 0, 2, 4 to 9", "ranks 0, … 14 and 8 more": numbers of things, in order.
pub fn numbers(noun: &str, numbers: &[u32]) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut left = numbers;
    while let Some(first) = left.first().filter(|_| said.len() < MOST_NAMED) {
        let pairs = left.windows(2).take_while(|pair| pair[0].checked_add(1) == Some(pair[1]));
        let count = match pairs.count() + 1 {
            range if range >= SHORTEST_RANGE => range,
            _ => 1,
        };
        said.push(match count {
            1 => first.to_string(),
            _ => format!("{first} to {}", left[count - 1]),
        });
        left = &left[count..];
    }
    let plural = if numbers.len() == 1 { "" } else { "s" };
    let more = if left.is_empty() { String::new() } else { format!(" and {} more", left.len()) };
    format!("{noun}{plural} {}{more}", said.join(", "))
}

/// The activity of one thread in the plural: "wait at a barrier".
pub fn of_several(doing: &str) -> String {
    const VERBS: [(&str, &str); 8] = [
        ("waits ", "wait "),
        ("tries ", "try "),
        ("has ", "have "),
        ("polls", "poll"),
        ("runs", "run"),
        ("works", "work"),
        ("sleeps", "sleep"),
        ("is ", "are "),
    ];
    let verb = VERBS.iter().find_map(|(one, all)| Some((all, doing.strip_prefix(one)?)));
    verb.map_or_else(|| doing.to_owned(), |(verb, rest)| format!("{verb}{rest}"))
}

/// A line for each thread: its place, the calls by which it came there, and its activity. Threads
/// with the same text share one line.
pub fn lines(snapshot: &Snapshot, threads: &[&Thread]) -> Vec<String> {
    let mut groups: Vec<(String, String, Vec<&Thread>)> = Vec::new();
    for thread in threads {
        let (stands, does) = (at(thread) + &called_at(thread), doing(snapshot, thread));
        match groups.iter_mut().find(|(known, doing, _)| *known == stands && *doing == does) {
            Some((_, _, group)) => group.push(thread),
            None => groups.push((stands, does, vec![thread])),
        }
    }
    let more = groups.split_off(groups.len().min(MOST_NAMED));
    let line = |(stands, does, group): (String, String, Vec<&Thread>)| match group[..] {
        [one] => format!("{}{stands}: {does}", name(one)),
        _ => format!("{}{stands}: {}", self::threads(&group), of_several(&does)),
    };
    let mut lines: Vec<String> = groups.into_iter().map(line).collect();
    let more: Vec<&Thread> = more.into_iter().flat_map(|(_, _, group)| group).collect();
    if !more.is_empty() {
        lines.push(format!("and {} more: {}", more.len(), self::threads(&more)));
    }
    lines
}

/// ", called at a.c:9 in move, a.c:14 in main": the calls by which a thread came to its place, from
/// the construct that it executes.
pub fn called_at(thread: &Thread) -> String {
    let calls = calls(thread);
    if calls.is_empty() { String::new() } else { format!(", called at {}", calls.join(", ")) }
}

/// Returns the calls by which a thread came to its place, as a sentence.
pub fn came(thread: &Thread) -> Option<String> {
    let calls = calls(thread);
    (!calls.is_empty()).then(|| format!("{} came there by {}.", name(thread), calls.join(", ")))
}

fn calls(thread: &Thread) -> Vec<String> {
    let call = |frame: &Frame| {
        let place = place(frame)?;
        Some(if frame.function.is_empty() {
            place
        } else {
            format!("{place} in {}", frame.function)
        })
    };
    let mut calls: Vec<String> = calls_to(thread).into_iter().filter_map(call).collect();
    // A function that calls itself is named once.
    calls.dedup();
    calls.truncate(MOST_CALLS);
    calls
}

/// Calls that are named, the innermost ones.
const MOST_CALLS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_ranges_and_says_how_many_more() {
        let said = |numbers: &[i32]| {
            let thread = |number: &i32| Thread { number: Some(*number), ..Thread::default() };
            let all: Vec<Thread> = numbers.iter().map(thread).collect();
            threads(&all.iter().collect::<Vec<_>>())
        };
        assert_eq!(said(&[3]), "thread 3");
        assert_eq!(said(&[0, 1, 3]), "thread 0, thread 1, thread 3");
        assert_eq!(said(&[0, 2, 3, 4, 9]), "thread 0, threads 2 to 4, thread 9");
        assert_eq!(said(&[-1, -2, -3]), "helper thread 1, helper thread 2, helper thread 3");
        let odd: Vec<i32> = (0..20).filter(|number| number % 2 == 1).collect();
        assert!(said(&odd).ends_with("thread 15 and 2 more"), "{}", said(&odd));
    }

    #[test]
    fn alike_threads_have_one_line() {
        let frame = |function: &str, line: u32, construct: Option<&str>| Frame {
            module: "app".into(),
            function: function.into(),
            file: Some("a.c".into()),
            line: Some(line),
            construct: construct.map(str::to_owned),
            ..Frame::default()
        };
        let thread = |number: i32, caller: u32| Thread {
            number: Some(number),
            state_name: "ompt_state_work_parallel".into(),
            stack: vec![
                frame("enter", 3, None),
                frame("move", caller, None),
                frame("main", 20, Some("parallel")),
                frame("main", 19, None),
            ],
            ..Thread::default()
        };
        let all = [thread(0, 8), thread(1, 9), thread(2, 9)];
        let said = lines(&Snapshot::default(), &all.iter().collect::<Vec<_>>());
        let wanted = [
            "thread 0 at a.c:3 in enter, called at a.c:8 in move, a.c:20 in main: works",
            "thread 1, thread 2 at a.c:3 in enter, called at a.c:9 in move, a.c:20 in main: work",
        ];
        assert_eq!(said, wanted);
    }
}
