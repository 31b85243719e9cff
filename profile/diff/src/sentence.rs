//! The sentence on top: the verdict on the elapsed time, and its causes.

use omphalos_report::words::{count, duration, percent};

use crate::compared_row::{Kind, Row, Status};
use crate::comparison::{Comparison, Verdict};

/// A part with less than this share of its row's change explains nothing.
const EXPLAINS: f64 = 0.3;

pub(crate) fn of(comparison: &Comparison) -> String {
    let elapsed = &comparison.elapsed;
    let (before, after) = (elapsed.before(), elapsed.after());
    let both = format!("{} before, {} after", duration(before), duration(after));
    match comparison.verdict {
        Verdict::Inconclusive => inconclusive(comparison, &both),
        Verdict::Same => {
            let chance = percent(elapsed.noise() / before.max(after).max(1.0));
            let mut text = format!(
                "No difference beyond the noise: {both} ({}; up to {chance} may be chance)",
                signed_percent(elapsed.share())
            );
            let named: Vec<&Row> = named(comparison).collect();
            if named.is_empty() {
                text.push_str(&renamed(&comparison.parts));
            } else {
                let rows: Vec<String> =
                    named.iter().take(2).map(|row| what_did(row, comparison)).collect();
                text.push_str(&format!("; but {}", rows.join("; and ")));
            }
            text + "."
        }
        Verdict::Faster | Verdict::Slower => {
            let word = if elapsed.by() < 0.0 { "Faster" } else { "Slower" };
            let by = duration(elapsed.by().abs());
            let mut text = format!("{word} by {by} ({}): {both}", percent(elapsed.share().abs()));
            let named: Vec<&Row> = named(comparison).collect();
            let Some((first, others)) = named.split_first() else {
                return text + "; no part of it alone is beyond the noise.";
            };
            text.push_str(&format!(", most of it in {}", what_did(first, comparison)));
            let matters = |row: &&&Row| row.time.by().abs() >= EXPLAINS * first.time.by().abs();
            for row in others.iter().filter(matters).take(2) {
                text.push_str(&format!("; and {}", what_did(row, comparison)));
            }
            text + "."
        }
    }
}

fn inconclusive(comparison: &Comparison, both: &str) -> String {
    let when = match (comparison.before.is_busy(), comparison.after.is_busy()) {
        (true, true) => "in both",
        (true, false) => "before",
        _ => "after",
    };
    format!(
        "Inconclusive: other programs used the machine's CPUs {when}, so that {both} say little; \
         compare runs on an idle machine."
    )
}

/// Returns the parts whose change is worth naming, the greatest first. If the elapsed time changed,
/// the parts that changed in the same direction come before the others.
fn named(comparison: &Comparison) -> impl Iterator<Item = &Row> {
    let by = comparison.elapsed.by();
    let has_direction = comparison.verdict != Verdict::Same;
    let first = move |row: &&Row| !has_direction || row.time.by() * by > 0.0;
    let rows = || comparison.parts.iter().filter(|row| comparison.is_worth_naming(row));
    rows().filter(move |row| first(row)).chain(rows().filter(move |row| !first(row)))
}

/// Returns a row with its change, and the reason.
fn what_did(row: &Row, comparison: &Comparison) -> String {
    let mut text = format!("{} ({})", row.label, signed(row.time.by()));
    match row.status {
        Status::New => return text + ", which is new",
        Status::Gone => return text + ", which is gone",
        _ => {}
    }
    if let Some(earlier) = row.earlier.as_ref().filter(|_| row.status == Status::Renamed) {
        text.push_str(&format!(", earlier {earlier}"));
    }
    let mut why = Vec::new();
    if let Some(work) = row.work.as_ref().filter(|work| work.is_other()) {
        let ratio = work.ratio().unwrap_or(1.0);
        let (before, after) = (count(work.before as u64), count(work.after as u64));
        let what = match work.what {
            "entered" => format!("it is entered {after} times instead of {before}"),
            what => format!("it has {after} {what} instead of {before}"),
        };
        let each = row.time.after() / ratio - row.time.before();
        let same = if each.abs() <= row.time.noise() { ", each as long as before" } else { "" };
        why.push(format!("{what} ({ratio:.1} times the work{same})"));
    }
    why.extend(row.notes.iter().take(3).cloned());
    let explains = |part: &&Row| {
        part.time.by() * row.time.by() > 0.0
            && part.time.by().abs() >= EXPLAINS * row.time.by().abs()
            && part.time.is_beyond_noise()
    };
    if let Some(part) = row.parts.iter().find(explains) {
        why.push(part_did(part, comparison));
    }
    if !why.is_empty() {
        text.push_str(&format!(": {}", why.join(", ")));
    }
    text
}

fn part_did(part: &Row, comparison: &Comparison) -> String {
    let (by, more) = (duration(part.time.by().abs()), more(part.time.by()));
    match part.kind {
        Kind::Function => match (part.status, &part.earlier) {
            (Status::New, _) => format!("function {}, which is new, takes {by}", part.label),
            (Status::Gone, _) => format!("function {}, which took {by}, is gone", part.label),
            (_, Some(earlier)) => {
                format!("function {}, earlier {earlier}, takes {by} {more}", part.label)
            }
            _ => format!("function {} takes {by} {more}", part.label),
        },
        Kind::Barrier => format!("its threads wait {by} {more} at barriers"),
        Kind::Lock => {
            let same = |row: &&Row| row.kind == Kind::Mutex && row.time.by() * part.time.by() > 0.0;
            match comparison.beside.iter().find(same) {
                Some(mutex) => format!("its threads wait {by} {more} for {}", mutex.label),
                None => format!("its threads wait {by} {more} for locks"),
            }
        }
        Kind::TaskWait => format!("its threads wait {by} {more} for tasks"),
        Kind::Overhead => format!("the runtime takes {by} {more} for itself"),
        Kind::Blocked => format!("its threads are blocked in calls {by} {more}"),
        _ => format!("its threads lack a CPU {by} {more}"),
    }
}

/// Names the first function with another name and the first region on another line, and says how
/// many more there are: for a comparison whose times say nothing.
fn renamed(rows: &[Row]) -> String {
    let all = || rows.iter().chain(rows.iter().flat_map(|row| &row.parts));
    let of = |status: Status| all().filter(move |row| row.status == status);
    let mut text = String::new();
    let functions: Vec<&Row> = of(Status::Renamed).collect();
    if let Some((row, earlier)) =
        functions.first().and_then(|row| Some((row, row.earlier.as_ref()?)))
    {
        text.push_str(&format!("; {earlier} is called {} now", row.label));
        text.push_str(&others(functions.len()));
    }
    let moved: Vec<&Row> = of(Status::Moved).filter(|row| row.kind == Kind::Region).collect();
    if let Some((row, earlier)) = moved.first().and_then(|row| Some((row, row.earlier.as_ref()?))) {
        let place = row.label.trim_start_matches("region at ");
        text.push_str(&format!("; {earlier} moved to {place}"));
        text.push_str(&others(moved.len()));
    }
    text
}

fn others(count: usize) -> String {
    if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() }
}

fn more(by: f64) -> &'static str {
    if by < 0.0 { "less" } else { "more" }
}

/// `+12.3 ms`.
pub(crate) fn signed(by: f64) -> String {
    let sign = if by < 0.0 { "-" } else { "+" };
    format!("{sign}{}", duration(by.abs()))
}

/// `-3.1 %`.
pub(crate) fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { "-" } else { "+" };
    format!("{sign}{}", percent(share.abs()))
}
