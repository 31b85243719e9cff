//! A picture: its rows, and their columns as text.

use std::fmt::Write;

use super::MOST_ROWS;

/// Shares of looks, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// It executed code of the program's.
    pub work: f64,
    /// It waited for others.
    pub wait: f64,
    /// It had no work.
    pub idle: f64,
}

/// A thread's row. Texts from the target have nothing in them that a terminal would obey.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// OpenMP's number in the process.
    pub number: Option<i32>,
    /// The kernel's number.
    pub lwp: u32,
    /// The thread's name.
    pub name: String,
    /// Processor time, in percent of the time that passed.
    pub cpu: Option<f64>,
    /// The shares of the looks in which the rank worked, waited, or was idle.
    pub shares: Option<Shares>,
    /// The further columns of a rank's row, whose `number` is the rank, and `lwp` its process.
    pub rank: Option<OfRank>,
    /// Its place and its activity, as last seen.
    pub now: String,
}

/// The further columns of a rank's row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfRank {
    /// Its threads.
    pub threads: usize,
    /// The share of the last looks at its first thread's stack that found an MPI call, in percent.
    pub in_calls: Option<f64>,
}

/// A region's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// "region at file.c:3 in main".
    pub name: String,
    /// The number of times that threads were seen in it.
    pub seen: u32,
    /// The shares of its threads' activities there.
    pub shares: Option<Shares>,
}

/// Everything seen of a program within some time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The line about the program.
    pub head: String,
    /// Its command, as in that line.
    pub command: String,
    /// Its threads, by number.
    pub threads: Vec<Row>,
    /// Its regions; those in which threads were seen most come first.
    pub regions: Vec<Region>,
    /// Whether the rows are ranks of a job.
    pub is_job: bool,
}

impl Row {
    /// Whether the thread's row or name contains a text, in capitals or not.
    pub fn has(&self, text: &str) -> bool {
        let columns = Columns::of(self.rank.is_some());
        let all = format!("{} {}", columns.row(self), self.name);
        all.to_lowercase().contains(&text.to_lowercase())
    }
}

impl Picture {
    /// The picture as text.
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

/// The columns of the threads: fewer if there is little room.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    is_job: bool,
    lwp: bool,
    idle: bool,
}

/// The width of all columns in front of the last one, and the least width for the last one.
const ALL_COLUMNS: usize = 41;
const LWP_COLUMN: usize = 9;
const PLACE: usize = 24;
/// The width of the two columns that only ranks have.
const RANK_COLUMNS: usize = 13;

impl Columns {
    /// All columns, of threads or of a job's ranks.
    pub fn of(is_job: bool) -> Columns {
        Columns { is_job, lwp: true, idle: true }
    }

    /// The columns for which a window of this width has room.
    pub fn within(width: usize, is_job: bool) -> Columns {
        // A job's reader needs the processes' numbers.
        let needed = ALL_COLUMNS + if is_job { RANK_COLUMNS } else { 0 };
        let lwp = is_job || width >= needed + PLACE;
        let without = if is_job { 0 } else { LWP_COLUMN };
        Columns { is_job, lwp, idle: width >= needed - without + PLACE }
    }

    /// The columns' names.
    pub fn title(self) -> String {
        let (number, lwp) = if self.is_job { ("RANK", "PID") } else { ("THREAD", "LWP") };
        let names = [number, lwp, "CPU", "WORK", "WAIT", "IDLE", "NOW"].map(str::to_owned);
        self.line(names, ["THREADS", "MPI"].map(str::to_owned))
    }

    /// A thread's columns.
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
    /// The columns in front of the name.
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
