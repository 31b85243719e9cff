//! `target` regions.

use super::arrays::Arrays;
use super::data::number;
use super::flags::{LITERAL, PARAMETER};
use super::images;
use super::lists::{List, Use};
use super::names;
use super::on::On;
use crate::shared::device::chosen;
use crate::shared::location::Ident;
use core::ffi::{c_char, c_int, c_void};
use omphalos_engine::target::{Site, played};
use omphalos_engine::{Caller, Thread, caller};
use omphalos_events::TargetKind;

/// The region was executed.
const DONE: c_int = 0;
/// The region was not executed: the program executes it on the host.
const ON_HOST: c_int = !0;

/// The compiler's description of a region, as far as all versions have it. Limits follow behind it,
/// which the region's own code sets as well.
#[repr(C)]
pub struct KernelArguments {
    version: u32,
    count: u32,
    bases: *mut *mut c_void,
    begins: *const *mut c_void,
    sizes: *const i64,
    types: *const u64,
    names: *const *const c_char,
    mappers: *const *const c_void,
    trip_count: u64,
    /// From version 2 on.
    flags: u64,
}

/// From this version on, a region's code takes one pointer more, about how it was started. In this
/// version the pointer comes before all others, and is not among the arguments.
const WITH_START: u32 = 3;
/// The last version that is known. In this one the additional pointer is the last argument.
const LAST: u32 = 4;

const NOWAIT: u64 = 1;
/// A region of CUDA's language: it takes other arguments.
const CUDA: u64 = 2;

/// A region as one of the entries asks for it.
struct Asked {
    location: *const Ident,
    device: i64,
    nowait: bool,
    /// The address that stands for the region on the host.
    host: *const c_void,
    arrays: Arrays,
    /// Whether the code takes a pointer before all arguments.
    start: bool,
    /// 0 or less if there is no such clause.
    teams: i32,
    thread_limit: i32,
}

impl Asked {
    /// Executes the region.
    ///
    /// # Safety
    /// LLVM's code keeps to its interface.
    unsafe fn run(&self, by: Caller) -> c_int {
        if played::may_be_any() {
            played::watch::located(self.location.cast());
        }
        let Some(device) = chosen(number(self.device)) else { return ON_HOST };
        let kind = if self.nowait { TargetKind::TargetNowait } else { TargetKind::Target };
        let on = On { device, kind, location: self.location, caller: by };
        let Some(code) = played::region(device, self.host as usize) else {
            return images::without_code(&on);
        };
        let (thread, count) = (Thread::current(), |clause: i32| u32::try_from(clause).unwrap_or(0));
        // SAFETY: the caller's promise.
        played::construct(thread, kind, device, by, |shown| unsafe {
            let list = List::of(&self.arrays, Use::Begin, images::share_memory());
            let mapping = (!list.items.is_empty()).then(|| on.begin(&list));
            if let Some(construct) = shown {
                self.arrays.tell_copies(construct, device);
            }
            let addresses = mapping.as_ref().map_or(&[][..], |mapping| &mapping.arguments);
            let arguments = self.arguments(&list, addresses);
            let site = Site { location: self.location.cast(), write: names::site };
            let region = || {
                played::run(thread, device, count(self.thread_limit), (by, Some(&site)), || {
                    played::call(thread, code, arguments);
                });
            };
            match shown {
                None => region(),
                Some(construct) => construct.submit(thread, count(self.teams), region),
            }
            if let Some(mapping) = mapping {
                if let Some(construct) = shown {
                    construct.unmap(device, &mapping);
                }
                played::with_table(device, |table, memory| table.unmap(memory, mapping));
            }
        });
        DONE
    }

    /// Returns the arguments of the region's code.
    ///
    /// # Safety
    /// As [`Asked::run`].
    unsafe fn arguments(&self, list: &List, addresses: &[usize]) -> Vec<usize> {
        let mut all = Vec::with_capacity(list.places.len() + 1);
        if self.start {
            all.push(0);
        }
        for (at, &place) in list.places.iter().enumerate() {
            // SAFETY: the caller's promise.
            let argument = unsafe { self.arrays.get(at) };
            if !argument.has(PARAMETER) {
                continue;
            }
            let there = addresses[place];
            // SAFETY: as above.
            let base = unsafe { argument.pointed_base() };
            let itself = there == 0 || argument.has(LITERAL) || argument.is_private_pointer();
            all.push(if itself {
                there
            } else {
                there.wrapping_sub(argument.begin.wrapping_sub(base))
            });
        }
        all
    }
}

