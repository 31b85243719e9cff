//! Perfetto's trace format (`perfetto_trace.proto`), for <https://ui.perfetto.dev> and
//! `trace_processor`: a track for each thread with its regions and waits, one for each device with
//! its kernels and copies, and the samples with their stacks. The process's track begins with an
//! instant that has the report's sums.

mod messages;

use std::collections::BTreeMap;

use omphalos_report::{
    Analysis, DeviceEvent, DeviceEventKind, PlacedFrame, Stretch, TimedSample, json,
};
use prost::Message;
use serde_json::Value;

use crate::stacks::{Numbers, program};
use messages::*;

/// The one writer of all packets.
const SEQUENCE: u32 = 1;
const SEQUENCE_CLEARED: u32 = 1;
const NEEDS_STATE: u32 = 2;
const SLICE_BEGIN: i32 = 1;
const SLICE_END: i32 = 2;
const INSTANT: i32 = 3;
/// The one mapping of all frames.
const MAPPING: u64 = 1;
/// `MODE_USER`: samples are in the user's code.
const USER: i32 = 2;

/// A span on a track.
struct Slice {
    start: u64,
    end: u64,
    event: TrackEvent,
}

/// The trace as bytes.
pub fn render(processes: &[&Analysis]) -> Vec<u8> {
    let started = |analysis: &&Analysis| analysis.summary().started;
    let begin = processes.iter().map(started).min().unwrap_or(0);
    let mut writer = Writer::new();
    for analysis in processes {
        // If the start of one process is not known, all begin together.
        let later = if begin == 0 { 0 } else { started(analysis) - begin };
        writer.process(analysis, later);
    }
    Trace { packet: writer.packets }.encode_to_vec()
}

struct Writer {
    packets: Vec<TracePacket>,
    tracks: u64,
    functions: Numbers<String>,
    frames: Numbers<(u64, u32)>,
    stacks: Numbers<Vec<u64>>,
}

impl Writer {
    fn new() -> Writer {
        let first = TracePacket {
            sequence: SEQUENCE,
            sequence_flags: SEQUENCE_CLEARED,
            interned_data: Some(InternedData {
                mappings: vec![Mapping { iid: MAPPING, path_string_ids: vec![1] }],
                mapping_paths: vec![InternedString { iid: 1, str: b"program".to_vec() }],
                ..InternedData::default()
            }),
            ..TracePacket::default()
        };
        Writer {
            packets: vec![first],
            tracks: 0,
            functions: Numbers::default(),
            frames: Numbers::default(),
            stacks: Numbers::default(),
        }
    }

    fn process(&mut self, analysis: &Analysis, later: u64) {
        let summary = analysis.summary();
        let pid = summary.pid as i32;
        let process = ProcessDescriptor {
            pid,
            cmdline: summary.command.clone(),
            process_name: program(analysis).to_owned(),
        };
        let of_process =
            self.track(TrackDescriptor { process: Some(process), ..Default::default() });
        let report = json::to_value(analysis);
        let sums = report["summary"].as_object().into_iter().flatten();
        let sums = sums.filter_map(|(name, value)| {
            let figure = DebugAnnotation { name: name.clone(), ..Default::default() };
            match value {
                Value::Number(number) if number.is_u64() => {
                    Some(DebugAnnotation { uint_value: number.as_u64(), ..figure })
                }
                Value::Number(number) => {
                    Some(DebugAnnotation { double_value: number.as_f64(), ..figure })
                }
                _ => None,
            }
        });
        let event = TrackEvent {
            kind: INSTANT,
            track_uuid: of_process,
            name: "sums of the report".to_owned(),
            categories: vec!["report".to_owned()],
            debug_annotations: sums.collect(),
            ..Default::default()
        };
        self.event(later, event);
        let mut samples: BTreeMap<u32, Vec<TimedSample>> = BTreeMap::new();
        for sample in analysis.samples() {
            samples.entry(sample.thread).or_default().push(sample);
        }
        for row in analysis.threads() {
            let tid = if row.os_tid == 0 { row.thread } else { row.os_tid };
            let thread = ThreadDescriptor {
                pid,
                tid: i64::from(tid),
                thread_name: format!("OpenMP thread {}", row.thread),
            };
            let (thread, parent_uuid) = (Some(thread), of_process);
            let of_thread =
                self.track(TrackDescriptor { thread, parent_uuid, ..Default::default() });
            let samples = samples.remove(&row.thread).unwrap_or_default();
            let mut slices: Vec<Slice> =
                analysis.stretches(&samples).into_iter().map(of_stretch).collect();
            let own = |event: &&DeviceEvent| {
                event.kind == DeviceEventKind::Construct && event.thread == row.thread
            };
            slices.extend(analysis.device_events().iter().filter(own).map(of_device_event));
            self.slices(of_thread, later, slices);
            self.samples(analysis, (summary.pid, tid), later, &samples);
        }
        let mut devices: BTreeMap<u32, Vec<Slice>> = BTreeMap::new();
        for event in analysis.device_events() {
            if let (Some(device), false) = (event.device, event.kind == DeviceEventKind::Construct)
            {
                devices.entry(device).or_default().push(of_device_event(event));
            }
        }
        for (device, slices) in devices {
            let name = format!("OpenMP device {device}");
            let parent_uuid = of_process;
            let track = self.track(TrackDescriptor { name, parent_uuid, ..Default::default() });
            self.slices(track, later, slices);
        }
    }

