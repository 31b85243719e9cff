//! How a program scales, for a terminal: the sentence, the sizes, the curves, and the losses.

use omphalos_report::text::TextOptions;
use omphalos_report::text::page::{Page, Table};
use omphalos_report::words::{duration, percent};

use super::plot;
use crate::Scaling;
use crate::classes::Class;
use crate::factors::Factors;
use crate::output::Difference;
use crate::rows::Construct;
use crate::sentence::{threads, times};
use crate::size::Size;

/// A part of a construct with less than this share of the elapsed time at each size is not shown.
const LEAST_SHARE: f64 = 0.01;

/// Shows everything. `all`: also constructs and losses that take next to nothing.
pub fn render(scaling: &Scaling, options: &TextOptions, all: bool) -> String {
    let mut page = Page::new(options);
    page.heading(&format!("How {} scales", scaling.command.join(" ")));
    page.text(2, &scaling.sentence);
    outputs(&mut page, scaling);
    forecast(&mut page, scaling);
    sizes(&mut page, scaling);
    curves(&mut page, scaling);
    factors(&mut page, scaling, all);
    constructs(&mut page, scaling, options.top.max(1), all);
    if let Some(advice) = scaling.causes.first().and_then(|cause| cause.advice.as_ref()) {
        page.heading("What to do");
        page.text(2, advice);
    }
    page.finish()
}

fn curves(page: &mut Page, scaling: &Scaling) {
    let lines = plot::lines(scaling);
    if lines.is_empty() {
        return;
    }
    let crowded = if scaling.sizes.iter().any(|size| size.is_oversubscribed) {
        ", o oversubscribed"
    } else {
        ""
    };
    let foretold = if scaling.forecast.is_some() { ", ? foretold" } else { "" };
    page.heading(&format!(
        "Speedup: * measured{crowded}{foretold}, - by Amdahl's law, . without a loss"
    ));
    lines.iter().for_each(|line| page.line(line));
}

fn ms(ns: f64) -> String {
    format!("{:.1}", ns / 1e6)
}

fn outputs(page: &mut Page, scaling: &Scaling) {
    let outputs = &scaling.outputs;
    let first = &scaling.sizes[0];
    let shown = |difference: &Difference| {
        format!("line {}: {:?}, then {:?}", difference.line, difference.first, difference.other)
    };
    if let Some(other) = outputs.at_one_size.first() {
        let (with, shown) = (threads(first.threads), shown(other));
        page.text(
            2,
            &format!(
                "The output differs from run to run with {with} ({shown}), so that it says nothing \
                 of the sizes."
            ),
        );
    } else {
        for other in &outputs.between_sizes {
            match other.numbers_by {
                Some(by) => page.text(
                    2,
                    &format!(
                        "The output with {} has other numbers, by up to {by:.1e} of them ({}).",
                        threads(other.threads),
                        shown(other)
                    ),
                ),
                None => page.alarm(
                    2,
                    &format!(
                        "The output with {} is another one than with {} ({}).",
                        threads(other.threads),
                        first.threads,
                        shown(other)
                    ),
                ),
            }
        }
        if outputs.between_sizes.is_empty() && scaling.sizes.len() > 1 {
            page.text(2, "The output is the same at each size.");
        }
    }
    for other in &outputs.ends {
        page.alarm(2, &format!("With {} it ended with {}.", threads(other.threads), other.end));
    }
}

fn forecast(page: &mut Page, scaling: &Scaling) {
    let Some(forecast) = scaling.forecast else { return };
    let first = &scaling.sizes[0];
    let judged = scaling.judged();
    let how = if forecast.is_least { "at least" } else { "about" };
    let mut text = format!(
        "Twice the threads ({}), on cores of their own, would take {how} {}: {} times as fast as \
         {}",
        forecast.threads,
        duration(forecast.elapsed_ns),
        times(forecast.speedup),
        first.threads,
    );
    if judged.threads != first.threads {
        let more = judged.elapsed_ns / forecast.elapsed_ns;
        text.push_str(&format!(", {} times as fast as {}", times(more), judged.threads));
    }
    page.text(2, &(text + "."));
}

/// Returns remarks on a size, a few words each.
fn remarks(size: &Size) -> String {
    let all = [
        (size.is_oversubscribed, "oversubscribed"),
        (size.shares_cores, "shared cores"),
        (size.has_slow_cores && !size.is_oversubscribed, "slow cores"),
        (size.is_busy, "busy machine"),
    ];
    let words: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, words)| *words).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

