//! The processor's events that can be counted on this machine, and the reasons why others cannot.
//! The thread that starts the agent asks for them once.

use super::events::{self, EVENTS, Event, Group, Open, SLOTS};
use omphalos_sync::settled::Settled;
use std::path::Path;

/// The folder in which the kernel describes the processor's own events.
const OF_PROCESSOR: &str = "/sys/bus/event_source/devices/cpu";
/// The events' names for the user: those that every processor may have, and the slots with their
/// parts, which are read together.
const NAMES: [&str; SLOTS + 1] = [
    "cycles", "instructions", "cache-misses", "stalled-cycles-frontend", "stalled-cycles-backend",
    "top-down",
];
/// The kernel's numbers of the events that every processor may have.
const CONFIGS: [u64; SLOTS] = [0, 1, 3, 7, 8];
/// The kernel's files of the slots and their parts.
const TOP_DOWN: [&str; EVENTS - SLOTS] =
    ["slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"];

/// Facts about the machine that decide which events it has.
#[derive(Clone, Copy, Debug, Default)]
struct Machine {
    is_virtual: bool,
    /// `kernel.perf_event_paranoid`
    paranoid: Option<i32>,
}

/// The events of this machine.
pub struct Sources {
    events: [Option<Event>; EVENTS],
    /// Whether the kernel's part of a thread's work may not be looked at.
    pub user_only: bool,
    /// A line for each reason why something is not counted.
    pub missing: Vec<String>,
}

static SOURCES: Settled<Sources> = Settled::new();

/// Finds the events of this machine. Allocates.
pub fn find() {
    SOURCES.get_or(|| {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let paranoid = read("/proc/sys/kernel/perf_event_paranoid").trim().parse().ok();
        let is_virtual = read("/proc/cpuinfo").split_whitespace().any(|flag| flag == "hypervisor");
        let machine = Machine { is_virtual, paranoid };
        Sources::of(wanted(Path::new(OF_PROCESSOR)), machine, &mut events::open)
    });
}

/// Returns the events that were found. Async-signal-safe.
pub fn known() -> Option<&'static Sources> {
    SOURCES.get()
}

impl Sources {
    fn of(events: [Option<Event>; EVENTS], machine: Machine, open: Open<'_>) -> Sources {
        let mut user_only = false;
        let (mut group, mut errors) = Group::open(&events, user_only, open);
        if group.is_none() && errors.iter().any(|errno| is_refusal(*errno)) {
            user_only = true;
            (group, errors) = Group::open(&events, user_only, open);
        }
        if let Some(group) = group {
            group.close();
        }
        let mut found = events;
        for (event, errno) in found.iter_mut().zip(errors) {
            *event = event.filter(|_| errno == 0);
        }
        // Without one of the parts, the rest do not add up to the whole.
        if found.iter().skip(SLOTS).any(Option::is_none) {
            found.iter_mut().skip(SLOTS).for_each(|event| *event = None);
        }
        Sources { events: found, user_only, missing: missing(&found, &errors, machine) }
    }

    /// Whether any event can be counted. Async-signal-safe.
    pub fn are_there(&self) -> bool {
        self.events.iter().any(Option::is_some)
    }

    /// Returns the events as a record has them: a bit for each.
    pub fn bits(&self) -> u32 {
        let bits = self.events.iter().enumerate().filter(|(_, event)| event.is_some());
        bits.fold(0, |all, (at, _)| all | 1 << at)
    }

    /// Opens the events for the calling thread. Async-signal-safe as far as `open` is.
    pub fn open(&self, open: Open<'_>) -> (Option<Group>, [i32; EVENTS]) {
        Group::open(&self.events, self.user_only, open)
    }
}

/// Returns the events to ask for on the processor that the kernel describes in this folder.
fn wanted(folder: &Path) -> [Option<Event>; EVENTS] {
    let mut all = [None; EVENTS];
    for (place, config) in all.iter_mut().zip(CONFIGS) {
        *place = Some(Event { kind: 0, config });
    }
    if let Some(parts) = top_down(folder) {
        all.iter_mut().skip(SLOTS).zip(parts).for_each(|(place, event)| *place = Some(event));
    }
    all
}

/// Returns the slots and their parts, where the kernel names all of them.
fn top_down(folder: &Path) -> Option<[Event; EVENTS - SLOTS]> {
    let kind = std::fs::read_to_string(folder.join("type")).ok()?.trim().parse().ok()?;
    let mut parts = [Event { kind, config: 0 }; EVENTS - SLOTS];
    for (part, file) in parts.iter_mut().zip(TOP_DOWN) {
        let text = std::fs::read_to_string(folder.join("events").join(file)).ok()?;
        part.config = config_of(text.trim())?;
    }
    Some(parts)
}

/// `event=0x00,umask=0x80`, as x86 processors place these in an event's number.
fn config_of(text: &str) -> Option<u64> {
    text.split(',').try_fold(0, |config, field| {
        let (name, value) = field.split_once('=')?;
        let value = u64::from_str_radix(value.strip_prefix("0x")?, 16).ok()?;
        match name {
            "event" if value < 1 << 8 => Some(config | value),
            "umask" if value < 1 << 8 => Some(config | value << 8),
            _ => None,
        }
    })
}

fn is_refusal(errno: i32) -> bool {
    matches!(errno, libc::EACCES | libc::EPERM)
}

/// Whether the processor, or the kernel for it, has no such event.
fn is_absent(errno: i32) -> bool {
    matches!(errno, 0 | libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP)
}

