//! A flame graph as one self-contained SVG, as wide as the window that shows it. Hovering shows a
//! frame's time and lines, a click zooms in, a search shows the share of time that matches.
//!
//! Outermost frames are at the bottom. The colour is that of the frame's kind, as in the legend.
//! Its shade comes from the name, so that one function looks alike everywhere. Positions are
//! percents of the width: programs that run no scripts draw the same picture, 1200 pixels wide.

mod change;
mod layout;

use std::collections::BTreeSet;
use std::fmt::Write;

pub use change::render as render_change;
use layout::Box;

use super::short::fitted;
use crate::diagnosis::{duration, percent};
use crate::join::LabelKind;
use crate::markup::escape;
use crate::model::{CallNode, ratio};
use crate::ompt::OVERHEAD_FRAME;
use crate::{Analysis, ReportError};

/// The width where no script sets another, and the widths of the margins.
const WIDTH: f64 = 1200.0;
const SIDE: f64 = 10.0;
const ROW: f64 = 17.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 26.0;
/// The width of a letter of the labels.
const LETTER: f64 = 7.3;

/// The flame graph of all user-model stacks.
///
/// # Errors
/// None at present; a later renderer may refuse what it cannot draw.
pub fn render(analysis: &Analysis) -> Result<String, ReportError> {
    render_all(&[analysis])
}

/// Draws the same for several processes: of more than one, each is a tower of its own.
///
/// # Errors
/// As [`render`].
pub fn render_all(processes: &[&Analysis]) -> Result<String, ReportError> {
    match processes {
        [one] => draw_all(super::program(one), one.tree(), false),
        _ => {
            let tree = together(processes);
            draw_all(&format!("{} processes", processes.len()), &tree, true)
        }
    }
}

/// Makes a tree whose root has the trees of the processes below it.
fn together(processes: &[&Analysis]) -> CallNode {
    let tower = |analysis: &&Analysis| {
        let tree = analysis.tree();
        CallNode { text: super::process(analysis).into(), lines: Vec::new(), ..tree.clone() }
    };
    let children: Vec<CallNode> = processes.iter().map(tower).collect();
    let total = children.iter().fold(0u64, |sum, child| sum.saturating_add(child.total));
    let text = "".into();
    CallNode { kind: LabelKind::Function, text, total, own: 0, lines: Vec::new(), children }
}

fn draw_all(name: &str, tree: &CallNode, is_of_several: bool) -> Result<String, ReportError> {
    let boxes = layout::of(tree);
    let depth = boxes.iter().map(|frame| frame.depth).max().unwrap_or(0) + 1;
    let height = TOP + depth as f64 * ROW + BOTTOM;
    let mut out = String::with_capacity(boxes.len() * 260 + 8192);
    head(&mut out, &format!("{name}: where its threads spent their time"), height);
    let kinds: BTreeSet<Kind> = boxes.iter().map(|frame| Kind::of(frame, is_of_several)).collect();
    let kinds = kinds.into_iter().filter(|kind| *kind != Kind::Root);
    legend(&mut out, kinds.map(|kind| (kind.name(), kind.color())));
    begin_frames(&mut out, height);
    for frame in &boxes {
        let kind = Kind::of(frame, is_of_several);
        let name = if kind == Kind::Root { kind.name() } else { &frame.node.text };
        let tooltip = tooltip(frame.node, name, tree.total);
        draw(&mut out, frame, name, shade(kind, name), &tooltip, height);
    }
    end(&mut out);
    Ok(out)
}

fn begin_frames(out: &mut String, height: f64) {
    let _ = writeln!(
        out,
        "<svg id=\"frames\" x=\"{SIDE}\" y=\"0\" width=\"{}\" height=\"{height}\">",
        WIDTH - 2.0 * SIDE
    );
}

fn end(out: &mut String) {
    let script = include_str!("script.js");
    let _ = write!(out, "</svg>\n<script><![CDATA[\n{script}]]></script>\n</svg>\n");
}

fn head(out: &mut String, title: &str, height: f64) {
    let title = escape(title);
    let _ = write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
         viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<title>{title}</title>\n\
         <style>{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fdfcf7\"/>\n\
         <text id=\"title\" x=\"{}\" y=\"24\" text-anchor=\"middle\" \
         font-size=\"16\">{title}</text>\n\
         <text id=\"reset\" x=\"{SIDE}\" y=\"24\" class=\"hidden\">reset zoom</text>\n\
         <svg id=\"tools\" x=\"{}\" y=\"0\" width=\"320\" height=\"64\">\n\
         <foreignObject x=\"120\" y=\"6\" width=\"200\" height=\"28\"><input \
         xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" \
         placeholder=\"search names and files\"/></foreignObject>\n\
         <text id=\"found\" x=\"100%\" y=\"62\" text-anchor=\"end\"/>\n</svg>\n\
         <text id=\"detail\" x=\"{SIDE}\" y=\"{}\"> </text>\n",
        include_str!("style.css"),
        WIDTH / 2.0,
        WIDTH - SIDE - 320.0,
        height - 8.0,
    );
}