    fn track(&mut self, descriptor: TrackDescriptor) -> u64 {
        self.tracks += 1;
        let descriptor = TrackDescriptor { uuid: self.tracks, ..descriptor };
        self.packet(None, |packet| packet.track_descriptor = Some(descriptor));
        self.tracks
    }

    fn packet(&mut self, timestamp: Option<u64>, fill: impl FnOnce(&mut TracePacket)) {
        let mut packet = TracePacket {
            timestamp,
            sequence: SEQUENCE,
            sequence_flags: NEEDS_STATE,
            ..TracePacket::default()
        };
        fill(&mut packet);
        self.packets.push(packet);
    }

    fn event(&mut self, time: u64, event: TrackEvent) {
        self.packet(Some(time), |packet| packet.track_event = Some(event));
    }

    /// Adds the slices of a track, which nest: one that would outlast the one around it ends with
    /// that.
    fn slices(&mut self, track: u64, later: u64, mut slices: Vec<Slice>) {
        slices.sort_by_key(|slice| (slice.start, std::cmp::Reverse(slice.end)));
        let mut open: Vec<u64> = Vec::new();
        let end = |kind| TrackEvent { kind, track_uuid: track, ..Default::default() };
        for Slice { start, end: until, mut event } in slices {
            while open.last().is_some_and(|last| *last <= start) {
                let last = open.pop().unwrap_or(start);
                self.event(last + later, end(SLICE_END));
            }
            (event.kind, event.track_uuid) = (SLICE_BEGIN, track);
            self.event(start + later, event);
            open.push(until.min(open.last().copied().unwrap_or(until)).max(start));
        }
        while let Some(last) = open.pop() {
            self.event(last + later, end(SLICE_END));
        }
    }

    fn samples(
        &mut self,
        analysis: &Analysis,
        (pid, tid): (u32, u32),
        later: u64,
        samples: &[TimedSample],
    ) {
        for sample in samples {
            let mut new = InternedData::default();
            let callstack_iid = self.stack(&analysis.placed_stack(sample), &mut new);
            let cpu_mode = USER;
            self.packet(Some(sample.time + later), |packet| {
                packet.perf_sample = Some(PerfSample { pid, tid, callstack_iid, cpu_mode });
                packet.interned_data = (new != InternedData::default()).then_some(new);
            });
        }
    }

    /// Returns the number of a stack; parts that are not known yet go into `new`.
    fn stack(&mut self, placed: &[PlacedFrame], new: &mut InternedData) -> u64 {
        let mut frame_ids = Vec::with_capacity(placed.len());
        for frame in placed {
            let functions = self.functions.rows.len();
            let function = self.functions.number(frame.text.to_string()) as u64 + 1;
            if self.functions.rows.len() > functions {
                let str = frame.text.as_bytes().to_vec();
                new.function_names.push(InternedString { iid: function, str });
            }
            // The line stands in place of an address: frames of one function differ by it.
            let frames = self.frames.rows.len();
            let iid = self.frames.number((function, frame.line)) as u64 + 1;
            if self.frames.rows.len() > frames {
                let (function_name_id, rel_pc) = (function, iid);
                let (mapping_id, line_number) = (MAPPING, frame.line);
                new.frames.push(Frame { iid, function_name_id, mapping_id, rel_pc, line_number });
            }
            frame_ids.push(iid);
        }
        let stacks = self.stacks.rows.len();
        let iid = self.stacks.number(frame_ids.clone()) as u64 + 1;
        if self.stacks.rows.len() > stacks {
            new.callstacks.push(Callstack { iid, frame_ids });
        }
        iid
    }
}

fn of_stretch(stretch: Stretch) -> Slice {
    let Stretch { name, instance, what, file, line, start, end, .. } = stretch;
    let category = if instance.is_some() { "region" } else { "wait" };
    let own = match instance {
        Some(0) => None,
        Some(instance) => {
            let name = "instance".to_owned();
            Some(DebugAnnotation { name, uint_value: Some(instance), ..Default::default() })
        }
        None if what.is_empty() => None,
        None => {
            let name = "for".to_owned();
            Some(DebugAnnotation { name, string_value: Some(what), ..Default::default() })
        }
    };
    let function_name = String::new();
    let place =
        file.map(|file_name| SourceLocation { file_name, function_name, line_number: line });
    let event = TrackEvent {
        name,
        categories: vec![category.to_owned()],
        debug_annotations: own.into_iter().collect(),
        source_location: place,
        ..Default::default()
    };
    Slice { start, end, event }
}

fn of_device_event(event: &DeviceEvent) -> Slice {
    let what = match event.kind {
        DeviceEventKind::Construct => "construct",
        DeviceEventKind::Kernel => "kernel",
        DeviceEventKind::ToDevice => "copy to the device",
        DeviceEventKind::FromDevice => "copy from the device",
        DeviceEventKind::Within => "copy between devices, or set memory",
    };
    let bytes = (event.bytes > 0).then_some(event.bytes);
    let annotation = |bytes| DebugAnnotation {
        name: "bytes".to_owned(),
        uint_value: Some(bytes),
        ..Default::default()
    };
    let place = event.construct.file.as_deref().map(|file| SourceLocation {
        file_name: omphalos_report::visible(file).into_owned(),
        function_name: event.construct.function.to_string(),
        line_number: event.construct.line,
    });
    let shown = TrackEvent {
        name: format!("{what}: {} at {}", event.name, event.construct.label),
        categories: vec!["device".to_owned()],
        debug_annotations: bytes.map(annotation).into_iter().collect(),
        source_location: place,
        ..Default::default()
    };
    let (start, end) = (event.time, event.time.saturating_add(event.duration));
    Slice { start, end, event: shown }
}
