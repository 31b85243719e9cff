//! The event stream as a state machine: OpenMP's rules for the order of events, checked for every
//! program alike. A violation names the line and the rule.

use crate::support::Line;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
struct Thread {
    begun: bool,
    ended: bool,
    /// Implicit tasks with their regions, innermost last.
    implicit: Vec<(u64, u64)>,
    /// The task that runs now; 0 before the first.
    current: u64,
    /// Open scopes: event, kind, task.
    open: Vec<(String, String, u64)>,
    /// Mutex acquisitions that have not been granted: kind and wait id. `tested`: the last one may
    /// be a test that failed, and no event reports that.
    tested: bool,
    asked: Vec<(String, u64)>,
    held: Vec<(String, u64)>,
}

#[derive(Default)]
struct Region {
    begun_in: u64,
    ended: bool,
    parallelism: u64,
    indices: HashSet<u64>,
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Created,
    Started,
    Done,
}

/// `ompt_task_early_fulfill`, `ompt_task_late_fulfill` and `ompt_taskwait_complete`.
const FULFILLED_EARLY: u64 = 5;
const FULFILLED_LATE: u64 = 6;
const AWAITED: u64 = 8;

/// Counts of the stream, for numbers that only one program knows.
#[derive(Default)]
pub struct Seen {
    /// Regions begun.
    pub regions: usize,
    /// Explicit tasks created.
    pub tasks: usize,
    /// Threads begun.
    pub threads: usize,
}

/// Walks the stream.
///
/// # Panics
/// At the first line that breaks a rule.
pub fn check(lines: &[Line]) -> Seen {
    let mut machine = Machine::default();
    for line in lines {
        machine.step(line);
    }
    machine.finish()
}

#[derive(Default)]
struct Machine {
    threads: HashMap<i64, Thread>,
    regions: HashMap<u64, Region>,
    tasks: HashMap<u64, Life>,
    image: Option<(u64, u64)>,
    seen: Seen,
    finalized: bool,
}

macro_rules! rule {
    ($line:expr, $holds:expr, $($text:tt)*) => {
        assert!($holds, "{}\n  at {:?}", format_args!($($text)*), $line)
    };
}

impl Machine {
    fn step(&mut self, line: &Line) {
        rule!(line, !line.is("STALE"), "a new object's word is not empty");
        rule!(line, !self.finalized, "something after the end");
        let (event, endpoint) = line.event.split_once(' ').unwrap_or((&line.event, ""));
        match event {
            "image" => self.image = Some((line.hex("start"), line.hex("end"))),
            "finalize" => self.finalized = true,
            "start_tool" | "initialize" | "lookup" | "odd" | "set" | "removed" | "enumerated" => {}
            // Answers of inquiries, read by the test itself.
            "state" | "thread_data" | "parallel_info" | "task_info" | "negative"
            | "task_memory" | "target_info" | "unique_id" | "places" | "partition" => {}
            "thread_begin" => {
                let thread = self.threads.entry(line.thread).or_default();
                rule!(line, !thread.begun, "a thread begins once");
                rule!(line, line.number("same") == 1, "the inquiry gives the same word");
                thread.begun = true;
                self.seen.threads += 1;
            }
            _ => {
                let thread = self.threads.entry(line.thread).or_default();
                rule!(line, thread.begun && !thread.ended, "outside the life of its thread");
                self.in_thread(line, event, endpoint);
            }
        }
    }

