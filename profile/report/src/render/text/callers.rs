//! The call paths to the regions of the table.

use super::page::Page;
use crate::Analysis;
use crate::diagnosis::percent;
use crate::join::LabelKind;
use crate::model::{Caller, CallerFrame, ratio, total};

/// How many paths of one region are shown.
const MOST_PATHS: usize = 3;
/// A caller below this share of the region's time is not shown.
const LEAST_SHARE: f64 = 0.01;
/// The function around a region stands behind the region's line. If its name is longer than this,
/// it is no frame of the path.
const LONG_NAME: usize = 40;
/// How many lines of one frame are shown.
const MOST_LINES: usize = 2;

/// Shows the call paths above each region, the one with the most time first. A path that adds
/// nothing to the region's own name is left out.
pub(super) fn regions(page: &mut Page, analysis: &Analysis, top: usize) {
    let mut lines = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for row in analysis.regions().iter().take(top.max(1)) {
        let construct = &row.construct;
        // A construct has a row for each region around it, but callers only once.
        if known.contains(&&*construct.label) {
            continue;
        }
        known.push(&construct.label);
        let callers = analysis.callers(&construct.label);
        let all = total(callers.iter().map(|caller| caller.time));
        // A path adds nothing if it has no names, or only the function that the table names.
        let is_news = |caller: &Caller| match &caller.frames[..] {
            [] => false,
            [only] => only.name != construct.function && !only.name.contains("+0x"),
            frames => frames.iter().any(|frame| !frame.name.contains("+0x")),
        };
        let shown: Vec<&Caller> = callers
            .iter()
            .filter(|caller| is_news(caller) && ratio(caller.time, all) >= LEAST_SHARE)
            .collect();
        let label = construct.label.trim_start_matches("region at ");
        for (number, caller) in shown.iter().take(MOST_PATHS).enumerate() {
            let share = percent(ratio(caller.time, all));
            let share = if callers.len() > 1 { format!(" ({share})") } else { String::new() };
            let label = match number {
                0 => format!("{}: ", page.fit_name(label)),
                _ => String::new(),
            };
            let path = path(page, caller, &construct.function);
            lines.push((number, format!("{label}{path}{share}")));
        }
        if shown.len() > MOST_PATHS {
            lines.push((1, format!("and {} more", shown.len() - MOST_PATHS)));
        }
    }
    if lines.is_empty() {
        return;
    }
    page.dim_text(
        2,
        "called from (outermost first, with the lines of the calls and shares of the region's \
         samples)",
    );
    for (number, line) in lines {
        page.text(if number == 0 { 4 } else { 8 }, &line);
    }
}

/// Returns `main:31 > solve:112,140 > step`; the region stands in the last function.
fn path(page: &Page, caller: &Caller, function: &str) -> String {
    let mut frames = &caller.frames[..];
    // A long name is not shown twice.
    if let [outer @ .., own] = frames
        && *own.name == *function
        && function.len() > LONG_NAME
        && !outer.is_empty()
    {
        frames = outer;
    }
    let last = frames.len() - 1;
    let each = |(number, frame): (usize, &CallerFrame)| {
        let is_own = number == last && *frame.name == *function;
        let name = page.fit_name(&frame.name);
        if is_own || frame.kind != LabelKind::Function {
            return name;
        }
        let lines: Vec<String> =
            frame.lines.iter().take(MOST_LINES).map(|line| line.line.to_string()).collect();
        let more = if frame.lines.len() > MOST_LINES { ",.." } else { "" };
        match lines.is_empty() {
            true => name,
            false => format!("{name}:{}{more}", lines.join(",")),
        }
    };
    let mut names: Vec<String> = frames.iter().enumerate().map(each).collect();
    if caller.left_out > 0 {
        names.insert(1, "..".to_owned());
    }
    names.join(" > ")
}
