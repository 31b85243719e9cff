//! The comparison: circumstances, rows, verdict, and the sentence on top.

use std::collections::{BTreeMap, BTreeSet};

use crate::circumstances::{self, Circumstance};
use crate::compared_row::{Kind, Row, Status, Work};
use crate::items::{self, Item};
use crate::matching::align;
use crate::noise::median;
use crate::side::Side;
use crate::{Change, counted, inner, sentence};

/// A share of the elapsed time below this is not worth a word.
pub(crate) const LEAST_SHARE: f64 = 0.01;

/// The verdict on the elapsed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No change beyond the noise.
    Same,
    /// It takes less.
    Faster,
    /// It takes more.
    Slower,
    /// Other programs had the processors, so there is no verdict.
    Inconclusive,
}

impl Verdict {
    /// A stable name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// Two sides, compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The earlier side.
    pub before: Side,
    /// The later one.
    pub after: Side,
    /// The differences around the program.
    pub circumstances: Vec<Circumstance>,
    /// The elapsed time.
    pub elapsed: Change,
    /// The parts of the elapsed time, which add up to it, with regions inside regions; the part
    /// that changed most comes first.
    pub parts: Vec<Row>,
    /// Tasks, mutexes and target constructs: times are sums over threads.
    pub beside: Vec<Row>,
    /// The verdict on the elapsed time.
    pub verdict: Verdict,
    /// The comparison in one sentence.
    pub sentence: String,
}

impl Comparison {
    /// Compares two sides.
    pub fn of(before: Side, after: Side) -> Comparison {
        let elapsed = |side: &Side| side.each(|run| run.summary.elapsed_ns);
        let elapsed = Change::new(elapsed(&before), elapsed(&after), None);
        let context = Context {
            runs: (before.count(), after.count()),
            period: before.period().max(after.period()),
        };
        let ((outside, regions), (outside_after, regions_after)) =
            (items::parts_of_elapsed(&before), items::parts_of_elapsed(&after));
        let mut parts = vec![context.row(Some(&outside), Some(&outside_after))];
        parts.extend(context.rows(&regions, &regions_after));
        Row::sort(&mut parts);
        let mut beside = context.rows(&items::beside(&before), &items::beside(&after));
        beside.retain(|row| row.time.before() > 0.0 || row.time.after() > 0.0);
        Row::sort(&mut beside);
        let is_busy = before.is_busy() || after.is_busy();
        let least = LEAST_SHARE * elapsed.before().max(elapsed.after());
        let verdict = match elapsed.by() {
            _ if is_busy => Verdict::Inconclusive,
            by if !elapsed.is_beyond_noise() || by.abs() < least => Verdict::Same,
            by if by < 0.0 => Verdict::Faster,
            _ => Verdict::Slower,
        };
        let rows: Vec<&Row> = parts.iter().chain(&beside).collect();
        let circumstances = circumstances::differences(&before, &after, &rows);
        let sentence = String::new();
        let mut comparison =
            Comparison { before, after, circumstances, elapsed, parts, beside, verdict, sentence };
        comparison.sentence = sentence::of(&comparison);
        comparison
    }

    /// Whether the elapsed time grew by more than this share, and not by chance.
    pub fn is_slower_by(&self, share: f64) -> bool {
        self.verdict == Verdict::Slower && self.elapsed.share() > share
    }

    /// Whether a row's change is more than chance, and worth a word.
    pub fn is_worth_naming(&self, row: &Row) -> bool {
        let least = LEAST_SHARE * self.elapsed.before().max(self.elapsed.after());
        row.time.is_beyond_noise() && row.time.by().abs() >= least
    }
}

struct Context {
    runs: (usize, usize),
    period: f64,
}

impl Context {
    fn rows(&self, before: &[Item], after: &[Item]) -> Vec<Row> {
        let pairs = pairs(before, after).into_iter();
        pairs.map(|(b, a)| self.row(b.map(|b| &before[b]), a.map(|a| &after[a]))).collect()
    }

