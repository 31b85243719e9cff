//! Markers of one thread: the regions that it was in, and its waits.
//!
//! They are made of samples. A run of samples in one region, or in one wait, is a marker; it begins
//! with the first of them (or at the region's fork, where that was recorded) and ends with the
//! last. A shorter time than the interval of the samples may have no marker.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::devices;
use super::tables::{Tables, category};
use crate::join::{LabelKind, NodeId};
use crate::visible::visible;
use crate::{Analysis, TimedSample};

const REGION: &str = "OpenMPRegion";
const WAIT: &str = "OpenMPWait";

/// `markerSchema` of the format.
pub(super) fn schema() -> Value {
    let place = [
        json!({ "key": "file", "label": "File", "format": "file-path" }),
        json!({ "key": "line", "label": "Line", "format": "integer" }),
    ];
    let one = |name: &str, label: &str, description: &str, own: Value| {
        let fields: Vec<Value> = std::iter::once(own).chain(place.clone()).collect();
        json!({
            "name": name,
            "display": ["marker-chart", "marker-table", "timeline-overview"],
            "chartLabel": "{marker.name}",
            "tooltipLabel": "{marker.name}",
            "tableLabel": label,
            "description": description,
            "fields": fields,
        })
    };
    json!([
        one(
            REGION,
            "{marker.name}",
            "The thread was in this parallel region, as its samples show.",
            json!({ "key": "instance", "label": "Instance", "format": "integer" }),
        ),
        one(
            WAIT,
            "{marker.name} {marker.data.what}",
            "The thread waited, as its samples show.",
            json!({ "key": "what", "label": "For", "format": "string" }),
        ),
        one(
            devices::CONSTRUCT,
            "{marker.name}",
            "The thread executed this target construct.",
            json!({ "key": "device", "label": "Device", "format": "string" }),
        ),
        one(
            devices::EVENT,
            "{marker.name}",
            "A kernel, or a copy to or from the device.",
            json!({ "key": "bytes", "label": "Bytes", "format": "bytes" }),
        ),
    ])
}

struct Marker {
    node: NodeId,
    /// For a region: the instance. For a wait: the mutex that is waited for.
    id: u64,
    start: u64,
    end: u64,
    /// The sample that it begins with.
    first: usize,
    is_region: bool,
}

/// A marker in the form in which it is written.
pub(super) struct Shown {
    pub(super) name: usize,
    pub(super) category: usize,
    /// Since the start of the process, ns.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) data: Value,
}

/// `markers` of a thread.
pub(super) fn of(
    analysis: &Analysis,
    tables: &mut Tables<'_>,
    thread: u32,
    samples: &[TimedSample],
) -> Value {
    let mut shown = of_samples(analysis, tables, samples);
    shown.extend(devices::constructs(analysis, tables, thread));
    table(shown, tables)
}

/// Returns the table of the format.
pub(super) fn table(mut markers: Vec<Shown>, tables: &Tables<'_>) -> Value {
    markers.sort_by_key(|marker| (marker.start, std::cmp::Reverse(marker.end)));
    let each = || markers.iter();
    json!({
        "name": each().map(|marker| marker.name).collect::<Vec<_>>(),
        "startTime": each().map(|marker| tables.ms(marker.start)).collect::<Vec<_>>(),
        "endTime": each().map(|marker| tables.ms(marker.end)).collect::<Vec<_>>(),
        // An interval.
        "phase": vec![1; markers.len()],
        "category": each().map(|marker| marker.category).collect::<Vec<_>>(),
        "data": each().map(|marker| &marker.data).collect::<Vec<_>>(),
        "length": markers.len(),
    })
}

fn of_samples(analysis: &Analysis, tables: &mut Tables<'_>, samples: &[TimedSample]) -> Vec<Shown> {
    let show = |stretch: Stretch| {
        let mut data = match stretch.instance {
            Some(instance) => json!({ "type": REGION, "instance": instance }),
            None => json!({ "type": WAIT, "what": stretch.what }),
        };
        if let Some(file) = stretch.file {
            data["file"] = json!(file);
            data["line"] = json!(stretch.line);
        }
        let (name, category) = (tables.string(&stretch.name), category(stretch.kind));
        Shown { name, category, start: stretch.start, end: stretch.end, data }
    };
    stretches(analysis, samples).into_iter().map(show).collect()
}

/// A region that a thread was in for a while, or a wait of the thread, by its samples.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Its kind.
    pub kind: LabelKind,
    /// The region's label, or the wait: `omp critical wait`.
    pub name: String,
    /// For a region: the instance; 0 = unknown. None for a wait.
    pub instance: Option<u64>,
    /// For a wait: the mutex, or the region whose threads it waits for.
    pub what: String,
    /// Source file, its path as the compiler recorded it; none if unknown.
    pub file: Option<String>,
    /// Line in `file`; 0 if unknown.
    pub line: u32,
    /// Since the start of the process, ns.
    pub start: u64,
    /// The same.
    pub end: u64,
}