/// The kind of a frame, which its colour shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Root,
    Process,
    Function,
    System,
    Region,
    Task,
    Target,
    Wait,
    Overhead,
    Idle,
    Blocked,
    Queued,
}

impl Kind {
    fn of(frame: &Box<'_>, is_of_several: bool) -> Kind {
        let node = frame.node;
        match node.kind {
            _ if frame.depth == 0 => Kind::Root,
            _ if frame.depth == 1 && is_of_several => Kind::Process,
            LabelKind::Region => Kind::Region,
            LabelKind::Task => Kind::Task,
            LabelKind::Target => Kind::Target,
            LabelKind::Runtime if &*node.text == OVERHEAD_FRAME => Kind::Overhead,
            LabelKind::Runtime if &*node.text == "<omp idle>" => Kind::Idle,
            LabelKind::Runtime => Kind::Wait,
            LabelKind::Blocked => Kind::Blocked,
            LabelKind::Queued => Kind::Queued,
            LabelKind::System => Kind::System,
            LabelKind::Function => Kind::Function,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Root => "all threads",
            Kind::Process => "process",
            Kind::Function => "work: functions",
            Kind::System => "C library, interpreter",
            Kind::Region => "parallel region",
            Kind::Task => "task",
            Kind::Target => "target region",
            Kind::Wait => "waiting for OpenMP",
            Kind::Overhead => "runtime overhead",
            Kind::Idle => "idle",
            Kind::Blocked => "blocked in a call",
            Kind::Queued => "without a CPU",
        }
    }

    /// Returns the middle shade, as red, green and blue.
    fn color(self) -> [u32; 3] {
        match self {
            Kind::Root | Kind::Process => [216, 212, 200],
            Kind::Function => [240, 190, 80],
            Kind::System => [210, 205, 170],
            Kind::Region => [130, 205, 130],
            Kind::Task => [130, 180, 225],
            Kind::Target => [225, 150, 190],
            Kind::Wait => [225, 100, 100],
            Kind::Overhead => [160, 150, 95],
            Kind::Idle => [200, 200, 205],
            Kind::Blocked => [195, 150, 215],
            Kind::Queued => [150, 160, 180],
        }
    }
}

fn legend(out: &mut String, colors: impl Iterator<Item = (&'static str, [u32; 3])>) {
    let mut x = SIDE;
    out.push_str("<g id=\"legend\">\n");
    for (name, [r, g, b]) in colors {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"38\" width=\"12\" height=\"12\" fill=\"rgb({r},{g},{b})\"/>\
             <text x=\"{:.0}\" y=\"48\">{}</text>",
            x + 16.0,
            name
        );
        x += 16.0 + name.len() as f64 * LETTER + 12.0;
    }
    out.push_str("</g>\n");
}

fn draw(
    out: &mut String,
    frame: &Box<'_>,
    name: &str,
    [r, g, b]: [u32; 3],
    tooltip: &str,
    height: f64,
) {
    let y = height - BOTTOM - (frame.depth + 1) as f64 * ROW;
    let pixels = frame.width * (WIDTH - 2.0 * SIDE);
    let (x, width) = (frame.x * 100.0, frame.width * 100.0);
    let _ = writeln!(
        out,
        "<g class=\"f\"><title>{}</title><rect x=\"{x:.5}%\" y=\"{y:.0}\" width=\"{width:.5}%\" \
         height=\"{:.0}\" fill=\"rgb({r},{g},{b})\"/><text x=\"{x:.5}%\" dx=\"3\" \
         y=\"{:.0}\">{}</text></g>",
        escape(tooltip),
        ROW - 1.0,
        y + 12.0,
        escape(&fitting(name, pixels)),
    );
}

/// Returns the frame's name, its times, and its lines, each on a line.
fn tooltip(node: &CallNode, name: &str, all: u64) -> String {
    let share = |time: u64| percent(ratio(time, all));
    let mut text = format!("{name}\n{}, {}", duration(node.total as f64), share(node.total));
    if node.own > 0 && node.own < node.total {
        let _ = write!(text, "; itself {}, {}", duration(node.own as f64), share(node.own));
    }
    for line in &node.lines {
        let _ = write!(text, "\n{} {}", line.place(), share(line.time));
    }
    text
}

fn shade(kind: Kind, name: &str) -> [u32; 3] {
    let mut hash = 0x811c_9dc5u32;
    for byte in name.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    // The shade is lighter or darker, and for the many functions yellower or redder.
    let light = hash % 31;
    let warm = if kind == Kind::Function { (hash >> 8) % 60 } else { 15 };
    let [r, g, b] = kind.color();
    let moved = |part: u32, by: u32| (part + by).saturating_sub(15).min(255);
    [moved(r, light.min(20)), (moved(g, light) + 15).saturating_sub(warm), moved(b, light)]
}

fn fitting(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / LETTER).max(0.0) as usize;
    if room < 3 && name.chars().count() > room { String::new() } else { fitted(name, room) }
}
