//! Target constructs: the figures of each by device, and the host's part.

use std::rc::Rc;

use omphalos_profile_format::{TargetEvent, TargetSiteTotal, target};

use super::sums::{add, total};
use crate::recording::Recording;
use crate::symbols::{Construct, Inner, InnerSite, Symbols};

/// Copies of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// The number of copies; for [`TargetRow::blocks`], the number of blocks made.
    pub count: u64,
    /// Sum of their sizes, bytes.
    pub bytes: u64,
    /// ns.
    pub time: u64,
}

impl Copies {
    fn take(&mut self, count: u64, bytes: u64, time: u64) {
        add(&mut self.count, count);
        add(&mut self.bytes, bytes);
        add(&mut self.time, time);
    }
}

/// All executions of one target construct on one device, or all calls of a memory routine at one
/// line. Times are sums over executions.
#[derive(Clone, Debug)]
pub struct TargetRow {
    /// `target`, `target data`, `target update`, `omp_target_memcpy`, in OpenMP's words.
    pub name: String,
    /// The construct, or the line that calls the memory routine.
    pub construct: Rc<Construct>,
    /// The device's number; none for the host itself.
    pub device: Option<u32>,
    /// True where it was left to another thread: the one that met it goes on.
    pub nowait: bool,
    /// How often it was executed; both ends of a `target data` count once.
    pub executions: u64,
    /// The time from begin to end, ns.
    pub elapsed: u64,
    /// Kernels that it launched.
    pub kernels: u64,
    /// Sum of the kernels' times from begin to end, ns.
    pub kernel_time: u64,
    /// Copies from the host to the device.
    pub to_device: Copies,
    /// Copies from the device to the host.
    pub from_device: Copies,
    /// From device to device, and memory that was set.
    pub within: Copies,
    /// Blocks of device memory that were made, their bytes, and the time of making and giving back.
    pub blocks: Copies,
    /// The time in which the thread that met it did nothing else, or waited.
    pub host_wait: u64,
    /// The time in which that thread worked meanwhile.
    pub overlap: u64,
}

impl TargetRow {
    /// Returns the time of copies of all kinds, ns.
    pub fn copying(&self) -> u64 {
        total([self.to_device, self.from_device, self.within].map(|copies| copies.time).into_iter())
    }
}

/// An execution of a construct, a kernel or a copy, for timelines.
#[derive(Clone, Debug)]
pub struct DeviceEvent {
    /// The thread that executed the construct.
    pub thread: u32,
    /// None for the host.
    pub device: Option<u32>,
    /// Whether it is a construct, a kernel or a copy, and in which direction.
    pub kind: DeviceEventKind,
    /// Since the start of the program, ns.
    pub time: u64,
    /// From its begin to its end, ns.
    pub duration: u64,
    /// Bytes that were copied or set; 0 for a construct or a kernel.
    pub bytes: u64,
    /// The construct of its row.
    pub construct: Rc<Construct>,
    /// The row's name.
    pub name: String,
}

/// The kind of a [`DeviceEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceEventKind {
    /// The whole construct, on the host's thread.
    Construct,
    /// A kernel on the device.
    Kernel,
    /// A copy from the host to the device.
    ToDevice,
    /// A copy from the device to the host.
    FromDevice,
    /// A copy from device to device, or memory that is set.
    Within,
}

impl DeviceEventKind {
    fn of(number: u32) -> Option<DeviceEventKind> {
        use DeviceEventKind::*;
        Some(match number & !0xffff {
            target::CONSTRUCT => Construct,
            target::KERNEL => Kernel,
            // `ompt_target_data_op_t`: the second half are those of asynchronous routines.
            target::OPERATION => match number & 0xf {
                2 => ToDevice,
                3 => FromDevice,
                _ => Within,
            },
            _ => return None,
        })
    }
}

/// `ompt_target_t`: its `nowait` form.
const NOWAIT: u32 = 8;