unsafe extern "C" fn kernel(
    location: *const Ident,
    device: i64,
    teams: i32,
    thread_limit: i32,
    host: *const c_void,
    arguments: *const KernelArguments,
) -> c_int {
    let by = caller();
    if played::count() == 0 {
        return ON_HOST;
    }
    // SAFETY: LLVM's code passes the structure of its version.
    unsafe {
        let all = &*arguments;
        let flags = if all.version >= 2 { all.flags } else { 0 };
        if !(1..=LAST).contains(&all.version) || flags & CUDA != 0 {
            unknown(all.version, flags & CUDA != 0, location, device, by);
        }
        let count = i32::try_from(all.count).unwrap_or(0);
        let plain = Arrays::new(count, all.bases, all.begins, all.sizes, all.types);
        let asked = Asked {
            location,
            device,
            nowait: flags & NOWAIT != 0,
            host,
            arrays: Arrays { names: all.names, mappers: all.mappers, ..plain },
            start: all.version == WITH_START,
            teams,
            thread_limit,
        };
        asked.run(by)
    }
}

/// Ends the program: its code was compiled for a newer runtime, or for another language.
#[cold]
fn unknown(version: u32, cuda: bool, location: *const Ident, device: i64, caller: Caller) -> ! {
    let on = On { device: number(device), kind: TargetKind::Target, location, caller };
    if cuda {
        on.end(format_args!("the region is in CUDA's language, which devices do not know"));
    }
    on.end(format_args!("the program passes arguments of version {version}; 1 to {LAST} are known"))
}

/// The older entries, which get everything as arguments of their own.
macro_rules! older {
    ($($name:ident(
        $($first:ident: $type:ty)?;
        $($names:ident, $mappers:ident)?;
        $($teams:ident, $limit:ident)?
    ) nowait: $nowait:expr;)*) => { $(
        unsafe extern "C" fn $name(
            $($first: $type,)?
            device: i64,
            host: *const c_void,
            count: i32,
            bases: *mut *mut c_void,
            begins: *const *mut c_void,
            sizes: *const i64,
            types: *const u64,
            $($names: *const *const c_char,
            $mappers: *const *const c_void,)?
            $($teams: i32,
            $limit: i32,)?
        ) -> c_int {
            let by = caller();
            #[allow(unused_mut)]
            let mut arrays = Arrays::new(count, bases, begins, sizes, types);
            $(arrays.names = $names;
            arrays.mappers = $mappers;)?
            #[allow(unused_mut, unused_assignments)]
            let mut location = core::ptr::null();
            $(location = $first;)?
            #[allow(unused_mut, unused_assignments)]
            let mut clauses = (-1, -1);
            $(clauses = ($teams, $limit);)?
            let (teams, thread_limit) = clauses;
            let nowait = $nowait;
            let asked =
                Asked { location, device, nowait, host, arrays, start: false, teams, thread_limit };
            // SAFETY: LLVM's code keeps to its interface.
            unsafe { asked.run(by) }
        }
    )* };
}

older! {
    target(;;) nowait: false;
    target_nowait(;;) nowait: true;
    target_mapper(location: *const Ident; names, mappers;) nowait: false;
    target_nowait_mapper(location: *const Ident; names, mappers;) nowait: true;
    teams(;; teams, limit) nowait: false;
    teams_nowait(;; teams, limit) nowait: true;
    teams_mapper(location: *const Ident; names, mappers; teams, limit) nowait: false;
    teams_nowait_mapper(location: *const Ident; names, mappers; teams, limit) nowait: true;
}

omphalos_sys::entries! {
    /// A region. Not 0: the program is to execute it on the host.
    omphalos__tgt_target_kernel => kernel;
    /// A region with `nowait`, in a task of the program's. The task has the dependences.
    omphalos__tgt_target_kernel_nowait => kernel;
    /// A region, up to LLVM 14.
    omphalos__tgt_target_mapper => target_mapper;
    /// A region with `nowait`, up to LLVM 14.
    omphalos__tgt_target_nowait_mapper => target_nowait_mapper;
    /// A region of teams, up to LLVM 14.
    omphalos__tgt_target_teams_mapper => teams_mapper;
    /// A region of teams with `nowait`, up to LLVM 14.
    omphalos__tgt_target_teams_nowait_mapper => teams_nowait_mapper;
    /// A region, up to LLVM 11.
    omphalos__tgt_target => target;
    /// A region with `nowait`, up to LLVM 11.
    omphalos__tgt_target_nowait => target_nowait;
    /// A region of teams, up to LLVM 11.
    omphalos__tgt_target_teams => teams;
    /// A region of teams with `nowait`, up to LLVM 11.
    omphalos__tgt_target_teams_nowait => teams_nowait;
}
