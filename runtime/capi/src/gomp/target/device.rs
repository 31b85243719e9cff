//! Constructs on a device that the host plays (`OMPHALOS_DEVICES`), or that a plugin knows.
//!
//! GCC's code for the host takes its variables by an array of addresses. On a device it gets an
//! array of the counterparts' addresses.

use super::Region;
use super::driven;
use super::host::{map_flags, run_with};
use super::kinds::Items;
use crate::shared::device as shared;
use core::ffi::{c_int, c_uint, c_ushort, c_void};
use omphalos_engine::target::played::Limits;
use omphalos_engine::target::{Construct, played};
use omphalos_engine::{Caller, Thread, Work};
use omphalos_events::{Kind, MapFlags, MapItems, TargetKind, wants};
use omphalos_mapping::{Fault, Mapping};
use omphalos_settings::{self as icv, TargetOffload};

/// A construct on a device.
#[derive(Clone, Copy)]
pub struct On {
    pub device: c_int,
    pub kind: TargetKind,
    pub caller: Caller,
}

impl On {
    /// Whether this is `target exit data`.
    pub fn is_exit(&self) -> bool {
        matches!(self.kind, TargetKind::ExitData | TargetKind::ExitDataNowait)
    }

    /// Returns the result of the device's work; ends the program if there is a fault.
    fn or_end<R>(&self, result: Option<Result<R, Fault>>) -> R {
        let item = |number| format!("list item {}", number + 1);
        shared::done(result, item).unwrap_or_else(|what| self.end(format_args!("{what}")))
    }

    fn end(&self, what: core::fmt::Arguments<'_>) -> ! {
        let at = self.caller.address();
        let at = format_args!("called before {at:#x}");
        shared::end(self.kind, self.device, &at, what)
    }

    /// Returns the list of items in the form that the device takes.
    ///
    /// # Safety
    /// The arrays hold `count` elements.
    pub unsafe fn list(&self, items: Items, exit: bool) -> Vec<omphalos_mapping::Item> {
        // SAFETY: the caller's promise.
        let list = unsafe { items.list(exit) };
        list.unwrap_or_else(|kind| self.end(format_args!("map kind {kind:#x} is not known")))
    }

    /// Maps the list.
    ///
    /// # Safety
    /// The arrays hold `count` elements; the items are the program's memory.
    unsafe fn map(&self, items: Items) -> Mapping {
        // SAFETY: the caller's promise.
        unsafe {
            let list = self.list(items, false);
            self.or_end(played::with_table(self.device, |table, memory| table.map(memory, &list)))
        }
    }

    /// Ends a mapping that [`On::map`] began.
    ///
    /// # Safety
    /// As [`On::map`]; no code uses the mapping any more.
    unsafe fn unmap(&self, mapping: Mapping) {
        // SAFETY: the caller's promise.
        played::with_table(self.device, |table, memory| unsafe { table.unmap(memory, mapping) });
    }

    /// Executes a region. It begins when its data is on the device, and ends when the data is back.
    ///
    /// # Safety
    /// As [`On::map`]; the function takes the items' addresses.
    pub unsafe fn region(&self, body: Region, items: Items, limits: Limits) {
        let Some(body) = body else { return };
        let On { device, kind, caller } = *self;
        let driven = played::driver(device).map(|driver| {
            // A device has its code only once it has begun.
            drop(driver.begin());
            (driver, driver.code(body as usize))
        });
        if let Some((_, None)) = driven {
            // SAFETY: the caller's promise.
            return unsafe { self.on_host(body, items, limits) };
        }
        let thread = Thread::current();
        played::construct(thread, kind, device, caller, |shown| {
            // SAFETY: the caller's promise.
            unsafe {
                let mut mapping = self.map(items);
                if let Some(construct) = shown {
                    tell_copies(construct, items, Some(device), false);
                }
                let arguments = &mut mapping.arguments;
                let work = Work::with_data(body as *const c_void, arguments.as_mut_ptr().cast());
                let region = || {
                    played::run(thread, device, limits.threads, (caller, None), || match driven {
                        Some((driver, code)) => {
                            driven::run(driver, code.unwrap_or(0), arguments, limits);
                        }
                        None => {
                            let exit_frame = thread.task().tool.frame.exit.as_ptr();
                            work.run(thread.gtid, 0, exit_frame);
                        }
                    });
                };
                match shown {
                    None => region(),
                    Some(construct) => construct.submit(thread, limits.teams, region),
                }
                if let Some(construct) = shown {
                    construct.unmap(device, &mapping);
                }
                self.unmap(mapping);
            }
        });
    }

    /// The device has no code for a region: the host executes it.
    ///
    /// # Safety
    /// As [`On::region`].
    #[cold]
    unsafe fn on_host(
        &self,
        body: unsafe extern "C" fn(*mut c_void),
        items: Items,
        limits: Limits,
    ) {
        if icv::settings().target_offload() == TargetOffload::Mandatory {
            self.end(format_args!(
                "OMP_TARGET_OFFLOAD is mandatory and the program has no code for this device"
            ));
        }
        // SAFETY: the caller's promise.
        unsafe {
            run_with(self.kind, self.caller, limits, body, items);
        }
    }