    fn in_thread(&mut self, line: &Line, event: &str, endpoint: &str) {
        // A worker did not call the barrier that ends its region.
        let closing = event == "sync_region" && line.text("kind") == "9" && line.hex("ra") == 0;
        if !line.text_or_empty("ra").is_empty() && !closing {
            self.check_return_address(line);
        }
        let thread = self.threads.get_mut(&line.thread).unwrap();
        match event {
            "thread_end" => thread.ended = true,
            "parallel_begin" => {
                rule!(line, line.number("task") == thread.current, "begun by the running task");
                rule!(line, line.hex("enter") != 0, "the encountering task is in the runtime");
                rule!(line, line.hex("enter_flags") == 0x10, "the frame is a canonical address");
                rule!(line, line.hex("flags") & 0x8000_0000 != 0, "a team");
                let region = Region { begun_in: thread.current, ..Region::default() };
                self.regions.insert(line.number("region"), region);
                self.seen.regions += 1;
            }
            "parallel_end" => {
                rule!(line, line.number("task") == thread.current, "ended in the task it began in");
                let region = self.regions.get_mut(&line.number("region")).expect("begun");
                rule!(line, region.begun_in == thread.current, "ended in the task it began in");
                rule!(line, !region.ended, "ended once");
                rule!(line, region.parallelism > 0, "somebody worked in it");
                rule!(line, region.indices.len() as u64 == region.parallelism, "all took part");
                rule!(line, region.left as u64 == region.parallelism, "all had left");
                region.ended = true;
            }
            "implicit_task" => self.implicit_task(line, endpoint),
            "task_create" => {
                let task = line.number("task");
                rule!(line, line.number("encountering") == thread.current, "made by who runs");
                let before = self.tasks.insert(task, Life::Created);
                rule!(line, before.is_none(), "created once");
                self.seen.tasks += 1;
            }
            "task_schedule" => self.task_schedule(line),
            "sync_region" | "sync_region_wait" | "work" | "masked" | "reduction" => {
                let kind = line.text_or_empty("kind").to_owned() + line.text_or_empty("type");
                let task = line.number("task");
                rule!(line, task == thread.current, "in the running task {}", thread.current);
                let region = thread.implicit.last().map_or(0, |top| top.1);
                let told = line.number("region");
                rule!(line, told == region || told == 0 && kind == "9", "in the region {region}");
                let scope = (event.to_owned(), kind, task);
                match endpoint {
                    "begin" => thread.open.push(scope),
                    "end" => {
                        rule!(line, thread.open.last() == Some(&scope), "nests: {:?}", thread.open);
                        thread.open.pop();
                    }
                    _ => {}
                }
            }
            "dispatch" => {
                rule!(line, line.number("task") == thread.current, "in the running task");
                let at_work = thread.open.iter().any(|scope| scope.0 == "work");
                rule!(line, at_work, "chunks belong to a construct");
            }
            "mutex_acquire" | "mutex_acquired" | "mutex_released" => mutex(thread, line, event),
            "nest_lock" => {
                let what = ("3".to_owned(), line.hex("wait"));
                rule!(line, thread.held.contains(&what), "inside the outermost acquisition");
                if endpoint == "begin" {
                    // This event grants an acquisition that was asked for.
                    let asked = thread.asked.iter().position(|asked| *asked == what);
                    rule!(line, asked.is_some(), "asked before it is granted");
                    thread.asked.remove(asked.unwrap());
                    thread.tested = false;
                }
            }
            _ => {}
        }
    }

    fn implicit_task(&mut self, line: &Line, endpoint: &str) {
        let thread = self.threads.get_mut(&line.thread).unwrap();
        let (task, index) = (line.number("task"), line.number("index"));
        let initial = line.hex("flags") & 1 != 0;
        if endpoint == "begin" {
            let id = line.number("region");
            if initial {
                rule!(line, thread.implicit.is_empty(), "the first task of its thread");
                let parallelism = line.number("parallelism");
                rule!(line, (parallelism, index) == (1, 1), "an initial team is one");
                self.regions.insert(id, Region { parallelism: 1, ..Region::default() });
            }
            let region = self.regions.get_mut(&id).expect("its region has begun");
            rule!(line, !region.ended, "not after its region");
            region.parallelism = line.number("parallelism");
            rule!(line, initial || index < region.parallelism, "an index of the team");
            rule!(line, region.indices.insert(index), "each index once");
            rule!(line, self.tasks.insert(task, Life::Started).is_none(), "a new task");
            thread.implicit.push((task, id));
            thread.current = task;
        } else {
            let top = thread.implicit.pop();
            rule!(line, top.is_some_and(|top| top.0 == task), "the task that began");
            rule!(line, thread.current == task, "it runs until its end");
            rule!(
                line,
                thread.open.is_empty() || initial || thread.open.iter().all(|o| o.2 != task),
                "its scopes are closed: {:?}",
                thread.open
            );
            let shown = line.number("region");
            rule!(line, shown == 0 || initial && shown == top.unwrap().1, "no other's region");
            let region = self.regions.get_mut(&top.unwrap().1).unwrap();
            let shown = if initial || index != 0 { 0 } else { region.parallelism };
            rule!(line, line.number("parallelism") == shown, "on the primary thread only");
            rule!(line, region.indices.contains(&index), "the index it began with");
            region.left += 1;
            rule!(line, self.tasks.insert(task, Life::Done) == Some(Life::Started), "once");
            // A nested primary goes on with the task that encountered the region.
            thread.current = region.begun_in;
        }
    }