    fn row(&self, before: Option<&Item>, after: Option<&Item>) -> Row {
        let nothing = |runs: usize| vec![0.0; runs];
        let of = |figure: &dyn Fn(&Item) -> &Vec<f64>| {
            let b = before.map_or_else(|| nothing(self.runs.0), |item| figure(item).clone());
            let a = after.map_or_else(|| nothing(self.runs.1), |item| figure(item).clone());
            (b, a)
        };
        let (time_before, time_after) = of(&|item| &item.time);
        let Some(named) = after.or(before) else { unreachable!("a row is of something") };
        let is_sampled = named.kind == Kind::Function;
        let time = Change::new(time_before, time_after, is_sampled.then_some(self.period));
        let status = match (before, after) {
            // One side may have no waits of a class.
            (None, _) | (_, None) if named.kind.is_class() => Status::Same,
            (None, _) => Status::New,
            (_, None) => Status::Gone,
            (Some(b), Some(a)) if b.function != a.function => Status::Renamed,
            (Some(b), Some(a)) if (&b.file, b.line) != (&a.file, a.line) => Status::Moved,
            (Some(b), Some(a)) if a.label != b.label && a.line == 0 => Status::Renamed,
            _ => Status::Same,
        };
        let earlier = before.filter(|item| item.label != named.label);
        let what = if named.kind == Kind::Task { "tasks" } else { "entered" };
        let both = before.zip(after);
        let iterations = both.map_or((0.0, 0.0), |(b, a)| inner::iterations(&b.inner, &a.inner));
        let [tasks, count] = [of(&|item| &item.tasks), of(&|item| &item.count)]
            .map(|(b, a)| (median(&b), median(&a)));
        let counted = [("iterations", iterations), ("tasks", tasks), (what, count)]
            .map(|(what, (before, after))| Work { what, before, after });
        let is_known = |work: &&Work| work.ratio().is_some();
        let work = counted.iter().find(|work| work.is_other()).or(counted.iter().find(is_known));
        let (team_before, team_after) = of(&|item| &item.team);
        let mut notes = Vec::new();
        if let (Some(before), Some(after)) = (before, after) {
            notes.extend(inner::changes(&before.inner, &after.inner));
            let (b, a) = (median(&team_before), median(&team_after));
            if (b - a).abs() >= 0.05 {
                notes.push(format!("{a:.1} threads instead of {b:.1}"));
            }
            notes.extend(counted::changes(&before.counts, &after.counts));
        }
        let parts = |item: Option<&Item>| item.map_or(&[][..], |item| &item.parts).to_vec();
        let mut parts = self.inside(&parts(before), &parts(after));
        Row::sort(&mut parts);
        Row {
            kind: named.kind,
            label: named.label.clone(),
            earlier: earlier.map(|item| item.label.clone()),
            status,
            time,
            work: work.cloned(),
            counted: counted.into(),
            notes,
            parts,
        }
    }

    /// Returns the parts of one row's time, paired by kind and name. Functions that remain on both
    /// sides with about the same time count as one that was renamed.
    fn inside(&self, before: &[Item], after: &[Item]) -> Vec<Row> {
        let key = |item: &Item| (item.kind.id(), item.label.clone());
        let by_key: BTreeMap<_, &Item> = after.iter().map(|item| (key(item), item)).collect();
        let (mut rows, mut matched) = (Vec::new(), BTreeSet::new());
        let mut left = Vec::new();
        for item in before {
            match by_key.get(&key(item)) {
                Some(other) => {
                    matched.insert(key(item));
                    rows.push(self.row(Some(item), Some(other)));
                }
                None => left.push(item),
            }
        }
        let mut new: Vec<&Item> =
            after.iter().filter(|item| !matched.contains(&key(item))).collect();
        for item in left {
            let is_it = |other: &&Item| -> bool {
                let row = self.row(Some(item), Some(other));
                let near = (row.time.by() / row.time.before().max(1.0)).abs() <= RENAMED;
                let is_sure = row.time.before().min(row.time.after()) > row.time.noise();
                item.kind == Kind::Function && other.kind == item.kind && near && is_sure
            };
            match new.iter().position(is_it) {
                Some(at) => rows.push(self.row(Some(item), Some(new.remove(at)))),
                None => rows.push(self.row(Some(item), None)),
            }
        }
        rows.extend(new.into_iter().map(|item| self.row(None, Some(item))));
        rows
    }
}