fn sizes(page: &mut Page, scaling: &Scaling) {
    page.heading(&format!("Sizes, on {}", scaling.machine.in_words()));
    let headings = ["elapsed ms", "least", "most", "speedup", "Amdahl", "efficiency"];
    let mut table = Table::new("threads", &headings);
    for size in &scaling.sizes {
        table.row(
            format!("{}{}", size.threads, remarks(size)),
            vec![
                ms(size.elapsed_ns),
                ms(size.least_ns),
                ms(size.most_ns),
                times(size.speedup),
                times(size.amdahl_speedup),
                percent(size.efficiency),
            ],
        );
    }
    table.print(page);
    if scaling.sizes.iter().any(|size| size.is_oversubscribed) {
        page.text(2, "oversubscribed: more threads than CPUs, so that nothing is taken from it");
    }
    if scaling.sizes.iter().any(|size| size.is_busy) {
        page.text(2, "busy machine: other programs had the CPUs, so that its times say little");
    }
}

fn headings(scaling: &Scaling) -> Vec<String> {
    scaling.sizes.iter().map(|size| size.threads.to_string()).collect()
}

/// Shows the factors. One by which nothing is lost at any size is shown only with `all`.
fn factors(page: &mut Page, scaling: &Scaling, all: bool) {
    page.heading("Factors of the efficiency, % (100: nothing is lost), by threads");
    let mut table = Table::new("threads", &headings(scaling));
    type Figure = fn(&Factors) -> f64;
    let rows: [(&str, Figure); 9] = [
        ("global efficiency", |factors| factors.global),
        ("  parallel efficiency", |factors| factors.parallel),
        ("    serial part", |factors| factors.serial),
        ("    size of teams", |factors| factors.team),
        ("    load balance", |factors| factors.load_balance),
        ("    serialisation (locks, tasks)", |factors| factors.serialisation),
        ("    the runtime", |factors| factors.runtime),
        ("    processor", |factors| factors.processor),
        ("  computation scaling", |factors| factors.computation),
    ];
    for (name, figure) in rows {
        let cell = |size: &Size| format!("{:.1}", 100.0 * figure(&size.factors));
        let cells: Vec<String> = scaling.sizes.iter().map(cell).collect();
        if all || !name.starts_with("    ") || cells.iter().any(|cell| cell != "100.0") {
            table.row(name.to_owned(), cells);
        }
    }
    table.print(page);
}

fn constructs(page: &mut Page, scaling: &Scaling, top: usize, all: bool) {
    page.heading("Where it is lost: elapsed ms by construct and threads");
    let mut table = Table::new("ms", &headings(scaling));
    let least = if all { f64::MIN_POSITIVE } else { LEAST_SHARE };
    // Whether a figure matters at any size. A loss may be below 0, since work may become less.
    let is_worth = |figure: &dyn Fn(usize) -> f64| {
        let mut sizes = scaling.sizes.iter().enumerate();
        sizes.any(|(at, size)| figure(at).abs() >= least * size.elapsed_ns)
    };
    let cells = |figure: &dyn Fn(usize) -> Option<f64>| -> Vec<String> {
        (0..scaling.sizes.len()).map(|at| figure(at).map_or("-".to_owned(), ms)).collect()
    };
    let elapsed = |construct: &Construct, at: usize| construct.sizes[at].map(|row| row.elapsed_ns);
    let is_shown = |construct: &&Construct| is_worth(&|at| elapsed(construct, at).unwrap_or(0.0));
    let shown: Vec<&Construct> = scaling.constructs.iter().filter(is_shown).collect();
    for construct in shown.iter().take(top) {
        let inside = if construct.is_outermost() { "" } else { " (inside of another)" };
        let name = format!("{}{inside}", construct.label);
        table.row(name, cells(&|at| elapsed(construct, at)));
        let ideal = |at: usize| construct.sizes[at].map(|row| row.ideal_ns);
        table.row("  if nothing were lost".to_owned(), cells(&ideal));
        for class in Class::ALL {
            let lost = |at: usize| construct.sizes[at].map(|row| row.lost.of(class));
            if is_worth(&|at| lost(at).unwrap_or(0.0)) {
                table.row(format!("  {}", class.name()), cells(&lost));
            }
        }
    }
    table.print(page);
    if shown.len() > top {
        page.text(2, &format!("and {} more", shown.len() - top));
    }
    page.text(
        2,
        "what threads lose at once counts as the sum over them by their number, so that the lines \
         of a construct add up to its elapsed time",
    );
}