    fn task_schedule(&mut self, line: &Line) {
        let thread = self.threads.get_mut(&line.thread).unwrap();
        let (prior, next) = (line.number("prior"), line.number("next"));
        let status = line.number("status");
        rule!(line, (1..=8).contains(&status), "a status");
        if let FULFILLED_EARLY | FULFILLED_LATE | AWAITED = status {
            // The task's status changes although no thread leaves it.
            rule!(line, next == 0, "no switch");
            let (now, before) = match status {
                FULFILLED_EARLY => (Life::Started, Life::Started),
                FULFILLED_LATE => (Life::Done, Life::Started),
                _ => (Life::Done, Life::Created),
            };
            rule!(line, self.tasks.insert(prior, now) == Some(before), "it was {before:?}");
            return;
        }
        rule!(line, prior == thread.current, "the prior task runs: {}", thread.current);
        if matches!(status, 1 | 3) {
            let before = self.tasks.insert(prior, Life::Done);
            rule!(line, before == Some(Life::Started), "completed once, after it ran");
        }
        if next != 0 {
            let life = self.tasks.get_mut(&next).expect("created");
            rule!(line, *life != Life::Done, "not after its completion");
            *life = Life::Started;
            thread.current = next;
        }
    }

    fn check_return_address(&self, line: &Line) {
        let Some((start, end)) = self.image else { return };
        let address = line.hex("ra");
        rule!(line, (start..end).contains(&address), "a return address in the program");
    }

    fn finish(self) -> Seen {
        assert!(self.finalized, "the tool was finalized");
        for (id, thread) in &self.threads {
            assert!(thread.begun && thread.ended, "thread {id} ended");
            assert!(thread.open.is_empty(), "thread {id} left {:?} open", thread.open);
            assert!(
                thread.asked.len() == usize::from(thread.tested),
                "thread {id} still asks for {:?}",
                thread.asked
            );
            assert!(thread.held.is_empty(), "thread {id} still holds {:?}", thread.held);
            assert!(thread.implicit.is_empty(), "thread {id} is in {:?}", thread.implicit);
        }
        for (id, life) in &self.tasks {
            assert_eq!(*life, Life::Done, "task {id}");
        }
        self.seen
    }
}

fn mutex(thread: &mut Thread, line: &Line, event: &str) {
    // 2 and 4 are tests of locks; the grant names the kind of the lock itself.
    let kind = match line.text("kind") {
        "2" => "1",
        "4" => "3",
        other => other,
    };
    let what = (kind.to_owned(), line.hex("wait"));
    rule!(line, what.1 != 0, "a wait id");
    let take = |list: &mut Vec<(String, u64)>| match list.iter().rposition(|w| *w == what) {
        Some(at) => {
            list.remove(at);
            true
        }
        None => false,
    };
    match event {
        "mutex_acquire" => {
            if std::mem::replace(&mut thread.tested, matches!(line.text("kind"), "2" | "4")) {
                thread.asked.pop();
            }
            thread.asked.push(what);
        }
        "mutex_acquired" => {
            rule!(line, take(&mut thread.asked), "asked before it is granted");
            thread.tested = false;
            thread.held.push(what);
        }
        _ => rule!(line, take(&mut thread.held), "held before it is released"),
    }
}