    /// `target data` begins. If the program wants a counterpart's address, it finds the address in
    /// the array.
    ///
    /// # Safety
    /// As [`On::map`].
    pub unsafe fn begin_data(&self, items: Items) {
        let thread = Thread::current();
        let mapping = played::construct(thread, self.kind, self.device, self.caller, |shown| {
            // SAFETY: the caller's promise.
            unsafe {
                let mapping = self.map(items);
                if let Some(construct) = shown {
                    tell_copies(construct, items, Some(self.device), false);
                }
                mapping
            }
        });
        for at in 0..items.count {
            // SAFETY: the caller's promise; only the elements are written for which GCC's code
            // reads them.
            unsafe {
                let (.., kind) = items.get(at);
                if matches!(kind & 0xff, 0x0e | 0x10) {
                    let place = items.addresses.cast_mut().add(at);
                    *place = mapping.arguments[at] as *mut c_void;
                }
            }
        }
        played::begin_data(thread, played::Open::Device(self.device, mapping));
    }

    /// `target enter data`, `exit data`, `update`.
    ///
    /// # Safety
    /// As [`On::map`].
    pub unsafe fn data(&self, items: Items) {
        let thread = Thread::current();
        played::construct(thread, self.kind, self.device, self.caller, |shown| {
            // SAFETY: the caller's promise.
            unsafe {
                let exit = self.is_exit();
                let enter =
                    matches!(self.kind, TargetKind::EnterData | TargetKind::EnterDataNowait);
                // Tells tools of the items' addresses on the device. Items that come are there only
                // after the step, items that go only before it.
                let tell_now = |now: bool| {
                    if let Some(construct) = shown.filter(|_| now) {
                        tell_copies(construct, items, Some(self.device), false);
                    }
                };
                tell_now(!enter);
                let list = self.list(items, exit);
                self.or_end(played::with_table(self.device, |table, memory| match self.kind {
                    TargetKind::Update | TargetKind::UpdateNowait => {
                        table.update(memory, &list).map(drop)
                    }
                    TargetKind::ExitData | TargetKind::ExitDataNowait => {
                        table.exit(memory, &list).map(drop)
                    }
                    _ => table.enter(memory, &list),
                }));
                tell_now(enter);
            }
        });
    }
}

/// `target data` begins on the host.
pub fn begin_host_data() {
    if played::may_be_any() {
        played::begin_data(Thread::current(), played::Open::Host);
    }
}

/// Ends the innermost `target data` region. Returns false if the region is one of the host's.
pub fn end_data(caller: Caller) -> bool {
    if !played::may_be_any() {
        return false;
    }
    let thread = Thread::current();
    let Some(played::Open::Device(device, mapping)) = played::end_data(thread) else {
        return false;
    };
    let on = On { device, kind: TargetKind::ExitData, caller };
    played::construct(thread, on.kind, device, caller, |shown| {
        if let Some(construct) = shown {
            construct.unmap(device, &mapping);
        }
        // SAFETY: the region is over; its variables are still there.
        unsafe { on.unmap(mapping) };
    });
    true
}

/// Tells tools of the items, and of their addresses on the device (`None`: the host). `ends`: the
/// construct is over, and unmaps them.
///
/// # Safety
/// The three arrays hold `count` elements.
#[cold]
pub unsafe fn tell_copies(construct: &Construct, items: Items, device: Option<c_int>, ends: bool) {
    if !wants(Kind::TargetMap) {
        return;
    }
    let (mut addresses, mut sizes, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..items.count {
        // SAFETY: the caller's promise.
        let (address, size, kind) = unsafe { items.get(at) };
        if let Some(flag) = map_flags(kind) {
            addresses.push(address);
            sizes.push(size);
            let unmapped =
                if flag & MapFlags::FROM != 0 { MapFlags::FROM } else { MapFlags::RELEASE };
            flags.push(if ends { unmapped } else { flag });
        }
    }
    let counterparts = device.and_then(|device| {
        played::with_table(device, |table, _| {
            let of = |&host: &*mut c_void| table.translate(host as usize).unwrap_or(0) as *mut _;
            addresses.iter().map(of).collect::<Vec<*mut c_void>>()
        })
    });
    let on_device = counterparts.as_ref().unwrap_or(&addresses);
    let items = MapItems { addresses: &addresses, on_device, sizes: &sizes, flags: &flags };
    construct.map(items, ends);
}

/// Turns map kinds of the older interface (one byte each) into those of the newer one (two bytes).
///
/// # Safety
/// The array holds `count` elements.
pub unsafe fn widened(kinds: *const u8, count: usize) -> Vec<c_ushort> {
    // SAFETY: the caller's promise. In one byte, the low three bits are the kind.
    let one = |at| unsafe { c_ushort::from(*kinds.add(at)) };
    (0..count).map(one).map(|kind| kind & 7 | (kind >> 3) << 8).collect()
}

/// The flag of a `nowait` clause in a construct's `flags`.
pub const NOWAIT: c_uint = 1;
