//! A picture: its rows, and how they are columns.

use std::fmt::Write;

use super::MOST_ROWS;

/// Shares of what was seen, in percent; `None` if nothing was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// It executed code of the program's.
    pub work: f64,
    /// It waited for others.
    pub wait: f64,
    /// It had no work.
    pub idle: f64,
}

/// A thread. What comes from the target has nothing in it that a terminal would obey.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// OpenMP's number in the process.
    pub number: Option<i32>,
    /// The kernel's number.
    pub lwp: u32,
    /// The thread's name.
    pub name: String,
    /// Processor time, in percent of the time that went by.
    pub cpu: Option<f64>,
    /// The shares of the looks in which the rank worked, waited, or was idle.
    pub shares: Option<Shares>,
    /// The further columns of a rank's row, whose `number` is the rank, and `lwp` its process.
    pub rank: Option<OfRank>,
    /// Where it is, and what it does, as last seen.
    pub now: String,
}

/// What the row of a rank has beside that of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfRank {
    /// Its threads.
    pub threads: usize,
    /// Of the last looks at its first thread's stack, those in a call of MPI, in percent.
    pub in_calls: Option<f64>,
}

/// A region, likewise.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// "region at file.c:3 in main".
    pub name: String,
    /// How often threads were seen in it.
    pub seen: u32,
    /// What they did there.
    pub shares: Option<Shares>,
}

/// What was seen of a program within some time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The program, a line.
    pub head: String,
    /// Its command as it stands in that line.
    pub command: String,
    /// Its threads, by number.
    pub threads: Vec<Row>,
    /// Its regions, those first in which threads were seen most.
    pub regions: Vec<Region>,
    /// Whether the rows are ranks of a job.
    pub is_job: bool,
}

impl Row {
    /// Whether a text is in what is shown of the thread, or its name: in capitals or not.
    pub fn has(&self, text: &str) -> bool {
        let columns = Columns::of(self.rank.is_some());
        let all = format!("{} {}", columns.row(self), self.name);
        all.to_lowercase().contains(&text.to_lowercase())
    }
}

impl Picture {
    /// As text.
    pub fn text(&self) -> String {
        let all = Columns::of(self.is_job);
        let mut out = format!("{}\n\n{}\n", self.head, all.title());
        for row in self.threads.iter().take(MOST_ROWS) {
            let _ = writeln!(out, "{}", all.row(row));
        }
        if self.threads.len() > MOST_ROWS {
            let _ = writeln!(out, "   ... {} more", self.threads.len() - MOST_ROWS);
        }
        if !self.regions.is_empty() {
            out.push_str("\n WORK  WAIT  REGION\n");
        }
        for region in &self.regions {
            let _ = writeln!(out, "{} {}", region.columns(), region.name);
        }
        out
    }
}

/// The columns of the threads: fewer where there is little room.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    is_job: bool,
    lwp: bool,
    idle: bool,
}

/// What all columns before the last one take, and what is to be left for that.
const ALL_COLUMNS: usize = 41;
const LWP_COLUMN: usize = 9;
const PLACE: usize = 24;
/// What the two of ranks alone take.
const RANK_COLUMNS: usize = 13;

impl Columns {
    /// All of them: of threads, or of a job's ranks.
    pub fn of(is_job: bool) -> Columns {
        Columns { is_job, lwp: true, idle: true }
    }

    /// Those for which a window of so many columns has room.
    pub fn within(width: usize, is_job: bool) -> Columns {
        // Who looks at a job needs the processes' numbers.
        let needed = ALL_COLUMNS + if is_job { RANK_COLUMNS } else { 0 };
        let lwp = is_job || width >= needed + PLACE;
        let without = if is_job { 0 } else { LWP_COLUMN };
        Columns { is_job, lwp, idle: width >= needed - without + PLACE }
    }

    /// Their names.
    pub fn title(self) -> String {
        let (number, lwp) = if self.is_job { ("RANK", "PID") } else { ("THREAD", "LWP") };
        let names = [number, lwp, "CPU", "WORK", "WAIT", "IDLE", "NOW"].map(str::to_owned);
        self.line(names, ["THREADS", "MPI"].map(str::to_owned))
    }

    /// A thread's.
    pub fn row(self, row: &Row) -> String {
        let number = row.number.map_or("-".to_owned(), |number| match number {
            0.. => number.to_string(),
            _ => format!("h{}", number.unsigned_abs()),
        });
        let [work, wait, idle] = columns(row.shares);
        let (lwp, cpu) = (row.lwp.to_string(), percent(row.cpu));
        let of_rank = row.rank.unwrap_or_default();
        let of_rank = [of_rank.threads.to_string(), percent(of_rank.in_calls)];
        self.line([number, lwp, cpu, work, wait, idle, row.now.clone()], of_rank)
    }

    fn line(
        self,
        [number, lwp, cpu, work, wait, idle, now]: [String; 7],
        [threads, in_calls]: [String; 2],
    ) -> String {
        let mut out = format!("{number:>6}");
        if self.lwp {
            let _ = write!(out, " {lwp:>8}");
        }
        if self.is_job {
            let _ = write!(out, " {threads:>7}");
        }
        let _ = write!(out, " {cpu:>4} {work:>5} {wait:>5}");
        if self.idle {
            let _ = write!(out, " {idle:>5}");
        }
        if self.is_job {
            let _ = write!(out, " {in_calls:>4}");
        }
        out + "  " + &now
    }
}

impl Region {
    /// The columns before the name.
    pub fn columns(&self) -> String {
        let [work, wait, _] = columns(self.shares);
        format!("{work:>5} {wait:>5} ")
    }
}

fn columns(shares: Option<Shares>) -> [String; 3] {
    let part = |part: fn(Shares) -> f64| percent(shares.map(part));
    [part(|shares| shares.work), part(|shares| shares.wait), part(|shares| shares.idle)]
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".to_owned(), |part| format!("{part:.0}%"))
}
