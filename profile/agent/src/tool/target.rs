//! Target constructs: the work on devices, and the host's wait for it.

use crate::accounting::target::{Operation, Site};
use crate::accounting::tasks::Creation;
use crate::clock::{moment, ns, ticks};
use crate::thread::{self, Owner, Thread};
use crate::tool::{on_thread, parallel};
use core::sync::atomic::{AtomicI32, Ordering::Relaxed};
use omphalos_ompt::{DataOpKind, Endpoint, Target, TargetDataOp, TargetKind, TargetSubmit};
use omphalos_profile_format::{TargetEvent, target};

/// The number of devices that the runtime reported: one more than their highest number.
static DEVICES: AtomicI32 = AtomicI32::new(0);

/// Notes that a device is ready.
pub fn device(number: i32) {
    DEVICES.fetch_max(number.saturating_add(1), Relaxed);
}

fn is_device(number: i32) -> bool {
    (0..DEVICES.load(Relaxed)).contains(&number)
}

/// Returns a device's number in records.
fn device_of(number: i32) -> u32 {
    if is_device(number) { number as u32 } else { target::HOST }
}

/// Books the begin or end of a construct.
pub fn construct(event: Target<'_>) {
    on_thread(|owner, now| match event.endpoint {
        Endpoint::Begin => {
            parallel::record_from_here(now);
            let (codeptr, left_by) = origin(owner, &event);
            let kind = event.kind.number() as u32;
            let site = Site { codeptr, kind, device: device_of(event.device) };
            owner.stack().targets.begin(site, left_by.map(|thread| &**thread), now);
        }
        Endpoint::End => {
            let thread = owner.thread();
            if let Some((site, since)) = owner.stack().targets.end(&thread.targets, now) {
                record(owner, site, target::CONSTRUCT | site.kind, 0, since, now);
            }
        }
        _ => {}
    });
}

/// Returns where the construct stands, and the thread that left it to this one.
fn origin(owner: &Owner, event: &Target<'_>) -> (u64, Option<&'static Thread>) {
    use TargetKind::*;
    let own = owner.index.load(Relaxed);
    let is_nowait =
        matches!(event.kind, TargetNowait | EnterDataNowait | ExitDataNowait | UpdateNowait);
    // Such a construct is the body of a task, whose word says where the task was made.
    let creation = Creation(event.task.get());
    if !is_nowait || creation.0 == 0 {
        return (event.codeptr, None);
    }
    // GCC's code has left the call long ago: then the runtime names no place in it.
    let codeptr = if event.codeptr == 0 { creation.codeptr() } else { event.codeptr };
    if creation.is_by(own) {
        return (codeptr, None);
    }
    let is_maker = |thread: &&'static Thread| {
        thread.alive.load(Relaxed) && creation.is_by(thread.index.load(Relaxed))
    };
    (codeptr, thread::all().find(is_maker))
}

/// Books the begin or end of a kernel.
pub fn submit(event: TargetSubmit<'_>) {
    on_thread(|owner, now| match event.endpoint {
        Endpoint::Begin => owner.stack().targets.begin_kernel(ticks()),
        Endpoint::End => {
            let thread = owner.thread();
            if let Some((site, since)) = owner.stack().targets.end_kernel(&thread.targets, now) {
                record(owner, site, target::KERNEL, 0, since, now);
            }
        }
        _ => {}
    });
}

/// Books the begin or end of an operation on a device's memory.
pub fn data_op(event: TargetDataOp<'_>) {
    let Some((operation, device)) = operation(&event) else { return };
    on_thread(|owner, now| {
        if event.endpoint == Endpoint::Begin {
            parallel::record_from_here(now);
            owner.stack().targets.begin_operation(ticks());
            return;
        }
        let (thread, bytes) = (owner.thread(), event.bytes as u64);
        let place = Site { codeptr: event.codeptr, kind: 0, device: device_of(device) };
        let targets = &mut owner.stack().targets;
        let (site, since) = targets.end_operation(&thread.targets, place, operation, bytes, now);
        let kind = target::OPERATION | event.kind.number() as u32;
        let site = Site { device: place.device, ..site };
        if !matches!(operation, Operation::Allocate | Operation::Free) {
            record(owner, site, kind, bytes, since, now);
        }
    });
}

/// Returns the kind of an operation and the device whose memory it uses; `None` where nothing is
/// moved.
fn operation(event: &TargetDataOp<'_>) -> Option<(Operation, i32)> {
    use DataOpKind::*;
    let (source, destination) = (event.source_device, event.destination_device);
    Some(match event.kind {
        TransferToDevice | TransferToDeviceAsync => (Operation::ToDevice, destination),
        TransferFromDevice | TransferFromDeviceAsync => (Operation::FromDevice, source),
        Transfer | TransferAsync | TransferRect | TransferRectAsync => {
            match (is_device(source), is_device(destination)) {
                (false, true) => (Operation::ToDevice, destination),
                (true, false) => (Operation::FromDevice, source),
                _ => (Operation::Within, destination),
            }
        }
        Memset | MemsetAsync => (Operation::Within, destination),
        Alloc | AllocAsync => (Operation::Allocate, destination),
        Delete | DeleteAsync => (Operation::Free, source),
        _ => return None,
    })
}

/// Records an event for the timeline, if there are not too many.
fn record(owner: &mut Owner, site: Site, event_kind: u32, bytes: u64, since: u64, now: u64) {
    if !owner.stack().targets.may_record(now) {
        return;
    }
    let event = TargetEvent {
        thread: owner.index.load(Relaxed),
        time: moment(since),
        duration: ns(now.saturating_sub(since)),
        event_kind,
        device: site.device,
        bytes,
        codeptr_ra: site.codeptr,
    };
    owner.await_sampler(|sampler| {
        sampler.push(event.into());
        if sampler.is_due(now) {
            sampler.flush();
        }
    });
}