/// A new function counts as a renamed one if its time differs from that of a gone one by no more
/// than this share.
const RENAMED: f64 = 0.25;

/// Indices of rows before, and after.
type Numbers = (Vec<usize>, Vec<usize>);

/// Returns the rows of two sides that belong together, each once.
fn pairs(before: &[Item], after: &[Item]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut functions: BTreeMap<(&str, &str), Numbers> = BTreeMap::new();
    for (at, item) in before.iter().enumerate() {
        functions.entry((item.kind.id(), &item.function)).or_default().0.push(at);
    }
    for (at, item) in after.iter().enumerate() {
        functions.entry((item.kind.id(), &item.function)).or_default().1.push(at);
    }
    let mut found = Vec::new();
    let mut take = |b: &[usize], a: &[usize], likeness: &dyn Fn(&Item, &Item) -> Option<u32>| {
        let aligned = align(b, a, |b, a| likeness(&before[*b], &after[*a]));
        found.extend(aligned.iter().map(|&(i, j)| (b[i], a[j])));
    };
    for (b, a) in functions.values() {
        take(b, a, &likeness);
    }
    let (matched_before, matched_after): (BTreeSet<_>, BTreeSet<_>) = found.iter().copied().unzip();
    let left = |count: usize, matched: &BTreeSet<usize>| -> Vec<usize> {
        (0..count).filter(|at| !matched.contains(at)).collect()
    };
    let left = (left(before.len(), &matched_before), left(after.len(), &matched_after));
    // A function with another name: its constructs are the same.
    let aligned = align(&left.0, &left.1, |b, a| {
        let (b, a) = (&before[*b], &after[*a]);
        let same = b.file == a.file
            && inner::are_alike(&b.inner, &a.inner)
            && median(&b.count) == median(&a.count);
        likeness(b, a).filter(|_| same)
    });
    found.extend(aligned.iter().map(|&(i, j)| (left.0[i], left.1[j])));
    let (matched_before, matched_after): (BTreeSet<_>, BTreeSet<_>) = found.iter().copied().unzip();
    let gone = (0..before.len()).filter(|at| !matched_before.contains(at));
    let new = (0..after.len()).filter(|at| !matched_after.contains(at));
    let gone: Vec<_> = gone.map(|at| (Some(at), None)).collect();
    let new: Vec<_> = new.map(|at| (None, Some(at))).collect();
    found.into_iter().map(|(b, a)| (Some(b), Some(a))).chain(gone).chain(new).collect()
}

/// Returns how much two constructs of one function are alike.
fn likeness(before: &Item, after: &Item) -> Option<u32> {
    if before.kind != after.kind || before.level != after.level {
        return None;
    }
    if before.kind == Kind::Mutex && before.label != after.label {
        return None;
    }
    let same = |figure: &dyn Fn(&Item) -> f64| figure(before) == figure(after);
    let line = u32::from(same(&|item| f64::from(item.line)));
    let inside = 2 * u32::from(inner::are_alike(&before.inner, &after.inner));
    let count = u32::from(same(&|item| median(&item.count)));
    let (b, a) = inner::iterations(&before.inner, &after.inner);
    let iterations = 2 * u32::from(b > 0.0 && b == a);
    Some(4 + line + inside + count + iterations)
}