/// Returns a construct's name in words, and its place.
fn site(symbols: &Symbols, codeptr_ra: u64, kind: u32) -> (String, Rc<Construct>) {
    let inner = match kind & !NOWAIT {
        1 => Inner::Target,
        2 => Inner::TargetBegin,
        3 => Inner::TargetEnd,
        4 => Inner::TargetUpdate,
        _ => {
            let routine = symbols.callee(codeptr_ra);
            let routine = routine.filter(|name| name.starts_with("omp_"));
            let name = routine.unwrap_or_else(|| "device memory routine".to_owned());
            let construct = symbols.construct(codeptr_ra, crate::symbols::ConstructKind::Place);
            return (name.trim_end_matches('_').to_owned(), construct);
        }
    };
    let InnerSite { construct, directive, .. } = symbols.inner(codeptr_ra, 0, inner);
    let is_data = match &directive {
        Some(directive) => !directive.has("enter") && !directive.has("exit"),
        None => symbols.is_target_data(codeptr_ra),
    };
    let name = match inner {
        Inner::Target => "target",
        Inner::TargetUpdate => "target update",
        _ if is_data => "target data",
        Inner::TargetBegin => "target enter data",
        _ => "target exit data",
    };
    (name.to_owned(), construct)
}

fn device(number: u32) -> Option<u32> {
    (number != target::HOST).then_some(number)
}

/// Makes one row for each construct and device, the longest first.
pub(super) fn rows(recording: &Recording, symbols: &Symbols) -> Vec<TargetRow> {
    let mut rows: Vec<TargetRow> = Vec::new();
    for total in recording.targets.values() {
        let (name, construct) = site(symbols, total.codeptr_ra, total.target_kind);
        let device = device(total.device);
        let nowait = total.target_kind & NOWAIT != 0;
        let same = |row: &TargetRow| {
            (&row.name, &row.construct.label, row.device, row.nowait)
                == (&name, &construct.label, device, nowait)
        };
        let at = rows.iter().position(same).unwrap_or_else(|| {
            rows.push(TargetRow::new(name, construct, device, nowait));
            rows.len() - 1
        });
        rows[at].take(total);
    }
    rows.sort_by_key(|row| std::cmp::Reverse((row.elapsed, row.executions)));
    rows
}

impl TargetRow {
    fn new(name: String, construct: Rc<Construct>, device: Option<u32>, nowait: bool) -> TargetRow {
        let none = Copies::default();
        TargetRow {
            name,
            construct,
            device,
            nowait,
            executions: 0,
            elapsed: 0,
            kernels: 0,
            kernel_time: 0,
            to_device: none,
            from_device: none,
            within: none,
            blocks: none,
            host_wait: 0,
            overlap: 0,
        }
    }

    fn take(&mut self, all: &TargetSiteTotal) {
        // Both ends of `target data` belong to one construct.
        let is_end = self.name == "target data" && all.target_kind & !NOWAIT == 3;
        add(&mut self.executions, if is_end { 0 } else { all.executions });
        add(&mut self.elapsed, all.elapsed);
        add(&mut self.kernels, all.kernels);
        add(&mut self.kernel_time, all.kernel_time);
        self.to_device.take(all.to_device, all.to_device_bytes, all.to_device_time);
        self.from_device.take(all.from_device, all.from_device_bytes, all.from_device_time);
        self.within.take(all.within, all.within_bytes, all.within_time);
        self.blocks.take(all.allocations, all.allocated_bytes, all.memory_time);
        add(&mut self.host_wait, all.host_wait);
        add(&mut self.overlap, all.overlap);
    }
}

/// Returns the events of the timeline, in the order of their begins; `start` is the program's.
pub(super) fn events(recording: &Recording, symbols: &Symbols, start: u64) -> Vec<DeviceEvent> {
    // Kernels and copies name their place only: the construct's own record has its kind.
    let kind_at = |codeptr_ra: u64| {
        let of = recording.targets.range((codeptr_ra, 0, 0)..=(codeptr_ra, u32::MAX, u32::MAX));
        of.map(|(key, _)| key.1).next_back().unwrap_or(0)
    };
    let one = |event: &TargetEvent| {
        let kind = DeviceEventKind::of(event.event_kind)?;
        let (name, construct) = site(symbols, event.codeptr_ra, kind_at(event.codeptr_ra));
        Some(DeviceEvent {
            thread: event.thread,
            device: device(event.device),
            kind,
            time: event.time.saturating_sub(start),
            duration: event.duration,
            bytes: event.bytes,
            construct,
            name,
        })
    };
    let mut events: Vec<DeviceEvent> = recording.target_events.iter().filter_map(one).collect();
    events.sort_by_key(|event| (event.time, std::cmp::Reverse(event.duration)));
    events
}
