//! Reads the user's source, if it still exists, to find the line of a directive.
//!
//! Only lines with an OpenMP directive of the right kind are ever chosen. A source that is newer
//! than the program is not believed.

use std::collections::HashMap;
use std::fs;
use std::rc::Rc;
use std::time::SystemTime;

use super::ConstructKind;
use super::directives::{self, Directive};

/// Source files read so far: the lines with directives of each.
#[derive(Default)]
pub(crate) struct Sources {
    files: HashMap<String, Option<Directives>>,
}

struct Directives {
    modified: Option<SystemTime>,
    /// All directives, for constructs inside regions.
    all: Rc<[Directive]>,
    regions: Vec<u32>,
    tasks: Vec<u32>,
}

/// The largest file that is read: larger ones were made by a program.
const LARGEST: u64 = 16 << 20;
/// The greatest distance of the directive above the body, or below the call, in lines.
const REACH: u32 = 200;

/// The line of the directive that the line information places at `line` and whose body starts at
/// `body` (0 = unknown); `line` if the source does not show a better one.
pub(super) fn directive_line(
    sources: &mut Sources,
    path: &str,
    line: u32,
    body: u32,
    kind: ConstructKind,
    program_modified: Option<SystemTime>,
) -> u32 {
    let directives = sources.files.entry(path.to_owned()).or_insert_with(|| read(path));
    let Some(directives) = directives else { return line };
    if let (Some(source), Some(program)) = (directives.modified, program_modified)
        && source > program
    {
        return line;
    }
    let lines = match kind {
        ConstructKind::Region => &directives.regions,
        ConstructKind::Task => &directives.tasks,
        ConstructKind::Target | ConstructKind::Place => return line,
    };
    if lines.binary_search(&line).is_ok() {
        return line;
    }
    let at_or_before = |limit: u32| {
        let next = lines.partition_point(|&at| at <= limit);
        next.checked_sub(1).map(|i| lines[i]).filter(|&at| at + REACH >= limit)
    };
    if body > 0 {
        return at_or_before(body).unwrap_or(line);
    }
    // Without a body: the call is at the directive's end, or at the head of the function in front
    // of it.
    let after = lines.get(lines.partition_point(|&at| at <= line)).copied();
    match (at_or_before(line), after.filter(|&at| at <= line + 3)) {
        (_, Some(after)) => after,
        (Some(before), None) if before + 3 >= line => before,
        _ => line,
    }
}

/// The lines with directives of the kind, in ascending order.
pub(super) fn lines_of<'a>(sources: &'a mut Sources, path: &str, kind: ConstructKind) -> &'a [u32] {
    let directives = sources.files.entry(path.to_owned()).or_insert_with(|| read(path));
    match (directives, kind) {
        (Some(known), ConstructKind::Region) => &known.regions,
        (Some(known), ConstructKind::Task) => &known.tasks,
        _ => &[],
    }
}

/// All directives of a file; empty if the source is not to be believed.
pub(super) fn all_directives(
    sources: &mut Sources,
    path: &str,
    program_modified: Option<SystemTime>,
) -> Rc<[Directive]> {
    let directives = sources.files.entry(path.to_owned()).or_insert_with(|| read(path));
    let Some(directives) = directives else { return Rc::default() };
    match (directives.modified, program_modified) {
        (Some(source), Some(program)) if source > program => Rc::default(),
        _ => directives.all.clone(),
    }
}

/// The lines of a source file for which `is_it` is true.
pub(super) fn lines_with(path: &str, is_it: impl Fn(&str) -> bool) -> Vec<u32> {
    let Some((text, _)) = text(path) else { return Vec::new() };
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| is_it(line)).map(|(number, _)| number).collect()
}

/// The text of a source file, and the time when it was written.
pub(super) fn text(path: &str) -> Option<(String, Option<SystemTime>)> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let text = fs::read(path).ok()?;
    Some((String::from_utf8_lossy(&text).into_owned(), metadata.modified().ok()))
}

fn read(path: &str) -> Option<Directives> {
    let (text, modified) = text(path)?;
    let all = directives::read(&text);
    let lines =
        |kind| all.iter().filter(|one| opens(one) == Some(kind)).map(|one| one.line).collect();
    Some(Directives {
        modified,
        regions: lines(ConstructKind::Region),
        tasks: lines(ConstructKind::Task),
        all: all.into(),
    })
}

/// The kind of construct that a directive opens.
fn opens(directive: &Directive) -> Option<ConstructKind> {
    if directive.is_region() {
        return Some(ConstructKind::Region);
    }
    (directive.has("task") || directive.has("taskloop")).then_some(ConstructKind::Task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_told_from_other_lines() {
        use ConstructKind::{Region, Task};
        for (line, kind) in [
            ("  #pragma omp parallel for schedule(static)", Some(Region)),
            ("# pragma omp target teams distribute parallel for", Some(Region)),
            ("#pragma omp task firstprivate(parallel)", Some(Task)),
            ("#pragma omp taskwait", None),
            ("#pragma omp for // in the parallel region", None),
            ("!$omp parallel do private(i)", Some(Region)),
            ("!$OMP END PARALLEL", None),
            ("!$omp parallel", Some(Region)),
            ("_Pragma(\"omp parallel\")", Some(Region)),
            ("int parallel = 0;", None),
            ("#pragma omp \\\n    parallel for", Some(Region)),
            ("#pragma omp cancel parallel", None),
            ("#pragma omp master taskloop", Some(Task)),
        ] {
            assert_eq!(directives::read(line).first().and_then(opens), kind, "{line}");
        }
    }
}
