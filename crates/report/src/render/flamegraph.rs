//! A flame graph as one self-contained SVG: hover shows a frame's time, a click zooms in.
//!
//! Outermost frames are at the bottom. Constructs are green, what the runtime was doing is red, the
//! user's functions are in warm colours by name, so that one function has one colour everywhere.

use std::fmt::Write;

use crate::diagnosis::{duration, percent};
use crate::join::LabelKind;
use crate::model::{CallNode, ratio};
use crate::{Analysis, ReportError};

const WIDTH: f64 = 1200.0;
const ROW: f64 = 17.0;
const TOP: f64 = 42.0;
const BOTTOM: f64 = 26.0;
/// Frames narrower than this many pixels are left out.
const NARROWEST: f64 = 0.15;

/// The flame graph of all user-model stacks.
///
/// # Errors
/// None at present; a later renderer may refuse what it cannot draw.
pub fn render(analysis: &Analysis) -> Result<String, ReportError> {
    let tree = analysis.tree();
    let scale = WIDTH / tree.total.max(1) as f64;
    let mut boxes = Vec::new();
    lay_out(tree, scale, &mut boxes);
    let depth = boxes.iter().map(|frame| frame.depth).max().unwrap_or(0) + 1;
    let height = TOP + depth as f64 * ROW + BOTTOM;
    let program = analysis.summary().executable.rsplit('/').next().unwrap_or("program");
    let mut out = String::with_capacity(boxes.len() * 220 + 4096);
    let _ = write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
         viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fdfcf7\"/>\n\
         <text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"16\">{}</text>\n\
         <text id=\"reset\" x=\"8\" y=\"24\" class=\"hidden\">reset zoom</text>\n\
         <text id=\"detail\" x=\"8\" y=\"{}\"> </text>\n<g id=\"frames\">\n",
        WIDTH / 2.0,
        escape(&format!("{program}: where its threads spent their time")),
        height - 8.0,
    );
    for frame in &boxes {
        let y = height - BOTTOM - (frame.depth + 1) as f64 * ROW;
        let name = if frame.depth == 0 { "all threads" } else { &frame.node.text };
        let share = percent(ratio(frame.node.total, tree.total));
        let title = format!("{name} ({}, {share})", duration(frame.node.total as f64));
        let _ = writeln!(
            out,
            "<g class=\"f\"><title>{}</title><rect x=\"{:.2}\" y=\"{y:.0}\" width=\"{:.2}\" \
             height=\"{:.0}\" fill=\"{}\"/><text x=\"{:.2}\" y=\"{:.0}\">{}</text></g>",
            escape(&title),
            frame.x,
            frame.width,
            ROW - 1.0,
            colour(frame.node, frame.depth),
            frame.x + 3.0,
            y + 12.0,
            escape(&fitting(name, frame.width)),
        );
    }
    let _ = write!(out, "</g>\n<script><![CDATA[{SCRIPT}]]></script>\n</svg>\n");
    Ok(out)
}

struct Box<'a> {
    node: &'a CallNode,
    depth: usize,
    x: f64,
    width: f64,
}

fn lay_out<'a>(root: &'a CallNode, scale: f64, boxes: &mut Vec<Box<'a>>) {
    let mut todo = vec![Box { node: root, depth: 0, x: 0.0, width: root.total as f64 * scale }];
    while let Some(frame) = todo.pop() {
        let mut x = frame.x;
        // By name, so that two graphs of one program can be compared by eye.
        let mut children: Vec<&CallNode> = frame.node.children.iter().collect();
        children.sort_by(|a, b| a.text.cmp(&b.text));
        for child in children {
            let width = child.total as f64 * scale;
            if width >= NARROWEST {
                todo.push(Box { node: child, depth: frame.depth + 1, x, width });
            }
            x += width;
        }
        boxes.push(frame);
    }
}

fn fitting(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / 7.3).max(0.0) as usize;
    if name.chars().count() <= room {
        name.to_owned()
    } else if room < 3 {
        String::new()
    } else {
        name.chars().take(room - 2).chain("..".chars()).collect()
    }
}

fn colour(node: &CallNode, depth: usize) -> String {
    let hash = node
        .text
        .bytes()
        .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let (a, b) = (hash % 40, (hash >> 8) % 40);
    match node.kind {
        _ if depth == 0 => "#d8d4c8".to_owned(),
        LabelKind::Region => format!("rgb({},{},{})", 110 + a, 185 + b, 110 + a),
        LabelKind::Task => format!("rgb({},{},{})", 110 + a, 160 + b, 205 + b),
        LabelKind::Runtime => format!("rgb({},{},{})", 205 + b, 80 + a, 80 + a),
        LabelKind::Blocked => format!("rgb({},{},{})", 175 + a, 130 + b, 190 + b),
        LabelKind::System => format!("rgb({0},{0},{1})", 190 + a, 150 + b),
        LabelKind::Function => format!("rgb({},{},{})", 235, 160 + a + b / 2, 60 + b),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = ".f{cursor:pointer}.f:hover rect{stroke:#000;stroke-width:.6}\
    .f text{pointer-events:none}.hidden{visibility:hidden}#reset{cursor:pointer;fill:#26c}\
    .above{opacity:.5}";

/// Zoom: a frame's box gets the whole width, those outside of it disappear.
const SCRIPT: &str = r#"
(function(){
var W=1200,fs=[].slice.call(document.querySelectorAll('.f')).map(function(g){
 var r=g.querySelector('rect'),t=g.querySelector('text');
 var title=g.querySelector('title').textContent;
 var o={g:g,r:r,t:t,title:title,x:+r.getAttribute('x'),w:+r.getAttribute('width'),y:+r.getAttribute('y')};
 o.name=title.replace(/ \([^()]*\)$/,'');return o;});
var detail=document.getElementById('detail'),reset=document.getElementById('reset');
function label(o,w){var n=Math.max(0,Math.floor((w-6)/7.3));
 o.t.textContent=o.name.length<=n?o.name:(n<3?'':o.name.slice(0,n-2)+'..');}
function zoom(z){fs.forEach(function(o){
 var under=o.y>=z.y&&o.x<=z.x+.01&&o.x+o.w>=z.x+z.w-.01;
 var inside=o.x>=z.x-.01&&o.x+o.w<=z.x+z.w+.01&&o.y<=z.y;
 o.g.setAttribute('class','f'+(under&&o!==z?' above':''));
 o.g.style.display=under||inside?'':'none';
 var x=under?0:(o.x-z.x)*W/z.w,w=under?W:o.w*W/z.w;
 o.r.setAttribute('x',x);o.r.setAttribute('width',w);o.t.setAttribute('x',x+3);label(o,w);});
 reset.setAttribute('class',z===fs[0]?'hidden':'');}
fs.forEach(function(o){o.g.addEventListener('click',function(){zoom(o);});
 o.g.addEventListener('mouseover',function(){detail.textContent=o.title;});});
reset.addEventListener('click',function(){zoom(fs[0]);});
})();
"#;
