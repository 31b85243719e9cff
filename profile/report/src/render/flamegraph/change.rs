//! A differential flame graph: one tree of two runs. Frames are as wide as the mean of both, so
//! that removed ones can be seen too; red frames take longer than before, blue ones less.

use super::{BOTTOM, ROW, TOP, begin_frames, draw, end, head, layout, legend};
use crate::diagnosis::duration;
use crate::model::CallNode;

const RED: [u32; 3] = [235, 95, 85];
const BLUE: [u32; 3] = [95, 135, 235];
const NEITHER: [u32; 3] = [232, 229, 220];

/// Draws `tree`; `times` returns each node's time before and after, ns.
pub fn render(title: &str, tree: &CallNode, times: &dyn Fn(&CallNode) -> (f64, f64)) -> String {
    let boxes = layout::of(tree);
    let depth = boxes.iter().map(|frame| frame.depth).max().unwrap_or(0) + 1;
    let height = TOP + depth as f64 * ROW + BOTTOM;
    // The largest change below the root has the strongest colour.
    let by = |node: &CallNode| times(node).1 - times(node).0;
    let most = boxes.iter().map(|frame| by(frame.node).abs()).fold(1.0, f64::max);
    let mut out = String::with_capacity(boxes.len() * 260 + 8192);
    head(&mut out, title, height);
    let colors =
        [("takes longer after", RED), ("takes less after", BLUE), ("takes as long", NEITHER)];
    legend(&mut out, colors.into_iter());
    begin_frames(&mut out, height);
    for frame in &boxes {
        let name = if frame.depth == 0 { "all threads" } else { &frame.node.text };
        let (before, after) = times(frame.node);
        let sign = if after < before { "-" } else { "+" };
        let tooltip = format!(
            "{name}\n{} before, {} after: {sign}{}",
            duration(before),
            duration(after),
            duration((after - before).abs())
        );
        draw(&mut out, frame, name, color(by(frame.node) / most), &tooltip, height);
    }
    end(&mut out);
    out
}

/// Returns a colour from -1, all blue, to 1, all red.
fn color(share: f64) -> [u32; 3] {
    let full = if share < 0.0 { BLUE } else { RED };
    // Small changes would have no colour at all.
    let part = share.abs().min(1.0).sqrt();
    let mixed = |from: u32, to: u32| (f64::from(from) * (1.0 - part) + f64::from(to) * part) as u32;
    [0, 1, 2].map(|at| mixed(NEITHER[at], full[at]))
}