/// Returns the stretches of one thread's samples, which are in the order of their times.
pub(crate) fn stretches(analysis: &Analysis, samples: &[TimedSample]) -> Vec<Stretch> {
    let constructs = analysis.regions().iter().map(|row| &row.construct);
    let places: HashMap<&str, (Option<&str>, u32)> = constructs
        .map(|construct| (&*construct.label, (construct.file.as_deref(), construct.line)))
        .collect();
    // A row without an id stands for a place, not for one mutex.
    let with_id = analysis.mutexes().iter().filter(|row| row.wait_id != 0);
    let mutexes: HashMap<u64, &str> = with_id.map(|row| (row.wait_id, row.name.as_str())).collect();
    let stretch = |marker: Marker| {
        let label = analysis.stacks.label_of(marker.node);
        let (what, place) = if marker.is_region {
            ("", places.get(&*label.text).copied())
        } else {
            let region = region_of(analysis, marker.node);
            let what = mutexes.get(&marker.id).copied().or(region).unwrap_or_default();
            (what, line_of(analysis, &samples[marker.first]))
        };
        let (file, line) = place.unwrap_or_default();
        Stretch {
            kind: label.kind,
            name: label.text.trim_matches(['<', '>']).to_owned(),
            instance: marker.is_region.then_some(marker.id),
            what: what.to_owned(),
            file: file.map(|file| visible(file).into_owned()),
            line,
            start: marker.start,
            end: marker.end,
        }
    };
    find(analysis, samples).into_iter().map(stretch).collect()
}

fn find(analysis: &Analysis, samples: &[TimedSample]) -> Vec<Marker> {
    let period = (1e9 / analysis.summary().rate_asked.max(1e-3)) as u64;
    let mut regions_of: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut done = Vec::new();
    // Regions, outermost first, and a wait.
    let mut open: Vec<Marker> = Vec::new();
    let mut wait: Option<Marker> = None;
    let mut last_end = 0u64;
    for (number, sample) in samples.iter().enumerate() {
        let end = sample.time;
        let start = end.saturating_sub(period.saturating_mul(u64::from(sample.weight)));
        if start > last_end.saturating_add(period) {
            // After a gap without samples, the thread is still in its region if the next sample is
            // in the same instance.
            let stays = |marker: &Marker| marker.id != 0 && marker.id == sample.region;
            if !open.last().is_some_and(stays) {
                done.append(&mut open);
            }
            done.extend(wait.take());
        }
        let start = start.max(last_end).min(end);
        last_end = end;
        let regions = regions_of
            .entry(sample.node)
            .or_insert_with(|| path_of_kind(analysis, sample.node, LabelKind::Region));
        let innermost = regions.len().wrapping_sub(1);
        let goes_on = |(depth, (marker, node)): (usize, (&Marker, &NodeId))| {
            let same = marker.id == 0 || sample.region == 0 || marker.id == sample.region;
            marker.node == *node && (depth != innermost || same)
        };
        let kept = open.iter().zip(regions.iter()).enumerate().take_while(|at| goes_on(*at));
        let kept = kept.count();
        done.extend(open.drain(kept..));
        for (depth, node) in regions.iter().enumerate().skip(kept) {
            let id = if depth == innermost { sample.region } else { 0 };
            let fork = analysis.fork_times.get(&id).copied().unwrap_or(start);
            let start = start.max(fork).min(end);
            open.push(Marker { node: *node, id, start, end, first: number, is_region: true });
        }
        if let Some(marker) = open.get_mut(innermost)
            && marker.id == 0
        {
            marker.id = sample.region;
        }
        open.iter_mut().for_each(|marker| marker.end = end);
        let label = analysis.stacks.label_of(sample.node);
        let waits = match label.kind {
            LabelKind::Blocked => true,
            LabelKind::Runtime => !matches!(&*label.text, "<omp idle>" | "<omp overhead>"),
            _ => false,
        };
        match &mut wait {
            Some(same) if waits && same.node == sample.node && same.id == sample.wait_id => {
                same.end = end;
            }
            _ => {
                done.extend(wait.take());
                let (node, id, first) = (sample.node, sample.wait_id, number);
                wait = waits.then_some(Marker { node, id, start, end, first, is_region: false });
            }
        }
    }
    done.append(&mut open);
    done.extend(wait);
    done
}

/// Returns the nodes of a kind on the way to `node`, outermost first.
fn path_of_kind(analysis: &Analysis, node: NodeId, kind: LabelKind) -> Vec<NodeId> {
    let outwards = std::iter::successors(Some(node), |at| Some(analysis.stacks.parent(*at)));
    let path = outwards.take_while(|at| *at != NodeId::ROOT);
    let mut found: Vec<NodeId> =
        path.filter(|at| analysis.stacks.label_of(*at).kind == kind).collect();
    found.reverse();
    found
}

fn region_of(analysis: &Analysis, node: NodeId) -> Option<&str> {
    let innermost = path_of_kind(analysis, node, LabelKind::Region).pop()?;
    Some(&*analysis.stacks.label_of(innermost).text)
}

/// Returns the line of a sample's innermost construct, or function of the program: further out it
/// would be the line of a call.
fn line_of<'a>(analysis: &'a Analysis, sample: &TimedSample) -> Option<(Option<&'a str>, u32)> {
    let places: HashMap<NodeId, _> = analysis.stacks.places_of(sample.places).collect();
    let outwards = std::iter::successors(Some(sample.node), |at| Some(analysis.stacks.parent(*at)));
    let mut path = outwards.take_while(|at| *at != NodeId::ROOT);
    let is_code = |at: &NodeId| {
        let kind = analysis.stacks.label_of(*at).kind;
        !matches!(kind, LabelKind::Runtime | LabelKind::Blocked | LabelKind::System)
    };
    let place = analysis.stacks.place(*places.get(&path.find(is_code)?)?);
    (place.line > 0).then_some((place.file.as_deref(), place.line))
}
