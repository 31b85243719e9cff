//! The record that the tool in the target wrote at one stop.

use std::collections::HashMap;

/// A region around the thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The number of threads of its team.
    pub size: i64,
    /// The word that the tool gave it.
    pub word: u64,
    /// Whether it is a league, and the thread is in one of its teams.
    pub is_league: bool,
}

/// A task on the thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// `ompt_task_flag_t`.
    pub flags: u32,
    /// The word that the tool gave it.
    pub word: u64,
    /// The exit and enter frame: address and flags.
    pub frames: [(u64, u64); 2],
    /// The word of its region.
    pub region: u64,
    /// The thread's number there.
    pub num: i32,
}

impl Task {
    /// Whether no task construct made it.
    pub fn is_implicit(&self) -> bool {
        self.flags & 3 != 0
    }

    /// Whether it is a final task.
    pub fn is_final(&self) -> bool {
        self.flags & 0x2000_0000 != 0
    }
}

/// The record of one stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The callback, as text.
    pub event: String,
    /// The process.
    pub pid: u32,
    /// The kernel's number of the thread.
    pub lwp: u32,
    /// The C library's name for it (`pthread_self()`).
    pub pthread: u64,
    /// The tool's word for it.
    pub thread: u64,
    /// `ompt_state_t`.
    pub state: u64,
    /// `ompt_wait_id_t`.
    pub wait: u64,
    /// The regions, from the innermost outwards; `None` for one that cannot be determined now.
    pub regions: Vec<Option<Region>>,
    /// The tasks, from the current one outwards.
    pub tasks: Vec<Option<Task>>,
    /// The word of the task that made the current one; `None` without one.
    pub parent: Option<u64>,
    /// The word of the task that encountered the current task's region.
    pub encountering: Option<u64>,
    /// Whether the routines could be called.
    pub has_routines: bool,
    /// The routines' results, by their names without `omp_`.
    pub numbers: HashMap<String, i64>,
    /// Texts that routines returned.
    pub texts: HashMap<String, String>,
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or(0)
}

impl Record {
    /// Parses the lines of one stop.
    pub fn parse(lines: &[String]) -> Record {
        let mut record = Record::default();
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let words: Vec<&str> = rest.split(' ').collect();
            let some = |text: &str| Some(hex(text)).filter(|word| *word != 0);
            match (word, &words[..]) {
                ("stop", _) => record.event = rest.to_owned(),
                ("pid", [number]) => record.pid = number.parse().unwrap_or(0),
                ("lwp", [number]) => record.lwp = number.parse().unwrap_or(0),
                ("pthread", [number]) => record.pthread = hex(number),
                ("thread", [word]) => record.thread = hex(word),
                ("state", [state, wait]) => (record.state, record.wait) = (hex(state), hex(wait)),
                ("region", [known, size, word, league]) => {
                    let size = size.parse().unwrap_or(0);
                    let region = Region { size, word: hex(word), is_league: *league == "1" };
                    record.regions.push((*known == "2").then_some(region));
                }
                (
                    "task",
                    [known, flags, word, exit, exit_flags, enter, enter_flags, region, num],
                ) => {
                    let task = Task {
                        flags: hex(flags) as u32,
                        word: hex(word),
                        frames: [(hex(exit), hex(exit_flags)), (hex(enter), hex(enter_flags))],
                        region: hex(region),
                        num: num.parse().unwrap_or(0),
                    };
                    record.tasks.push((*known == "2").then_some(task));
                }
                ("parent", [word]) => record.parent = some(word),
                ("encountering", [word]) => record.encountering = some(word),
                ("routines", _) => record.has_routines = true,
                ("omp", [name, number]) => {
                    record.numbers.insert((*name).to_owned(), number.parse().unwrap_or(0));
                }
                ("text", _) => {
                    let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
                    record.texts.insert(name.to_owned(), text.to_owned());
                }
                _ => {}
            }
        }
        record
    }

    /// Returns the task that the thread executes.
    pub fn task(&self) -> Option<&Task> {
        self.tasks.first()?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_a_record() {
        let text = "stop mutex acquire lock\nlwp 12\npthread 7f00\nthread 7100000000000001\n\
                    state 41 55d0\nregion 2 4 72 0\nregion 1 0 0 0\n\
                    task 2 2 73 7ffe 1 0 0 72 3\nparent 0\n\
                    encountering 70\nomp get_level 1\ntext affinity_format w %n x\n";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let record = Record::parse(&lines);
        assert_eq!((record.event.as_str(), record.lwp), ("mutex acquire lock", 12));
        assert_eq!((record.state, record.wait), (0x41, 0x55d0));
        assert_eq!(record.regions, [Some(Region { size: 4, word: 0x72, is_league: false }), None]);
        let task = record.task().unwrap();
        assert_eq!((task.num, task.frames[0], task.is_implicit()), (3, (0x7ffe, 1), true));
        assert_eq!((record.parent, record.encountering), (None, Some(0x70)));
        assert_eq!(record.numbers["get_level"], 1);
        assert_eq!(record.texts["affinity_format"], "w %n x");
    }
}
