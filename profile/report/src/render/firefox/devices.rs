//! A track for each device, with its kernels and copies; and the target constructs on the threads
//! that executed them. They are exact: each is an event from the runtime.

use serde_json::{Value, json};

use super::markers::{self, Shown};
use super::tables::{DEVICE, Tables};
use crate::Analysis;
use crate::model::{DeviceEvent, DeviceEventKind};
use crate::visible::visible;

pub(super) const CONSTRUCT: &str = "OpenMPTarget";
pub(super) const EVENT: &str = "OpenMPDevice";

/// The number of the first device's track: beyond those of all threads.
const FIRST_TRACK: u32 = 1 << 30;
/// How many numbers each process has.
const TRACKS: u32 = 1 << 12;

/// Returns the target constructs of a thread.
pub(super) fn constructs(analysis: &Analysis, tables: &mut Tables<'_>, thread: u32) -> Vec<Shown> {
    let of_thread =
        |event: &&DeviceEvent| event.kind == DeviceEventKind::Construct && event.thread == thread;
    let events = analysis.device_events().iter().filter(of_thread);
    let show = |event: &DeviceEvent| {
        let name = format!("{} at {}", event.name, event.construct.label);
        let device = event.device.map_or_else(|| "host".to_owned(), |number| number.to_string());
        shown(tables, &name, event, json!({ "type": CONSTRUCT, "device": device }))
    };
    events.map(show).collect()
}

/// Returns the devices of a process, as threads of the format: below all others, without samples.
pub(super) fn tracks(analysis: &Analysis, tables: &mut Tables<'_>, process: u32) -> Vec<Value> {
    let first = FIRST_TRACK.saturating_add(process.saturating_mul(TRACKS));
    let events = || analysis.device_events().iter();
    let of_devices = events().filter(|event| event.kind != DeviceEventKind::Construct);
    let mut devices: Vec<u32> = of_devices.filter_map(|event| event.device).collect();
    devices.sort_unstable();
    devices.dedup();
    let track = |device: u32| {
        let own = events()
            .filter(|event| event.device == Some(device))
            .filter(|event| event.kind != DeviceEventKind::Construct);
        let markers = own.map(|event| of_device(tables, event)).collect();
        let pid = analysis.summary().pid;
        json!({
            "processType": "default",
            "processName": crate::render::program(analysis),
            "processStartupTime": tables.ms(0),
            "processShutdownTime": null,
            "registerTime": tables.ms(0),
            "unregisterTime": null,
            "pausedRanges": [],
            "showMarkersInTimeline": true,
            "name": format!("OpenMP device {device}"),
            "isMainThread": false,
            "pid": pid.to_string(),
            "tid": first.saturating_add(device),
            "samples": {
                "stack": [],
                "time": [],
                "weight": [],
                "weightType": "samples",
                "threadCPUDelta": [],
                "length": 0,
            },
            "markers": markers::table(markers, tables),
        })
    };
    devices.into_iter().map(track).collect()
}

fn of_device(tables: &mut Tables<'_>, event: &DeviceEvent) -> Shown {
    let what = match event.kind {
        DeviceEventKind::Construct => "construct",
        DeviceEventKind::Kernel => "kernel",
        DeviceEventKind::ToDevice => "copy to the device",
        DeviceEventKind::FromDevice => "copy from the device",
        DeviceEventKind::Within => "copy between devices, or set memory",
    };
    let name = format!("{what}: {} at {}", event.name, event.construct.label);
    let mut data = json!({ "type": EVENT });
    if event.kind != DeviceEventKind::Kernel {
        data["bytes"] = json!(event.bytes);
    }
    shown(tables, &name, event, data)
}

fn shown(tables: &mut Tables<'_>, name: &str, event: &DeviceEvent, mut data: Value) -> Shown {
    if let Some(file) = event.construct.file.as_deref() {
        data["file"] = json!(visible(file));
        data["line"] = json!(event.construct.line);
    }
    let name = tables.string(name);
    let (start, end) = (event.time, event.time.saturating_add(event.duration));
    Shown { name, category: DEVICE, start, end, data }
}