/// Returns one line for each reason why an event was not found.
fn missing(
    found: &[Option<Event>; EVENTS],
    errors: &[i32; EVENTS],
    machine: Machine,
) -> Vec<String> {
    if found.iter().all(Option::is_none) && errors.iter().all(|errno| is_absent(*errno)) {
        let [names @ .., last] = &NAMES;
        let machine = if machine.is_virtual { " (a virtual machine)" } else { "" };
        return vec![format!(
            "{}, {last}: this machine has no hardware counters{machine}; page-faults and \
             context-switches are counted",
            names.join(", ")
        )];
    }
    let mut lines: Vec<(String, String)> = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        if found.get(at).is_some_and(Option::is_some) {
            continue;
        }
        let of_name = if at == SLOTS { &errors[SLOTS..] } else { &errors[at..=at] };
        let errno = of_name.iter().copied().find(|errno| *errno != 0).unwrap_or(0);
        let why = reason(errno, machine);
        match lines.iter_mut().find(|(_, known)| *known == why) {
            Some((names, _)) => *names = format!("{names}, {name}"),
            None => lines.push(((*name).to_owned(), why)),
        }
    }
    lines.into_iter().map(|(names, why)| format!("{names}: {why}")).collect()
}

fn reason(errno: i32, machine: Machine) -> String {
    match errno {
        errno if is_absent(errno) => "this processor does not count it, or not by that name".into(),
        errno if is_refusal(errno) => match machine.paranoid {
            Some(level) if level > 2 => format!(
                "the system refuses it to this user: kernel.perf_event_paranoid is {level}, and \
                 has to be 2 or less"
            ),
            _ => "the system refuses it, as containers do that forbid perf_event_open".into(),
        },
        libc::ENOSYS => "the kernel has no perf_event".into(),
        libc::EINVAL | libc::ENOSPC => "the processor has no counter left for it".into(),
        libc::EBUSY => "another program holds the processor's counters".into(),
        libc::EMFILE | libc::ENFILE => "the process may open no more files (ulimit -n)".into(),
        errno => format!("the system refuses it (errno {errno})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: Machine = Machine { is_virtual: false, paranoid: Some(2) };

    fn of(machine: Machine, mut open: impl FnMut(Event, bool) -> Result<i32, i32>) -> Sources {
        Sources::of(wanted(Path::new("/nowhere")), machine, &mut |event, _, user_only| {
            open(event, user_only)
        })
    }

    #[test]
    fn each_machine_has_its_line() {
        let virtual_one = Machine { is_virtual: true, ..REAL };
        let none = of(virtual_one, |_, _| Err(libc::ENOENT));
        assert_eq!((none.bits(), none.are_there(), none.user_only), (0, false, false));
        assert_eq!(
            none.missing,
            ["cycles, instructions, cache-misses, stalled-cycles-frontend, \
              stalled-cycles-backend, top-down: this machine has no hardware counters (a virtual \
              machine); page-faults and context-switches are counted"]
        );
        let strict = Machine { paranoid: Some(4), ..REAL };
        let refused = of(strict, |_, _| Err(libc::EACCES)).missing;
        assert!(refused[0].ends_with("perf_event_paranoid is 4, and has to be 2 or less"));
        let filtered = of(REAL, |_, _| Err(libc::EPERM)).missing;
        assert!(filtered[0].contains("containers"), "{filtered:?}");
        let without = of(REAL, |_, _| Err(libc::ENOSYS)).missing;
        assert!(without[0].ends_with("the kernel has no perf_event"), "{without:?}");
    }

    #[test]
    fn user_code_alone_is_counted_where_the_kernel_is_refused() {
        let usual = of(REAL, |event, user_only| match event.config {
            _ if !user_only => Err(libc::EACCES),
            7 | 8 => Err(libc::ENOENT),
            3 => Err(libc::EINVAL),
            config => Ok(1_000_000 + config as i32),
        });
        assert!(usual.user_only);
        assert_eq!(usual.bits(), 0b11);
        assert_eq!(usual.missing.len(), 2);
        assert_eq!(usual.missing[0], "cache-misses: the processor has no counter left for it");
        let names = "stalled-cycles-frontend, stalled-cycles-backend, top-down: ";
        assert!(usual.missing[1].starts_with(names), "{:?}", usual.missing);
    }

    #[test]
    fn the_kernel_describes_the_slots() {
        let base = std::env::temp_dir().join(format!("omphalos-events-{}", std::process::id()));
        let put = |file: &str, text: &str| std::fs::write(base.join(file), text).unwrap();
        std::fs::create_dir_all(base.join("events")).unwrap();
        put("type", "4\n");
        for (at, file) in TOP_DOWN.iter().enumerate() {
            let umask = if at == 0 { 4 } else { 0x7f + at };
            put(&format!("events/{file}"), &format!("event=0x00,umask=0x{umask:x}\n"));
        }
        let parts = top_down(&base).expect("all of them");
        assert_eq!(parts.map(|part| part.config), [0x400, 0x8000, 0x8100, 0x8200, 0x8300]);
        // Older processors have a pair of logical events, of which the kernel says more.
        put("events/slots", "event=0x3c,umask=0x0,any=1\n");
        assert_eq!(top_down(&base), None);
        std::fs::remove_dir_all(&base).unwrap();
        assert_eq!((config_of("event=0x1ff"), config_of("event=3c")), (None, None));
    }
}
